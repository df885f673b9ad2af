//! Implements `tracegauge corpus list`.

use std::collections::HashSet;
use std::io::Write;

use tracegauge_corpus::case::State;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::listing::Listed;
use tracegauge_corpus::pattern::Pattern;
use tracegauge_corpus::progress::Messages;
use tracegauge_corpus::sidecar::summary;

use super::{CommandError, Exit, Scope, report, with_scope};
use crate::departure_args::DepartureArgs;

/// The maximum number of problems with the generation of cases that are printed.
const PROBLEMS: usize = 5;

/// List cases, one per line
///
/// Each line shows the name of a case, the expected verdict, the rules that the case tests and,
/// unless the case is active, its state. Without --json, the command reads generated cases from the
/// manifests; with --json, the command generates these cases again, which takes longer. Exit status:
/// 0 listed; 2 usage error, or a file cannot be read; 3 the command could not be completed; 4 no case
/// is selected.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "Example:\n  tracegauge corpus list --format dial9-v1 --filter TRUNCATED")]
pub struct Args {
    /// The formats and the corpus
    #[command(flatten)]
    pub scope: Scope,
    /// List only cases whose name or rule contains PATTERN, or matches it if PATTERN contains * or
    /// ?; may be repeated
    #[arg(long = "filter", value_name = "PATTERN")]
    pub filters: Vec<String>,
    /// Which cases to list, by what is unusual about their traces
    #[command(flatten)]
    pub departures: DepartureArgs,
    /// List only cases in this state: draft, active, disputed or retired
    #[arg(long, value_name = "STATE", value_parser = state)]
    pub state: Option<State>,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

fn state(word: &str) -> Result<State, &'static str> {
    State::named(word).ok_or("expected draft, active, disputed or retired")
}

impl Args {
    /// Returns whether the options select only some of the cases.
    fn selects(&self) -> bool {
        self.state.is_some() || !self.filters.is_empty() || !self.departures.filter().is_empty()
    }

    fn wants(&self, case: &Listed, filters: &[Pattern]) -> bool {
        let finds = |filter: &Pattern| {
            let mut rules = case.all_rules();
            filter.finds(&case.id) || rules.any(|rule| filter.finds(rule))
        };
        self.state.is_none_or(|state| case.state == state)
            && (filters.is_empty() || filters.iter().any(finds))
            && self.departures.filter().keeps(&case.departures)
    }
}

pub(super) fn execute(
    args: &Args,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Exit, CommandError> {
    let filters: Vec<Pattern> = args.filters.iter().map(Pattern::new).collect();
    let formats = args.scope.formats(messages)?;
    let listing = args.scope.listing(&formats, messages)?;
    let is_own = args.scope.spec.is_some();
    let shown = listing.problems.len().min(PROBLEMS);
    report(&listing.problems[..shown], is_own, messages)?;
    let left = listing.problems.len() - shown;
    if left > 0 {
        let scope = with_scope(&args.scope);
        writeln!(
            messages,
            "note: … and {left} more problems; run `tracegauge corpus build{scope}` to list all"
        )?;
    }
    let wanted = listing.cases.iter();
    let wanted: Vec<&Listed> = wanted.filter(|case| args.wants(case, &filters)).collect();
    if wanted.is_empty() {
        let why = match args.selects() {
            true => "no case matches these filters (patterns are case-sensitive)",
            false => "the corpus has no cases of these formats",
        };
        writeln!(messages, "note: {why}")?;
        return Ok(Exit::Nothing);
    }
    if args.json {
        in_full(args, formats, &wanted, out, messages)?;
    } else {
        for case in wanted {
            line(case, out)?;
        }
    }
    Ok(Exit::Ok)
}

fn line(case: &Listed, out: &mut dyn Write) -> Result<(), CommandError> {
    write!(out, "{}  {}", case.id, case.expect)?;
    if !case.rules.is_empty() {
        write!(out, "  {}", case.rules.join(" "))?;
    }
    if case.state != State::Active {
        write!(out, "  ({})", case.state)?;
    }
    writeln!(out)?;
    Ok(())
}

/// Generates the cases and writes everything about them except their bytes and records.
fn in_full(
    args: &Args,
    formats: Formats,
    wanted: &[&Listed],
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<(), CommandError> {
    let with: HashSet<&str> = wanted.iter().map(|case| case.format.as_str()).collect();
    let formats = formats.filtered(|id| with.contains(id));
    let suite = args.scope.suite_of(formats, messages)?;
    for case in wanted.iter().filter_map(|case| suite.case(&case.id)) {
        writeln!(out, "{}", summary(case))?;
    }
    Ok(())
}
