//! Tapes: the choices from which a trace is generated.
//!
//! A tape is a byte string, independent of any format, from which the emitter takes numbers, each
//! with an upper bound. A number consumes as many bytes as its bound needs, and bytes missing at
//! the end count as zero, so every byte string is a valid tape. A tape of zeros generates the
//! smallest trace.

mod choices;
mod drawn;
mod random;
mod sources;
#[cfg(feature = "proptest")]
mod strategy;

pub use choices::{Choices, Player, Recorder};
pub use drawn::Drawn;
pub use random::Random;
#[cfg(feature = "proptest")]
pub use strategy::tapes;

use tracegauge_spec::plan::OpId;

/// The choices from which a trace is generated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tape {
    /// Set if the tape was recorded from a trace. A recorded tape may contain choices that only a
    /// lenient reader accepts, such as lenient encodings and unlimited counts. Other tapes generate
    /// only traces that every reader accepts.
    pub recorded: bool,
    /// The choices.
    pub bytes: Vec<u8>,
    /// The range of the tape that each element of the trace consumed, inner elements before the
    /// outer ones. Empty if no trace has been generated from the tape yet.
    pub spans: Vec<TapeSpan>,
}

/// The range of a tape that an element consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TapeSpan {
    /// The operation of the element.
    pub op: OpId,
    /// The position of the first byte.
    pub start: usize,
    /// The position after the last byte.
    pub end: usize,
}

impl Tape {
    /// Creates a tape from bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            recorded: false,
            bytes: bytes.into(),
            spans: Vec::new(),
        }
    }

    /// Returns the tape without the range that one element consumed, or `None` if there is no such
    /// span.
    pub fn without(&self, span: usize) -> Option<Self> {
        let span = self.spans.get(span)?;
        let mut bytes = self.bytes.get(..span.start)?.to_vec();
        bytes.extend_from_slice(self.bytes.get(span.end..)?);
        Some(Self {
            recorded: self.recorded,
            bytes,
            spans: Vec::new(),
        })
    }
}
