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
            let about = found.rules.clone();
            Some((difference(found)?, about, case))
        })
        .collect();
    differing
        .par_iter_mut()
        .for_each(|(difference, rules, case)| {
            if let Some(plan) = formats.plan(&case.format) {
                let records = case.expected.records.first().map_or(0, Vec::len);
                complete(plan, &case.bytes, &About { rules, records }, difference);
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

/// How a value that is missing is written.
const MISSING: &str = r#"{"missing":"#;

/// What a case is about.
#[derive(Clone, Copy, Debug)]
pub struct About<'c> {
    /// Its rules, the one that heads it first.
    pub rules: &'c [String],
    /// How many records are expected.
    pub records: usize,
}

impl About<'_> {
    /// More records follow the one that differs.
    fn follows(&self, difference: &Difference) -> bool {
        difference.owed.is_some_and(|owed| owed + 1 < self.records)
    }

    /// Its rules that are among some.
    fn of_those(&self, some: &[String]) -> Vec<String> {
        let rules = self.rules.iter().filter(|id| some.contains(id));
        rules.cloned().collect()
    }
}

/// Adds to a difference the bytes of the trace that what was expected was read from, and the rules
/// that speak of it: of several those that the record shows, and of these the ones that the case is
/// `about`.
pub fn complete(plan: &Plan, bytes: &[u8], about: &About<'_>, difference: &mut Difference) {
    let found = difference
        .owed
        .and_then(|owed| places(plan, bytes, owed, &difference.path));
    if let Some(found) = found {
        difference.rules = rules(plan, &found, about, difference);
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

/// The rules that speak of what differs: of several those that are shown, and of these as far as the
/// case is about any those alone.
fn rules(plan: &Plan, found: &Places, about: &About<'_>, difference: &Difference) -> Vec<String> {
    let named = |rules: Vec<usize>| -> Vec<String> {
        let ids = rules.into_iter().map(|rule| plan.rules[rule].id.clone());
        ids.collect()
    };
    let all = found.shown();
    if difference.path.is_empty() {
        // What keeps a reader from all that follows stands in front of it mostly, what keeps it from
        // the last record in that itself. The case is rather about either than about what every
        // record has.
        let before = (about.follows(difference)).then(|| found.shown_before());
        for near in before.into_iter().chain([all.clone()]) {
            let near = about.of_those(&named(near));
            if !near.is_empty() {
                return near;
            }
        }
    }
    let speak = speak(plan, found, difference);
    let speak = speak
        .into_iter()
        .find(|rules| !rules.is_empty())
        .unwrap_or_default();
    let speak = named(some(speak, |rule| all.contains(rule)));
    some(speak, |id| about.rules.contains(id))
}

/// The rules that speak of what differs, those that speak nearest of it first.
fn speak(plan: &Plan, found: &Places, difference: &Difference) -> Vec<Vec<usize>> {
    let whole = found.record.op;
    let all = found.shown();
    let is_shown = |rule: usize| all.contains(&rule);
    let of_place = |place: &Place| {
        let mut near = found.shown_in(place.span);
        near.extend(found.shown_around(place.span));
        plan.rules_about(place.op, whole, &|rule| near.contains(&rule))
    };
    // Text that a reader has found, and read otherwise, is wrong where it is written.
    let written = found.value.last();
    let written = written.filter(|_| is_text_read_otherwise(difference));
    // What is computed from what stands elsewhere is told by what is computed.
    let computed = found.computed.map_or_else(Vec::new, |code| {
        let mut rules = plan.rules_about_computed(code, whole);
        rules.retain(|rule| is_shown(*rule));
        rules
    });
    // What was written in front of the record holds there because the field is left out.
    let carried = found.value.first().filter(|place| {
        let span = found.record.span;
        place.span.end <= span.start || place.span.start >= span.end
    });
    let carried = carried.map_or_else(Vec::new, |place| {
        let mut rules = plan.rules_about_presence(place.op, whole);
        rules.retain(|rule| is_shown(*rule));
        rules
    });
    // Why a value is missing is said by what names it.
    let named = found.value.first();
    let named = named.filter(|_| difference.expected.starts_with(MISSING));
    let dangling = named.and_then(|place| plan.rule_of_dangling(place.op));
    let mut speak: Vec<Vec<usize>> = written.map(of_place).into_iter().collect();
    speak.push(dangling.into_iter().collect());
    speak.push(computed);
    speak.push(carried);
    speak.extend(found.value.iter().map(of_place));
    // Which arm has read it is told by what the record shows.
    speak.extend(found.value.iter().map(|place| {
        let mut rules = plan.rules_of_arms(place.op);
        rules.retain(|rule| is_shown(*rule));
        rules
    }));
    // Why a member is not there is said where it would be.
    if let Some(op) = found.member.filter(|_| found.value.is_empty()) {
        speak.push(plan.rules_about_presence(op, whole));
    }
    // What is named in a row, say, is of the member nevertheless.
    speak.extend(
        found
            .member
            .map(|op| plan.rules_about(op, whole, &is_shown)),
    );
    speak.push(plan.rules_about(whole, whole, &is_shown));
    speak
}

/// Both are texts, and the reader has found the right one: they differ in characters that are easily
/// lost, those that are not ASCII or are not seen.
fn is_text_read_otherwise(difference: &Difference) -> bool {
    let text = |json: &str| serde_json::from_str::<String>(json).ok();
    let plain = |text: &str| -> String {
        let seen = text
            .chars()
            .filter(|c| c.is_ascii() && !c.is_ascii_control());
        seen.collect()
    };
    let (Some(expected), Some(actual)) = (text(&difference.expected), text(&difference.actual))
    else {
        return false;
    };
    !expected.is_empty() && plain(&expected) == plain(&actual)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_read_otherwise_is_the_same_but_for_what_is_easily_lost() {
        let otherwise = |expected: &str, actual: &str| {
            is_text_read_otherwise(&Difference {
                expected: expected.to_owned(),
                actual: actual.to_owned(),
                ..Difference::default()
            })
        };
        assert!(otherwise(r#""u\u00fc""#, r#""u\u00c3\u00bc""#));
        assert!(otherwise(r#""\ufeffmarked""#, r#""marked""#));
        assert!(otherwise(r#""a\u0000\u0000""#, r#""a""#));
        assert!(!otherwise(r#""fan speed""#, r#""temperature""#));
        assert!(!otherwise(r#""""#, "null"));
        assert!(!otherwise("5", "7"));
    }
}
