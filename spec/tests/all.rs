//! All tests of this crate in one program: that links faster than one for each file, and no core
//! waits for the last test of a file. A new file is declared here.

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
