//! Converts trees to JSON and back.
//!
//! Each node is an object on its own line. The object has `op`, the number of its operation in the
//! plan, `at` and `to`, the offsets of its first byte and after its last byte, and a `name` for
//! people. A part has its inner nodes in `nodes`, followed by its `to`. Text is a string, bytes are
//! `{"hex": …}`, an integer above 2^53 is a decimal string, and a float is `{"bits": …}` in
//! hexadecimal, so that no value is rounded. If a variable-length integer has more bytes than
//! necessary, `spelling` is their number. If a reader adds a base to the number in the trace,
//! `base` has it.
//!
//! Reading a tree ignores `name`, and uses offsets only for fields that show the bytes of another
//! field. A node that is read at a position and written elsewhere has `shown` instead of `value`.
//! Unknown members are errors. Neither direction builds a JSON value for the whole trace.

mod read;
mod value;
mod write;

pub use read::{Edited, Head, TreeError, fault_at, head, read};
pub use write::Printer;
