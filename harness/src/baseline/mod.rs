//! The list of a reader's known failures. A failing case on the list with the listed
//! outcome is known; any other difference between list and reader is an error, so that the
//! list shrinks and stays true.

mod update;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tracegauge_reports::{BaselineProblem, CaseResult, Outcome};

use tracegauge_corpus::pattern::Pattern;

pub use update::{UpdateError, updated};

/// A list of known failures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// Its entries, in the order of the file.
    pub entries: Vec<Entry>,
}

/// One entry: some cases that are known to fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// A pattern for the names of the cases.
    pub case: String,
    /// How they fail.
    pub outcome: Outcome,
    /// Where given, only cases about this rule are meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Where given, of records that are wrong the rule that speaks of what differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Why this is so, or where to read about it.
    pub reason: String,
}

/// Why a baseline cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum BaselineError {
    /// It cannot be read or written.
    Io(PathBuf, io::Error),
    /// It is no YAML, or not of the form of a baseline.
    Form(PathBuf, serde_yaml::Error),
    /// An entry gives no reason.
    NoReason(PathBuf, String),
    /// An entry lists what is no failure.
    NoFailure(PathBuf, String, Outcome),
}

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Form(path, error) => match error.location() {
                Some(at) => {
                    write!(
                        f,
                        "{}:{}:{}: {error}",
                        path.display(),
                        at.line(),
                        at.column()
                    )
                }
                None => write!(f, "{}: {error}", path.display()),
            },
            Self::NoReason(path, case) => {
                write!(
                    f,
                    "{}: the entry for {case} gives no reason",
                    path.display()
                )
            }
            Self::NoFailure(path, case, outcome) => {
                write!(
                    f,
                    "{}: the entry for {case} lists {outcome}, no failure",
                    path.display()
                )
            }
        }
    }
}

impl std::error::Error for BaselineError {}

impl Baseline {
    /// Reads the baseline at `path`.
    ///
    /// # Errors
    /// It cannot be read, is not of the form of a baseline, or an entry gives no reason.
    pub fn load(path: &Path) -> Result<Self, BaselineError> {
        let text =
            fs::read_to_string(path).map_err(|error| BaselineError::Io(path.to_owned(), error))?;
        Self::parse(&text, path)
    }

    /// Reads the text of a baseline; `path` stands in messages.
    ///
    /// # Errors
    /// It is not of the form of a baseline, or an entry gives no reason.
    pub fn parse(text: &str, path: &Path) -> Result<Self, BaselineError> {
        let entries: Option<Vec<Entry>> = serde_yaml::from_str(text)
            .map_err(|error| BaselineError::Form(path.to_owned(), error))?;
        let entries = entries.unwrap_or_default();
        for entry in &entries {
            let case = || entry.case.clone();
            if entry.reason.trim().is_empty() {
                return Err(BaselineError::NoReason(path.to_owned(), case()));
            }
            if !entry.outcome.is_failure() {
                return Err(BaselineError::NoFailure(
                    path.to_owned(),
                    case(),
                    entry.outcome,
                ));
            }
        }
        Ok(Self { entries })
    }

    /// Writes it to `path`. Who looks sees the old file or the whole new one.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn save(&self, path: &Path) -> Result<(), BaselineError> {
        let failed = |error| BaselineError::Io(path.to_owned(), error);
        let text = serde_yaml::to_string(&self.entries)
            .map_err(|error| BaselineError::Form(path.to_owned(), error))?;
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let file = tempfile::Builder::new()
            .tempfile_in(folder)
            .map_err(failed)?;
        fs::write(file.path(), text).map_err(failed)?;
        open_to_others(file.as_file()).map_err(failed)?;
        file.persist(path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// Marks those of `cases` that are known, and says where list and reader part. `extent`
    /// says whether every case of the reader's formats is there.
    pub fn apply(&self, cases: &mut [CaseResult], extent: Extent) -> Vec<BaselineProblem> {
        let mut problems = Vec::new();
        for entry in &self.entries {
            let pattern = Pattern::new(entry.case.clone());
            let text = || entry.case.clone();
            let mut used = false;
            for case in cases
                .iter_mut()
                .filter(|case| entry.is_about(&pattern, case))
            {
                used = true;
                if case.outcome == entry.outcome && entry.speaks_of(case) {
                    case.known.get_or_insert_with(|| entry.reason.clone());
                } else if let (true, Some(listed)) = (case.outcome == entry.outcome, &entry.about) {
                    problems.push(BaselineProblem::Elsewhere {
                        pattern: text(),
                        case: case.case.clone(),
                        about: listed.clone(),
                        instead: case.rule().unwrap_or_default().to_owned(),
                    });
                } else if case.outcome.is_failure() {
                    let (listed, got) = (entry.outcome, case.outcome);
                    let case = case.case.clone();
                    problems.push(BaselineProblem::Differs {
                        pattern: text(),
                        case,
                        listed,
                        got,
                    });
                } else {
                    let case = case.case.clone();
                    problems.push(BaselineProblem::Passes {
                        pattern: text(),
                        case,
                    });
                }
            }
            if !used && extent == Extent::Whole {
                problems.push(BaselineProblem::Stale { pattern: text() });
            }
        }
        problems
    }
}

/// Whether a run covered every case of a reader's formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// It did: an entry that matches nothing is stale.
    Whole,
    /// It did not: an entry may be about a case that was not run.
    Part,
}

impl Entry {
    /// What differs is what the entry says; it may say nothing of it.
    fn speaks_of(&self, case: &CaseResult) -> bool {
        let rules = case.about_difference();
        self.about.as_ref().is_none_or(|rule| rules.contains(rule))
    }

    fn is_about(&self, pattern: &Pattern, case: &CaseResult) -> bool {
        pattern.matches(&case.case)
            && self
                .rule
                .as_ref()
                .is_none_or(|rule| case.rules.contains(rule))
    }
}

fn open_to_others(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(test)]
mod tests;
