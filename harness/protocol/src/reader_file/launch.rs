//! Converts a reader file to a command that can be started: checks its requirements, builds the
//! reader and resolves paths.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tracegauge_contain::Origin;
use tracegauge_contain::environment::{self, Secrets};
use tracegauge_corpus::pattern::Pattern;

use super::{Mode, ReaderFile, StatusMeaning};

/// The numbers of output lines to show for a failed build: from the first error on, and from the
/// end.
const BUILD_LINES: (usize, usize) = (6, 8);

/// A command that can be started, with its limits.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// The arguments, which still contain `{file}` and `{stdin}`.
    pub arguments: Vec<String>,
    /// Whether a process handles a single case or many cases.
    pub mode: Mode,
    /// The meanings of exit statuses, where they differ from the defaults.
    pub statuses: BTreeMap<i32, StatusMeaning>,
    /// Patterns for the beginnings of lines on standard error that report a crash, in addition to
    /// the crash reports of known runtimes.
    pub crashes: Arc<[Pattern]>,
    /// The time limit for one case.
    pub timeout: Duration,
    /// The limit on resident memory in bytes.
    pub memory: u64,
    /// Whether the reader can also read a trace from standard input.
    pub stdin: bool,
    /// The files that the reader is started from.
    pub origin: Origin,
    /// The names of environment variables to pass in addition to [the usual
    /// variables](environment::PASSED).
    pub passed: Vec<String>,
    /// Environment variables to set in addition to those that are passed.
    pub environment: BTreeMap<&'static str, OsString>,
}

impl Launch {
    /// Returns the command that starts the program, with its environment but without arguments.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        environment::restrict(&mut command, &self.passed);
        command.envs(&self.environment);
        command
    }
}

/// The reason why a reader cannot be started.
#[derive(Debug)]
#[non_exhaustive]
pub enum LaunchError {
    /// A required executable is not installed, so the reader is skipped.
    Requires(String),
    /// The shell that runs the build cannot be started.
    Shell(io::Error),
    /// The build failed. The fields are the command, the exit status of its shell, and the lines of
    /// its output that explain the failure.
    Build(String, ExitStatus, String),
    /// The program does not exist.
    NoProgram(String),
    /// The program is a folder.
    Folder(String),
    /// The program is a file without execute permission.
    NotExecutable(String),
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Requires(name) => {
                write!(f, "the reader requires `{name}`, which is not on the PATH")
            }
            Self::Shell(error) => write!(f, "cannot start the build: {error}"),
            Self::Build(command, status, output) => {
                write!(f, "the build failed: `{command}` ({status})")?;
                output
                    .lines()
                    .try_for_each(|line| write!(f, "\n    {line}"))
            }
            Self::NoProgram(name) => write!(f, "program `{name}` not found"),
            Self::Folder(name) => write!(f, "program `{name}` is a folder"),
            Self::NotExecutable(name) => write!(
                f,
                "program `{name}` is not executable; run `chmod +x {name}`, or put its interpreter \
                 first, as in `python3 {name}`"
            ),
        }
    }
}

impl std::error::Error for LaunchError {}

impl ReaderFile {
    /// Prepares the reader for starting: checks that required executables exist, builds the reader
    /// once and resolves its paths.
    ///
    /// # Errors
    /// Returns an error if a required executable is missing, the build fails, or the program does
    /// not exist or is not executable.
    pub fn prepare(&self) -> Result<Launch, LaunchError> {
        if let Some(missing) = self.requires.iter().find(|name| on_path(name).is_none()) {
            return Err(LaunchError::Requires(missing.clone()));
        }
        if let Some(build) = &self.build {
            run_build(build, &self.folder)?;
        }
        let program = self.find_program()?;
        let arguments = self.command.iter().skip(1);
        let arguments: Vec<String> = arguments.map(|text| self.argument(text)).collect();
        let named = arguments.iter().map(PathBuf::from);
        let named = named.filter(|path| path.is_absolute() && path.exists());
        let reads = self.reads.iter().map(|path| self.folder.join(path));
        Ok(Launch {
            origin: Origin {
                folder: self.folder.clone(),
                program: program.clone(),
                files: named.chain(reads).collect(),
            },
            program,
            arguments,
            mode: self.mode,
            statuses: self.statuses.clone(),
            crashes: self.crashes.iter().map(begins_as).collect(),
            timeout: self.timeout,
            memory: self.memory,
            stdin: self.stdin,
            passed: self.env.clone(),
            environment: BTreeMap::new(),
        })
    }

    /// Finds the program of the reader without building it.
    ///
    /// # Errors
    /// Returns an error if the program does not exist or is not executable.
    pub fn find_program(&self) -> Result<PathBuf, LaunchError> {
        let program = self.command.first().map_or("", String::as_str);
        find_program(program, &self.folder)
    }

    /// Makes an argument absolute if it names a file next to the reader file, because a reader runs
    /// in an empty folder.
    fn argument(&self, text: &str) -> String {
        let is_option = text.starts_with('-');
        let beside = self.folder.join(text);
        if is_option || text.is_empty() || text.contains('{') || !beside.exists() {
            return text.replace("{dir}", &self.folder.to_string_lossy());
        }
        beside.to_string_lossy().into_owned()
    }
}

/// Returns a pattern for lines that begin with a match of `pattern`.
fn begins_as(pattern: &Pattern) -> Pattern {
    Pattern::new(format!("{pattern}*"))
}

fn run_build(build: &str, folder: &Path) -> Result<(), LaunchError> {
    let output = Command::new("sh")
        .args(["-c", build])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(LaunchError::Shell)?;
    if output.status.success() {
        return Ok(());
    }
    let printed = [output.stdout, output.stderr].concat();
    let printed = Secrets::of_process().masked(&printed).unwrap_or(printed);
    let text = String::from_utf8_lossy(&printed);
    Err(LaunchError::Build(
        build.to_owned(),
        output.status,
        telling(&text),
    ))
}

/// Returns the output lines of a failed build that explain the failure: the lines starting with the
/// first error, and the last lines.
fn telling(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let (first, last) = BUILD_LINES;
    let end = lines.len().saturating_sub(last);
    let is_error = |line: &&str| line.to_ascii_lowercase().contains("error");
    let error = lines.iter().position(is_error).filter(|at| *at < end);
    let Some(error) = error else {
        return lines[end.saturating_sub(first)..].join("\n");
    };
    let mut shown = lines[error..end.min(error + first)].to_vec();
    if error + first < end {
        shown.push("[…]");
    }
    shown.extend(&lines[end..]);
    shown.join("\n")
}

fn find_program(program: &str, folder: &Path) -> Result<PathBuf, LaunchError> {
    let found = if program.contains('/') {
        let path = folder.join(program.replace("{dir}", &folder.to_string_lossy()));
        if path.is_dir() {
            return Err(LaunchError::Folder(program.to_owned()));
        }
        if path.exists() && !is_executable(&path) {
            return Err(LaunchError::NotExecutable(program.to_owned()));
        }
        path.exists().then_some(path)
    } else {
        on_path(program)
    };
    found.ok_or_else(|| LaunchError::NoProgram(program.to_owned()))
}

/// Finds the executable `name` in `PATH`.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|candidate| is_executable(candidate))
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
