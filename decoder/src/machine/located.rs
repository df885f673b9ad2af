//! Reads values that are stored at a given position in a stream.

use tracegauge_plan::terms::FaultKind;
use tracegauge_plan::{LocationId, Op, OpId, StreamPart, StreamRef};

use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::value::{Value, amount};
use crate::verdict::Span;
use crate::visitor::Visitor;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Reads the whole input. Reading ahead is necessary if the plan locates values by their
    /// position in the trace or relative to its end.
    pub(super) fn gather(&mut self) {
        self.kept.bytes_held += u32::from(I::FORGETS);
        if V::DIRECTS || self.limit != u64::MAX {
            return;
        }
        loop {
            let next = self.input.seen().saturating_add(1);
            if !self.input.ensure(0, next) {
                break;
            }
        }
        self.limit = self.input.seen();
    }

    /// Reads a value that is stored elsewhere in the stream.
    pub(super) fn located(&mut self, id: OpId, op: &'p Op, index: LocationId) -> Flow {
        if self.directs() {
            V::located(self, id);
            return Ok(());
        }
        let plan = self.plan;
        let location = &plan.locations[index];
        let is_written = V::DIRECTS && V::locate(self, id);
        let (start, end) = self.stream(location.stream);
        let offset = match location.offset {
            Some(code) => match self.within(code) {
                Some(offset) => offset.integer(),
                // The position exceeds 128 bits, so it is outside every stream.
                None => Some(i128::MAX),
            },
            None => Some(i128::from(self.position) - i128::from(start)),
        };
        let Some(offset) = offset else {
            return Ok(());
        };
        let around = (
            self.position,
            self.limit,
            self.part_start,
            self.enclosing.parts,
        );
        let Some(at) = self.place_of(id, op, offset, (start, end))? else {
            return Ok(());
        };
        // An emitter may append more bytes to the file.
        let limit = match self.bounds(location.stream) {
            (_, u64::MAX) if V::DIRECTS => u64::MAX,
            _ => end,
        };
        self.enclosing.outer.push((self.part_start, self.limit));
        (self.position, self.limit, self.part_start) = (at, limit, start);
        if location.stream == StreamRef::File {
            self.enclosing.parts = 0;
        }
        self.kept.holds += 1;
        let inside = OpId(id.0 + 1);
        let flow = self.node(id, op, |machine| {
            machine.operation(inside, &plan.ops[inside.index()])
        });
        self.kept.holds -= 1;
        if is_written {
            V::end_located(self);
        }
        self.enclosing.outer.pop();
        (
            self.position,
            self.limit,
            self.part_start,
            self.enclosing.parts,
        ) = around;
        match flow {
            // If the value ends early, this does not affect the part that declares the value.
            Err(Stop::Part) => Ok(()),
            Err(Stop::End) if self.outcome.violation.is_none() => Ok(()),
            flow => flow,
        }
    }

    /// Converts an offset in a stream to a position in the trace. Reports a fault and returns
    /// `None` if the offset is outside the stream.
    fn place_of(
        &mut self,
        id: OpId,
        op: &'p Op,
        offset: i128,
        (start, end): (u64, u64),
    ) -> Flow<Option<u64>> {
        let here = Span {
            start: self.position,
            end: self.position,
        };
        let Some(distance) = amount(offset) else {
            let message = format_args!("the position {offset} is negative");
            self.fault_with(id, op, FaultKind::Negative, here, message)?;
            return Ok(None);
        };
        let at = start.saturating_add(distance);
        if at > end {
            let size = end - start;
            let message =
                format_args!("the position {offset} is outside the {size} bytes of the stream");
            self.fault_with(id, op, FaultKind::Past, here, message)?;
            return Ok(None);
        }
        Ok(Some(at))
    }

    /// Returns the start and end of a stream.
    pub(super) fn stream(&mut self, stream: StreamRef) -> (u64, u64) {
        let (start, end) = self.bounds(stream);
        let end = if end == u64::MAX {
            self.input.seen()
        } else {
            end
        };
        (start, end.max(start))
    }

    /// Returns the start and end of a stream. The end is `u64::MAX` if the stream is a file whose
    /// end is not known, or that an emitter writes.
    pub fn bounds(&self, stream: StreamRef) -> (u64, u64) {
        let file = |machine: &Self| {
            let first = machine.enclosing.outer.first();
            (0, first.map_or(machine.limit, |(_, limit)| *limit))
        };
        match stream {
            StreamRef::Around(0) => (self.part_start, self.limit),
            StreamRef::Around(further) => {
                let at = self.enclosing.outer.len().checked_sub(further as usize);
                let known = at.and_then(|at| self.enclosing.outer.get(at)).copied();
                known.unwrap_or_else(|| file(self))
            }
            StreamRef::File => file(self),
            StreamRef::Part(start, end) => {
                let ends = (self.memory.slot(start), self.memory.slot(end));
                match (ends.0.integer(), ends.1.integer()) {
                    (Some(start), Some(end)) => (
                        u64::try_from(start).unwrap_or(0),
                        u64::try_from(end).unwrap_or(0),
                    ),
                    _ => (0, 0),
                }
            }
        }
    }

    /// Returns a property of a stream.
    pub(super) fn of_stream(&mut self, stream: StreamRef, part: StreamPart) -> Value {
        if stream == StreamRef::Around(0) {
            match part {
                StreamPart::Position => {
                    return Value::Int(i128::from(self.position) - i128::from(self.part_start));
                }
                // When a test runs, an emitter (a visitor that writes the trace) has not written
                // anything after the current position yet.
                StreamPart::AtEnd if self.directs() && self.testing => return Value::Bool(true),
                StreamPart::AtEnd if self.directs() => return Value::Bool(V::at_end(self)),
                StreamPart::AtEnd => return Value::Bool(!self.more()),
                StreamPart::Size => {}
            }
        }
        let (start, end) = self.stream(stream);
        match part {
            StreamPart::Position => Value::Int(i128::from(self.position) - i128::from(start)),
            StreamPart::Size => Value::Int(i128::from(end - start)),
            StreamPart::AtEnd => Value::Bool(self.position >= end),
        }
    }
}
