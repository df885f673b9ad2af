//! The journal of a run: a file that stores the reader's answers as they arrive, so that an
//! interrupted run can be resumed.
//!
//! Each answer is stored on a separate line, which identifies the case by its name, its version and
//! its bytes. The first line identifies the reader by its command, the files that it is started
//! from, and the declarations in its reader file. The second line contains the seed of the run,
//! which is used again when the run is resumed. An answer is reused only if the identities of the
//! case and the reader are unchanged. An incomplete last line is ignored.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tracegauge_corpus::case::Case;
use tracegauge_judge::Response;
use tracegauge_protocol::Greeting;
use tracegauge_protocol::reader_file::{Launch, ReaderFile};

use crate::schedule::Seed;

/// The settings for journals.
#[derive(Clone, Debug)]
pub struct Journals {
    /// The folder of the journals.
    pub folder: PathBuf,
    /// Whether to continue an interrupted run.
    pub resume: bool,
    /// A suffix that names the shard of the corpus, to distinguish simultaneous runs of the same
    /// reader.
    pub part: String,
}

/// The journal of a run of one reader.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    out: Option<BufWriter<File>>,
    known: HashMap<String, Answered>,
    greeting: Option<Greeting>,
    seed: Seed,
    /// The write error that stopped the journal from storing answers, if any.
    failure: Option<io::Error>,
}

#[derive(Debug)]
struct Answered {
    version: u32,
    bytes: String,
    response: Box<Response>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    /// The identity of the reader, which is always on the first line.
    Reader(String),
    /// The seed for the order of the cases and for the names that the reader sees instead of the
    /// case names.
    Seed(u64),
    Greeting(Greeting),
    Answer {
        case: String,
        version: u32,
        bytes: String,
        response: Box<Response>,
    },
    /// Invalidates the answer to a case, because it may belong to another case.
    Forget(String),
}

/// A borrowed form of [`Line`], for writing.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum NewLine<'l> {
    Reader(&'l str),
    Seed(u64),
    Greeting(&'l Greeting),
    Answer {
        case: &'l str,
        version: u32,
        bytes: &'l str,
        response: &'l Response,
    },
    Forget(&'l str),
}

impl Journals {
    /// Opens the journal of `reader`, which is started by `launch`. Answers and the seed of an
    /// earlier run are loaded only if that run is to be resumed. A new journal gets the given seed.
    ///
    /// # Errors
    /// Returns an error if another run uses the journal, or if the journal cannot be written.
    pub fn open(&self, reader: &ReaderFile, launch: &Launch, seed: Seed) -> io::Result<Journal> {
        let identity = identity(reader, launch);
        let file = format!("{}{}.jsonl", &identity[..16], self.part);
        let path = self.folder.join(file);
        fs::create_dir_all(&self.folder)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&path)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => io::Error::other(
                "another run of this reader is already saving its answers in this \
                    folder",
            ),
            TryLockError::Error(error) => error,
        })?;
        let mut journal = Journal {
            path,
            out: None,
            known: HashMap::new(),
            greeting: None,
            seed,
            failure: None,
        };
        journal.begin(file, &identity, self.resume)?;
        Ok(journal)
    }
}

impl Journal {
    fn begin(&mut self, mut file: File, identity: &str, resume: bool) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let mut text = Vec::new();
        if resume {
            file.read_to_end(&mut text)?;
        }
        let kept = self.take_in(&text, identity);
        file.set_len(kept as u64)?;
        file.seek(SeekFrom::End(0))?;
        self.out = Some(BufWriter::new(file));
        if kept == 0 {
            self.write(&NewLine::Reader(identity));
            self.write(&NewLine::Seed(self.seed.number()));
        }
        self.flush();
        match self.failure.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Reads the lines of `text` if the first line contains the reader identity `identity`. Returns
    /// the length of the valid part of `text`.
    fn take_in(&mut self, text: &[u8], identity: &str) -> usize {
        let mut kept = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let Some(json) = line.strip_suffix(b"\n") else {
                break;
            };
            match serde_json::from_slice(json) {
                Ok(Line::Reader(known)) if kept == 0 && known == identity => {}
                Ok(Line::Seed(number)) if kept > 0 => match Seed::new(number) {
                    Some(seed) => self.seed = seed,
                    None => break,
                },
                Ok(Line::Greeting(greeting)) if kept > 0 => self.greeting = Some(greeting),
                Ok(Line::Forget(case)) if kept > 0 => {
                    self.known.remove(&case);
                }
                Ok(Line::Answer {
                    case,
                    version,
                    bytes,
                    response,
                }) if kept > 0 => {
                    let answered = Answered {
                        version,
                        bytes,
                        response,
                    };
                    self.known.insert(case, answered);
                }
                _ => break,
            }
            kept += line.len();
        }
        kept
    }

    /// Returns the answer to `case` from the earlier run, if that run stored one.
    pub fn known(&self, case: &Case) -> Option<&Response> {
        let answered = self.known.get(&case.id)?;
        let same = answered.version == case.version && answered.bytes == digits(&case.bytes);
        same.then_some(&answered.response)
    }

    /// Returns whether every answer from the earlier run belongs to one of these cases.
    pub fn is_about(&self, cases: &[&Case]) -> bool {
        let asked: HashSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        self.known.keys().all(|case| asked.contains(case.as_str()))
    }

    /// Returns the seed of the run.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// Returns the reader's answer to the greeting from the earlier run.
    pub fn greeting(&self) -> Option<&Greeting> {
        self.greeting.as_ref()
    }

    /// Stores the reader's answer to the greeting.
    pub fn greet(&mut self, greeting: &Greeting) {
        if self.greeting.as_ref() != Some(greeting) {
            self.greeting = Some(greeting.clone());
            self.write(&NewLine::Greeting(greeting));
        }
    }

    /// Stores the answer to a case.
    pub fn add(&mut self, case: &Case, response: &Response) {
        self.write(&NewLine::Answer {
            case: &case.id,
            version: case.version,
            bytes: &digits(&case.bytes),
            response,
        });
    }

    /// Invalidates the answer to `case`.
    pub fn forget(&mut self, case: &Case) {
        self.write(&NewLine::Forget(&case.id));
    }

    fn write(&mut self, line: &NewLine<'_>) {
        let Some(out) = &mut self.out else { return };
        let written = serde_json::to_writer(&mut *out, line)
            .map_err(io::Error::from)
            .and_then(|()| out.write_all(b"\n"));
        self.check(written);
    }

    /// Flushes buffered lines, so that they survive a crash of this process.
    pub fn flush(&mut self) {
        let Some(out) = &mut self.out else { return };
        let flushed = out.flush();
        self.check(flushed);
    }

    /// Stops writing after an error, because the journal would be incomplete.
    fn check(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.failure = Some(error);
            self.out = None;
        }
    }

    /// Returns the write error that stopped the journal from storing answers, if any.
    pub fn failure(&self) -> Option<&io::Error> {
        self.failure.as_ref()
    }

    /// Deletes the journal after the run is complete.
    pub fn done(self) {
        // A journal that cannot be deleted does no harm, because it is used only on request.
        let _ = fs::remove_file(&self.path);
    }
}

/// Returns an identity that changes if the command, one of its files, or a declaration in the
/// reader file changes. The declarations are included because they control how answers are compared
/// and how the reader is contained.
fn identity(reader: &ReaderFile, launch: &Launch) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(env!("CARGO_PKG_VERSION").as_bytes());
    part(reader.name.as_bytes());
    let compared = (reader.reports, reader.order, &reader.omits);
    let meant = (&launch.statuses, &launch.crashes);
    let contained = (launch.mode, launch.stdin, launch.timeout, launch.memory);
    let contained = (contained, &launch.passed);
    part(format!("{compared:?} {meant:?} {contained:?}").as_bytes());
    let arguments = launch.arguments.iter().map(Path::new);
    for path in std::iter::once(launch.program.as_path()).chain(arguments) {
        part(path.as_os_str().as_encoded_bytes());
        let about = path.metadata().ok().filter(fs::Metadata::is_file);
        let changed = about.and_then(|about| Some((about.len(), about.modified().ok()?)));
        part(format!("{changed:?}").as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

fn digits(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests;
