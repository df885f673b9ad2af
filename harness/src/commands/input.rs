//! Traces that commands are given: files, pipes, and standard input as `-`. Each is opened once, since
//! what a pipe has given is gone.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use tracegauge_spec::plan::Plan;

use super::format::{ChoiceError, FormatArgs, HEAD};

/// More bytes are not kept in memory, where the tree of a trace takes many times as many.
const MOST: u64 = 1 << 30;

/// The name of standard input.
const STANDARD_INPUT: &str = "-";

/// A trace that has been opened, and its first bytes.
pub struct Opened {
    head: Vec<u8>,
    rest: Box<dyn Read>,
    length: u64,
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Opened");
        shown.field("head", &self.head.len());
        shown.field("length", &self.length);
        shown.finish_non_exhaustive()
    }
}

impl Opened {
    /// Opens the file at `path`, or standard input for `-`, and reads what tells its format.
    ///
    /// # Errors
    /// It cannot be opened or read.
    pub fn new(path: &Path) -> io::Result<Self> {
        let (mut rest, length): (Box<dyn Read>, u64) = if path == Path::new(STANDARD_INPUT) {
            (Box::new(io::stdin().lock()), 0)
        } else {
            let file = File::open(path)?;
            let length = file.metadata().map_or(0, |about| about.len());
            (Box::new(file), length)
        };
        let mut head = Vec::new();
        rest.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        Ok(Self { head, rest, length })
    }

    /// The first bytes, or all where there are fewer.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The size in bytes; 0 where it is not known before the end.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// All bytes from the first on.
    pub fn into_reader(self) -> impl Read {
        Cursor::new(self.head).chain(self.rest)
    }
}

/// Refuses standard input where it is named more than once: the second would find it empty.
///
/// # Errors
/// The message for the user.
pub fn once(paths: &[std::path::PathBuf]) -> Result<(), &'static str> {
    let named = paths
        .iter()
        .filter(|path| *path == Path::new(STANDARD_INPUT));
    if named.count() > 1 {
        return Err("`-` is given more than once, and standard input can be read only once");
    }
    Ok(())
}

/// Whether a path names a file that can be opened and read again.
pub fn is_lasting(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.is_file())
}

/// Whether a result may be written beside the trace at `path`: not beside standard input, a pipe or a
/// device.
pub fn has_folder(path: &Path) -> bool {
    let is_other = path
        .metadata()
        .is_ok_and(|about| !about.is_file() && !about.is_dir());
    path != Path::new(STANDARD_INPUT) && !is_other
}

/// Why a trace is not read.
#[derive(Debug)]
pub enum WholeError {
    /// It cannot be read, or has more than 1 GiB.
    File(io::Error),
    /// Its format is not known.
    Format(ChoiceError),
}

impl fmt::Display for WholeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Format(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WholeError {}

/// All bytes of a file, and the plan that it is read by. Of a file of no known format no more is
/// read than shows that; a device without an end is read up to the limit.
///
/// # Errors
/// It cannot be read, has more than 1 GiB, or its format is not known.
pub fn whole(path: &Path, format: &FormatArgs) -> Result<(Vec<u8>, Arc<Plan>), WholeError> {
    let opened = Opened::new(path).map_err(WholeError::File)?;
    let plan = format.plan_for(opened.head());
    let plan = plan.map_err(WholeError::Format)?;
    let bytes = at_most(Vec::new(), opened.into_reader(), MOST).map_err(WholeError::File)?;
    Ok((bytes, plan))
}

/// `bytes`, and what `file` has after them.
fn at_most(mut bytes: Vec<u8>, file: impl io::Read, most: u64) -> io::Result<Vec<u8>> {
    let left = (most + 1).saturating_sub(bytes.len() as u64);
    file.take(left).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!(
                "more than {} MiB, and this command keeps all of a trace in memory; `tracegauge \
                 decode` and `check` read traces of any size",
                most >> 20
            ),
        ));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_not_read_for_ever() {
        let read = at_most(Vec::new(), io::repeat(0), 1 << 20);
        assert!(read.is_err_and(|error| error.to_string().starts_with("more than 1 MiB")));
        assert!(at_most(vec![7; 4], &[7; 5][..], 9).is_ok_and(|bytes| bytes == [7; 9]));
        assert!(at_most(vec![7; 5], &[7; 5][..], 9).is_err());
    }
}
