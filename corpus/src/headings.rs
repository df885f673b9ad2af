//! Decides the order of the rules listed for a generated valid trace. A trace may trigger a dozen
//! rules, although it was generated to test at most one of them.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::case::{Case, CaseId};

/// Sorts the rules of those `cases` that have an entry in `about`. The rules in the entry come
/// first, in the order of the entry. The other rules follow, starting with the rules that the
/// fewest cases trigger.
pub(crate) fn order(cases: &mut [Case], about: &HashMap<CaseId, Vec<String>>) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let told = |case: &Case| about.contains_key(&case.id);
    let shown = cases.iter().filter(|case| told(case));
    for rule in shown.flat_map(|case| &case.provenance.rules) {
        *counts.entry(rule.clone()).or_default() += 1;
    }
    for case in cases {
        let Some(about) = about.get(&case.id) else {
            continue;
        };
        let place = |rule: &String| about.iter().rev().position(|about| about == rule);
        let key = |rule: &String| (Reverse(place(rule)), counts.get(rule).copied());
        case.provenance.rules.sort_by_cached_key(key);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::case::{Expected, ExpectedVerdict, Provenance, Source, State};

    fn case(id: &str, rules: &[&str]) -> Case {
        Case {
            id: id.to_owned(),
            format: "f-v1".to_owned(),
            bytes: Arc::from(Vec::new()),
            repeated: None,
            expected: Expected {
                verdict: ExpectedVerdict::Accept,
                records: vec![Vec::new()],
                open: false,
                due: None,
                violation: None,
            },
            twin: None,
            provenance: Provenance {
                source: Source::Valid,
                rules: rules.iter().map(|rule| (*rule).to_owned()).collect(),
                operator: None,
                why: String::new(),
            },
            departures: Vec::new(),
            state: State::Active,
            version: 1,
        }
    }

    #[test]
    fn what_a_case_is_about_comes_first_and_then_what_is_rare() {
        let mut cases = [
            case("a", &["ALL", "SOME", "ONE"]),
            case("b", &["ALL", "SOME"]),
            case("c", &["ALL"]),
            case("broken", &["ALL", "ONE"]),
        ];
        let about = |id: &str, rules: &[&str]| {
            let rules = rules.iter().map(|rule| (*rule).to_owned());
            (id.to_owned(), rules.collect())
        };
        let about = HashMap::from([
            about("a", &[]),
            about("b", &["OTHER", "ALL"]),
            about("c", &[]),
        ]);
        order(&mut cases, &about);
        let rules = cases.map(|case| case.provenance.rules.join(" "));
        assert_eq!(rules, ["ONE SOME ALL", "ALL SOME", "ALL", "ALL ONE"]);
    }
}
