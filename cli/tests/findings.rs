//! Tests that the findings in `docs/findings.md` about the bundled readers are reproducible.
//!
//! The bytes exist only on that page. A reader whose programs are not installed is skipped with a
//! message, but the answer of the reference decoder is always checked.

#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use tracegauge_corpus::case::ExpectedVerdict;
use tracegauge_corpus::expected::expected;
use tracegauge_corpus::formats::Formats;
use tracegauge_harness::campaign::Asker;
use tracegauge_harness::containment;
use tracegauge_protocol::reader_file::ReaderFile;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A block of the page: `format=… expect=… shows=… readers=…`, followed by bytes with comments.
#[derive(Debug)]
struct Reproducer {
    format: String,
    expect: String,
    shows: String,
    readers: Vec<String>,
    bytes: Vec<u8>,
}

fn reproducer(head: &str, body: &str) -> Reproducer {
    let value = |key: &str| {
        let mut words = head.split_whitespace().filter_map(|it| it.split_once('='));
        let found = words.find(|(known, _)| *known == key);
        found
            .unwrap_or_else(|| panic!("no {key} in `{head}`"))
            .1
            .to_owned()
    };
    let digits = body.lines().map(|line| line.split('#').next().unwrap());
    let digits: String = digits.flat_map(str::split_whitespace).collect();
    Reproducer {
        format: value("format"),
        expect: value("expect"),
        shows: value("shows"),
        readers: value("readers").split(',').map(str::to_owned).collect(),
        bytes: hex::decode(digits).unwrap(),
    }
}

fn documented() -> Vec<Reproducer> {
    let page = fs::read_to_string(root().join("docs/findings.md")).unwrap();
    let blocks = page.split("```text ").skip(1).map(|block| {
        let (head, rest) = block.split_once('\n').unwrap();
        reproducer(head, rest.split("```").next().unwrap())
    });
    blocks.collect()
}

#[test]
fn every_finding_breaks_what_the_page_says() {
    let all = documented();
    assert!(all.len() >= 3, "{all:?}");
    for found in &all {
        let plans = Formats::bundled(std::slice::from_ref(&found.format)).unwrap();
        let owed = expected(&plans.plans()[0], &found.bytes);
        let rule = owed.violation.iter().flat_map(|it| &it.rules).next();
        let says = match (owed.verdict, rule) {
            (ExpectedVerdict::Accept, None) => "accept".to_owned(),
            (ExpectedVerdict::Reject, Some(rule)) => format!("reject:{rule}"),
            other => format!("{other:?}"),
        };
        assert_eq!(says, found.expect, "{found:?}");
    }
}

#[test]
fn every_finding_can_be_seen_again() {
    let containment = containment::begin().unwrap();
    for found in documented() {
        let plans = Formats::bundled(std::slice::from_ref(&found.format)).unwrap();
        for name in &found.readers {
            let path = root().join("readers").join(name).join("reader.yaml");
            let reader = ReaderFile::load(&path).unwrap();
            if let Err(error) = reader.prepare() {
                eprintln!("{name} is passed over: {error}");
                continue;
            }
            let mut asker = Asker::new(&reader, None, &[], &containment).unwrap();
            let seen = asker.ask(&plans.plans()[0], &found.bytes).unwrap();
            let seen = seen.map(|it| it.signature.outcome.to_string().replace(' ', "-"));
            assert_eq!(seen.as_deref(), Some(found.shows.as_str()), "{name}");
        }
    }
}
