//! Shows some failures in detail.

use std::io::{self, Write};

use tracegauge_results::text::visible;
use tracegauge_results::{CaseResult, ReaderResult, RunResult, Standing};

use super::{Options, Paint, Scope, Tone};
use crate::account::account;
use crate::spread::spread;

pub(super) fn render_all(
    result: &RunResult,
    reader: &ReaderResult,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let paint = Paint(options.color);
    // Failures that fail the run come first, followed by failures that do not count.
    let failing = reader.cases.iter().filter(|case| case.fails_the_run());
    let excused = reader.cases.iter().filter(|case| {
        case.outcome.is_failure() && case.known.is_none() && !case.standing.counts()
    });
    let mut shown = spread(&reader.causes, failing);
    let counting = shown.len();
    if options.scope == Scope::All {
        shown.extend(spread(&[], excused));
    }
    for case in shown.iter().take(options.failures) {
        writeln!(out)?;
        render(result, case, paint, out)?;
    }
    if shown.len() > options.failures {
        let left = counting.saturating_sub(options.failures);
        let left = (left, shown.len() - options.failures.max(counting));
        writeln!(out, "\n{}", left_out(left, options.failures == 0))?;
        if let Some(explain) = &options.explain {
            writeln!(
                out,
                "often, a few bugs cause many failures; to see which bugs could explain these, run \
                 `{}`",
                visible(explain)
            )?;
        }
    }
    Ok(())
}

/// Describes the number of failures that are not shown, both those that fail the run and those that
/// do not.
fn left_out((counting, excused): (usize, usize), are_all: bool) -> String {
    let more = if are_all { "" } else { " more" };
    let failures = |number: usize| match number {
        1 => format!("1{more} failure"),
        _ => format!("{number}{more} failures"),
    };
    let count = |number: usize| if number == 1 { "does" } else { "do" };
    let left = match (counting, excused) {
        (0, excused) => format!("{} that {} not count", failures(excused), count(excused)),
        (counting, 0) => failures(counting),
        (counting, excused) => format!(
            "{}, and {excused} that {} not count",
            failures(counting),
            count(excused)
        ),
    };
    match are_all {
        true => format!("{left}; --failures N shows N of them in full"),
        false => format!("and {left}; --failures N shows N failures in full"),
    }
}

fn render(
    result: &RunResult,
    case: &CaseResult,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (label, tone) = match case.standing {
        Standing::Counts => ("FAIL", Tone::Bad),
        Standing::Warning => ("WARN", Tone::Doubt),
        Standing::Disputed => ("DISPUTED", Tone::Doubt),
        Standing::NotJudged => ("NOT JUDGED", Tone::Doubt),
    };
    let head = paint.text(tone, &format!("{label} {}", case.outcome));
    writeln!(out, "{head}  {}", paint.text(Tone::Strong, &case.case))?;
    for line in account(&result.run.rules, case) {
        let text = format!("     {:10} {}", line.label, line.text);
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}
