//! All tests of this crate in one program: that links faster than one for each file, and no core
//! waits for the last test of a file. A new file is declared here.

mod dependent;
mod eventpipe;
#[allow(dead_code)]
#[path = "../../spec/tests/examples/mod.rs"]
mod examples;
mod given;
mod kaitai;
mod language_reference;
mod laws;
mod lists;
mod minimize;
mod mutate;
mod nested;
mod netperf;
mod nettrace4;
mod nettrace6;
mod offsets;
mod positions;
mod steps;
mod support;
mod tlv;
