//! Implements `tracegauge corpus retire`.

use std::io::Write;

use tracegauge_corpus::case::{Source, State};
use tracegauge_corpus::manifest::{self, Manifest};
use tracegauge_corpus::progress::Messages;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::vector;

use super::show::find;
use super::{CommandError, Exit, Scope};

/// Retire a case: it no longer runs, but its name stays reserved
///
/// The case stays in the manifest, with the reason. Exit status: 0 retired; 2 usage error, no such
/// case, or the case cannot be retired by this command; 3 the command could not be completed.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(
    after_help = "Example:\n  tracegauge corpus retire dial9-v1/malformed/MAGIC/all-ones/header.magic --reason duplicate"
)]
pub struct Args {
    /// The formats and the corpus
    #[command(flatten)]
    pub scope: Scope,
    /// Name of the case
    #[arg(value_name = "CASE")]
    pub case: String,
    /// Reason for retiring the case
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
}

pub(super) fn execute(
    args: &Args,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Exit, CommandError> {
    let formats = args.scope.formats(messages)?;
    let suite = args.scope.suite_around(formats, &args.case, messages)?;
    let case = find(&suite, &args.case)?;
    let store = args.scope.store();
    if !matches!(store, Store::Folder(_)) {
        return Err(CommandError::BuiltIn(case.id.clone()));
    }
    let source = case.provenance.source;
    if matches!(source, Source::Vector | Source::Regression) {
        let folder = store.shown(&vector::folder(source, &case.format));
        return Err(CommandError::ByHand(case.id.clone(), folder));
    }
    if !manifest::lists(source) {
        return Err(CommandError::NotListed(case.id.clone()));
    }
    let kept = Manifest::load(&store, &case.format)?;
    let mut kept = kept.unwrap_or_else(|| Manifest::of(&case.format, &suite.cases));
    let Some(entry) = kept.entries.get_mut(&case.id) else {
        return Err(CommandError::NoCase(case.id.clone()));
    };
    if entry.state == State::Retired {
        let reason = entry.reason.clone().unwrap_or_default();
        return Err(CommandError::Retired(case.id.clone(), reason));
    }
    entry.state = State::Retired;
    entry.reason = Some(args.reason.clone());
    kept.save(&store)?;
    writeln!(out, "{} was retired", case.id)?;
    Ok(Exit::Ok)
}
