//! The decoder from the `dial9-trace-format` crate, for comparison.

use std::fmt;
use std::hint::black_box;

use dial9_trace_format::decoder::{DecodeError, DecodedFrame, Decoder};

/// The reason why the decoder stopped.
#[derive(Debug)]
pub enum Stopped {
    /// The bytes are not a trace.
    NotATrace,
    /// The decoder reported an error.
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

/// Decodes and counts events whose values are borrowed from the trace. Strings are validated;
/// stacks and maps are only skipped.
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

/// Decodes and counts events whose values are owned. This function is the baseline for decoders
/// that build values.
pub fn next_frame(bytes: &[u8]) -> Result<u64, Stopped> {
    let mut events = 0;
    let mut decoder = Decoder::new(bytes).ok_or(Stopped::NotATrace)?;
    while let Some(frame) = decoder.next_frame().map_err(Stopped::Decode)? {
        events += u64::from(matches!(black_box(frame), DecodedFrame::Event { .. }));
    }
    Ok(events)
}
