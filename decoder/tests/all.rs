//! All tests of this crate in one binary. A single binary links faster than one binary per file,
//! and no core waits for the last test of a file. Declare new test files here.

mod bench_support;
mod carry;
mod halves;
mod inside;
mod language;
mod nested;
#[allow(dead_code, reason = "only the traces are of interest here")]
#[path = "../benches/support/nettrace/mod.rs"]
mod nettrace;
mod parted;
mod parts;
mod reference;
mod routines;
mod small_trees;
mod steps;
mod texts;
mod tolerated;
mod variable;
mod words;
