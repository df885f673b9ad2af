//! Tests for truncated traces: which formats require the records before the truncation, and how a
//! reader that holds them back is judged.

use tracegauge_corpus::case::{FaultClass, Source};
use tracegauge_corpus::expected;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::vector;

use super::*;

/// Returns the expected result for the longest vector of the format that still has two or more
/// records after its last byte is removed.
fn without_the_last_byte(format: &str) -> Expected {
    let formats = Formats::bundled(&[format.to_owned()]).expect("a bundled format");
    let plan = formats.plan(format).expect("its plan");
    let vectors = vector::load(&Store::Embedded, Source::Vector, format).expect("vectors");
    let accepted = vectors
        .iter()
        .filter(|vector| vector.expect == ExpectedVerdict::Accept && vector.bytes.len() < 2000);
    let cuts = accepted.filter_map(|vector| {
        let (_, cut) = vector.bytes.split_last()?;
        let expected = expected::expected(plan, cut);
        let fault = expected.violation.as_ref()?;
        let is_cut = fault.class == FaultClass::Incomplete && !expected.open;
        (is_cut && expected.records[0].len() >= 2).then_some(expected)
    });
    let longest = cuts.max_by_key(|expected| expected.records[0].len());
    longest.expect("a vector with two records before its end")
}

/// Returns the first difference of a reader that reports all expected records except the last.
fn held_back(expected: &Expected) -> Option<Difference> {
    let records = &expected.records[0];
    let reported = &records[..records.len() - 1];
    let lines: Vec<Json> = reported
        .iter()
        .map(|record| serde_json::from_str(&record.to_string()).expect("records are JSON"))
        .collect();
    seen(expected, &Reporting::default(), &lines).before_fault
}

#[test]
fn a_fieldlog_reader_owes_every_complete_record_before_a_cut() {
    for format in ["fieldlog-v1", "fieldlog-v2"] {
        let expected = without_the_last_byte(format);
        let whole = expected.records[0].len();
        assert_eq!(expected.due, Some(whole), "{format}");
        let missed = held_back(&expected).expect("one record is missing");
        assert_eq!(
            (missed.record, missed.actual.as_str()),
            (whole - 1, "no further record"),
            "{format}"
        );
    }
}

#[test]
fn a_reader_may_hold_back_records_where_the_document_is_silent() {
    for format in ["dial9-v1", "wtf-v3"] {
        let expected = without_the_last_byte(format);
        assert_eq!(expected.due, None, "{format}");
        assert_eq!(held_back(&expected), None, "{format}");
    }
}
