//! Opens the traces that commands read: files, pipes, and standard input as `-`, compressed or not.
//! Each trace is opened once, because a pipe cannot be read again.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use tracegauge_corpus::compressed::{Compression, Decompressed};
use tracegauge_corpus::expected::accepting;
use tracegauge_decoder::Verdict;
use tracegauge_plan::Plan;

use super::format::{ChoiceError, FormatArgs, HEAD};
use super::{Exit, named, output};

/// The maximum size in bytes of a trace that is kept in memory. The limit is low because the tree
/// of a trace needs many times as much memory as the trace itself.
const MOST: u64 = 1 << 30;

/// The maximum size in bytes of a trace that is decoded again to find a hint for the user.
const HINTED: usize = 16 << 20;

/// Maximum time to wait for the rest of a trace that is needed only for a hint.
const PATIENCE: Duration = Duration::from_secs(1);

/// The path that stands for standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// Handling of compressed traces
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct RawArgs {
    /// Read traces as raw bytes, without decompressing gzip or zstd
    #[arg(long)]
    pub raw: bool,
}

/// Handling of a compressed file in commands that store bytes of the trace
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct KeepArgs {
    /// Read a file compressed with gzip or zstd as raw bytes; without this flag, compressed files
    /// are rejected and must be decompressed first
    #[arg(long)]
    pub raw: bool,
}

/// Options for reading traces.
#[derive(Clone, Copy, Debug)]
pub struct How<'a> {
    /// The format.
    pub format: &'a FormatArgs,
    /// Whether compressed traces are decompressed.
    pub compressed: RawArgs,
    /// Whether to omit the note that a trace is decompressed.
    pub quiet: bool,
}

/// A trace that has been opened.
pub struct Opened {
    /// The plan for decoding the trace.
    pub plan: Arc<Plan>,
    /// The compression of the file, if it is decompressed.
    pub compression: Option<Compression>,
    /// The size in bytes, or 0 if it is not known in advance.
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
    /// Opens the file at `path`, or standard input for `-`, and reads enough bytes to recognize the
    /// format.
    ///
    /// # Errors
    /// Returns an error if the trace cannot be opened, read or decompressed, or if its format is
    /// not recognized.
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
            // If some bytes precede the error, decoding processes these bytes and then encounters
            // the error again.
            if let (true, Err(error)) = (head.is_empty(), read) {
                return Err(error.into());
            }
            rest = Box::new(inner);
            if !how.quiet {
                crate::remark!(
                    "note: decompressing {} ({compression}); offsets refer to the decompressed data",
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

    /// Returns a reader that starts at the first byte of the trace.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// Returns the plan and all bytes of the trace. Reading stops at the size limit, even if the
    /// file is an endless device.
    ///
    /// # Errors
    /// Returns an error if the trace cannot be read or is larger than 1 GiB.
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
    /// The bytes read so far, or `None` once there are too many to decode again for a hint.
    seen: Option<Vec<u8>>,
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bytes").finish_non_exhaustive()
    }
}

impl Bytes {
    /// Reads the rest of the trace and returns all its bytes, so that it can be decoded again to
    /// find a hint. Returns `None` if the trace is too long, cannot be read, or does not arrive in
    /// time, for example because it comes from a pipe that stays open.
    pub fn whole(mut self) -> Option<Vec<u8>> {
        let (done, read) = mpsc::channel();
        let work = move || {
            let limit = HINTED as u64 + 1;
            let read = io::copy(&mut self.by_ref().take(limit), &mut io::sink());
            // The receiver may have stopped waiting.
            let _ = done.send(read.ok().and(self.seen));
        };
        // The thread ends with the program at the latest.
        let thread = thread::Builder::new().name("hint".to_owned());
        thread.spawn(work).ok()?;
        read.recv_timeout(PATIENCE).ok()?
    }
}

impl Read for Bytes {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // A trace can be endless, so a command must stop reading when nobody reads its output.
        if output::is_closed() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
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

/// The bytes of a trace that has been decoded, in case it has to be decoded again.
pub enum Decoded {
    /// The bytes of the trace, some of which may not have been read yet, because decoding stops at
    /// a violation.
    Unread(Bytes),
    /// All bytes, or `None` if [`Bytes::whole`] returned `None`.
    Whole(Option<Vec<u8>>),
}

impl Decoded {
    /// Returns all bytes of the trace, or `None` under the same conditions as [`Bytes::whole`].
    pub fn whole(self) -> Option<Vec<u8>> {
        match self {
            Self::Unread(bytes) => bytes.whole(),
            Self::Whole(bytes) => bytes,
        }
    }
}

/// After the default interpretation has rejected a trace, looks for another interpretation that the
/// description allows and that does not reject the trace. Returns the plan and the verdict of this
/// interpretation, together with the bytes of the trace.
pub fn other_reading(
    plan: &Plan,
    verdict: &Verdict,
    bytes: Bytes,
) -> (Decoded, Option<(Plan, Verdict)>) {
    if !verdict.may_be_read_differently(plan) {
        return (Decoded::Unread(bytes), None);
    }
    let whole = bytes.whole();
    let other = whole.as_deref();
    let other = other.and_then(|whole| accepting(plan, verdict, whole));
    (Decoded::Whole(whole), other)
}

/// Runs a command on each of `paths`, and returns the worst exit status. If no format can be
/// chosen, the error applies to all traces and is printed only once.
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

/// Checks that standard input is given at most once, because it would be empty the second time.
///
/// # Errors
/// Returns an error message if standard input is given more than once.
fn once(paths: &[PathBuf]) -> Result<(), &'static str> {
    let named = paths
        .iter()
        .filter(|path| *path == Path::new(STANDARD_INPUT));
    if named.count() > 1 {
        return Err("`-` is given more than once, but standard input can be read only once");
    }
    Ok(())
}

/// Returns whether a result may be written next to the trace at `path`. Standard input, pipes and
/// devices have no folder that results can be written to.
pub fn has_folder(path: &Path) -> bool {
    let is_other = path
        .metadata()
        .is_ok_and(|about| !about.is_file() && !about.is_dir());
    path != Path::new(STANDARD_INPUT) && !is_other
}

/// The reasons why a trace cannot be read.
#[derive(Debug)]
pub enum NotRead {
    /// The trace cannot be read or decompressed, or is too long for this command.
    File(io::Error),
    /// The format of the trace is not recognized.
    Format(ChoiceError),
}

impl NotRead {
    /// Prints the reason why the trace at `path` cannot be read.
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

/// Reads the trace at `path` and returns its plan and all its bytes.
///
/// # Errors
/// Returns an error if the trace cannot be opened or read, if its format is not recognized, or if
/// it is larger than 1 GiB.
pub fn whole(path: &Path, how: How<'_>) -> Result<(Arc<Plan>, Vec<u8>), NotRead> {
    Opened::new(path, how)?.whole()
}

/// Appends the contents of `file` to `bytes`, up to `most` bytes in total.
fn at_most(mut bytes: Vec<u8>, file: impl io::Read, most: u64) -> io::Result<Vec<u8>> {
    let left = (most + 1).saturating_sub(bytes.len() as u64);
    file.take(left).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!(
                "the trace is larger than {} MiB, and this command keeps the whole trace in \
                 memory; `tracegauge decode` and `tracegauge check` read traces of any size",
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
        assert!(read.is_err_and(|error| error.to_string().contains("larger than 1 MiB")));
        assert!(at_most(vec![7; 4], &[7; 5][..], 9).is_ok_and(|bytes| bytes == [7; 9]));
        let error = at_most(vec![7; 5], &[7; 5][..], 9).expect_err("too long");
        let exit = NotRead::from(error).say(Path::new("trace.bin"));
        assert_eq!(exit, Exit::Incomplete);
    }
}
