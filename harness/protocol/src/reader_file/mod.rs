//! The reader file, which says what the reader is called, how to run it, and what it does not
//! support or report.

mod formats;
mod launch;
mod mistakes;
mod omits;
pub mod placeholders;
mod scalar;
mod units;
mod written;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tracegauge_corpus::pattern::Pattern;

pub use launch::{Launch, LaunchError};
pub use mistakes::{Mistake, ReaderFileError};
pub use omits::{Omission, When};
pub use scalar::yaml_text;
pub use units::{UnitError, parse_duration, parse_size, parse_time};
use written::Reading;

/// The default time limit for one case.
pub const TIMEOUT: Duration = Duration::from_secs(5);
/// The default limit on resident memory, in bytes.
pub const MEMORY: u64 = 1 << 30;

/// The content of a reader file.
#[derive(Clone, Debug)]
pub struct ReaderFile {
    /// The name of the reader.
    pub name: String,
    /// The version of the reader. In serve mode, a version in the reader's greeting takes
    /// precedence.
    pub version: Option<String>,
    /// A shell command that builds the reader, run once in the folder of the reader file.
    pub build: Option<String>,
    /// Executables that must be found in `PATH`. If an executable is missing, the reader is
    /// skipped.
    pub requires: Vec<String>,
    /// The command and its arguments.
    pub command: Vec<String>,
    /// Whether a process handles a single case or many cases.
    pub mode: Mode,
    /// The formats that the reader supports, by name or family. An empty list means all formats.
    pub formats: Vec<String>,
    /// What the reader's answers contain.
    pub reports: Reports,
    /// The order of the reported records.
    pub order: Order,
    /// Members and kinds of records that the reader does not report.
    pub omits: Vec<Omission>,
    /// Features that the reader does not support, with the names used in the description.
    pub unsupported: Vec<String>,
    /// The meanings of exit statuses, where they differ from the defaults.
    pub statuses: BTreeMap<i32, StatusMeaning>,
    /// Patterns for the beginnings of lines on standard error that report a crash, in addition to
    /// the crash reports of known runtimes. As in patterns for cases, `*` and `?` are wildcards.
    pub crashes: Vec<Pattern>,
    /// Whether the reader can also read a trace from standard input.
    pub stdin: bool,
    /// The time limit for one case.
    pub timeout: Duration,
    /// The limit on resident memory in bytes.
    pub memory: u64,
    /// Files and folders that the reader needs to read, other than its project, its runtime and the
    /// system.
    pub reads: Vec<PathBuf>,
    /// Environment variables that the reader receives in addition to [the usual
    /// variables](tracegauge_contain::environment::PASSED).
    pub env: Vec<String>,
    /// The absolute path of the list of known failures.
    pub baseline: Option<PathBuf>,
    /// The base folder for relative paths.
    pub folder: PathBuf,
}

/// The number of cases that a process handles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// One case.
    #[default]
    Once,
    /// Many cases, one after another.
    Serve,
}

/// What a reader's answers contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reports {
    /// The verdict only.
    Verdict,
    /// The decoded records in addition to the verdict.
    Records,
    /// It is not known what the answers contain. Records are compared if the reader prints any.
    #[default]
    Unknown,
}

/// The order in which a reader reports records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// In file order.
    #[default]
    File,
    /// Sorted by time.
    Time,
}

/// The meaning of an exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusMeaning {
    /// The reader accepts the trace.
    Accept,
    /// The reader rejects the trace.
    Reject,
    /// The reader does not support a feature of the trace.
    Unsupported,
    /// The reader crashed.
    Crash,
}

impl ReaderFile {
    /// Loads the reader file at `path`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a valid reader file.
    pub fn load(path: &Path) -> Result<Self, ReaderFileError> {
        Self::load_for(path, None)
    }

    /// Like [`ReaderFile::load`], but also checks that each format named in the file is one of
    /// `known` or a family that contains one of them.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a valid reader file, or names an unknown
    /// format.
    pub fn load_knowing(path: &Path, known: &[&str]) -> Result<Self, ReaderFileError> {
        Self::load_for(path, Some(known))
    }

    fn load_for(path: &Path, known: Option<&[&str]>) -> Result<Self, ReaderFileError> {
        // `reader init` writes a folder with this file, and users often name the folder.
        let inside = path.is_dir().then(|| path.join("reader.yaml"));
        let path = inside.as_deref().unwrap_or(path);
        let failed = |error| ReaderFileError::Io(path.to_owned(), error);
        let text = read(path).map_err(|error| match error.kind() {
            // The file is not text, so it may be a trace or a program.
            io::ErrorKind::InvalidData => ReaderFileError::Other(path.to_owned()),
            _ => failed(error),
        })?;
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let folder = std::path::absolute(folder).map_err(failed)?;
        Self::of(&text, path, &folder, known)
    }

    /// Parses the text of a reader file. `path` is used in messages, and relative paths are
    /// resolved against `folder`.
    ///
    /// ```
    /// use std::path::Path;
    /// use tracegauge_protocol::reader_file::{Mode, ReaderFile};
    ///
    /// let text = "{name: mine, command: [./mine], mode: serve, timeout: 2s}";
    /// let reader = ReaderFile::parse(text, Path::new("mine.yaml"), Path::new("/readers"))?;
    /// assert_eq!(reader.mode, Mode::Serve);
    /// # Ok::<(), tracegauge_protocol::reader_file::ReaderFileError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not a valid reader file.
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
        if reading.is_other() {
            return Err(ReaderFileError::Other(path.to_owned()));
        }
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
            env: written.env,
            baseline: written.baseline.map(|path| folder.join(path)),
            folder: folder.to_owned(),
        })
    }

    /// Creates a reader from the command line `-- CMD…`, which is run once per case.
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
            env: Vec::new(),
            baseline: None,
            folder,
        }
    }

    /// Returns whether the reader supports `format`. The reader file lists a format by its full
    /// name or by its family, which includes all versions of the format. A dialect is included only
    /// if the file names it explicitly.
    pub fn reads(&self, format: &str) -> bool {
        self.formats.is_empty() || self.formats.iter().any(|name| names_format(name, format))
    }
}

/// Returns the default name of a reader, which is the name of the folder that contains its file.
fn name_for(path: &Path, folder: &Path) -> String {
    let name = folder.file_name().or(path.file_stem());
    name.map_or_else(
        || "reader".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// Returns the name of a command: the name of the program or, for a program in `PATH` such as an
/// interpreter, the name of the first argument that is a file.
fn called(command: &[String], folder: &Path) -> String {
    let Some((program, arguments)) = command.split_first() else {
        return "reader".to_owned();
    };
    let mut files = arguments.iter().filter(|file| folder.join(file).is_file());
    let script = files.next().filter(|_| !program.contains('/'));
    let whole = script.unwrap_or(program);
    whole.rsplit('/').next().unwrap_or(whole).to_owned()
}

/// Returns whether `name` refers to `format`, either in full or as the family of all its versions.
///
/// ```
/// use tracegauge_protocol::reader_file::names_format;
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

/// Maximum size of a reader file in bytes.
const LARGEST: u64 = 1 << 20;

/// Reads the text of a reader file.
fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let length = File::open(path)?
        .take(LARGEST + 1)
        .read_to_string(&mut text)?;
    match length as u64 > LARGEST {
        true => Err(io::Error::other("larger than 1 MiB")),
        false => Ok(text),
    }
}

#[cfg(test)]
mod tests;
