//! All tests of this crate in one binary, which links faster than one binary per file and leaves no
//! core waiting for the last test of a file. Declare new test files here.

mod alone;
mod computed;
mod conditions;
mod dependencies;
mod dependent;
mod differing;
mod eventpipe;
#[allow(dead_code)]
#[path = "../../spec/tests/examples/mod.rs"]
mod examples;
mod extremes;
mod faults;
mod filler;
mod given;
mod kaitai;
mod language_reference;
mod large_plain;
mod laws;
mod lists;
mod minimize;
mod mutate;
mod nested;
mod netperf;
mod nettrace4;
mod nettrace6;
mod nullable;
mod offsets;
mod plain_sums;
mod positions;
mod redraws;
mod steps;
mod support;
mod tlv;
