//! Tests the notes of a run about a reader whose failures have something in common, or that loses
//! values without failing a case.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::process::Command;

use crate::common::copy_program;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");
const FAKE: &str = env!("CARGO_BIN_EXE_fake_reader");

/// Runs some cases of a format on a reader that answers as the reference decoder does, except where
/// `mistake` shows (see `fake_reader`). Returns the output of the run and of `explain`.
///
/// The reader uses a copy of the decoder, because the original would refuse to work in a reader
/// under test.
fn told((format, filter): (&str, &str), mistake: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let decoder = folder.path().join("decoder");
    copy_program(PROGRAM, &decoder);
    let decoder = decoder.display();
    let file = format!(
        "name: mine\nmode: serve\ncommand: ['{FAKE}', wrap, {mistake}, '{decoder}']\nreports: records\n"
    );
    fs::write(folder.path().join("mine.yaml"), file).unwrap();
    let output = |words: &[&str]| {
        let mut command = Command::new(PROGRAM);
        let output = command
            .args(words)
            .env("TRACEGAUGE_TEST_WITHOUT", "refusal")
            .current_dir(folder.path())
            .output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let run = [
        "run",
        "--reader",
        "mine.yaml",
        "--format",
        format,
        "--filter",
        filter,
    ];
    let run = output(&[&run[..], &["--json", "result.json"]].concat());
    assert!(run.contains(" cases: "), "{run}");
    let explained = output(&["explain", "--results", "result.json", "--format", format]);
    (run, explained)
}

fn said(mistake: &str) -> String {
    told(("fieldlog-v2", "fieldlog-v2/vector/"), mistake).0
}

fn notes(said: &str) -> Vec<&str> {
    let notes = said.lines().filter_map(|line| line.strip_prefix("note: "));
    notes.collect()
}

#[test]
fn what_traces_have_in_common_that_a_reader_rejects_is_told() {
    let said = said("rejects-exceptions");
    let notes = notes(&said);
    let [told] = notes.as_slice() else {
        panic!("{notes:#?}")
    };
    let all = told.split(' ').next().unwrap();
    let begins = format!(
        "{all} of the {all} valid traces of fieldlog-v2 that the reader rejects, and 0 of the "
    );
    assert!(told.starts_with(&begins), "{told}");
    let shown = " that it reads correctly, exercise EXCEPTION-CODE (";
    assert!(told.contains(shown), "{told}");
    let cause = said.lines().find(|line| line.starts_with("  1  "));
    let rejects = "rejects valid traces that exercise EXCEPTION-CODE";
    assert!(cause.unwrap().contains(rejects), "{said}");
}

/// Checks that the note about the width of the numbers in rejected traces is printed in addition to
/// the causes.
#[test]
fn what_all_rejected_traces_have_is_told_beside_the_causes() {
    // Only three traces contain such a number, two of which are vectors.
    let (said, explained) = told(("dial9-v1", "dial9-v1/v"), "rejects-wide-numbers");
    let [told] = notes(&said)[..] else {
        panic!("{said}")
    };
    let (_, common) = told.split_once(" that it reads correctly, ").unwrap();
    assert!(common.starts_with("are traces in which "), "{told}");
    assert!(explained.contains("rejects valid traces"), "{explained}");
}

#[test]
fn what_traces_have_in_common_on_which_a_reader_dies_is_told() {
    let said = said("crashes-on-data");
    let notes = notes(&said);
    let [told] = notes.as_slice() else {
        panic!("{notes:#?}")
    };
    assert!(
        told.contains(
            " of fieldlog-v2 that the reader crashes, hangs or runs out of memory on, and 0 of the "
        ),
        "{told}"
    );
    assert!(told.contains("data"), "{told}");
}

#[test]
fn nothing_is_told_of_a_reader_that_is_right() {
    let said = said("makes-no-mistake");
    assert_eq!(notes(&said), Vec::<&str>::new());
}
