//! Errors of the corpus subcommands.

use std::path::PathBuf;
use std::{fmt, io};

use tracegauge_corpus::compressed::{Compression, DecompressError};
use tracegauge_corpus::formats::FormatError;
use tracegauge_corpus::huge::is_huge_id;
use tracegauge_corpus::matrix::MatrixError;
use tracegauge_corpus::real::RealError;
use tracegauge_corpus::store::{KeptError, StoreError};
use tracegauge_corpus::suite::SuiteError;
use tracegauge_corpus::vector::{Disagreement, VectorError};

use super::Exit;

/// An error that prevents a command from completing.
#[derive(Debug)]
pub enum CommandError {
    /// A format cannot be loaded.
    Format(FormatError),
    /// A corpus file is not valid.
    Kept(KeptError),
    /// A corpus file cannot be read or written.
    Store(StoreError),
    /// A stored outcome matrix cannot be used.
    Matrix(MatrixError),
    /// A file cannot be read or written.
    File(PathBuf, io::Error),
    /// A trace to be stored is compressed.
    Compressed(PathBuf, Compression),
    /// The corpus folder does not exist.
    NoFolder(PathBuf),
    /// No case has the given name.
    NoCase(String),
    /// No case and no rule has the given name.
    NoCaseOrRule {
        /// The unknown name.
        name: String,
        /// The most similar rule, if it is similar.
        near: Option<String>,
    },
    /// The case is retired, and its trace is no longer generated. Contains the case and the reason.
    RetiredCase(String, Option<String>),
    /// The rule exists only in formats that are not selected. Contains the rule and the formats
    /// that define it.
    RuleElsewhere(String, Vec<String>),
    /// The failed cases of a result belong to formats that have no cases in the corpus. Contains
    /// these formats.
    OtherCorpus(Vec<String>),
    /// A name matches several cases. Contains the name and the matching cases.
    SeveralCases(String, Vec<String>),
    /// A case that is listed in no manifest can be retired only by hand. Contains the case and the
    /// folder with its file.
    ByHand(String, String),
    /// A case that is listed in no manifest, such as a trace of a real writer, cannot be retired.
    NotListed(String),
    /// A built-in case cannot be retired, because a manifest in a folder would replace all built-in
    /// manifests.
    BuiltIn(String),
    /// The case is already retired. Contains the case and the reason.
    Retired(String, String),
    /// A trace has no fault that minimizing could preserve.
    NoFault(PathBuf),
    /// A format has no rule with the given id. Contains the format and the id.
    NoSuchRule(String, String),
    /// The format of a file cannot be detected.
    Unrecognised(PathBuf),
    /// A trace is too long to be stored as text.
    TooLong(PathBuf, usize),
    /// The description names no rule for the fault in a trace.
    NoRule(PathBuf),
    /// A trace cannot be a twin, because readers do not have to accept it.
    NoTwin(PathBuf),
    /// A case stored as text cannot be read back.
    Vector(VectorError),
    /// A real file or its list cannot be read.
    Real(RealError),
    /// A case stored as text has different content when it is read back.
    Disagreement(Box<Disagreement>),
    /// Two cases would have the same file name.
    SameFile(String, String),
    /// A file to be written already exists and was not written by an export.
    Foreign(PathBuf),
    /// The folder for the exported Go tests already contains a Go package with this name.
    GoPackage(PathBuf, String),
    /// The output cannot be written.
    Output(io::Error),
}

impl CommandError {
    /// Returns the exit status of the command.
    pub fn status(&self) -> Exit {
        match self {
            Self::Output(_) => Exit::Incomplete,
            Self::Format(FormatError::Plan { .. }) => Exit::Incomplete,
            Self::File(_, error) if DecompressError::is_too_much(error) => Exit::Incomplete,
            _ => Exit::Usage,
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(error) => error.fmt(f),
            Self::Kept(error) => error.fmt(f),
            Self::Store(error) => error.fmt(f),
            Self::Matrix(error) => error.fmt(f),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Compressed(path, compression) => {
                write!(f, "{}: {}", path.display(), compression.refusal())
            }
            Self::NoFolder(path) => write!(
                f,
                "{}: no such folder; expected a corpus with the folders `vectors` and `manifest`",
                path.display()
            ),
            Self::NoCase(name) if is_huge_id(name) => write!(
                f,
                "no case is named `{name}`: `run --huge` creates huge cases and does not keep them"
            ),
            Self::NoCase(name) => write!(f, "no case is named `{name}`"),
            Self::NoCaseOrRule { name, near: None } => {
                write!(f, "no case or rule is named `{name}`")
            }
            Self::NoCaseOrRule {
                name,
                near: Some(near),
            } => write!(f, "no case or rule is named `{name}`; did you mean {near}?"),
            Self::RetiredCase(id, reason) => {
                write!(f, "{id} is retired, and its trace is no longer generated")?;
                match reason {
                    Some(reason) => write!(f, ": {reason}"),
                    None => Ok(()),
                }
            }
            Self::RuleElsewhere(id, formats) => {
                write!(f, "{id} is a rule of other formats: {}", formats.join(", "))
            }
            Self::OtherCorpus(formats) => write!(
                f,
                "this corpus does not contain the cases that failed in the result (formats: {}); \
                 use `--spec FILE` to specify the description used in the run, or `--corpus DIR` \
                 to specify its corpus, or run the reader again",
                formats.join(", ")
            ),
            Self::SeveralCases(name, ids) => {
                write!(f, "`{name}` matches {} cases:", ids.len())?;
                for id in ids.iter().take(10) {
                    write!(f, "\n  {id}")?;
                }
                Ok(())
            }
            Self::ByHand(id, folder) => write!(
                f,
                "{id} is stored as text: add `state: retired` and a `reason` to its file, which is \
                 in {folder}"
            ),
            Self::NotListed(id) => write!(
                f,
                "{id} is listed in no manifest and cannot be retired; list it under `unsupported` \
                 or in the baseline of the reader instead"
            ),
            Self::BuiltIn(id) => write!(
                f,
                "{id} is a built-in case and cannot be retired here: copy the whole folder `corpus` of \
                 tracegauge and retire it there, or list it under `unsupported` or in the baseline of \
                 the reader"
            ),
            Self::Retired(id, reason) => write!(
                f,
                "{id} is already retired ({reason}); change the reason in the manifest"
            ),
            Self::NoFault(path) => write!(
                f,
                "{}: no reader has to reject this trace, so there is no fault for --minimize to \
                 preserve; without --minimize, the trace is added unchanged",
                path.display()
            ),
            Self::NoSuchRule(format, rule) => write!(
                f,
                "{format} has no rule `{rule}`; `tracegauge spec docs` lists its rules"
            ),
            Self::Unrecognised(path) => write!(
                f,
                "{}: unknown format; choose one with --format",
                path.display()
            ),
            Self::TooLong(path, bytes) => write!(
                f,
                "{}: the trace is too large to store as text ({bytes} bytes); use --minimize to \
                 reduce it",
                path.display()
            ),
            Self::NoRule(path) => write!(
                f,
                "{}: the description has no rule for the fault in this trace",
                path.display()
            ),
            Self::NoTwin(path) => write!(
                f,
                "{}: not usable as a twin, because not every reader has to accept it",
                path.display()
            ),
            Self::Vector(error) => error.fmt(f),
            Self::Real(error) => error.fmt(f),
            Self::Disagreement(error) => error.fmt(f),
            Self::SameFile(one, other) => {
                write!(f, "{one} and {other} would have the same file name")
            }
            Self::GoPackage(folder, package) => write!(
                f,
                "{}: the folder has the Go package `{package}`, and Go allows only one package in \
                 a folder; choose a folder of its own with --out, such as `conformance`",
                folder.display()
            ),
            Self::Foreign(path) => write!(
                f,
                "{} was not written by this command and is not overwritten; move it, or export to \
                 another folder",
                path.display()
            ),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<FormatError> for CommandError {
    fn from(error: FormatError) -> Self {
        Self::Format(error)
    }
}

impl From<SuiteError> for CommandError {
    fn from(error: SuiteError) -> Self {
        match error {
            SuiteError::Format(error) => Self::Format(error),
            SuiteError::Manifest(error) => Self::Kept(error),
        }
    }
}

impl From<MatrixError> for CommandError {
    fn from(error: MatrixError) -> Self {
        Self::Matrix(error)
    }
}

impl From<KeptError> for CommandError {
    fn from(error: KeptError) -> Self {
        Self::Kept(error)
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
