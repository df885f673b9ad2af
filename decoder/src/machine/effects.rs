//! Handles the end of a structure: runs the tests, produces the record and then changes the state.

use std::sync::Arc;

use tracegauge_plan::terms::{Continuation, Keeps, RuleId, TableId};
use tracegauge_plan::{
    AgainPlan, ClearPlan, Code, CodeId, DefinePlan, Derived, EffectsPlan, Op, OpId, RecordUseId,
    RemovePlan, SetPlan, SetTargetPlan, flags,
};

use super::{Flow, Machine, Source};
use crate::excess::Excess;
use crate::input::Input;
use crate::report::{ReadFrom, RecordView};
use crate::state::{Cell, Row, Table, UniqueScope, UniqueValue};
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::{Mark, RowMark, Visitor};

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Handles the end of a structure that began at `start`: runs its tests, produces its record
    /// and changes the state.
    pub(super) fn ending(&mut self, id: OpId, op: &'p Op, start: u64) -> Flow {
        let plan = self.plan;
        let info = plan.info(id);
        let effects = info.effects.map(|index| &plan.effects[index]);
        // Tests, records and effects may ask where the structure starts and ends.
        if op.flags & flags::SPAN != 0 {
            self.set_span(id, start);
        }
        if let Some(effects) = effects {
            for check in &effects.checks {
                let unwanted = check
                    .condition
                    .is_some_and(|condition| !self.truth(condition));
                if unwanted || self.holds_check(&check.kind, Value::Absent) {
                    continue;
                }
                let message = self.complaint(check.rule, &check.kind, Value::Absent);
                let span = self.blamed_span(check.blame, start);
                self.mark_computed(check.blame.unwrap_or(id));
                self.breach(
                    check.blame.unwrap_or(id),
                    check.rule,
                    span,
                    format_args!("{message}"),
                )?;
            }
        }
        if op.flags & Self::OBEYS != 0 {
            self.obeyed(id, start, Value::Absent)?;
        }
        self.takes_effect(id, op, start)?;
        for set in effects.iter().flat_map(|effects| &effects.sets) {
            self.set(set);
        }
        self.now_due(effects);
        Ok(())
    }

    /// Notifies the visitor if the structure requires readers to report all records produced so
    /// far.
    pub(super) fn now_due(&mut self, effects: Option<&EffectsPlan>) {
        if V::RECORDS && effects.is_some_and(|effects| effects.due) {
            self.visitor.due();
        }
    }

    /// Produces the structure's record and changes the rows of tables.
    pub(super) fn takes_effect(&mut self, id: OpId, op: &'p Op, start: u64) -> Flow {
        let plan = self.plan;
        let info = plan.info(id);
        let effects = info.effects.map(|index| &plan.effects[index]);
        if V::RECORDS
            && let Some(record) = info.record
            && (!self.outcome.open || self.visitor.beyond())
        {
            self.record(record, op.flags & flags::DIRECT != 0, Some((id, start)))?;
        }
        let Some(effects) = effects else {
            return Ok(());
        };
        if let Some(define) = &effects.defines {
            self.define(id, define, start)?;
        }
        if let Some(remove) = &effects.removes {
            self.remove(id, remove, start)?;
        }
        for clear in &effects.clears {
            self.clear(id, clear, start)?;
        }
        Ok(())
    }

    /// Tells the visitor the value that a field with a wrong value should have, if the field is
    /// computed.
    #[cold]
    pub(super) fn mark_computed(&mut self, field: OpId) {
        if V::MARKS
            && let Some(Derived::Computed(code)) = self.plan.info(field).derived
            && let Some(value) = self.evaluate(code, Value::Absent).integer()
        {
            self.visitor.mark(field, Mark::Computes(value));
        }
    }

    /// Returns the bytes of the field that a test at the end of a structure blames for a violation.
    /// If the position of that field was not recorded, returns the bytes of the structure.
    pub(super) fn blamed_span(&self, blamed: Option<OpId>, start: u64) -> Span {
        let slots = blamed.and_then(|blamed| self.plan.info(blamed).span_slots);
        let ends = slots.map(|(first, last)| {
            (
                self.memory.slot(first).integer(),
                self.memory.slot(last).integer(),
            )
        });
        match ends {
            Some((Some(first), Some(last))) => Span {
                start: u64::try_from(first).unwrap_or(start),
                end: u64::try_from(last).unwrap_or(self.position),
            },
            _ => Span {
                start,
                end: self.position,
            },
        }
    }

    /// Produces the structure's record. If `begun` is set, the buffer already contains some values
    /// of the record.
    pub(super) fn record(
        &mut self,
        index: RecordUseId,
        begun: bool,
        read: Option<(OpId, u64)>,
    ) -> Flow {
        let plan = self.plan;
        let record = &plan.records[index];
        if record
            .condition
            .is_some_and(|condition| !self.truth(condition))
        {
            return Ok(());
        }
        let mut buffer = self.recording.lend();
        if !begun {
            buffer.clear();
        }
        buffer.starts.clear();
        self.recording.sources.clear();
        match plan.record_forms.get(index) {
            Some(form) if Self::PLAIN => self.write_form(form, &mut buffer),
            _ => self.write_members(&record.members, &mut buffer),
        }
        if buffer.is_full() {
            let at = self.position;
            return self.exceeds(Excess::Record { at });
        }
        if V::SOURCES {
            self.note_rows();
        }
        let mut freed = Vec::new();
        if V::NOTES {
            for (rule, when) in &record.frees {
                if when.is_none_or(|when| self.truth(when)) {
                    freed.push(*rule);
                }
            }
        }
        let read = read.filter(|_| self.wants_sources()).map(|(op, start)| {
            let end = self.position;
            ReadFrom {
                whole: Source {
                    op,
                    span: Span { start, end },
                },
                items: &self.recording.sources,
            }
        });
        self.visitor.record(&RecordView {
            end: self.position,
            is_tentative: self.state.awaits_rows(),
            plan,
            index,
            record,
            buffer: &buffer,
            freed: &freed,
            read,
        });
        self.recording.give_back(buffer);
        Ok(())
    }

    /// Defines a row of a table for a structure or list element.
    pub(super) fn define(&mut self, id: OpId, define: &'p DefinePlan, start: u64) -> Flow {
        if define
            .condition
            .is_some_and(|condition| !self.truth(condition))
        {
            return Ok(());
        }
        let key = match define.key {
            None => start,
            Some(key) => {
                let key = self.evaluate(key, Value::Absent).integer();
                let Some(key) = key.and_then(|key| u64::try_from(key).ok()) else {
                    return Ok(());
                };
                key
            }
        };
        // A key that does not fit the key type of the table does not identify a row.
        let bits = u32::from(self.plan.tables[define.table].key_bits);
        if bits < 64 && key >> bits != 0 {
            return Ok(());
        }
        let place = self.state.tables[define.table].find(key);
        let cells: Box<[Cell]> = define.columns.iter().map(|code| self.cell(*code)).collect();
        if let (Some(place), Some(again)) = (place, &define.again) {
            let again = self.again_of(define.table, place, again);
            let keeps = self.defined_again(id, define.table, place, again, &cells, start)?;
            if keeps == Keeps::First {
                return Ok(());
            }
        }
        let unique = self.unique_rows(id, define, key, &cells, start)?;
        let bytes = if self.plan.tables[define.table].keeps_bytes {
            self.input.bytes(start, self.position).into()
        } else {
            Box::default()
        };
        let kind = self.kind_defined(id, define, &cells, start)?;
        self.unsettle();
        if let Some(rule) = self.outcome.ended.remove(&(define.table, key)) {
            let end = self.position;
            self.count_shown(rule, Span { start, end });
        }
        let table = &mut self.state.tables[define.table];
        let pending = table.pending.remove(&key);
        table.define(Row {
            key,
            cells,
            bytes,
            unique,
            span: Some(Span {
                start,
                end: self.position,
            }),
            kind,
            initial: None,
            layouts: Vec::new(),
            programs: Vec::new(),
            shown: Vec::new(),
            images: Vec::new(),
        });
        if V::MARKS {
            let defined = Mark::Row(RowMark::Defined, define.table, Some(key));
            self.visitor.mark(id, defined);
        }
        match pending {
            Some(pending) => {
                let path = Some(pending.path);
                self.breach_at(
                    pending.op,
                    Some(pending.later),
                    pending.span,
                    path,
                    format_args!("the value refers to a table row that is defined later"),
                )
            }
            None => Ok(()),
        }
    }

    /// Handles a second definition of a key. Returns which of the two rows to keep.
    fn defined_again(
        &mut self,
        id: OpId,
        table: TableId,
        place: u32,
        again: &AgainPlan,
        cells: &[Cell],
        start: u64,
    ) -> Flow<Keeps> {
        let same = match self.state.tables[table].row(place) {
            None => false,
            Some(row) if again.bytes => *row.bytes == *self.input.bytes(start, self.position),
            Some(row) => again.columns.iter().all(|column| {
                let column = column.index();
                same_cell(row.cells.get(column), cells.get(column))
            }),
        };
        let span = Span {
            start,
            end: self.position,
        };
        let alike = again.alike.as_ref().filter(|(columns, _)| {
            let row = self.state.tables[table].row(place);
            row.is_some_and(|row| {
                columns.iter().all(|column| {
                    let column = column.index();
                    same_cell(row.cells.get(column), cells.get(column))
                })
            })
        });
        if V::MARKS {
            let key = self.state.tables[table].row(place).map(|row| row.key);
            self.visitor
                .mark(id, Mark::Row(RowMark::Again { same }, table, key));
        }
        let (rule, how) = match (same, alike) {
            (true, _) => (again.same, "with the same contents"),
            (false, Some((_, rule))) => (*rule, "with compatible contents"),
            (false, None) => (again.other, "with different contents"),
        };
        if rule.is_some() {
            self.breach(id, rule, span, format_args!("row defined again {how}"))?;
        }
        let chosen = rule.and_then(|rule| self.plan.rules[rule].chosen());
        Ok(match chosen {
            // Rows that are equal in the compared fields may differ in others.
            _ if same => again.keeps,
            Some(Continuation::Keep) => Keeps::First,
            Some(Continuation::Replace) => Keeps::Last,
            _ => again.keeps,
        })
    }

    /// Checks that no other row of the table already contains one of the new row's unique values.
    /// Returns these values.
    fn unique_rows(
        &mut self,
        id: OpId,
        define: &DefinePlan,
        key: u64,
        cells: &[Cell],
        start: u64,
    ) -> Flow<Vec<UniqueValue>> {
        let mut values = Vec::new();
        for unique in &define.unique {
            let value = self.evaluate(unique.by, Value::Absent);
            let bytes: Arc<[u8]> = match (value.integer(), self.text_of(value)) {
                (Some(number), _) => number.to_le_bytes().as_slice().into(),
                (None, Some(text)) => text.into(),
                (None, None) => continue,
            };
            let scope = match unique.column {
                Some(column) => UniqueScope::Column(column),
                None => UniqueScope::Expression(unique.by),
            };
            let known = (scope, bytes);
            let before = self.before_file(define.table, key, unique.column, cells);
            if before || self.state.tables[define.table].is_taken(&known, key) {
                let span = Span {
                    start,
                    end: self.position,
                };
                let shown = self.shown_value(value);
                self.breach(
                    id,
                    unique.rule,
                    span,
                    format_args!("{shown} also occurs in another row"),
                )?;
            }
            values.push(known);
        }
        Ok(values)
    }

    /// Evaluates an expression and stores the value as a cell.
    fn cell(&mut self, code: CodeId) -> Cell {
        match self.evaluate(code, Value::Absent) {
            Value::Absent | Value::Row(_) => Cell::Absent,
            Value::Int(value) => Cell::Int(value),
            Value::Bool(value) => Cell::Bool(value),
            Value::Float(value) => Cell::Float(value),
            Value::Node(node) if node as usize >= self.kept.tree.nodes.len() => Cell::Absent,
            Value::Node(node) => Cell::Tree(Arc::new(self.kept_tree(node))),
            Value::Picked(list) => {
                let part = match self.plan.codes[code.index()] {
                    Code::Slot(slot) => self.plan.origin(slot),
                    _ => None,
                };
                Cell::Tree(Arc::new(self.picked_tree(list, part)))
            }
            value => match self.text_of(value) {
                Some(text) => Cell::Bytes(text.into()),
                None => Cell::Absent,
            },
        }
    }

    fn remove(&mut self, id: OpId, remove: &RemovePlan, start: u64) -> Flow {
        let key = match self.evaluate(remove.key, Value::Absent) {
            Value::Absent => return Ok(()),
            key => key.integer(),
        };
        let key = key.and_then(|key| u64::try_from(key).ok());
        let place = key.and_then(|key| self.state.tables[remove.table].find(key));
        let removed = key.and_then(|key| self.state.tables[remove.table].remove(key));
        self.unsettle();
        if let Some(place) = place {
            self.forget_rows(remove.table, Some(place));
        }
        if removed.is_some() {
            self.ended(id, remove.rule, start);
            if let Some(key) = key {
                self.remember_ended(remove.table, key, remove.rule);
            }
            if V::MARKS {
                self.visitor
                    .mark(id, Mark::Row(RowMark::Ended, remove.table, key));
            }
        }
        let dangling = remove.dangling;
        if removed.is_some() || dangling.is_none() {
            return Ok(());
        }
        let span = Span {
            start,
            end: self.position,
        };
        self.breach(
            id,
            dangling,
            span,
            format_args!("the table row to be removed does not exist"),
        )
    }

    /// Marks the rule that requires rows to be removed as exercised, for coverage. No violation is
    /// reported under this rule (removing a row that does not exist violates a different rule), so
    /// this mark is the only evidence that a trace exercises the rule.
    fn ended(&mut self, id: OpId, rule: Option<RuleId>, start: u64) {
        if V::MARKS
            && let Some(rule) = rule
        {
            let end = self.position;
            self.visitor
                .mark(id, Mark::Shows(rule, Span { start, end }));
        }
    }

    /// Remembers the rule that required a row to be removed. The trace exercises the rule if it
    /// defines the row again, because a reader that still has the removed row then reports its
    /// contents or rejects the second definition.
    fn remember_ended(&mut self, table: TableId, key: u64, rule: Option<RuleId>) {
        if let Some(rule) = rule.filter(|_| Self::ALL_RULES) {
            self.outcome.ended.insert((table, key), rule);
        }
    }

    /// Remembers the rule that requires the rows of a table to be removed.
    fn remember_cleared(&mut self, table: TableId, rule: Option<RuleId>) {
        if !Self::ALL_RULES || rule.is_none() {
            return;
        }
        let rows = self.state.tables[table].rows();
        let defined = rows.filter(|row| row.initial.is_none());
        let keys: Vec<u64> = defined.map(|row| row.key).collect();
        for key in keys {
            self.remember_ended(table, key, rule);
        }
    }

    fn clear(&mut self, id: OpId, clear: &ClearPlan, start: u64) -> Flow {
        if clear
            .condition
            .is_some_and(|condition| !self.truth(condition))
        {
            return Ok(());
        }
        if V::MARKS {
            let is_cleared = |id: TableId| clear.table.is_none_or(|wanted| wanted == id);
            let is_live = |(id, table): (_, &Table)| is_cleared(id) && !table.is_empty();
            if self.state.tables.entries().any(is_live) {
                self.ended(id, clear.rule, start);
            }
        }
        self.unsettle();
        // Rows that were referenced but not yet defined can no longer be defined, so the references
        // to them are reported now.
        match clear.table {
            None => {
                self.unresolved()?;
                for (table, _) in self.plan.tables.entries() {
                    self.remember_cleared(table, clear.rule);
                }
                self.state.reset();
                self.memory.reset_registers(self.plan);
                if V::MARKS {
                    self.visitor.mark(id, Mark::Restart);
                }
            }
            Some(table) => {
                let mut left: Vec<_> = self.state.tables[table]
                    .pending
                    .drain()
                    .map(|(_, p)| p)
                    .collect();
                left.sort_by_key(|pending| pending.span.start);
                for pending in left {
                    self.never_came(pending)?;
                }
                self.remember_cleared(table, clear.rule);
                self.state.tables[table].clear();
                self.forget_rows(table, None);
                if V::MARKS {
                    self.visitor
                        .mark(id, Mark::Row(RowMark::Ended, table, None));
                }
            }
        }
        Ok(())
    }

    pub(super) fn set(&mut self, set: &SetPlan) {
        if set
            .condition
            .is_some_and(|condition| !self.truth(condition))
        {
            return;
        }
        let value = match self.evaluate(set.value, Value::Absent) {
            Value::Row(place) => Some(i128::from(place)),
            value => value.integer(),
        };
        match set.target {
            SetTargetPlan::Register(register) => self.memory.set_register(register, value),
            SetTargetPlan::Column { table, key, column } => {
                let key = self.evaluate(key, Value::Absent).integer();
                let Some(key) = key.and_then(|key| u64::try_from(key).ok()) else {
                    return;
                };
                let table = &mut self.state.tables[table];
                if let Some(row) = table.find(key).and_then(|place| table.row_mut(place))
                    && let Some(cell) = row.cells.get_mut(column.index())
                {
                    *cell = value.map_or(Cell::Absent, Cell::Int);
                }
            }
        }
    }
}

pub(super) fn same_cell(a: Option<&Cell>, b: Option<&Cell>) -> bool {
    match (a, b) {
        (Some(Cell::Int(a)), Some(Cell::Int(b))) => a == b,
        (Some(Cell::Bool(a)), Some(Cell::Bool(b))) => a == b,
        (Some(Cell::Float(a)), Some(Cell::Float(b))) => a.to_bits() == b.to_bits(),
        (Some(Cell::Bytes(a)), Some(Cell::Bytes(b))) => a == b,
        (Some(Cell::Absent), Some(Cell::Absent)) => true,
        (Some(Cell::Tree(a)), Some(Cell::Tree(b))) => same_tree(a, b),
        _ => false,
    }
}

/// Returns whether two parts of a trace have the same values, regardless of their positions.
fn same_tree(a: &crate::tree::Tree, b: &crate::tree::Tree) -> bool {
    a.heap == b.heap
        && a.nodes.len() == b.nodes.len()
        && a.nodes
            .iter()
            .zip(&b.nodes)
            .all(|(a, b)| a.op == b.op && a.end == b.end && a.payload == b.payload)
}
