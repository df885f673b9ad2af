//! Tests that answers that depend on the circumstances are reported as not repeatable.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::process::Command;

use serde_json::Value as Json;
use tracegauge_harness::runner::Participant;
use tracegauge_harness::schedule::{Criteria, Seed};
use tracegauge_protocol::reader_file::Reports;
use tracegauge_results::{NotRepeatable, Repeated};

use crate::common::{FAKE, corpus, marked, reader, run_repeated};

const MODES: [&str; 2] = ["serve", "once"];

fn repeated(mode: &str, behaviour: &str, repeat: usize) -> Option<Repeated> {
    let mut file = reader(mode, behaviour, "");
    file.reports = Reports::Verdict;
    let participant = Participant {
        reader: file,
        baseline: None,
    };
    let repeat = (Seed::default(), repeat);
    let result = run_repeated(&[participant], &corpus(20), 2, Criteria::default(), repeat);
    result.readers[0].tail.repeated.clone()
}

#[test]
fn answers_that_depend_on_the_circumstances_are_not_repeatable() {
    for mode in MODES {
        for behaviour in ["by-zone", "by-locale", "by-folder"] {
            let repeated = repeated(mode, behaviour, 12).unwrap();
            assert_eq!(repeated.cases, 12, "{mode} {behaviour}");
            let differ = repeated.differ;
            assert!(!differ.is_empty(), "{mode} {behaviour}");
            let NotRepeatable { first, again, .. } = &differ[0];
            assert!(first != again, "{first}");
        }
    }
    let by_order = repeated("serve", "by-order", 12).unwrap();
    assert!(!by_order.differ.is_empty());
}

#[test]
fn answers_of_a_reader_that_reads_are_repeatable() {
    for mode in MODES {
        let repeated = repeated(mode, "perfect", 12).unwrap();
        assert_eq!((repeated.cases, repeated.differ), (12, Vec::new()));
    }
    assert_eq!(repeated("serve", "perfect", 1000).unwrap().cases, 40);
    assert_eq!(repeated("serve", "by-zone", 0), None);
}

#[test]
fn what_depends_on_how_busy_the_machine_is_is_not_repeated() {
    let participant = Participant {
        reader: marked("serve", "hangs"),
        baseline: None,
    };
    let repeat = (Seed::default(), 1000);
    let result = run_repeated(&[participant], &corpus(4), 2, Criteria::default(), repeat);
    let repeated = result.readers[0].tail.repeated.clone().unwrap();
    assert_eq!((repeated.cases, repeated.differ.len()), (6, 0));
}

#[test]
fn reports_name_what_is_not_repeatable() {
    let folder = tempfile::tempdir().unwrap();
    let file = format!(
        "name: fake\nmode: serve\ncommand: ['{FAKE}', serve, by-zone]\nreports: verdict\n\
         formats: [netperf-v1]\n"
    );
    fs::write(folder.path().join("reader.yaml"), file).unwrap();
    let run = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tracegauge"))
            .args(["run", "--reader", "reader.yaml", "--no-progress"])
            .args(["--filter", "vector", "--json", "x.json"])
            .args(["--html", "x.html", "--markdown", "x.md"])
            .args(more)
            .current_dir(folder.path())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let text = run(&[]);
    let wanted = "not repeatable: 16 of 16 answers changed in another order, time zone";
    assert!(text.contains(wanted), "{text}");
    assert!(text.contains(": accept; again: reject"), "{text}");
    let json: Json = serde_json::from_str(&read("x.json")).unwrap();
    let repeated = &json["readers"][0]["tail"]["repeated"];
    assert_eq!(repeated["cases"], 16);
    assert_eq!(repeated["differ"][0]["first"], "accept");
    let differ = repeated["differ"].as_array().unwrap();
    assert!(differ.iter().any(|it| it["fails"] == true), "{differ:?}");
    assert!(read("x.md").contains("not repeatable: netperf-v1/"));
    assert!(read("x.html").contains("not repeatable: netperf-v1/"));
    let text = run(&["--repeat", "2"]);
    assert!(text.contains("not repeatable: 2 of 2 answers"), "{text}");
    assert!(!run(&["--repeat", "0"]).contains("not repeatable"));
}
