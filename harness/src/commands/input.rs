//! Traces that commands are given: files, pipes, and standard input as `-`, compressed or not. Each is
//! opened once, since what a pipe has given is gone.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use tracegauge_corpus::compressed::{Compression, Decompressed, RawArgs};
use tracegauge_spec::plan::Plan;

use super::format::{ChoiceError, FormatArgs, HEAD};
use super::{Exit, named};

/// More bytes are not kept in memory, where the tree of a trace takes many times as many.
const MOST: u64 = 1 << 30;

/// Longer traces are not looked at again for a hint.
const HINTED: usize = 16 << 20;

/// How long the rest of a trace is waited for where it is needed for no more than a hint.
const PATIENCE: Duration = Duration::from_secs(1);

/// The name of standard input.
const STANDARD_INPUT: &str = "-";

/// How traces are read.
#[derive(Clone, Copy, Debug)]
pub struct How<'a> {
    /// Their format.
    pub format: &'a FormatArgs,
    /// Whether compressed traces are decompressed.
    pub compressed: RawArgs,
    /// Whether it is not said that a trace is decompressed.
    pub quiet: bool,
}

/// A trace that has been opened.
pub struct Opened {
    /// The plan that it is read by.
    pub plan: Arc<Plan>,
    /// How the file is compressed, where it is decompressed.
    pub compression: Option<Compression>,
    /// The size in bytes; 0 where it is not known before the end.
    pub length: u64,
    bytes: Bytes,
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Opened");
        shown.field("format", &self.plan.format);
        shown.field("compression", &self.compression);
        shown.field("length", &self.length);
        shown.finish_non_exhaustive()
    }
}

impl Opened {
    /// Opens the file at `path`, or standard input for `-`, and reads what tells its format.
    ///
    /// # Errors
    /// It cannot be opened, read or decompressed, or its format is not known.
    pub fn new(path: &Path, how: How<'_>) -> Result<Self, NotRead> {
        let (mut rest, mut length): (Rest, u64) = if path == Path::new(STANDARD_INPUT) {
            (Box::new(io::stdin()), 0)
        } else {
            let file = File::open(path)?;
            let length = file.metadata().map_or(0, |about| about.len());
            (Box::new(file), length)
        };
        let mut head = Vec::new();
        rest.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let compression = match Compression::of(&head) {
            Some(found) if !how.compressed.raw && !how.format.formats()?.begin_with(&head) => {
                Some(found)
            }
            _ => None,
        };
        if let Some(compression) = compression {
            length = 0;
            let mut inner = Decompressed::new(compression, head, rest);
            head = Vec::new();
            let read = inner.by_ref().take(HEAD as u64).read_to_end(&mut head);
            // Where something stands before the fault, reading on meets it again.
            if let (true, Err(error)) = (head.is_empty(), read) {
                return Err(error.into());
            }
            rest = Box::new(inner);
            if !how.quiet {
                eprintln!(
                    "note: {} is decompressed ({compression}); offsets are those of the decompressed \
                     data",
                    named(path)
                );
            }
        }
        Ok(Self {
            plan: how.format.plan_for(&head)?,
            compression,
            length,
            bytes: Bytes {
                head: Cursor::new(head),
                rest,
                seen: Some(Vec::new()),
            },
        })
    }

    /// All bytes from the first on.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The plan and all bytes, where they are not too many to be kept in memory. A device without an
    /// end is read up to the limit.
    ///
    /// # Errors
    /// It cannot be read, or has more than 1 GiB.
    pub fn whole(self) -> Result<(Arc<Plan>, Vec<u8>), NotRead> {
        let bytes = at_most(Vec::new(), self.bytes, MOST)?;
        Ok((self.plan, bytes))
    }
}

type Rest = Box<dyn Read + Send>;

/// The bytes of a trace.
pub struct Bytes {
    head: Cursor<Vec<u8>>,
    rest: Rest,
    /// What has been read, unless it is too long for a hint.
    seen: Option<Vec<u8>>,
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bytes").finish_non_exhaustive()
    }
}

impl Bytes {
    /// The whole trace, from its first byte on, for a hint: none where it is long, cannot be read, or
    /// does not come soon, as from a pipe that stays open.
    pub fn whole(mut self) -> Option<Vec<u8>> {
        let (done, read) = mpsc::channel();
        let work = move || {
            let limit = HINTED as u64 + 1;
            let read = io::copy(&mut self.by_ref().take(limit), &mut io::sink());
            // Whoever asked may have gone on.
            let _ = done.send(read.ok().and(self.seen));
        };
        // The thread ends with the program, at the latest.
        let thread = thread::Builder::new().name("hint".to_owned());
        thread.spawn(work).ok()?;
        read.recv_timeout(PATIENCE).ok()?
    }
}

impl Read for Bytes {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = match self.head.read(into)? {
            0 => self.rest.read(into)?,
            count => count,
        };
        if let Some(seen) = &mut self.seen {
            seen.extend_from_slice(&into[..count]);
            if seen.len() > HINTED {
                self.seen = None;
            }
        }
        Ok(count)
    }
}

/// Runs a command over the traces that it is given, one after the other; the worst of what they end
/// with. What is wrong with the format is the same for all of them, and is told once.
pub fn each(paths: &[PathBuf], format: &FormatArgs, mut one: impl FnMut(&Path) -> Exit) -> Exit {
    if let Err(message) = once(paths) {
        return super::usage(message);
    }
    if let Err(error) = format.check() {
        return super::usage(&error.to_string());
    }
    let exits = paths.iter().map(|path| one(path));
    exits.fold(Exit::Ok, Exit::worse)
}

/// Refuses standard input where it is named more than once: the second would find it empty.
///
/// # Errors
/// The message for the user.
fn once(paths: &[PathBuf]) -> Result<(), &'static str> {
    let named = paths
        .iter()
        .filter(|path| *path == Path::new(STANDARD_INPUT));
    if named.count() > 1 {
        return Err("`-` is given more than once, and standard input can be read only once");
    }
    Ok(())
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
pub enum NotRead {
    /// It cannot be read or decompressed, or is too long for this command.
    File(io::Error),
    /// Its format is not known.
    Format(ChoiceError),
}

impl NotRead {
    /// Says why the trace at `path` is not read.
    pub fn say(&self, path: &Path) -> Exit {
        match self {
            Self::File(error) => super::unreadable(path, error),
            Self::Format(error) => super::usage(&format!("{}: {error}", named(path))),
        }
    }
}

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Format(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotRead {}

impl From<io::Error> for NotRead {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

impl From<ChoiceError> for NotRead {
    fn from(error: ChoiceError) -> Self {
        Self::Format(error)
    }
}

/// The plan of the trace at `path` and all its bytes.
///
/// # Errors
/// It cannot be opened or read, its format is not known, or it has more than 1 GiB.
pub fn whole(path: &Path, how: How<'_>) -> Result<(Arc<Plan>, Vec<u8>), NotRead> {
    Opened::new(path, how)?.whole()
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
