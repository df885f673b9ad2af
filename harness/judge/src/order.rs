//! Recognizes a reader that reports the right records in an order that it has not declared.

use std::cmp::Ordering;

use tracegauge_corpus::case::Case;
use tracegauge_decoder::record::{Record, Value};
use tracegauge_results::{Differences, RecordFault};

use crate::compare::Seen;

/// The maximum number of listed differences in order. If there are as many, some of the differences
/// that are not listed may be of another kind.
const LISTED: usize = 64;

/// Returns advice if the only differences in the records of an answer are in their order, and if the
/// description also allows the reader to sort the records. `also_by` returns the members by which
/// the records of a kind may be sorted.
pub(super) fn hint<'a>(
    case: &Case,
    seen: &Seen,
    also_by: impl Fn(&str) -> &'a [String],
) -> Option<String> {
    let all = seen.differences.as_ref()?;
    let is_order = all.list.iter().all(|it| it.fault == RecordFault::Order);
    if !is_order || !all.is_complete || !(1..LISTED).contains(&all.list.len()) {
        return None;
    }
    let members = also_by(&all.list.first()?.kind);
    if members.is_empty() || all.list.iter().any(|it| also_by(&it.kind) != members) {
        return None;
    }
    let sets = case.expected.records.iter();
    let are_sorted: Vec<Option<bool>> = sets
        .map(|records| Some(is_sorted(&reported(records, seen.reported, all)?, members)))
        .collect();
    let members = members.join("`, `");
    if are_sorted.contains(&Some(true)) {
        return Some(format!(
            "the reader reports the records sorted by `{members}`, which the format allows; declare \
             this order in the reader file: `order: time`"
        ));
    }
    are_sorted.contains(&None).then(|| {
        format!(
            "if the reader sorts its records by `{members}`, which the format allows, declare this \
             order in the reader file: `order: time`"
        )
    })
}

/// Returns the expected records in the order in which the reader reported them, or `None` if some
/// of the differences are not listed.
fn reported<'r>(
    records: &'r [Record],
    count: usize,
    differences: &Differences,
) -> Option<Vec<&'r Record>> {
    if differences.list.len() != differences.count || records.len() != count {
        return None;
    }
    let mut places = vec![None; count];
    let mut is_displaced = vec![false; count];
    for difference in differences.list.iter().map(|it| &it.difference) {
        let owed = difference.owed?;
        *places.get_mut(difference.record)? = Some(owed);
        *is_displaced.get_mut(owed)? = true;
    }
    let mut others = (0..count).filter(|at| !is_displaced[*at]);
    let places = places
        .into_iter()
        .map(|place| place.or_else(|| others.next()));
    places.map(|place| records.get(place?)).collect()
}

/// Returns true if the values of `members` never decrease.
fn is_sorted(records: &[&Record], members: &[String]) -> bool {
    records.windows(2).all(|pair| {
        let [one, next] = pair else { return true };
        let orders = members
            .iter()
            .map(|name| compare(one.member(name), next.member(name)));
        let mut differing = orders.filter(|order| *order != Some(Ordering::Equal));
        matches!(differing.next(), None | Some(Some(Ordering::Less)))
    })
}

fn compare(one: Option<&Value>, other: Option<&Value>) -> Option<Ordering> {
    match (one?, other?) {
        (Value::Int(one), Value::Int(other)) => Some(one.cmp(other)),
        (Value::F32(one), Value::F32(other)) => {
            f32::from_bits(*one).partial_cmp(&f32::from_bits(*other))
        }
        (Value::F64(one), Value::F64(other)) => {
            f64::from_bits(*one).partial_cmp(&f64::from_bits(*other))
        }
        (Value::Text(one), Value::Text(other)) | (Value::DateTime(one), Value::DateTime(other)) => {
            Some(one.cmp(other))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use tracegauge_corpus::case::{Expected, ExpectedVerdict, Provenance, Source, State};

    use super::*;
    use crate::compare::{Matcher, Reporting};

    /// A case whose records have these times.
    fn case(times: &[i128]) -> Case {
        let records = times.iter().zip(1..).map(|(time, number)| Record {
            kind: "event".to_owned(),
            members: vec![
                ("time".to_owned(), Value::Int(*time)),
                ("number".to_owned(), Value::Int(number)),
            ],
        });
        Case {
            id: "boxes-v1/vector/a".to_owned(),
            version: 1,
            format: "boxes-v1".to_owned(),
            bytes: Arc::from(&b""[..]),
            repeated: None,
            expected: Expected {
                verdict: ExpectedVerdict::Accept,
                records: vec![records.collect()],
                due: None,
                open: false,
                violation: None,
            },
            twin: None,
            provenance: Provenance {
                source: Source::Vector,
                rules: Vec::new(),
                operator: None,
                why: String::new(),
            },
            departures: Vec::new(),
            state: State::Active,
        }
    }

    /// Returns the advice to a reader that reports the records with these indexes.
    fn advice(times: &[i128], order: &[usize], also_by: &[String]) -> Option<String> {
        let case = case(times);
        let reporting = Reporting::default();
        let mut matcher = Matcher::new(&case.expected, &case.format, &reporting).whole();
        for index in order {
            let record = json!({"record": "event", "time": times[*index], "number": index + 1});
            matcher.record(record.as_object().expect("a record"));
        }
        hint(&case, &matcher.finish(), |_| also_by)
    }

    #[test]
    fn a_reader_that_sorts_is_told_to_declare_it() {
        let time = ["time".to_owned()];
        let told = advice(&[3, 1, 2], &[1, 2, 0], &time).expect("advice");
        assert!(
            told.starts_with("the reader reports the records sorted by `time`"),
            "{told}"
        );
        assert!(told.ends_with("`order: time`"), "{told}");
        // The format does not allow another order.
        assert_eq!(advice(&[3, 1, 2], &[1, 2, 0], &[]), None);
        // The records are in neither order.
        assert_eq!(advice(&[3, 1, 2], &[1, 0, 2], &time), None);
        // There are other differences, or none.
        assert_eq!(advice(&[3, 1, 2], &[1, 2], &time), None);
        assert_eq!(advice(&[3, 1, 2], &[0, 1, 2], &time), None);
    }

    #[test]
    fn where_not_all_differences_are_listed_the_advice_has_a_condition() {
        let times: Vec<i128> = (0..20).rev().collect();
        let order: Vec<usize> = (0..20).rev().collect();
        let told = advice(&times, &order, &["time".to_owned()]).expect("advice");
        assert!(
            told.starts_with("if the reader sorts its records by `time`"),
            "{told}"
        );
    }
}
