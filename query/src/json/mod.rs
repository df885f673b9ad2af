//! Converts trees to JSON and back.
//!
//! Each node is an object on its own line. The members of the object are `op` (the number of the
//! node's operation in the plan), `at` and `to` (the offsets of the node's first byte and of the
//! byte after its last), and a `name` for human readers. If a node has inner nodes, its object
//! contains them in `nodes`, followed by `to`. Text is a string, bytes are `{"hex": …}`, an integer
//! above 2^53 is a decimal string, and a float is `{"bits": …}` in hexadecimal, so that no value is
//! rounded. If the encoding of a variable-length integer is longer than necessary, `spelling` is
//! its length in bytes. If the optional terminator of text or bytes is missing, `spelling` is 255.
//! If readers add a base to the number in the trace, `base` is that base.
//!
//! When a tree is read, `name` is ignored, and offsets are used only for fields that show the bytes
//! of another field. A field that shows the bytes of another field has a `shown` member instead of
//! `value`. Unknown members are errors. Neither conversion builds a JSON value for the whole trace.

mod read;
mod value;
mod write;

pub use read::{Edited, Head, TreeError, fault_at, head, read};
pub use write::Printer;
