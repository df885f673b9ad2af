//! `tracegauge corpus list`

use std::io::Write;
use std::sync::Arc;

use tracegauge_spec::plan::Plan;

use super::{CommandError, Scope, Status, report};
use crate::case::{Case, State};
use crate::formats::Formats;
use crate::names;
use crate::pattern::Pattern;
use crate::progress::Messages;
use crate::sidecar::summary;
use crate::store::Store;

/// List cases, one a line
///
/// A line has the name of the case, what a reader is to do, the rules that it is about and,
/// unless it is active, its state.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "Example:\n  tracegauge corpus list --format dial9-v1 --filter TRUNCATED")]
pub struct Args {
    /// Which formats and corpus
    #[command(flatten)]
    pub scope: Scope,
    /// Only cases whose name or rule has PATTERN in it, or matches it with * and ?
    #[arg(long = "filter", value_name = "PATTERN")]
    pub filters: Vec<String>,
    /// Only cases in this state: draft, active, disputed or retired
    #[arg(long, value_name = "STATE", value_parser = state)]
    pub state: Option<State>,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

fn state(word: &str) -> Result<State, &'static str> {
    State::named(word).ok_or("one of draft, active, disputed, retired")
}

impl Args {
    fn wants(&self, case: &Case, filters: &[Pattern]) -> bool {
        let violation = case.expected.violation.iter();
        let rules = || {
            let broken = violation.clone().flat_map(|violation| &violation.rules);
            broken.chain(&case.provenance.rules)
        };
        let finds =
            |filter: &Pattern| filter.finds(&case.id) || rules().any(|rule| filter.finds(rule));
        self.state.is_none_or(|state| case.state == state)
            && (filters.is_empty() || filters.iter().any(finds))
    }
}

pub(super) fn execute(
    args: &Args,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Status, CommandError> {
    let filters: Vec<Pattern> = args.filters.iter().map(Pattern::new).collect();
    let formats = narrowed(args.scope.formats(messages)?, &args.scope.store(), &filters)?;
    let suite = args.scope.suite_of(formats, messages)?;
    report(&suite.problems, messages)?;
    let mut status = Status::Nothing;
    for case in suite.cases.iter().filter(|case| args.wants(case, &filters)) {
        status = Status::Ok;
        if args.json {
            writeln!(out, "{}", summary(case))?;
            continue;
        }
        write!(out, "{}  {}", case.id, case.expected.verdict)?;
        if !case.provenance.rules.is_empty() {
            write!(out, "  {}", case.provenance.rules.join(" "))?;
        }
        if case.state != State::Active {
            write!(out, "  ({})", case.state)?;
        }
        writeln!(out)?;
    }
    Ok(status)
}

/// Those formats that may have a case or a rule that the filters find.
fn narrowed(formats: Formats, store: &Store, filters: &[Pattern]) -> Result<Formats, CommandError> {
    if filters.is_empty() {
        return Ok(formats);
    }
    let finds = |name: &str| filters.iter().any(|filter| filter.finds(name));
    let mut with = names::formats_with(formats.plans(), store, finds)?;
    let about = |plan: &&Arc<Plan>| plan.rules.iter().any(|rule| finds(&rule.id));
    let by_rule = formats.plans().iter().filter(about);
    with.extend(by_rule.map(|plan| plan.format.clone()));
    Ok(formats.filtered(|id| with.iter().any(|with| with == id)))
}
