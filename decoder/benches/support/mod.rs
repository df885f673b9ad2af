//! What the benchmarks share: the trace, the plan, and who is measured.

pub mod peers;
pub mod recipe;
pub mod subjects;
