//! Fuzzing of any reader: inputs without end, each judged against the reference decoder.
//!
//! Workers, each with a [`Probe`](crate::probe::Probe) of its own, take turns from a
//! `schedule`; a turn is some inputs of one kind, whose bytes follow from the seed and their
//! numbers. What a reader does wrong is told apart by its
//! [`Signature`](crate::probe::Signature): the smallest input of each group is made smaller still and
//! kept in a folder of its own, ready to become a vector of the corpus. Findings are taken epoch
//! by epoch and not as they come, so that the same seed finds the same with any number of workers.
//!
//! Where a reader says which of its edges it reaches, every other turn grows from traces that reached
//! something new: see [`coverage`].

mod about;
mod asker;
mod campaign;
mod clerk;
pub mod coverage;
mod findings;
mod group;
mod growth;
mod input;
mod keep;
mod schedule;
mod shrink;
mod worker;

use std::fmt;
use std::io;
use std::path::PathBuf;

pub use asker::{Asker, Finding};
pub use campaign::{Bounds, Campaign, Status, Summary, Watch};
pub use findings::Findings;
pub use group::{Group, State};
pub use input::{Grown, InputId, InputMaker};
pub use schedule::{Origin, Schedule, Turn};

use crate::probe::ProbeError;

/// Why fuzzing cannot go on.
#[derive(Debug)]
pub enum FuzzError {
    /// The reader cannot be asked.
    Reader(ProbeError),
    /// A file cannot be read or written.
    File(PathBuf, io::Error),
    /// The folder has the findings of another campaign: why they do not go together.
    Other(PathBuf, String),
    /// The reader does not say which of its edges it reaches.
    NoCoverage,
}

impl fmt::Display for FuzzError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reader(error) => error.fmt(f),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Other(path, why) => write!(f, "{}: {why}", path.display()),
            Self::NoCoverage => f.write_str(
                "the reader does not say what it reaches of itself: it must be built with \
                 SanitizerCoverage, trace-pc-guard, and linked with coverage.c of readers/kits",
            ),
        }
    }
}

impl std::error::Error for FuzzError {}

impl From<ProbeError> for FuzzError {
    fn from(error: ProbeError) -> Self {
        Self::Reader(error)
    }
}
