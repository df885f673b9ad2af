//! Errors in a reader file, which are all reported at once with their positions.

use std::fmt;
use std::io;
use std::path::PathBuf;

use tracegauge_plan::source::LineColumn;

/// An error in a reader file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The position of the error.
    pub place: LineColumn,
    /// A description of the error and how to fix it.
    pub message: String,
}

/// A hint on how to create a reader file.
const INIT: &str = "`tracegauge reader init` writes a reader file with an adapter";

/// The reason why a reader file cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReaderFileError {
    /// The file cannot be read.
    Io(PathBuf, io::Error),
    /// The file is not a reader file.
    Other(PathBuf),
    /// The file is a reader file with mistakes.
    Mistakes {
        /// The path of the file.
        file: PathBuf,
        /// The errors, in file order.
        mistakes: Vec<Mistake>,
        /// The known formats without the ids of dialects, if the file names an unknown format.
        known: Vec<String>,
    },
}

impl fmt::Display for ReaderFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, mistakes, known) = match self {
            Self::Io(path, error) => {
                write!(f, "{}: {error}", path.display())?;
                return match error.kind() {
                    io::ErrorKind::NotFound => write!(f, "; {INIT}"),
                    _ => Ok(()),
                };
            }
            Self::Other(path) => {
                let path = path.display();
                return write!(
                    f,
                    "{path} is not a reader file, which is YAML that says how to run a reader, as \
                     in `command: [./my-reader, \"{{file}}\"]`\n  {INIT}\n  to run a program \
                     without a reader file, put its command after --: tracegauge run -- ./my-reader \
                     {{file}}"
                );
            }
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
        f.write_str("\n  for a format that is not bundled, pass its description: --spec FILE")
    }
}

impl std::error::Error for ReaderFileError {}
