//! The tracegauge harness: runs readers in containment against test cases and judges their answers.
//!
//! [`schedule`] hands each case to a worker thread. The worker uses the [`protocol`] to communicate
//! with a reader process that [`tracegauge_contain`] isolates. [`compare`] checks the reported records against
//! the expected ones as they arrive. [`judge`] derives the outcome, and [`baseline`] marks the
//! failures that are already known. [`runner`] runs the cases on each reader in turn, [`campaign`]
//! runs a reader on generated inputs, and [`commands`] implements the command line.

pub mod baseline;
pub mod campaign;
pub mod commands;
pub mod compare;
pub mod containment;
pub mod crash;
pub mod journal;
pub mod judge;
mod lock;
pub mod origin;
pub mod probe;
pub mod protocol;
pub mod reader_file;
pub mod runner;
pub mod schedule;
mod written;
