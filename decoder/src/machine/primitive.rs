//! Takes bytes from the input.

use tracegauge_plan::codec::load;
use tracegauge_plan::terms::FaultKind;
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
        let in_part = self.enclosing.parts > 0 && self.position.saturating_add(count) > self.limit;
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
        self.fault_with(
            id,
            op,
            kind,
            span,
            format_args!("{}", shortage(count, left)),
        )?;
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
            self.visitor.part(
                &self.kept.tree,
                &self.input,
                &self.kept.open_nodes,
                kept.node(),
            );
            self.kept.tree.back_to(kept);
        } else if !self.kept.tree.nodes.is_empty() {
            self.kept.tree.clear();
        }
        if !self.picked.is_empty() {
            self.picked.clear();
        }
        if I::FORGETS
            && self.kept.bytes_held == 0
            && self.position - self.kept.released >= RELEASED_AT_ONCE
        {
            self.put_aside();
            self.kept.released = self.position;
            self.input.release(self.position);
        }
    }

    /// Copies the strings that slots refer to, before the input discards their bytes.
    #[cold]
    fn put_aside(&mut self) {
        for (number, value) in self.memory.stored_separately() {
            let Value::Bytes { start, length } = *value else {
                continue;
            };
            if self.kept.aside.len() <= number {
                self.kept.aside.resize(number + 1, Vec::new());
            }
            self.kept.aside[number].clear();
            self.kept.aside[number].extend_from_slice(self.input.bytes(start, start + length));
            *value = Value::Aside(u32::try_from(number).unwrap_or(u32::MAX));
        }
    }
}
