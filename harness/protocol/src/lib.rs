//! The reader protocol: the requests to a reader and the answers it sends back. A [`reader_file`]
//! says how a reader is started, and [`crash`] recognizes crashes in what the reader prints.
//!
//! In [`serve`] mode, one process answers many requests. In [`once`] mode, each case has its own
//! process, and the exit status and output are the answer. Both modes produce an [`Answer`].
//! [`SCHEMA`] is the JSON Schema of the messages.

mod answer;
mod bounded;
pub mod crash;
mod message;
pub mod once;
pub mod reader_file;
mod reason;
pub mod serve;
pub mod unfound;

use serde_json::{Map, Value as Json};

pub use answer::{Answer, Breach, Breakdown, Death, Rejection};
pub use answer::{class_name, signal_words};
pub use bounded::{MOST_DEPTH, MOST_MEMORY, MOST_VALUES};
pub use message::{Closing, Greeting, Line, Request, hello, parse_line, shown};

use crate::crash::Watch;

/// The JSON Schema of the protocol messages.
pub const SCHEMA: &str = include_str!("../protocol.schema.json");

/// The major version of the protocol. Readers that speak any other version are refused.
pub const MAJOR: u64 = 1;

/// A process of a reader, whose standard error is searched for crash reports.
type Process<'c> = tracegauge_contain::Process<'c, Watch>;

/// A consumer of the records in an answer, which receives the records as they arrive.
pub trait RecordSink {
    /// Consumes the next record.
    fn record(&mut self, record: &Map<String, Json>);

    /// Consumes a line that is not part of an answer. This method is called only in modes that
    /// tolerate such lines.
    fn stray(&mut self, line: &[u8]) {
        let _ = line;
    }
}
