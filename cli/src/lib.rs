//! The commands of the `tracegauge` program.

pub mod baseline;
pub mod bench;
pub mod bundle;
pub mod check;
pub mod corpus;
pub mod decode;
pub mod departure_args;
pub mod departures;
mod dialect;
pub mod encode;
mod excerpt;
pub mod explain;
pub mod format;
pub mod fuzz;
pub mod generate;
pub mod input;
pub mod inspect;
pub mod memory;
pub mod minimize;
pub mod output;
pub mod progress;
pub mod query;
pub mod reader;
pub mod reference;
pub mod report;
pub mod run;
mod signals;
pub mod spec;
mod state;
mod surroundings;
mod verdict;

/// Writes a line to standard output.
macro_rules! say {
    ($($words:tt)*) => {{
        $crate::output::say(&format!("{}\n", format_args!($($words)*)));
    }};
}
/// Like [`say`], but without a line break at the end.
macro_rules! tell {
    ($($words:tt)*) => {{
        $crate::output::say(&format!($($words)*));
    }};
}
/// Writes a message to standard error, followed by a line break.
macro_rules! remark {
    ($($words:tt)*) => {
        $crate::output::remark(&format!($($words)*))
    };
}
pub(crate) use {remark, say, tell};

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use tracegauge_corpus::compressed::DecompressError;
use tracegauge_results::text::visible;

/// The result of a command, which becomes its exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: everything is as expected, or every failure is a known failure.
    Ok,
    /// 1: the command reports findings, for example a reader that does not conform.
    Finding,
    /// 2: usage error, or a file cannot be read.
    Usage,
    /// 3: the command could not be completed.
    Incomplete,
    /// 4: nothing was run.
    Nothing,
}

impl Exit {
    /// All results, in the order of their exit statuses.
    pub const ALL: [Self; 5] = [
        Self::Ok,
        Self::Finding,
        Self::Usage,
        Self::Incomplete,
        Self::Nothing,
    ];

    /// Returns the meaning of the exit status, for the reference page.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Ok => "everything is as expected, or every failure is a known failure",
            Self::Finding => {
                "a finding: a trace was rejected, a reader does not conform, a description has \
                 mistakes, or a corpus differs from its manifests"
            }
            Self::Usage => "usage error, or a file cannot be read",
            Self::Incomplete => "the command could not be completed",
            Self::Nothing => "nothing was run",
        }
    }

    /// Returns the exit status.
    pub fn status(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Finding => 1,
            Self::Usage => 2,
            Self::Incomplete => 3,
            Self::Nothing => 4,
        }
    }
}

impl Exit {
    /// Returns the worse of two results, for commands that perform several tasks.
    pub fn worse(self, other: Self) -> Self {
        let rank = |exit: Self| match exit {
            Self::Ok => 0,
            Self::Finding => 1,
            Self::Nothing => 2,
            Self::Usage => 3,
            Self::Incomplete => 4,
        };
        if rank(other) > rank(self) {
            other
        } else {
            self
        }
    }
}

/// Prints a usage error.
pub fn usage(message: &str) -> Exit {
    remark!("error: {message}");
    Exit::Usage
}

/// Prints the reason why the command could not be completed.
pub fn incomplete(message: &str) -> Exit {
    remark!("error: {message}");
    Exit::Incomplete
}

/// Prints the reason why a file cannot be read, or cannot be read to its end.
pub fn unreadable(path: &Path, error: &io::Error) -> Exit {
    // The command stopped reading on purpose.
    if error.kind() == io::ErrorKind::BrokenPipe && output::is_closed() {
        return Exit::Ok;
    }
    let message = format!("{}: {error}", named(path));
    let is_too_large = error.kind() == io::ErrorKind::FileTooLarge;
    if is_too_large || DecompressError::is_too_much(error) {
        incomplete(&message)
    } else {
        usage(&message)
    }
}

/// Prints the reason why a path cannot be written to. An unwritable path is a usage error, because
/// the user can correct it.
fn unwritable(path: &Path, error: &io::Error) -> Exit {
    usage(&format!("{}: {error}", named(path)))
}

/// Returns the name of a file on a single line, with control characters escaped so that a terminal
/// does not interpret them.
///
/// ```
/// use tracegauge_cli::named;
/// assert_eq!(named(std::path::Path::new("a\n\u{1b}[31m.bin")), "a\\n\\u{1b}[31m.bin");
/// ```
pub fn named(path: &Path) -> String {
    one_line(&path.to_string_lossy())
}

/// Puts `text` on a single line by escaping all invisible characters.
fn one_line(text: &str) -> String {
    visible(text).into_owned()
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.status())
    }
}

/// When to use color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    /// Use color if standard output is a terminal and `NO_COLOR` is not set.
    #[default]
    Auto,
    /// Always use color.
    Always,
    /// Never use color.
    Never,
}

/// Options that control the amount and the color of the output.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct OutputOptions {
    /// When to use color
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Print only failures and errors
    #[arg(long, global = true)]
    pub quiet: bool,
    /// Hide progress bars and progress messages
    #[arg(long, global = true)]
    pub no_progress: bool,
}

impl OutputOptions {
    /// Returns whether to color standard output.
    pub fn color(self) -> tracegauge_reports::terminal::Color {
        use tracegauge_reports::terminal::Color;
        let wanted = match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => std::io::stdout().is_terminal() && !is_set("NO_COLOR"),
        };
        if wanted { Color::Always } else { Color::Never }
    }

    /// Returns true if standard error shows a progress bar.
    pub fn shows_progress(self) -> bool {
        self.tells_progress() && !is_set("CI") && std::io::stderr().is_terminal()
    }

    /// Returns true if progress is reported at all, as a bar or as lines of text.
    pub fn tells_progress(self) -> bool {
        !self.no_progress && !self.quiet
    }
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}
