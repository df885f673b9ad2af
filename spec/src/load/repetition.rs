//! Parses constraints on the elements of a repetition as a whole, and hints for the generator.

use super::context::Context;
use super::keys::Keys;
use crate::diagnostic::Code;
use crate::expression::Expr;
use crate::schema::{Arrange, AtLeast, Constraint, ConstraintKind, Generation, Plain, Unique};
use crate::yaml::Node;

impl<'n> Context<'n> {
    pub(super) fn at_least(&mut self, node: &'n Node) -> Option<AtLeast> {
        let mut keys = Keys::of(node, "`at-least`", self)?;
        let count = keys.need("count", self).and_then(|node| self.number(node));
        let rule = self.rule_beside(&mut keys);
        keys.finish(self);
        Some(AtLeast {
            count: count?,
            rule,
            span: node.span,
        })
    }

    pub(super) fn arrange(&mut self, node: &'n Node) -> Option<Arrange> {
        let mut keys = Keys::of(node, "`arrange`", self)?;
        let first = keys
            .take("first")
            .map(|node| self.element_constraints(node));
        let last = keys.take("last").map(|node| self.element_constraints(node));
        let once = keys.take("once").map(|node| {
            let nodes = self.one_or_more(node);
            nodes
                .into_iter()
                .filter_map(|node| self.once(node))
                .collect()
        });
        keys.finish(self);
        Some(Arrange {
            first: first.unwrap_or_default(),
            once: once.unwrap_or_default(),
            last: last.unwrap_or_default(),
        })
    }

    fn element_constraints(&mut self, node: &'n Node) -> Vec<Constraint> {
        let nodes = self.one_or_more(node);
        let nodes = nodes.into_iter();
        nodes
            .flat_map(|node| self.constraint_entry(node, None))
            .collect()
    }

    /// Parses an entry of `once`, which specifies a value that may occur only once: `{eq, by,
    /// rule}`.
    fn once(&mut self, node: &'n Node) -> Option<(Constraint, Expr)> {
        let mut keys = Keys::of(node, "an entry of `once`", self)?;
        let value = keys.need("eq", self).map(|node| self.expression(node));
        let by = keys.need("by", self).map(|node| self.expression(node));
        let condition = self.condition(&mut keys);
        let rule = self.rule_beside(&mut keys);
        keys.finish(self);
        let constraint = Constraint {
            kind: ConstraintKind::Equal(value?),
            condition,
            rule,
            span: node.span,
        };
        Some((constraint, by?))
    }

    /// Parses `unique`, which is a mapping `{by, except, rule}` or a list of such mappings.
    pub(super) fn unique(&mut self, node: &'n Node) -> Vec<Unique> {
        let mut found = Vec::new();
        for node in self.one_or_more(node) {
            let Some(mut keys) = Keys::of(node, "`unique`", self) else {
                continue;
            };
            let by = keys.need("by", self).map(|node| self.expression(node));
            let except = keys.take("except").map(|node| self.expressions(node));
            let rule = self.rule_beside(&mut keys);
            keys.finish(self);
            if let Some(by) = by {
                found.push(Unique {
                    by,
                    except: except.unwrap_or_default(),
                    rule,
                    span: node.span,
                });
            }
        }
        found
    }

    /// Parses `gen`, which contains hints for the generator.
    pub(super) fn generation(&mut self, keys: &mut Keys<'n>) -> Generation {
        let mut generation = Generation::default();
        let node = keys.take("gen");
        let Some(mut keys) = node.and_then(|node| Keys::of(node, "`gen`", self)) else {
            return generation;
        };
        if let Some(node) = keys.take("weights") {
            generation.weights = self.weights(node);
        }
        if let Some(node) = keys.take("samples") {
            generation.samples = self.expressions(node);
        }
        if let Some(node) = keys.take("range") {
            generation.range = self.ends(node);
        }
        if let Some(node) = keys.take("plain") {
            generation.plain = self.plain(node);
        }
        if let Some(node) = keys.take("construct") {
            generation.construct = Some(self.expression(node));
        }
        keys.finish(self);
        generation
    }

    /// Parses a range, which is a list of its start and end.
    fn ends(&mut self, node: &'n Node) -> Option<(Expr, Expr)> {
        let mut ends = self.expressions(node).into_iter();
        match (ends.next(), ends.next(), ends.next()) {
            (Some(low), Some(high), None) => Some((low, high)),
            _ => {
                self.error(
                    Code::WrongShape,
                    node.span,
                    "a range requires a start and an end: `[a, b]`",
                );
                None
            }
        }
    }

    /// Parses `plain`, which is a value, a range, or `{any-of: [VALUE, …]}`.
    fn plain(&mut self, node: &'n Node) -> Option<Plain> {
        if node.as_sequence().is_some() {
            return self.ends(node).map(|(low, high)| Plain::Range(low, high));
        }
        if node.as_mapping().is_none() {
            return Some(Plain::Values(vec![self.expression(node)]));
        }
        let mut keys = Keys::of(node, "`plain`", self)?;
        let values = keys.need("any-of", self);
        let values = values.map(|node| self.expressions(node));
        keys.finish(self);
        values.map(Plain::Values)
    }

    fn weights(&mut self, node: &'n Node) -> Vec<(Expr, u32)> {
        let Some(mut keys) = Keys::of(node, "`weights`", self) else {
            return Vec::new();
        };
        let entries = keys.others().into_iter();
        entries
            .filter_map(|entry| {
                let value = self.key_expression(entry);
                self.number(&entry.value).map(|weight| (value, weight))
            })
            .collect()
    }
}
