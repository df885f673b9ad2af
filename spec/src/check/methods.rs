//! Resolves methods and functions.

use super::Checker;
use super::kind::{Kind, Value};
use super::site::{Seen, Site};
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::load::did_you_mean;
use crate::schema::TableKey;
use tracegauge_plan::evaluate::interval::Interval;

/// Methods that take arguments.
const METHODS: [&str; 9] = [
    "get",
    "find",
    "all",
    "min",
    "max",
    "at",
    "to_s",
    "substring",
    "contains_byte",
];

impl<'s> Checker<'s> {
    /// Infers the value of `base.name(arguments)`.
    pub(super) fn method(
        &mut self,
        base: &Expr,
        name: &str,
        arguments: &[Expr],
        expr: &Expr,
        site: &Site,
    ) -> Value {
        let value = self.infer(base, site);
        let value = self.plain(value);
        let absent = value.absent;
        let found = match (&value.kind, name, arguments) {
            (Kind::Unknown | Kind::Described | Kind::Nothing, ..) => {
                return Value::UNKNOWN;
            }
            (Kind::Table(table), "get", [key]) => self.row(table.index(), key, site),
            (Kind::List(item), "find" | "all", [field, wanted]) => {
                let item = (**item).clone();
                self.picked(item, field, wanted, name == "all", site)
            }
            (Kind::List(item), "min" | "max", [field]) => {
                let item = (**item).clone();
                Some(self.field_of(item, field).or_absent(true))
            }
            (Kind::List(item), "at", [index]) => {
                let item = (**item).clone();
                self.expect_int(index, site, "an index");
                Some(Value::of(item))
            }
            (kind, _, []) => {
                let kind = kind.clone();
                self.property(&kind, name)
            }
            (Kind::Bytes, "to_s", [encoding]) => {
                self.expect_text(encoding, site, "the name of an encoding");
                Some(Value::of(Kind::Text))
            }
            (Kind::Bytes | Kind::Text, "contains_byte", [byte]) => {
                self.expect_int(byte, site, "a byte");
                Some(Value::of(Kind::Bool))
            }
            (Kind::Text, "substring", [from, to]) => {
                self.expect_int(from, site, "a position");
                self.expect_int(to, site, "a position");
                Some(Value::of(Kind::Text))
            }
            (Kind::Text, "to_i", [radix]) | (Kind::Int(_), "to_s", [radix]) => {
                self.expect_int(radix, site, "a radix");
                let text = name == "to_s";
                Some(match text {
                    true => Value::of(Kind::Text),
                    false => Value::int(Interval::ANY),
                })
            }
            _ => None,
        };
        match found {
            Some(found) => found.or_absent(absent),
            None => {
                self.no_method(&value.kind, (base, name), arguments.len(), expr);
                Value::UNKNOWN
            }
        }
    }

    fn row(&mut self, table: usize, key: &Expr, site: &Site) -> Option<Value> {
        let described = self.schema.tables.get(table)?;
        let wanted = match &described.key {
            TableKey::Scalar(_) => "the key of a row",
            TableKey::Offset => "the key of a row, which is an offset",
        };
        self.expect_int(key, site, wanted);
        self.looked_up[table] = true;
        let kind = Kind::Row(crate::schema::TableId::from(table));
        Some(Value { kind, absent: true })
    }

    /// Infers the value of `list.find(field, value)` or `list.all(field, value)`.
    fn picked(
        &mut self,
        item: Kind,
        field: &Expr,
        wanted: &Expr,
        all: bool,
        site: &Site,
    ) -> Option<Value> {
        let found = self.field_of(item.clone(), field);
        let other = self.infer(wanted, site);
        self.comparable(&found, field, &other, wanted);
        Some(match all {
            true => Value::of(Kind::Picked(Box::new(item))),
            false => Value::of(item).or_absent(true),
        })
    }

    /// Infers the value of a field of a list's elements. The expression is the bare name of the
    /// field.
    fn field_of(&mut self, item: Kind, field: &Expr) -> Value {
        let ExprKind::Name(name) = &field.kind else {
            let message = "expected the name of a field of the list elements";
            self.error(Code::WrongOperand, field.span, message);
            return Value::UNKNOWN;
        };
        self.member(Value::of(item), name, Seen::All, field, field)
    }

    fn no_method(
        &mut self,
        kind: &Kind,
        (base, name): (&Expr, &str),
        arguments: usize,
        expr: &Expr,
    ) {
        if matches!(kind, Kind::Unknown) {
            return;
        }
        let what = self.describe(kind);
        let known = METHODS.contains(&name);
        let message = match known {
            true => format!(
                "{what} has no method `{name}` that takes this number of arguments ({arguments})"
            ),
            false => format!("{what} has no method `{name}`"),
        };
        let help = did_you_mean(name, METHODS).filter(|_| !known);
        let hidden = match &base.kind {
            ExprKind::Name(base) if name == "get" => self.names.table(base).map(|_| {
                format!(
                    "the field `{base}` hides the table of the same name; rename one \
                    of them"
                )
            }),
            _ => None,
        };
        let help = hidden.or(help);
        self.push(Diagnostic::error(Code::UnknownMethod, expr.span, message).maybe_help(help));
    }

    /// Infers the value of `name(arguments)`.
    pub(super) fn call(
        &mut self,
        name: &str,
        arguments: &[Expr],
        expr: &Expr,
        site: &Site,
    ) -> Value {
        if let ("min" | "max", [left, right]) = (name, arguments) {
            let first = self.infer(left, site);
            let second = self.infer(right, site);
            return self.extreme(name == "max", (left, first), (right, second));
        }
        for argument in arguments {
            self.infer(argument, site);
        }
        let message = format!("no function `{name}` takes {} arguments", arguments.len());
        let help = "the available functions are `min(a, b)` and `max(a, b)`";
        self.push(Diagnostic::error(Code::UnknownMethod, expr.span, message).help(help));
        Value::UNKNOWN
    }

    fn extreme(
        &mut self,
        greatest: bool,
        (left, first): (&Expr, Value),
        (right, second): (&Expr, Value),
    ) -> Value {
        let absent = first.absent && second.absent;
        let first = self.number(first, left);
        let second = self.number(second, right);
        let kind = match (first, second) {
            (Kind::Int(a), Kind::Int(b)) if greatest => Kind::Int(Interval::new(
                a.least.max(b.least),
                a.greatest.max(b.greatest),
            )),
            (Kind::Int(a), Kind::Int(b)) => Kind::Int(Interval::new(
                a.least.min(b.least),
                a.greatest.min(b.greatest),
            )),
            (Kind::Unknown, _) | (_, Kind::Unknown) => Kind::Unknown,
            _ => Kind::Float,
        };
        Value { kind, absent }
    }
}
