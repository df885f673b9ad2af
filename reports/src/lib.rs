//! The causes of failures, and the reports that are rendered from the result of a run.
//!
//! One [sink](tracegauge_results::Sink), the [`Collector`], turns the events of a run into a
//! [`RunResult`](tracegauge_results::RunResult). All reports are rendered from this model alone.
//! This crate knows neither how readers are run nor what traces contain.

pub mod account;
pub mod badge;
mod breakdown;
pub mod casebook;
pub mod causes;
mod collector;
mod columns;
pub mod diff;
pub mod dump;
pub mod headline;
pub mod html;
pub mod junit;
pub mod markdown;
pub mod merge;
pub mod rows;
pub mod sarif;
mod spread;
pub mod terminal;

pub use collector::Collector;
