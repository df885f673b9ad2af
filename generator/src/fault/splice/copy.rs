//! Copies of elements, whose padding follows from where they are put.

use tracegauge_decoder::tree::NodeId;
use tracegauge_decoder::verdict::Span;
use tracegauge_spec::plan::{Extent, Kind};

use super::{Edit, Place, Spliced};
use crate::fault::twin::Twin;

/// Padding among bytes that are put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Padding {
    /// Where it begins, from the start of the bytes.
    pub start: usize,
    /// Where it ends, from the start of the bytes.
    pub end: usize,
    /// What it aligns to.
    pub to: u64,
    /// Counted from the start of the file, not of the part around what is put in.
    pub from_file: bool,
    /// What it is made of.
    pub fill: Option<u8>,
    /// A size among the bytes counts it, so that it cannot become longer or shorter.
    pub is_measured: bool,
}

/// Padding that has another length than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Where it begins, from the start of the bytes that were put in.
    pub at: u64,
    /// How many bytes longer it is; below zero: shorter.
    pub by: i64,
}

impl Twin<'_> {
    /// Puts a copy of `element` in at `place`.
    pub(in crate::fault) fn copied(&self, element: NodeId, place: Place) -> Edit {
        let span_of = |node: NodeId| Some(self.node(node).span);
        Edit::Insert {
            place,
            bytes: self.bytes_of(element).to_vec(),
            padding: self.padding_in(element, &span_of),
        }
    }

    /// Puts a copy of `element`, as it is in `changed`, in at `place`.
    pub(in crate::fault) fn copied_from(
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

    /// The padding inside `element` that depends on where the element stands.
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
