//! Tests that commands try the other interpretations that a description allows before they reject a
//! trace.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::process::Command;

use tracegauge_corpus::case::ExpectedVerdict;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite::Suite;
use tracegauge_decoder::judge;

const RULE: &str = "UNCOMPRESSED-PADDING";

/// The number of traces after which only one that another interpretation accepts is still tried.
const MOST: usize = 4;

#[test]
fn a_trace_that_one_reading_accepts_is_not_rejected() {
    let formats = Formats::bundled(&["nettrace-v4".to_owned()]).unwrap();
    let suite = Suite::of_files(formats, &Store::nearest(), &()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.nettrace");
    let plan = &suite.formats.plans()[0];
    let (mut tried, mut by_other) = (0, 0);
    for case in &suite.cases {
        let is_accepted = case.expected.verdict != ExpectedVerdict::Reject;
        if !is_accepted || !case.provenance.rules.iter().any(|rule| rule == RULE) {
            continue;
        }
        let is_by_other = judge(plan, &case.bytes).violation().is_some();
        // Starting the commands takes most of the time of this test.
        if tried >= MOST && (!is_by_other || by_other > 0) {
            continue;
        }
        tried += 1;
        by_other += usize::from(is_by_other);
        fs::write(&path, &case.bytes).unwrap();
        let run = |command: &str| {
            let mut run = Command::new(env!("CARGO_BIN_EXE_tracegauge"));
            let output = run.arg(command).arg(&path).output().unwrap();
            let text = |bytes| String::from_utf8(bytes).unwrap();
            (
                output.status.code(),
                text(output.stdout),
                text(output.stderr),
            )
        };
        let (status, records, said) = run("decode");
        assert_eq!(status, Some(0), "{}: {said}", case.id);
        assert!(said.contains("readers may differ"), "{}: {said}", case.id);
        let mut readings = case.expected.records.iter();
        let found = records.lines().count();
        assert!(
            readings.any(|records| records.len() == found),
            "{}: {found} records",
            case.id
        );
        let (status, _, said) = run("inspect");
        assert_eq!(status, Some(0), "{}: {said}", case.id);
        let (_, departures, _) = run("check");
        assert!(!departures.contains("REF-METADATA"), "{departures}");
        assert!(departures.contains(RULE), "{departures}");
    }
    assert!(tried >= MOST && by_other >= 1, "{tried}, {by_other}");
}
