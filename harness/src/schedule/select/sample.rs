//! A few valid traces of each format that show each of its members several times.

use std::collections::HashMap;

use tracegauge_corpus::case::{Case, ExpectedVerdict};

use crate::compare::{Sighting, sightings};

/// A reader that reports a member at all reports it in one of so many small traces that have it, and
/// in as many where it is empty.
const TIMES: usize = 4;

/// Small valid traces of `cases` that together show each member of each format several times, with a
/// value and without. Other cases beside them do not change which of them are small.
pub(crate) fn sample<'c>(cases: impl Iterator<Item = &'c Case>) -> Vec<&'c Case> {
    let is_valid = |case: &&Case| case.expected.verdict == ExpectedVerdict::Accept;
    let mut valid: Vec<&Case> = cases.filter(is_valid).collect();
    valid.sort_by_key(|case| (case.bytes.len(), &case.id));
    let mut shown: HashMap<(&str, Sighting), usize> = HashMap::new();
    let mut sample = Vec::new();
    for case in valid {
        let records = case.expected.records.first();
        let members = sightings(records.map_or(&[], Vec::as_slice)).into_iter();
        let keys: Vec<_> = members.map(|it| (case.format.as_str(), it)).collect();
        if keys
            .iter()
            .all(|key| shown.get(key).is_some_and(|times| *times >= TIMES))
        {
            continue;
        }
        keys.into_iter()
            .for_each(|key| *shown.entry(key).or_default() += 1);
        sample.push(case);
    }
    sample
}
