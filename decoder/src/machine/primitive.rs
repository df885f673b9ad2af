//! Takes bytes from the input.

use tracegauge_plan::terms::{Endian, FaultKind};
use tracegauge_plan::{Integer, Op, OpId};

use super::complaint::shortage;
use super::{Flow, Machine};
use crate::input::Input;
use crate::tree::TreeMark;
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::Visitor;

/// The number of bytes that are read before the input is told to discard them.
const RELEASED_AT_ONCE: u64 = 64 * 1024;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Checks that the next `count` bytes are available.
    #[inline]
    pub(crate) fn want(&mut self, id: OpId, op: &Op, count: u64) -> Flow {
        let end = self.position.saturating_add(count);
        if end <= self.limit && self.input.ensure(self.position, end) {
            return Ok(());
        }
        self.cut(id, op, count)
    }

    /// Reports that the input or the enclosing sized part ends inside a value.
    #[cold]
    fn cut(&mut self, id: OpId, op: &Op, count: u64) -> Flow {
        let in_part = self.parts > 0 && self.position.saturating_add(count) > self.limit;
        let kind = if in_part {
            FaultKind::Short
        } else {
            FaultKind::Eof
        };
        let span = Span {
            start: self.position,
            end: self.input_end(),
        };
        let left = span.end - span.start;
        self.fault_with(id, op, kind, span, || shortage(count, left))?;
        Err(self.ends_at(id, in_part))
    }

    /// Reads an integer that occupies a whole number of bytes and returns its bits, sign-extended.
    #[inline]
    pub(crate) fn take_integer(&mut self, id: OpId, op: &Op, integer: Integer) -> Flow<u64> {
        let width = u64::from(integer.width);
        self.want(id, op, width)?;
        let bytes = self.input.ahead(self.position);
        let value = load(bytes, integer);
        self.position += width;
        Ok(value)
    }
}

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Lets the input discard the bytes read so far, except for strings that slots (the storage of
    /// values that expressions read) refer to. If the visitor receives the tree in parts, removes
    /// the nodes after `kept`, the mark that was set before the last element. Otherwise, removes
    /// all nodes.
    #[inline]
    pub(super) fn release(&mut self, kept: TreeMark) {
        if V::PARTS {
            self.visitor
                .part(&self.tree, &self.input, &self.open_nodes, kept.node());
            self.tree.back_to(kept);
        } else if !self.tree.nodes.is_empty() {
            self.tree.clear();
        }
        if !self.picked.is_empty() {
            self.picked.clear();
        }
        if I::FORGETS && self.bytes_held == 0 && self.position - self.released >= RELEASED_AT_ONCE {
            self.put_aside();
            self.released = self.position;
            self.input.release(self.position);
        }
    }

    /// Copies the strings that slots refer to, before the input discards their bytes.
    #[cold]
    fn put_aside(&mut self) {
        for (number, slot) in self.slots.iter_mut().enumerate() {
            let Value::Bytes { start, length } = *slot else {
                continue;
            };
            if self.aside.len() <= number {
                self.aside.resize(number + 1, Vec::new());
            }
            self.aside[number].clear();
            self.aside[number].extend_from_slice(self.input.bytes(start, start + length));
            *slot = Value::Aside(u32::try_from(number).unwrap_or(u32::MAX));
        }
    }
}

/// Loads an integer from the start of `bytes`, sign-extended to 64 bits.
#[inline(always)]
pub(crate) fn load(bytes: &[u8], integer: Integer) -> u64 {
    if integer.word != 0 {
        return load_words(bytes, integer);
    }
    let raw = match (integer.width, integer.endian) {
        (1, _) => u64::from(bytes[0]),
        (2, Endian::Little) => u64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
        (3, Endian::Little) => u64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0])),
        (4, Endian::Little) => {
            u64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        }
        (8, Endian::Little) => match bytes.first_chunk::<8>() {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None => 0,
        },
        (width, Endian::Little) => bytes[..usize::from(width)]
            .iter()
            .rev()
            .fold(0, |value, byte| value << 8 | u64::from(*byte)),
        (width, Endian::Big) => bytes[..usize::from(width)]
            .iter()
            .fold(0, |value, byte| value << 8 | u64::from(*byte)),
    };
    extended(raw, integer)
}

/// Loads an integer whose word order is the reverse of the byte order within each word.
#[cold]
fn load_words(bytes: &[u8], integer: Integer) -> u64 {
    let (width, size) = (usize::from(integer.width), usize::from(integer.word));
    let words = bytes[..width].chunks(size);
    let word = |bytes: &[u8]| match integer.endian {
        Endian::Little => bytes
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte)),
        Endian::Big => bytes
            .iter()
            .fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    let raw = match integer.endian {
        Endian::Little => words.fold(0, |value, bytes| value << (size * 8) | word(bytes)),
        Endian::Big => words
            .rev()
            .fold(0, |value, bytes| value << (size * 8) | word(bytes)),
    };
    extended(raw, integer)
}

/// Sign-extends an integer to 64 bits.
#[inline(always)]
fn extended(raw: u64, integer: Integer) -> u64 {
    if integer.signed && integer.width < 8 {
        let unused = 64 - u32::from(integer.width) * 8;
        return ((raw << unused).cast_signed() >> unused).cast_unsigned();
    }
    raw
}
