//! Reading single values.

use tracegauge_spec::plan::{CheckKind, Extent, Integer, Kind, Op, OpId, flags};
use tracegauge_spec::schema::{BitOrder, Continuation, Encoding, Endian, FaultKind, VariableKind};

use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::text;
use crate::tree::Payload;
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::{Mark, Visitor};

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// An integer of whole bytes.
    #[inline]
    pub(super) fn integer(&mut self, id: OpId, op: &'p Op, integer: Integer) -> Flow {
        let start = self.position;
        let bits = self.take_integer(id, op, integer)?;
        self.number(id, op, start, bits, integer.signed, 0)
    }

    /// A number that has been read: what it carries, its tests, what it names, where it goes.
    #[inline]
    pub(super) fn number(
        &mut self,
        id: OpId,
        op: &'p Op,
        start: u64,
        bits: u64,
        signed: bool,
        spelling: u8,
    ) -> Flow {
        let mut bits = bits;
        if op.flags & (flags::SLOW | Self::OBEYS) != 0 {
            bits = self.tested_number(id, op, start, bits, signed)?;
        }
        if op.flags & flags::SLOT != 0 {
            self.slots[op.slot.index()] = Value::Int(widen(bits, signed));
        }
        if self.kept(op) {
            let span = Span {
                start,
                end: self.position,
            };
            self.tree.leaf(id, span, Payload::Bits(bits), spelling);
        }
        Ok(())
    }

    fn tested_number(
        &mut self,
        id: OpId,
        op: &'p Op,
        start: u64,
        bits: u64,
        signed: bool,
    ) -> Flow<u64> {
        let mut bits = bits;
        if op.flags & flags::CARRY != 0 {
            bits = self.carried(id, op, start, bits)?;
        }
        let value = Value::Int(widen(bits, signed));
        if op.flags & flags::SLOT != 0 {
            self.slots[op.slot.index()] = value;
        }
        if op.flags & flags::SPAN != 0 {
            self.set_span(id, start);
        }
        if op.flags & flags::CHECKS != 0 {
            self.checks(id, op, start, value)?;
        }
        if op.flags & flags::REFS != 0 {
            self.reference(id, start, bits)?;
        }
        if op.flags & Self::OBEYS != 0 {
            self.obeyed(id, start, value)?;
        }
        if op.flags & flags::CARRY != 0 {
            self.carried_on(id, bits);
        }
        Ok(bits)
    }

    /// The tests of a value.
    #[inline]
    pub(super) fn checks(&mut self, id: OpId, op: &'p Op, start: u64, value: Value) -> Flow {
        if V::DIRECTS && self.visitor.waits(id) {
            return Ok(());
        }
        let plan = self.plan;
        for (number, check) in plan.tests_of(id).iter().enumerate() {
            if check
                .condition
                .is_some_and(|condition| !self.evaluate(condition, value).truth())
            {
                continue;
            }
            if let CheckKind::InEnum(index) = check.kind {
                self.member(id, index, check.rule, start, value)?;
                continue;
            }
            if self.inside_text(id, &check.kind, start, value)? {
                continue;
            }
            if self.holds_check(&check.kind, value) {
                if V::MARKS {
                    let index = u32::try_from(op.checks.0.0 as usize + number).unwrap_or(u32::MAX);
                    self.visitor.mark(id, Mark::Holds(index));
                }
                continue;
            }
            let elsewhere = check
                .blame
                .filter(|blamed| plan.info(*blamed).parent != plan.info(id).parent);
            let span = self.blamed_span(elsewhere, start);
            let blamed = check.blame.unwrap_or(id);
            let message = self.complaint(check.rule, &check.kind, value);
            self.breach(blamed, check.rule, span, || message)?;
        }
        Ok(())
    }

    /// A member of an enumeration.
    #[inline]
    fn member(
        &mut self,
        id: OpId,
        index: u32,
        rule: Option<u32>,
        start: u64,
        value: Value,
    ) -> Flow {
        let plan = self.plan;
        let members = &plan.enums[index as usize];
        let Some(number) = value.integer() else {
            return Ok(());
        };
        if let Ok(small) = u8::try_from(number)
            && members.small[usize::from(small / 64)] >> (small % 64) & 1 != 0
        {
            return Ok(());
        }
        let known = members.members.iter().find(|member| member.value == number);
        let rule = match known {
            Some(member) => match member.broken {
                None => return Ok(()),
                broken => broken,
            },
            None => rule,
        };
        if rule.is_none() {
            return Ok(());
        }
        let span = Span {
            start,
            end: self.position,
        };
        self.breach(id, rule, span, || {
            format!("{number} is no `{}`", members.name)
        })?;
        // Nothing tells how long what follows such a value is.
        let skips = rule.is_some_and(|rule| {
            plan.rules[rule as usize].continues.first() == Some(&Continuation::Skip)
        });
        match skips && known.is_none() && self.parts > 0 {
            true => Err(Stop::Part),
            false => Ok(()),
        }
    }

    /// A variable-length integer.
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

    /// A variable-length integer without any oddity, and its length.
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
            self.fault_with(id, op, FaultKind::Wide, span, || {
                format!("the value does not fit {bits} bits")
            })?;
        }
        let value = unfold(kind, value, used);
        if length > 1 && length > least_length(kind, value) {
            self.fault_with(id, op, FaultKind::Overlong, span, || {
                format!("{length} bytes for a value that needs fewer")
            })?;
        }
        self.number(id, op, start, value, kind != VariableKind::Unsigned, length)
    }

    /// One more byte of a value that began at `start`.
    #[inline]
    fn want_from(&mut self, id: OpId, op: &'p Op, start: u64) -> Flow {
        let end = self.position + 1;
        if end <= self.limit && self.input.ensure(self.position, end) {
            return Ok(());
        }
        // The fault lies on the whole value, not on the byte that is missing.
        let wanted = self.position - start + 1;
        self.position = start;
        self.want(id, op, wanted)
    }

    /// A variable-length integer goes on where its width can need no more bytes.
    #[cold]
    fn too_long(&mut self, id: OpId, op: &'p Op, start: u64, most: u8) -> Flow {
        self.want_from(id, op, start)?;
        let span = Span {
            start,
            end: self.position + 1,
        };
        self.fault_with(id, op, FaultKind::Long, span, || {
            format!("more than {most} bytes for an integer")
        })?;
        Err(if self.parts > 0 {
            Stop::Part
        } else {
            Stop::End
        })
    }

    /// A float.
    pub(super) fn float(&mut self, id: OpId, op: &'p Op, width: u8, endian: Endian) -> Flow {
        let start = self.position;
        let bits = self.take_integer(
            id,
            op,
            Integer {
                width,
                signed: false,
                endian,
                word: 0,
            },
        )?;
        if op.flags & (flags::SLOT | flags::CHECKS | flags::SPAN | Self::OBEYS) != 0 {
            let value = Value::Float(if width == 4 {
                f64::from(f32::from_bits(u32::try_from(bits).unwrap_or_default()))
            } else {
                f64::from_bits(bits)
            });
            if op.flags & flags::SLOT != 0 {
                self.slots[op.slot.index()] = value;
            }
            self.tested(id, op, start, value)?;
        }
        if self.kept(op) {
            let span = Span {
                start,
                end: self.position,
            };
            self.tree.leaf(id, span, Payload::Bits(bits), 0);
        }
        Ok(())
    }

    /// Tests and rules shown of a value that is no number.
    pub(super) fn tested(&mut self, id: OpId, op: &'p Op, start: u64, value: Value) -> Flow {
        if op.flags & flags::SPAN != 0 {
            self.set_span(id, start);
        }
        if op.flags & flags::CHECKS != 0 {
            self.checks(id, op, start, value)?;
        }
        if op.flags & Self::OBEYS != 0 {
            self.obeyed(id, start, value)?;
        }
        Ok(())
    }

    /// Bit fields that fill whole bytes.
    pub(super) fn bit_run(&mut self, id: OpId, op: &'p Op, width: u8, order: BitOrder) -> Flow {
        let plan = self.plan;
        let start = self.position;
        let endian = match order {
            BitOrder::Little => Endian::Little,
            BitOrder::Big => Endian::Big,
        };
        let run = self.take_integer(
            id,
            op,
            Integer {
                width,
                signed: false,
                endian,
                word: 0,
            },
        )?;
        self.node_keeping(id, op, start, |machine| {
            for field in plan.children(id) {
                let inside = &plan.ops[field.index()];
                if let Kind::Bits { shift, width } = inside.kind {
                    if V::MARKS {
                        machine.visitor.mark(field, Mark::Enter);
                    }
                    let mask = u64::MAX >> (64 - u32::from(width));
                    machine.number(field, inside, start, run >> shift & mask, false, 0)?;
                }
            }
            Ok(())
        })
    }

    /// A node whose bytes have been taken already.
    fn node_keeping(
        &mut self,
        id: OpId,
        op: &'p Op,
        start: u64,
        inside: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        if !V::TREE && self.keeping == 0 {
            return inside(self);
        }
        let _ = op;
        let node = self.tree.open(id, start);
        let flow = inside(self);
        self.tree.close(node, self.position);
        flow
    }

    /// A GUID: its sixteen bytes.
    pub(super) fn guid(&mut self, id: OpId, op: &'p Op) -> Flow {
        self.want(id, op, 16)?;
        self.bytes_value(id, op, 16)
    }

    /// Bytes or text that have been found to be there.
    #[inline]
    fn bytes_value(&mut self, id: OpId, op: &'p Op, length: u64) -> Flow {
        let start = self.position;
        self.position += length;
        self.bytes_read(id, op, start, start, length)
    }

    /// `length` bytes from `from`, in a field that began at `start`.
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
            self.slots[op.slot.index()] = value;
        }
        if op.flags & (flags::SLOW | Self::OBEYS) != 0 {
            self.tested(id, op, start, value)?;
        }
        if self.kept(op) {
            let payload = if V::TREE {
                let bytes = self.input.bytes(from, from + length);
                self.tree.keep(bytes)
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
            self.tree.leaf(id, span, payload, 0);
        }
        Ok(())
    }

    /// The number of bytes of a sized field.
    #[inline]
    pub(super) fn extent(&mut self, id: OpId, op: &'p Op, extent: Extent) -> Flow<u64> {
        match extent {
            Extent::Fixed(size) => Ok(size),
            Extent::Computed(code) => match self.evaluate(code, Value::Absent).integer() {
                Some(size) => match u64::try_from(size) {
                    Ok(size) => Ok(size),
                    Err(_) => {
                        self.negative(id, op, size)?;
                        Ok(0)
                    }
                },
                None => Ok(0),
            },
            Extent::ToEnd if self.directs() => Ok(V::to_end(self, id)),
            Extent::ToEnd => {
                // A stream has to be read to its end to know.
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

    /// The field of so many bytes lies in what is around it.
    #[inline]
    fn want_sized(&mut self, id: OpId, op: &'p Op, size: u64) -> Flow {
        let end = self.position.saturating_add(size);
        if end <= self.limit && self.input.ensure(self.position, end) {
            return Ok(());
        }
        self.past(id, op, size)
    }

    /// Raw bytes.
    pub(super) fn raw_bytes(&mut self, id: OpId, op: &'p Op, extent: Extent) -> Flow {
        let size = self.extent(id, op, extent)?;
        self.want_sized(id, op, size)?;
        self.bytes_value(id, op, size)
    }

    /// Text.
    #[inline]
    pub(super) fn text(
        &mut self,
        id: OpId,
        op: &'p Op,
        extent: Extent,
        encoding: Encoding,
    ) -> Flow {
        let size = self.extent(id, op, extent)?;
        self.want_sized(id, op, size)?;
        let start = self.position;
        self.well_formed(id, op, start, size, encoding)?;
        self.bytes_value(id, op, size)
    }

    /// Text of so many bytes that are there.
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
        let own = self.plan.faults[op.faults as usize].of(FaultKind::Half);
        let kind = if own.is_some() && text::has_half(bytes, encoding) {
            FaultKind::Half
        } else {
            FaultKind::Encoding
        };
        self.fault_with(id, op, kind, span, || {
            format!("text that is not well-formed {encoding:?}, first at its byte {at}")
        })
    }

    /// Bytes that must be these.
    pub(super) fn contents(&mut self, id: OpId, op: &'p Op, constant: u32) -> Flow {
        let plan = self.plan;
        let wanted = &plan.constants[constant as usize];
        let length = wanted.len() as u64;
        self.want(id, op, length)?;
        let start = self.position;
        self.position += length;
        let found = self.input.bytes(start, start + length);
        if found != wanted.as_slice() {
            let message = format!("{} instead of {}", hex(found), hex(wanted));
            let rule = plan.tests_of(id).first().and_then(|test| test.rule);
            self.breach(
                id,
                rule,
                Span {
                    start,
                    end: start + length,
                },
                || message,
            )?;
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
                self.tree.keep(bytes)
            } else {
                Payload::Bytes { start, length }
            };
            self.tree.leaf(
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

    /// A test that reads nothing.
    pub(super) fn check(&mut self, id: OpId, op: &'p Op) -> Flow {
        if op.flags & flags::CHECKS != 0 {
            self.checks(id, op, self.position, Value::Absent)?;
        }
        Ok(())
    }

    /// How many bytes of padding there are: where fewer are tolerated, those that the part has.
    fn padding(&mut self, id: OpId, op: &'p Op, length: u64) -> Flow<u64> {
        let put = self.input.seen().saturating_sub(self.position);
        if self.directs() && put < length {
            // Who puts a trace may put fewer.
            let span = Span {
                start: self.position,
                end: self.position + put,
            };
            let say = || format!("{length} bytes are wanted, {put} are left");
            self.fault_with(id, op, FaultKind::Short, span, say)?;
            return Ok(put);
        }
        match self.want(id, op, length) {
            Err(Stop::Part) if self.parts > 0 => Ok(self.limit.saturating_sub(self.position)),
            flow => flow.map(|()| length),
        }
    }

    /// Bytes up to a multiple.
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
            let message = format!("padding {} instead of {fill:#04x}", hex(bytes));
            let rule = self.plan.tests_of(id).first().and_then(|test| test.rule);
            self.breach(
                id,
                rule,
                Span {
                    start,
                    end: start + length,
                },
                || message,
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
            let payload = self.tree.keep(bytes);
            self.tree.leaf(
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

/// A variable-length integer of several bytes without any oddity.
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
        // The last group would not be needed.
        _ => raw >> (used - 7) == 0,
    };
    (!wide && !overlong).then_some((value, length))
}

/// The groups of seven bits of a variable-length integer of two to eight bytes, and how many
/// there are; `None` where it is longer or not all there.
#[inline]
fn groups(ahead: &[u8], left: u64) -> Option<(u64, u8)> {
    const MORE: u64 = 0x8080_8080_8080_8080;
    let word = match ahead.first_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => {
            // What is missing reads as if the integer went on.
            let mut chunk = [0xff; 8];
            chunk[..ahead.len()].copy_from_slice(ahead);
            u64::from_le_bytes(chunk)
        }
    };
    let ends = !word & MORE;
    if ends == 0 {
        return None;
    }
    let length = ends.trailing_zeros() / 8 + 1;
    if u64::from(length) > left {
        return None;
    }
    let x = word & (u64::MAX >> (64 - length * 8)) & !MORE;
    let x = (x & 0x007f_007f_007f_007f) | ((x & 0x7f00_7f00_7f00_7f00) >> 1);
    let x = (x & 0x0000_3fff_0000_3fff) | ((x & 0x3fff_0000_3fff_0000) >> 2);
    let x = (x & 0x0000_0000_0fff_ffff) | ((x & 0x0fff_ffff_0000_0000) >> 4);
    u8::try_from(length).ok().map(|length| (x, length))
}

/// The groups of nine or ten bytes, where they fit 64 bits.
#[cold]
fn long_groups(ahead: &[u8], left: u64) -> Option<(u64, u8)> {
    let most = usize::try_from(left).unwrap_or(usize::MAX).min(10);
    let ahead = &ahead[..ahead.len().min(most)];
    let length = ahead.iter().position(|byte| *byte < 0x80)? + 1;
    let mut raw = 0;
    for (number, byte) in ahead[..length].iter().enumerate() {
        let low = u64::from(byte & 0x7f);
        if number == 9 && low > 1 {
            return None;
        }
        raw |= low << (number * 7);
    }
    u8::try_from(length).ok().map(|length| (raw, length))
}

/// The value of bits that were read, as an exact integer.
#[inline]
pub(crate) fn widen(bits: u64, signed: bool) -> i128 {
    if signed {
        i128::from(bits.cast_signed())
    } else {
        i128::from(bits)
    }
}

/// The value of a variable-length integer from its raw groups of bits.
#[inline]
fn unfold(kind: VariableKind, raw: u64, used: u32) -> u64 {
    match kind {
        VariableKind::Unsigned => raw,
        VariableKind::ZigZag => (raw >> 1) ^ 0_u64.wrapping_sub(raw & 1),
        VariableKind::Signed if used < 64 => {
            let unused = 64 - used;
            ((raw << unused).cast_signed() >> unused).cast_unsigned()
        }
        VariableKind::Signed => raw,
    }
}

/// Seven bits of a variable-length integer lie inside 64.
#[inline]
fn group_fits(kind: VariableKind, low: u64, shift: u32) -> bool {
    match shift {
        64.. => false,
        // Past the last bit of a signed number its sign goes on.
        63 if kind == VariableKind::Signed => low == 0 || low == 0x7f,
        _ => low << shift >> shift == low,
    }
}

fn fits(value: u64, bits: u8) -> bool {
    let value = value.cast_signed();
    let unused = 64 - u32::from(bits);
    value << unused >> unused == value
}

/// The least number of bytes that a value needs.
pub fn least_length(kind: VariableKind, value: u64) -> u8 {
    let bits = match kind {
        VariableKind::Unsigned => 64 - value.leading_zeros(),
        VariableKind::ZigZag => {
            let signed = value.cast_signed();
            64 - ((signed << 1) ^ (signed >> 63)).leading_zeros()
        }
        VariableKind::Signed => {
            let signed = value.cast_signed();
            let magnitude = if signed < 0 { !signed } else { signed };
            65 - magnitude.leading_zeros()
        }
    };
    u8::try_from(bits.div_ceil(7).max(1)).unwrap_or(10)
}

/// Bytes as people read them, cut where they are many.
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
