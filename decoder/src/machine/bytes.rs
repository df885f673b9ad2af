//! Reads text, bytes, constants and padding.

use tracegauge_plan::terms::{Encoding, FaultKind};
use tracegauge_plan::{ConstantId, Extent, Op, OpId, flags};

use super::complaint::shortage;
use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::text;
use crate::tree::Payload;
use crate::value::{Value, amount};
use crate::verdict::Span;
use crate::visitor::Visitor;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Reads the sixteen bytes of a GUID.
    pub(super) fn guid(&mut self, id: OpId, op: &'p Op) -> Flow {
        self.want(id, op, 16)?;
        self.bytes_value(id, op, 16)
    }

    /// Reads bytes or text. The caller has checked that all bytes are available.
    #[inline]
    fn bytes_value(&mut self, id: OpId, op: &'p Op, length: u64) -> Flow {
        let start = self.position;
        self.position += length;
        self.bytes_read(id, op, start, start, length)
    }

    /// Tests and stores the value of a text or bytes field that starts at `start`. The value
    /// consists of the `length` bytes that start at `from`.
    #[inline]
    pub(super) fn bytes_read(
        &mut self,
        id: OpId,
        op: &'p Op,
        start: u64,
        from: u64,
        length: u64,
    ) -> Flow {
        let value = Value::Bytes {
            start: from,
            length,
        };
        if op.flags & flags::SLOT != 0 {
            self.memory.set(op.slot, value);
        }
        if op.flags & (flags::SLOW | Self::OBEYS) != 0 {
            self.tested(id, op, start, value)?;
        }
        if self.kept(op) {
            let payload = if V::TREE {
                let bytes = self.input.bytes(from, from + length);
                self.kept.tree.keep(bytes)
            } else {
                Payload::Bytes {
                    start: from,
                    length,
                }
            };
            let span = Span {
                start,
                end: self.position,
            };
            self.kept.tree.leaf(id, span, payload, 0);
        }
        Ok(())
    }

    /// Returns the size of a sized field in bytes.
    #[inline]
    pub(super) fn extent(&mut self, id: OpId, op: &'p Op, extent: Extent) -> Flow<u64> {
        match extent {
            Extent::Fixed(size) => Ok(size),
            Extent::Computed(_) if self.directs() && V::chooses_size(self, id) => {
                Ok(V::to_end(self, id))
            }
            Extent::Computed(code) => match self.within(code).map(Value::integer) {
                Some(Some(size)) => match amount(size) {
                    Some(size) => Ok(size),
                    None => {
                        self.negative(id, op, size)?;
                        Ok(0)
                    }
                },
                Some(None) => Ok(0),
                // The size exceeds 128 bits, so no trace can contain that many bytes.
                None => Ok(u64::MAX),
            },
            Extent::ToEnd if self.directs() => Ok(V::to_end(self, id)),
            Extent::ToEnd => {
                // A stream must be read to its end to find the size.
                while self.limit == u64::MAX {
                    let next = self.input.seen().saturating_add(1);
                    if !self.input.ensure(self.position, next) {
                        break;
                    }
                }
                Ok(self.input_end() - self.position)
            }
        }
    }

    /// Checks that a field of `size` bytes fits in the enclosing sized part.
    #[inline]
    fn want_sized(&mut self, id: OpId, op: &'p Op, size: u64) -> Flow {
        let end = self.position.saturating_add(size);
        if end <= self.limit && self.input.ensure(self.position, end) {
            return Ok(());
        }
        self.past(id, op, size)
    }

    /// Reads a byte string whose size is given by `extent`.
    pub(super) fn raw_bytes(&mut self, id: OpId, op: &'p Op, extent: Extent) -> Flow {
        let size = self.extent(id, op, extent)?;
        self.bounded_bytes(op, size)?;
        self.want_sized(id, op, size)?;
        self.bytes_value(id, op, size)
    }

    /// Reads text whose size is given by `extent`.
    #[inline]
    pub(super) fn text(
        &mut self,
        id: OpId,
        op: &'p Op,
        extent: Extent,
        encoding: Encoding,
    ) -> Flow {
        let size = self.extent(id, op, extent)?;
        self.bounded_bytes(op, size)?;
        self.want_sized(id, op, size)?;
        let start = self.position;
        self.well_formed(id, op, start, size, encoding)?;
        self.bytes_value(id, op, size)
    }

    /// Reads text of `size` bytes. The caller has checked that the bytes are available.
    pub(super) fn text_here(
        &mut self,
        id: OpId,
        op: &'p Op,
        size: u64,
        encoding: Encoding,
    ) -> Flow {
        self.well_formed(id, op, self.position, size, encoding)?;
        self.bytes_value(id, op, size)
    }

    #[inline]
    pub(super) fn well_formed(
        &mut self,
        id: OpId,
        op: &'p Op,
        start: u64,
        length: u64,
        encoding: Encoding,
    ) -> Flow {
        let bytes = self.input.bytes(start, start + length);
        if text::well_formed(bytes, encoding) {
            return Ok(());
        }
        let at = text::first_fault(bytes, encoding);
        let span = Span {
            start,
            end: start + length,
        };
        let own = self.plan.faults[op.faults].of(FaultKind::Half);
        let kind = if own.is_some() && text::has_half(bytes, encoding) {
            FaultKind::Half
        } else {
            FaultKind::Encoding
        };
        self.fault_with(
            id,
            op,
            kind,
            span,
            format_args!(
                "text is not valid {encoding}; the first error is at byte {at} of the text"
            ),
        )
    }

    /// Reads bytes that must equal a constant.
    pub(super) fn contents(&mut self, id: OpId, op: &'p Op, constant: ConstantId) -> Flow {
        let plan = self.plan;
        let wanted = &plan.constants[constant];
        let length = wanted.len() as u64;
        self.want(id, op, length)?;
        let start = self.position;
        self.position += length;
        let found = self.input.bytes(start, start + length);
        if found != wanted.as_slice() {
            let message = format!("{}, expected {}", hex(found), hex(wanted));
            let rule = plan.tests_of(id).first().and_then(|test| test.rule);
            self.breach(
                id,
                rule,
                Span {
                    start,
                    end: start + length,
                },
                format_args!("{message}"),
            )?;
        }
        if op.flags & flags::SLOT != 0 {
            self.memory.set(op.slot, Value::Bytes { start, length });
        }
        if op.flags & flags::SPAN != 0 {
            self.set_span(id, start);
        }
        if op.flags & Self::OBEYS != 0 {
            self.obeyed(id, start, Value::Bytes { start, length })?;
        }
        if self.kept(op) || V::TREE {
            let bytes = self.input.bytes(start, start + length);
            let payload = if V::TREE {
                self.kept.tree.keep(bytes)
            } else {
                Payload::Bytes { start, length }
            };
            self.kept.tree.leaf(
                id,
                Span {
                    start,
                    end: self.position,
                },
                payload,
                0,
            );
        }
        Ok(())
    }

    /// Evaluates a test that reads no bytes.
    pub(super) fn check(&mut self, id: OpId, op: &'p Op) -> Flow {
        if op.flags & flags::CHECKS != 0 {
            self.checks(id, op, self.position, Value::Absent)?;
        }
        Ok(())
    }

    /// Returns the number of padding bytes. If readers tolerate missing padding, the number is
    /// limited to the bytes left in the enclosing sized part.
    fn padding(&mut self, id: OpId, op: &'p Op, length: u64) -> Flow<u64> {
        let put = self.input.seen().saturating_sub(self.position);
        if self.directs() && put < length {
            // An emitter (a visitor that writes the trace) may write less padding than required.
            let span = Span {
                start: self.position,
                end: self.position + put,
            };
            let message = shortage(length, put);
            self.fault_with(id, op, FaultKind::Short, span, format_args!("{message}"))?;
            return Ok(put);
        }
        match self.want(id, op, length) {
            Err(Stop::Part) if self.enclosing.parts > 0 => {
                Ok(self.limit.saturating_sub(self.position))
            }
            flow => flow.map(|()| length),
        }
    }

    /// Reads padding up to a multiple of `to`.
    pub(super) fn align(
        &mut self,
        id: OpId,
        op: &'p Op,
        to: u64,
        from_file: bool,
        fill: Option<u8>,
    ) -> Flow {
        let base = if from_file { 0 } else { self.part_start };
        let over = (self.position - base) % to.max(1);
        let length = if over == 0 { 0 } else { to - over };
        let length = self.padding(id, op, length)?;
        let start = self.position;
        self.position += length;
        let bytes = self.input.bytes(start, start + length);
        if let Some(fill) = fill
            && bytes.iter().any(|byte| *byte != fill)
        {
            let message = format!("padding {}, expected {fill:#04x}", hex(bytes));
            let rule = self.plan.tests_of(id).first().and_then(|test| test.rule);
            self.breach(
                id,
                rule,
                Span {
                    start,
                    end: start + length,
                },
                format_args!("{message}"),
            )?;
        }
        if op.flags & flags::SPAN != 0 {
            self.set_span(id, start);
        }
        if op.flags & Self::OBEYS != 0 {
            self.obeyed(id, start, Value::Bytes { start, length })?;
        }
        if self.kept(op) {
            let bytes = self.input.bytes(start, start + length);
            let payload = self.kept.tree.keep(bytes);
            self.kept.tree.leaf(
                id,
                Span {
                    start,
                    end: self.position,
                },
                payload,
                0,
            );
        }
        Ok(())
    }
}

/// Formats bytes in hexadecimal, and truncates long sequences.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const MOST: usize = 16;
    let shown: Vec<String> = bytes
        .iter()
        .take(MOST)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let rest = if bytes.len() > MOST { " …" } else { "" };
    format!("{}{rest}", shown.join(" "))
}
