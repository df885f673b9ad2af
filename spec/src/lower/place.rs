//! Resolves what an expression refers to: a field, a row, or a value.

use super::scope::{Binding, Inner, ScopeId};
use super::{CodeId, GREATEST_CHAIN, LowerError, Lowering, OpId, Resolved, Slot};
use crate::expression::{Expr, ExprKind};
use crate::schema::{Position, RegisterId, RegisterType, TableId};
use tracegauge_plan::{Code, RowSource, StreamRef};

/// The entity that an expression refers to, such as a field, a row or a value.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// A field with its contents.
    Field(OpId, Inner),
    /// A use of a type, such as the structure that `_parent` refers to.
    Scope(ScopeId),
    /// A computed value.
    Value(CodeId),
    /// A table, whose rows can be looked up.
    Table(TableId),
    /// A row, or a field of a row, given by its path.
    Row {
        source: RowSource,
        table: TableId,
        path: String,
    },
    /// A stream of bytes.
    Stream(StreamRef),
    /// The set of registers.
    State,
    /// A part of a structure that a recursive call reads, as seen by the caller.
    Called(OpId, Box<Place>),
    /// Selected elements of a list.
    Picked(Box<super::list::Picked>),
    /// The previous element, or a field inside it, given by its path.
    Previous {
        repeat: OpId,
        scope: ScopeId,
        path: String,
    },
    /// An element that does not exist in this dialect.
    Absent,
}

impl Lowering<'_> {
    /// Resolves what `expr` refers to as [`Self::place`] does. If that is not possible, reports the
    /// reason and returns `None`.
    pub(super) fn placed(&mut self, expr: &Expr, scope: ScopeId) -> Option<Place> {
        let place = self.place(expr, scope, None);
        place.map_err(|error| self.report(error)).ok()
    }

    /// Resolves what the base of `get` refers to. Only tables have this method, so a field with the
    /// name of a table does not hide the table: the expression may belong to a type whose field it
    /// is not (`shows`).
    fn table_of(&mut self, base: &Expr, scope: ScopeId, this: Option<CodeId>) -> Resolved<Place> {
        let table = match &base.kind {
            ExprKind::Name(name) => self.table_named(name),
            _ => None,
        };
        table.map_or_else(|| self.place(base, scope, this), |it| Ok(Place::Table(it)))
    }

    fn table_named(&self, name: &str) -> Option<TableId> {
        let mut tables = self.schema.tables.iter();
        tables
            .position(|table| table.name == name)
            .map(TableId::from)
    }

    /// Resolves what `expr` refers to. Returns an error if this cannot be determined.
    pub(super) fn place(
        &mut self,
        expr: &Expr,
        scope: ScopeId,
        this: Option<CodeId>,
    ) -> Resolved<Place> {
        match &expr.kind {
            ExprKind::This
                if this.is_none()
                    && let Some(place) = &self.this_place =>
            {
                Ok(place.clone())
            }
            ExprKind::Name(name) => self.named(name, expr, scope),
            ExprKind::Member { base, name } => {
                let base_place = self.place(base, scope, this)?;
                self.member(base_place, name, expr)
            }
            ExprKind::Method {
                base,
                name,
                arguments,
            } if name == "get" => match (self.table_of(base, scope, this)?, arguments.as_slice()) {
                (Place::Table(table), [key]) => self.row(table, key, scope, this),
                _ => {
                    let message = "`get` requires a table and exactly one key";
                    Err(LowerError::new(expr.span, message))
                }
            },
            ExprKind::Method {
                base,
                name,
                arguments,
            } if matches!(name.as_str(), "find" | "all" | "min" | "max" | "at") => {
                let base = self.place(base, scope, this)?;
                let list = self.list_place(&base, expr)?;
                self.list_method(list, (name, arguments), expr, scope, this)
            }
            ExprKind::Method {
                base,
                name,
                arguments,
            } if arguments.is_empty() => {
                let base_place = self.place(base, scope, this)?;
                self.member(base_place, name, expr)
            }
            ExprKind::Index { base, index } => {
                let base = self.place(base, scope, this)?;
                let list = self.list_place(&base, expr)?;
                let index = self.compiled(index, scope, this)?;
                self.list_at(list, index, expr)
            }
            ExprKind::Call { name, arguments } if arguments.is_empty() => {
                self.named(name, expr, scope)
            }
            _ => self.compiled(expr, scope, this).map(Place::Value),
        }
    }

    /// Returns the row of `table` with this key. If the key is a field that refers to a row of the
    /// same table, returns the row that the field refers to.
    fn row(
        &mut self,
        table: TableId,
        key: &Expr,
        scope: ScopeId,
        this: Option<CodeId>,
    ) -> Resolved<Place> {
        let source = match self.field_with_row(table, key, scope, this) {
            Some(slot) => RowSource::Slot(slot),
            None => {
                let key = self.compiled(key, scope, this)?;
                RowSource::Lookup { table, key }
            }
        };
        Ok(Place::Row {
            source,
            table,
            path: String::new(),
        })
    }

    /// If `key` is a field that refers to a row of `table`, returns the slot with the row.
    fn field_with_row(
        &mut self,
        table: TableId,
        key: &Expr,
        scope: ScopeId,
        this: Option<CodeId>,
    ) -> Option<Slot> {
        match key.kind {
            ExprKind::Name(_) | ExprKind::Member { .. } => match self.place(key, scope, this) {
                Ok(Place::Field(op, _)) => self.row_slot(op, table),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the slot in which the field `op` stores the row of `table` that it refers to.
    fn row_slot(&mut self, op: OpId, table: TableId) -> Option<Slot> {
        let refs = self.plan.infos[op.index()].refs?;
        if self.plan.refs[refs].table != table {
            return None;
        }
        if self.plan.refs[refs].row_slot.is_none() {
            let slot = self.new_slot();
            self.plan.refs[refs].row_slot = Some(slot);
        }
        let slot = self.plan.refs[refs].row_slot?;
        // If the field is absent, the row of an earlier element must not remain in the slot.
        self.reset_slot_if_optional(op, slot);
        Some(slot)
    }

    /// Returns the list at `place`, which `expr` refers to, or an error if `place` is not a list.
    fn list_place(&self, place: &Place, expr: &Expr) -> Resolved<OpId> {
        let list = match place {
            Place::Field(op, _) => self.list_of(*op),
            _ => None,
        };
        let message = "elements can only be read from a list in the file";
        list.ok_or_else(|| LowerError::new(expr.span, message))
    }

    fn named(&mut self, name: &str, expr: &Expr, scope: ScopeId) -> Resolved<Place> {
        match name {
            "_root" => return Ok(Place::Scope(ScopeId(0))),
            "_parent" => {
                let parent = self.scopes[scope.0].parent.map(Place::Scope);
                return parent
                    .ok_or_else(|| LowerError::new(expr.span, "the root has no `_parent`"));
            }
            "_io" => return Ok(Place::Stream(self.stream_around(scope))),
            "state" if !self.schema.registers.is_empty() => return Ok(Place::State),
            "_prev" => return self.previous_place(scope, expr),
            "_index" => {
                let inside = self.repeats.len() - self.lists_around(scope);
                let level = u32::try_from(inside).unwrap_or(u32::MAX);
                return Ok(Place::Value(self.code(Code::Index(level))));
            }
            "_sizeof" | "_start" | "_end" => {
                return match self.scopes[scope.0].op {
                    Some(op) => Ok(self.extent(op, name)),
                    None => Ok(Place::Absent),
                };
            }
            _ => {}
        }
        if let Some(place) = self.in_scope(name, scope)? {
            return Ok(place);
        }
        if let Some(place) = self.register(name) {
            return Ok(place);
        }
        if let Some(table) = self.table_named(name) {
            return Ok(Place::Table(table));
        }
        let message = format!("cannot find `{name}` in this scope");
        Err(LowerError::new(expr.span, message))
    }

    /// Resolves a field, parameter or instance of a use of a type. Returns `None` if there is no such
    /// name.
    pub(super) fn in_scope(&mut self, name: &str, scope: ScopeId) -> Resolved<Option<Place>> {
        if let Some(binding) = self.scopes[scope.0].fields.get(name) {
            return Ok(Some(match binding {
                Binding::Op { op, inner } => Place::Field(*op, inner.clone()),
                Binding::Absent => Place::Absent,
            }));
        }
        if let Some(code) = self.parameter(scope, name) {
            return Ok(Some(Place::Value(code)));
        }
        self.instance(name, scope)
    }

    /// Returns the number of lists around an expression. An instance may be used in elements of lists
    /// inside its structure, but `_index` and `_prev` refer to the list around the structure.
    pub(super) fn lists_around(&self, scope: ScopeId) -> usize {
        let used = self.repeats.len();
        let scope = &self.scopes[scope.0];
        match scope.computing.is_empty() {
            true => used,
            false => scope.lists.min(used),
        }
    }

    /// Returns the stream around an expression. The stream of an instance is that of its structure.
    fn stream_around(&mut self, scope: ScopeId) -> StreamRef {
        let own = &self.scopes[scope.0];
        match own.op {
            Some(op) if !own.computing.is_empty() => self.stream_of(op),
            _ => StreamRef::Around(0),
        }
    }

    /// Resolves a computed instance by compiling its expression in place. Returns `None` if there is
    /// no such instance.
    fn instance(&mut self, name: &str, scope: ScopeId) -> Resolved<Option<Place>> {
        let mut instances = self.type_of(scope).instances.iter();
        let Some(instance) = instances.find(|known| known.id == name) else {
            return Ok(None);
        };
        let Position::Computed {
            value, condition, ..
        } = &instance.position
        else {
            let message = format!(
                "`{name}` is read at a position that depends on later fields, so its value is not \
                 available here"
            );
            return Err(LowerError::new(instance.span, message));
        };
        let mut computing = self.scopes[scope.0].computing.iter();
        if computing.any(|known| known == name) {
            let message = format!("`{name}` is computed from itself");
            return Err(LowerError::new(instance.span, message));
        }
        if self.chained >= GREATEST_CHAIN && !self.is_too_large {
            self.too_large(Some(instance.span));
        }
        if self.is_too_large {
            return Ok(Some(Place::Absent));
        }
        self.scopes[scope.0].computing.push(name.to_owned());
        self.chained += 1;
        let place = match condition {
            None => self.place(value, scope, None),
            Some(condition) => self.value_if(condition, value, scope).map(Place::Value),
        };
        self.chained -= 1;
        self.scopes[scope.0].computing.pop();
        Ok(Some(match place? {
            Place::Value(code) => Place::Value(self.shared_value(name, scope, code)),
            place => place,
        }))
    }

    /// Returns the expression of an instance of one use of a type. If the instance was compiled to
    /// the same expression before, returns that one: a mutant changes an instance for all its users.
    fn shared_value(&mut self, name: &str, scope: ScopeId, code: CodeId) -> CodeId {
        let plan = &self.plan;
        let known = self.scopes[scope.0].instances.entry(name.to_owned());
        let known = known.or_default();
        match known
            .iter()
            .find(|known| plan.is_same_expression(**known, code))
        {
            Some(known) => *known,
            None => {
                known.push(code);
                code
            }
        }
    }

    /// Compiles a value that is absent unless a condition holds.
    fn value_if(&mut self, condition: &Expr, value: &Expr, scope: ScopeId) -> Resolved<CodeId> {
        let condition = self.compiled(condition, scope, None)?;
        let value = self.compiled(value, scope, None)?;
        let absent = self.absent();
        Ok(self.fold(Code::Conditional(condition, value, absent)))
    }

    pub(super) fn register(&mut self, name: &str) -> Option<Place> {
        let index = self
            .schema
            .registers
            .iter()
            .position(|register| register.name == name)?;
        let id = RegisterId::from(index);
        Some(match self.schema.registers[index].kind {
            RegisterType::Row(table) => Place::Row {
                source: RowSource::Register(id),
                table,
                path: String::new(),
            },
            RegisterType::Scalar(_) | RegisterType::Int => {
                Place::Value(self.code(Code::Register(id)))
            }
        })
    }
}
