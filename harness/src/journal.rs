//! Answers as they come, in a file, so that a run that was cut off at any moment can go on.
//!
//! A line for each answer. What a reader was asked is named by the case, its version and its bytes,
//! and the reader by its command, the files that it is started from, and what its file declares: an
//! answer to anything else is no answer here. A last line that was not written to its end is none.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tracegauge_corpus::case::Case;

use crate::judge::Response;
use crate::protocol::Greeting;
use crate::reader_file::{Launch, ReaderFile};

/// Where journals are kept, and whether an old one is used.
#[derive(Clone, Debug)]
pub struct Journals {
    /// The folder.
    pub folder: PathBuf,
    /// Go on where the run before was cut off.
    pub resume: bool,
    /// What tells runs of one reader apart that go on at the same time: their part of the corpus.
    pub part: String,
}

/// The journal of one reader's run.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    out: Option<BufWriter<File>>,
    known: HashMap<String, Answered>,
    greeting: Option<Greeting>,
    /// Why answers are not kept any more.
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
    /// Always the first.
    Reader(String),
    Greeting(Greeting),
    Answer {
        case: String,
        version: u32,
        bytes: String,
        response: Box<Response>,
    },
    /// An answer that may have been meant for another case.
    Forget(String),
}

/// As [`Line`], borrowed.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum NewLine<'l> {
    Reader(&'l str),
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
    /// The journal of `reader`, which is started by `launch`: what a run before left of it, or a new
    /// one. Nothing where another run has it, or it cannot be written.
    pub fn open(&self, reader: &ReaderFile, launch: &Launch) -> Option<Journal> {
        let identity = identity(reader, launch);
        let file = format!("{}{}.jsonl", &identity[..16], self.part);
        let path = self.folder.join(file);
        fs::create_dir_all(&self.folder).ok()?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&path).ok()?;
        file.try_lock().ok()?;
        let mut journal = Journal {
            path,
            out: None,
            known: HashMap::new(),
            greeting: None,
            failure: None,
        };
        journal.begin(file, &identity, self.resume).ok()?;
        Some(journal)
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
        }
        self.flush();
        match self.failure.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Takes in the lines of `text`, if they are about this reader; up to which byte they are
    /// whole.
    fn take_in(&mut self, text: &[u8], identity: &str) -> usize {
        let mut kept = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let Some(json) = line.strip_suffix(b"\n") else {
                break;
            };
            match serde_json::from_slice(json) {
                Ok(Line::Reader(known)) if kept == 0 && known == identity => {}
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

    /// The answer to `case`, where the run before has one.
    pub fn known(&self, case: &Case) -> Option<&Response> {
        let answered = self.known.get(&case.id)?;
        let same = answered.version == case.version && answered.bytes == digits(&case.bytes);
        same.then_some(&answered.response)
    }

    /// The run before had answers to no other cases than these.
    pub fn is_about(&self, cases: &[&Case]) -> bool {
        let asked: HashSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        self.known.keys().all(|case| asked.contains(case.as_str()))
    }

    /// What the reader said of itself in the run before.
    pub fn greeting(&self) -> Option<&Greeting> {
        self.greeting.as_ref()
    }

    /// Keeps what the reader says of itself.
    pub fn greet(&mut self, greeting: &Greeting) {
        if self.greeting.as_ref() != Some(greeting) {
            self.greeting = Some(greeting.clone());
            self.write(&NewLine::Greeting(greeting));
        }
    }

    /// Keeps an answer.
    pub fn add(&mut self, case: &Case, response: &Response) {
        self.write(&NewLine::Answer {
            case: &case.id,
            version: case.version,
            bytes: &digits(&case.bytes),
            response,
        });
    }

    /// Keeps no answer to `case` any more.
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

    /// Hands what was added to the system: it outlives this process.
    pub fn flush(&mut self) {
        let Some(out) = &mut self.out else { return };
        let flushed = out.flush();
        self.check(flushed);
    }

    /// After a failure nothing more is written, since lines would be missing.
    fn check(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.failure = Some(error);
            self.out = None;
        }
    }

    /// Why answers are not kept, where that is so.
    pub fn failure(&self) -> Option<&io::Error> {
        self.failure.as_ref()
    }

    /// The run is whole: nobody will go on with it.
    pub fn done(self) {
        // A journal that stays is used only where somebody asks for it.
        let _ = fs::remove_file(&self.path);
    }
}

/// The same for the same command, started from files that nobody changed since, of a reader whose
/// file declares the same. An answer is kept as it was compared and contained, which the declarations
/// decide as much as the program does.
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
