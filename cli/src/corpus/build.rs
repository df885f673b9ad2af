//! Implements `tracegauge corpus build`.

use std::collections::HashSet;
use std::io::Write;

use tracegauge_corpus::case::{Case, CaseId, State};
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::manifest::{Change, Gone, Manifest, compare};
use tracegauge_corpus::matrix::{self, Identity};
use tracegauge_corpus::mutation_score::{Oracle, redundant};
use tracegauge_corpus::progress::Messages;
use tracegauge_corpus::score::Exclusions;
use tracegauge_corpus::source::{Built, CaseSource};
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite::{self, Manifests, Suite};
use tracegauge_corpus::systematic::{Effort, Recipes, SearchOptions, leave_out, traced};
use tracegauge_plan::Plan;

use super::{CommandError, Exit, Scope, counted, may_be_kept, report};

/// Write the manifests of the generated cases
///
/// The command searches for valid traces and, next to the manifests, stores a recipe for generating
/// each of them. If a description has changed, the command keeps the traces that have not changed,
/// and searches only for traces that meet the obligations that the kept traces do not meet. It
/// generates each case, and checks that the reference decoder returns the expected verdict and
/// reports the expected rule. Each case keeps its state (for example, disputed) and the reason for
/// it. A changed case gets a new version, and a case that is no longer generated is retired.
/// Finally, if anything has changed, the command runs every mutant (a copy of the decoder with one
/// planted bug) on every case, and stores the outcomes in outcome matrices, which `explain` uses to
/// identify bugs. Exit status: 0 the manifests are complete, whether or not anything has changed; 1 a
/// case could not be generated, or the reference decoder disagrees with a case; 2 usage error, or a
/// file cannot be read or written; 3 the command could not be completed.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "Example:\n  tracegauge corpus build --format dial9-v1")]
pub struct Args {
    /// The formats and the corpus
    #[command(flatten)]
    pub scope: Scope,
    /// Discard the existing valid traces, and search for new ones
    #[arg(long)]
    pub search: bool,
    /// Search for valid traces that meet obligations that the existing traces do not meet, even if
    /// the description has not changed, for example after a change in how coverage is measured
    #[arg(long, conflicts_with = "search")]
    pub extend: bool,
    /// Remove valid cases that contribute nothing to the coverage or the mutation score (takes a
    /// minute or two)
    #[arg(long)]
    pub reduce: bool,
    /// Recompute the outcome matrices even if the descriptions, cases and mutants are unchanged,
    /// for example after a change to the decoder
    #[arg(long)]
    pub outcomes: bool,
    /// Do not compute the outcome matrices; the next build without this option computes them. Until
    /// then, `corpus verify` reports a stored matrix that is out of date, but a missing matrix only
    /// with `--outcomes`
    #[arg(long, conflicts_with = "outcomes")]
    pub no_outcomes: bool,
    /// Delete cases that are no longer generated, instead of retiring them; also delete cases that
    /// earlier builds retired for this reason
    #[arg(long)]
    pub forget: bool,
}

pub(super) fn execute(
    args: &Args,
    oracle: &dyn Oracle,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Exit, CommandError> {
    let formats = args.scope.formats(messages)?;
    let store = args.scope.store().keeping();
    may_be_kept(&store)?;
    let recipes = match (args.search, args.extend) {
        (true, _) => Recipes::Ignore,
        (false, true) => Recipes::Extend,
        (false, false) => Recipes::FollowOrExtend,
    };
    let sources = suite::sources(&store, recipes, &SearchOptions::default());
    if args.reduce {
        for plan in formats.plans() {
            leave_out(&store, plan, &HashSet::new())?;
        }
    }
    let is_own = args.scope.spec.is_some();
    let Some(mut built) = made(&formats, is_own, (&store, &sources), messages)? else {
        return Ok(Exit::Finding);
    };
    if !args.reduce {
        return keep(args, &formats, (&store, oracle), &mut built, out, messages);
    }
    for plan in formats.plans() {
        let redundant = redundant_traces(plan, &formats, &store, oracle, messages)?;
        let cases = counted(
            redundant.len(),
            "redundant valid case",
            "redundant valid cases",
        );
        writeln!(messages, "{}: removed {cases}", plan.format)?;
        leave_out(&store, plan, &redundant)?;
    }
    let sources = suite::sources(&store, Recipes::Follow, &SearchOptions::default());
    let Some(mut built) = made(&formats, is_own, (&store, &sources), messages)? else {
        return Ok(Exit::Finding);
    };
    keep(args, &formats, (&store, oracle), &mut built, out, messages)
}

/// Generates the cases and saves the recipes for their traces. Returns `None` if a case could not
/// be built.
fn made(
    formats: &Formats,
    is_own: bool,
    (store, sources): (&Store, &[Box<dyn CaseSource>]),
    messages: &mut Messages<'_>,
) -> Result<Option<Built>, CommandError> {
    let built = suite::build(formats.plans(), sources, messages.progress);
    let errors = report(&built.problems, is_own, messages)?;
    if errors > 0 {
        let problems = counted(errors, "problem", "problems");
        writeln!(messages, "error: {problems}; no manifest was written")?;
        return Ok(None);
    }
    for (path, recipes) in &built.recipes {
        store.compress(path, recipes).map_err(CommandError::Store)?;
    }
    Ok(Some(built))
}

/// Returns the redundant valid traces, which can be removed from the corpus of a format without any
/// loss of coverage or mutation score.
fn redundant_traces(
    plan: &Plan,
    formats: &Formats,
    store: &Store,
    oracle: &dyn Oracle,
    messages: &Messages<'_>,
) -> Result<HashSet<CaseId>, CommandError> {
    let formats = formats.clone().only(std::slice::from_ref(&plan.format))?;
    let suite = Suite::of(
        formats,
        (store, &SearchOptions::without_cache(Effort::Quick)),
        messages.progress,
    )?;
    let counted = suite.cases.iter().filter(|case| counts(case.state));
    let cases: Vec<&Case> = counted.collect();
    let candidates = traced(store, plan)?;
    let exclusions = Exclusions::load(store, &plan.format)?;
    let redundant = redundant(plan, &cases, &candidates, oracle, &exclusions);
    Ok(redundant.into_iter().collect())
}

/// Returns true if the search for redundant cases includes cases in this state. Drafts are included
/// so that cases that an earlier build removed as redundant are considered again: such a case is in
/// no manifest and is therefore a draft.
fn counts(state: State) -> bool {
    state != State::Retired
}

/// Writes the manifests of the generated cases and the outcome matrices of all cases.
fn keep(
    args: &Args,
    formats: &Formats,
    (store, oracle): (&Store, &dyn Oracle),
    built: &mut Built,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Exit, CommandError> {
    let status = manifests(args, formats, store, built, out, messages)?;
    if status == Exit::Ok && !args.no_outcomes {
        Manifests::load(formats.plans(), store)?.live(&mut built.cases);
        for plan in formats.plans() {
            let cases = built.cases.iter();
            let cases = cases.filter(|case| case.format == plan.format && matrix::contains(case));
            let cases: Vec<&Case> = cases.collect();
            keep_matrix(args, (plan, &cases), (store, oracle), out, messages)?;
        }
    }
    Ok(status)
}

/// Writes the outcome matrix of a format. Unless `--outcomes` is given, keeps a stored matrix that
/// was computed from the same description, cases and mutants.
fn keep_matrix(
    args: &Args,
    (plan, cases): (&Plan, &[&Case]),
    (store, oracle): (&Store, &dyn Oracle),
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<(), CommandError> {
    if cases.is_empty() {
        return Ok(());
    }
    let kept = matrix::identity_of(store, &plan.format).ok().flatten();
    let identity = Identity::of(plan, cases, &matrix::mistakes(plan).1);
    let is_kept = kept.is_some_and(|kept| kept == identity) && !args.outcomes;
    let written = match is_kept {
        true => false,
        false => {
            let matrix = matrix::compute(plan, cases, oracle, messages.progress);
            matrix::save(store, &matrix)?
        }
    };
    let written = if written { "written" } else { "unchanged" };
    writeln!(out, "{}: outcome matrix {written}", plan.format)?;
    Ok(())
}

/// Writes the manifests of the generated cases.
fn manifests(
    args: &Args,
    formats: &Formats,
    store: &Store,
    built: &Built,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Exit, CommandError> {
    let mut status = Exit::Ok;
    for plan in formats.plans() {
        let made = Manifest::of(&plan.format, &built.cases);
        let mut kept = Manifest::load(store, &plan.format)?;
        if let Some(kept) = kept.as_mut().filter(|_| args.forget) {
            kept.forget_retired();
        }
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
                "error: the case {id} is retired, so its name cannot be used for another case"
            )?;
        }
        if !revived.is_empty() {
            status = Exit::Finding;
            continue;
        }
        let gone = if args.forget {
            Gone::Forget
        } else {
            Gone::Retire
        };
        let cases = counted(made.entries.len(), "case", "cases");
        let updated = Manifest::updated(kept.as_ref(), made, gone);
        let written = if updated.save(store)? {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_before_is_looked_at_again() {
        let counted = [State::Draft, State::Active, State::Disputed, State::Retired].map(counts);
        assert_eq!(counted, [true, true, true, false]);
    }
}
