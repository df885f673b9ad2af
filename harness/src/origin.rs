//! Where in a trace stands what a reader got wrong: the bytes that the expected value was read
//! from, and the rules that speak of it. They are found after a run, of failures alone, by decoding
//! the case once more.

use std::collections::HashMap;

use rayon::iter::{IntoParallelRefMutIterator as _, ParallelIterator as _};
use tracegauge_corpus::case::Case;
use tracegauge_corpus::formats::Formats;
use tracegauge_decoder::places::{Place, Places, places};
use tracegauge_reports::{CaseResult, Difference, Excerpt, Origin, OriginPart, Outcome};
use tracegauge_spec::plan::{Paths, Plan};

/// Adds to each difference of `results` the bytes that what was expected was read from, and the
/// rules that speak of it, as far as `cases` and `formats` have them.
pub fn locate(results: &mut [CaseResult], cases: &[&Case], formats: &Formats) {
    let by_id: HashMap<&str, &Case> = cases.iter().map(|case| (case.id.as_str(), *case)).collect();
    let mut differing: Vec<(&mut Difference, Vec<String>, &Case)> = results
        .iter_mut()
        .filter_map(|found| {
            let case = by_id.get(found.case.as_str()).copied();
            let case = case.filter(|case| case.version == found.version)?;
            let shown = found.rules.clone();
            Some((difference(found)?, shown, case))
        })
        .collect();
    differing
        .par_iter_mut()
        .for_each(|(difference, shown, case)| {
            if let Some(plan) = formats.plan(&case.format) {
                complete(plan, &case.bytes, shown, difference);
            }
        });
    // Why a record never came of a trace that was rejected, no rule of that record says.
    let rejected = results
        .iter_mut()
        .filter(|found| found.outcome == Outcome::WrongReject);
    for difference in rejected.filter_map(difference) {
        if difference.path.is_empty() {
            difference.rules.clear();
        }
    }
}

fn difference(found: &mut CaseResult) -> Option<&mut Difference> {
    found.detail.as_mut()?.difference.as_mut()
}

/// Adds to a difference the bytes of the trace that what was expected was read from, and the rules
/// that speak of it: of several those that the record shows, and of these the `shown` ones that
/// the case is about.
pub fn complete(plan: &Plan, bytes: &[u8], shown: &[String], difference: &mut Difference) {
    let found = difference
        .owed
        .and_then(|owed| places(plan, bytes, owed, &difference.path));
    if let Some(found) = found {
        difference.rules = rules(plan, &found, shown);
        difference.origins = origins(bytes, &found, &difference.path);
    }
}

/// What reads the value that was expected, by its path in the description below its record,
/// `values:I64` say; empty where nothing does.
pub fn read_by(plan: &Plan, bytes: &[u8], difference: &Difference) -> String {
    let found = difference
        .owed
        .and_then(|owed| places(plan, bytes, owed, &difference.path));
    let Some(Places {
        record,
        value,
        member,
        ..
    }) = found
    else {
        return String::new();
    };
    let first = value.first().map(|place| place.op);
    let Some(op) = first.or(member) else {
        return String::new();
    };
    let paths = Paths::new(plan);
    let inside = paths.of(op).strip_prefix(paths.of(record.op));
    let inside = inside.map(|path| path.trim_start_matches('.'));
    inside.unwrap_or(paths.of(op)).to_owned()
}

/// The rules that speak of a value, or else of its record: as far as the record shows any of
/// them those alone, and of these as far as the case is about any those alone.
fn rules(plan: &Plan, found: &Places, shown: &[String]) -> Vec<String> {
    let whole = found.record.op;
    let of_value = found
        .value
        .iter()
        .map(|place| plan.rules_about(place.op, whole));
    // Why a member is not there is said where it would be.
    let absent = found.member.filter(|_| found.value.is_empty());
    let of_absence = absent.into_iter().flat_map(|op| {
        [
            plan.rules_about_presence(op, whole),
            plan.rules_about(op, whole),
        ]
    });
    // Which arm has read it is told by what the record shows.
    let of_arms = found.value.iter().map(|place| {
        let mut rules = plan.rules_of_arms(place.op);
        rules.retain(|rule| found.shown.contains(rule));
        rules
    });
    // What is named in a row, say, is of the member nevertheless.
    let of_member = found.member.map(|op| plan.rules_about(op, whole));
    let about = of_value
        .chain(of_arms)
        .chain(of_absence)
        .chain(of_member)
        .chain([plan.rules_about(whole, whole)])
        .find(|rules| !rules.is_empty());
    let about = some(about.unwrap_or_default(), |rule| found.shown.contains(rule));
    let about: Vec<String> = about
        .into_iter()
        .map(|rule| plan.rules[rule].id.clone())
        .collect();
    some(about, |id| shown.contains(id))
}

/// Those of `all` that are `wanted`; all of them where none is.
fn some<T: Clone>(all: Vec<T>, wanted: impl Fn(&T) -> bool) -> Vec<T> {
    let some: Vec<T> = all.iter().filter(|one| wanted(one)).cloned().collect();
    if some.is_empty() { all } else { some }
}

/// The bytes of a trace that what was expected was read from.
fn origins(bytes: &[u8], found: &Places, path: &str) -> Vec<Origin> {
    let Places { record, value, .. } = found;
    let origin = |part: OriginPart, place: &Place| Origin {
        part,
        path: place.path.clone(),
        offset: place.span.start,
        length: place.span.end.saturating_sub(place.span.start),
        excerpt: Excerpt::around(bytes, place.span.start, place.span.end),
    };
    let is_own =
        |place: &Place| record.span.start <= place.span.start && place.span.end <= record.span.end;
    let mut origins: Vec<Origin> = value
        .iter()
        .map(|place| {
            let part = if is_own(place) {
                OriginPart::Value
            } else {
                OriginPart::Elsewhere
            };
            origin(part, place)
        })
        .collect();
    // What is only carried to a record has no bytes in it, and still is of that record.
    if !value.first().is_some_and(is_own) {
        let part = match path {
            "" => OriginPart::Value,
            _ => OriginPart::Record,
        };
        origins.insert(0, origin(part, record));
    }
    origins
}
