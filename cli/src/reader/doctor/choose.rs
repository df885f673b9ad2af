//! Chooses the few cases that reveal the most mistakes.

use std::collections::BTreeSet;

use tracegauge_corpus::case::{Case, ExpectedVerdict, Provenance, Source, State};
use tracegauge_corpus::expected::examine;
use tracegauge_decoder::record::Value;
use tracegauge_plan::Plan;

/// Maximum number of cases chosen for their features. The twins of the chosen malformed cases (the
/// valid traces that these cases were made from), the largest trace and the empty file are added
/// afterwards.
const MOST: usize = 12;
/// Maximum size in bytes of the largest trace that is chosen.
const LARGEST: usize = 4 << 20;
/// The largest integer that every JSON parser reads exactly.
const SAFE: u128 = (1 << 53) - 1;

/// Chooses a few `cases` of the plan's format: small cases that together contain all kinds of
/// values and violations, and then the largest valid trace and an empty file. Each malformed case
/// is preceded by its twin (the valid trace that it was made from).
pub(super) fn choose(plan: &Plan, cases: &[Case]) -> Vec<Case> {
    let mut open: Vec<(&Case, BTreeSet<Feature>)> = cases
        .iter()
        .filter(|case| case.format == plan.format && case.state == State::Active)
        .filter(|case| case.expected.verdict != ExpectedVerdict::Either && !case.expected.open)
        // The empty file is added below. It must not be the only truncated trace.
        .filter(|case| !case.bytes.is_empty())
        .map(|case| (case, features(case)))
        .collect();
    open.sort_by_key(|(case, _)| (case.bytes.len(), &case.id));
    let mut chosen: Vec<&Case> = Vec::new();
    let mut shown = BTreeSet::new();
    while chosen.len() < MOST {
        let new = |features: &BTreeSet<Feature>| features.difference(&shown).count();
        // Among the cases with the most new features, the smallest comes first.
        let best = open.iter().rev().max_by_key(|(_, features)| new(features));
        let Some((case, features)) = best.filter(|(_, features)| new(features) > 0) else {
            break;
        };
        chosen.push(case);
        shown.extend(features.iter().copied());
    }
    let largest = open
        .iter()
        .map(|(case, _)| *case)
        .filter(|case| case.expected.verdict == ExpectedVerdict::Accept)
        .filter(|case| case.bytes.len() <= LARGEST)
        .max_by_key(|case| case.bytes.len());
    chosen.extend(largest);
    with_twins(&chosen, cases)
        .into_iter()
        .cloned()
        .chain([empty(plan)])
        .collect()
}

/// Returns the chosen cases without duplicates, each malformed case preceded by its twin.
fn with_twins<'c>(chosen: &[&'c Case], cases: &'c [Case]) -> Vec<&'c Case> {
    let mut all: Vec<&Case> = Vec::new();
    for case in chosen {
        let twin = match case.expected.verdict {
            ExpectedVerdict::Reject => case.twin.as_ref(),
            _ => None,
        };
        let twin = twin.and_then(|id| cases.iter().find(|case| case.id == *id));
        for case in twin.into_iter().chain([*case]) {
            if !all.iter().any(|known| known.id == case.id) {
                all.push(case);
            }
        }
    }
    all
}

/// Returns a case with an empty trace, which the corpus may lack.
fn empty(plan: &Plan) -> Case {
    Case {
        id: format!("{}/an empty file", plan.format),
        format: plan.format.clone(),
        bytes: [].into(),
        repeated: None,
        expected: examine(plan, &[]).expected,
        twin: None,
        provenance: Provenance {
            source: Source::Valid,
            rules: Vec::new(),
            operator: None,
            why: "an empty file".to_owned(),
        },
        departures: Vec::new(),
        state: State::Active,
        version: 1,
    }
}

/// A feature of a case that can reveal mistakes in an adapter: a member of a kind of records, or, with
/// an empty kind, a kind of values or violations.
type Feature<'c> = (&'c str, &'c str);

/// Returns the features of a case.
fn features(case: &Case) -> BTreeSet<Feature<'_>> {
    let mut features = BTreeSet::new();
    if let Some(violation) = &case.expected.violation {
        features.insert(("", violation.class.name()));
        return features;
    }
    for record in case.expected.records.iter().flatten() {
        for (name, value) in &record.members {
            if !matches!(value, Value::Absent | Value::Free) {
                features.insert((record.kind.as_str(), name.as_str()));
            }
            traits(value, &mut features);
        }
    }
    features
}

/// Adds the features of a value that adapters often write incorrectly.
fn traits(value: &Value, features: &mut BTreeSet<Feature<'_>>) {
    let mut shows = |name: &'static str| {
        features.insert(("", name));
    };
    match value {
        Value::Int(number) if number.unsigned_abs() > SAFE => shows("large integer"),
        Value::Int(number) if *number < 0 => shows("negative integer"),
        Value::F32(bits) if !f32::from_bits(*bits).is_finite() => shows("special float"),
        Value::F64(bits) if !f64::from_bits(*bits).is_finite() => shows("special float"),
        Value::F32(_) | Value::F64(_) => shows("float"),
        Value::Text(text) => {
            if text.contains(['"', '\\']) || text.contains(char::is_control) {
                shows("escape");
            }
            if !text.is_ascii() {
                shows("beyond ASCII");
            }
        }
        Value::IllFormed(_) => shows("ill-formed text"),
        Value::Bytes(_) => shows("bytes"),
        Value::Bool(_) => shows("truth value"),
        Value::Guid(_) => shows("GUID"),
        Value::DateTime(_) => shows("date"),
        Value::Missing(_) => shows("missing"),
        Value::Enum { .. } => shows("enumeration"),
        Value::Flags { .. } => shows("flags"),
        Value::Json(_) => shows("JSON"),
        Value::List(items) => items.iter().for_each(|item| traits(item, features)),
        Value::Object(members) => members
            .iter()
            .for_each(|(_, value)| traits(value, features)),
        Value::Pairs(pairs) => {
            // An empty list does not show how an adapter writes pairs.
            if !pairs.is_empty() {
                shows("pairs");
            }
            for pair in pairs {
                traits(&pair.name, features);
                traits(&pair.value, features);
            }
        }
        Value::Int(_) | Value::Absent | Value::Free => {}
    }
}
