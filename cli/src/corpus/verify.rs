//! Implements `tracegauge corpus verify`.

use std::io::Write;

use tracegauge_corpus::case::Case;
use tracegauge_corpus::manifest::{Manifest, compare};
use tracegauge_corpus::matrix::{self, Identity, Part};
use tracegauge_corpus::mutation_score::Oracle;
use tracegauge_corpus::progress::Messages;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite::{self, Manifests};
use tracegauge_corpus::systematic::{Recipes, SearchOptions};
use tracegauge_plan::Plan;

use super::{CommandError, Exit, Scope, counted, report};

/// Regenerate the cases and report how they differ from the manifests
///
/// Exit status: 0 no differences; 1 a case was added or removed, the bytes or the verdict of a case
/// changed, the reference decoder disagrees with a case, or a stored outcome matrix is out of date; 2
/// usage error, or a file cannot be read; 3 the command could not be completed; 4 there are no cases.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "Example:\n  tracegauge corpus verify --format FORMAT")]
pub struct Args {
    /// The formats and the corpus
    #[command(flatten)]
    pub scope: Scope,
    /// Recompute the outcome matrices, compare them with the stored ones, and report missing ones
    #[arg(long)]
    pub outcomes: bool,
}

pub(super) fn execute(
    args: &Args,
    oracle: &dyn Oracle,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Exit, CommandError> {
    let formats = args.scope.formats(messages)?;
    let store = args.scope.store();
    let mut built = suite::build(
        formats.plans(),
        &suite::sources(&store, Recipes::Follow, &SearchOptions::default()),
        messages.progress,
    );
    let is_own = args.scope.spec.is_some();
    let mut differs = report(&built.problems, is_own, messages)? > 0;
    let mut total = 0;
    for plan in formats.plans() {
        let made = Manifest::of(&plan.format, &built.cases);
        let kept = Manifest::load(&store, &plan.format)?.unwrap_or_default();
        let changes = compare(&kept, &made);
        for (id, change) in &changes.0 {
            writeln!(out, "{id}: {change}")?;
        }
        differs |= !changes.is_empty();
        let of_format = built.cases.iter().filter(|case| case.format == plan.format);
        let count = of_format.count();
        total += count;
        if messages.is_quiet && changes.is_empty() {
            continue;
        }
        let generated = made.entries.len();
        let kept_as_text = count - generated;
        writeln!(
            out,
            "{}: {}, {}, {}",
            plan.format,
            counted(kept_as_text, "hand-written case", "hand-written cases"),
            counted(generated, "generated case", "generated cases"),
            counted(changes.0.len(), "change", "changes"),
        )?;
    }
    Manifests::load(formats.plans(), &store)?.live(&mut built.cases);
    for plan in formats.plans() {
        let cases = built.cases.iter();
        let cases = cases.filter(|case| case.format == plan.format && matrix::contains(case));
        let cases: Vec<&Case> = cases.collect();
        if let Some(difference) = difference(args, (plan, &cases), (&store, oracle), messages)? {
            writeln!(out, "{}: {difference}", plan.format)?;
            differs = true;
        }
    }
    Ok(match (differs, total) {
        (true, _) => Exit::Finding,
        (false, 0) => Exit::Nothing,
        (false, _) => Exit::Ok,
    })
}

/// Describes how the stored outcome matrix of a format differs from the matrix of `cases`. By
/// default, only the hashes of the description, cases and mutants are compared. A format without a
/// manifest has no stored matrix.
fn difference(
    args: &Args,
    (plan, cases): (&Plan, &[&Case]),
    (store, oracle): (&Store, &dyn Oracle),
    messages: &Messages<'_>,
) -> Result<Option<String>, CommandError> {
    if cases.is_empty() || Manifest::load(store, &plan.format)?.is_none() {
        return Ok(None);
    }
    let Some(kept) = matrix::identity_of(store, &plan.format)? else {
        // A missing matrix is reported only with `--outcomes`, because `explain` does not need one:
        // without a matrix, it runs some of the mutants itself.
        return Ok(args.outcomes.then(|| {
            "there is no outcome matrix (the stored outcomes of all mutants)".to_owned()
        }));
    };
    let identity = Identity::of(plan, cases, &matrix::mistakes(plan).1);
    let parts = kept.differences(&identity);
    if !parts.is_empty() {
        let parts: Vec<String> = parts.iter().map(Part::to_string).collect();
        let parts = parts.join(" and ");
        return Ok(Some(format!(
            "the outcome matrix (the stored outcomes of all mutants) was computed from {parts}"
        )));
    }
    if args.outcomes {
        let computed = matrix::compute(plan, cases, oracle, messages.progress);
        if matrix::load(store, plan)?.as_ref() != Some(&computed) {
            return Ok(Some(
                "the outcomes of the mutants in the stored outcome matrix differ from the \
                 recomputed outcomes"
                    .to_owned(),
            ));
        }
    }
    Ok(None)
}
