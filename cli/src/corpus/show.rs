//! Implements `tracegauge corpus show`.

use std::io::Write;

use tracegauge_corpus::case::{Case, ExpectedVerdict};
use tracegauge_corpus::dump::dump;
use tracegauge_corpus::progress::Messages;
use tracegauge_corpus::suite::Suite;

use super::{CommandError, Exit, Scope};

/// Show the fields and bytes of a case, and how a reader must behave
///
/// Lines with bytes that belong to the fault begin with an exclamation mark. Exit status: 0 shown; 2
/// usage error, or not exactly one case has this name; 3 the command could not be completed.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "Example:\n  tracegauge corpus show dial9-v1/vector/one-event")]
pub struct Args {
    /// The formats and the corpus
    #[command(flatten)]
    pub scope: Scope,
    /// Name of the case, or a unique part of it
    #[arg(value_name = "CASE")]
    pub case: String,
}

pub(super) fn execute(
    args: &Args,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Exit, CommandError> {
    let formats = args.scope.formats(messages)?;
    let suite = args.scope.suite_around(formats, &args.case, messages)?;
    let case = args.scope.case(&suite, &args.case)?;
    about(case, out)?;
    expected(case, out)?;
    writeln!(out)?;
    if let Some(plan) = suite.formats.plan(&case.format) {
        dump(plan, &case.bytes, out)?;
    }
    Ok(Exit::Ok)
}

/// Returns the case with this name. If there is none, returns the only case whose name ends with
/// `/` and this name or, failing that, the only case whose name contains it.
///
/// # Errors
/// Returns an error if no case or more than one case matches.
pub fn find<'s>(suite: &'s Suite, name: &str) -> Result<&'s Case, CommandError> {
    if let Some(case) = suite.case(name) {
        return Ok(case);
    }
    let ends = |case: &&Case| case.id.ends_with(&format!("/{name}"));
    let has = |case: &&Case| case.id.contains(name);
    let mut found: Vec<&Case> = suite.cases.iter().filter(ends).collect();
    if found.is_empty() {
        found = suite.cases.iter().filter(has).collect();
    }
    match found.as_slice() {
        [] => Err(CommandError::NoCase(name.to_owned())),
        [case] => Ok(case),
        several => Err(CommandError::SeveralCases(
            name.to_owned(),
            several.iter().map(|case| case.id.clone()).collect(),
        )),
    }
}

fn about(case: &Case, out: &mut dyn Write) -> Result<(), CommandError> {
    writeln!(out, "{}", case.id)?;
    writeln!(out, "  {}", case.provenance.why)?;
    writeln!(
        out,
        "  {}, version {}, {}, {} bytes",
        case.format,
        case.version,
        case.state,
        case.bytes.len()
    )?;
    if !case.provenance.rules.is_empty() {
        writeln!(out, "  rules: {}", case.provenance.rules.join(", "))?;
    }
    if let Some(operator) = &case.provenance.operator {
        writeln!(out, "  operator: {operator}")?;
    }
    match case.departures.as_slice() {
        [] => writeln!(out, "  departures: none")?,
        departures => writeln!(out, "  departures: {}", departures.join(", "))?,
    }
    if let Some(twin) = &case.twin {
        let word = match case.expected.verdict {
            ExpectedVerdict::Accept => "malformed sibling",
            _ => "valid twin",
        };
        writeln!(out, "  {word}: {twin}")?;
    }
    Ok(())
}

fn expected(case: &Case, out: &mut dyn Write) -> Result<(), CommandError> {
    let expected = &case.expected;
    match &expected.violation {
        Some(violation) => writeln!(
            out,
            "a reader must reject the trace, which violates {} at `{}`, bytes {}..{} ({})",
            violation.rules.join(" or "),
            violation.path,
            violation.start,
            violation.end,
            violation.class.name()
        )?,
        None if expected.verdict == ExpectedVerdict::Either => {
            writeln!(out, "a reader may accept or reject the trace")?;
        }
        None => writeln!(out, "a reader must accept it")?,
    }
    for (number, records) in expected.records.iter().enumerate() {
        let word = if number == 0 {
            "records"
        } else {
            "alternative records"
        };
        let word = match expected.verdict {
            ExpectedVerdict::Reject => format!("{word} before the fault"),
            _ => word.to_owned(),
        };
        writeln!(out, "{word}: {}", records.len())?;
        for record in records {
            writeln!(out, "  {record}")?;
        }
    }
    if let Some(due) = expected.due {
        writeln!(
            out,
            "records that a reader must report even though the trace is truncated: the first {due}"
        )?;
    }
    if expected.open {
        writeln!(out, "later records are not compared")?;
    }
    Ok(())
}
