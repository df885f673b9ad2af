//! Limits on the decoder's memory use.
//!
//! A trace of a few megabytes can describe a record of several gigabytes. When a limit is exceeded,
//! the decoder stops reading. The decoder then neither accepts nor rejects the trace, because the
//! limit comes from the decoder, not from the format. The decoder ignores the limits if it builds
//! neither records nor a tree.

use std::{fmt, io};

/// The maximum number of values in a record, including the values inside other values.
pub const RECORD_VALUES: usize = 1 << 23;

/// The maximum total size of the text and byte strings in a record, in bytes.
pub const RECORD_BYTES: usize = 1 << 28;

/// The maximum number of nodes in the tree of a trace.
pub const TREE_NODES: usize = 1 << 26;

/// The memory in bytes that a tree may take in addition to [`TREE_BYTES_EACH`] for each byte of the
/// trace. Without this limit, a small trace whose fields all refer to the same bytes could have a
/// tree of several gigabytes.
pub const TREE_BYTES: u64 = 1 << 30;

/// The memory in bytes that a tree may take for each byte of the trace.
pub const TREE_BYTES_EACH: u64 = 64;

/// Returns the maximum number of nodes in a tree that is one of many. Thousands of such trees are
/// built when cases are generated. If values refer to values at other positions, a trace of `bytes`
/// bytes may have more nodes than fit in memory.
pub fn few_nodes(bytes: u64) -> usize {
    let most = usize::try_from(bytes).map_or(TREE_NODES, |bytes| bytes.saturating_mul(64));
    most.clamp(1 << 16, TREE_NODES)
}

/// The reason why the decoder stopped before the end of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// A record has too many values, or its text and byte strings are too long.
    Record {
        /// The offset in the trace where the decoder stopped reading the record.
        at: u64,
    },
    /// The tree has too many nodes.
    Nodes {
        /// The offset in the trace where the decoder stopped building the tree.
        at: u64,
        /// The maximum number of nodes.
        nodes: usize,
    },
    /// The tree needs too much memory.
    Tree {
        /// The offset in the trace where the decoder stopped building the tree.
        at: u64,
        /// The memory in bytes that the tree takes at this point.
        bytes: u64,
    },
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record { at } => write!(
                f,
                "stopped at byte {at}: a record has more than {RECORD_VALUES} values or {} MiB of \
                 text and binary data",
                RECORD_BYTES >> 20
            ),
            Self::Nodes { at, nodes } => write!(
                f,
                "stopped at byte {at}: this command keeps all fields and elements of the trace in \
                 memory, and the trace has more than {nodes} of them, because its values refer to \
                 one another; `tracegauge decode` and `tracegauge check` do not keep them"
            ),
            Self::Tree { at, bytes } => write!(
                f,
                "stopped at byte {at}: this command keeps all fields and elements of the trace in \
                 memory, and needs more than {} MiB for them; `tracegauge decode` and `tracegauge \
                 check` do not",
                bytes >> 20
            ),
        }
    }
}

impl std::error::Error for Excess {}

impl From<Excess> for io::Error {
    fn from(excess: Excess) -> Self {
        Self::new(io::ErrorKind::FileTooLarge, excess)
    }
}
