//! Finds what failing traces contain that no correctly read trace contains.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;
use tracegauge_corpus::case::Case;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::score::{
    Boundary, Measured, Meter, Names, Obligation, rules_of, rules_of_content,
};
use tracegauge_generator::plain::Departure;
use tracegauge_reports::model::Suspect;
use tracegauge_reports::{CaseResult, Expectation, Outcome};
use tracegauge_spec::plan::{OpId, Plan};

/// The minimum number of correctly read traces. With fewer of them, nearly everything in a failing
/// trace would be suspect.
const TELLING: usize = 3;

/// The maximum number of suspects of a case.
const MOST: usize = 40;

/// The size in bytes above which a trace is not examined, because it contains too much.
const LARGE: usize = 1 << 21;

/// Records in each failing valid trace what it contains that no valid trace contains which the
/// reader reads correctly. For a trace that the reader rejects, or on which it breaks down, this
/// includes traces that it accepts with wrong records.
pub(super) fn suspect(formats: &Formats, cases: &[&Case], results: &mut [CaseResult]) {
    let by_id: HashMap<&str, &Case> = cases.iter().map(|case| (case.id.as_str(), *case)).collect();
    for plan in formats.plans() {
        let indexes: Vec<usize> = (0..results.len())
            .filter(|index| {
                let found = &results[*index];
                found.format == plan.format && found.expected == Expectation::Accept
            })
            .collect();
        let fails = |index: &usize| results[*index].fails_the_run();
        let passes = |index: &&usize| results[**index].outcome == Outcome::Pass;
        if !indexes.iter().any(fails) || indexes.iter().filter(passes).count() < TELLING {
            continue;
        }
        let meter = Meter::new(plan);
        let contents = |index: usize| {
            let case = by_id.get(results[index].case.as_str())?;
            let measured = (case.bytes.len() <= LARGE).then(|| meter.measure_whole(&case.bytes))?;
            Some((index, measured))
        };
        let measured = indexes.par_iter().filter_map(|index| contents(*index));
        let measured: BTreeMap<usize, Measured> = measured.collect();
        let innocent = |is_innocent: &dyn Fn(&CaseResult) -> bool| {
            let read = measured.iter().filter(|it| is_innocent(&results[*it.0]));
            let met = read.flat_map(|(_, measured)| measured.met.iter().copied());
            met.collect::<BTreeSet<Obligation>>()
        };
        let correct = innocent(&|it| it.outcome == Outcome::Pass);
        let accepted = innocent(&|it| matches!(it.outcome, Outcome::Pass | Outcome::WrongRecords));
        let names = Names::new(plan);
        for (index, measured) in &measured {
            let found = &mut results[*index];
            if !found.fails_the_run() {
                continue;
            }
            let innocent = match found.outcome {
                Outcome::WrongRecords => &correct,
                _ => &accepted,
            };
            let contents = measured.met.difference(innocent).copied();
            found.suspects = named(&names, contents.filter(|it| it.is_content()), found);
            found.suspects.extend(unusual(plan, &measured.departures));
        }
    }
}

/// Names the contents of a trace, most telling first. Of several boundaries of a field, only the
/// highest is named, because a value beyond it is beyond the others as well.
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
                name: plan.rules[rule as usize].id.clone(),
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

/// Returns the unusual values among the departures of a trace, with the rules about their fields.
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
