//! A small sample of valid traces in which each member of each format occurs several times.

use std::collections::HashMap;

use tracegauge_corpus::case::{Case, ExpectedVerdict};
use tracegauge_judge::compare::{Sighting, sightings};

/// The number of traces that must contain each member with a nonempty value, and the number that
/// must contain it with an empty value. A reader that reports a member at all is assumed to report
/// it in at least one trace of the sample.
const TIMES: usize = 4;

/// Returns small valid traces from `cases` in which each member of each format occurs several
/// times, with empty and nonempty values. The traces are taken in order of size, so adding larger
/// cases does not change the sample.
pub(crate) fn sample<'c>(cases: impl Iterator<Item = &'c Case>) -> Vec<&'c Case> {
    let is_valid =
        |case: &&Case| case.expected.verdict == ExpectedVerdict::Accept && !case.is_huge();
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
