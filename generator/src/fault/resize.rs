//! Changes contents to the size or count that a field is set to, so that the only fault of the trace
//! is the forbidden number.

use std::ops::RangeInclusive;

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::Encoding;
use tracegauge_plan::{Derived, Kind, Measure, flags};

use super::splice::{Edit, Place};
use super::twin::Twin;

/// The sizes in bytes of contents that a trace can grow to.
const SIZES: RangeInclusive<i128> = 0..=70_000;

/// The maximum number of elements that are added to a list.
const MOST_COPIES: i128 = 1_000;

impl Twin<'_> {
    /// Returns the edits that give the contents measured by a size or count field the size that
    /// the field has if its value is `value`. Returns no edits if the contents cannot be changed
    /// without changing anything else.
    pub(super) fn resized(&self, field: NodeId, value: i128) -> Vec<Edit> {
        self.resizing(field, value).unwrap_or_default()
    }

    fn resizing(&self, field: NodeId, value: i128) -> Option<Vec<Edit>> {
        let Some(Derived::Measured { of, measure, scale }) = self.info(field).derived else {
            return None;
        };
        let amount = scale.exact(value)?;
        let of = self.measured_by(field, of)?;
        match measure {
            Measure::Size => {
                let size = usize::try_from(amount)
                    .ok()
                    .filter(|_| SIZES.contains(&amount))?;
                let bytes = self.contents_of_size(of, size)?;
                Some(vec![Edit::Replace { node: of, bytes }])
            }
            Measure::Count => self.list_of_length(of, amount),
        }
    }

    /// Returns the bytes of a string or byte string after a change of its size.
    fn contents_of_size(&self, node: NodeId, size: usize) -> Option<Vec<u8>> {
        let filler: &[u8] = match self.op(node).kind {
            Kind::Bytes(_) => &[0],
            Kind::Text(_, encoding) => filler(encoding),
            _ => return None,
        };
        let old = self.bytes_of(node);
        let mut bytes = old.get(..size.min(old.len()))?.to_vec();
        // A character that is cut in two would be another fault.
        let is_plain = matches!(self.op(node).kind, Kind::Bytes(_)) || bytes.is_ascii();
        let unit = filler.len();
        let is_whole = size.is_multiple_of(unit) && old.len().is_multiple_of(unit);
        if !is_whole || bytes.len() < old.len() && !is_plain {
            return None;
        }
        while bytes.len() < size {
            bytes.extend_from_slice(filler);
        }
        Some(bytes)
    }

    /// Returns the edits that add copies of the last element to a list, or remove its last elements.
    fn list_of_length(&self, list: NodeId, length: i128) -> Option<Vec<Edit>> {
        let elements: Vec<NodeId> = self.tree.children(list).collect();
        let missing = length.checked_sub(i128::try_from(elements.len()).ok()?)?;
        let is_alone = |element: NodeId| {
            (element..self.node(element).end).all(|inside| {
                let acts = self.op(inside).flags & flags::ENDING != 0;
                !acts && self.define_of(inside).is_none()
            })
        };
        if missing > 0 {
            let last = elements.last().copied().filter(|last| is_alone(*last))?;
            let size = i128::try_from(self.bytes_of(last).len()).ok()?;
            if missing > MOST_COPIES || !SIZES.contains(&(missing * size)) {
                return None;
            }
            let copy = self.copied(last, Place::After(last));
            return Some(vec![copy; usize::try_from(missing).ok()?]);
        }
        let kept = elements
            .len()
            .checked_sub(usize::try_from(-missing).ok()?)?;
        let removed = elements.get(kept..)?;
        let is_free = removed.iter().all(|element| is_alone(*element));
        is_free.then(|| {
            removed
                .iter()
                .map(|node| Edit::Remove { node: *node })
                .collect()
        })
    }
}

/// Returns the code unit of the letter `a`.
fn filler(encoding: Encoding) -> &'static [u8] {
    match encoding {
        Encoding::Utf16Le => b"a\0",
        Encoding::Utf16Be => b"\0a",
        Encoding::Ascii | Encoding::Utf8 | Encoding::Cesu8 | Encoding::Latin1 => b"a",
    }
}
