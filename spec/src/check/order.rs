//! Checks that values are read before they are needed.

use hashbrown::HashSet;

use super::Checker;
use super::site::Seen;
use super::uses::UseId;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::schema::{Position, Type, TypeBody};
use tracegauge_plan::source::SourceSpan;

/// The maximum number of instances to follow in a chain of dependencies.
const MOST_FOLLOWED: usize = 64;

impl<'s> Checker<'s> {
    /// Reports an error for a field that has not been read yet.
    pub(super) fn readable(&mut self, used: UseId, at: usize, expr: &Expr, seen: Seen) {
        if seen.has(at) || self.quiet > 0 {
            return;
        }
        let described = self.type_of(used);
        let span = field_span(described, at);
        if seen == Seen::Before(at) {
            let message = format!("`{expr}` is the field that is being read");
            let help = "use `_` for a field in its own constraints";
            let diagnostic = Diagnostic::error(Code::ReadLater, expr.span, message).help(help);
            self.push(diagnostic);
            return;
        }
        let message = format!("`{expr}` is used here before it is read");
        let mut diagnostic = Diagnostic::error(Code::ReadLater, expr.span, message).help(
            "only `value` and keys evaluated after the whole `seq` can refer to later fields",
        );
        if let Some(span) = span {
            diagnostic = diagnostic.also(span, "it is read here");
        }
        self.push(diagnostic);
    }

    /// Reports an error for an instance whose value is computed from a field that has not been read
    /// yet.
    pub(super) fn computable(&mut self, used: UseId, at: usize, expr: &Expr, seen: Seen) {
        if self.quiet > 0 || seen.has(usize::MAX) {
            return;
        }
        let Some(latest) = self.latest(used, at).filter(|latest| !seen.has(*latest)) else {
            return;
        };
        let described = self.type_of(used);
        let message = format!("`{expr}` is computed from a field that is read later");
        let mut diagnostic = Diagnostic::error(Code::ReadLater, expr.span, message);
        if let Some(span) = field_span(described, latest) {
            diagnostic = diagnostic.also(span, "the value is computed from this field");
        }
        self.push(diagnostic);
    }

    /// Returns the last field that a computed instance depends on, directly or through other
    /// instances.
    fn latest(&mut self, used: UseId, at: usize) -> Option<usize> {
        let described = self.type_of(used);
        let index = self.index(self.uses.get(used).type_id);
        let (mut latest, mut seen, mut left) = (None, HashSet::<usize>::from([at]), vec![at]);
        while let Some(at) = left.pop() {
            let Position::Computed { value, .. } = &described.instances[at].position else {
                continue;
            };
            super::visit::parts(value, &mut |part| {
                let ExprKind::Name(name) = &part.kind else {
                    return;
                };
                latest = latest.max(index.fields.get(name.as_str()).copied());
                if let Some(next) = index.instance(name)
                    && seen.len() < MOST_FOLLOWED
                    && seen.insert(next)
                {
                    left.push(next);
                }
            });
        }
        latest
    }
}

fn field_span(described: &Type, at: usize) -> Option<SourceSpan> {
    match &described.body {
        TypeBody::Structure(fields) => fields.get(at).map(|field| field.span),
        TypeBody::Alias(_) => None,
    }
}
