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
        /// Those of them that the list does not explain.
        unexplained: usize,
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
                unexplained: reader.tail.unexplained,
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
            Self::ConformsBut {
                known: 0, excused, ..
            } => write!(f, "conforms, {excused} excused"),
            Self::ConformsBut {
                known,
                unexplained,
                excused,
            } => {
                write!(f, "as listed: {}", known_failures(known, unexplained))?;
                match (excused, unexplained) {
                    (0, _) => Ok(()),
                    (_, 0) => write!(f, ", {excused} excused"),
                    _ => write!(f, "; {excused} excused"),
                }
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

/// How many failures are known, and how many of them nobody has explained yet.
pub(crate) fn known_failures(known: usize, unexplained: usize) -> String {
    match unexplained {
        0 => format!("{known} known"),
        _ => format!(
            "{}, {unexplained} of them unexplained",
            counted(known, "known failure")
        ),
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

#[cfg(test)]
mod tests {
    use super::Headline;

    #[test]
    fn known_failures_that_nobody_has_explained_are_told() {
        let told = |known, unexplained, excused| {
            let headline = Headline::ConformsBut {
                known,
                unexplained,
                excused,
            };
            headline.to_string()
        };
        assert_eq!(told(23, 0, 0), "as listed: 23 known");
        assert_eq!(told(23, 0, 2), "as listed: 23 known, 2 excused");
        assert_eq!(
            told(23, 4, 0),
            "as listed: 23 known failures, 4 of them unexplained"
        );
        assert_eq!(
            told(1, 1, 2),
            "as listed: 1 known failure, 1 of them unexplained; 2 excused"
        );
    }
}
