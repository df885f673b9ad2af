//! The faces of the corpus on the command line. Results go to `out`, messages to `messages`;
//! what is returned is the exit status.

mod add;
mod build;
mod error;
mod export;
mod list;
mod notes;
mod retire;
mod score;
mod show;
mod verify;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

pub use error::CommandError;
pub use export::Shape;
pub use show::find;

use tracegauge_spec::plan::Plan;

use crate::formats::Formats;
use crate::listing::Listing;
use crate::names::{self, Whereabouts};
use crate::progress::Messages;
use crate::source::Problem;
use crate::store::Store;
use crate::strength::Referee;
use crate::suite::Suite;
use crate::writable;

/// How a command ends: an interface for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// 0: as expected.
    Ok,
    /// 1: the corpus differs, or has problems.
    Finding,
    /// 2: wrong usage, or a file that cannot be read.
    Usage,
    /// 3: it could not be completed.
    Incomplete,
    /// 4: there was nothing to do it with.
    Nothing,
}

impl Status {
    /// The exit status.
    pub fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Finding => 1,
            Self::Usage => 2,
            Self::Incomplete => 3,
            Self::Nothing => 4,
        }
    }
}

/// Which formats, described where, and which corpus.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Scope {
    /// A format, or a family for all its versions; may be given several times
    #[arg(long = "format", value_name = "ID")]
    pub formats: Vec<String>,
    /// A description that is not bundled
    #[arg(long, value_name = "FILE")]
    pub spec: Option<PathBuf>,
    /// The folder of the corpus [default: `corpus` in or above this folder, else as built in]
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
}

/// What is done with the corpus.
#[derive(Clone, Debug, clap::Subcommand)]
#[expect(missing_docs, reason = "the help of each stands with its arguments")]
pub enum Command {
    Build(build::Args),
    Verify(verify::Args),
    List(list::Args),
    Show(show::Args),
    Export(export::Args),
    Score(score::Args),
    Add(add::Args),
    Retire(retire::Args),
    Notes(notes::Args),
}

/// Runs a command. Answers of mutants are judged by `referee`.
pub fn execute(
    command: &Command,
    referee: &dyn Referee,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Status {
    let result = match command {
        Command::Build(args) => build::execute(args, referee, out, messages),
        Command::Verify(args) => verify::execute(args, out, messages),
        Command::List(args) => list::execute(args, out, messages),
        Command::Show(args) => show::execute(args, out, messages),
        Command::Export(args) => export::execute(args, out, messages),
        Command::Score(args) => score::execute(args, referee, out, messages),
        Command::Add(args) => add::execute(args, out, messages),
        Command::Retire(args) => retire::execute(args, out, messages),
        Command::Notes(args) => notes::execute(args, out),
    };
    match result {
        Ok(status) => status,
        // Who does not read to the end knows why.
        Err(CommandError::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            Status::Ok
        }
        Err(error) => {
            // Where not even this can be written, the status says it.
            let _ = writeln!(messages, "error: {error}");
            error.status()
        }
    }
}

/// What is made is kept in the folder of the corpus: whether that can be is known before.
fn may_be_kept(store: &Store) -> Result<(), CommandError> {
    let Some(folder) = store.folder() else {
        return Ok(());
    };
    writable::folder(folder).map_err(|error| CommandError::File(folder.to_owned(), error))
}

impl Scope {
    /// All bundled formats are meant.
    fn is_everything(&self) -> bool {
        self.formats.is_empty() && self.spec.is_none()
    }

    /// The one of `formats` that is meant whatever a file begins with; none where several may be.
    fn only<'f>(&self, formats: &'f Formats) -> Option<&'f Arc<Plan>> {
        let is_said = self.formats.len() == 1 || self.spec.is_some();
        let plans = formats.plans();
        plans.first().filter(|_| is_said && plans.len() == 1)
    }

    /// The formats that are meant. Without names, formats that cannot be executed are left
    /// out with a word.
    ///
    /// # Errors
    /// A name selects nothing, or a description has mistakes.
    pub fn formats(&self, messages: &mut Messages<'_>) -> Result<Formats, CommandError> {
        self.formats_in(&self.store(), messages)
    }

    /// The formats that are meant, with the corpus in `store`.
    fn formats_in(
        &self,
        store: &Store,
        messages: &mut Messages<'_>,
    ) -> Result<Formats, CommandError> {
        if let Some(folder) = &self.corpus
            && !folder.is_dir()
        {
            return Err(CommandError::NoFolder(folder.clone()));
        }
        if let Some(path) = &self.spec {
            let all = Formats::from_file(&path.to_string_lossy())?;
            return if self.formats.is_empty() {
                Ok(all)
            } else {
                all.only(&self.formats).map_err(CommandError::Format)
            };
        }
        if !self.formats.is_empty() {
            return Ok(Formats::bundled(&self.formats)?);
        }
        let (formats, unable) = Formats::able(&[])?;
        for error in unable {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            writeln!(messages, "note: left out: {}", first.trim_end_matches(':'))?;
        }
        let (formats, others) = formats.with_manifest(store)?;
        if !others.is_empty() {
            let others = others.join(", ");
            writeln!(
                messages,
                "note: left out, since they have no manifest yet: {others}; name them with --format"
            )?;
        }
        Ok(formats)
    }

    fn store(&self) -> Store {
        match &self.corpus {
            Some(folder) => Store::at(folder.clone()),
            None => Store::nearest(),
        }
    }

    fn suite(&self, messages: &mut Messages<'_>) -> Result<Suite, CommandError> {
        let formats = self.formats(messages)?;
        Ok(Suite::of(formats, &self.store(), messages.progress)?)
    }

    /// The cases of `formats`, which are some of [`Self::formats`].
    ///
    /// # Errors
    /// A manifest cannot be read.
    pub fn suite_of(
        &self,
        formats: Formats,
        messages: &mut Messages<'_>,
    ) -> Result<Suite, CommandError> {
        Ok(Suite::of(formats, &self.store(), messages.progress)?)
    }

    /// Which cases `formats` have, without making them.
    ///
    /// # Errors
    /// A manifest cannot be read.
    pub fn listing(
        &self,
        formats: &Formats,
        messages: &Messages<'_>,
    ) -> Result<Listing, CommandError> {
        Ok(Listing::of(formats, &self.store(), messages.progress)?)
    }

    /// The cases of those of `formats` that may have the case meant by `name`, which is its
    /// name or a part of it: no others are made.
    ///
    /// # Errors
    /// No case has such a name, or a manifest cannot be read.
    pub fn suite_around(
        &self,
        formats: Formats,
        name: &str,
        messages: &mut Messages<'_>,
    ) -> Result<Suite, CommandError> {
        let named = name.split_once('/').map(|(format, _)| format.to_owned());
        let formats = match named {
            Some(format) if formats.plan(&format).is_some() => formats.filtered(|id| id == format),
            _ => formats,
        };
        let store = self.store();
        let has_name = |id: &str| id.contains(name);
        let progress = messages.progress;
        let with = names::formats_with(formats.plans(), &store, has_name, progress)?;
        let formats = formats.filtered(|id| with.iter().any(|(with, _)| with == id));
        match with.iter().map(|(_, found)| found).max() {
            None => Err(CommandError::NoCase(name.to_owned())),
            Some(Whereabouts::Files) => Ok(Suite::of_files(formats, &store, progress)?),
            Some(Whereabouts::Made) => self.suite_of(formats, messages),
        }
    }
}

/// Says what did not become a case.
fn report(problems: &[Problem], messages: &mut dyn Write) -> Result<(), CommandError> {
    for problem in problems {
        let text = problem.to_string();
        writeln!(messages, "error: {}", text.trim_end())?;
    }
    Ok(())
}

fn counted(number: usize, one: &str, many: &str) -> String {
    if number == 1 {
        format!("1 {one}")
    } else {
        format!("{number} {many}")
    }
}
