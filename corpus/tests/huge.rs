//! Tests that huge cases are what they claim to be, at sizes that do not take long.

use tracegauge_corpus::case::{ExpectedVerdict, FaultClass};
use tracegauge_corpus::expected::expected;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::huge::{Limit, huge_cases, is_huge_id};
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite::Suite;
use tracegauge_decoder::judge_stream;

/// Limits that are a few times as large as the largest filler.
const LIMITS: [Limit; 2] = [
    Limit {
        bytes: 3 << 20,
        name: "small",
        in_words: "3 MiB",
    },
    Limit {
        bytes: 6 << 20,
        name: "large",
        in_words: "6 MiB",
    },
];

/// The formats that have huge cases, and those that have none.
const FORMATS: [&str; 5] = [
    "dial9-v1",
    "fieldlog-v2",
    "netperf-v3",
    "nettrace-v4",
    "nettrace-v6",
];
const WITHOUT: [&str; 2] = ["netperf-v1", "wtf-v3"];

fn suite(names: &[&str]) -> Suite {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let formats = Formats::bundled(&names).expect("the formats are bundled");
    Suite::of_files(formats, &Store::Embedded, &()).expect("the vectors are valid")
}

#[test]
fn a_huge_trace_has_the_records_of_a_small_one_and_its_faults_beyond_the_limit() {
    let suite = suite(&FORMATS);
    for plan in suite.formats.plans() {
        let cases = huge_cases(plan, &suite.cases, &LIMITS).expect("the format is read in order");
        let ids: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        let wanted = ["small", "small-truncated", "large", "large-truncated"];
        let wanted: Vec<String> = wanted
            .iter()
            .map(|name| format!("{}/huge/{name}", plan.format))
            .collect();
        assert_eq!(ids, wanted);
        for (case, twin) in cases.iter().zip([1, 0, 3, 2]) {
            let limit = LIMITS[usize::from(case.id.contains("large"))].bytes;
            assert!(is_huge_id(&case.id) && case.is_huge());
            assert!(case.trace().length() > limit, "{}", case.id);
            assert_eq!(case.twin.as_deref(), Some(ids[twin]));
            let lengths = case
                .departures
                .iter()
                .filter(|it| it.starts_with("trace: longer than "));
            assert_eq!(lengths.count(), 1 + usize::from(limit == LIMITS[1].bytes));
            let small = expected(plan, &case.bytes);
            assert_eq!(case.expected.verdict, small.verdict, "{}", case.id);
            let (found, wanted) = (&case.expected.records[0], &small.records[0]);
            assert!(found.len() >= wanted.len(), "{}", case.id);
            assert_eq!(found.last(), wanted.last(), "{}", case.id);
            match &case.expected.violation {
                None => assert_eq!(case.expected.verdict, ExpectedVerdict::Accept),
                Some(violation) => {
                    assert_eq!(violation.class, FaultClass::Incomplete);
                    assert!(violation.start > limit, "{}: {violation}", case.id);
                    let small = small.violation.expect("it is truncated, too");
                    assert_eq!(case.trace().position(violation.start), small.start);
                }
            }
            let (verdict, failure) = judge_stream(plan, &mut case.trace().read());
            assert!(failure.is_none());
            let start = verdict.violation().map(|found| found.span.start);
            assert_eq!(start, case.expected.violation.as_ref().map(|it| it.start));
        }
    }
}

#[test]
fn a_format_without_skipped_bytes_has_no_huge_cases() {
    let suite = suite(&WITHOUT);
    for plan in suite.formats.plans() {
        let cases = huge_cases(plan, &suite.cases, &LIMITS).expect("the format is read in order");
        assert!(cases.is_empty(), "{}", cases[0].id);
    }
}
