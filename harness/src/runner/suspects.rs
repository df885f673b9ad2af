//! Finds suspects: properties of a valid trace that might explain why the reader rejects it or
//! fails to answer, because no accepted valid trace has them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tracegauge_corpus::case::Case;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::parallel;
use tracegauge_corpus::score::{
    Boundary, Measured, Meter, Names, Obligation, rules_of, rules_of_content,
};
use tracegauge_generator::plain::Departure;
use tracegauge_plan::{OpId, Plan};
use tracegauge_results::{CaseResult, Expectation, Outcome, Suspect};

/// The minimum number of accepted traces. With fewer accepted traces, nearly every property of a
/// rejected trace would be a suspect.
const TELLING: usize = 3;

/// The maximum number of suspects recorded for a case.
const MOST: usize = 40;

/// The maximum size in bytes of a trace that is examined. Larger traces have too many properties.
const LARGE: u64 = 1 << 21;

/// Records suspects for each valid trace that the reader does not accept: the properties of the
/// trace that no accepted valid trace has. Traces with wrong records get no such suspects, because
/// the rules about the wrong member say more about the failure. In addition, the unusual values of
/// each failing valid trace become suspects, with the rules about their fields.
pub(super) fn suspect(formats: &Formats, cases: &[&Case], results: &mut [CaseResult]) {
    let by_id: HashMap<&str, &Case> = cases.iter().map(|case| (case.id.as_str(), *case)).collect();
    for plan in formats.plans() {
        let is_valid =
            |it: &CaseResult| it.format == plan.format && it.expected == Expectation::Accept;
        let valid = || results.iter().filter(|it| is_valid(it));
        if !valid().any(CaseResult::fails_the_run) {
            continue;
        }
        let accepted = valid().filter(|it| is_accepted(it)).count();
        let has_reasons =
            accepted >= TELLING && valid().any(|it| it.fails_the_run() && !is_accepted(it));
        let meter = Meter::new(plan);
        let numbered: Vec<(usize, &CaseResult)> = results.iter().enumerate().collect();
        let measured = parallel::filter_map(&numbered, |(index, found)| {
            let is_meant = is_valid(found) && (has_reasons || found.fails_the_run());
            let case = by_id.get(found.case.as_str()).filter(|_| is_meant)?;
            let is_small = case.trace().length() <= LARGE;
            is_small.then(|| (*index, meter.measure_whole(&case.bytes)))
        });
        let measured: BTreeMap<usize, Measured> = measured.into_iter().collect();
        let innocent = measured.iter().filter(|it| is_accepted(&results[*it.0]));
        let innocent = innocent.flat_map(|(_, measured)| measured.met.iter().copied());
        let innocent: BTreeSet<Obligation> = innocent.collect();
        let names = Names::new(plan);
        for (index, measured) in &measured {
            let found = &mut results[*index];
            if !found.fails_the_run() {
                continue;
            }
            if has_reasons && !is_accepted(found) {
                let contents = measured.met.difference(&innocent).copied();
                found.suspects = named(&names, contents.filter(|it| it.is_content()), found);
            }
            found.suspects.extend(unusual(plan, &measured.departures));
        }
    }
}

/// Returns whether the reader accepts a valid trace, even if it reports wrong records.
fn is_accepted(found: &CaseResult) -> bool {
    matches!(found.outcome, Outcome::Pass | Outcome::WrongRecords)
}

/// Returns the suspects in the contents of a trace. Contents that occur in many traces by chance,
/// such as a large value, come last. If a field has values beyond several boundaries, only the
/// highest boundary is named, because a value beyond it is beyond the others as well.
fn named(
    names: &Names<'_>,
    contents: impl Iterator<Item = Obligation>,
    found: &CaseResult,
) -> Vec<Suspect> {
    let plan = names.plan();
    let mut highest: BTreeMap<OpId, Boundary> = BTreeMap::new();
    let mut list: Vec<Obligation> = Vec::new();
    for content in contents {
        match content {
            Obligation::Value(op, boundary) => {
                let highest = highest.entry(op).or_insert(boundary);
                *highest = boundary.max(*highest);
            }
            content => list.push(content),
        }
    }
    list.extend(
        highest
            .into_iter()
            .map(|(op, it)| Obligation::Value(op, it)),
    );
    list.sort_by_key(|content| content.is_incidental());
    let mut suspects: Vec<Suspect> = Vec::new();
    for content in list {
        let suspect = match content {
            Obligation::Shown(rule) => Suspect {
                name: plan.rules[rule].id.clone(),
                rules: Vec::new(),
            },
            content => Suspect {
                name: format!("traces {}", names.clause(content)),
                rules: rules_of_content(plan, content),
            },
        };
        let is_known = found.departures.contains(&suspect.name)
            || found.rules.contains(&suspect.name)
            || suspects.iter().any(|it| it.name == suspect.name);
        if !is_known {
            suspects.push(suspect);
        }
    }
    suspects.truncate(MOST);
    suspects
}

/// Returns the unusual values among the departures (unusual properties) of a trace, with the rules
/// about their fields.
fn unusual(plan: &Plan, departures: &BTreeSet<Departure>) -> Vec<Suspect> {
    let unusual = departures.iter().filter_map(|departure| match departure {
        Departure::Field(op, _) => Some(Suspect {
            name: departure.name(plan),
            rules: rules_of(plan, *op),
        }),
        Departure::Rule(_) => None,
    });
    unusual.filter(|it| !it.rules.is_empty()).collect()
}
