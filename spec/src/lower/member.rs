//! Resolves members of what an expression refers to: fields of structures, columns of rows, and
//! properties of lists, streams and values.

use super::place::Place;
use super::scope::Inner;
use super::structure::shown_name;
use super::{CodeId, LowerError, Lowering, OpId, Resolved};
use crate::expression::Expr;
use tracegauge_plan::{Code, Kind, StreamPart, StreamRef};

impl Lowering<'_> {
    /// Resolves `base.name`.
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
            Place::Called(call, inside) => {
                let inside = self.member(*inside, name, expr)?;
                Ok(Place::Called(call, Box::new(inside)))
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
    pub(super) fn stream_of(&mut self, op: OpId) -> StreamRef {
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
                let shown = shown_name(self.type_of(*scope)).filter(|_| found.is_none() && again);
                if let (Some(list), "size" | "length") = (shown, name)
                    && let Some(place) = self.in_scope(&list, *scope)?
                {
                    return self.called(op, place, expr);
                }
                match found {
                    Some(place) if again => self.called(op, place, expr),
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
        self.reset_slot_if_optional(op, start);
        self.reset_slot_if_optional(op, end);
        let code = match name {
            "_start" => Code::Slot(start),
            "_end" => Code::Slot(end),
            _ => Code::Between(start, end),
        };
        Place::Value(self.code(code))
    }
}

/// Returns whether a name refers to the size or the position of a field.
pub(super) fn is_extent(name: &str) -> bool {
    matches!(name, "_sizeof" | "_start" | "_end")
}
