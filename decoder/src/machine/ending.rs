//! Reads text and bytes that end at a terminator or at the padding of the enclosing sized part.

use tracegauge_plan::terms::{Encoding, FaultKind};
use tracegauge_plan::{Ending, Op, OpId};

use super::{Flow, Machine};
use crate::input::Input;
use crate::tree::UNENDED;
use crate::verdict::Span;
use crate::visitor::Visitor;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Reads text or bytes that end at a terminator or at padding.
    pub(super) fn terminated(&mut self, id: OpId, op: &'p Op, ending: Ending) -> Flow {
        let start = self.position;
        let unit = ending.unit();
        let directs = self.directs();
        // If the padding consists of terminators, the first one ends the value like any other
        // terminator.
        let pads = ending.pad.is_some() && ending.pad != ending.terminator;
        let stop = if pads && !directs {
            self.before_padding(start, &ending)
        } else {
            self.limit
        };
        let found = match ending.terminator {
            Some(byte) => self.find_terminator((start, stop), byte, unit, ending.encoding),
            None => None,
        };
        let length = match found {
            Some(length) => length,
            None => {
                // A terminator that is not consumed belongs to the next field, so an emitter (a
                // visitor that writes the trace) does not write it here.
                let put = directs && !ending.consume;
                let end = match stop {
                    _ if directs => self.input.seen(),
                    u64::MAX => self.input.seen(),
                    stop => stop,
                };
                if ending.required && !put {
                    let span = Span { start, end };
                    self.fault_with(
                        id,
                        op,
                        FaultKind::Terminator,
                        span,
                        format_args!("the terminator is missing"),
                    )?;
                }
                end - start
            }
        };
        let terminator = if found.is_some() { unit } else { 0 };
        let text = if ending.include {
            length + terminator
        } else {
            length
        };
        if let Some(encoding) = ending.encoding {
            self.well_formed(id, op, start, text, encoding)?;
        }
        self.position = start + length + if ending.consume { terminator } else { 0 };
        self.bytes_read(id, op, start, start, text)?;
        if V::TREE
            && found.is_none()
            && ending.consume
            && let Some(node) = self.kept.tree.nodes.last_mut()
        {
            node.spelling = UNENDED;
        }
        Ok(())
    }

    /// Returns the position where the padding of the enclosing sized part begins.
    fn before_padding(&self, start: u64, ending: &Ending) -> u64 {
        let (end, unit) = (self.input_end(), ending.unit());
        let Some(pad) = ending.pad.map(|pad| ending.written(pad)) else {
            return end;
        };
        let mut stop = end;
        while stop >= start + unit
            && (stop - start).is_multiple_of(unit)
            && self.input.bytes(stop - unit, stop) == pad.as_slice()
        {
            stop -= unit;
        }
        stop
    }

    /// Returns the number of bytes before the terminator, or `None` if there is no terminator.
    pub(super) fn find_terminator(
        &mut self,
        (start, stop): (u64, u64),
        byte: u8,
        unit: u64,
        encoding: Option<Encoding>,
    ) -> Option<u64> {
        let written = match (unit, encoding) {
            (1, _) => [byte, 0],
            (_, Some(Encoding::Utf16Be)) => [0, byte],
            _ => [byte, 0],
        };
        let mut at = start;
        loop {
            if at + unit > stop || !self.input.ensure(start, at + unit) {
                return None;
            }
            let ahead = self.input.ahead(at);
            let left = usize::try_from(stop - at).unwrap_or(usize::MAX);
            let ahead = &ahead[..ahead.len().min(left)];
            let found = match unit {
                1 => ahead.iter().position(|unit| *unit == byte),
                _ => ahead.chunks_exact(2).position(|unit| unit == written),
            };
            if let Some(found) = found {
                return Some(at - start + found as u64 * unit);
            }
            at += ahead.len() as u64 / unit * unit;
        }
    }
}
