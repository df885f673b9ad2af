//! What is wrong with a reader's file: all of it at once, each mistake with its place.

use std::fmt;
use std::io;
use std::path::PathBuf;

use tracegauge_spec::source::LineColumn;

/// One mistake in a reader's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where it stands.
    pub place: LineColumn,
    /// What is wrong, and what to write instead.
    pub message: String,
}

/// Why a reader file cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReaderFileError {
    /// It cannot be read.
    Io(PathBuf, io::Error),
    /// It is no YAML, or not of the form of a reader file.
    Mistakes {
        /// The file.
        file: PathBuf,
        /// What is wrong, in the order of the file.
        mistakes: Vec<Mistake>,
        /// What formats there are, without the dialects that deviate, where one is named that is
        /// not there.
        known: Vec<String>,
    },
}

impl fmt::Display for ReaderFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, mistakes, known) = match self {
            Self::Io(path, error) => return write!(f, "{}: {error}", path.display()),
            Self::Mistakes {
                file,
                mistakes,
                known,
            } => (file.display(), mistakes, known),
        };
        for (index, Mistake { place, message }) in mistakes.iter().enumerate() {
            let LineColumn { line, column } = place;
            let next = if index > 0 { "\n" } else { "" };
            write!(f, "{next}{file}:{line}:{column}: {message}")?;
        }
        if known.is_empty() {
            return Ok(());
        }
        write!(f, "\n  known formats: {}", known.join(", "))?;
        f.write_str("\n  one that is not bundled is known by its description: --spec FILE")
    }
}

impl std::error::Error for ReaderFileError {}
