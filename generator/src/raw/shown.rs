//! Checks values whose bytes are stored elsewhere, as part of other fields.
//!
//! In a tree, a located value is contained in the node of the field that refers to the value, but
//! the value's bytes are written at the position where the value is located. A tree with two
//! different values for the same bytes cannot be encoded.

use tracegauge_decoder::tree::NodeId;
use tracegauge_decoder::verdict::Span;
use tracegauge_plan::Kind;
use tracegauge_plan::codec;

use super::Writer;
use crate::unwritable::{Unwritable, Why};

/// Maps positions in the original trace to positions in the output.
#[derive(Debug, Default)]
pub struct Map(Vec<(Span, usize)>);

impl Map {
    /// Records that the bytes of `span` were written to the positions from `start` to `end` of the
    /// output.
    pub fn put(&mut self, span: Span, start: usize, end: usize) {
        if end > start && span.end > span.start {
            self.0.push((span, start));
        }
    }

    fn sort(&mut self) {
        self.0.sort_by_key(|(span, _)| span.start);
    }

    /// Returns the position in the output of the byte at `position` in the original trace.
    fn place(&self, position: u64) -> Option<usize> {
        let after = self.0.partition_point(|(span, _)| span.start <= position);
        let (span, start) = self.0.get(after.checked_sub(1)?)?;
        let inside = usize::try_from(position - span.start).ok()?;
        (position < span.end).then(|| start + inside)
    }
}

impl Writer<'_> {
    /// Checks that located values match the bytes that were written.
    pub(super) fn compare_shown(&mut self) -> Result<(), Unwritable> {
        self.map.sort();
        for shown in &self.shown {
            let mut next = shown + 1;
            while next < self.tree.node(*shown).end {
                next = self.compare(next)?;
            }
        }
        Ok(())
    }

    fn compare(&self, id: NodeId) -> Result<NodeId, Unwritable> {
        let node = self.tree.node(id);
        let mut bytes = Vec::new();
        if let Kind::BitRun { width, order } = self.plan.op(node.op).kind {
            if let Some(run) = self.run(id, width)? {
                codec::store(run, codec::run_integer(width, order), &mut bytes);
            }
        } else if self.is_part(node) {
            return Ok(id + 1);
        } else {
            self.leaf(id, &mut bytes)?;
        }
        let place = self.map.place(node.span.start);
        let found = place.and_then(|start| self.out.get(start..start + bytes.len()));
        if bytes.is_empty() || found == Some(bytes.as_slice()) {
            return Ok(node.end);
        }
        Err(Unwritable {
            node: id,
            why: Why::Shown(node.span.start),
        })
    }
}
