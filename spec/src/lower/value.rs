//! Compiles the values of what expressions refer to.

use super::place::Place;
use super::scope::{Binding, Inner, ScopeId};
use super::structure::shown_name;
use super::{CodeId, LowerError, Lowering, OpId, Resolved};
use crate::expression::{Expr, ExprKind};
use crate::schema::{ColumnId, Field, FieldRole, TableId, TypeBody, TypeRef};
use tracegauge_plan::{Code, ColumnRef, RowSource};

impl<'s> Lowering<'s> {
    /// Compiles the value of `place`, the target of `expr`.
    pub(super) fn value_of(&mut self, place: Place, expr: &Expr) -> Resolved<CodeId> {
        match place {
            Place::Value(code) => Ok(code),
            Place::Absent => Ok(self.absent()),
            Place::Field(_, Inner::Arms(arms, ops)) if self.has_value_arm(&arms, &ops) => {
                self.arm_value(&arms, &ops, expr)
            }
            Place::Field(op, inner) => match self.shown_switch(&inner) {
                Some(switch) => self.value_of(switch, expr),
                None => Ok(self.seen_code(op)),
            },
            Place::Picked(picked) => self.picked_value(*picked, expr),
            Place::Called(call, inside) => self.called_value(call, *inside, expr),
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
                let shows = self.shown_by(table, &path);
                let column = self.column_code(source, table, &path);
                match shows {
                    Some(shows) => self.compiled(shows, ScopeId(0), Some(column)),
                    None => Ok(column),
                }
            }
            Place::Scope(_) | Place::Table(_) | Place::Stream(_) | Place::State => {
                Err(LowerError::new(expr.span, "this is not a value"))
            }
        }
    }

    /// Compiles the value that a row stores for a field. For a field that shows the result of a
    /// lookup, this is the key.
    pub(super) fn column_code(&mut self, source: RowSource, table: TableId, path: &str) -> CodeId {
        let column = self.column(table, path);
        self.code(Code::Column(source, ColumnRef { table, column }))
    }

    /// Returns the expression that replaces the value of a field of a row, if the type of the field
    /// shows the result of a lookup.
    fn shown_by(&self, table: TableId, path: &str) -> Option<&'s Expr> {
        let schema = self.schema;
        let mut names = path.split('.').peekable();
        let mut described = &schema.types[schema.tables[table.index()].row.index()];
        while let Some(name) = names.next() {
            let TypeBody::Structure(fields) = &described.body else {
                return None;
            };
            let named = |field: &&Field| field.id.as_deref() == Some(name);
            let FieldRole::Wire(source) = &fields.iter().find(named)?.role else {
                return None;
            };
            let mut target = &source.target;
            while let TypeRef::Named { id, .. } = target {
                described = &schema.types[id.index()];
                let TypeBody::Alias(inner) = &described.body else {
                    break;
                };
                let is_last = names.peek().is_none();
                let shows = described.shows.as_ref().filter(|_| is_last);
                match (shows, &inner.role) {
                    (Some(shows), _) if !matches!(shows.kind, ExprKind::This) => {
                        return Some(shows);
                    }
                    (_, FieldRole::Wire(source)) => target = &source.target,
                    _ => return None,
                }
            }
        }
        None
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

    /// Returns the switch that represents a structure in expressions (`shows`), if its value comes
    /// from one of several types.
    fn shown_switch(&self, inner: &Inner) -> Option<Place> {
        let Inner::Structure(scope) = inner else {
            return None;
        };
        let name = shown_name(self.type_of(*scope))?;
        match self.scopes[scope.0].fields.get(&name)? {
            Binding::Op { op, inner } => match inner {
                Inner::Arms(..) => Some(Place::Field(*op, inner.clone())),
                _ => self.shown_switch(inner),
            },
            Binding::Absent => None,
        }
    }

    /// Returns whether at least one case of a switch is a single value that an expression can use,
    /// such as a number.
    pub(super) fn has_value_arm(&self, arms: &[Inner], ops: &[OpId]) -> bool {
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
