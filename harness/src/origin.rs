//! Where in a trace stands what a reader got wrong: the bytes that the expected value was read
//! from. They are found after a run, of failures alone, by decoding the case once more.

use std::collections::HashMap;

use rayon::iter::{IntoParallelRefMutIterator as _, ParallelIterator as _};
use tracegauge_corpus::case::Case;
use tracegauge_corpus::formats::Formats;
use tracegauge_decoder::places::{Place, Places, places};
use tracegauge_reports::{CaseResult, Difference, Excerpt, Origin, OriginPart, RunResult};
use tracegauge_spec::plan::Plan;

/// Adds to each difference of `result` the bytes that what was expected was read from, as far as
/// `cases` and `formats` have them.
pub fn locate(result: &mut RunResult, cases: &[Case], formats: &Formats) {
    let by_id: HashMap<&str, &Case> = cases.iter().map(|case| (case.id.as_str(), case)).collect();
    let readers = result.readers.iter_mut();
    let mut differing: Vec<(&mut Difference, &Case)> = readers
        .flat_map(|reader| &mut reader.cases)
        .filter_map(|found| {
            let case = by_id.get(found.case.as_str()).copied();
            let case = case.filter(|case| case.version == found.version)?;
            Some((difference(found)?, case))
        })
        .collect();
    differing.par_iter_mut().for_each(|(difference, case)| {
        if let Some(plan) = formats.plan(&case.format) {
            difference.origins = origins(plan, &case.bytes, difference);
        }
    });
}

fn difference(found: &mut CaseResult) -> Option<&mut Difference> {
    found.detail.as_mut()?.difference.as_mut()
}

/// The bytes of a trace that what was expected was read from.
pub fn origins(plan: &Plan, bytes: &[u8], difference: &Difference) -> Vec<Origin> {
    let Some(owed) = difference.owed else {
        return Vec::new();
    };
    let Some(Places { record, value }) = places(plan, bytes, owed, &difference.path) else {
        return Vec::new();
    };
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
        origins.insert(0, origin(OriginPart::Record, &record));
    }
    origins
}
