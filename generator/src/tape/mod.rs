//! Tapes: the choices that make a trace.
//!
//! A tape knows no format. It is a string of bytes from which a director takes numbers, each
//! below a bound; a number takes as many bytes as its bound needs, so every byte string is a
//! tape, and what is missing at its end counts as zero. A tape of zeros makes the smallest
//! trace.

mod choices;
mod drawn;
mod random;
mod sources;
mod strategy;

pub use choices::{Choices, Player, Recorder};
pub use drawn::Drawn;
pub use random::Random;
pub use strategy::tapes;

use tracegauge_spec::plan::OpId;

/// The choices that make a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tape {
    /// It was recorded from a trace, and may choose what only a tolerant reader accepts:
    /// odd spellings, counts without a cap. Other tapes make traces that every reader accepts.
    pub recorded: bool,
    /// The choices.
    pub bytes: Vec<u8>,
    /// Which part of the tape each element of a trace took, outer ones after those inside;
    /// empty where nothing has been made of the tape yet.
    pub spans: Vec<TapeSpan>,
}

/// The part of a tape that an element took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TapeSpan {
    /// The operation of the element.
    pub op: OpId,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Tape {
    /// A tape of these bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            recorded: false,
            bytes: bytes.into(),
            spans: Vec::new(),
        }
    }

    /// The tape without the part that one element took; `None` where there is no such span.
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
