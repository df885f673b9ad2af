//! The reader's file: who a reader is, how it is run, and what it does not claim to do.

mod formats;
mod launch;
mod mistakes;
mod omits;
mod units;
mod written;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tracegauge_corpus::pattern::Pattern;

pub use launch::{Launch, LaunchError};
pub use mistakes::{Mistake, ReaderFileError};
pub use omits::{Omission, When};
pub use units::{UnitError, parse_duration, parse_size};
use written::Reading;

/// Time for one case, where the reader file does not say.
pub const TIMEOUT: Duration = Duration::from_secs(5);
/// Resident memory in bytes, where the reader file does not say.
pub const MEMORY: u64 = 1 << 30;

/// A reader as its file describes it.
#[derive(Clone, Debug)]
pub struct ReaderFile {
    /// Its name.
    pub name: String,
    /// Its version; the greeting in serve mode overrules it.
    pub version: Option<String>,
    /// A shell command that builds it, run once before, in the file's folder.
    pub build: Option<String>,
    /// Executables that must be on the search path, or the reader is skipped.
    pub requires: Vec<String>,
    /// The command and its arguments.
    pub command: Vec<String>,
    /// One process for each case, or for many.
    pub mode: Mode,
    /// Formats that it reads; empty: all.
    pub formats: Vec<String>,
    /// What it reports.
    pub reports: Reports,
    /// How it orders records.
    pub order: Order,
    /// Members and kinds of records that it does not report.
    pub omits: Vec<Omission>,
    /// Declared gaps, by names of the description.
    pub unsupported: Vec<String>,
    /// What exit statuses mean, where they are not the usual ones.
    pub statuses: BTreeMap<i32, StatusMeaning>,
    /// How lines begin that it writes to standard error when it crashes, besides those of runtimes
    /// that are known; `*` and `?` as in patterns for cases.
    pub crashes: Vec<Pattern>,
    /// Whether it may also be fed a stream on standard input.
    pub stdin: bool,
    /// Time for one case.
    pub timeout: Duration,
    /// Resident memory in bytes.
    pub memory: u64,
    /// Files and folders that it reads, besides its project, its runtime and the system.
    pub reads: Vec<PathBuf>,
    /// Its list of known failures, as an absolute path.
    pub baseline: Option<PathBuf>,
    /// The folder that its relative paths start from.
    pub folder: PathBuf,
}

/// How many cases a process is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// One.
    #[default]
    Once,
    /// Many, one after the other.
    Serve,
}

/// What a reader reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reports {
    /// Accepts and rejects only.
    Verdict,
    /// Also what it read.
    Records,
    /// Whatever it turns out to print, case by case.
    #[default]
    Unknown,
}

/// How a reader orders records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they stand in the file.
    #[default]
    File,
    /// By time.
    Time,
}

/// What an exit status means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusMeaning {
    /// The trace is accepted.
    Accept,
    /// The trace is rejected.
    Reject,
    /// The reader does not support this.
    Unsupported,
    /// The reader broke down.
    Crash,
}

impl ReaderFile {
    /// Reads the reader file at `path`.
    ///
    /// # Errors
    /// The file cannot be read or is not of the form of a reader file.
    pub fn load(path: &Path) -> Result<Self, ReaderFileError> {
        Self::load_for(path, None)
    }

    /// As [`ReaderFile::load`], where each format that the file names is to be one of `known`, or
    /// the family of some.
    ///
    /// # Errors
    /// As there; or it names a format that is none of these.
    pub fn load_knowing(path: &Path, known: &[&str]) -> Result<Self, ReaderFileError> {
        Self::load_for(path, Some(known))
    }

    fn load_for(path: &Path, known: Option<&[&str]>) -> Result<Self, ReaderFileError> {
        let failed = |error| ReaderFileError::Io(path.to_owned(), error);
        let text = std::fs::read_to_string(path).map_err(failed)?;
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let folder = std::path::absolute(folder).map_err(failed)?;
        Self::of(&text, path, &folder, known)
    }

    /// Reads the text of a reader file; `path` stands in messages, and relative paths start
    /// from `folder`.
    ///
    /// ```
    /// use std::path::Path;
    /// use tracegauge_harness::reader_file::{Mode, ReaderFile};
    ///
    /// let text = "{name: mine, command: [./mine], mode: serve, timeout: 2s}";
    /// let reader = ReaderFile::parse(text, Path::new("mine.yaml"), Path::new("/readers"))?;
    /// assert_eq!(reader.mode, Mode::Serve);
    /// # Ok::<(), tracegauge_harness::reader_file::ReaderFileError>(())
    /// ```
    ///
    /// # Errors
    /// The text is not of the form of a reader file.
    pub fn parse(text: &str, path: &Path, folder: &Path) -> Result<Self, ReaderFileError> {
        Self::of(text, path, folder, None)
    }

    fn of(
        text: &str,
        path: &Path,
        folder: &Path,
        known: Option<&[&str]>,
    ) -> Result<Self, ReaderFileError> {
        let (written, mut reading) = Reading::of(text);
        let mut listed = Vec::new();
        for (name, span) in written.formats.iter().chain(&written.omitted_formats) {
            if let Some(known) = known
                && let Some(message) = formats::unknown(name, known)
            {
                reading.note(*span, message);
                listed = formats::plain(known);
            }
        }
        let mistakes = reading.mistakes();
        if !mistakes.is_empty() {
            return Err(ReaderFileError::Mistakes {
                file: path.to_owned(),
                mistakes,
                known: listed,
            });
        }
        Ok(Self {
            name: written.name.unwrap_or_else(|| name_for(path, folder)),
            version: written.version,
            build: written.build,
            requires: written.requires,
            command: written.command,
            mode: written.mode,
            formats: written.formats.into_iter().map(|(name, _)| name).collect(),
            reports: written.reports.unwrap_or(match written.mode {
                Mode::Once => Reports::Verdict,
                Mode::Serve => Reports::Unknown,
            }),
            order: written.order,
            omits: written.omits,
            unsupported: written.unsupported,
            statuses: written.statuses,
            crashes: written.crashes,
            stdin: written.stdin,
            timeout: written.timeout.unwrap_or(TIMEOUT),
            memory: written.memory.unwrap_or(MEMORY),
            reads: written.reads,
            baseline: written.baseline.map(|path| folder.join(path)),
            folder: folder.to_owned(),
        })
    }

    /// The reader that `-- CMD…` names, run once for each case, for a first look.
    pub fn ad_hoc(command: Vec<String>, folder: PathBuf) -> Self {
        Self {
            name: called(&command, &folder),
            version: None,
            build: None,
            requires: Vec::new(),
            command,
            mode: Mode::Once,
            formats: Vec::new(),
            reports: Reports::Unknown,
            order: Order::File,
            omits: Vec::new(),
            unsupported: Vec::new(),
            statuses: BTreeMap::new(),
            crashes: Vec::new(),
            stdin: false,
            timeout: TIMEOUT,
            memory: MEMORY,
            reads: Vec::new(),
            baseline: None,
            folder,
        }
    }

    /// Whether it reads `format`: a format is named in full, or by its family, which means
    /// all its versions. A dialect that deviates is read only where it is named.
    pub fn reads(&self, format: &str) -> bool {
        self.formats.is_empty() || self.formats.iter().any(|name| names_format(name, format))
    }
}

/// What a reader is called whose file does not say: as the folder that the file is in.
fn name_for(path: &Path, folder: &Path) -> String {
    let name = folder.file_name().or(path.file_stem());
    name.map_or_else(
        || "reader".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// What a command is called: its program; of one that is looked for, as an interpreter is, the first
/// argument that is a file.
fn called(command: &[String], folder: &Path) -> String {
    let Some((program, arguments)) = command.split_first() else {
        return "reader".to_owned();
    };
    let mut files = arguments.iter().filter(|file| folder.join(file).is_file());
    let script = files.next().filter(|_| !program.contains('/'));
    let whole = script.unwrap_or(program);
    whole.rsplit('/').next().unwrap_or(whole).to_owned()
}

/// Whether `name` names `format`: in full, or as the family of all its versions.
///
/// ```
/// use tracegauge_harness::reader_file::names_format;
/// assert!(names_format("boxes", "boxes-v2"));
/// assert!(!names_format("boxes", "boxes-v2@odd"));
/// assert!(!names_format("box", "boxes-v2"));
/// ```
pub fn names_format(name: &str, format: &str) -> bool {
    let is_version = |rest: &str| {
        let digits = rest.strip_prefix("-v").unwrap_or_default();
        !digits.is_empty()
            && digits
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    name == format || format.strip_prefix(name).is_some_and(is_version)
}

#[cfg(test)]
mod tests;
