//! All tests of this crate in one binary. A single binary links faster than one binary per file,
//! and no core waits for the last test of a file. Declare new test files here.

mod about;
mod bundled;
mod examples;
mod expressions;
mod independence;
mod kaitai;
mod language_reference;
mod mistakes;
mod misuses;
mod mutants;
mod not_yet;
mod pages;
mod robust;
