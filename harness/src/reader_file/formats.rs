//! Whether the formats that a reader's file names are there.

use std::fmt;
use std::path::{Path, PathBuf};

use tracegauge_spec::load::closest;

use super::{ReaderFile, names_format};

/// A reader's file names a format that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat {
    /// The file.
    pub file: PathBuf,
    /// The format.
    pub name: String,
    /// What was probably meant.
    pub nearest: Option<String>,
    /// What there is, without the dialects that deviate.
    pub known: Vec<String>,
}

impl std::error::Error for UnknownFormat {}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, name, .. } = self;
        write!(
            f,
            "{}: `formats`: there is no format {name}",
            file.display()
        )?;
        if let Some(nearest) = &self.nearest {
            write!(f, "; did you mean {nearest}?")?;
        }
        write!(f, "\n  known: {}", self.known.join(", "))?;
        f.write_str("\n  one that is not bundled is known by its description: --spec FILE")
    }
}

impl ReaderFile {
    /// Whether each format that the file at `path` names is one of `known`, or the family of some.
    ///
    /// # Errors
    /// It names one that is not: no case would ever be for it.
    pub fn check_formats(&self, path: &Path, known: &[&str]) -> Result<(), UnknownFormat> {
        let is_known = |name: &str| known.iter().any(|id| names_format(name, id));
        let Some(name) = self.formats.iter().find(|name| !is_known(name)) else {
            return Ok(());
        };
        let plain = known.iter().filter(|id| !id.contains('@'));
        Err(UnknownFormat {
            file: path.to_owned(),
            name: name.clone(),
            nearest: closest(name, known.iter().copied()).map(str::to_owned),
            known: plain.map(|id| (*id).to_owned()).collect(),
        })
    }
}
