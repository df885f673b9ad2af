//! The harness of tracegauge: runs any reader against cases, contained, and judges it.
//!
//! The way of a case: [`schedule`] hands it to a worker, which speaks the [`protocol`] with
//! a process in [`contain`]ment; what the process reports is held against the expected
//! records by [`compare`] while it comes; [`judge`] says what all of it is worth, and
//! [`baseline`] what of it was known. [`runner`] does all of this for one reader after the
//! other, [`fuzz`] for inputs without end, and [`commands`] are its faces on the command line.

pub mod baseline;
pub mod commands;
pub mod compare;
pub mod contain;
pub mod crash;
pub mod fuzz;
pub mod journal;
pub mod judge;
mod lock;
pub mod origin;
pub mod probe;
pub mod protocol;
pub mod reader_file;
pub mod runner;
pub mod schedule;
mod temporary;
