//! The corpus subcommands. The subcommands write results to `out` and messages to `messages`, and
//! return the exit status.

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

use tracegauge_plan::Plan;

use crate::{Exit, state};
use tracegauge_corpus::case::{Case, State};
use tracegauge_corpus::diagnosis::Reports;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::listing::Listing;
use tracegauge_corpus::manifest::Manifest;
use tracegauge_corpus::names::{self, Whereabouts};
use tracegauge_corpus::progress::Messages;
use tracegauge_corpus::source::Problem;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite::Suite;
use tracegauge_corpus::systematic::{Effort, SearchOptions};
use tracegauge_corpus::trace_cache::TraceCache;
use tracegauge_corpus::writable;
use tracegauge_harness::suggested::{with_spec, word};

/// The formats, the file that describes them, and the corpus
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Scope {
    /// Format, or a format family, which selects all versions in that family; may be repeated
    #[arg(long = "format", value_name = "ID")]
    pub formats: Vec<String>,
    /// Description to use instead of a bundled one
    #[arg(long, value_name = "FILE")]
    pub spec: Option<PathBuf>,
    /// Folder of the corpus [default: `corpus` in this folder or a parent, else the built-in
    /// corpus]
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
}

/// Returns the options of a suggested command that select the same description and corpus: nothing,
/// ` --spec FILE`, ` --corpus DIR`, or both.
pub(crate) fn with_scope(scope: &Scope) -> String {
    let corpus = scope.corpus.as_deref();
    let corpus = corpus.map_or_else(String::new, |path| format!(" --corpus {}", word(path)));
    with_spec(scope.spec.as_ref()) + &corpus
}

/// The corpus subcommands
#[derive(Clone, Debug, clap::Subcommand)]
#[expect(
    missing_docs,
    reason = "clap takes the help text from the arguments of each subcommand"
)]
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

/// Runs a command. `reports` judges the answers of mutants (decoders with one planted bug) and
/// reports the results.
pub fn execute(
    command: &Command,
    reports: &dyn Reports,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Exit {
    let result = match command {
        Command::Build(args) => build::execute(args, reports.oracle(), out, messages),
        Command::Verify(args) => verify::execute(args, reports.oracle(), out, messages),
        Command::List(args) => list::execute(args, out, messages),
        Command::Show(args) => show::execute(args, out, messages),
        Command::Export(args) => export::execute(args, out, messages),
        Command::Score(args) => score::execute(args, reports, out, messages),
        Command::Add(args) => add::execute(args, out, messages),
        Command::Retire(args) => retire::execute(args, out, messages),
        Command::Notes(args) => notes::execute(args, out),
    };
    match result {
        Ok(status) => status,
        // A program that closes the pipe early, such as `head`, has read all it needs, so this is
        // not an error.
        Err(CommandError::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            Exit::Ok
        }
        Err(error) => {
            // If this write fails too, the exit status still reports the error.
            let _ = writeln!(messages, "error: {error}");
            error.status()
        }
    }
}

/// Checks in advance that the corpus folder is writable, so that a long computation does not start
/// if its results cannot be saved.
fn may_be_kept(store: &Store) -> Result<(), CommandError> {
    let folder = store.writable().map_err(CommandError::Store)?;
    writable::folder(folder).map_err(|error| CommandError::File(folder.to_owned(), error))
}

impl Scope {
    /// Returns true if the scope selects all bundled formats.
    fn is_everything(&self) -> bool {
        self.formats.is_empty() && self.spec.is_none()
    }

    /// Returns the plan of the selected format. If only one format is selected, commands use its
    /// plan for every file, regardless of the file's first bytes. Returns `None` unless the user
    /// selected exactly one format.
    fn only<'f>(&self, formats: &'f Formats) -> Option<&'f Arc<Plan>> {
        let is_said = self.formats.len() == 1 || self.spec.is_some();
        let plans = formats.plans();
        plans.first().filter(|_| is_said && plans.len() == 1)
    }

    /// Returns the selected formats. If neither `--format` nor `--spec` is given, formats that
    /// cannot be executed or have no manifest are skipped with a note.
    ///
    /// # Errors
    /// Returns an error if a name selects no format or a description contains mistakes.
    pub fn formats(&self, messages: &mut Messages<'_>) -> Result<Formats, CommandError> {
        self.formats_in(&self.store(), messages)
    }

    /// Returns the selected formats as [`Self::formats`] does, but looks for manifests in `store`.
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
            writeln!(messages, "note: skipped: {}", first.trim_end_matches(':'))?;
        }
        let (formats, others) = formats.with_manifest(store)?;
        if !others.is_empty() {
            let others = others.join(", ");
            writeln!(
                messages,
                "note: skipped formats that have no manifest yet: {others}; select them with \
                 --format"
            )?;
        }
        Ok(formats)
    }

    /// Returns the corpus.
    pub fn store(&self) -> Store {
        match &self.corpus {
            Some(folder) => Store::at(folder.clone()),
            None => Store::nearest(),
        }
    }

    /// Returns the options for finding the valid traces of a format without recipes. The traces of a
    /// description that `--spec` names are kept for the next command.
    pub(super) fn search(&self) -> SearchOptions {
        match &self.spec {
            Some(_) => state::quick_search(),
            None => SearchOptions::without_cache(Effort::Quick),
        }
    }

    /// Generates the cases of the selected formats, and lists the ways to violate their rules.
    fn generated(&self, messages: &mut Messages<'_>) -> Result<Suite, CommandError> {
        let formats = self.formats(messages)?;
        let (store, search) = (self.store(), self.search());
        Ok(Suite::of(formats, (&store, &search), messages.progress)?)
    }

    fn suite(&self, messages: &mut Messages<'_>) -> Result<Suite, CommandError> {
        let formats = self.formats(messages)?;
        self.suite_of(formats, messages)
    }

    /// Loads the cases of `formats`, a subset of [`Self::formats`].
    ///
    /// # Errors
    /// Returns an error if a manifest cannot be read.
    pub fn suite_of(
        &self,
        formats: Formats,
        messages: &mut Messages<'_>,
    ) -> Result<Suite, CommandError> {
        let cache = TraceCache::of_user();
        let (store, search) = (self.store(), self.search());
        let found = (&store, &search);
        let suite = Suite::listed(formats, found, cache.as_ref(), messages.progress)?;
        Ok(suite)
    }

    /// Lists the cases of `formats` without generating them.
    ///
    /// # Errors
    /// Returns an error if a manifest cannot be read.
    pub fn listing(
        &self,
        formats: &Formats,
        messages: &Messages<'_>,
    ) -> Result<Listing, CommandError> {
        let (store, search) = (self.store(), self.search());
        Ok(Listing::of(formats, (&store, &search), messages.progress)?)
    }

    /// Returns the case of `suite` that `name` selects, as [`find`] does.
    ///
    /// # Errors
    /// Returns an error if no case or more than one case matches. The error tells if the name is
    /// that of a retired case.
    pub fn case<'s>(&self, suite: &'s Suite, name: &str) -> Result<&'s Case, CommandError> {
        match find(suite, name) {
            Err(CommandError::NoCase(name)) => Err(self.no_case(&suite.formats, name)?),
            found => found,
        }
    }

    /// Returns the error for a name that no generated case has.
    fn no_case(&self, formats: &Formats, name: String) -> Result<CommandError, CommandError> {
        let store = self.store();
        let mut retired = Vec::new();
        for plan in formats.plans() {
            let manifest = Manifest::load(&store, &plan.format)?.unwrap_or_default();
            let entries = manifest.entries.into_iter();
            retired.extend(
                entries.filter(|(id, entry)| entry.state == State::Retired && id.contains(&name)),
            );
        }
        let exact = retired.iter().position(|(id, _)| *id == name);
        let found = exact.or_else(|| (retired.len() == 1).then_some(0));
        Ok(match found.map(|found| retired.swap_remove(found)) {
            Some((id, entry)) => CommandError::RetiredCase(id, entry.reason),
            None => CommandError::NoCase(name),
        })
    }

    /// Selects the formats in `formats` that have a case whose name contains `name`, and builds the
    /// cases of the selected formats.
    ///
    /// # Errors
    /// Returns an error if no case name contains `name`, or if a manifest cannot be read.
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

/// Reports each problem that prevented a case from being built, and returns how many of them are
/// errors. For a description under development (`is_own`), it is not an error if a fault cannot be
/// planted or a seed yields no trace.
fn report(
    problems: &[Problem],
    is_own: bool,
    messages: &mut dyn Write,
) -> Result<usize, CommandError> {
    let mut errors = 0;
    for problem in problems {
        let is_note = is_own && matches!(problem, Problem::Generate { .. } | Problem::Witness(_));
        let severity = if is_note { "note" } else { "error" };
        writeln!(messages, "{severity}: {}", problem.to_string().trim_end())?;
        errors += usize::from(!is_note);
    }
    Ok(errors)
}

fn counted(number: usize, one: &str, many: &str) -> String {
    if number == 1 {
        format!("1 {one}")
    } else {
        format!("{number} {many}")
    }
}
