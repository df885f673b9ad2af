//! Fuzzing campaigns, which give a reader an endless supply of inputs and compare its answers with
//! those of the reference decoder.
//!
//! Workers, each with its own [`Probe`](crate::probe::Probe), receive turns from a `schedule`. A
//! turn consists of inputs of the same kind, whose bytes depend only on the seed and on the numbers
//! of the inputs. Failures are grouped by their [`Signature`](crate::probe::Signature). The
//! smallest input of each group is minimized and saved in a folder of its own, ready to become a
//! vector of the corpus. Turns are planned in epochs, and findings are collected epoch by epoch
//! rather than as they arrive, so that the same seed finds the same failures with any number of
//! workers.
//!
//! If the reader is instrumented for edge coverage, every other turn derives inputs from traces
//! that reached new edges: see [`coverage`].

mod about;
mod asker;
mod coordinator;
pub mod coverage;
mod findings;
mod group;
mod input;
mod keep;
mod power_schedule;
mod run;
mod schedule;
mod shrink;
mod worker;

use std::fmt;
use std::io;
use std::path::PathBuf;

pub use asker::{Asker, Finding};
pub use findings::Findings;
pub use group::{Group, State};
pub use input::{Grown, InputId, InputMaker};
pub use run::{Bounds, Campaign, Status, Summary, Watch};
pub use schedule::{Origin, Schedule, Turn};

use crate::probe::ProbeError;

/// The reason why a campaign cannot continue.
#[derive(Debug)]
pub enum CampaignError {
    /// The reader cannot be run.
    Reader(ProbeError),
    /// A file cannot be read or written.
    File(PathBuf, io::Error),
    /// A file or folder cannot be used, for the reason in the string. For example, the folder
    /// contains the findings of a campaign that cannot be resumed.
    Other(PathBuf, String),
    /// The reader reports no edge coverage.
    NoCoverage,
}

impl fmt::Display for CampaignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reader(error) => error.fmt(f),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Other(path, why) => write!(f, "{}: {why}", path.display()),
            Self::NoCoverage => f.write_str(
                "the reader does not report coverage: build it with SanitizerCoverage \
                 (trace-pc-guard) and link it with coverage.c from readers/kits",
            ),
        }
    }
}

impl std::error::Error for CampaignError {}

impl From<ProbeError> for CampaignError {
    fn from(error: ProbeError) -> Self {
        Self::Reader(error)
    }
}
