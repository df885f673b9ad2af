//! The tree as JSON, and back.
//!
//! Each node is an object on a line of its own: `op`, the number of its operation in the plan,
//! `at` and `to`, where its bytes begin and end, and for people its `name`. A part has `nodes`,
//! what is inside it; its `to` comes after them. A text is a string; bytes are `{"hex": …}`; an
//! integer beyond 2^53 is a decimal string; a float is `{"bits": …}` in hexadecimal, so that
//! none changes. On the way back `op`, `value`, `spelling` and `nodes` count; the rest is
//! ignored. Neither way is the whole of a trace's JSON in memory.

mod read;
mod write;

pub use read::{TreeError, head, read};
pub use write::Printer;
