//! Rewrites a trace with some changes.
//!
//! The edits are applied as given, and everything that depends on them is updated: sizes and counts
//! of contents that changed, padding, references to positions, and computed values that can be
//! determined from the tree. Every other field keeps its bytes. Fields that store only the
//! difference from an earlier value also keep their bytes. Such fields decode to different values
//! when an element is inserted or removed, which affects the records but does not in itself violate
//! a rule.

mod copy;
mod follow;
mod writer;

use tracegauge_decoder::tree::{NodeId, Tree};
use tracegauge_decoder::verdict::Span;
use tracegauge_plan::Plan;

use super::twin::Twin;
pub use copy::{Padding, Stretch};
use follow::Followers;
use writer::Writer;

/// A change to the bytes of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replaces the bytes of a node.
    Replace {
        /// The node.
        node: NodeId,
        /// The new bytes.
        bytes: Vec<u8>,
    },
    /// Removes a node.
    Remove {
        /// The node.
        node: NodeId,
    },
    /// Inserts bytes. Bytes that are inserted before or after a list element form an additional
    /// element.
    Insert {
        /// The position of the insertion.
        place: Place,
        /// The bytes.
        bytes: Vec<u8>,
        /// The padding inside the bytes, whose length is adjusted to the new position.
        padding: Vec<Padding>,
    },
}

impl Edit {
    /// Creates an edit that inserts bytes without padding.
    pub fn insert(place: Place, bytes: Vec<u8>) -> Self {
        Self::Insert {
            place,
            bytes,
            padding: Vec::new(),
        }
    }
}

/// A position where bytes are inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Before a node.
    Before(NodeId),
    /// After a node.
    After(NodeId),
    /// Inside a node, at its end.
    Within(NodeId),
}

/// The position inside a node where the file is cut off. Sizes and counts are not updated, so they
/// still describe the whole file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The node.
    pub node: NodeId,
    /// The number of bytes of the node to keep.
    pub keep: u64,
}

/// A set of changes, with the fields that must not be updated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splice {
    /// The edits.
    pub edits: Vec<Edit>,
    /// Fields that are not updated although their values become wrong.
    pub held: Vec<NodeId>,
    /// The position where the file is cut off, if at all.
    pub cut: Option<Cut>,
}

/// The bytes of a trace after an edit, and the new positions of its nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spliced {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The new span of each original node, or `None` if the node was removed.
    pub spans: Vec<Option<Span>>,
    /// The position of the bytes that each edit wrote, in the order of the edits.
    pub edited: Vec<u64>,
    /// The changed padding in the bytes of each edit, in the order of the edits.
    pub stretched: Vec<Vec<Stretch>>,
}

impl Spliced {
    /// Returns the position of the byte at offset `more` in the bytes that edit number `edit`
    /// inserted.
    pub fn inserted(&self, edit: usize, more: u64) -> Option<u64> {
        let before = self.stretched.get(edit)?.iter();
        let by: i64 = before
            .filter(|stretch| stretch.at < more)
            .map(|stretch| stretch.by)
            .sum();
        (self.edited.get(edit)? + more).checked_add_signed(by)
    }

    /// Returns how many bytes the adjustment of padding added to the bytes of an edit.
    pub fn stretch_of(&self, edit: usize) -> i64 {
        let all = self.stretched.get(edit).into_iter().flatten();
        all.map(|stretch| stretch.by).sum()
    }
}

/// The maximum number of passes over the trace. Sizes that depend on other sizes settle after a few
/// passes or never.
const MOST_ROUNDS: usize = 12;

/// Writes a trace with `splice` applied. Returns `None` if a size does not fit in its field or one
/// edit is inside another.
pub fn splice(plan: &Plan, bytes: &[u8], tree: &Tree, splice: &Splice) -> Option<Spliced> {
    Twin::new(plan, bytes, tree).splice(splice)
}

impl Twin<'_> {
    /// Applies [`splice`] to the trace of this twin.
    pub fn splice(&self, splice: &Splice) -> Option<Spliced> {
        let mut writer = Writer::new(self, splice);
        let followers = Followers::of(&writer);
        for _ in 0..MOST_ROUNDS {
            writer.write();
            if !writer.follow(&followers)? {
                return writer.finish();
            }
        }
        None
    }
}
