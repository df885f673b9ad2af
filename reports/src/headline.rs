//! What there is to say of a reader in a few words.

use std::fmt;

use crate::model::{ReaderResult, ReaderState};
use crate::text::counted;
use crate::totals::Totals;

/// The few words about a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headline {
    /// Nothing failed.
    Conforms,
    /// Nothing failed but what is known, or does not count.
    ConformsBut {
        /// Failures on the list of known ones.
        known: usize,
        /// Failures that do not count.
        excused: usize,
    },
    /// So much failed that counts.
    Fails(usize),
    /// So many entries of the list of known failures are not true.
    WrongBaseline(usize),
    /// Not all cases ran.
    Incomplete(usize),
    /// It could not run here.
    Skipped,
    /// It should have run and could not.
    Failed,
}

impl Headline {
    /// What there is to say of `reader`: the worst first.
    pub fn of(reader: &ReaderResult) -> Self {
        let totals = &reader.totals;
        let excused = totals.warnings + totals.disputed + totals.not_judged;
        let problems = reader.tail.baseline_problems.len();
        match reader.state {
            ReaderState::Skipped(_) => Self::Skipped,
            ReaderState::Failed(_) => Self::Failed,
            ReaderState::Ran if totals.failures > 0 => Self::Fails(totals.failures),
            ReaderState::Ran if !reader.tail.crashes.is_empty() => {
                Self::Fails(reader.tail.crashes.len())
            }
            ReaderState::Ran if problems > 0 => Self::WrongBaseline(problems),
            ReaderState::Ran if totals.not_run > 0 => Self::Incomplete(totals.not_run),
            ReaderState::Ran if totals.known + excused > 0 => Self::ConformsBut {
                known: totals.known,
                excused,
            },
            ReaderState::Ran => Self::Conforms,
        }
    }

    /// Good, doubtful or bad.
    pub fn tone(self) -> Tone {
        match self {
            Self::Conforms => Tone::Good,
            Self::ConformsBut { .. } => Tone::Listed,
            Self::Skipped => Tone::Absent,
            Self::Fails(_) | Self::WrongBaseline(_) | Self::Incomplete(_) | Self::Failed => {
                Tone::Bad
            }
        }
    }
}

/// How good a headline is; marks and colours follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// All is well.
    Good,
    /// What is wrong is known.
    Listed,
    /// Something is wrong.
    Bad,
    /// Nothing is known.
    Absent,
}

impl Tone {
    /// A sign that needs no colour.
    pub fn mark(self) -> char {
        match self {
            Self::Good => '✓',
            Self::Listed => '◆',
            Self::Bad => '✗',
            Self::Absent => '–',
        }
    }

    /// Its name in style sheets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Listed => "listed",
            Self::Bad => "bad",
            Self::Absent => "absent",
        }
    }
}

impl fmt::Display for Headline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Conforms => f.write_str("conforms"),
            Self::ConformsBut { known, excused: 0 } => write!(f, "as listed: {known} known"),
            Self::ConformsBut { known: 0, excused } => write!(f, "conforms, {excused} excused"),
            Self::ConformsBut { known, excused } => {
                write!(f, "as listed: {known} known, {excused} excused")
            }
            Self::Fails(count) => f.write_str(&counted(count, "failure")),
            Self::WrongBaseline(count) => {
                write!(f, "{} in its list", counted(count, "wrong line"))
            }
            Self::Incomplete(count) => write!(f, "{count} not run"),
            Self::Skipped => f.write_str("skipped"),
            Self::Failed => f.write_str("could not run"),
        }
    }
}

/// A share in percent with one digit, rounded down: what is just below all must not look
/// like all.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", (share * 10.0).floor() / 10.0)
}

/// The share of the passes that show something, in percent.
pub fn proven(totals: &Totals) -> Option<f64> {
    let all = totals.proven + totals.unproven;
    #[expect(clippy::cast_precision_loss, reason = "a share for human eyes")]
    (all > 0).then(|| totals.proven as f64 * 100.0 / all as f64)
}
