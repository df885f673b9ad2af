//! The machine that runs a plan over bytes.
//!
//! The machine runs the plan's operations in order and recurses only into operations that contain
//! other operations. The plan bounds the recursion depth, except for recursive types, which have an
//! explicit limit. Memory use grows with the bytes that were read, not with the lengths that a
//! trace declares. Run time also grows only with the bytes that were read, because decoding stops
//! after too many elements that occupy no bytes.
//!
//! A *slot* stores a value for expressions that read it later. A *sized part* is a range of bytes
//! whose size is given, for example by an earlier field. A *layout* consists of fields that the
//! trace itself describes. An *emitter* is a visitor that writes the trace: it writes the bytes of
//! each value just before the machine reads them.

mod bytes;
mod complaint;
mod direct;
mod effects;
mod ending;
mod expression;
mod inside;
mod leaf;
mod list;
mod located;
mod nested;
mod node;
mod part;
mod parted;
mod path;
mod primitive;
mod repeat;
mod row;
mod short;
mod sources;
mod steps;
mod switch;
mod unique;
mod variable;
mod violation;
mod working;

pub use nested::{Placed, Word};
pub(crate) use row::bits_of;
pub use sources::Source;
pub(crate) use working::{Enclosing, Kept, Layouts, Outcome, Recording};

use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{Arena, Kind, Op, OpId, Plan, WordId, flags};

use crate::excess::{Excess, RECORD_BYTES, RECORD_VALUES};
use crate::input::Input;
use crate::stack;
use crate::state::{Memory, State};
use crate::tree::{NodeId, Tree};
use crate::value::Value;
use crate::verdict::{Judgement, Span, Verdict};
use crate::visitor::{Mark, Visitor};

/// How reading stops before all operations have run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The trace is rejected.
    Rejected,
    /// The rest of the sized part is skipped.
    Part,
    /// Reading ends here. Everything read so far remains valid.
    End,
}

pub(crate) type Flow<T = ()> = Result<T, Stop>;

/// The number of zero-size elements that every trace may contain. Each byte of input allows one
/// more such element.
const FREE_ELEMENTS: u64 = 1 << 20;

/// Runs a plan over an input and reports to a visitor.
pub struct Machine<'p, I, V> {
    pub(crate) plan: &'p Plan,
    pub(crate) input: I,
    pub(crate) visitor: V,
    /// The position of the next byte.
    pub(crate) position: u64,
    /// The end of the current sized part. For a stream of unknown length, the limit is `u64::MAX`.
    pub(crate) limit: u64,
    pub(crate) part_start: u64,
    pub(crate) memory: Memory,
    pub(crate) state: State,
    /// The operation where a sized part or the trace last ended early.
    pub(crate) cut: OpId,
    /// The number of elements that occupied no bytes.
    pub(crate) free_elements: u64,
    pub(crate) enclosing: Enclosing,
    pub(crate) layouts: Layouts,
    pub(crate) kept: Kept,
    pub(crate) recording: Recording,
    pub(crate) outcome: Outcome,
    /// Whether a test is being evaluated. An emitter must not make choices during a test.
    pub(crate) testing: bool,
    /// Whether an integer of more than 128 bits has been computed since this flag was last reset.
    pub(crate) beyond: bool,
    /// The changes that steps (the fast path) made, so that the machine can undo them if the steps
    /// give up.
    pub(crate) undone: Vec<steps::Change>,
    /// The values that `undone` mentions and that are not numbers.
    pub(crate) undone_values: Vec<Value>,
    /// The programs for the values of words, whose bits say which fields are present.
    pub(crate) words: Arena<WordId, steps::WordPrograms>,
    /// The number of violations that steps have tolerated.
    pub(crate) tolerated: u64,
    /// Sets of keys that are not in use and can be reused.
    pub(crate) keys: Vec<unique::Keys>,
    /// The nodes that each query over a list has selected.
    pub(crate) picked: Vec<Vec<NodeId>>,
}

/// The result of decoding a trace.
#[derive(Debug)]
pub struct Finished<V> {
    /// The verdict.
    pub verdict: Verdict,
    /// The tree, if the visitor requested it. If the trace is rejected, the tree ends at the
    /// violation.
    pub tree: Tree,
    /// The visitor.
    pub visitor: V,
    /// The error that prevented the input from being read to its end: an I/O error, or an
    /// [`Excess`] with the kind `FileTooLarge`. The verdict then covers only the bytes that were
    /// read.
    pub failure: Option<std::io::Error>,
}

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Whether the machine may run steps, its fast path, instead of operations. Steps do not
    /// support trees, marks, emitters, limits, or records whose deviations are noted.
    pub(crate) const PLAIN: bool =
        !V::TREE && !V::MARKS && !V::DIRECTS && !V::LIMITED && !(V::NOTES && V::RECORDS);
    /// Whether the visitor needs every rule that the trace exercises.
    pub(crate) const ALL_RULES: bool = V::MARKS || (V::NOTES && V::RECORDS);
    /// The flag that marks operations that can exercise a rule relevant to this visitor.
    pub(crate) const OBEYS: u32 = if Self::ALL_RULES {
        flags::OBEYS
    } else {
        flags::SHOWS
    };

    /// Creates a machine positioned at the first byte of `input`.
    pub fn new(plan: &'p Plan, input: I, visitor: V) -> Self {
        let limit = input.length().unwrap_or(u64::MAX);
        Self {
            plan,
            input,
            visitor,
            position: 0,
            limit,
            part_start: 0,
            memory: Memory::new(plan),
            state: State::new(plan),
            cut: OpId(0),
            free_elements: 0,
            enclosing: Enclosing::default(),
            layouts: Layouts::default(),
            kept: Kept {
                keeping: u32::from(V::TREE),
                holds: u32::from(V::TREE && !V::PARTS),
                ..Kept::default()
            },
            recording: Recording::default(),
            outcome: Outcome {
                shown: vec![None; plan.rules.len()].into(),
                ..Outcome::default()
            },
            testing: false,
            beyond: false,
            undone: Vec::new(),
            undone_values: Vec::new(),
            words: (0..plan.words).map(|_| Default::default()).collect(),
            tolerated: 0,
            keys: Vec::new(),
            picked: Vec::new(),
        }
    }

    /// Decodes the whole input.
    pub fn run(mut self) -> Finished<V> {
        let plan = self.plan;
        if plan.whole {
            self.gather();
        }
        let flow = match plan.ops.first() {
            Some(root) => self
                .operation(OpId(0), root)
                .and_then(|()| self.trailing(root)),
            None => Ok(()),
        };
        if flow == Err(Stop::End)
            && self.outcome.violation.is_none()
            && self.outcome.excess.is_none()
        {
            self.left();
        }
        let flow = match V::TREE && self.kept.tree.is_starved {
            true => self.tree_exceeds(self.position),
            false => flow,
        };
        let flow = match flow {
            Err(Stop::Rejected) => Err(Stop::Rejected),
            _ if self.outcome.excess.is_some() => flow,
            _ => self.unresolved(),
        };
        let judgement = match (flow, self.outcome.violation.take()) {
            // Once readers may interpret the trace differently, a violation no longer implies
            // rejection.
            (Err(_), Some(violation)) if !self.outcome.open => Judgement::Rejected(violation),
            _ if self.outcome.either || self.outcome.open => Judgement::Either {
                open: self.outcome.open,
            },
            _ => Judgement::Accepted,
        };
        let mut shown = std::mem::take(&mut self.outcome.shown);
        let order = std::mem::take(&mut self.outcome.shown_order);
        let shown = order
            .into_iter()
            .filter_map(|rule| shown[rule].take())
            .collect();
        if V::PARTS {
            self.visitor.part(&self.kept.tree, &self.input, &[], 0);
        }
        let excess = self.outcome.excess.map(Into::into);
        let failure = self.input.failure().or(excess);
        let verdict = Verdict {
            judgement,
            shown,
            length: self.input.seen(),
            too_deep: self.outcome.too_deep,
        };
        Finished {
            verdict,
            tree: self.kept.tree,
            visitor: self.visitor,
            failure,
        }
    }

    /// Handles the bytes that follow the root structure of the trace.
    fn trailing(&mut self, root: &Op) -> Flow {
        if self.directs() {
            V::end_trace(self);
        }
        if !self.more() {
            return Ok(());
        }
        let span = Span {
            start: self.position,
            end: self.input_end(),
        };
        let kind = tracegauge_plan::terms::FaultKind::Trailing;
        let flow = self.fault_at(OpId(0), root, kind, span);
        // Reading may legitimately stop here, but the tree must still contain these bytes.
        if V::TREE && flow != Err(Stop::Rejected) {
            self.keep_trailing();
        }
        flow
    }

    /// Handles the remaining bytes if reading stops before the end of the trace.
    #[cold]
    fn left(&mut self) {
        if self.directs() {
            V::cut_trace(self);
        } else if V::TREE && self.plan.locations.is_empty() {
            self.pass_to_last_value(0, 0);
            if self.more() {
                self.keep_trailing();
            }
        }
    }

    /// Stores the bytes after the root structure at the end of the root node.
    fn keep_trailing(&mut self) {
        while self.limit == u64::MAX {
            let next = self.input.seen().saturating_add(1);
            if !self.input.ensure(self.position, next) {
                break;
            }
        }
        let end = self.input_end();
        let bytes = self.input.bytes(self.position, end);
        let payload = self.kept.tree.keep(bytes);
        let span = Span {
            start: self.position,
            end,
        };
        let node = self.kept.tree.leaf(OpId(0), span, payload, 0);
        self.position = end;
        if let Some(root) = self.kept.tree.nodes.first_mut() {
            root.end = node + 1;
        }
    }

    /// Runs the sibling operations from `first` up to `end`.
    #[inline]
    pub(crate) fn siblings(&mut self, first: u32, end: u32) -> Flow {
        let plan = self.plan;
        let mut at = first;
        while at < end {
            let op = &plan.ops[at as usize];
            if Self::PLAIN
                && op.flags & flags::RUN != 0
                && self.outcome.parted.is_none()
                && let Some(after) = self.run_steps(OpId(at))
            {
                at = after;
                continue;
            }
            if op.flags & flags::OPTIONAL_REST != 0 && !self.goes_on(OpId(at)) {
                return Ok(());
            }
            if let Err(stop) = self.operation(OpId(at), op) {
                return Err(self.siblings_stop(at, end, stop));
            }
            at = op.end;
        }
        Ok(())
    }

    /// Returns whether a sized part that may end before its next field continues with that field.
    fn goes_on(&mut self, id: OpId) -> bool {
        if self.directs() {
            V::goes_on(self, id)
        } else {
            self.more()
        }
    }

    /// Runs an operation and everything inside it.
    #[inline]
    pub(crate) fn operation(&mut self, id: OpId, op: &'p Op) -> Flow {
        if V::LIMITED && self.visitor.spent() {
            return Err(Stop::End);
        }
        if self.outcome.parted.is_some() {
            self.follow_readers(id);
        }
        if op.flags & flags::GUARD != 0 && !self.truth(op.guard) {
            return self.skipped(id, op);
        }
        if V::MARKS {
            self.visitor.mark(id, Mark::Enter);
        }
        if V::DIRECTS && self.layouts.viewing == 0 {
            self.directed(id, op)?;
        }
        if Self::PLAIN
            && op.flags & flags::FUSED != 0
            && self.outcome.parted.is_none()
            && self.fused(id)
        {
            return Ok(());
        }
        match V::DIRECTS {
            true => self.written(id, op),
            false => self.by_kind(id, op),
        }
    }

    /// Runs an operation according to its kind.
    #[inline]
    pub(crate) fn by_kind(&mut self, id: OpId, op: &'p Op) -> Flow {
        match &op.kind {
            Kind::Integer(integer) => self.integer(id, op, *integer),
            Kind::Variable(kind, bits) => self.variable(id, op, *kind, *bits),
            Kind::Structure => self.structure(id, op),
            Kind::Switch(index) => self.switch(id, op, *index),
            Kind::Layout(index) => self.layout(id, op, *index),
            Kind::Nested(index) => self.nested(id, op, *index),
            Kind::Text(extent, encoding) => self.text(id, op, *extent, *encoding),
            Kind::Bytes(extent) => self.raw_bytes(id, op, *extent),
            Kind::Repeat(index) => self.repeat(id, op, *index),
            Kind::Float { width, endian } => self.float(id, op, *width, *endian),
            Kind::Call(target) => self.call(id, op, *target),
            Kind::BitRun { width, order } => self.bit_run(id, op, *width, *order),
            // Bit fields are read together with the enclosing bit run.
            Kind::Bits { .. } => Ok(()),
            Kind::Guid(_) => self.guid(id, op),
            Kind::Contents(constant) => self.contents(id, op, *constant),
            Kind::Terminated(ending) => self.terminated(id, op, *ending),
            Kind::At(index) => self.located(id, op, *index),
            Kind::Bind(code) => {
                let value = self.evaluate(*code, Value::Absent);
                self.memory.set(op.slot, value);
                Ok(())
            }
            Kind::Sized(extent) => self.sized(id, op, *extent),
            Kind::Check => self.check(id, op),
            Kind::Align {
                to,
                from_file,
                fill,
            } => self.align(id, op, *to, *from_file, *fill),
        }
    }

    /// Handles a field whose condition does not hold. The field either keeps its value from the
    /// previous element or has no value.
    #[cold]
    fn skipped(&mut self, id: OpId, op: &'p Op) -> Flow {
        if V::MARKS {
            self.visitor.mark(id, Mark::Skip);
        }
        if op.flags & flags::SPAN != 0 {
            self.clear_span(id);
        }
        if op.flags & flags::CARRY != 0 && self.carries_on(id) {
            return self.carried_over(id, op);
        }
        if op.flags & flags::SLOT != 0 {
            self.memory.set(op.slot, Value::Absent);
        }
        Ok(())
    }

    /// Returns whether the tree stores nodes for the operation and its contents.
    #[inline]
    pub(crate) fn kept(&self, op: &Op) -> bool {
        V::TREE || (self.kept.keeping > 0 && op.flags & flags::VISIBLE != 0)
    }

    /// Returns whether the structure has tests or effects at its end, such as the definition of a
    /// row.
    #[inline]
    fn ends(op: &Op) -> bool {
        let quiet = op.flags & flags::QUIET != 0 && !V::RECORDS && !V::DIRECTS;
        op.flags & flags::ENDING != 0 && !quiet
    }

    /// Runs a structure.
    #[inline]
    fn structure(&mut self, id: OpId, op: &'p Op) -> Flow {
        if op.flags & (flags::SPAN | flags::DESCRIBES | Self::OBEYS) == 0
            && !Self::ends(op)
            && !Self::captured(op)
            && !self.kept(op)
            && !V::DIRECTS
        {
            return self.siblings(id.0 + 1, op.end);
        }
        // Only a structure that produces a record may clear the buffer. A structure that is only a
        // member of a record is added after other members, which must remain in the buffer.
        let begins = V::RECORDS && op.flags & flags::DIRECT != 0;
        if begins && self.plan.info(id).record.is_some() {
            self.recording.buffer.clear();
        }
        self.node(id, op, |machine| {
            let start = machine.position;
            machine.begin_span(id, op, start);
            let types = Self::is_description(op).then(|| machine.describing());
            let flow = if Self::ends(op) {
                // An emitter may have to correct these bytes later, so they must be kept in any
                // case.
                let held = u32::from(op.flags & flags::LIGHT == 0);
                machine.kept.holds += held;
                machine.kept.bytes_held += u32::from(V::DIRECTS);
                let begun = machine.enclosing.begun.len();
                machine.row_begins(id, start);
                let flow = machine.siblings(id.0 + 1, op.end);
                machine.enclosing.begun.truncate(begun);
                if V::DIRECTS && flow.is_ok() {
                    V::complete(machine, id);
                }
                let flow = match flow {
                    Ok(()) => machine.ending(id, op, start),
                    Err(Stop::Part) => machine.structure_short(id, op, start).and(flow),
                    stopped => stopped,
                };
                machine.kept.holds -= held;
                machine.kept.bytes_held -= u32::from(V::DIRECTS);
                flow
            } else {
                machine.siblings(id.0 + 1, op.end)
            };
            match types {
                Some(types) => machine.described_type(id, start, types, flow)?,
                None => flow?,
            }
            machine.after(id, op, start)
        })
    }

    /// Finishes an operation that contains other operations, after its contents have been read.
    pub(crate) fn after(&mut self, id: OpId, op: &'p Op, start: u64) -> Flow {
        let mut start = start;
        if V::DIRECTS && !matches!(op.kind, Kind::Repeat(_)) {
            start = self.measured(id, start, 0);
        }
        if op.flags & flags::SPAN != 0 {
            self.set_span(id, start);
        }
        // The rules of an operation with an ending are exercised before its effects (`ending`).
        if op.flags & Self::OBEYS != 0 && !Self::ends(op) {
            self.obeyed(id, start, Value::Absent)?;
        }
        Ok(())
    }

    /// Tells an emitter that a part of the trace is complete. Returns the new start of the part,
    /// because the emitter may move it.
    pub(crate) fn measured(&mut self, id: OpId, start: u64, count: u64) -> u64 {
        let end = self.position;
        V::measured(self, id, end - start, count);
        start.saturating_add(self.position).saturating_sub(end)
    }

    /// Stores where an operation starts, because its contents may refer to its start. Its end is not
    /// known yet.
    #[inline]
    pub(crate) fn begin_span(&mut self, id: OpId, op: &Op, start: u64) {
        if op.flags & flags::SPAN != 0
            && let Some((first, last)) = self.plan.info(id).span_slots
        {
            self.memory.set(first, Value::Int(i128::from(start)));
            self.memory.set(last, Value::Absent);
        }
    }

    pub(crate) fn set_span(&mut self, id: OpId, start: u64) {
        if let Some((first, last)) = self.plan.info(id).span_slots {
            self.memory.set(first, Value::Int(i128::from(start)));
            self.memory.set(last, Value::Int(i128::from(self.position)));
        }
    }

    /// Removes the position of an operation that is not in the trace.
    pub(crate) fn clear_span(&mut self, id: OpId) {
        if let Some((first, last)) = self.plan.info(id).span_slots {
            self.memory.set(first, Value::Absent);
            self.memory.set(last, Value::Absent);
        }
    }

    /// Checks the nesting depth of a recursive structure before the structure calls itself again.
    fn nest(&mut self, id: OpId, target: OpId) -> Flow {
        let plan = self.plan;
        let depth = self.enclosing.calls.len() as u64 + 1;
        let Some((promised, enforced, rule)) = plan.info(target).depth else {
            return Ok(());
        };
        let either = |rule: RuleId| plan.rules[rule].duty == ReaderDuty::Either;
        // Readers may behave differently as soon as the depth exceeds the guaranteed limit.
        let parts = promised > 0 && depth == promised + 1 && rule.is_some_and(either);
        let ends = depth > promised && depth > enforced;
        self.outcome.too_deep |= ends;
        if ends && rule.is_none() {
            // The limit is that of the decoder, not of the format, so readers may go on.
            self.outcome.either = true;
            self.outcome.open = true;
            return Err(Stop::End);
        }
        if parts || ends {
            let span = Span {
                start: self.position,
                end: self.position,
            };
            self.breach(
                id,
                rule,
                span,
                format_args!("the data is nested {depth} levels deep"),
            )?;
        }
        // The decoder stops here even if the depth is tolerated.
        if ends {
            Err(self.ends_at(id, true))
        } else {
            Ok(())
        }
    }

    /// Runs the enclosing recursive structure again, one nesting level deeper.
    fn call(&mut self, id: OpId, op: &'p Op, target: OpId) -> Flow {
        let plan = self.plan;
        let start = self.position;
        self.nest(id, target)?;
        let saves = &plan.info(target).saves;
        let saved: Vec<Value> = saves.iter().map(|slot| self.memory.slot(*slot)).collect();
        for slot in saves {
            self.memory.set(*slot, Value::Absent);
        }
        self.enclosing.calls.push(id);
        // A saved value may be text, whose bytes must remain available.
        self.kept.holds += 1;
        // Deep nesting within the limit must not overflow the thread's stack.
        let flow = stack::deeper(|| {
            self.node(id, op, |machine| {
                machine.operation(target, &plan.ops[target.index()])
            })
        });
        self.kept.holds -= 1;
        self.enclosing.calls.pop();
        let exports = &plan.info(id).exports;
        let exported: Vec<Value> = exports
            .iter()
            .map(|(value, _)| self.evaluate(*value, Value::Absent))
            .collect();
        // The structure as a whole is a value of the caller, too.
        let whole = (op.flags & flags::SLOT != 0).then(|| self.memory.slot(op.slot));
        for (slot, value) in saves.iter().zip(saved) {
            self.memory.set(*slot, value);
        }
        for ((_, slot), value) in exports.iter().zip(exported) {
            self.memory.set(*slot, value);
        }
        if let Some(whole) = whole {
            self.memory.set(op.slot, whole);
        }
        flow?;
        if Self::ends(op) {
            self.ending(id, op, start)?;
        }
        if op.flags & (flags::SPAN | Self::OBEYS) != 0 {
            self.after(id, op, start)?;
        }
        Ok(())
    }

    /// Returns whether more bytes follow in the current sized part, or in the input if no part is
    /// open.
    #[inline]
    pub(crate) fn more(&mut self) -> bool {
        self.position < self.limit && self.input.ensure(self.position, self.position + 1)
    }

    /// Returns the end of the input, or the number of bytes seen so far if the end is unknown.
    pub(crate) fn input_end(&self) -> u64 {
        if self.limit == u64::MAX {
            self.input.seen()
        } else {
            self.limit
        }
    }

    /// Stops decoding if the tree is as large as it may be.
    #[inline]
    pub(crate) fn bounded(&mut self) -> Flow {
        if !V::TREE && (V::DIRECTS || !V::RECORDS) {
            return Ok(());
        }
        let at = self.position;
        if V::TREE {
            let length = self.input.seen();
            match self.kept.tree.may_grow(length) {
                true => Ok(()),
                false => self.tree_exceeds(at),
            }
        } else if self.kept.tree.nodes.len() < RECORD_VALUES {
            Ok(())
        } else {
            self.exceeds(Excess::Record { at })
        }
    }

    #[cold]
    fn tree_exceeds(&mut self, at: u64) -> Flow {
        let excess = self.kept.tree.excess(at);
        self.kept.tree.excess = Some(excess);
        self.exceeds(excess)
    }

    /// Stops decoding if a record may contain a value of `size` bytes and `size` exceeds the limit.
    /// If the trace ends before the limit is reached, reading continues, so that the premature end
    /// is reported as a fault.
    #[inline]
    pub(crate) fn bounded_bytes(&mut self, op: &Op, size: u64) -> Flow {
        if size > RECORD_BYTES as u64 && V::RECORDS && !V::TREE && !V::DIRECTS {
            self.large_bytes(op, size)
        } else {
            Ok(())
        }
    }

    #[cold]
    fn large_bytes(&mut self, op: &Op, size: u64) -> Flow {
        let at = self.position;
        let is_shown = self.kept(op) || op.flags & flags::SLOT != 0;
        let is_inside = at.saturating_add(size) <= self.limit;
        if is_shown && is_inside && self.input.ensure(at, at + RECORD_BYTES as u64 + 1) {
            self.exceeds(Excess::Record { at })
        } else {
            Ok(())
        }
    }

    #[cold]
    pub(crate) fn exceeds(&mut self, excess: Excess) -> Flow {
        self.outcome.excess.get_or_insert(excess);
        Err(Stop::End)
    }

    /// Counts an element that occupies no bytes. Returns `false` if there are too many such
    /// elements.
    pub(crate) fn free_element(&mut self) -> bool {
        self.free_elements += 1;
        self.free_elements <= FREE_ELEMENTS.saturating_add(self.input.seen())
    }
}
