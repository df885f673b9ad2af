//! Fields that show bytes of others.
//!
//! What stands elsewhere is shown where it is named, and written where it stands. A tree that
//! says two things of the same bytes has no trace.

use tracegauge_decoder::tree::NodeId;
use tracegauge_decoder::verdict::Span;
use tracegauge_spec::plan::Kind;

use super::Writer;
use crate::direct::wire;
use crate::unwritable::{Unwritable, Why};

/// Where bytes stood in the trace that a tree is of, and where they have been written.
#[derive(Debug, Default)]
pub struct Map(Vec<(Span, usize)>);

impl Map {
    /// What stood in `span` has been written from `start` to `end`.
    pub fn put(&mut self, span: Span, start: usize, end: usize) {
        if end > start && span.end > span.start {
            self.0.push((span, start));
        }
    }

    fn sort(&mut self) {
        self.0.sort_by_key(|(span, _)| span.start);
    }

    /// Where the byte at `position` has been written.
    fn place(&self, position: u64) -> Option<usize> {
        let after = self.0.partition_point(|(span, _)| span.start <= position);
        let (span, start) = self.0.get(after.checked_sub(1)?)?;
        let inside = usize::try_from(position - span.start).ok()?;
        (position < span.end).then(|| start + inside)
    }
}

impl Writer<'_> {
    /// What is shown is what has been written.
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
            wire::integer(
                self.run(id, width)?,
                wire::run_integer(width, order),
                &mut bytes,
            );
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
