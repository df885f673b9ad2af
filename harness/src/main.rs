//! The tracegauge command.
#![allow(missing_docs)]

fn main() {}
