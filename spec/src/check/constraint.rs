//! Checks constraints, values that a writer computes, and rules that an element exercises.

use super::Checker;
use super::kind::{Kind, Value};
use super::site::{Seen, Site};
use super::visit;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::schema::{
    Constraint, ConstraintKind, Elements, Field, FieldRole, FieldSource, Obedience, Size, Type,
    TypeBody,
};
use tracegauge_plan::source::SourceSpan;

impl<'s> Checker<'s> {
    /// Checks constraints on the value of `_` at `site`.
    pub(super) fn constraints(&mut self, all: &'s [Constraint], site: &Site, what: &str) {
        for constraint in all {
            self.condition(constraint.condition.as_ref(), site);
            if self.described && constraint.rule.is_none() {
                self.missing_rule(constraint.span, what);
            }
            let this = site.this.clone().unwrap_or(Value::UNKNOWN);
            match &constraint.kind {
                ConstraintKind::Equal(expr) => self.equal_to(&this, expr, site),
                ConstraintKind::Min(expr) | ConstraintKind::Max(expr) => {
                    self.bounded_by(&this, expr, site);
                }
                ConstraintKind::AnyOf(values) => {
                    values
                        .iter()
                        .for_each(|value| self.equal_to(&this, value, site));
                }
                ConstraintKind::InEnum => self.in_enum(&this, constraint.span),
                ConstraintKind::Predicate(test) => {
                    self.expect_bool(test, site, "a constraint");
                    self.solvable(test, site);
                }
            }
        }
    }

    /// Checks that at least one value of a field satisfies all constraints that readers must
    /// enforce.
    pub(super) fn satisfiable(&mut self, all: &'s [Constraint], site: &Site) {
        let Some(Kind::Int(range)) = site.this.as_ref().map(|this| &this.kind) else {
            return;
        };
        let mut left = *range;
        for constraint in all {
            let Some(bound) = self.demanded(constraint) else {
                continue;
            };
            let Some(met) = left.meet(bound) else {
                let message = "this constraint can never hold, given the field's type and the constraints \
                     before it";
                self.error(Code::NoValue, constraint.span, message);
                return;
            };
            left = met;
        }
    }

    fn equal_to(&mut self, this: &Value, expr: &Expr, site: &Site) {
        let value = self.infer(expr, site);
        self.comparable(this, expr, &value, expr);
    }

    fn bounded_by(&mut self, this: &Value, expr: &Expr, site: &Site) {
        let value = self.infer(expr, site);
        let (a, b) = (self.plain(this.clone()).kind, self.plain(value).kind);
        let ordered = |kind: &Kind| {
            matches!(
                kind,
                Kind::Int(_)
                    | Kind::Flags(..)
                    | Kind::Float
                    | Kind::Text
                    | Kind::Bytes
                    | Kind::Unknown
                    | Kind::Described
                    | Kind::Nothing
                    | Kind::Union(_)
            )
        };
        let wrong = [&a, &b].into_iter().find(|kind| !ordered(kind));
        if let Some(wrong) = wrong {
            let found = self.describe(wrong);
            let message = format!("{found} cannot be compared with `min` and `max`");
            self.error(Code::WrongOperand, expr.span, message);
        } else if !super::expect::fits(&a, &b) {
            let (a, b) = (self.describe(&a), self.describe(&b));
            let message = format!("{a} cannot be compared with {b}");
            self.error(Code::WrongOperand, expr.span, message);
        }
    }

    fn in_enum(&mut self, this: &Value, span: SourceSpan) {
        if matches!(this.kind, Kind::Enum(..) | Kind::Unknown) {
            return;
        }
        let message = "`in-enum` requires a field with `enum`";
        self.error(Code::WrongOperand, span, message);
    }

    /// Warns about a requirement that names no rule.
    pub(super) fn missing_rule(&mut self, span: SourceSpan, what: &str) {
        let message = format!("no rule is given for {what}");
        let help = "name the rule as `rule: …` or, in a shared part, as `fault: …`";
        self.push(Diagnostic::warning(Code::MissingRule, span, message).help(help));
    }

    /// Checks the conditions under which an element exercises a rule.
    pub(super) fn obeys(&mut self, obeys: &'s [Obedience], site: &Site) {
        for obedience in obeys {
            if let Some(when) = &obedience.when {
                self.expect_bool(when, site, "the condition of `obeys`");
            }
        }
    }

    /// Checks the `value` key of a field, which specifies the value that a writer computes. The
    /// expression may depend on anything in the trace.
    pub(super) fn value_of_field(&mut self, source: &'s FieldSource, site: &Site, wire: &Value) {
        let Some(computed) = &source.value else {
            return;
        };
        let free = Site::new(site.used, Seen::Free).with(wire.clone());
        self.condition(computed.condition.as_ref(), &free);
        let ConstraintKind::Equal(expr) = &computed.kind else {
            return;
        };
        let value = self.infer(expr, &free);
        self.comparable(wire, expr, &value, expr);
        if self.described && computed.rule.is_none() && !self.governs(source, expr, site) {
            let message = "no rule requires this computed value, but readers must check it";
            let help = "name the rule that a different value violates, or use the field as the \
                `size` or `repeat-expr` of the data that it measures";
            let diagnostic = Diagnostic::warning(Code::MissingRule, computed.span, message);
            self.push(diagnostic.help(help));
        }
    }

    /// Returns `true` if the value determines the size or the count of every field that its
    /// expression measures. A value that determines the sizes it measures is always correct,
    /// because a different value only changes these sizes.
    fn governs(&mut self, source: &FieldSource, expr: &Expr, site: &Site) -> bool {
        let described = self.type_of(site.used);
        let Some(own) = id_of(described, source) else {
            return false;
        };
        let measured = measured(expr);
        !measured.is_empty()
            && measured
                .iter()
                .all(|name| extent_names(described, name, own))
    }
}

/// Returns the id of the field whose properties are `source`.
fn id_of<'s>(described: &'s Type, source: &FieldSource) -> Option<&'s str> {
    let TypeBody::Structure(fields) = &described.body else {
        return None;
    };
    let same = |field: &&Field| match &field.role {
        FieldRole::Wire(own) => std::ptr::eq(&**own, source),
        _ => false,
    };
    fields.iter().find(same)?.id.as_deref()
}

/// Returns the fields whose size or count is used in an expression.
fn measured(expr: &Expr) -> Vec<&str> {
    let mut found = Vec::new();
    visit::parts(expr, &mut |part| {
        if let ExprKind::Member { base, name } = &part.kind
            && let ExprKind::Name(field) = &base.kind
            && matches!(name.as_str(), "_sizeof" | "size" | "length")
        {
            found.push(field.as_str());
        }
    });
    found
}

/// Returns `true` if the size or the count of the field `name` is an expression that uses the field
/// `own`.
fn extent_names(described: &Type, name: &str, own: &str) -> bool {
    let TypeBody::Structure(fields) = &described.body else {
        return false;
    };
    let named = fields
        .iter()
        .filter(|field| field.id.as_deref() == Some(name));
    let mut sources = named.filter_map(|field| match &field.role {
        FieldRole::Wire(source) => Some(source),
        _ => None,
    });
    sources.any(|source| {
        let size = match &source.size {
            Size::Bytes(size) => Some(size),
            _ => None,
        };
        let count = match source.repeat.as_ref().map(|repeat| &repeat.elements) {
            Some(Elements::Count(count)) => Some(count),
            _ => None,
        };
        size.into_iter()
            .chain(count)
            .any(|expr| mentions(expr, own))
    })
}

/// Returns `true` if the expression refers to `name`.
pub(super) fn mentions(expr: &Expr, name: &str) -> bool {
    let mut found = false;
    visit::parts(expr, &mut |part| {
        found |= matches!(&part.kind, ExprKind::Name(known) if known == name);
    });
    found
}
