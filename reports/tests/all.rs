//! All tests of this crate in one program. A single program links faster than one for each file,
//! and no core waits for the last test of a file. New files are declared here.

mod browser;
mod causes;
mod common;
mod diff;
mod formats;
mod html;
mod json;
mod merge;
mod spread;
mod terminal;
