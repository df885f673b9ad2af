//! `tracegauge explain`: what a case or a rule is about, on one screen.

mod case;
mod causes;
mod leftover;
mod rule;
mod twin;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use tracegauge_corpus::commands::{CommandError, Scope, Status, find};
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::progress::Messages;
use tracegauge_reports::model::RunResult;
use tracegauge_reports::{Outcome, json};
use tracegauge_spec::plan::Plan;

use super::progress::Bar;
use super::{Exit, Voice, one_line};

/// Explain a case, a rule, or the failures of a reader
///
/// Of a case: the sentence of the document, the bytes with the fault marked, what differs from
/// its twin, what a reader must do, and what each reader of a result did. Of a rule: its
/// sentence, its cases, and how readers of a result did on them. Without either: which mistakes
/// the failures of the result's readers look like. Mistakes are tried out: wrong readings of the
/// description are run, and the one that fails where the reader fails, and nowhere else, is where
/// to look first. Exit status: 0 explained; 2 there is no such case or rule, or the corpus does not
/// have the cases of the result.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge explain FORMAT/vector/one-event\n  tracegauge run --format FORMAT --json result.json\n  tracegauge explain RULE --format FORMAT --results result.json\n  tracegauge explain --results result.json --format FORMAT"
)]
pub struct Args {
    /// Which formats and corpus
    #[command(flatten)]
    pub scope: Scope,
    /// The name of a case, or a part of it that no other case has; or the id of a rule
    #[arg(value_name = "CASE|RULE", required_unless_present = "results")]
    pub what: Option<String>,
    /// A result of `run --json`, whose readers are shown; may be given several times
    #[arg(long, value_name = "FILE")]
    pub results: Vec<PathBuf>,
}

/// Runs the command.
pub fn execute(args: &Args, voice: Voice) -> Exit {
    let mut runs = Vec::new();
    for file in &args.results {
        match json::read(file) {
            Ok(run) => runs.push(run),
            Err(error) => return super::usage(&error.to_string()),
        }
    }
    let mut out = io::stdout().lock();
    match explain(args, &runs, voice, &mut out) {
        Ok(()) => Exit::Ok,
        // Who does not read to the end knows why.
        Err(CommandError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Ok,
        Err(error) if error.status() == Status::Incomplete => super::incomplete(&error.to_string()),
        Err(error) => super::usage(&error.to_string()),
    }
}

fn explain(
    args: &Args,
    runs: &[RunResult],
    voice: Voice,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let bar = Bar::new(voice);
    let mut to = io::stderr();
    let mut messages = Messages::new(&mut to, &bar);
    let formats = args.scope.formats(&mut messages)?;
    let Some(what) = &args.what else {
        let failing = causes::formats(runs);
        let is_had = |id: &String| formats.plan(id).is_some();
        // What was asked for leaves the rest out knowingly.
        if args.scope.formats.is_empty() && !failing.is_empty() && !failing.iter().any(is_had) {
            return Err(CommandError::OtherCorpus(failing.into_iter().collect()));
        }
        let formats = formats.filtered(|id| failing.contains(id));
        let suite = args.scope.suite_of(formats, &mut messages)?;
        let asked = |id: &str| args.scope.formats.is_empty() || suite.formats.plan(id).is_some();
        return causes::explain(&suite, runs, &asked, out, &mut messages);
    };
    let has_rule = |format: &str| {
        let plan = formats.plan(format);
        plan.is_some_and(|plan| plan.rules.iter().any(|rule| rule.id == *what))
    };
    let ids: Vec<String> = formats.plans().iter().map(|it| it.format.clone()).collect();
    let with_rule: Vec<&String> = ids.iter().filter(|id| has_rule(id)).collect();
    if with_rule.is_empty() {
        let around = args.scope.suite_around(formats, what, &mut messages);
        let suite = around.map_err(|error| elsewhere(what, error))?;
        let case = find(&suite, what)?;
        return case::explain(&suite, case, (runs, &args.scope), out);
    }
    let wanted = |format: &str| with_rule.iter().any(|id| *id == format);
    let formats = formats.filtered(wanted);
    let listing = args.scope.listing(&formats, &messages)?;
    // Several formats share a screen.
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

/// A rule of a format that was not asked for is no unknown name.
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
    if with.is_empty() {
        CommandError::NoCase(name)
    } else {
        CommandError::RuleElsewhere(name, with)
    }
}

/// The name of a reader, with its version where a result has several of that name.
fn reader_name(name: &str, version: Option<&str>) -> String {
    match version {
        Some(version) => one_line(&format!("{name} {version}")),
        None => one_line(name),
    }
}

/// A failure is marked, so that it is found.
fn mark(outcome: Outcome) -> &'static str {
    if outcome.is_failure() { "!" } else { " " }
}
