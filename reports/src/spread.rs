//! Orders failures for reports that cannot show all of them.

use std::collections::{HashMap, HashSet};

use tracegauge_results::{CaseResult, Cause, Outcome};

/// Orders failures so that the first ones are the simplest cases of the causes, in the order of the
/// causes, and the next ones cover every kind of failure. The other cases are grouped by rule and
/// outcome. The result contains the first case of each group, largest group first, then the second
/// case of each group, and so on. Within a group, cases that test fewer rules come first.
pub(crate) fn spread<'c>(
    causes: &[Cause],
    cases: impl Iterator<Item = &'c CaseResult>,
) -> Vec<&'c CaseResult> {
    let cases: Vec<&CaseResult> = cases.collect();
    let by_id: HashMap<&str, &CaseResult> = cases
        .iter()
        .map(|case| (case.case.as_str(), *case))
        .collect();
    let mut first: Vec<&CaseResult> = Vec::new();
    let mut taken: HashSet<&str> = HashSet::new();
    for cause in causes {
        if let Some(case) = by_id.get(cause.simplest.as_str())
            && taken.insert(&case.case)
        {
            first.push(case);
        }
    }
    let others = cases
        .into_iter()
        .filter(|case| !taken.contains(case.case.as_str()));
    first.extend(by_kind(others));
    first
}

fn by_kind<'c>(cases: impl Iterator<Item = &'c CaseResult>) -> Vec<&'c CaseResult> {
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
    // The failure of a case that tests few rules has few possible reasons, so show such cases
    // first.
    for group in &mut groups {
        group.sort_by_key(|case| case.rules.len());
    }
    // The sort is stable, so groups of the same size stay in the order of the corpus.
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let longest = groups.first().map_or(0, Vec::len);
    (0..longest)
        .flat_map(|turn| groups.iter().filter_map(move |group| group.get(turn)))
        .copied()
        .collect()
}
