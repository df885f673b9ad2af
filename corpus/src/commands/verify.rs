//! Implements `tracegauge corpus verify`.

use std::io::Write;

use super::{CommandError, Scope, Status, counted, report};
use crate::manifest::{Manifest, compare};
use crate::progress::Messages;
use crate::suite;

/// Regenerate the cases and report how they differ from the manifests
///
/// Exit status: 0 no differences; 1 a case was added or removed, the bytes or the verdict of a case
/// changed, or the reference decoder disagrees with a case.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "Example:\n  tracegauge corpus verify --format FORMAT")]
pub struct Args {
    /// The formats and the corpus
    #[command(flatten)]
    pub scope: Scope,
}

pub(super) fn execute(
    args: &Args,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Status, CommandError> {
    let formats = args.scope.formats(messages)?;
    let store = args.scope.store();
    let built = suite::build(formats.plans(), &suite::sources(&store), messages.progress);
    report(&built.problems, messages)?;
    let mut differs = !built.problems.is_empty();
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
    Ok(match (differs, total) {
        (true, _) => Status::Finding,
        (false, 0) => Status::Nothing,
        (false, _) => Status::Ok,
    })
}
