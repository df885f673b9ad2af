//! Explains a rule.

use std::collections::BTreeMap;
use std::io::Write;

use tracegauge_corpus::listing::Listed;
use tracegauge_corpus::suite::rules;
use tracegauge_plan::Plan;
use tracegauge_plan::terms::{Level, ReaderDuty};
use tracegauge_results::{Outcome, RunResult};

use super::super::one_line;
use super::{mark, reader_name};
use crate::corpus::with_scope;
use crate::corpus::{CommandError, Scope};

/// The maximum number of cases to list, so that the output fits on a screen.
pub(super) const NAMED: usize = 12;

pub(super) fn explain(
    (plan, id): (&Plan, &str),
    (cases, named): (&[Listed], usize),
    (runs, scope): (&[RunResult], &Scope),
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let format = &plan.format;
    let Some(rule) = rules(plan).into_iter().find(|rule| rule.id == id) else {
        return Ok(());
    };
    let is_recommended = rule.level == Level::Should;
    let duty = match rule.reader {
        ReaderDuty::Reject if is_recommended => {
            "a reader should reject a file that breaks the rule"
        }
        ReaderDuty::Reject => "a reader must reject a file that breaks the rule",
        ReaderDuty::Accept if is_recommended => {
            "a reader should accept a file to which the rule applies"
        }
        ReaderDuty::Accept => "a reader must accept a file to which the rule applies",
        ReaderDuty::Either => "a reader may accept or reject a file to which the rule applies",
        ReaderDuty::None => "a reader cannot detect whether a file breaks the rule",
    };
    writeln!(out, "{id} of {format}")?;
    writeln!(out, "  section    {}", rule.sections.join(", "))?;
    writeln!(out, "  text       {}", one_line(&rule.says))?;
    // A failure of a case for a recommendation is judged as a warning.
    let warning = match is_recommended {
        true => "; `run` only warns if it does not, unless --strict is given",
        false => "",
    };
    writeln!(
        out,
        "  level      {}; {duty}{warning}",
        format!("{:?}", rule.level).to_lowercase(),
    )?;
    let about: Vec<&Listed> = cases
        .iter()
        .filter(|case| case.format == *format && case.is_about(id))
        .collect();
    writeln!(out, "  cases      {}", about.len())?;
    for case in about.iter().take(named) {
        writeln!(out, "             {}", case.id)?;
    }
    if about.len() > named {
        writeln!(
            out,
            "             and {} more cases: tracegauge corpus list{} --format {format} --filter \
             {id}",
            about.len() - named,
            with_scope(scope)
        )?;
    }
    for reader in runs.iter().flat_map(|run| &run.readers) {
        let mut outcomes: BTreeMap<Outcome, usize> = BTreeMap::new();
        for found in &reader.cases {
            let is_about = || about.iter().any(|case| case.id == found.case);
            let differs = found.about_difference().iter().any(|rule| rule == id);
            if found.format == *format && (differs || is_about()) {
                *outcomes.entry(found.outcome).or_default() += 1;
            }
        }
        if outcomes.is_empty() {
            continue;
        }
        let worst = outcomes.keys().find(|outcome| outcome.is_failure());
        let mark = worst.map_or(" ", |outcome| mark(*outcome));
        let counts = outcomes
            .iter()
            .map(|(outcome, count)| outcome.counted(*count));
        let counts: Vec<String> = counts.collect();
        let name = reader_name(&reader.reader.name, reader.reader.version.as_deref());
        writeln!(out, "{mark} reader     {name}: {}", counts.join(", "))?;
    }
    Ok(())
}
