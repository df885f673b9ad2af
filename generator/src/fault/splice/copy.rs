//! Copies elements, including padding that depends on where they are inserted.

use tracegauge_decoder::tree::NodeId;
use tracegauge_decoder::verdict::Span;
use tracegauge_plan::{Extent, Kind};

use super::{Edit, Place, Spliced};
use crate::fault::twin::Twin;

/// Padding inside inserted bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Padding {
    /// The start of the padding, relative to the inserted bytes.
    pub start: usize,
    /// The end of the padding, relative to the inserted bytes.
    pub end: usize,
    /// The alignment in bytes.
    pub to: u64,
    /// Whether the alignment is relative to the start of the file instead of the enclosing part.
    pub from_file: bool,
    /// The fill byte.
    pub fill: Option<u8>,
    /// Whether a size stored inside the inserted bytes covers the padding, in which case the length
    /// of the padding cannot change.
    pub is_measured: bool,
}

/// A stretch of padding whose length has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The start of the padding, relative to the inserted bytes.
    pub at: u64,
    /// The change in the length of the padding, in bytes. The change is negative if the padding
    /// became shorter.
    pub by: i64,
}

impl Twin<'_> {
    /// Returns the edit that inserts a copy of `element` at `place`.
    pub(crate) fn copied(&self, element: NodeId, place: Place) -> Edit {
        let span_of = |node: NodeId| Some(self.node(node).span);
        Edit::Insert {
            place,
            bytes: self.bytes_of(element).to_vec(),
            padding: self.padding_in(element, &span_of),
        }
    }

    /// Returns the edit that inserts a copy of `element` at `place`. The copy is taken from
    /// `changed`, a previously edited trace.
    pub(crate) fn copied_from(
        &self,
        changed: &Spliced,
        element: NodeId,
        place: Place,
    ) -> Option<Edit> {
        let span_of = |node: NodeId| changed.spans.get(node as usize).copied().flatten();
        let span = span_of(element)?;
        let range = usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?;
        Some(Edit::Insert {
            place,
            bytes: changed.bytes.get(range)?.to_vec(),
            padding: self.padding_in(element, &span_of),
        })
    }

    /// Returns the padding inside `element` whose length depends on the position of the element.
    fn padding_in(
        &self,
        element: NodeId,
        span_of: &dyn Fn(NodeId) -> Option<Span>,
    ) -> Vec<Padding> {
        let inside = element..self.node(element).end;
        let padding = inside.filter_map(|node| {
            let Kind::Align {
                to,
                from_file,
                fill,
            } = self.op(node).kind
            else {
                return None;
            };
            let parts = || {
                let around = self.outward(node).skip(1).take_while(|at| *at >= element);
                around.filter(|at| matches!(self.op(*at).kind, Kind::Sized(_)))
            };
            if !from_file && parts().next().is_some() {
                return None;
            }
            let (whole, span) = (span_of(element)?, span_of(node)?);
            Some(Padding {
                start: usize::try_from(span.start.checked_sub(whole.start)?).ok()?,
                end: usize::try_from(span.end.checked_sub(whole.start)?).ok()?,
                to,
                from_file,
                fill,
                is_measured: parts().any(|part| {
                    !matches!(self.op(part).kind, Kind::Sized(extent) if extent == Extent::ToEnd)
                }),
            })
        });
        padding.collect()
    }
}
