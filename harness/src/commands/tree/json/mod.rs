//! The tree as JSON, and back.
//!
//! Each node is an object on a line of its own: `op`, the number of its operation in the plan,
//! `at` and `to`, where its bytes begin and end, and for people its `name`. A part has `nodes`,
//! what is inside it; its `to` comes after them. A text is a string; bytes are `{"hex": …}`; an
//! integer beyond 2^53 is a decimal string; a float is `{"bits": …}` in hexadecimal, so that
//! none changes. A variable-length integer that has more bytes than it needs says how many by
//! `spelling`; what a reader adds to the number that stands in the trace is its `base`. On the
//! way back `name` is ignored, and where bytes are only matters for what shows those of
//! another field. What is read at a position and written elsewhere has no `value`; the one that
//! it had is `shown`. A member that there is not is a mistake. Neither way is the whole of a
//! trace's JSON in memory.

mod read;
mod value;
mod write;

pub use read::{Edited, Head, TreeError, fault_at, head, read};
pub use write::Printer;
