//! The records that a reader is expected to report, their typed values, and their canonical JSON.
//!
//! A record is a unit that users of a format work with, such as an event. The description names the
//! members of each record. Values keep their type, so that a comparison can accept exactly the
//! forms that the reader protocol allows.

mod json;
mod value;

pub(crate) use json::{
    write_hex, write_integer, write_quoted, write_text as write_name, write_utf8,
};
pub use json::{write_record, write_value};
pub use value::{Pair, Record, Value};
