//! Writes the totals of a reader, below its causes or its table of rules.

use std::io::{self, Write};

use tracegauge_results::text::{counted, first_of, visible, visible_lines};
use tracegauge_results::totals::Step;
use tracegauge_results::{
    FormatSummary, NotRepeatable, Observed, Outcome, ReaderResult, ReaderTail, Repeated, RunResult,
    Totals,
};

use super::containment::Shared;
use super::{Detail, Paint, Tone, listed};
use crate::headline::correct_members;

/// The maximum number of listed cases that were correctly rejected but had wrong records before the
/// fault.
const WRONG_BEFORE: usize = 3;

/// The maximum number of listed answers that are not repeatable.
const NOT_REPEATABLE: usize = 3;

pub(super) fn render(
    result: &RunResult,
    reader: &ReaderResult,
    shared: &Shared<'_>,
    containment: Detail,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let totals = &reader.totals;
    writeln!(out)?;
    writeln!(out, "{}", sentence(reader, paint))?;
    gaps(reader, paint, out)?;
    excuses(totals, out)?;
    grades(totals, out)?;
    wrong_before(reader, out)?;
    observed(&reader.tail.observed, out)?;
    if totals.perhaps_crashed > 0 {
        writeln!(
            out,
            "rejections with exit status 1, which an uncaught exception also causes: {}; exit with \
             65, or declare in a reader file that 1 means reject: `statuses: {{1: reject}}`",
            totals.perhaps_crashed
        )?;
    }
    if totals.unsteady > 0 {
        let text = format!(
            "cases that failed during the run but passed alone in a fresh process: {}",
            totals.unsteady
        );
        writeln!(out, "{}", paint.text(Tone::Doubt, &text))?;
    }
    repeated(&reader.tail, paint, out)?;
    listed::render(result, reader, paint, out)?;
    if let Some(seed) = reader.tail.seed {
        writeln!(out, "seed for the order and names of the cases: {seed}")?;
    }
    for note in &reader.tail.notes {
        writeln!(out, "note: {}", visible_lines(note))?;
    }
    shared.render_rest(reader, containment, paint, out)
}

/// Writes the problems, other than failures of cases, that make the run fail.
pub(super) fn render_failing(
    result: &RunResult,
    reader: &ReaderResult,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    gaps(reader, paint, out)?;
    listed::render(result, reader, paint, out)
}

/// Reports results that are missing or that belong to no case.
fn gaps(reader: &ReaderResult, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    if !reader.totals.add_up() {
        let text = "The totals do not add up: results were lost. This is a bug in tracegauge.";
        writeln!(out, "{}", paint.text(Tone::Bad, text))?;
    }
    for FormatSummary { format, .. } in reader.no_better_than_chance() {
        let text = "no better than chance:";
        writeln!(
            out,
            "{} the verdicts for {} do not depend on whether a trace is valid, so the passes prove \
             nothing",
            paint.text(Tone::Bad, text),
            visible(format)
        )?;
    }
    for summary in reader.accepts_too_few() {
        writeln!(
            out,
            "{} {} of {} of {}; a reader that conforms accepts at least half of them, even if it \
             does not support some features",
            paint.text(Tone::Bad, "accepted with correct records:"),
            summary.accepted,
            counted(summary.valid, "valid trace"),
            visible(&summary.format)
        )?;
    }
    for crash in &reader.tail.crashes {
        writeln!(
            out,
            "{} {}",
            paint.text(Tone::Bad, "crash that no case alone causes:"),
            visible(crash)
        )?;
    }
    if let Some(why) = &reader.tail.not_run.why {
        writeln!(
            out,
            "{} {}",
            paint.text(Tone::Doubt, "not run:"),
            visible(why)
        )?;
    }
    Ok(())
}

fn sentence(reader: &ReaderResult, paint: Paint) -> String {
    let totals = &reader.totals;
    let mut parts = Vec::new();
    for outcome in Outcome::ALL {
        let count = totals.count(outcome);
        if count == 0 && outcome != Outcome::Pass {
            continue;
        }
        let tone = match outcome {
            Outcome::Pass => Tone::Good,
            // Only outcomes with failures that fail the run are highlighted.
            outcome if is_new(reader, outcome) => Tone::Bad,
            _ => Tone::Plain,
        };
        let mut part = paint.text(tone, &outcome.counted(count));
        if outcome == Outcome::Pass {
            let Totals {
                proven, unproven, ..
            } = totals;
            part.push_str(&format!(" ({proven} proven, {unproven} unproven"));
            match count.saturating_sub(proven + unproven) {
                0 => {}
                either => part.push_str(&format!(
                    ", {either} in cases where either verdict is correct"
                )),
            }
            part.push_str(&match reader.by_chance() {
                Some(chance) => format!("; {chance} would be proven by chance)"),
                None => ")".to_owned(),
            });
        }
        parts.push(part);
    }
    if totals.not_run > 0 {
        parts.push(paint.text(Tone::Bad, &format!("{} not run", totals.not_run)));
    }
    format!("{}: {}", counted(totals.planned, "case"), parts.join(", "))
}

/// Returns true if at least one case with `outcome` fails the run.
fn is_new(reader: &ReaderResult, outcome: Outcome) -> bool {
    let mut failing = reader.cases.iter().filter(|case| case.fails_the_run());
    failing.any(|case| case.outcome == outcome)
}

fn excuses(totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
    let warnings = match totals.warnings {
        1 => "violation of a recommendation (warning)",
        _ => "violations of recommendations (warnings)",
    };
    let kinds = [
        (totals.known, "known"),
        (totals.warnings, warnings),
        (totals.disputed, "disputed"),
        (totals.not_judged, "judged only with --strict"),
    ];
    let kinds: Vec<String> = kinds
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, kind)| format!("{count} {kind}"))
        .collect();
    if kinds.is_empty() {
        return Ok(());
    }
    writeln!(out, "not counted as failures: {}", kinds.join(", "))
}

fn grades(totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
    let grades = totals.grades;
    if grades.clean == 0 {
        return Ok(());
    }
    match grades.clean {
        1 => write!(out, "1 malformed trace was correctly rejected")?,
        clean => write!(out, "{clean} malformed traces were correctly rejected")?,
    }
    let steps = [
        (grades.records, "the records before the fault", "were"),
        (grades.class, "the class of the fault", "was"),
        (grades.byte, "the offset of the fault", "was"),
    ];
    let reported = steps.iter().filter(|(step, ..)| step.reported > 0);
    for (index, (Step { right, reported }, name, verb)) in reported.enumerate() {
        // The verb in the first part also applies to the other parts.
        let reported = counted(*reported, "case");
        match index {
            0 => write!(out, "; {name} {verb} correct in {right} of {reported}")?,
            _ => write!(out, ", {name} in {right} of {reported}")?,
        }
    }
    writeln!(out)
}

/// Lists cases that the reader correctly rejected but for which it reported a wrong record before
/// the fault. Such mistakes do not fail the run.
fn wrong_before(reader: &ReaderResult, out: &mut dyn Write) -> io::Result<()> {
    let wrong = reader.cases.iter().filter(|case| {
        let records = case.grade.and_then(|grade| grade.records);
        records == Some(false)
    });
    let wrong: Vec<&str> = wrong.map(|case| case.case.as_str()).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let first = first_of(&wrong, WRONG_BEFORE);
    writeln!(out, "cases with wrong records before the fault: {first}")
}

/// Reports the answers that changed when the cases were run again.
fn repeated(tail: &ReaderTail, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let Some(Repeated { cases, differ }) = &tail.repeated else {
        return Ok(());
    };
    if differ.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "{} {} of {} changed in another order, time zone, locale and folder",
        paint.text(Tone::Doubt, "not repeatable:"),
        differ.len(),
        counted(*cases, "answer")
    )?;
    for found in differ.iter().take(NOT_REPEATABLE) {
        let NotRepeatable {
            case, first, again, ..
        } = found;
        writeln!(
            out,
            "  {}: {}; again: {}",
            visible(case),
            visible(first),
            visible(again)
        )?;
    }
    Ok(())
}

fn observed(observed: &Observed, out: &mut dyn Write) -> io::Result<()> {
    let Some(percent) = correct_members(observed) else {
        return Ok(());
    };
    write!(out, "reported members: {percent}")?;
    if !observed.left_out.is_empty() {
        write!(out, "; omitted: {}", observed.left_out.join(", "))?;
    }
    writeln!(out)
}
