//! `tracegauge explain`: explains a case, a rule or the failures of readers.

mod alike;
mod case;
mod cause;
mod causes;
mod mistake;
mod outcomes;
mod rule;
mod twin;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::huge::is_huge_id;
use tracegauge_corpus::progress::Messages;
use tracegauge_plan::Plan;
use tracegauge_results::text::{counted, first_of};
use tracegauge_results::{Outcome, RunResult, json};

use super::progress::Bar;
use super::{Exit, OutputOptions, one_line, state};
use crate::corpus::{CommandError, Scope};

/// Explain a case, a rule, or the failures of a reader
///
/// For a case, the command prints the rule, the bytes with the fault marked, the difference from
/// the valid trace without the fault (the twin), the required behavior, and the behavior of each
/// reader in the results. For a rule, the command prints the rule, its cases, and the outcomes of
/// these cases for each reader in the results. Without a case or rule, the command prints the
/// probable causes of each reader's failures in the given results or, by default, in the last run.
/// The corpus stores the outcomes of mutants, which are copies of the reference decoder with one
/// planted bug each. The command groups the failures by cause, compares each group with these
/// outcomes, and names a planted bug that has the same effect. Exit status: 0 explained; 2 the
/// case, rule or saved run does not exist, or the corpus does not contain the cases in the results;
/// 3 the command could not be completed.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge explain FORMAT/vector/one-event\n  tracegauge run --reader my-reader.yaml --format FORMAT --json result.json\n  tracegauge explain RULE --format FORMAT --results result.json\n  tracegauge run --reader my-reader.yaml\n  tracegauge explain"
)]
pub struct Args {
    /// Formats and corpus to use
    #[command(flatten)]
    pub scope: Scope,
    /// Name of a case or a unique part of it, or the id of a rule
    #[arg(value_name = "CASE|RULE")]
    pub what: Option<String>,
    /// Result file written by `run --json`, with the results of the readers to explain; may be
    /// repeated [default, without a case or rule: the last run in this folder]
    #[arg(long, value_name = "FILE")]
    pub results: Vec<PathBuf>,
}

/// Runs the command.
pub fn execute(args: &Args, output_options: OutputOptions) -> Exit {
    let mut runs = Vec::new();
    for file in &args.results {
        match json::read(file) {
            Ok(run) => runs.push(run),
            Err(error) => return super::usage(&error.to_string()),
        }
    }
    let mut out = crate::output::text();
    if args.what.is_none() && runs.is_empty() {
        match last_run(&mut out) {
            Ok(run) => runs.push(run),
            Err(message) => return super::usage(&message),
        }
    }
    match explain(args, &runs, output_options, &mut out) {
        Ok(()) => Exit::Ok,
        // The program that reads the output may stop reading at any time.
        Err(CommandError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Ok,
        Err(error) if error.status() == Exit::Incomplete => super::incomplete(&error.to_string()),
        Err(error) => super::usage(&error.to_string()),
    }
}

/// Reads the last run in this folder and prints a line that identifies the run.
fn last_run(out: &mut dyn Write) -> Result<RunResult, String> {
    let path = state::last_run();
    if !path.exists() {
        return Err(
            "no run was saved in this folder; run a reader first, or specify a case, a rule, or a \
             result file with --results"
                .to_owned(),
        );
    }
    let run = json::read(&path).map_err(|error| error.to_string())?;
    let readers = run.readers.iter();
    let readers = readers.filter(|reader| !reader.cases.is_empty());
    let readers: Vec<String> = readers.map(|it| one_line(&it.reader.name)).collect();
    let ago = fs::metadata(&path).and_then(|known| known.modified()).ok();
    let ago = ago.and_then(|then| then.elapsed().ok());
    let ago = ago.map_or_else(String::new, |ago| format!(", {} ago", duration(ago)));
    // If this write fails, the later write of the explanations fails too and reports the error.
    let _ = writeln!(
        out,
        "last run: {}{ago} ({})",
        first_of(&readers, READERS),
        path.display()
    );
    Ok(run)
}

/// Maximum number of readers that are named in the line about the last run.
const READERS: usize = 3;

/// Describes how long ago the last run was.
fn duration(ago: Duration) -> String {
    let minutes = usize::try_from(ago.as_secs() / 60).unwrap_or(usize::MAX);
    match minutes {
        0 => "less than a minute".to_owned(),
        1..120 => counted(minutes, "minute"),
        120..2880 => counted(minutes / 60, "hour"),
        _ => counted(minutes / 1440, "day"),
    }
}

fn explain(
    args: &Args,
    runs: &[RunResult],
    output_options: OutputOptions,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let bar = Bar::new(output_options);
    let mut to = io::stderr();
    let mut messages = Messages::new(&mut to, &bar);
    let formats = args.scope.formats(&mut messages)?;
    let Some(what) = &args.what else {
        let failing = causes::formats(runs);
        let is_had = |id: &String| formats.plan(id).is_some();
        // With `--format`, the user excludes the other formats on purpose.
        if args.scope.formats.is_empty() && !failing.is_empty() && !failing.iter().any(is_had) {
            return Err(CommandError::OtherCorpus(failing.into_iter().collect()));
        }
        let formats = formats.filtered(|id| failing.contains(id));
        let asked = |id: &str| args.scope.formats.is_empty() || formats.plan(id).is_some();
        return causes::explain((&formats, &args.scope), runs, &asked, out, &mut messages);
    };
    // Users may type rule ids in lower case.
    let plans = formats.plans().iter();
    let rule = plans
        .flat_map(|plan| &plan.rules)
        .find(|rule| rule.id.eq_ignore_ascii_case(what))
        .map(|rule| rule.id.clone());
    let what = rule.as_ref().unwrap_or(what);
    let has_rule = |format: &str| {
        let plan = formats.plan(format);
        plan.is_some_and(|plan| plan.rules.iter().any(|rule| rule.id == *what))
    };
    let ids: Vec<String> = formats.plans().iter().map(|it| it.format.clone()).collect();
    let with_rule: Vec<&String> = ids.iter().filter(|id| has_rule(id)).collect();
    if with_rule.is_empty() {
        let around = args.scope.suite_around(formats, what, &mut messages);
        let suite = around.map_err(|error| elsewhere(what, error))?;
        let case = args.scope.case(&suite, what)?;
        return case::explain(&suite, case, (runs, &args.scope), out);
    }
    let wanted = |format: &str| with_rule.iter().any(|id| *id == format);
    let formats = formats.filtered(wanted);
    let listing = args.scope.listing(&formats, &messages)?;
    // The output for all formats together must fit on one screen.
    let named = rule::NAMED / with_rule.len();
    for (number, plan) in formats.plans().iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let cases = (&listing.cases[..], named);
        rule::explain((plan, what), cases, (runs, &args.scope), out)?;
    }
    Ok(())
}

/// The minimum similarity between an unknown name and a rule that is suggested instead.
const NEAR: f64 = 0.7;

/// Returns the rule of any format whose name is most similar to `name`, if it is similar.
fn nearest(name: &str, formats: &Formats) -> Option<String> {
    let name = name.to_ascii_uppercase();
    let similarity = |rule: &str| strsim::normalized_damerau_levenshtein(&name, rule);
    let rules = formats.plans().iter().flat_map(|plan| &plan.rules);
    let nearest = rules.max_by(|a, b| similarity(&a.id).total_cmp(&similarity(&b.id)))?;
    (similarity(&nearest.id) >= NEAR).then(|| nearest.id.clone())
}

/// Replaces the error for an unknown name if a format outside the selection has a rule with that
/// name.
fn elsewhere(what: &str, error: CommandError) -> CommandError {
    let CommandError::NoCase(name) = error else {
        return error;
    };
    let able = Formats::able(&[]).map(|(formats, _)| formats);
    let formats = able.unwrap_or_default();
    let has = |plan: &&Arc<Plan>| plan.rules.iter().any(|rule| rule.id == what);
    let with: Vec<String> = formats
        .plans()
        .iter()
        .filter(has)
        .map(|plan| plan.format.clone())
        .collect();
    if !with.is_empty() {
        CommandError::RuleElsewhere(name, with)
    } else if is_huge_id(&name) {
        CommandError::NoCase(name)
    } else {
        let near = nearest(&name, &formats);
        CommandError::NoCaseOrRule { name, near }
    }
}

/// Returns the name of a reader, with its version if the result has one.
fn reader_name(name: &str, version: Option<&str>) -> String {
    match version {
        Some(version) => one_line(&format!("{name} {version}")),
        None => one_line(name),
    }
}

/// Returns the marker that starts a line about a case with this outcome.
fn mark(outcome: Outcome) -> &'static str {
    if outcome.is_failure() { "!" } else { " " }
}
