//! What a reader is expected to report: records of typed values, and their canonical JSON.
//!
//! A record is one thing that users of a format think of (an event, an item). Its members
//! are named by the description. Values keep their type, so that a comparison can accept
//! every spelling that the reader protocol allows and no other.

mod json;
mod value;

pub(crate) use json::write_text as write_name;
pub use json::{write_record, write_value};
pub use value::{Pair, Record, Value};
