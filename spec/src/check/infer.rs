//! Infers the possible values of expressions.

use super::Checker;
use super::kind::{Kind, Value};
use super::operate;
use super::site::{Seen, Site};
use super::uses::{Parent, UseId};
use super::visit::parts;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{BinaryOperator, Expr, ExprKind};
use crate::load::did_you_mean;
use crate::schema::{Position, SetTarget, TypeId};
use tracegauge_plan::evaluate::interval::Interval;

/// Returns whether an expression is the registers of the description.
fn is_state(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if name == "state")
}

/// Returns the kind of a predefined type. A type of the description with the same name takes
/// precedence.
fn plain_kind(name: &str) -> Option<Kind> {
    match name {
        "bytes" => Some(Kind::Bytes),
        "str" | "strz" => Some(Kind::Text),
        "bool" => Some(Kind::Bool),
        _ => None,
    }
}

/// The maximum length of a chain of instances, each of which only renames another value.
const MOST_NAMES: usize = 16;

impl<'s> Checker<'s> {
    /// Infers the value of an expression and reports all errors in it.
    pub(super) fn infer(&mut self, expr: &Expr, site: &Site) -> Value {
        self.work += 1;
        if self.exhausted() {
            return Value::UNKNOWN;
        }
        match &expr.kind {
            ExprKind::Int(value) => Value::int(Interval::only(*value)),
            ExprKind::Float(_) => Value::of(Kind::Float),
            ExprKind::Bool(_) => Value::of(Kind::Bool),
            ExprKind::Text(_) => Value::of(Kind::Text),
            ExprKind::Absent => Value {
                kind: Kind::Nothing,
                absent: true,
            },
            ExprKind::List(items) => self.list(items, site),
            ExprKind::Name(name) => self.name(name, expr, site),
            ExprKind::This => self.this(expr, site),
            ExprKind::EnumMember { path, member } => self.enum_member(path, member, expr, site),
            ExprKind::Member { base, name } => self.member_of(base, name, expr, site),
            ExprKind::Method {
                base,
                name,
                arguments,
            } => self.method(base, name, arguments, expr, site),
            ExprKind::Call { name, arguments } => self.call(name, arguments, expr, site),
            ExprKind::Index { base, index } => self.element_at(base, index, expr, site),
            ExprKind::Cast { base, type_name } => self.cast(base, type_name, expr, site),
            ExprKind::SizeOfType(name) => {
                self.type_called(name, expr, site);
                Value::int(Interval::COUNT)
            }
            _ => self.operation(expr, site),
        }
    }

    fn operation(&mut self, expr: &Expr, site: &Site) -> Value {
        match &expr.kind {
            ExprKind::Unary { operator, operand } => {
                let value = self.infer(operand, site);
                self.unary(*operator, value, operand)
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let first = self.infer(left, site);
                // The right operand matters only if the left one is true or, of `or`, false.
                let known = match operator {
                    BinaryOperator::And => (Some(&**left), true),
                    BinaryOperator::Or => (Some(&**left), false),
                    _ => (None, true),
                };
                let second = self.knowing(site.used, known, |checker| checker.infer(right, site));
                let operands = operate::Operands {
                    left: (left, first),
                    right: (right, second),
                    is_nonzero: self.is_nonzero(site.used, right),
                };
                self.binary(*operator, operands, expr)
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                self.expect_bool(condition, site, "the condition before `?`");
                let condition = Some(&**condition);
                let first = self.knowing(site.used, (condition, true), |checker| {
                    checker.infer(then, site)
                });
                let second = self.knowing(site.used, (condition, false), |checker| {
                    checker.infer(otherwise, site)
                });
                self.either(first, second, expr)
            }
            ExprKind::Else { first, second } => {
                let first = self.infer(first, site);
                let second = self.infer(second, site);
                let absent = second.absent;
                let joined = self.either(first, second, expr);
                Value { absent, ..joined }
            }
            ExprKind::IsPresent(inner) => {
                self.infer(inner, site);
                Value::of(Kind::Bool)
            }
            _ => Value::UNKNOWN,
        }
    }

    /// Returns the value of an expression that yields one of two values. The two values must have
    /// the same kind.
    fn either(&mut self, first: Value, second: Value, expr: &Expr) -> Value {
        let absent = first.absent || second.absent;
        let (left, right) = (self.plain(first).kind, self.plain(second).kind);
        let (a, b) = (self.describe(&left), self.describe(&right));
        let kind = left.join(right).unwrap_or_else(|| {
            let message = format!("the branches have different types: {a} and {b}");
            let help = "both branches must have the same type";
            self.push(Diagnostic::error(Code::WrongOperand, expr.span, message).help(help));
            Kind::Unknown
        });
        Value { kind, absent }
    }

    fn list(&mut self, items: &[Expr], site: &Site) -> Value {
        let mut kind = Kind::Nothing;
        for item in items {
            let value = self.infer(item, site);
            let plain = self.plain(value).kind;
            kind = kind.join(plain).unwrap_or(Kind::Unknown);
        }
        Value::of(Kind::List(Box::new(kind)))
    }

    fn enum_member(&mut self, path: &[String], member: &str, expr: &Expr, site: &Site) -> Value {
        let scope = self.uses.get(site.used).type_id;
        let written = path.join("::");
        let Some(id) = self.names.find_enum(&written, scope) else {
            self.unknown_enum(&written, expr, scope);
            return Value::UNKNOWN;
        };
        let Some(described) = self.schema.enums.get(id.index()) else {
            return Value::UNKNOWN;
        };
        if let Some(found) = described.members.iter().find(|m| m.name == member) {
            return Value::of(Kind::Enum(id, Interval::only(found.value)));
        }
        let known = described.members.iter().map(|m| m.name.as_str());
        let message = format!("`{}` has no member `{member}`", described.name);
        let help = did_you_mean(member, known);
        self.push(
            Diagnostic::error(Code::UnknownMember, expr.span, message)
                .also(described.span, "the enumeration is defined here")
                .maybe_help(help),
        );
        Value::UNKNOWN
    }

    fn unknown_enum(&mut self, written: &str, expr: &Expr, scope: TypeId) {
        if !self.sound && self.names.incomplete() {
            return;
        }
        let known = self.names.visible_enums(scope);
        let help = did_you_mean(written, known.iter().map(String::as_str));
        let message = format!("unknown enumeration `{written}`");
        self.push(Diagnostic::error(Code::UnknownEnum, expr.span, message).maybe_help(help));
    }

    fn type_called(&mut self, name: &str, expr: &Expr, site: &Site) -> Option<TypeId> {
        let scope = self.uses.get(site.used).type_id;
        let found = self.names.find_type(name, scope);
        if found.is_none() && !crate::load::is_scalar(name) && !self.names.incomplete() {
            let message = format!("unknown type `{name}`");
            self.error(Code::UnknownType, expr.span, message);
        }
        found
    }

    fn cast(&mut self, base: &Expr, type_name: &str, expr: &Expr, site: &Site) -> Value {
        let value = self.infer(base, site);
        let scope = self.uses.get(site.used).type_id;
        if self.names.find_type(type_name, scope).is_none()
            && let Some(kind) = plain_kind(type_name)
        {
            return Value::of(kind);
        }
        let Some(id) = self.type_called(type_name, expr, site) else {
            return Value::UNKNOWN;
        };
        // If the type is one of the cases of a switch, the context of its use is known.
        let kind = match value.kind {
            Kind::Union(arms) => {
                let mut arms = arms.into_iter();
                arms.find(|arm| match arm {
                    Kind::Structure(used) => self.uses.get(*used).type_id == id,
                    _ => false,
                })
            }
            Kind::Structure(used) if self.uses.get(used).type_id == id => Some(value.kind),
            _ => None,
        };
        let kind = kind.or_else(|| self.lone_use(id).map(Kind::Structure));
        Value {
            kind: kind.unwrap_or(Kind::Unknown),
            absent: value.absent,
        }
    }

    fn element_at(&mut self, base: &Expr, index: &Expr, expr: &Expr, site: &Site) -> Value {
        self.expect_int(index, site, "an index");
        let value = self.infer(base, site);
        let value = self.plain(value);
        match value.kind {
            Kind::List(item) => Value::of(*item),
            Kind::Bytes => Value::int(Interval::unsigned(8)),
            Kind::Unknown | Kind::Described => Value::UNKNOWN,
            Kind::Table(_) => {
                let message = "look up rows with `get`";
                let help = format!("`{base}.get({index})`");
                let diagnostic = Diagnostic::error(Code::WrongOperand, expr.span, message);
                self.push(diagnostic.help(help));
                Value::UNKNOWN
            }
            other => {
                let message = format!("{} has no elements", self.describe(&other));
                self.error(Code::WrongOperand, base.span, message);
                Value::UNKNOWN
            }
        }
    }

    fn member_of(&mut self, base: &Expr, name: &str, expr: &Expr, site: &Site) -> Value {
        let value = self.infer(base, site);
        let seen = self.bound(base, site);
        if matches!(name, "_sizeof" | "_start" | "_end") && self.has_no_bytes(base, site, 0) {
            let message = format!("`{base}` is computed, so it has no bytes in the file");
            let help = format!("use `{name}` with a field that is read, as in `label.{name}`");
            let diagnostic = Diagnostic::error(Code::WrongOperand, base.span, message);
            self.push(diagnostic.help(help));
        }
        let is_complete = match seen {
            Seen::All => true,
            Seen::Free => !matches!(&base.kind, ExprKind::Name(name) if name.starts_with('_')),
            _ => false,
        };
        if let Kind::Structure(used) = value.kind.clone()
            && is_complete
        {
            self.changed_registers(used, name, expr);
        }
        self.member(value, name, seen, expr, base)
    }

    /// Warns if an instance of a complete structure reads a register that the structure sets. The
    /// instance is computed where it is used, with the new value of the register.
    fn changed_registers(&mut self, used: UseId, name: &str, expr: &Expr) {
        let described = self.type_of(used);
        let sets = |register: &str| {
            let id = self.names.register(register);
            let mut sets = described.sets.iter();
            sets.any(|set| matches!(set.target, SetTarget::Register(own) if Some(own) == id))
        };
        let mut open = vec![name];
        let mut known: Vec<&str> = Vec::new();
        let mut changed = None;
        while let Some(name) = open.pop() {
            let instance = described.instances.iter().find(|it| it.id == *name);
            let Some(Position::Computed { value, .. }) = instance.map(|it| &it.position) else {
                continue;
            };
            if known.contains(&name) {
                continue;
            }
            known.push(name);
            parts(value, &mut |part| match &part.kind {
                ExprKind::Name(other) => open.push(other),
                ExprKind::Member { base, name } if is_state(base) && sets(name) => {
                    changed = Some(name);
                }
                _ => {}
            });
        }
        if let Some(register) = changed.filter(|_| self.quiet == 0) {
            let message = format!(
                "`{expr}` reads `state.{register}` after `{}` has set it",
                described.name
            );
            let help = "an instance is computed where it is used; to keep the value, store it in a \
                        column of a table or in another register";
            let diagnostic = Diagnostic::warning(Code::ChangedRegister, expr.span, message);
            self.push(diagnostic.help(help));
        }
    }

    /// Returns `true` if a value is computed and has no bytes in the file. An instance that only
    /// renames a field has the bytes of the field.
    fn has_no_bytes(&mut self, expr: &Expr, site: &Site, depth: usize) -> bool {
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Text(_)
            | ExprKind::EnumMember { .. }
            | ExprKind::SizeOfType(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. } => true,
            ExprKind::Name(name) if depth < MOST_NAMES => {
                let described = self.type_of(site.used);
                let instance = described.instances.iter().find(|known| known.id == *name);
                match instance.map(|instance| &instance.position) {
                    Some(Position::Computed { value, .. }) => {
                        self.has_no_bytes(value, site, depth + 1)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Returns how much of the structure that `base` refers to has been read.
    fn bound(&mut self, base: &Expr, site: &Site) -> Seen {
        if site.seen == Seen::Free {
            return Seen::Free;
        }
        match &base.kind {
            ExprKind::Name(name) if name == "_root" => {
                let used = self.uses.get(site.used);
                match (used.parent, used.at_in_root) {
                    (Parent::None, _) => site.seen,
                    (_, Some(at)) => Seen::Through(at),
                    (_, None) => Seen::All,
                }
            }
            ExprKind::Name(name) if name == "_parent" => Seen::Through(self.uses.get(site.used).at),
            ExprKind::Member { base, name } if name == "_parent" => {
                let inner = self.quietly(|checker| checker.infer(base, site));
                match inner.kind {
                    Kind::Structure(used) => Seen::Through(self.uses.get(used).at),
                    _ => Seen::All,
                }
            }
            _ => Seen::All,
        }
    }
}
