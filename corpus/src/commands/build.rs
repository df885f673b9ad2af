//! `tracegauge corpus build`

use std::io::Write;

use super::{CommandError, Scope, Status, counted, report};
use crate::manifest::{Change, Gone, Manifest, compare};
use crate::progress::Messages;
use crate::suite;

/// Write the manifests of the generated cases
///
/// Valid traces are searched for where the description has changed, and how they are made is kept
/// beside the manifests: a recipe for each, which is followed as long as the description stays as
/// it is. Each case is made, and the reference decoder must find what it was made to show. States
/// and reasons of the manifests are kept; a case that is not the same as before gets a new
/// version; one that is not made any more is retired.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "Example:\n  tracegauge corpus build --format dial9-v1")]
pub struct Args {
    /// Which formats and corpus
    #[command(flatten)]
    pub scope: Scope,
    /// Search for valid traces even where there are recipes for the description
    #[arg(long)]
    pub search: bool,
    /// Forget cases that are not made any more, instead of retiring them
    #[arg(long)]
    pub forget: bool,
}

pub(super) fn execute(
    args: &Args,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Status, CommandError> {
    let formats = args.scope.formats(messages)?;
    let store = args.scope.store();
    let sources = match args.search {
        true => suite::sources_anew(&store),
        false => suite::sources(&store),
    };
    let built = suite::build(formats.plans(), &sources, messages.progress);
    if !built.problems.is_empty() {
        report(&built.problems, messages)?;
        let problems = counted(built.problems.len(), "problem", "problems");
        writeln!(messages, "error: {problems}; no manifest is written")?;
        return Ok(Status::Finding);
    }
    for (path, recipes) in &built.recipes {
        store
            .write(path, recipes.as_bytes())
            .map_err(CommandError::Store)?;
    }
    let mut status = Status::Ok;
    for plan in formats.plans() {
        let made = Manifest::of(&plan.format, &built.cases);
        let kept = Manifest::load(&store, &plan.format)?;
        if made.entries.is_empty() && kept.is_none() {
            continue;
        }
        let changes = compare(kept.as_ref().unwrap_or(&Manifest::default()), &made);
        let revived: Vec<&str> = changes
            .0
            .iter()
            .filter(|(_, change)| *change == Change::Revived)
            .map(|(id, _)| id.as_str())
            .collect();
        for id in &revived {
            writeln!(
                messages,
                "error: {id} was retired; another case cannot have its name"
            )?;
        }
        if !revived.is_empty() {
            status = Status::Finding;
            continue;
        }
        let gone = if args.forget {
            Gone::Forget
        } else {
            Gone::Retire
        };
        let cases = counted(made.entries.len(), "case", "cases");
        let updated = Manifest::updated(kept.as_ref(), made, gone);
        let written = if updated.save(&store)? {
            "written"
        } else {
            "unchanged"
        };
        let changes = counted(changes.0.len(), "change", "changes");
        writeln!(
            out,
            "{}: {cases}, {changes}, manifest {written}",
            plan.format
        )?;
    }
    Ok(status)
}
