//! Finds out which parts of a type's context affect how the type is checked.
//!
//! A type is checked separately for each use, because `_parent.size` may be a different field in
//! each use. The number of uses can grow exponentially with the nesting depth, so two uses are
//! distinguished only by the parts of the context that the type refers to.

use super::graph::Graph;
use super::visit;
use crate::expression::{Expr, ExprKind};
use crate::schema::{Field, FieldRole, Position, Schema, Type, TypeBody};

/// The parts of the context that types and layout sets refer to, indexed by node of the type graph.
pub(super) struct Looks {
    /// How many levels of enclosing types each node refers to.
    pub(super) outward: Vec<usize>,
    /// For each node, whether the node refers to fields of the root, which have values only once
    /// the root has been read.
    pub(super) root: Vec<bool>,
    /// For each node, whether the fields of the node may take values from earlier elements, so that
    /// the enclosing repetitions affect the checks.
    pub(super) rows: Vec<bool>,
}

/// How many enclosing types to search for the repetition that `_prev` refers to. A single level is
/// not enough, because `_prev` is often used several levels below the element, for example in a
/// sized part.
const TO_PREVIOUS: usize = 4;

impl Looks {
    pub(super) fn of(schema: &Schema, graph: &Graph) -> Self {
        let count = graph.edges.len();
        let mut looks = Self {
            outward: vec![0; count],
            root: vec![false; count],
            rows: vec![false; count],
        };
        for node in 0..count {
            let mut look = |expr: &Expr| looks.note(node, expr, schema);
            if let Some(described) = graph
                .type_of(node)
                .and_then(|id| schema.types.get(id.index()))
            {
                visit::of_type(described, &mut |expr| visit::parts(expr, &mut look));
                looks.rows[node] = carries(described);
            } else if let Some(id) = graph.layout_of(node) {
                let layout = &schema.layouts[id.index()];
                visit::of_layout(layout, &mut |expr| visit::parts(expr, &mut look));
                looks.outward[node] += usize::from(looks.outward[node] > 0);
                looks.rows[node] = true;
            }
        }
        for record in &schema.records {
            for from in &record.from {
                if from.index() < schema.types.len() {
                    let mut look = |expr: &Expr| looks.note(from.index(), expr, schema);
                    super::records::expressions(record, &mut |expr| visit::parts(expr, &mut look));
                }
            }
        }
        looks.spread(graph);
        looks
    }

    fn note(&mut self, node: usize, expr: &Expr, schema: &Schema) {
        let levels = match &expr.kind {
            ExprKind::Name(name) if name == "_prev" => TO_PREVIOUS,
            ExprKind::Name(name) if name == "_parent" => 2,
            // Add one, because the value found there may itself refer to its own parent.
            ExprKind::Member { name, .. } if name == "_parent" => outward(expr) + 1,
            ExprKind::Member { base, name } => {
                let of_root = matches!(&base.kind, ExprKind::Name(base) if base == "_root");
                self.root[node] |= of_root && !is_parameter(name, schema);
                return;
            }
            _ => return,
        };
        self.outward[node] = self.outward[node].max(levels);
    }

    /// Propagates the references from each node to the types that contain the node. The number of
    /// levels decreases by one for each enclosing type.
    fn spread(&mut self, graph: &Graph) {
        let mut holders = vec![Vec::new(); graph.edges.len()];
        for (holder, edges) in graph.edges.iter().enumerate() {
            for held in edges {
                holders[*held].push(holder);
            }
        }
        let mut left: Vec<usize> = graph.order.clone();
        while let Some(held) = left.pop() {
            let (outward, root, rows) = (self.outward[held], self.root[held], self.rows[held]);
            for holder in &holders[held] {
                let is_type = graph.type_of(*holder).is_some();
                let outward = if is_type {
                    outward.saturating_sub(1)
                } else {
                    outward
                };
                let grows = outward > self.outward[*holder]
                    || (root && !self.root[*holder])
                    || (rows && !self.rows[*holder]);
                if grows {
                    self.outward[*holder] = self.outward[*holder].max(outward);
                    self.root[*holder] |= root;
                    self.rows[*holder] |= rows;
                    left.push(*holder);
                }
            }
        }
    }
}

/// Returns the number of enclosing types that a chain such as `_parent._parent` traverses.
fn outward(expr: &Expr) -> usize {
    match &expr.kind {
        ExprKind::Name(name) if name == "_parent" => 1,
        ExprKind::Member { base, name } if name == "_parent" => outward(base) + 1,
        _ => 1,
    }
}

fn is_parameter(name: &str, schema: &Schema) -> bool {
    let root = schema.types.get(schema.root.index());
    root.is_some_and(|root| root.params.iter().any(|param| param.name == name))
}

fn carries(described: &Type) -> bool {
    let carried = |field: &Field| match &field.role {
        FieldRole::Wire(source) => source.carry.is_some(),
        _ => false,
    };
    let instances = described.instances.iter();
    let mut read = instances.filter_map(|instance| match &instance.position {
        Position::At { source, .. } => Some(source),
        Position::Computed { .. } => None,
    });
    let in_body = match &described.body {
        TypeBody::Structure(fields) => fields.iter().any(carried),
        TypeBody::Alias(field) => carried(field),
    };
    in_body || read.any(|source| source.carry.is_some())
}
