//! The reader protocol: what is said to a reader, and what its answer means.
//!
//! In [`serve`] mode one process answers many requests; in [`once`] mode a process's exit
//! status and output are the answer. Both end in an [`Answer`]. The messages have a JSON
//! Schema, [`SCHEMA`].

mod answer;
mod message;
pub mod once;
pub mod serve;

use serde_json::{Map, Value as Json};

pub(crate) use answer::class_name;
pub use answer::{Answer, Breach, Breakdown, Death, Rejection};
pub use message::{Closing, Greeting, Line, MOST_DEPTH, Request, hello, parse_line};

/// The JSON Schema of the messages.
pub const SCHEMA: &str = include_str!("../../protocol.schema.json");

/// The major version of the protocol. Any other is refused.
pub const MAJOR: u64 = 1;

/// What takes in the records of an answer, as they come.
pub trait RecordSink {
    /// Takes in the next record.
    fn record(&mut self, record: &Map<String, Json>);

    /// Takes in a line that is no part of an answer, where such lines are suffered.
    fn stray(&mut self, line: &[u8]) {
        let _ = line;
    }
}

impl RecordSink for crate::compare::Matcher<'_> {
    fn record(&mut self, record: &Map<String, Json>) {
        crate::compare::Matcher::record(self, record);
    }

    fn stray(&mut self, line: &[u8]) {
        crate::compare::Matcher::stray(self, || message::shown(line));
    }
}
