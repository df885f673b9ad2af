//! Some failures, each with all that is known about it.

use std::io::{self, Write};

use super::{Options, Paint, Scope, Tone};
use crate::account::account;
use crate::model::{CaseResult, ReaderResult, RunResult};
use crate::outcome::Standing;
use crate::spread::spread;

pub(super) fn render_all(
    result: &RunResult,
    reader: &ReaderResult,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let paint = Paint(options.color);
    // What fails the run comes first, and what does not count after it.
    let failing = reader.cases.iter().filter(|case| case.fails_the_run());
    let excused = reader.cases.iter().filter(|case| {
        case.outcome.is_failure() && case.known.is_none() && !case.standing.counts()
    });
    let mut shown = spread(failing);
    if options.scope == Scope::All {
        shown.extend(spread(excused));
    }
    for case in shown.iter().take(options.failures) {
        writeln!(out)?;
        render(result, case, paint, out)?;
    }
    let more = shown.len().saturating_sub(options.failures);
    if more > 0 {
        let failures = if more == 1 { "failure" } else { "failures" };
        match options.failures {
            0 => writeln!(
                out,
                "\n{more} {failures}; --failures N shows N of them in full"
            )?,
            _ => writeln!(
                out,
                "\nand {more} more {failures}; --failures N shows N in full"
            )?,
        }
        writeln!(
            out,
            "many failures are seldom as many mistakes: what they look like is said by\n  \
             run … --json result.json; tracegauge explain --results result.json"
        )?;
    }
    Ok(())
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
