//! Code that the benchmarks share: traces, plans and the measured programs.

#[allow(dead_code, reason = "each benchmark measures one format")]
pub mod nettrace;
#[allow(dead_code, reason = "each benchmark measures one format")]
pub mod peers;
#[allow(dead_code, reason = "each benchmark measures one format")]
pub mod recipe;
#[allow(dead_code, reason = "each benchmark measures one format")]
pub mod subjects;
#[allow(dead_code, reason = "each benchmark measures one format")]
pub mod turns;
