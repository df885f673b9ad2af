//! Writing a trace again with some of it changed.
//!
//! What is edited is under attack; everything else follows: sizes and counts of what became
//! longer or shorter, padding, references to positions, and values computed from others as
//! far as the tree tells them. Every other field keeps its bytes. That includes fields that
//! stand for a distance from an earlier one: after an element has been put in or taken out
//! they mean another value than before, which matters to records but breaks no rule by itself.

mod copy;
mod follow;
mod writer;

use tracegauge_decoder::tree::{NodeId, Tree};
use tracegauge_decoder::verdict::Span;
use tracegauge_spec::plan::Plan;

use super::twin::Twin;
pub use copy::{Padding, Stretch};
use follow::Followers;
use writer::Writer;

/// A change of the bytes of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The node has these bytes.
    Replace {
        /// The node.
        node: NodeId,
        /// Its new bytes.
        bytes: Vec<u8>,
    },
    /// The node is not there.
    Remove {
        /// The node.
        node: NodeId,
    },
    /// Bytes that were not there. Beside an element of a list they are one more element.
    Insert {
        /// Where.
        place: Place,
        /// The bytes.
        bytes: Vec<u8>,
        /// The padding among them, as long as the new place wants.
        padding: Vec<Padding>,
    },
}

impl Edit {
    /// Puts in bytes that nothing aligns.
    pub fn insert(place: Place, bytes: Vec<u8>) -> Self {
        Self::Insert {
            place,
            bytes,
            padding: Vec::new(),
        }
    }
}

/// Where bytes are put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Before a node.
    Before(NodeId),
    /// After a node.
    After(NodeId),
    /// At the end of a node, inside it.
    Within(NodeId),
}

/// The file ends after so many bytes of a node. Nothing follows the cut: sizes and counts
/// claim what was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The node.
    pub node: NodeId,
    /// Bytes of it that are left.
    pub keep: u64,
}

/// What is changed, and what does not follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splice {
    /// Changes.
    pub edits: Vec<Edit>,
    /// Fields that keep what they claim although it no longer holds.
    pub held: Vec<NodeId>,
    /// Where the file ends.
    pub cut: Option<Cut>,
}

/// The new bytes, and where everything went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spliced {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The new span of each old node; none for what is not there any more.
    pub spans: Vec<Option<Span>>,
    /// Where the bytes of each edit begin, by the order of the edits.
    pub edited: Vec<u64>,
    /// How much longer each padding of what an edit put in has become, by the order of the edits.
    pub stretched: Vec<Vec<Stretch>>,
}

impl Spliced {
    /// Where the byte `more` after the start of what an edit puts in stands now.
    pub fn inserted(&self, edit: usize, more: u64) -> Option<u64> {
        let before = self.stretched.get(edit)?.iter();
        let by: i64 = before
            .filter(|stretch| stretch.at < more)
            .map(|stretch| stretch.by)
            .sum();
        (self.edited.get(edit)? + more).checked_add_signed(by)
    }

    /// How much longer than its bytes say is what an edit puts in.
    pub fn stretch_of(&self, edit: usize) -> i64 {
        let all = self.stretched.get(edit).into_iter().flatten();
        all.map(|stretch| stretch.by).sum()
    }
}

/// Sizes that depend on sizes settle quickly, or never.
const MOST_ROUNDS: usize = 12;

/// Writes a trace with `splice` done to it. `None` where a size does not fit its field or an
/// edit lies inside another.
pub fn splice(plan: &Plan, bytes: &[u8], tree: &Tree, splice: &Splice) -> Option<Spliced> {
    Twin::new(plan, bytes, tree).splice(splice)
}

impl Twin<'_> {
    /// Writes the trace with `splice` done to it, as [`splice`] does.
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
