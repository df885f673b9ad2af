//! Resolves members: fields of structures, columns of rows, and properties that all values of a
//! kind have.

use super::Checker;
use super::kind::{Kind, Value};
use super::site::Seen;
use super::uses::{Parent, UseId};
use super::widths::of_scalar;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, MEMBERS_OF_VALUES};
use crate::load::did_you_mean;
use crate::schema::{FlagsId, Meaning, TableId};
use tracegauge_plan::evaluate::interval::Interval;

impl<'s> Checker<'s> {
    /// Infers the value of `value.name`.
    pub(super) fn member(
        &mut self,
        value: Value,
        name: &str,
        seen: Seen,
        expr: &Expr,
        base: &Expr,
    ) -> Value {
        if matches!(name, "_sizeof" | "_start" | "_end") {
            return Value::int(Interval::COUNT);
        }
        let absent = value.absent;
        let found = self.quietly(|checker| checker.find(&value.kind, name, seen, expr));
        let Some(found) = found else {
            self.no_member(&value.kind, name, expr, base);
            return Value::UNKNOWN;
        };
        // Search again and report errors, now that the member is known to exist.
        self.find(&value.kind, name, seen, expr);
        found.or_absent(absent)
    }

    fn find(&mut self, kind: &Kind, name: &str, seen: Seen, expr: &Expr) -> Option<Value> {
        match kind {
            Kind::Unknown | Kind::Nothing => Some(Value::UNKNOWN),
            // The names of fields described by the trace are not known in advance.
            Kind::Described => (!name.starts_with('_')).then_some(Value::UNKNOWN),
            Kind::Structure(used) => self.in_structure(*used, name, seen, expr),
            Kind::Union(arms) => self.in_arms(arms, name, seen, expr),
            Kind::Row(table) => self.in_row(*table, name, expr),
            Kind::Picked(_) if matches!(name, "size" | "length") => {
                Some(Value::int(Interval::COUNT))
            }
            Kind::Picked(item) => {
                let found = self.find(item, name, seen, expr)?;
                Some(Value::of(Kind::List(Box::new(found.kind))))
            }
            Kind::State => self.register(name),
            Kind::Stream => match name {
                "pos" | "size" => Some(Value::int(Interval::COUNT)),
                "eof" => Some(Value::of(Kind::Bool)),
                _ => None,
            },
            Kind::Flags(id, _) if self.has_flag(*id, name) => Some(Value::of(Kind::Bool)),
            _ => self.property(kind, name),
        }
    }

    fn in_structure(&mut self, used: UseId, name: &str, seen: Seen, expr: &Expr) -> Option<Value> {
        match name {
            "_parent" => {
                return Some(match self.uses.get(used).parent {
                    Parent::Known(parent) => Value::of(Kind::Structure(parent)),
                    Parent::Unknown => Value::UNKNOWN,
                    Parent::None => return None,
                });
            }
            "_root" => return Some(Value::of(Kind::Structure(self.root))),
            "_io" => return Some(Value::of(Kind::Stream)),
            _ => {}
        }
        if let Some(found) = self.own(used, name, expr, seen) {
            return Some(found);
        }
        let described = self.type_of(used);
        if name == "is_date" && matches!(described.meaning, Some(Meaning::DateTime)) {
            return Some(Value::of(Kind::Bool));
        }
        described.shows.as_ref()?;
        if self.depth > 16 {
            return None;
        }
        self.depth += 1;
        let shown = self.shown(used);
        let found = self.find(&shown.kind, name, Seen::All, expr);
        self.depth -= 1;
        found.map(|value| value.or_absent(shown.absent))
    }

    /// Returns the value of a field that exists in at least one case of a switch.
    fn in_arms(&mut self, arms: &[Kind], name: &str, seen: Seen, expr: &Expr) -> Option<Value> {
        let mut found: Option<Value> = None;
        let mut missing = false;
        for arm in arms {
            let Some(value) = self.quietly(|checker| checker.find(arm, name, seen, expr)) else {
                missing = true;
                continue;
            };
            found = Some(match found {
                None => value,
                Some(first) => Value {
                    absent: first.absent || value.absent,
                    kind: union(first.kind, value.kind),
                },
            });
        }
        found.map(|value| value.or_absent(missing))
    }

    fn in_row(&mut self, table: TableId, name: &str, expr: &Expr) -> Option<Value> {
        let Some(described) = self.schema.tables.get(table.index()) else {
            return Some(Value::UNKNOWN);
        };
        if let Some(column) = described.columns.iter().find(|c| c.name == name) {
            let range = of_scalar(&column.scalar);
            let kind = range.map_or(Kind::Float, Kind::Int);
            return Some(Value { kind, absent: true });
        }
        let Some(row) = self.lone_use(described.row) else {
            return Some(Value::UNKNOWN);
        };
        let found = self.in_structure(row, name, Seen::All, expr)?;
        Some(found.or_absent(true))
    }

    fn has_flag(&self, id: FlagsId, name: &str) -> bool {
        let set = self.schema.flags.get(id.index());
        set.is_none_or(|set| set.bits.iter().any(|bit| bit.name == name))
    }

    /// Returns a property that every value of a kind has, regardless of the description.
    pub(super) fn property(&mut self, kind: &Kind, name: &str) -> Option<Value> {
        let count = || Some(Value::int(Interval::COUNT));
        let truth = || Some(Value::of(Kind::Bool));
        match (kind, name) {
            (Kind::List(_) | Kind::Picked(_), "size" | "length") => count(),
            (Kind::List(item), "first" | "last" | "min" | "max") => {
                Some(Value::of((**item).clone()).or_absent(true))
            }
            (Kind::Bytes, "length" | "size") => count(),
            (Kind::Bytes, "first" | "last" | "min" | "max") => {
                Some(Value::int(Interval::unsigned(8)))
            }
            (Kind::Text | Kind::Signature(_), "length" | "units16") => count(),
            (Kind::Text | Kind::Signature(_), "is_decimal") => truth(),
            (Kind::Text, "reverse") => Some(Value::of(Kind::Text)),
            (Kind::Text | Kind::Float, "to_i") => Some(Value::int(Interval::ANY)),
            (Kind::Signature(_), "size") => count(),
            (Kind::Bool, "to_i") => Some(Value::int(Interval::new(0, 1))),
            (Kind::Enum(_, range) | Kind::Int(range) | Kind::Flags(_, range), "to_i") => {
                Some(Value::int(*range))
            }
            (Kind::Int(_) | Kind::Flags(..) | Kind::Float | Kind::Enum(..), "to_s") => {
                Some(Value::of(Kind::Text))
            }
            _ => None,
        }
    }

    fn no_member(&mut self, kind: &Kind, name: &str, expr: &Expr, base: &Expr) {
        if self.quiet > 0 {
            return;
        }
        let known = self.members_known(kind);
        let help = did_you_mean(name, known.iter().map(String::as_str))
            .or_else(|| self.advice(kind, name, base));
        let message = match kind {
            Kind::Union(_) => format!("no case of `{base}` has a field `{name}`"),
            Kind::State => format!("unknown register `{name}`"),
            _ => format!("{} has no `{name}`", self.describe(kind)),
        };
        let mut diagnostic =
            Diagnostic::error(Code::UnknownName, expr.span, message).maybe_help(help);
        if let Kind::Structure(used) = kind {
            diagnostic = diagnostic.also(self.type_of(*used).span, "the type is defined here");
        }
        self.push(diagnostic);
    }

    fn members_known(&mut self, kind: &Kind) -> Vec<String> {
        match kind {
            Kind::Structure(used) => {
                let mut known = self.known_names(*used);
                let shown = self.shown(*used).kind;
                if let Kind::Structure(inner) = shown {
                    known.extend(self.known_names(inner));
                }
                known
            }
            Kind::Union(arms) => {
                let arms = arms.clone();
                arms.iter()
                    .flat_map(|arm| self.members_known(arm))
                    .collect()
            }
            Kind::Row(table) => {
                let Some(table) = self.schema.tables.get(table.index()) else {
                    return Vec::new();
                };
                let row = self.lone_use(table.row);
                let mut known = row.map(|row| self.known_names(row)).unwrap_or_default();
                known.extend(table.columns.iter().map(|column| column.name.clone()));
                known
            }
            Kind::State => {
                let registers = self.schema.registers.iter();
                registers.map(|register| register.name.clone()).collect()
            }
            Kind::Flags(id, _) => {
                let set = self.schema.flags.get(id.index());
                let bits = set.map(|set| set.bits.as_slice()).unwrap_or_default();
                bits.iter().map(|bit| bit.name.clone()).collect()
            }
            Kind::Stream => ["pos", "size", "eof"].map(str::to_owned).to_vec(),
            _ => MEMBERS_OF_VALUES.map(str::to_owned).to_vec(),
        }
    }

    fn advice(&mut self, kind: &Kind, name: &str, base: &Expr) -> Option<String> {
        match kind {
            Kind::List(_) => Some(format!(
                "this is a list: select one element with `{base}.find(field, value)`, or all \
                 matching elements with `{base}.all(field, value).{name}`"
            )),
            Kind::Table(_) => Some(format!("look up a row first: `{base}.get(key).{name}`")),
            _ => None,
        }
    }
}

/// Returns a kind that covers both cases of a switch.
fn union(first: Kind, second: Kind) -> Kind {
    let both = vec![first.clone(), second.clone()];
    first.join(second).unwrap_or(Kind::Union(both))
}
