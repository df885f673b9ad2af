//! Compiles the values of what expressions refer to.

use super::place::Place;
use super::scope::Inner;
use super::{CodeId, LowerError, Lowering, OpId, Resolved};
use crate::expression::Expr;
use crate::schema::{ColumnId, TableId};
use tracegauge_plan::{Code, ColumnRef};

impl Lowering<'_> {
    /// Compiles the value of `place`, the target of `expr`.
    pub(super) fn value_of(&mut self, place: Place, expr: &Expr) -> Resolved<CodeId> {
        match place {
            Place::Value(code) => Ok(code),
            Place::Absent => Ok(self.absent()),
            Place::Field(_, Inner::Arms(arms, ops)) if self.has_value_arm(&arms, &ops) => {
                self.arm_value(&arms, &ops, expr)
            }
            Place::Field(op, _) => Ok(self.seen_code(op)),
            Place::Picked(picked) => self.picked_value(*picked, expr),
            Place::Previous {
                repeat,
                scope,
                path,
            } => Ok(self.previous_value(repeat, scope, path, expr.span)),
            Place::Row { source, path, .. } if path.is_empty() => {
                Ok(self.code(Code::HasRow(source)))
            }
            Place::Row {
                source,
                table,
                path,
            } => {
                let column = self.column(table, &path);
                Ok(self.code(Code::Column(source, ColumnRef { table, column })))
            }
            Place::Scope(_) | Place::Table(_) | Place::Stream(_) | Place::State => {
                Err(LowerError::new(expr.span, "this is not a value"))
            }
        }
    }

    /// Compiles the value of `place` as [`Self::value_of`] does. If that is not possible, reports the
    /// reason and returns an absent value.
    pub(super) fn value_or_absent(&mut self, place: Place, expr: &Expr) -> CodeId {
        match self.value_of(place, expr) {
            Ok(code) => code,
            Err(error) => {
                self.report(error);
                self.absent()
            }
        }
    }

    /// Returns whether at least one case of a switch is a single value that an expression can use,
    /// such as a number.
    fn has_value_arm(&self, arms: &[Inner], ops: &[OpId]) -> bool {
        let mut arms = arms.iter().zip(ops);
        arms.any(|(inner, op)| !matches!(inner, Inner::List) && self.is_value(*op))
    }

    /// Compiles the value of a switch, which comes from the selected arm.
    fn arm_value(&mut self, arms: &[Inner], ops: &[OpId], expr: &Expr) -> Resolved<CodeId> {
        let mut value: Option<CodeId> = None;
        for (inner, op) in arms.iter().zip(ops) {
            let found = match inner {
                Inner::Arms(..) => self.value_of(Place::Field(*op, inner.clone()), expr)?,
                _ if self.is_value(*op) => self.seen_code(*op),
                _ => continue,
            };
            value = Some(match value {
                None => found,
                Some(before) => self.fold(Code::Else(before, found)),
            });
        }
        Ok(value.unwrap_or_else(|| self.absent()))
    }

    /// Returns the index of the column of `table` for `path`. Adds the column if it does not exist
    /// yet.
    pub(super) fn column(&mut self, table: TableId, path: &str) -> ColumnId {
        let columns = &mut self.columns[table];
        let found = columns.position(|known| known == path);
        found.unwrap_or_else(|| columns.push(path.to_owned()))
    }
}
