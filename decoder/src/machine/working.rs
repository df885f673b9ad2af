//! The parts of a machine's working memory, each with a purpose of its own.

use std::collections::{HashMap, HashSet};

use tracegauge_plan::terms::{RuleId, TableId};
use tracegauge_plan::{Arena, ColumnRef, OpId};

use super::nested::{Applied, Word};
use super::parted::Parted;
use super::sources::Source;
use crate::excess::Excess;
use crate::report::RecordBuffer;
use crate::tree::{NodeId, Tree};
use crate::verdict::{Shown, Violation};

/// The information from which the verdict is built.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// For each rule, where the trace exercises it, if it does.
    pub(crate) shown: Arena<RuleId, Option<Shown>>,
    /// The rules in `shown`, in the order in which the trace exercises them.
    pub(crate) shown_order: Vec<RuleId>,
    /// The rules that required removed rows to be removed, by table and key, for rows that the trace
    /// has not defined again.
    pub(crate) ended: HashMap<(TableId, u64), RuleId>,
    /// The violation that rejects the trace.
    pub(crate) violation: Option<Violation>,
    /// Whether readers may either accept or reject the trace.
    pub(crate) either: bool,
    /// Whether readers may differ from here on, so that later records are not compared.
    pub(crate) open: bool,
    /// Whether the machine stopped because the data is nested more deeply than it decodes.
    pub(crate) too_deep: bool,
    /// The first operation where readers may interpret the trace differently, if any.
    pub(crate) parted: Option<Box<Parted>>,
    /// The operation and the start position of each value that counts as absent because the value
    /// violates a rule.
    pub(crate) no_values: HashSet<(OpId, u64)>,
    /// The limit that stopped the machine, if any.
    pub(crate) excess: Option<Excess>,
}

/// The types and layouts that the trace itself describes, while they are read.
#[derive(Debug, Default)]
pub(crate) struct Layouts {
    /// The layouts that are being read, outermost first. Layouts without fields that contain other
    /// fields are omitted.
    pub(crate) applied: Vec<Applied>,
    /// The words that have been read in the innermost layout in `applied`. A word is an integer
    /// that contains the position of a value stored elsewhere, which is called a located value.
    pub(crate) words: Vec<Word>,
    /// The number of enclosing located values whose bytes already exist, so that an emitter must
    /// not write these bytes again.
    pub(crate) viewing: u32,
    /// For each type that the current type description contains, whether the size of the type is
    /// fixed.
    pub(crate) extents: Vec<bool>,
    /// The number of enclosing type descriptions.
    pub(crate) describing: u32,
}

/// The nodes and bytes that are kept after they have been read.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// The nodes needed for a record or row, or all nodes of the trace.
    pub(crate) tree: Tree,
    /// The number of enclosing operations that need the nodes inside them for a record or row.
    pub(crate) keeping: u32,
    /// The number of enclosing operations that still need bytes and nodes before the current
    /// position.
    pub(crate) holds: u32,
    /// The number of enclosing operations that still need bytes, but no nodes, before the current
    /// position.
    pub(crate) bytes_held: u32,
    /// The open nodes, outermost first, if the visitor receives the tree in parts.
    pub(crate) open_nodes: Vec<NodeId>,
    /// Copies of the text that slots refer to, made before the input discarded the text.
    pub(crate) aside: Vec<Vec<u8>>,
    /// The end of the bytes that the input may discard.
    pub(crate) released: u64,
}

/// The elements, structures and parts around the current position.
#[derive(Debug, Default)]
pub(crate) struct Enclosing {
    /// The index of each enclosing list element, outermost first.
    pub(crate) trail: Vec<u64>,
    /// The active calls of recursive structures, outermost first.
    pub(crate) calls: Vec<OpId>,
    /// The table and the start position of each open element that may become a row when it ends.
    /// The start position is the key of the row.
    pub(crate) begun: Vec<(TableId, u64)>,
    /// The number of enclosing sized parts.
    pub(crate) parts: u32,
    /// The start and end of the enclosing streams, outermost first.
    pub(crate) outer: Vec<(u64, u64)>,
}

/// The number of bytes of images of rows that are built for a trace. Images of rows that no longer
/// exist count, too.
const IMAGE_BYTES: usize = 1 << 20;

/// The record under construction.
#[derive(Debug)]
pub(crate) struct Recording {
    /// The values of the record.
    pub(crate) buffer: Box<RecordBuffer>,
    /// A buffer that takes the place of the other one while that is lent.
    spare: Option<Box<RecordBuffer>>,
    /// The sources of the record's items, if the visitor needs them.
    pub(crate) sources: Vec<(u32, Source)>,
    /// Rows that supplied values for the record but whose definitions have not been located in the
    /// tree yet. Each entry consists of the record item, the column, and the row's index in its
    /// table.
    pub(crate) looked_up: Vec<(u32, ColumnRef, u32)>,
    /// The number of bytes of images that may still be built.
    pub(crate) image_room: usize,
}

impl Default for Recording {
    fn default() -> Self {
        Self {
            buffer: Box::default(),
            spare: None,
            sources: Vec::new(),
            looked_up: Vec::new(),
            image_room: IMAGE_BYTES,
        }
    }
}

impl Recording {
    /// Takes the buffer, so that the machine can be used while the buffer changes.
    #[inline]
    pub(crate) fn lend(&mut self) -> Box<RecordBuffer> {
        let spare = self.spare.take().unwrap_or_default();
        std::mem::replace(&mut self.buffer, spare)
    }

    /// Puts the buffer back.
    #[inline]
    pub(crate) fn give_back(&mut self, buffer: Box<RecordBuffer>) {
        self.spare = Some(std::mem::replace(&mut self.buffer, buffer));
    }
}
