//! The order in which failures are shown where there is not room for all.

use std::collections::HashMap;

use crate::model::CaseResult;
use crate::outcome::Outcome;

/// Brings something of everything to the front: one case of each rule and outcome, of the most
/// frequent first, then a second one of each, and so on. In each those come first that are about
/// the fewest rules.
pub(crate) fn spread<'c>(cases: impl Iterator<Item = &'c CaseResult>) -> Vec<&'c CaseResult> {
    let mut places: HashMap<(Option<&str>, Outcome), usize> = HashMap::new();
    let mut groups: Vec<Vec<&CaseResult>> = Vec::new();
    for case in cases {
        let place = *places
            .entry((case.rule(), case.outcome))
            .or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(case),
            None => groups.push(vec![case]),
        }
    }
    // A case that is about little tells more.
    for group in &mut groups {
        group.sort_by_key(|case| case.rules.len());
    }
    // Groups of the same size keep the order of the corpus.
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let longest = groups.first().map_or(0, Vec::len);
    (0..longest)
        .flat_map(|turn| groups.iter().filter_map(move |group| group.get(turn)))
        .copied()
        .collect()
}
