//! Reads variable-length integers.

use tracegauge_plan::codec::{groups, least_length, long_groups, unfold};
use tracegauge_plan::terms::{FaultKind, VariableKind};
use tracegauge_plan::{Op, OpId};

use super::{Flow, Machine};
use crate::input::Input;
use crate::verdict::Span;
use crate::visitor::Visitor;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Reads a variable-length integer.
    #[inline]
    pub(super) fn variable(&mut self, id: OpId, op: &'p Op, kind: VariableKind, bits: u8) -> Flow {
        let start = self.position;
        if let Some((value, length)) = self.plain_variable(kind, bits) {
            self.position += u64::from(length);
            let signed = kind != VariableKind::Unsigned;
            return self.number(id, op, start, value, signed, length);
        }
        self.long_variable(id, op, kind, bits)
    }

    /// Decodes a variable-length integer. Returns the value and its length in bytes, or `None` if
    /// the integer is incomplete or may break a rule.
    #[inline(always)]
    pub(super) fn plain_variable(&self, kind: VariableKind, bits: u8) -> Option<(u64, u8)> {
        let ahead = self.input.ahead(self.position);
        let left = self.limit - self.position;
        match ahead.first() {
            Some(byte) if left > 0 && *byte < 0x80 => Some((unfold(kind, u64::from(*byte), 7), 1)),
            _ => several(ahead, left, kind, bits),
        }
    }

    #[cold]
    fn long_variable(&mut self, id: OpId, op: &'p Op, kind: VariableKind, bits: u8) -> Flow {
        let start = self.position;
        let most = bits.div_ceil(7);
        let (mut value, mut length, mut wide) = (0_u64, 0_u8, false);
        loop {
            self.want_from(id, op, start)?;
            let byte = self.input.ahead(self.position)[0];
            self.position += 1;
            length += 1;
            let low = u64::from(byte & 0x7f);
            let shift = u32::from(length - 1) * 7;
            wide |= !group_fits(kind, low, shift);
            if shift < 64 {
                value |= low << shift;
            }
            if byte & 0x80 == 0 {
                break;
            }
            if length >= most {
                return self.too_long(id, op, start, most);
            }
        }
        let used = u32::from(length) * 7;
        wide |= match kind {
            VariableKind::Unsigned | VariableKind::ZigZag => bits < 64 && value >> bits != 0,
            VariableKind::Signed => bits < 64 && !fits(unfold(kind, value, used), bits),
        };
        let span = Span {
            start,
            end: self.position,
        };
        if wide {
            self.fault_with(
                id,
                op,
                FaultKind::Wide,
                span,
                format_args!("the value does not fit in {bits} bits"),
            )?;
        }
        let value = unfold(kind, value, used);
        if length > 1 && length > least_length(kind, value) {
            self.fault_with(
                id,
                op,
                FaultKind::Overlong,
                span,
                format_args!("{length} bytes for a value that needs fewer"),
            )?;
        }
        self.number(id, op, start, value, kind != VariableKind::Unsigned, length)
    }

    /// Checks that another byte of a value that began at `start` is available.
    #[inline]
    fn want_from(&mut self, id: OpId, op: &'p Op, start: u64) -> Flow {
        let end = self.position + 1;
        if end <= self.limit && self.input.ensure(self.position, end) {
            return Ok(());
        }
        // The violation covers the whole value, not only the missing byte.
        let wanted = self.position - start + 1;
        self.position = start;
        self.want(id, op, wanted)
    }

    /// Reports a variable-length integer that is longer than the longest encoding of any value of
    /// its width.
    #[cold]
    fn too_long(&mut self, id: OpId, op: &'p Op, start: u64, most: u8) -> Flow {
        self.want_from(id, op, start)?;
        let span = Span {
            start,
            end: self.position + 1,
        };
        self.fault_with(
            id,
            op,
            FaultKind::Long,
            span,
            format_args!("the integer has more than {most} bytes"),
        )?;
        Err(self.ends_at(id, self.enclosing.parts > 0))
    }
}

/// Decodes a variable-length integer of several bytes. Returns `None` if the integer is incomplete
/// or may break a rule.
fn several(ahead: &[u8], left: u64, kind: VariableKind, bits: u8) -> Option<(u64, u8)> {
    let (raw, length) = match groups(ahead, left) {
        Some(found) => found,
        None if kind != VariableKind::Signed => long_groups(ahead, left)?,
        None => return None,
    };
    let used = u32::from(length) * 7;
    let value = unfold(kind, raw, used);
    let wide = used > u32::from(bits)
        && match kind {
            VariableKind::Signed => bits < 64 && !fits(value, bits),
            _ => bits < 64 && raw >> bits != 0,
        };
    let overlong = match kind {
        VariableKind::Signed => length > least_length(kind, value),
        // The last group must not be redundant.
        _ => raw >> (used - 7) == 0,
    };
    (!wide && !overlong).then_some((value, length))
}

/// Returns whether a group of seven bits fits in 64 bits when it is shifted to its position.
#[inline]
fn group_fits(kind: VariableKind, low: u64, shift: u32) -> bool {
    match shift {
        64.. => false,
        // In a signed number, the surplus bits must repeat the sign bit.
        63 if kind == VariableKind::Signed => low == 0 || low == 0x7f,
        _ => low << shift >> shift == low,
    }
}

fn fits(value: u64, bits: u8) -> bool {
    let value = value.cast_signed();
    let unused = 64 - u32::from(bits);
    value << unused >> unused == value
}
