//! Checks that expressions have the expected kind and that values can be compared.

use super::Checker;
use super::kind::{Kind, Value};
use super::site::{Seen, Site};
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expr;
use tracegauge_plan::evaluate::interval::Interval;

impl<'s> Checker<'s> {
    /// Checks that a condition is a Boolean. Messages refer to the condition as `what`.
    pub(super) fn expect_bool(&mut self, expr: &Expr, site: &Site, what: &str) {
        let value = self.infer(expr, site);
        self.truth(value, expr, what);
    }

    /// Reports an error if a value is not a Boolean.
    pub(super) fn truth(&mut self, value: Value, expr: &Expr, what: &str) {
        let kind = self.plain(value).kind;
        let fits = match &kind {
            Kind::Bool | Kind::Unknown | Kind::Described | Kind::Nothing => true,
            Kind::Union(arms) => arms.iter().any(|k| matches!(k, Kind::Bool | Kind::Unknown)),
            _ => false,
        };
        if fits {
            return;
        }
        let found = self.describe(&kind);
        let message = format!("{what} must be a boolean, found {found}");
        let help = match kind {
            Kind::Int(_) => Some(format!("compare the number with 0: `{expr} != 0`")),
            Kind::Row(_) | Kind::Structure(_) => Some(format!(
                "test whether the value is present: `{expr} is present`"
            )),
            _ => None,
        };
        self.push(Diagnostic::error(Code::WrongOperand, expr.span, message).maybe_help(help));
    }

    /// Checks that an expression is an integer, and returns its range.
    pub(super) fn expect_int(&mut self, expr: &Expr, site: &Site, what: &str) -> Option<Interval> {
        let value = self.infer(expr, site);
        let kind = self.plain(value).kind;
        match &kind {
            Kind::Int(range) | Kind::Flags(_, range) => return Some(*range),
            Kind::Unknown | Kind::Described | Kind::Nothing => return None,
            Kind::Union(arms) => {
                let ranges = arms.iter().filter_map(Kind::range);
                if let Some(range) = ranges.reduce(Interval::join) {
                    return Some(range);
                }
            }
            _ => {}
        }
        let found = self.describe(&kind);
        let message = format!("{what} must be an integer, found {found}");
        let help = match kind {
            Kind::Enum(..) | Kind::Bool => Some(format!("use `{expr}.to_i` to get a number")),
            _ => None,
        };
        self.push(Diagnostic::error(Code::WrongOperand, expr.span, message).maybe_help(help));
        None
    }

    /// Checks that an expression is a string.
    pub(super) fn expect_text(&mut self, expr: &Expr, site: &Site, what: &str) {
        let value = self.infer(expr, site);
        let kind = self.plain(value).kind;
        if !matches!(
            kind,
            Kind::Text | Kind::Unknown | Kind::Described | Kind::Nothing
        ) {
            let found = self.describe(&kind);
            let message = format!("{what} must be a string, found {found}");
            self.error(Code::WrongOperand, expr.span, message);
        }
    }

    /// Reports an error if two values can never be equal.
    pub(super) fn comparable(&mut self, left: &Value, first: &Expr, right: &Value, second: &Expr) {
        let a = self.plain(left.clone()).kind;
        let b = self.plain(right.clone()).kind;
        if fits(&a, &b) {
            return;
        }
        let (found, other) = (self.describe(&a), self.describe(&b));
        let message = format!("{found} is never equal to {other}");
        let help = match (&a, &b) {
            (Kind::Enum(..), Kind::Int(_)) => Some(format!(
                "compare the value with a member of the enumeration, or compare its number: \
                 `{first}.to_i`"
            )),
            (Kind::Int(_), Kind::Enum(..)) => Some(format!(
                "compare the value with a member of the enumeration, or compare its number: \
                 `{second}.to_i`"
            )),
            (Kind::Bool, Kind::Int(_)) => Some("a boolean is `true` or `false`".to_owned()),
            (Kind::State, _) | (_, Kind::State) => Some(
                "in expressions, `state` means the registers; rename a field with this name"
                    .to_owned(),
            ),
            (Kind::Guid, Kind::Text) | (Kind::Text, Kind::Guid) => Some(
                "compare a GUID with its 16 bytes as they are stored: `[0x33, 0x22, …]`".to_owned(),
            ),
            _ => None,
        };
        let span = second.span;
        let mut diagnostic = Diagnostic::error(Code::WrongOperand, span, message).maybe_help(help);
        if first.span != span {
            diagnostic = diagnostic.also(first.span, format!("this is {found}"));
        }
        self.push(diagnostic.label(format!("this is {other}")));
    }

    /// Returns the value that operators use for an operand. For a structure with `shows`, this is
    /// the value of that expression.
    pub(super) fn plain(&mut self, value: Value) -> Value {
        let mut value = value;
        for _ in 0..16 {
            let Kind::Structure(used) = value.kind else {
                break;
            };
            if self.type_of(used).shows.is_none() {
                break;
            }
            let shown = self.shown(used);
            value = Value {
                kind: shown.kind,
                absent: value.absent || shown.absent,
            };
        }
        value
    }

    /// Returns the value of the `shows` expression of a structure.
    pub(super) fn shown(&mut self, used: super::uses::UseId) -> Value {
        if let Some(known) = self.shown.get(&used) {
            return known.clone();
        }
        let described = self.type_of(used);
        let Some(shows) = &described.shows else {
            return Value::of(Kind::Structure(used));
        };
        if self.depth > 30 {
            return Value::UNKNOWN;
        }
        // If the expression refers to itself, its value is unknown.
        self.shown.insert(used, Value::UNKNOWN);
        self.depth += 1;
        let site = Site::new(used, Seen::All);
        let found = self.quietly(|checker| checker.infer(shows, &site));
        self.depth -= 1;
        let found = found.or_absent(described.none.is_some());
        self.shown.insert(used, found.clone());
        found
    }
}

/// Returns `true` if a value of kind `a` can equal a value of kind `b`.
pub(super) fn fits(a: &Kind, b: &Kind) -> bool {
    use Kind as K;
    match (a, b) {
        (K::Unknown | K::Described | K::Nothing, _)
        | (_, K::Unknown | K::Described | K::Nothing) => true,
        (K::Union(arms), other) | (other, K::Union(arms)) => {
            arms.iter().any(|arm| fits(arm, other))
        }
        (K::Structure(_) | K::Row(_), K::Structure(_)) | (K::Structure(_), K::Row(_)) => true,
        (K::Enum(a, _), K::Enum(b, _)) => a == b,
        (K::Int(_) | K::Flags(..) | K::Float, K::Int(_) | K::Flags(..) | K::Float) => true,
        (K::Bytes | K::Guid, K::List(item)) | (K::List(item), K::Bytes | K::Guid) => {
            matches!(**item, K::Int(_) | K::Unknown | K::Nothing)
        }
        (K::List(a), K::List(b)) => fits(a, b),
        (K::Text | K::Signature(_), K::Text | K::Signature(_)) => true,
        (K::Guid, K::Bytes) | (K::Bytes, K::Guid) => true,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}
