//! Summarizes the result of a reader in a few words.

use std::fmt;

use tracegauge_results::text::counted;
use tracegauge_results::{Observed, ReaderResult, ReaderState, Totals};

/// The summary of a reader's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headline {
    /// Nothing failed.
    Conforms,
    /// There are failures, but each is listed in the baseline or does not count.
    ConformsBut {
        /// The number of failures that the baseline lists.
        known: usize,
        /// The number of known failures whose entries in the baseline are marked as unexplained.
        unexplained: usize,
        /// The number of other failures that do not fail the run.
        excused: usize,
    },
    /// There are failures that fail the run. The field is the number of failures that fail the run.
    Fails(usize),
    /// Entries in the baseline are wrong. The field is the number of wrong entries.
    WrongBaseline(usize),
    /// Cases did not run. The field is the number of cases that did not run.
    Incomplete(usize),
    /// Only failures that do not count show that the reader keeps state from one trace to the next.
    Remembers,
    /// Nothing failed, but other answers were given when traces were read again. The field is the
    /// number of these answers.
    NotRepeatable(usize),
    /// Cases passed, but failed when they ran again under different conditions.
    FailsAgain(usize),
    /// Nothing failed, but the reader accepted no trace.
    AcceptsNothing,
    /// The reader does not distinguish valid from malformed traces better than chance.
    NoBetterThanChance,
    /// Nothing failed, but the reader accepted fewer than half of the valid traces of a format.
    AcceptsTooFew {
        /// The number of accepted valid traces.
        accepted: usize,
        /// The number of valid traces.
        valid: usize,
    },
    /// The reader could not run on this machine and was skipped.
    Skipped,
    /// The reader was expected to run but could not.
    Failed,
}

impl Headline {
    /// Returns the summary of `reader`. The most serious finding takes precedence.
    pub fn of(reader: &ReaderResult) -> Self {
        let totals = &reader.totals;
        let excused = totals.warnings + totals.disputed + totals.not_judged;
        let problems = reader.tail.baseline_problems.len();
        let too_few = reader.accepts_too_few().next();
        let repeated = reader.tail.repeated.as_ref();
        let unrepeatable = repeated.map_or(0, |repeated| repeated.differ.len());
        match reader.state {
            ReaderState::Skipped(_) => Self::Skipped,
            ReaderState::Failed(_) => Self::Failed,
            ReaderState::Ran if reader.no_better_than_chance().next().is_some() => {
                Self::NoBetterThanChance
            }
            ReaderState::Ran if totals.failures > 0 => Self::Fails(totals.failures),
            ReaderState::Ran if !reader.tail.crashes.is_empty() => {
                Self::Fails(reader.tail.crashes.len())
            }
            ReaderState::Ran if problems > 0 => Self::WrongBaseline(problems),
            ReaderState::Ran if totals.not_run > 0 => Self::Incomplete(totals.not_run),
            ReaderState::Ran if reader.accepts_nothing() => Self::AcceptsNothing,
            ReaderState::Ran if too_few.is_some() => {
                let (accepted, valid) = too_few.map_or((0, 0), |it| (it.accepted, it.valid));
                Self::AcceptsTooFew { accepted, valid }
            }
            ReaderState::Ran if reader.only_remembers() => Self::Remembers,
            ReaderState::Ran if reader.fail_again() > 0 => Self::FailsAgain(reader.fail_again()),
            ReaderState::Ran if unrepeatable > 0 && totals.known + excused == 0 => {
                Self::NotRepeatable(unrepeatable)
            }
            ReaderState::Ran if totals.known + excused > 0 => Self::ConformsBut {
                known: totals.known,
                unexplained: reader.tail.unexplained,
                excused,
            },
            ReaderState::Ran => Self::Conforms,
        }
    }

    /// Returns whether the headline is good or bad news.
    pub fn tone(self) -> Tone {
        match self {
            Self::Conforms => Tone::Good,
            Self::ConformsBut { .. } | Self::NotRepeatable(_) => Tone::Listed,
            Self::Skipped => Tone::Absent,
            Self::Fails(_)
            | Self::WrongBaseline(_)
            | Self::Incomplete(_)
            | Self::Remembers
            | Self::FailsAgain(_)
            | Self::AcceptsNothing
            | Self::NoBetterThanChance
            | Self::AcceptsTooFew { .. }
            | Self::Failed => Tone::Bad,
        }
    }
}

/// Whether a headline is good or bad news. The tone controls marks and colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Nothing is wrong.
    Good,
    /// There are failures, but each is listed in the baseline or does not count.
    Listed,
    /// Something is wrong.
    Bad,
    /// The reader was skipped, so there is no result.
    Absent,
}

impl Tone {
    /// Returns a mark that is understandable without color.
    pub fn mark(self) -> char {
        match self {
            Self::Good => '✓',
            Self::Listed => '◆',
            Self::Bad => '✗',
            Self::Absent => '–',
        }
    }

    /// Returns the name used in style sheets.
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
            } => write!(f, "conforms; {}", uncounted(excused)),
            Self::ConformsBut {
                known,
                unexplained,
                excused,
            } => {
                let known = known_failures(known, unexplained);
                write!(f, "matches its baseline: {known}")?;
                match excused {
                    0 => Ok(()),
                    _ => write!(f, "; {}", uncounted(excused)),
                }
            }
            Self::Fails(count) => f.write_str(&counted(count, "failure")),
            Self::WrongBaseline(count) => {
                write!(f, "baseline out of date: {}", counted(count, "problem"))
            }
            Self::Incomplete(count) => write!(f, "incomplete: {} not run", counted(count, "case")),
            Self::Remembers => {
                f.write_str("does not conform: the reader keeps state from one trace to the next")
            }
            Self::FailsAgain(count) => write!(
                f,
                "does not conform: {} failed in another order, time zone, locale or folder",
                counted(count, "case")
            ),
            Self::NotRepeatable(1) => f.write_str("conforms, but 1 answer is not repeatable"),
            Self::NotRepeatable(count) => {
                write!(f, "conforms, but {count} answers are not repeatable")
            }
            Self::AcceptsNothing => f.write_str("proves nothing: the reader accepted no traces"),
            Self::NoBetterThanChance => f.write_str("no better than chance"),
            Self::AcceptsTooFew { accepted, valid } => write!(
                f,
                "does not conform: the reader accepts only {accepted} of {}",
                counted(valid, "valid trace")
            ),
            Self::Skipped => f.write_str("skipped"),
            Self::Failed => f.write_str("could not run"),
        }
    }
}

/// Describes the number of known failures and the number of unexplained ones among them.
pub(crate) fn known_failures(known: usize, unexplained: usize) -> String {
    let failures = counted(known, "known failure");
    match unexplained {
        0 => failures,
        _ => format!("{failures}, {unexplained} of them unexplained"),
    }
}

/// Describes the failures that do not fail the run: failures of recommendations, of disputed cases,
/// and of rules that are judged only in strict runs.
pub fn uncounted(excused: usize) -> String {
    match excused {
        1 => "1 failure does not count".to_owned(),
        _ => format!("{excused} failures do not count"),
    }
}

/// Formats a percentage with one decimal place, rounded down, so that a value just below 100% is
/// not shown as 100%.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", (share * 10.0).floor() / 10.0)
}

/// Formats the percentage of the expected record members that a reader reported in the traces that
/// it read correctly. Returns `None` for a reader that reported no members, such as one that
/// answers only with a verdict.
pub fn correct_members(observed: &Observed) -> Option<String> {
    let known = observed.percent().filter(|_| observed.seen > 0);
    known.map(percent)
}

/// Returns the percentage of passes that are proven.
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
        assert_eq!(told(0, 0, 1), "conforms; 1 failure does not count");
        assert_eq!(told(23, 0, 0), "matches its baseline: 23 known failures");
        assert_eq!(
            told(23, 0, 2),
            "matches its baseline: 23 known failures; 2 failures do not count"
        );
        assert_eq!(
            told(1, 1, 2),
            "matches its baseline: 1 known failure, 1 of them unexplained; 2 failures do not count"
        );
    }
}
