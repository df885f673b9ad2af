//! The faces of the harness on the command line.

pub mod baseline;
pub mod bench;
pub mod bundle;
pub mod check;
pub mod decode;
mod dialect;
pub mod encode;
pub mod explain;
pub mod format;
pub mod fuzz;
pub mod generate;
pub mod input;
pub mod inspect;
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
pub mod suggested;
pub mod tree;
mod verdict;

/// Writes a line to standard output.
macro_rules! say {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        $crate::commands::output::note(writeln!(std::io::stdout().lock(), $($words)*));
    }};
}
/// As [`say`], without ending the line.
macro_rules! tell {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        $crate::commands::output::note(write!(std::io::stdout().lock(), $($words)*));
    }};
}
pub(crate) use {say, tell};

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use tracegauge_corpus::compressed::DecompressError;

/// How a command ends: an interface for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: all as expected, or as the baseline says.
    Ok,
    /// 1: some reader does not conform.
    Finding,
    /// 2: wrong usage, or a file that cannot be read.
    Usage,
    /// 3: it could not be completed.
    Incomplete,
    /// 4: nothing was run.
    Nothing,
}

impl Exit {
    /// All ways to end, by their status.
    pub const ALL: [Self; 5] = [
        Self::Ok,
        Self::Finding,
        Self::Usage,
        Self::Incomplete,
        Self::Nothing,
    ];

    /// What the status says.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Ok => "all is as expected, or as the list of known failures says",
            Self::Finding => {
                "the finding: a trace is rejected, a reader does not conform, a description has \
                 mistakes, a corpus differs"
            }
            Self::Usage => "wrong usage, or a file that cannot be read",
            Self::Incomplete => "it could not be completed",
            Self::Nothing => "nothing was run",
        }
    }

    /// The exit status.
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
    /// The worse of two: what a script must know first.
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

/// Says what is wrong with the usage.
pub fn usage(message: &str) -> Exit {
    eprintln!("error: {}", harmless(message));
    Exit::Usage
}

/// Says why something could not be completed.
pub fn incomplete(message: &str) -> Exit {
    eprintln!("error: {}", harmless(message));
    Exit::Incomplete
}

/// Says why a file cannot be read, or not to the end.
pub fn unreadable(path: &Path, error: &io::Error) -> Exit {
    let message = format!("{}: {error}", named(path));
    if DecompressError::is_too_much(error) {
        incomplete(&message)
    } else {
        usage(&message)
    }
}

/// Says why something cannot be written to, which its author can mend.
fn unwritable(path: &Path, error: &io::Error) -> Exit {
    usage(&format!("{}: {error}", named(path)))
}

/// The name of a file on one line that does nothing to a terminal.
///
/// ```
/// use tracegauge_harness::commands::named;
/// assert_eq!(named(std::path::Path::new("a\n\u{1b}[31m.bin")), "a\\n\\u{1b}[31m.bin");
/// ```
pub fn named(path: &Path) -> String {
    one_line(&path.to_string_lossy())
}

/// A text on one line that does nothing to a terminal.
fn one_line(text: &str) -> String {
    escaped(text, |_| false)
}

/// A message of several lines that does nothing else to a terminal.
fn harmless(message: &str) -> String {
    escaped(message, |c| matches!(c, '\n' | '\t'))
}

/// Control characters are shown and not sent, but for those that are `kept`.
pub(crate) fn escaped(text: &str, kept: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && !kept(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.status())
    }
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How much is said, and how.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Voice {
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Print nothing but what fails
    #[arg(long, global = true)]
    pub quiet: bool,
    /// Do not say how far it is
    #[arg(long, global = true)]
    pub no_progress: bool,
}

impl Voice {
    /// Whether standard output gets colour.
    pub fn color(self) -> tracegauge_reports::terminal::Color {
        use tracegauge_reports::terminal::Color;
        let wanted = match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => std::io::stdout().is_terminal() && !is_set("NO_COLOR"),
        };
        if wanted { Color::Always } else { Color::Never }
    }

    /// Whether standard error gets a progress bar.
    pub fn shows_progress(self) -> bool {
        self.tells_progress() && !is_set("CI") && std::io::stderr().is_terminal()
    }

    /// Whether it is told how far something is, be it without a bar.
    pub fn tells_progress(self) -> bool {
        !self.no_progress && !self.quiet
    }
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}
