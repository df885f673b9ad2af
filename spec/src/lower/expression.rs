//! Compiles expressions.

use super::place::Place;
use super::scope::{Inner, ScopeId};
use super::{CodeId, LowerError, Lowering, OpId, Resolved};
use crate::expression::{BinaryOperator, Expr, ExprKind};
use crate::schema::EnumId;
use tracegauge_plan::{Code, ConstantId, flags};

impl Lowering<'_> {
    /// Compiles a condition that must hold and records its source text.
    pub(super) fn predicate(
        &mut self,
        expr: &Expr,
        scope: ScopeId,
        this: Option<CodeId>,
    ) -> CodeId {
        let code = self.compile(expr, scope, this);
        self.plan.conditions.insert(code, expr.to_string());
        code
    }

    /// Compiles `expr` as [`Self::compiled`] does. If that is not possible, reports the reason and
    /// returns an absent value.
    pub(super) fn compile(&mut self, expr: &Expr, scope: ScopeId, this: Option<CodeId>) -> CodeId {
        match self.compiled(expr, scope, this) {
            Ok(code) => code,
            Err(error) => {
                self.report(error);
                self.absent()
            }
        }
    }

    /// Compiles `expr` as seen from `scope`. `this` is the value of `_`; `None` means that `_` is
    /// the value under test. Returns an error for the first part that cannot be compiled.
    pub(super) fn compiled(
        &mut self,
        expr: &Expr,
        scope: ScopeId,
        this: Option<CodeId>,
    ) -> Resolved<CodeId> {
        let around = self.compiling.replace(expr.span);
        let code = self.compile_kind(expr, scope, this);
        // After the outermost expression, keep its location for errors about how its result is
        // used.
        self.compiling = around.or(self.compiling);
        code
    }

    fn compile_kind(
        &mut self,
        expr: &Expr,
        scope: ScopeId,
        this: Option<CodeId>,
    ) -> Resolved<CodeId> {
        let code = match &expr.kind {
            ExprKind::Int(value) => Code::Int(*value),
            ExprKind::Float(value) => Code::Float(*value),
            ExprKind::Bool(value) => Code::Bool(*value),
            ExprKind::Text(text) => Code::Text(self.constant(text.as_bytes())),
            ExprKind::Absent => Code::Absent,
            ExprKind::This => match (this, self.this_place.clone()) {
                (Some(code), _) => return Ok(code),
                (None, Some(place)) => return self.value_of(place, expr),
                (None, None) => Code::This,
            },
            ExprKind::List(items) => match self.byte_string(items) {
                Some(constant) => Code::Text(constant),
                None => return Err(unsupported(expr, "a list that is not a byte string")),
            },
            ExprKind::EnumMember { path, member } => {
                return self.enum_member((path, member), expr, scope);
            }
            ExprKind::Name(_) | ExprKind::Member { .. } => {
                let place = self.place(expr, scope, this)?;
                return self.value_of(place, expr);
            }
            ExprKind::Index { .. } => {
                let place = self.place(expr, scope, this)?;
                return self.value_of(place, expr);
            }
            ExprKind::Method {
                name, arguments, ..
            } if arguments.is_empty()
                || matches!(name.as_str(), "get" | "find" | "all" | "min" | "max" | "at") =>
            {
                let place = self.place(expr, scope, this)?;
                return self.value_of(place, expr);
            }
            ExprKind::Method {
                base,
                name,
                arguments,
            } if name == "contains_byte" => {
                let base = self.compiled(base, scope, this)?;
                match arguments.as_slice() {
                    [
                        Expr {
                            kind: ExprKind::Int(byte),
                            ..
                        },
                    ] if (0..256).contains(byte) => {
                        Code::ContainsByte(base, u8::try_from(*byte).unwrap_or_default())
                    }
                    _ => {
                        let what = "`contains_byte` with an argument that is not a byte";
                        return Err(unsupported(expr, what));
                    }
                }
            }
            ExprKind::Call { name, arguments } if matches!(name.as_str(), "min" | "max") => {
                let [left, right] = arguments.as_slice() else {
                    let what = "a call to `min` or `max` without exactly two arguments";
                    return Err(unsupported(expr, what));
                };
                let left = self.compiled(left, scope, this)?;
                let right = self.compiled(right, scope, this)?;
                Code::Extreme {
                    greatest: name == "max",
                    left,
                    right,
                }
            }
            ExprKind::Unary { operator, operand } => {
                Code::Unary(*operator, self.compiled(operand, scope, this)?)
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let left = self.compiled(left, scope, this)?;
                // If the first operand determines the result, the second is never evaluated, so the
                // names in it need not exist in this dialect.
                match (operator, self.known_bool(left)) {
                    (BinaryOperator::And, Some(false)) => Code::Bool(false),
                    (BinaryOperator::Or, Some(true)) => Code::Bool(true),
                    _ => {
                        let right = self.compiled(right, scope, this)?;
                        let text = |code| self.text_of(code).is_some();
                        if *operator == BinaryOperator::Add && (text(left) || text(right)) {
                            return Err(unsupported(expr, "string concatenation"));
                        }
                        let (left, right) = self.compared(left, right);
                        Code::Binary(*operator, left, right)
                    }
                }
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.compiled(condition, scope, this)?;
                match self.known_bool(condition) {
                    Some(true) => return self.compiled(then, scope, this),
                    Some(false) => return self.compiled(otherwise, scope, this),
                    None => {
                        let then = self.compiled(then, scope, this)?;
                        Code::Conditional(condition, then, self.compiled(otherwise, scope, this)?)
                    }
                }
            }
            ExprKind::Else { first, second } => {
                let first = self.alternative(first, scope, this)?;
                Code::Else(first, self.alternative(second, scope, this)?)
            }
            ExprKind::IsPresent(value) => {
                // Only a part of the tree shows that a structure is present.
                if let ExprKind::Name(_) | ExprKind::Member { .. } = value.kind
                    && let Ok(Place::Field(op, inner)) = self.place(value, scope, this)
                    && !matches!(inner, Inner::Leaf)
                    && !self.is_value(op)
                {
                    self.captured(op);
                }
                let value = self.compiled(value, scope, this)?;
                match self.plan.codes[value.index()] {
                    // `HasRow` already tests for presence.
                    Code::HasRow(_) => return Ok(value),
                    _ => Code::IsPresent(value),
                }
            }
            ExprKind::Cast { base, .. } => return self.compiled(base, scope, this),
            ExprKind::Method {
                base,
                name,
                arguments,
            } if name == "to_i" && arguments.len() == 1 => {
                let base = self.compiled(base, scope, this)?;
                let radix = self.compiled(&arguments[0], scope, this)?;
                let radix = self.known_int(radix);
                let number = radix.and_then(|radix| self.number_of(base, radix));
                return number.ok_or_else(|| unsupported(expr, "`to_i` of this value"));
            }
            ExprKind::Method { name, .. } | ExprKind::Call { name, .. } => {
                let what = format!("`{name}(…)`");
                return Err(unsupported(expr, &what));
            }
            ExprKind::SizeOfType(name) => match self.size_of_type(name, scope) {
                Some(size) => Code::Int(size),
                None => {
                    return Err(unsupported(
                        expr,
                        "`sizeof<…>` of a type without a fixed size",
                    ));
                }
            },
        };
        Ok(self.fold(code))
    }

    /// Compiles an operand of `else`. An operand that is a structure or list is stored as a tree so
    /// that a record can contain it, and `[]` becomes an empty list.
    fn alternative(
        &mut self,
        expr: &Expr,
        scope: ScopeId,
        this: Option<CodeId>,
    ) -> Resolved<CodeId> {
        match &expr.kind {
            ExprKind::List(items) if items.is_empty() => Ok(self.code(Code::NoElements)),
            ExprKind::Name(_) | ExprKind::Member { .. } => match self.place(expr, scope, this)? {
                Place::Field(op, inner) => {
                    if matches!(inner, Inner::Leaf) || self.is_value(op) {
                        return Ok(self.seen_code(op));
                    }
                    self.captured(op);
                    Ok(self.slot_code(op))
                }
                place => self.value_of(place, expr),
            },
            _ => self.compiled(expr, scope, this),
        }
    }

    /// Stores an operation as a tree while it is read.
    pub(super) fn captured(&mut self, op: OpId) {
        let shown = self.shown(op);
        self.plan.ops[shown.index()].flags |= flags::CAPTURE;
    }

    /// Converts a list of byte values to a constant.
    fn byte_string(&mut self, items: &[Expr]) -> Option<ConstantId> {
        let bytes: Option<Vec<u8>> = items
            .iter()
            .map(|item| match item.kind {
                ExprKind::Int(value) => u8::try_from(value).ok(),
                _ => None,
            })
            .collect();
        bytes.map(|bytes| self.constant(&bytes))
    }

    /// Returns the enumeration that `path` refers to in the type of a scope.
    pub(super) fn enumeration_in(&self, path: &[String], scope: ScopeId) -> Option<EnumId> {
        self.schema.enumeration(path, self.scope(scope).type_id)
    }

    fn enum_member(
        &mut self,
        (path, member): (&[String], &str),
        expr: &Expr,
        scope: ScopeId,
    ) -> Resolved<CodeId> {
        let members = self.enumeration_in(path, scope).map(|id| {
            let enumeration = &self.schema.enums[id.index()];
            enumeration.members.iter()
        });
        let known = members.and_then(|mut members| members.find(|known| known.name == member));
        let value = known.map(|known| known.value);
        match value {
            Some(value) => Ok(self.code(Code::Int(value))),
            None => {
                let message = format!("unknown member `{expr}`");
                Err(LowerError::new(expr.span, message))
            }
        }
    }
}

fn unsupported(expr: &Expr, what: &str) -> LowerError {
    LowerError::new(expr.span, format!("{what} is not supported yet: `{expr}`"))
}
