//! Builds the values of a record.

use tracegauge_plan::terms::{ColumnId, Encoding, EnumId, Meaning, TableId};
use tracegauge_plan::{Code, CodeId, Kind, MemberPlan, MemberSource, OpId, Plan};

use super::format::{date_time, guid};
use super::nodes::{Texts, looks_up, shown_node};
use super::{Item, RecordBuffer};
use crate::input::Input;
use crate::machine::{Machine, bits_of};
use crate::state::Cell;
use crate::text;
use crate::tree::{NodeId, Payload, Tree};
use crate::value::Value;
use crate::visitor::Visitor;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Builds the values of members, in order.
    pub(crate) fn write_members(&mut self, members: &[MemberPlan], out: &mut RecordBuffer) {
        for member in members {
            match &member.source {
                MemberSource::Object(inner) => self.write_members(inner, out),
                MemberSource::Named(code, set) => {
                    out.starts.push(out.next());
                    if !self.write_named(*code, *set, out) {
                        out.push(Item::Absent);
                    }
                }
                MemberSource::Value(code, origin) => {
                    let (value, code) = self.chosen(*code);
                    if let Value::Shown(start) = value {
                        out.starts.push(start);
                        continue;
                    }
                    out.starts.push(out.next());
                    if self.wants_sources() {
                        self.note_sources(out.next(), code);
                    }
                    let origin = origin.or_else(|| self.code_origin(code));
                    self.present(value, origin, out);
                }
            }
        }
    }

    /// Builds a computed value that belongs to an enumeration. Returns `false` if there is no value.
    pub(super) fn write_named(
        &mut self,
        code: CodeId,
        set: EnumId,
        out: &mut RecordBuffer,
    ) -> bool {
        let (value, code) = self.chosen(code);
        if self.wants_sources() {
            self.note_sources(out.next(), code);
        }
        match value {
            Value::Absent => return false,
            Value::Int(number) => match i64::try_from(number) {
                Ok(value) => out.push(Item::Enum { set, value }),
                Err(_) => out.integer(number),
            },
            value => self.present(value, None, out),
        }
        true
    }

    /// Evaluates an expression and returns its value. Also returns the branch that was evaluated if
    /// the expression is conditional, or the expression itself otherwise.
    pub(super) fn chosen(&mut self, code: CodeId) -> (Value, CodeId) {
        let plan = self.plan;
        match &plan.codes[code.index()] {
            Code::Else(first, second) => match self.chosen(*first) {
                (Value::Absent, _) => self.chosen(*second),
                found => found,
            },
            Code::Conditional(condition, then, otherwise) => {
                match self.evaluate(*condition, Value::Absent).truth() {
                    true => self.chosen(*then),
                    false => self.chosen(*otherwise),
                }
            }
            _ => match self.within(code) {
                Some(value) => (value, code),
                None => (Value::Beyond, code),
            },
        }
    }

    /// Returns the field that an expression takes its value from, or `None` if there is no such
    /// field.
    pub(super) fn code_origin(&self, code: CodeId) -> Option<OpId> {
        match &self.plan.codes[code.index()] {
            Code::Slot(slot) => self.plan.origin(*slot),
            _ => self.column_origin(code),
        }
    }

    /// Returns the field that a column takes its value from, or `None` if there is no such field.
    fn column_origin(&self, code: CodeId) -> Option<OpId> {
        match self.plan.codes[code.index()] {
            Code::Column(_, column) => {
                let table = &self.plan.tables[column.table];
                table
                    .columns
                    .get(column.column)
                    .and_then(|column| column.origin)
            }
            _ => None,
        }
    }

    /// Converts a float to the width of its field, so that it is written with the precision of that
    /// width.
    fn float_item(&self, value: f64, origin: Option<OpId>) -> Item {
        let kind = origin.map(|op| &self.plan.op(op).kind);
        let single = matches!(kind, Some(Kind::Float { width: 4, .. }));
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the value was read from 32 bits"
        )]
        match single {
            true => Item::F32((value as f32).to_bits()),
            false => Item::F64(value.to_bits()),
        }
    }

    /// Builds a value in the form that is prescribed by the operation that read the value.
    pub(crate) fn present(&mut self, value: Value, origin: Option<OpId>, out: &mut RecordBuffer) {
        match value {
            Value::Absent | Value::Row(_) | Value::Shown(_) => out.push(Item::Absent),
            Value::Beyond => out.push(Item::Beyond),
            Value::Bool(value) => out.push(Item::Bool(value)),
            Value::Float(value) => out.push(self.float_item(value, origin)),
            Value::Int(value) => self.present_integer(value, origin, out),
            Value::Node(node) if node as usize >= self.kept.tree.nodes.len() => {
                out.push(Item::Absent)
            }
            Value::Picked(list) => {
                let tree = self.picked_tree(list, origin);
                self.present_node(&tree, 0, Texts::Heap, out);
            }
            Value::Node(node) => {
                let tree = std::mem::take(&mut self.kept.tree);
                let texts = if V::TREE { Texts::Heap } else { Texts::Input };
                self.present_node(&tree, node, texts, out);
                self.kept.tree = tree;
            }
            Value::Cell { table, row, column } => {
                self.present_cell(table, row, column, origin, out)
            }
            Value::Bytes { .. } | Value::Aside(_) | Value::Constant(_) => {
                let bytes = self.text_of(value).unwrap_or_default();
                write_bytes(self.plan, origin, bytes, out);
            }
        }
    }

    fn present_integer(&mut self, value: i128, origin: Option<OpId>, out: &mut RecordBuffer) {
        let fits = (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value);
        // The value of a `Bind` operation was computed by an expression, so it is not formatted
        // like a number that was read.
        let read = |op: &OpId| !matches!(self.plan.op(*op).kind, Kind::Bind(_));
        match origin.filter(read) {
            Some(op) if fits => self.present_bits(op, bits_of(value), out),
            _ => out.integer(value),
        }
    }

    fn present_cell(
        &mut self,
        table: TableId,
        row: u32,
        column: ColumnId,
        origin: Option<OpId>,
        out: &mut RecordBuffer,
    ) {
        let Some(known) = self.state.tables[table].row(row) else {
            return out.push(Item::Absent);
        };
        match known.cells.get(column.index()) {
            Some(Cell::Bytes(bytes)) => write_bytes(self.plan, origin, bytes, out),
            Some(Cell::Tree(tree)) => {
                let sources = self.wants_sources();
                if let (false, Some(shown)) = (sources, known.shown_column(column)) {
                    return out.append(shown);
                }
                let tree = std::sync::Arc::clone(tree);
                if sources || looks_up(self.plan, &tree) {
                    return self.present_node(&tree, 0, Texts::Heap, out);
                }
                let mut shown = RecordBuffer::default();
                self.present_node(&tree, 0, Texts::Heap, &mut shown);
                out.append(&shown);
                // Values that take no bytes are cheap to rebuild but could make the cache
                // arbitrarily large.
                if shown.items.len() <= 4 * tree.nodes.len() {
                    self.keep_shown(table, row, column, shown);
                }
            }
            _ => out.push(Item::Absent),
        }
    }

    /// Caches the record items of a column whose value is a part of the trace or text, because many
    /// records refer to the same row.
    pub(super) fn keep_shown(
        &mut self,
        table: TableId,
        row: u32,
        column: ColumnId,
        mut shown: RecordBuffer,
    ) {
        shown.note_positions();
        let Some(row) = self.state.tables[table].row_mut(row) else {
            return;
        };
        let column = column.index();
        if row.shown.len() <= column {
            row.shown.resize_with(column + 1, || None);
        }
        row.shown[column] = Some(Box::new(shown));
    }

    /// Builds a number in the form that its operation prescribes.
    #[inline]
    pub(crate) fn present_bits(&mut self, op: OpId, bits: u64, out: &mut RecordBuffer) {
        let presentation = &self.plan.info(op).presentation;
        if let Some(shows) = presentation.shows {
            return self.present_look_up(op, shows, bits, out);
        }
        if let Some(Meaning::Bool) = presentation.meaning {
            return out.push(Item::Bool(bits != 0));
        }
        if let Some(Meaning::Time {
            unit_nanoseconds,
            epoch,
        }) = presentation.meaning
        {
            let units = match self.is_signed(op) {
                true => i128::from(bits.cast_signed()),
                false => i128::from(bits),
            };
            let (start, end) = out.bytes(date_time(units, unit_nanoseconds, epoch).as_bytes());
            return out.push(Item::DateTime { start, end });
        }
        if let Some(set) = presentation.enumeration {
            if bits.cast_signed() < 0 && !self.is_signed(op) {
                return self.present_great_member(set, bits, out);
            }
            return out.push(Item::Enum {
                set,
                value: bits.cast_signed(),
            });
        }
        if let Kind::Bits { width: 1, .. } = self.plan.op(op).kind {
            return out.push(Item::Bool(bits != 0));
        }
        if let Some(set) = presentation.flags {
            return out.push(Item::Flags { set, value: bits });
        }
        match self.plan.op(op).kind {
            Kind::Float { width: 4, .. } => {
                return out.push(Item::F32(u32::try_from(bits).unwrap_or_default()));
            }
            Kind::Float { .. } => return out.push(Item::F64(bits)),
            _ => {}
        }
        match bits.cast_signed() {
            negative @ i64::MIN..0 if self.is_signed(op) => out.push(Item::Signed(negative)),
            _ => out.push(Item::Unsigned(bits)),
        }
    }

    /// Returns whether the bits of a number represent a signed number in two's complement. A number
    /// that is computed from an earlier value is never negative.
    fn is_signed(&self, op: OpId) -> bool {
        self.plan.op(op).kind.is_signed() && self.plan.info(op).carry.is_none()
    }

    /// Builds an enumeration member whose number does not fit in a signed 64-bit integer.
    fn present_great_member(&self, set: EnumId, bits: u64, out: &mut RecordBuffer) {
        let members = &self.plan.enums[set].members;
        match members
            .iter()
            .find(|member| member.value == i128::from(bits))
        {
            Some(member) => {
                let (start, end) = out.bytes(member.name.as_bytes());
                out.push(Item::Text { start, end });
            }
            None => out.push(Item::Unsigned(bits)),
        }
    }

    /// Builds the value that a number refers to, such as a column of a row. The record contains
    /// this value instead of the number.
    fn present_look_up(&mut self, op: OpId, shows: CodeId, bits: u64, out: &mut RecordBuffer) {
        self.with_number(op, bits, |machine| {
            let value = machine.evaluate(shows, Value::Absent);
            if machine.wants_sources() {
                machine.note_sources(out.next(), shows);
            }
            match value {
                Value::Absent if machine.names_none(op, bits) => out.push(Item::Absent),
                Value::Absent => out.push(Item::Missing),
                value => {
                    let origin = machine.column_origin(shows);
                    machine.present(value, origin, out);
                }
            }
        });
    }

    /// Returns the text that a node shows by looking it up in a table, in UTF-8. Returns `None` if
    /// the node looks nothing up.
    pub(crate) fn name_looked_up(&mut self, tree: &Tree, node: NodeId) -> Option<Box<[u8]>> {
        let node = tree.node(shown_node(self.plan, tree, node));
        let shows = self.plan.info(node.op).presentation.shows?;
        let Payload::Bits(bits) = node.payload else {
            return None;
        };
        self.with_number(node.op, bits, |machine| {
            let value = machine.evaluate(shows, Value::Absent);
            let encoding = machine.column_origin(shows);
            let encoding = encoding.and_then(|origin| encoding_of(machine.plan, origin));
            let bytes = machine.text_of(value).unwrap_or_default();
            let text = text::decode(bytes, encoding.unwrap_or(Encoding::Utf8));
            Some(text.map_or_else(|| bytes.into(), |text| text.into_bytes().into()))
        })
    }

    /// Calls `work` as if a reference field contained the number `bits`.
    fn with_number<T>(&mut self, op: OpId, bits: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let plan = self.plan;
        let slot = plan.op(op).slot;
        let refs = plan.info(op).refs.map(|refs| &plan.refs[refs]);
        let row_slot = refs.and_then(|refs| refs.row_slot.map(|slot| (slot, refs.table)));
        let is_stored = slot != tracegauge_plan::Slot::NONE;
        // The number may come from a row, while the slots belong to the current element, which may
        // define a row next.
        let before = is_stored.then(|| {
            let row = row_slot.map(|(slot, _)| self.memory.slot(slot));
            (self.memory.slot(slot), row)
        });
        if is_stored {
            self.memory.set(slot, Value::Int(i128::from(bits)));
            if let Some((slot, table)) = row_slot {
                let place = self.state.tables[table].find(bits);
                let row = place.map_or(Value::Absent, Value::Row);
                self.memory.set(slot, row);
            }
        }
        let result = work(self);
        if let Some((number, row)) = before {
            self.memory.set(slot, number);
            if let (Some((slot, _)), Some(row)) = (row_slot, row) {
                self.memory.set(slot, row);
            }
        }
        result
    }

    /// Returns whether a number means "no row".
    pub(crate) fn names_none(&mut self, op: OpId, bits: u64) -> bool {
        let plan = self.plan;
        let refs = plan.info(op).refs.map(|refs| &plan.refs[refs]);
        let none = refs.and_then(|refs| refs.none);
        let none = none.and_then(|none| self.evaluate(none, Value::Absent).integer());
        none.map(bits_of) == Some(bits)
    }
}

/// Returns the encoding of an operation's text, or `None` for bytes.
pub(super) fn encoding_of(plan: &Plan, op: OpId) -> Option<Encoding> {
    match plan.op(op).kind {
        Kind::Text(_, encoding) => Some(encoding),
        Kind::Terminated(ending) => ending.encoding,
        _ => None,
    }
}

/// Builds the value of some bytes in the form prescribed by the operation that read them. Without
/// an operation, the bytes are treated as UTF-8.
pub(super) fn write_bytes(plan: &Plan, origin: Option<OpId>, bytes: &[u8], out: &mut RecordBuffer) {
    match origin.map(|op| &plan.op(op).kind) {
        Some(Kind::Guid(endian)) => {
            let text = guid(bytes, *endian);
            let (start, end) = out.bytes(&text);
            out.push(Item::Guid { start, end });
        }
        _ => {
            let encoding = origin.map_or(Some(Encoding::Utf8), |op| encoding_of(plan, op));
            let json = origin.is_some_and(|op| {
                let meaning = &plan.info(op).presentation.meaning;
                matches!(meaning, Some(Meaning::Json { .. }))
            });
            if let (true, Some(encoding)) = (json, encoding)
                && let Some(text) = text::decode(bytes, encoding)
                && crate::json::parse(&text).is_ok()
            {
                let (start, end) = out.bytes(text.as_bytes());
                return out.push(Item::Json { start, end });
            }
            write_text(bytes, encoding, out);
        }
    }
}

pub(crate) fn write_text(bytes: &[u8], encoding: Option<Encoding>, out: &mut RecordBuffer) {
    match encoding {
        None => {
            let (start, end) = out.bytes(bytes);
            out.push(Item::Bytes { start, end });
        }
        Some(Encoding::Utf8) if text::well_formed(bytes, Encoding::Utf8) => {
            let (start, end) = out.bytes(bytes);
            out.push(Item::Text { start, end });
        }
        Some(encoding) => match text::decode(bytes, encoding) {
            Some(text) => {
                let (start, end) = out.bytes(text.as_bytes());
                out.push(Item::Text { start, end });
            }
            None => {
                let (start, end) = out.bytes(bytes);
                out.push(Item::IllFormed { start, end });
            }
        },
    }
}
