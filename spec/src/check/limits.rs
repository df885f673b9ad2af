//! Checks limits: their values, and the elements that they apply to.

use super::Checker;
use super::site::{Seen, Site};
use super::uses::UseId;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::schema::{LimitKind, LimitSubject, TypeId};

impl<'s> Checker<'s> {
    pub(super) fn limits(&mut self) {
        let schema = self.schema;
        for limit in &schema.limits {
            if let LimitSubject::Path(path) = &limit.of {
                self.limited(path);
            }
            if self.described && limit.rule.is_none() {
                self.missing_rule(limit.span, "this limit");
            }
            if let (Some(promised), Some(enforced)) = (limit.promised, limit.enforced)
                && promised > enforced
            {
                let message =
                    format!("`promised` is {promised}, but `enforced` is only {enforced}");
                let diagnostic = Diagnostic::error(Code::BadValue, limit.span, message)
                    .help("`enforced` must be at least as large as `promised`");
                self.push(diagnostic);
            }
            if limit.kind != LimitKind::Depth && limit.enforced.is_some() {
                let message = "`enforced` applies only to `depth` limits";
                let diagnostic = Diagnostic::error(Code::BadValue, limit.span, message).help(
                    "use `{ promised: … }` for the size that readers must support; to make readers \
                     reject larger sizes, add `valid: { max: … }` to the field",
                );
                self.push(diagnostic);
            }
            let LimitSubject::Type(id) = &limit.of else {
                continue;
            };
            let circular = id.index() < schema.types.len() && self.graph.is_circular(id.index());
            if limit.kind == LimitKind::Depth && !circular && self.sound {
                let name = schema.types.get(id.index()).map(|t| t.name.as_str());
                let name = name.unwrap_or_default();
                let message =
                    format!("`{name}` does not contain itself, so it has no nesting depth");
                self.push(Diagnostic::warning(Code::BadValue, limit.span, message));
            }
        }
    }

    /// Checks the element that a limit applies to, which is given as `type.field` or as the path of
    /// a field from the root.
    fn limited(&mut self, path: &Expr) {
        let mut names = Vec::new();
        let mut at = path;
        while let ExprKind::Member { base, name } = &at.kind {
            names.push(name.clone());
            at = base;
        }
        let ExprKind::Name(first) = &at.kind else {
            self.infer(path, &Site::new(self.root, Seen::Free));
            return;
        };
        names.reverse();
        match self.names.find_type(first, TypeId(0)) {
            Some(id) => {
                if let Some(used) = self.lone_use(id) {
                    self.path_in(&names, used, path);
                }
            }
            None => {
                self.infer(path, &Site::new(self.root, Seen::Free));
            }
        }
    }

    fn path_in(&mut self, names: &[String], used: UseId, path: &Expr) {
        let inside = super::effects::path(&names.join("."), path.span);
        self.infer(&inside, &Site::new(used, Seen::Free));
    }
}
