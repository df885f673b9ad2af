//! The faces of the corpus on the command line. Results go to `out`, messages to `messages`;
//! what is returned is the exit status.

mod build;
mod error;
mod export;
mod list;
mod retire;
mod score;
mod show;
mod verify;

use std::io::Write;
use std::path::PathBuf;

pub use error::CommandError;
pub use export::Shape;

use crate::formats::Formats;
use crate::progress::Messages;
use crate::source::Problem;
use crate::store::Store;
use crate::strength::Referee;
use crate::suite::Suite;

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
pub enum Command {
    /// Write the manifests of the generated cases
    Build(build::Args),
    /// Make the cases anew and say what differs from the manifests
    Verify(verify::Args),
    /// List cases, one a line
    List(list::Args),
    /// Show a case: its bytes beside its fields, and what a reader is to do
    Show(show::Args),
    /// Write cases as plain files
    Export(export::Args),
    /// Say what files, or the corpus itself, exercise of a description
    Score(score::Args),
    /// Retire a case: its identity is kept, and it runs no more
    Retire(retire::Args),
}

/// Runs a command. Answers of mutants are judged by `referee`.
pub fn execute(
    command: &Command,
    referee: &dyn Referee,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Status {
    let result = match command {
        Command::Build(args) => build::execute(args, out, messages),
        Command::Verify(args) => verify::execute(args, out, messages),
        Command::List(args) => list::execute(args, out, messages),
        Command::Show(args) => show::execute(args, out, messages),
        Command::Export(args) => export::execute(args, out, messages),
        Command::Score(args) => score::execute(args, referee, out, messages),
        Command::Retire(args) => retire::execute(args, out, messages),
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

impl Scope {
    /// The formats that are meant. Without names, formats that cannot be executed are left
    /// out with a word.
    fn formats(&self, messages: &mut Messages<'_>) -> Result<Formats, CommandError> {
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
        let (formats, others) = formats.with_manifest(&self.store())?;
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
            Some(folder) => Store::Folder(folder.clone()),
            None => Store::nearest(),
        }
    }

    fn suite(&self, messages: &mut Messages<'_>) -> Result<Suite, CommandError> {
        let formats = self.formats(messages)?;
        Ok(Suite::of(formats, &self.store(), messages.progress)?)
    }

    /// The cases among which one is meant by its name, which begins with that of its format
    /// where it is given in full: then no others are made.
    fn suite_around(&self, case: &str, messages: &mut Messages<'_>) -> Result<Suite, CommandError> {
        let mut formats = self.formats(messages)?;
        if let Some((format, _)) = case.split_once('/')
            && formats.plan(format).is_some()
        {
            formats = formats.filtered(|id| id == format);
        }
        Ok(Suite::of(formats, &self.store(), messages.progress)?)
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
