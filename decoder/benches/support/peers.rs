//! Other decoders of the same bytes, to measure against.

use std::fmt;
use std::hint::black_box;

use dial9_trace_format::decoder::{DecodeError, DecodedFrame, Decoder};

/// What stopped a peer.
#[derive(Debug)]
pub enum Stopped {
    /// It takes the bytes for no trace at all.
    NotATrace,
    /// It met a fault.
    Decode(DecodeError),
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotATrace => f.write_str("not a trace"),
            Self::Decode(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Stopped {}

/// Counts events with borrowed values: texts are checked, stacks and maps only measured.
pub fn for_each_event(bytes: &[u8]) -> Result<u64, Stopped> {
    let mut events = 0;
    let mut decoder = Decoder::new(bytes).ok_or(Stopped::NotATrace)?;
    decoder
        .for_each_event(|event| {
            black_box(event);
            events += 1;
        })
        .map_err(Stopped::Decode)?;
    Ok(events)
}

/// Counts events with owned values: the fair peer of a decoder that builds values.
pub fn next_frame(bytes: &[u8]) -> Result<u64, Stopped> {
    let mut events = 0;
    let mut decoder = Decoder::new(bytes).ok_or(Stopped::NotATrace)?;
    while let Some(frame) = decoder.next_frame().map_err(Stopped::Decode)? {
        events += u64::from(matches!(black_box(frame), DecodedFrame::Event { .. }));
    }
    Ok(events)
}
