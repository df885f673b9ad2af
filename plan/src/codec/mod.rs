//! The encodings of numbers in a trace. Each module reads and writes one kind of encoding.

mod fixed;
mod variable;

pub use fixed::{load, run_integer, store, stored_as};
pub use variable::{append, groups, least_length, long_groups, unfold};
