//! Builds the values of a record from nodes of the tree.

use tracegauge_plan::terms::{ColumnId, Encoding, EnumId, Meaning, TableId};
use tracegauge_plan::{Code, CodeId, Kind, MemberPlan, MemberSource, OpId, Plan};

use super::format::{date_time, guid};
use super::{Item, RecordBuffer};
use crate::input::Input;
use crate::machine::{Machine, STACK_LEFT, STACK_MORE, bits_of};
use crate::state::Cell;
use crate::text;
use crate::tree::{NodeId, Payload, Tree};
use crate::value::Value;
use crate::visitor::Visitor;

/// The location of the text that a tree's nodes refer to.
#[derive(Clone, Copy)]
pub(super) enum Texts {
    /// In the tree's heap.
    Heap,
    /// In the input.
    Input,
}

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
            let (start, end) = out.bytes(
                date_time(i128::from(bits.cast_signed()), unit_nanoseconds, epoch).as_bytes(),
            );
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
        let value = self.evaluate(shows, Value::Absent);
        if self.wants_sources() {
            self.note_sources(out.next(), shows);
        }
        match value {
            Value::Absent if self.names_none(op, bits) => out.push(Item::Absent),
            Value::Absent => out.push(Item::Missing),
            value => {
                let origin = self.column_origin(shows);
                self.present(value, origin, out);
            }
        }
        if let Some((number, row)) = before {
            self.memory.set(slot, number);
            if let (Some((slot, _)), Some(row)) = (row_slot, row) {
                self.memory.set(slot, row);
            }
        }
    }

    /// Returns whether a number means "no row".
    pub(crate) fn names_none(&mut self, op: OpId, bits: u64) -> bool {
        let plan = self.plan;
        let refs = plan.info(op).refs.map(|refs| &plan.refs[refs]);
        let none = refs.and_then(|refs| refs.none);
        let none = none.and_then(|none| self.evaluate(none, Value::Absent).integer());
        none.map(bits_of) == Some(bits)
    }

    /// Builds the value of a node.
    pub(super) fn present_node(
        &mut self,
        tree: &Tree,
        id: NodeId,
        texts: Texts,
        out: &mut RecordBuffer,
    ) {
        let node = tree.node(id);
        let plan = self.plan;
        let info = plan.info(node.op);
        if self.wants_sources() && node.payload != Payload::Picked {
            self.note_source(out.next(), node.op, node.span);
        }
        if !self.outcome.no_values.is_empty()
            && self.outcome.no_values.contains(&(node.op, node.span.start))
        {
            return out.push(Item::Missing);
        }
        match (&plan.op(node.op).kind, node.payload) {
            (_, Payload::Picked) => self.present_list_of(tree, id, node.op, texts, out),
            (_, Payload::Bits(bits)) => self.present_bits(node.op, bits, out),
            (_, Payload::Bytes { start, length }) => {
                let bytes = self.kept_bytes(tree, texts, start, length);
                write_bytes(plan, Some(node.op), bytes, out);
            }
            (Kind::Layout(_), Payload::Layout(index)) => {
                let layout = &tree.layouts[index as usize];
                self.present_layout(tree, id, layout, texts, out);
            }
            (Kind::Switch(_), Payload::Layout(index)) => {
                let layout = &tree.layouts[index as usize];
                self.present_kind(tree, id, layout, texts, out);
            }
            (Kind::Layout(_) | Kind::Switch(_) | Kind::Sized(_) | Kind::Call(_), _) => {
                match tree.children(id).next() {
                    // Deep nesting must not overflow the thread's stack.
                    Some(inside) => stacker::maybe_grow(STACK_LEFT, STACK_MORE, || {
                        self.present_node(tree, inside, texts, out);
                    }),
                    None => out.push(Item::Absent),
                }
            }
            (Kind::Repeat(_), _) => self.present_list(tree, id, texts, out),
            (Kind::Structure, _) if is_null(plan, tree, id) => out.push(Item::Absent),
            (Kind::Structure, _) if info.presentation.transparent => {
                let shown = tree.children(id).find(|child| {
                    let info = plan.info(tree.node(*child).op);
                    info.name.is_none() && info.label.is_some()
                });
                match shown {
                    Some(shown) => self.present_node(tree, shown, texts, out),
                    None => out.push(Item::Absent),
                }
            }
            _ => match &info.presentation.meaning {
                // A pair outside a list is shown as a list of its two values.
                Some(Meaning::Pair { key, value }) => {
                    let at = out.open(Item::List);
                    for wanted in [key, value] {
                        match labelled(plan, tree, id, wanted) {
                            Some(child) => self.present_node(tree, child, texts, out),
                            None => out.push(Item::Absent),
                        }
                    }
                    out.close(at, Item::List);
                }
                Some(Meaning::DateTime) => match date_parts(tree, id) {
                    Some(parts) if text::is_date(&parts) => {
                        let [year, month, _, day, hour, minute, second, millisecond] = parts;
                        let text = format!(
                            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z"
                        );
                        let (start, end) = out.bytes(text.as_bytes());
                        out.push(Item::DateTime { start, end });
                    }
                    Some(_) => self.present_structure(tree, id, texts, out),
                    // The bytes ended inside the date and time.
                    None => out.push(Item::Missing),
                },
                _ => self.present_structure(tree, id, texts, out),
            },
        }
    }

    fn kept_bytes<'t>(&'t self, tree: &'t Tree, texts: Texts, start: u64, length: u64) -> &'t [u8] {
        match texts {
            Texts::Input => self.input.bytes(start, start + length),
            Texts::Heap => {
                let start = usize::try_from(start).unwrap_or(usize::MAX);
                let end = start.saturating_add(usize::try_from(length).unwrap_or_default());
                tree.heap.get(start..end).unwrap_or_default()
            }
        }
    }

    fn present_list(&mut self, tree: &Tree, id: NodeId, texts: Texts, out: &mut RecordBuffer) {
        let element = OpId(tree.node(id).op.0 + 1);
        self.present_list_of(tree, id, element, texts, out);
    }

    /// Builds a list whose elements were read by the operation `element`.
    fn present_list_of(
        &mut self,
        tree: &Tree,
        id: NodeId,
        element: OpId,
        texts: Texts,
        out: &mut RecordBuffer,
    ) {
        let plan = self.plan;
        let element = plan.info(plan.presented(element));
        if let Some(Meaning::Pair { key, value }) = &element.presentation.meaning {
            return self.present_pairs(tree, id, (key, value), texts, out);
        }
        let at = out.open(Item::List);
        for child in tree.children(id) {
            self.present_node(tree, child, texts, out);
        }
        out.close(at, Item::List);
    }

    fn present_pairs(
        &mut self,
        tree: &Tree,
        id: NodeId,
        names: (&str, &str),
        texts: Texts,
        out: &mut RecordBuffer,
    ) {
        let plan = self.plan;
        let at = out.open(Item::Pairs);
        for pair in tree.children(id) {
            let pair = shown_node(plan, tree, pair);
            for wanted in [names.0, names.1] {
                match labelled(plan, tree, pair, wanted) {
                    Some(child) => self.present_node(tree, child, texts, out),
                    None => out.push(Item::Absent),
                }
            }
        }
        out.close(at, Item::Pairs);
    }

    fn present_structure(&mut self, tree: &Tree, id: NodeId, texts: Texts, out: &mut RecordBuffer) {
        let at = out.open(Item::Object);
        self.present_members(tree, id, texts, out);
        out.close(at, Item::Object);
    }

    /// Builds the fields of a structure, with their names.
    fn present_members(&mut self, tree: &Tree, id: NodeId, texts: Texts, out: &mut RecordBuffer) {
        let plan = self.plan;
        for child in tree.children(id) {
            let info = plan.info(tree.node(child).op);
            let Some(label) = info.label else {
                // Bit fields belong to the structure around their bit run.
                for inside in tree.children(child) {
                    if let Some(label) = plan.info(tree.node(inside).op).label {
                        out.push(Item::Name(label.0));
                        self.present_node(tree, inside, texts, out);
                    }
                }
                continue;
            };
            if info.derived.is_some() {
                continue;
            }
            let part = shown_node(plan, tree, child);
            if info.presentation.embedded
                && matches!(plan.op(tree.node(part).op).kind, Kind::Structure)
            {
                stacker::maybe_grow(STACK_LEFT, STACK_MORE, || {
                    self.present_members(tree, part, texts, out);
                });
                continue;
            }
            out.push(Item::Name(label.0));
            self.present_node(tree, child, texts, out);
        }
    }
}

/// Returns whether a part of the trace contains values that are looked up in tables and may
/// therefore change later.
fn looks_up(plan: &Plan, tree: &Tree) -> bool {
    let mut ops = tree.nodes.iter().map(|node| plan.info(node.op));
    ops.any(|info| info.presentation.shows.is_some())
}

/// Returns whether a structure is null, so that it has no value.
pub(crate) fn is_null(plan: &Plan, tree: &Tree, id: NodeId) -> bool {
    let says_so = |node: NodeId| {
        let node = tree.node(node);
        let null = plan.info(node.op).null.map(bits_of);
        null.is_some_and(|null| node.payload == Payload::Bits(null))
    };
    let decides = |child: NodeId| {
        let is_run = matches!(plan.op(tree.node(child).op).kind, Kind::BitRun { .. });
        says_so(shown_node(plan, tree, child)) || is_run && tree.children(child).any(says_so)
    };
    plan.info(tree.node(id).op).presentation.nullable && tree.children(id).any(decides)
}

/// Returns the node whose value represents a node in a record, looking inside sized parts,
/// recursive calls, and structures that are represented by one of their fields.
fn shown_node(plan: &Plan, tree: &Tree, id: NodeId) -> NodeId {
    let mut at = id;
    loop {
        let op = tree.node(at).op;
        let inside = match plan.op(op).kind {
            Kind::Sized(_) | Kind::Call(_) => tree.children(at).next(),
            Kind::Structure if plan.info(op).presentation.transparent => {
                tree.children(at).find(|child| {
                    let info = plan.info(tree.node(*child).op);
                    info.name.is_none() && info.label.is_some()
                })
            }
            _ => None,
        };
        match inside {
            Some(inside) => at = inside,
            None => return at,
        }
    }
}

/// Returns the child with the label `wanted`, also searching inside runs of bit fields.
fn labelled(plan: &Plan, tree: &Tree, id: NodeId, wanted: &str) -> Option<NodeId> {
    tree.children(id)
        .find_map(|child| match plan.info(tree.node(child).op).label {
            Some(label) => (plan.name(label) == wanted).then_some(child),
            None => labelled(plan, tree, child, wanted),
        })
}

/// Returns the components of a date and time, which are the children of a node: year, month, day of
/// the week, day, hour, minute, second and millisecond.
fn date_parts(tree: &Tree, id: NodeId) -> Option<[i128; 8]> {
    let mut parts = [0; 8];
    let mut children = tree.children(id);
    for part in &mut parts {
        *part = match tree.node(children.next()?).payload {
            Payload::Bits(bits) => i128::from(bits.cast_signed()),
            _ => return None,
        };
    }
    Some(parts)
}

/// Returns the encoding of an operation's text, or `None` for bytes.
fn encoding(plan: &Plan, op: OpId) -> Option<Encoding> {
    match plan.op(op).kind {
        Kind::Text(_, encoding) => Some(encoding),
        Kind::Terminated(ending) => ending.encoding,
        _ => None,
    }
}

/// Builds the value of some bytes in the form prescribed by the operation that read them. Without
/// an operation, the bytes are treated as UTF-8.
fn write_bytes(plan: &Plan, origin: Option<OpId>, bytes: &[u8], out: &mut RecordBuffer) {
    match origin.map(|op| &plan.op(op).kind) {
        Some(Kind::Guid(endian)) => {
            let text = guid(bytes, *endian);
            let (start, end) = out.bytes(&text);
            out.push(Item::Guid { start, end });
        }
        _ => {
            let encoding = origin.map_or(Some(Encoding::Utf8), |op| encoding(plan, op));
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
