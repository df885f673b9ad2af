//! Resolves what an expression refers to: a field, a row, or a value.

use super::scope::{Binding, Inner, ScopeId};
use super::{CodeId, GREATEST_CHAIN, Lowering, OpId};
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
    /// Resolves what `expr` refers to. Returns `None` after reporting an error.
    pub(super) fn place(
        &mut self,
        expr: &Expr,
        scope: ScopeId,
        this: Option<CodeId>,
    ) -> Option<Place> {
        match &expr.kind {
            ExprKind::This if self.this_place.is_some() && this.is_none() => {
                self.this_place.clone()
            }
            ExprKind::Name(name) if name == "_" && this.is_none() => match &self.this_place {
                Some(place) => Some(place.clone()),
                None => Some(Place::Value(self.code(Code::This))),
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
                (Place::Table(table), [key]) => Some(self.row(table, key, scope, this)),
                _ => {
                    self.error(expr.span, "`get` requires a table and exactly one key");
                    None
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
                let index = self.compile(index, scope, this);
                Some(self.list_at(list, index, expr))
            }
            ExprKind::Call { name, arguments } if arguments.is_empty() => {
                self.named(name, expr, scope)
            }
            _ => Some(Place::Value(self.compile(expr, scope, this))),
        }
    }

    /// Returns the row of `table` with this key. If the key is a field that refers to a row of the
    /// same table, returns the row that the field refers to.
    fn row(&mut self, table: TableId, key: &Expr, scope: ScopeId, this: Option<CodeId>) -> Place {
        if let Some(Place::Field(op, _)) = self.quiet_place(key, scope, this)
            && let Some(slot) = self.row_slot(op, table)
        {
            return Place::Row {
                source: RowSource::Slot(slot),
                table,
                path: String::new(),
            };
        }
        let key = self.compile(key, scope, this);
        Place::Row {
            source: RowSource::Lookup { table, key },
            table,
            path: String::new(),
        }
    }

    /// Returns the slot in which the field `op` stores the row of `table` that it refers to.
    fn row_slot(&mut self, op: OpId, table: TableId) -> Option<tracegauge_plan::Slot> {
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

    /// Returns the list at `place`, which `expr` refers to. Reports an error if `place` is not a
    /// list.
    fn list_place(&mut self, place: &Place, expr: &Expr) -> Option<OpId> {
        let list = match place {
            Place::Field(op, _) => self.list_of(*op),
            _ => None,
        };
        if list.is_none() {
            self.error(
                expr.span,
                "elements can only be read from a list in the file",
            );
        }
        list
    }

    /// Resolves a name or member without reporting errors.
    fn quiet_place(&mut self, expr: &Expr, scope: ScopeId, this: Option<CodeId>) -> Option<Place> {
        match expr.kind {
            ExprKind::Name(_) | ExprKind::Member { .. } => {
                let before = self.errors.len();
                let place = self.place(expr, scope, this);
                self.errors.truncate(before);
                place
            }
            _ => None,
        }
    }

    fn named(&mut self, name: &str, expr: &Expr, scope: ScopeId) -> Option<Place> {
        match name {
            "_root" => return Some(Place::Scope(ScopeId(0))),
            "_parent" => {
                let parent = self.scopes[scope.0].parent;
                if parent.is_none() {
                    self.error(expr.span, "the root has no `_parent`");
                }
                return parent.map(Place::Scope);
            }
            "_io" => return Some(Place::Stream(StreamRef::Around(0))),
            "state" => return Some(Place::State),
            "_prev" => return self.previous_place(scope, expr),
            "_index" => return Some(Place::Value(self.code(Code::Index(0)))),
            "_sizeof" | "_start" | "_end" => {
                let op = self.scopes[scope.0].op?;
                return self.extent(op, name, expr);
            }
            _ => {}
        }
        if let Some(place) = self.in_scope(name, scope) {
            return Some(place);
        }
        if let Some(place) = self.register(name) {
            return Some(place);
        }
        if let Some(table) = self
            .schema
            .tables
            .iter()
            .position(|table| table.name == name)
        {
            return Some(Place::Table(TableId::from(table)));
        }
        self.error(expr.span, format!("cannot find `{name}` in this scope"));
        None
    }

    /// Resolves a field, parameter or instance of a use of a type.
    fn in_scope(&mut self, name: &str, scope: ScopeId) -> Option<Place> {
        if let Some(binding) = self.scopes[scope.0].fields.get(name) {
            return Some(match binding {
                Binding::Op { op, inner } => Place::Field(*op, inner.clone()),
                Binding::Absent => Place::Absent,
            });
        }
        if let Some(code) = self.parameter(scope, name) {
            return Some(Place::Value(code));
        }
        self.instance(name, scope)
    }

    /// Resolves a computed instance by compiling its expression in place.
    fn instance(&mut self, name: &str, scope: ScopeId) -> Option<Place> {
        let schema_type = self.type_of(scope);
        let instance = schema_type
            .instances
            .iter()
            .find(|known| known.id == name)?;
        let Position::Computed {
            value, condition, ..
        } = &instance.position
        else {
            let message = format!(
                "`{name}` is read at a position that depends on later fields, so its value is not \
                 available here"
            );
            self.error(instance.span, message);
            return Some(Place::Absent);
        };
        if self.scopes[scope.0]
            .computing
            .iter()
            .any(|known| known == name)
        {
            self.error(instance.span, format!("`{name}` is computed from itself"));
            return Some(Place::Absent);
        }
        if self.chained >= GREATEST_CHAIN && !self.is_too_large {
            self.too_large(Some(instance.span));
        }
        if self.is_too_large {
            return Some(Place::Absent);
        }
        self.scopes[scope.0].computing.push(name.to_owned());
        self.chained += 1;
        let place = match condition {
            None => self.place(value, scope, None),
            Some(condition) => {
                let condition = self.compile(condition, scope, None);
                let value = self.compile(value, scope, None);
                let absent = self.absent();
                Some(Place::Value(
                    self.fold(Code::Conditional(condition, value, absent)),
                ))
            }
        };
        self.chained -= 1;
        self.scopes[scope.0].computing.pop();
        Some(place.unwrap_or(Place::Absent))
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

    pub(super) fn member(&mut self, base: Place, name: &str, expr: &Expr) -> Option<Place> {
        match base {
            // An absent field has a size of 0.
            Place::Absent if name == "_sizeof" => Some(Place::Value(self.code(Code::Int(0)))),
            Place::Absent => Some(Place::Absent),
            Place::State => {
                let found = self.register(name);
                if found.is_none() {
                    self.error(expr.span, format!("unknown register `{name}`"));
                }
                found
            }
            Place::Scope(scope) => {
                if let ("_parent", Some(parent)) = (name, self.scopes[scope.0].parent) {
                    return Some(Place::Scope(parent));
                }
                if let (true, Some(op)) = (is_extent(name), self.scopes[scope.0].op) {
                    return self.extent(op, name, expr);
                }
                if let ("_io", Some(op)) = (name, self.scopes[scope.0].op) {
                    return Some(Place::Stream(self.stream_of(op)));
                }
                let found = self.in_scope(name, scope);
                if found.is_none() {
                    self.error(
                        expr.span,
                        format!("the field `{name}` has not been read yet"),
                    );
                }
                found
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
                Some(Place::Row {
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
                Some(Place::Previous {
                    repeat,
                    scope,
                    path,
                })
            }
            Place::Stream(stream) => Some(self.stream_member(stream, name, expr)?),
            Place::Field(op, inner) => self.field_member(op, &inner, name, expr),
            Place::Value(code) => self.property(code, name, expr),
            Place::Table(_) => {
                self.error(expr.span, format!("a table has no `{name}`"));
                None
            }
        }
    }

    fn stream_member(&mut self, stream: StreamRef, name: &str, expr: &Expr) -> Option<Place> {
        let part = match name {
            "pos" => StreamPart::Position,
            "size" => StreamPart::Size,
            "eof" => StreamPart::AtEnd,
            _ => {
                self.error(expr.span, format!("a stream has no `{name}`"));
                return None;
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
        Some(Place::Value(self.code(Code::Stream(stream, part))))
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

    fn field_member(&mut self, op: OpId, inner: &Inner, name: &str, expr: &Expr) -> Option<Place> {
        if is_extent(name) {
            return self.extent(op, name, expr);
        }
        if name == "_io" {
            return Some(Place::Stream(self.stream_of(op)));
        }
        if let Some(list) = self.list_of(op) {
            if let Some(place) = self.list_member(list, name) {
                return Some(place);
            }
            if matches!(name, "size" | "length") {
                let slot = self.length_slot(list)?;
                self.reset_slot_if_optional(list, slot);
                return Some(Place::Value(self.code(Code::Slot(slot))));
            }
        }
        match inner {
            Inner::Structure(_) | Inner::Again(_) if name == "is_date" => {
                self.is_date(op, inner, expr)
            }
            Inner::Structure(scope) if self.is_value(op) => {
                let found = self.in_scope(name, *scope);
                let shown = self.shown(op);
                match found {
                    None => self.leaf_member(shown, name, expr),
                    found => found,
                }
            }
            Inner::Structure(scope) | Inner::Again(scope) => {
                let found = self.in_scope(name, *scope);
                let again = matches!(inner, Inner::Again(_));
                let shown = shown_list(self.type_of(*scope)).filter(|_| found.is_none() && again);
                if let (Some(list), "size" | "length") = (shown, name)
                    && let Some(place) = self.in_scope(&list, *scope)
                {
                    return self.exported(op, place, expr);
                }
                match found {
                    Some(place) if again => self.exported(op, place, expr),
                    None => {
                        self.error(expr.span, format!("this structure has no field `{name}`"));
                        None
                    }
                    found => found,
                }
            }
            Inner::Arms(arms, ops) => self.arm_member(arms, ops, name, expr),
            Inner::List if matches!(name, "size" | "length") && self.is_being_read(op) => {
                let level = self.repeats.iter().rev().position(|list| *list == op);
                let level = level.and_then(|level| u32::try_from(level).ok());
                Some(Place::Value(self.code(Code::Index(level.unwrap_or(0)))))
            }
            Inner::List if matches!(name, "size" | "length") => {
                let slot = self.length_slot(op)?;
                Some(Place::Value(self.code(Code::Slot(slot))))
            }
            Inner::Leaf => self.leaf_member(op, name, expr),
            Inner::List | Inner::Described => {
                self.error(
                    expr.span,
                    format!("`.{name}` on a list is not supported yet"),
                );
                None
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
    ) -> Option<Place> {
        let mut code: Option<CodeId> = None;
        for (inner, op) in arms.iter().zip(ops) {
            let before = self.errors.len();
            let place = self.field_member(*op, inner, name, expr);
            self.errors.truncate(before);
            let Some(place) = place else { continue };
            let value = self.value_of(place, expr);
            code = Some(match code {
                None => value,
                Some(first) => self.fold(Code::Else(first, value)),
            });
        }
        if code.is_none() {
            self.error(
                expr.span,
                format!("no case of the switch has a field `{name}`"),
            );
        }
        code.map(Place::Value)
    }

    fn leaf_member(&mut self, op: OpId, name: &str, expr: &Expr) -> Option<Place> {
        let flags = self.plan.infos[op.index()].presentation.flags;
        if let Some(set) = flags {
            let bits = &self.plan.flag_sets[set].bits;
            if let Some(mask) = bits
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, mask)| *mask)
            {
                let value = self.slot_code(op);
                return Some(Place::Value(self.fold(Code::HasBits(value, mask))));
            }
        }
        let code = self.slot_code(op);
        self.property(code, name, expr)
    }

    /// Compiles a test of whether eight numbers, from the year to the millisecond, form a date and
    /// time.
    fn is_date(&mut self, op: OpId, inner: &Inner, expr: &Expr) -> Option<Place> {
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
            Ok(codes) => Some(Place::Value(self.code(Code::IsDate(codes)))),
            Err(_) => {
                self.error(expr.span, "`is_date` requires eight numeric fields");
                None
            }
        }
    }

    /// Resolves `_sizeof`, `_start` or `_end` of an operation.
    pub(super) fn extent(&mut self, op: OpId, name: &str, _expr: &Expr) -> Option<Place> {
        let (start, end) = self.span_slots(op);
        let code = match name {
            "_start" => Code::Slot(start),
            "_end" => Code::Slot(end),
            _ => Code::Between(start, end),
        };
        Some(Place::Value(self.code(code)))
    }

    /// Compiles the value of `place`, the target of `expr`.
    pub(super) fn value_of(&mut self, place: Place, expr: &Expr) -> CodeId {
        match place {
            Place::Value(code) => code,
            Place::Absent => self.absent(),
            Place::Field(_, Inner::Arms(arms, ops)) if self.has_value_arm(&arms, &ops) => {
                self.arm_value(&arms, &ops, expr)
            }
            Place::Field(op, _) => self.seen_code(op),
            Place::Picked(picked) => self.picked_value(*picked, expr),
            Place::Previous {
                repeat,
                scope,
                path,
            } => self.previous_value(repeat, scope, path, expr.span),
            Place::Row { source, path, .. } if path.is_empty() => self.code(Code::HasRow(source)),
            Place::Row {
                source,
                table,
                path,
            } => {
                let column = self.column(table, &path);
                self.code(Code::Column(source, ColumnRef { table, column }))
            }
            Place::Scope(_) | Place::Table(_) | Place::Stream(_) | Place::State => {
                self.error(expr.span, "this is not a value");
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
    fn arm_value(&mut self, arms: &[Inner], ops: &[OpId], expr: &Expr) -> CodeId {
        let mut value: Option<CodeId> = None;
        for (inner, op) in arms.iter().zip(ops) {
            let found = match inner {
                Inner::Arms(..) => self.value_of(Place::Field(*op, inner.clone()), expr),
                _ if self.is_value(*op) => self.seen_code(*op),
                _ => continue,
            };
            value = Some(match value {
                None => found,
                Some(before) => self.fold(Code::Else(before, found)),
            });
        }
        value.unwrap_or_else(|| self.absent())
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
