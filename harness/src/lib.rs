//! The tracegauge harness: runs readers in containment against test cases and judges their answers.
//!
//! [`schedule`] hands each case to a worker thread. The worker uses [`tracegauge_protocol`] to
//! communicate with a reader process that [`tracegauge_contain`] isolates. [`tracegauge_judge`]
//! compares the reported records with the expected ones as they arrive, and derives the outcome.
//! [`runner`] runs the cases on each reader in turn, and [`campaign`] runs a reader on generated
//! inputs.

pub mod campaign;
pub mod containment;
pub mod journal;
pub mod lock;
pub mod origin;
pub mod probe;
pub mod runner;
pub mod schedule;
pub mod suggested;
mod written;
