//! Resolves what an expression refers to: a field, a row, or a value.

use super::scope::{Binding, Inner, ScopeId};
use super::{CodeId, GREATEST_CHAIN, LowerError, Lowering, OpId, Resolved, Slot};
use crate::expression::{Expr, ExprKind};
use crate::schema::{ColumnId, Position, RegisterId, RegisterType, TableId};
use tracegauge_plan::{Code, ColumnRef, Kind, RowSource, StreamPart, StreamRef};

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
            ExprKind::Name(name) if name == "_" && this.is_none() => match &self.this_place {
                Some(place) => Ok(place.clone()),
                None => Ok(Place::Value(self.code(Code::This))),
            },
            ExprKind::Name(name) => self.named(name, expr, scope),
            ExprKind::Member { base, name } => {
                let base_place = self.place(base, scope, this)?;
                self.member(base_place, name, expr)
            }
            ExprKind::Method {
                base,
                name,
                arguments,
            } if name == "get" => match (self.place(base, scope, this)?, arguments.as_slice()) {
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
            "_io" => return Ok(Place::Stream(StreamRef::Around(0))),
            "state" => return Ok(Place::State),
            "_prev" => return self.previous_place(scope, expr),
            "_index" => return Ok(Place::Value(self.code(Code::Index(0)))),
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
        if let Some(table) = self
            .schema
            .tables
            .iter()
            .position(|table| table.name == name)
        {
            return Ok(Place::Table(TableId::from(table)));
        }
        let message = format!("cannot find `{name}` in this scope");
        Err(LowerError::new(expr.span, message))
    }

    /// Resolves a field, parameter or instance of a use of a type. Returns `None` if there is no such
    /// name.
    fn in_scope(&mut self, name: &str, scope: ScopeId) -> Resolved<Option<Place>> {
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
        place.map(Some)
    }

    /// Compiles a value that is absent unless a condition holds.
    fn value_if(&mut self, condition: &Expr, value: &Expr, scope: ScopeId) -> Resolved<CodeId> {
        let condition = self.compiled(condition, scope, None)?;
        let value = self.compiled(value, scope, None)?;
        let absent = self.absent();
        Ok(self.fold(Code::Conditional(condition, value, absent)))
    }

    fn register(&mut self, name: &str) -> Option<Place> {
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

    pub(super) fn member(&mut self, base: Place, name: &str, expr: &Expr) -> Resolved<Place> {
        match base {
            // An absent field has a size of 0.
            Place::Absent if name == "_sizeof" => Ok(Place::Value(self.code(Code::Int(0)))),
            Place::Absent => Ok(Place::Absent),
            Place::State => {
                let found = self.register(name);
                found
                    .ok_or_else(|| LowerError::new(expr.span, format!("unknown register `{name}`")))
            }
            Place::Scope(scope) => {
                if let ("_parent", Some(parent)) = (name, self.scopes[scope.0].parent) {
                    return Ok(Place::Scope(parent));
                }
                if let (true, Some(op)) = (is_extent(name), self.scopes[scope.0].op) {
                    return Ok(self.extent(op, name));
                }
                if let ("_io", Some(op)) = (name, self.scopes[scope.0].op) {
                    return Ok(Place::Stream(self.stream_of(op)));
                }
                let found = self.in_scope(name, scope)?;
                found.ok_or_else(|| {
                    let message = format!("the field `{name}` has not been read yet");
                    LowerError::new(expr.span, message)
                })
            }
            Place::Row {
                source,
                table,
                path,
            } => {
                let path = if path.is_empty() {
                    name.to_owned()
                } else {
                    format!("{path}.{name}")
                };
                Ok(Place::Row {
                    source,
                    table,
                    path,
                })
            }
            Place::Picked(picked) => self.picked_member(*picked, name, expr),
            Place::Previous {
                repeat,
                scope,
                path,
            } => {
                let path = match path.as_str() {
                    "" => name.to_owned(),
                    path => format!("{path}.{name}"),
                };
                Ok(Place::Previous {
                    repeat,
                    scope,
                    path,
                })
            }
            Place::Stream(stream) => self.stream_member(stream, name, expr),
            Place::Field(op, inner) => self.field_member(op, &inner, name, expr),
            Place::Value(code) => self.property(code, name, expr),
            Place::Table(_) => {
                let message = format!("a table has no `{name}`");
                Err(LowerError::new(expr.span, message))
            }
        }
    }

    fn stream_member(&mut self, stream: StreamRef, name: &str, expr: &Expr) -> Resolved<Place> {
        let part = match name {
            "pos" => StreamPart::Position,
            "size" => StreamPart::Size,
            "eof" => StreamPart::AtEnd,
            _ => {
                let message = format!("a stream has no `{name}`");
                return Err(LowerError::new(expr.span, message));
            }
        };
        // The size of a file is known only once the whole file is available, so the decoder must
        // wait for the whole file.
        let file = stream == StreamRef::File || self.in_file();
        self.plan.whole |= file && part == StreamPart::Size;
        if let (StreamRef::Around(further), StreamPart::Size) = (stream, part) {
            let mut around = self.around.iter().rev().filter(|op| self.is_stream(**op));
            let asked = around.nth(further as usize).copied();
            self.asked_size.extend(asked);
        }
        Ok(Place::Value(self.code(Code::Stream(stream, part))))
    }

    /// Returns the stream that contains an operation, or that the operation defines.
    fn stream_of(&mut self, op: OpId) -> StreamRef {
        let mut at = Some(op);
        while let Some(op) = at {
            if self.is_stream(op) {
                let further = self.around.iter().rposition(|around| *around == op);
                let Some(place) = further else {
                    let (start, end) = self.span_slots(op);
                    return StreamRef::Part(start, end);
                };
                let inner = &self.around[place + 1..];
                let inner = inner.iter().filter(|op| self.is_stream(**op)).count();
                return StreamRef::Around(u32::try_from(inner).unwrap_or(u32::MAX));
            }
            at = self.plan.infos[op.index()].parent;
        }
        StreamRef::File
    }

    fn field_member(
        &mut self,
        op: OpId,
        inner: &Inner,
        name: &str,
        expr: &Expr,
    ) -> Resolved<Place> {
        if is_extent(name) {
            return Ok(self.extent(op, name));
        }
        if name == "_io" {
            return Ok(Place::Stream(self.stream_of(op)));
        }
        if let Some(list) = self.list_of(op) {
            if let Some(place) = self.list_member(list, name) {
                return Ok(place);
            }
            if matches!(name, "size" | "length")
                && let Some(slot) = self.length_slot(list)
            {
                self.reset_slot_if_optional(list, slot);
                return Ok(Place::Value(self.code(Code::Slot(slot))));
            }
        }
        match inner {
            Inner::Structure(_) | Inner::Again(_) if name == "is_date" => {
                self.is_date(op, inner, expr)
            }
            Inner::Structure(scope) if self.is_value(op) => {
                let found = self.in_scope(name, *scope)?;
                let shown = self.shown(op);
                match found {
                    None => self.leaf_member(shown, name, expr),
                    Some(found) => Ok(found),
                }
            }
            Inner::Structure(scope) | Inner::Again(scope) => {
                let found = self.in_scope(name, *scope)?;
                let again = matches!(inner, Inner::Again(_));
                let shown = shown_list(self.type_of(*scope)).filter(|_| found.is_none() && again);
                if let (Some(list), "size" | "length") = (shown, name)
                    && let Some(place) = self.in_scope(&list, *scope)?
                {
                    return self.exported(op, place, expr);
                }
                match found {
                    Some(place) if again => self.exported(op, place, expr),
                    None => {
                        let message = format!("this structure has no field `{name}`");
                        Err(LowerError::new(expr.span, message))
                    }
                    Some(found) => Ok(found),
                }
            }
            Inner::Arms(arms, ops) => self.arm_member(arms, ops, name, expr),
            Inner::List if matches!(name, "size" | "length") && self.is_being_read(op) => {
                let level = self.repeats.iter().rev().position(|list| *list == op);
                let level = level.and_then(|level| u32::try_from(level).ok());
                Ok(Place::Value(self.code(Code::Index(level.unwrap_or(0)))))
            }
            Inner::List
                if matches!(name, "size" | "length")
                    && let Some(slot) = self.length_slot(op) =>
            {
                Ok(Place::Value(self.code(Code::Slot(slot))))
            }
            Inner::Leaf => self.leaf_member(op, name, expr),
            Inner::List | Inner::Described => {
                let message = format!("`.{name}` on a list is not supported yet");
                Err(LowerError::new(expr.span, message))
            }
        }
    }

    /// Returns whether an expression inside an element refers to the list while the list is being
    /// read. While a list is being read, it consists of the elements before the current element. A
    /// rule that the list field itself exercises is evaluated only after the list is complete.
    fn is_being_read(&self, list: OpId) -> bool {
        self.this_op != Some(list) && self.repeats.contains(&list)
    }

    /// Resolves a member of a switch. The value comes from the selected switch arm.
    fn arm_member(
        &mut self,
        arms: &[Inner],
        ops: &[OpId],
        name: &str,
        expr: &Expr,
    ) -> Resolved<Place> {
        let mut code: Option<CodeId> = None;
        for (inner, op) in arms.iter().zip(ops) {
            let Ok(place) = self.field_member(*op, inner, name, expr) else {
                continue;
            };
            let value = self.value_of(place, expr)?;
            code = Some(match code {
                None => value,
                Some(first) => self.fold(Code::Else(first, value)),
            });
        }
        let message = || format!("no case of the switch has a field `{name}`");
        code.map(Place::Value)
            .ok_or_else(|| LowerError::new(expr.span, message()))
    }

    fn leaf_member(&mut self, op: OpId, name: &str, expr: &Expr) -> Resolved<Place> {
        let flags = self.plan.infos[op.index()].presentation.flags;
        if let Some(set) = flags {
            let bits = &self.plan.flag_sets[set].bits;
            if let Some(mask) = bits
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, mask)| *mask)
            {
                let value = self.slot_code(op);
                return Ok(Place::Value(self.fold(Code::HasBits(value, mask))));
            }
        }
        let code = self.slot_code(op);
        self.property(code, name, expr)
    }

    /// Compiles a test of whether eight numbers, from the year to the millisecond, form a date and
    /// time.
    fn is_date(&mut self, op: OpId, inner: &Inner, expr: &Expr) -> Resolved<Place> {
        let structure = match self.plan.ops[op.index()].kind {
            Kind::Sized(_) => self.plan.children(op).next(),
            Kind::Structure => Some(op),
            _ => None,
        };
        let numbers: Vec<OpId> = structure
            .filter(|_| matches!(inner, Inner::Structure(_)))
            .map(|structure| self.plan.children(structure).collect())
            .unwrap_or_default();
        let codes: Vec<CodeId> = numbers.iter().map(|op| self.slot_code(*op)).collect();
        match <Box<[CodeId; 8]>>::try_from(codes.into_boxed_slice()) {
            Ok(codes) => Ok(Place::Value(self.code(Code::IsDate(codes)))),
            Err(_) => {
                let message = "`is_date` requires eight numeric fields";
                Err(LowerError::new(expr.span, message))
            }
        }
    }

    /// Resolves `_sizeof`, `_start` or `_end` of an operation.
    pub(super) fn extent(&mut self, op: OpId, name: &str) -> Place {
        let (start, end) = self.span_slots(op);
        let code = match name {
            "_start" => Code::Slot(start),
            "_end" => Code::Slot(end),
            _ => Code::Between(start, end),
        };
        Place::Value(self.code(code))
    }

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

pub(super) fn is_extent(name: &str) -> bool {
    matches!(name, "_sizeof" | "_start" | "_end")
}

/// Returns the name of the field that represents a structure in expressions (`shows`).
fn shown_list(described: &crate::schema::Type) -> Option<String> {
    match described.shows.as_ref().map(|shows| &shows.kind) {
        Some(ExprKind::Name(name)) => Some(name.clone()),
        _ => None,
    }
}
