//! Checks types that contain themselves: whether their size can be finite, and whether their
//! nesting depth is limited. Also checks the declared sizes of types.

use super::Checker;
use super::extent::Extents;
use super::fold;
use crate::diagnostic::{Code, Diagnostic};
use crate::schema::{LimitKind, LimitSubject, Type};

impl<'s> Checker<'s> {
    pub(super) fn recursion(&mut self) {
        let schema = self.schema;
        let mut told: Vec<usize> = Vec::new();
        for index in 0..schema.types.len() {
            let circle = self.graph.circle[index];
            if !self.graph.is_circular(index) || told.contains(&circle) {
                continue;
            }
            let described = &schema.types[index];
            if self.extents.of_type(index).least.is_none() {
                told.push(circle);
                self.infinite(described);
            } else if self.described && self.reached[index] && self.unbounded(circle) {
                told.push(circle);
                self.unlimited(described);
            }
        }
    }

    fn infinite(&mut self, described: &Type) {
        let message = format!("`{}` contains itself unconditionally", described.name);
        let help = "make the inner occurrence depend on an `if`, a count or a `switch-on`";
        let diagnostic = Diagnostic::error(Code::InfiniteType, described.span, message);
        self.push(diagnostic.help(help));
    }

    fn unlimited(&mut self, described: &Type) {
        let message = format!("the nesting depth of `{}` has no limit", described.name);
        let help = format!(
            "add `limits: [{{ of: {}, depth: {{ promised: 64, enforced: 1000 }}, rule: … }}]`",
            described.name
        );
        let diagnostic = Diagnostic::error(Code::UnlimitedRecursion, described.span, message);
        self.push(diagnostic.help(help));
    }

    /// Returns `true` if there is a cycle of types that contain one another, and no type in the
    /// cycle has a limit.
    fn unbounded(&self, circle: usize) -> bool {
        let members =
            |node: usize| self.graph.circle[node] == circle && !self.is_limited_type(node);
        let nodes: Vec<usize> = (0..self.graph.edges.len())
            .filter(|n| members(*n))
            .collect();
        // Repeatedly remove the nodes that nothing contains. If any nodes remain, there is a cycle
        // among them.
        let mut held = vec![0_usize; self.graph.edges.len()];
        for node in &nodes {
            for to in self.graph.edges[*node].iter().filter(|to| members(**to)) {
                held[*to] += 1;
            }
        }
        let mut free: Vec<usize> = nodes.iter().copied().filter(|n| held[*n] == 0).collect();
        let mut taken = 0;
        while let Some(node) = free.pop() {
            taken += 1;
            for to in self.graph.edges[node].iter().filter(|to| members(**to)) {
                held[*to] -= 1;
                if held[*to] == 0 {
                    free.push(*to);
                }
            }
        }
        taken < nodes.len()
    }

    fn is_limited_type(&self, node: usize) -> bool {
        let id = self.graph.type_of(node);
        self.schema.limits.iter().any(|limit| {
            limit.kind == LimitKind::Depth
                && matches!(&limit.of, LimitSubject::Type(of) if Some(*of) == id)
        })
    }

    /// Checks, for each dialect, that the size declared with `sizeof` equals the size of the type.
    pub(super) fn totals(&mut self) {
        let schema = self.schema;
        if schema
            .types
            .iter()
            .all(|described| described.size_of.is_none())
        {
            return;
        }
        let mut told = vec![false; schema.types.len()];
        for dialect in &schema.dialects {
            let extents = Extents::of(schema, &self.graph, Some(dialect));
            for (index, described) in schema.types.iter().enumerate() {
                let Some(stated) = described.size_of.as_ref().filter(|_| !told[index]) else {
                    continue;
                };
                let extent = extents.of_type(index);
                let name = &described.name;
                let message = match fold::integer(stated, schema, Some(dialect)) {
                    None => "the total size (`sizeof`) must be constant in each dialect".to_owned(),
                    Some(stated) => match (extent.least, extent.greatest) {
                        (Some(least), Some(most)) if least == most => {
                            if i128::from(least) == stated {
                                continue;
                            }
                            format!("the fields of `{name}` take {least} bytes, not {stated}")
                        }
                        (Some(least), most) => {
                            let most = match most {
                                Some(most) => format!("from {least} to {most} bytes"),
                                None => format!("{least} bytes or more"),
                            };
                            format!("the size of `{name}` varies: {most}")
                        }
                        (None, _) => continue,
                    },
                };
                told[index] = true;
                let mut diagnostic = Diagnostic::error(Code::WrongSizeof, stated.span, message);
                if schema.dialects.len() > 1 {
                    diagnostic = diagnostic.label(format!("in the dialect `{}`", dialect.id));
                }
                self.push(diagnostic);
            }
        }
    }
}
