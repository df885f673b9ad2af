//! The list of a reader's known failures. A failing case on the list with the listed
//! outcome is known; any other difference between list and reader is an error, so that the
//! list shrinks and stays true.

mod one_or_more;
mod update;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tracegauge_reports::{BaselineProblem, CaseResult, Outcome};

use tracegauge_corpus::pattern::Pattern;

pub use one_or_more::OneOrMore;
pub use update::{UpdateError, updated};

/// A list of known failures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// Its entries, in the order of the file.
    pub entries: Vec<Entry>,
}

/// One entry: what a reader does wrong, and the cases that fail because of it.
///
/// Each key that says which failures are meant takes one value or a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What the reader does wrong; of an entry that is not explained, what was observed.
    pub reason: String,
    /// Nobody has looked yet why the cases fail.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unexplained: bool,
    /// How the cases fail: each in one of these ways.
    pub outcome: OneOrMore<Outcome>,
    /// Where given, only cases about one of these rules are meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<OneOrMore<String>>,
    /// Where given, what is wrong in records that are wrong: one of the rules that speak of the
    /// difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<OneOrMore<String>>,
    /// Patterns for the names of the cases.
    pub case: OneOrMore<String>,
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
            let case = || entry.case.first().clone();
            if entry.reason.trim().is_empty() {
                return Err(BaselineError::NoReason(path.to_owned(), case()));
            }
            if let Some(outcome) = entry.outcome.iter().find(|it| !it.is_failure()) {
                let path = path.to_owned();
                return Err(BaselineError::NoFailure(path, case(), *outcome));
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
    pub fn apply(&self, cases: &mut [CaseResult], extent: Extent) -> Applied {
        let mut applied = Applied::default();
        for entry in &self.entries {
            let patterns = entry.patterns();
            let mut used = vec![false; patterns.len()];
            for case in cases.iter_mut().filter(|case| entry.is_about_rule(case)) {
                let mut pattern = None;
                for (used, it) in used.iter_mut().zip(&patterns) {
                    if it.matches(&case.case) {
                        *used = true;
                        pattern = pattern.or(Some(it));
                    }
                }
                match pattern {
                    None => {}
                    Some(_) if entry.fits(case) => {
                        applied.unexplained +=
                            usize::from(entry.unexplained && case.known.is_none());
                        case.known.get_or_insert_with(|| entry.reason.clone());
                    }
                    Some(pattern) => applied.problems.push(entry.problem(pattern, case)),
                }
            }
            if extent == Extent::Whole {
                let unused = patterns.iter().zip(used).filter(|(_, used)| !used);
                let stale = unused.map(|(pattern, _)| BaselineProblem::Stale {
                    pattern: pattern.text().to_owned(),
                });
                applied.problems.extend(stale);
            }
        }
        applied
    }
}

/// What a baseline and a reader's results have to do with each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Where they part.
    pub problems: Vec<BaselineProblem>,
    /// Failures that are known by entries which nobody has explained.
    pub unexplained: usize,
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
    fn patterns(&self) -> Vec<Pattern> {
        self.case.iter().map(Pattern::new).collect()
    }

    fn is_about_rule(&self, case: &CaseResult) -> bool {
        let is_rule = |rules: &OneOrMore<String>| rules.iter().any(|it| case.rules.contains(it));
        self.rule.as_ref().is_none_or(is_rule)
    }

    /// Whether `case`, of which the entry speaks, fails as it says.
    fn fits(&self, case: &CaseResult) -> bool {
        self.outcome.contains(&case.outcome) && self.speaks_of(case)
    }

    /// Whether what differs in records is what the entry says; it may say nothing of it.
    fn speaks_of(&self, case: &CaseResult) -> bool {
        let rules = case.about_difference();
        let is_there = |about: &OneOrMore<String>| about.iter().any(|rule| rules.contains(rule));
        case.outcome != Outcome::WrongRecords || self.about.as_ref().is_none_or(is_there)
    }

    /// What is not so about `case`, which `pattern` lists and which does not fit.
    fn problem(&self, pattern: &Pattern, case: &CaseResult) -> BaselineProblem {
        let pattern = pattern.text().to_owned();
        let name = case.case.clone();
        if !case.outcome.is_failure() {
            return BaselineProblem::Passes {
                pattern,
                case: name,
            };
        }
        if let (true, Some(about)) = (self.outcome.contains(&case.outcome), &self.about) {
            let about: Vec<&str> = about.iter().map(String::as_str).collect();
            return BaselineProblem::Elsewhere {
                pattern,
                case: name,
                about: about.join(" or "),
                instead: case.rule().unwrap_or_default().to_owned(),
            };
        }
        BaselineProblem::Differs {
            pattern,
            case: name,
            listed: *self.outcome.first(),
            or_listed: self.outcome.others().to_vec(),
            got: case.outcome,
        }
    }
}

fn open_to_others(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(test)]
mod tests;
