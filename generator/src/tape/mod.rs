//! Tapes, which contain the choices that generate a trace.
//!
//! A tape is a byte string that is independent of any format. The emitter takes numbers from the
//! tape, each with an upper bound. A number consumes as many bytes as its bound needs, and bytes
//! missing at the end of the tape count as zero, so every byte string is a valid tape. A tape of
//! zeros generates the smallest trace.

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

use tracegauge_plan::OpId;

/// The choices that generate a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tape {
    /// Whether the tape was recorded from a trace. Such a tape may contain choices that only
    /// lenient readers accept, such as lenient encodings and unlimited counts. Other tapes generate
    /// only traces that every reader must accept.
    pub recorded: bool,
    /// The choices.
    pub bytes: Vec<u8>,
    /// The range of the tape that each element of the trace consumed. Inner elements precede the
    /// elements that contain them. Empty if no trace has been generated from the tape yet.
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

    /// Returns the tape without the range that the element with index `span` consumed, or `None` if
    /// there is no such element.
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
