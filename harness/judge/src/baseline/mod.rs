//! A reader's list of known failures (the baseline).
//!
//! A failing case is a known failure if the list contains it with the same outcome. Any other
//! difference between the list and the results is an error, so the list stays accurate and only
//! shrinks.

mod one_or_more;
mod update;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tracegauge_results::{BaselineProblem, CaseResult, Outcome};

use tracegauge_corpus::huge::is_huge_id;
use tracegauge_corpus::pattern::Pattern;
use tracegauge_plan::source::{LineColumn, Sources};
use tracegauge_spec::diagnostic::{Diagnostics, Severity};
use tracegauge_spec::yaml::{self, Budget};

pub use one_or_more::OneOrMore;
pub use update::{UpdateError, updated};

/// A list of known failures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The entries of the baseline, in file order.
    pub entries: Vec<Entry>,
}

/// A bug in the reader and the cases that fail because of it.
///
/// Each key that selects failures takes a single value or a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// A description of the bug or, in an unexplained entry, of the observed behavior.
    pub reason: String,
    /// Whether the failures in this entry are still unexplained.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unexplained: bool,
    /// The outcomes that count as known failures of the selected cases.
    pub outcome: OneOrMore<Outcome>,
    /// The rules that the selected cases must test. `None` selects cases regardless of their rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<OneOrMore<String>>,
    /// If the outcome is wrong records, the rules that the difference must be related to. `None`
    /// allows any difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<OneOrMore<String>>,
    /// The simplest case that fails because of the bug. If this field is set, `case` selects all
    /// cases that the bug may affect. Only the simplest case must fail in the listed way: the
    /// others may also pass or fail in a different way. If the simplest case passes, the bug is
    /// considered fixed, and other matching cases that still fail are no longer known failures,
    /// because they fail for another reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simplest: Option<String>,
    /// Patterns that select cases by name.
    pub case: OneOrMore<String>,
}

/// An error that occurred while a baseline was loaded or saved.
#[derive(Debug)]
#[non_exhaustive]
pub enum BaselineError {
    /// The file cannot be read or written.
    Io(PathBuf, io::Error),
    /// The file is not YAML or does not have the structure of a baseline.
    Form(PathBuf, serde_yaml::Error),
    /// The file is not YAML or exceeds the limits on YAML files.
    Yaml(PathBuf, LineColumn, String),
    /// An entry has no reason.
    NoReason(PathBuf, String),
    /// The simplest case of an entry matches none of the entry's patterns.
    NotListed(PathBuf, String),
    /// An entry lists an outcome that is not a failure.
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
            Self::Yaml(path, LineColumn { line, column }, message) => {
                write!(f, "{}:{line}:{column}: {message}", path.display())
            }
            Self::NoReason(path, case) => {
                write!(f, "{}: the entry for {case} has no reason", path.display())
            }
            Self::NotListed(path, simplest) => write!(
                f,
                "{}: `simplest` names {simplest}, which no pattern of `case` matches",
                path.display()
            ),
            Self::NoFailure(path, case, outcome) => {
                write!(
                    f,
                    "{}: the entry for {case} lists {outcome}, which is not a failure",
                    path.display()
                )
            }
        }
    }
}

impl std::error::Error for BaselineError {}

/// Checks that the text is YAML and stays within the limits that also apply to descriptions. The
/// parser that builds the entries has no limits and is slow on deeply nested text.
fn within_limits(text: &str, path: &Path) -> Result<(), BaselineError> {
    let mut sources = Sources::default();
    let source = sources.add("", text);
    let mut found = Diagnostics::default();
    yaml::parse(text, source, &Budget::default(), &mut found);
    let is_blank = text.trim().is_empty();
    let first = found
        .iter()
        .find(|it| it.severity == Severity::Error && !is_blank);
    first.map_or(Ok(()), |first| {
        let place = sources.line_column(first.span);
        Err(BaselineError::Yaml(
            path.to_owned(),
            place,
            first.message.clone(),
        ))
    })
}

impl Baseline {
    /// Reads the baseline at `path`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, does not have the structure of a baseline, has
    /// an entry without a reason or with a simplest case that matches none of its patterns, or
    /// lists an outcome that is not a failure.
    pub fn load(path: &Path) -> Result<Self, BaselineError> {
        let text =
            fs::read_to_string(path).map_err(|error| BaselineError::Io(path.to_owned(), error))?;
        Self::parse(&text, path)
    }

    /// Parses the text of a baseline. `path` is used only in messages.
    ///
    /// # Errors
    /// Returns an error if the text does not have the structure of a baseline, has an entry without
    /// a reason or with a simplest case that matches none of its patterns, or lists an outcome that
    /// is not a failure.
    pub fn parse(text: &str, path: &Path) -> Result<Self, BaselineError> {
        within_limits(text, path)?;
        let entries: Option<Vec<Entry>> = serde_yaml::from_str(text)
            .map_err(|error| BaselineError::Form(path.to_owned(), error))?;
        let entries = entries.unwrap_or_default();
        for entry in &entries {
            let case = || entry.case.first().clone();
            if entry.reason.trim().is_empty() {
                return Err(BaselineError::NoReason(path.to_owned(), case()));
            }
            let mut patterns = entry.patterns().into_iter();
            if let Some(simplest) = &entry.simplest
                && !patterns.any(|pattern| pattern.matches(simplest))
            {
                return Err(BaselineError::NotListed(path.to_owned(), simplest.clone()));
            }
            if let Some(outcome) = entry.outcome.iter().find(|it| !it.is_failure()) {
                let path = path.to_owned();
                return Err(BaselineError::NoFailure(path, case(), *outcome));
            }
        }
        Ok(Self { entries })
    }

    /// Writes the baseline to `path` atomically: other processes see either the old file or the
    /// complete new one.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
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

    /// Marks the known failures in `cases` and returns the differences between the list and the
    /// results. `extent` says whether `cases` includes every case of the reader's formats.
    pub fn apply(&self, cases: &mut [CaseResult], extent: Extent) -> Applied {
        let mut applied = Applied::default();
        let has_huge = cases.iter().any(|case| is_huge_id(&case.case));
        for entry in &self.entries {
            let patterns = entry.patterns();
            let mut used = vec![false; patterns.len()];
            // If the bug is fixed, cases that still fail do so for another reason.
            let is_fixed = entry.is_fixed(cases);
            let mut hidden = Vec::new();
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
                    Some(_) if is_fixed && case.outcome.is_failure() && case.known.is_none() => {
                        hidden.push(case.case.clone());
                    }
                    Some(_) if entry.fits(case) => {
                        applied.unexplained +=
                            usize::from(entry.unexplained && case.known.is_none());
                        case.known.get_or_insert_with(|| entry.reason.clone());
                    }
                    Some(_) if entry.simplest.is_some() => {}
                    Some(pattern) => applied.problems.push(entry.problem(pattern, case)),
                }
            }
            applied
                .problems
                .extend(entry.problem_of_simplest(cases, extent, hidden));
            if extent == Extent::Whole {
                // Huge cases run only on request, and findings are not cases of a run.
                let may_run = |pattern: &Pattern| {
                    (!is_huge_id(pattern.text()) || has_huge) && !is_about_findings(pattern.text())
                };
                let unused = patterns.iter().zip(used).filter(|(_, used)| !used);
                let unused = unused.filter(|(pattern, _)| may_run(pattern));
                let stale = unused.map(|(pattern, _)| BaselineProblem::Stale {
                    pattern: pattern.text().to_owned(),
                });
                applied.problems.extend(stale);
            }
        }
        applied
    }
}

/// The result of applying a baseline to a reader's results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// The differences between the list and the results.
    pub problems: Vec<BaselineProblem>,
    /// The number of known failures that are listed only in unexplained entries.
    pub unexplained: usize,
}

/// Whether a run covered every case of a reader's formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The run covered every case, so an entry that matches nothing is stale.
    Whole,
    /// The run covered only some cases, so an entry may match a case that was not run.
    Part,
}

/// Returns whether a pattern of cases is about findings of fuzzing campaigns, which are named
/// `FORMAT/fuzz/…`.
fn is_about_findings(pattern: &str) -> bool {
    pattern.split('/').nth(1) == Some("fuzz")
}

impl Entry {
    fn patterns(&self) -> Vec<Pattern> {
        self.case.iter().map(Pattern::new).collect()
    }

    fn is_about_rule(&self, case: &CaseResult) -> bool {
        let is_rule = |rules: &OneOrMore<String>| rules.iter().any(|it| case.rules.contains(it));
        self.rule.as_ref().is_none_or(is_rule)
    }

    /// Returns whether `case`, which the entry lists, has a listed outcome and, for wrong records,
    /// a difference that the entry describes.
    fn fits(&self, case: &CaseResult) -> bool {
        self.outcome.contains(&case.outcome) && self.speaks_of(case)
    }

    /// Returns true if the outcome is not wrong records, or if the records differ in the way that
    /// the entry describes. An entry without `about` matches any difference.
    fn speaks_of(&self, case: &CaseResult) -> bool {
        let rules = case.about_difference();
        let is_there = |about: &OneOrMore<String>| about.iter().any(|rule| rules.contains(rule));
        case.outcome != Outcome::WrongRecords || self.about.as_ref().is_none_or(is_there)
    }

    /// Returns whether the entry's simplest case no longer fails.
    fn is_fixed(&self, cases: &[CaseResult]) -> bool {
        let simplest = self.simplest.as_ref();
        let found = simplest.and_then(|it| cases.iter().find(|case| case.case == *it));
        found.is_some_and(|case| !case.outcome.is_failure())
    }

    /// Returns the problem with the simplest case, if any: the case was not run, passes, or fails
    /// in another way.
    fn problem_of_simplest(
        &self,
        cases: &[CaseResult],
        extent: Extent,
        hidden: Vec<String>,
    ) -> Option<BaselineProblem> {
        let simplest = self.simplest.as_ref()?;
        match cases.iter().find(|case| case.case == *simplest) {
            Some(case) if self.fits(case) => None,
            Some(case) if !case.outcome.is_failure() => Some(BaselineProblem::Fixed {
                pattern: simplest.clone(),
                case: simplest.clone(),
                reason: self.reason.clone(),
                hidden,
            }),
            Some(case) => Some(self.problem(&Pattern::new(simplest), case)),
            None => (extent == Extent::Whole && !is_about_findings(simplest)).then(|| {
                BaselineProblem::Stale {
                    pattern: simplest.clone(),
                }
            }),
        }
    }

    /// Returns the problem with `case`, which matches `pattern` but either passes or fails in a way
    /// that the entry does not list.
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
