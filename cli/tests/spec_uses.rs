//! Tests that `spec check` correctly reports what a description can be used for.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

const SOUND: &str = r#"
meta: { id: sound, endian: be }
faults: { eof: WHOLE, trailing: WHOLE }
seq: [ { id: size, type: u1, value: body._sizeof }, { id: body, size: size } ]
rules: { WHOLE: { level: must, section: A, says: Everything is there., reader: reject } }
"#;

const LATER: &str = r#"
meta: { id: later }
seq:
  - { id: sizes, type: u1, repeat: expr, repeat-expr: 3 }
  - { id: k, type: u1 }
  - { id: body, size: "sizes[k]" }
"#;

const VAST: &str = r#"
meta: { id: vast }
seq: [ { id: body, size: 800000000 } ]
"#;

/// Runs the program in `folder`.
fn tracegauge(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracegauge"));
    command.current_dir(folder).args(arguments);
    command.output().expect("it can be started")
}

/// Returns the exit status and output of `spec check` for a description.
fn checked(description: &str, more: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("x.yaml"), description).expect("it can be written");
    let found = tracegauge(
        folder.path(),
        &[&["spec", "check", "x.yaml"], more].concat(),
    );
    let said = String::from_utf8_lossy(&found.stdout).into_owned();
    (found.status.code(), said)
}

#[test]
fn a_sound_description_can_be_used_for_everything() {
    let (status, said) = checked(
        SOUND,
        &["--for", "decode", "--for", "generate", "--for", "run"],
    );
    assert_eq!(status, Some(0), "{said}");
    for line in [
        "x.yaml: decode: yes",
        "x.yaml: generate: yes: 4 valid",
        "x.yaml: run: yes: ",
    ] {
        assert!(said.contains(line), "{said}");
    }
}

#[test]
fn where_a_run_is_possible_it_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("x.yaml"), SOUND).expect("it can be written");
    let run = ["run", "--spec", "x.yaml", "--", "true", "{file}"];
    let found = tracegauge(folder.path(), &run);
    // A reader that accepts everything fails the malformed cases, which shows that they were run.
    assert_eq!(found.status.code(), Some(1), "{found:?}");
}

/// Checks that the traces that one run finds are used in the next run until the description
/// changes.
#[test]
fn what_a_run_found_is_kept_for_the_next_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let description = folder.path().join("x.yaml");
    std::fs::write(&description, SOUND).expect("it can be written");
    let ran = || {
        let run = ["run", "--spec", "x.yaml", "--json", "result.json"];
        let reader = ["--quiet", "--", "true", "{file}"];
        let found = tracegauge(folder.path(), &[&run[..], &reader].concat());
        assert_eq!(found.status.code(), Some(1), "{found:?}");
        let result = std::fs::read(folder.path().join("result.json")).expect("a result");
        let result: serde_json::Value = serde_json::from_slice(&result).expect("JSON");
        let cases = result["readers"][0]["cases"].as_array().expect("cases");
        let ids = cases
            .iter()
            .map(|case| case["case"].as_str().map(str::to_owned));
        ids.collect::<Vec<_>>()
    };
    let first = ran();
    assert!(!first.is_empty());
    let kept: Vec<_> = std::fs::read_dir(folder.path().join(".tracegauge/recipes"))
        .expect("the traces are kept")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    let cached = std::fs::read(&kept[0]).expect("a file");
    assert_eq!(ran(), first);
    assert_eq!(std::fs::read(&kept[0]).expect("a file"), cached);

    // A cache that cannot be read is ignored and replaced.
    std::fs::write(&kept[0], "no gzip").expect("it can be written");
    assert_eq!(ran(), first);
    assert_eq!(std::fs::read(&kept[0]).expect("a file"), cached);

    // The traces of another description are not used.
    std::fs::write(&description, SOUND.replace("u1", "u2")).expect("it can be written");
    ran();
    assert_ne!(std::fs::read(&kept[0]).expect("a file"), cached);
}

/// Checks that the traces found for a description are kept even if some seeds yield no trace, and
/// that each run reports these seeds.
#[test]
fn what_a_run_found_is_kept_although_some_seeds_failed() {
    let folder = tempfile::tempdir().expect("a folder");
    let unsolved = SOUND.replace("type: u1", "type: u1, valid: { expr: _ * _ % 251 == 4 }");
    assert_ne!(unsolved, SOUND);
    std::fs::write(folder.path().join("x.yaml"), unsolved).expect("it can be written");
    let said = || {
        let run = [
            "run",
            "--spec",
            "x.yaml",
            "--no-progress",
            "--",
            "true",
            "{file}",
        ];
        let found = tracegauge(folder.path(), &run);
        let said = String::from_utf8_lossy(&found.stderr).into_owned();
        let seeds = said
            .lines()
            .filter(|line| line.contains("generated from seed"));
        seeds.map(str::to_owned).collect::<Vec<_>>()
    };
    let first = said();
    assert!(!first.is_empty());
    // The next run reads the stored file instead of searching again.
    let kept = folder.path().join(".tracegauge/recipes/sound.yaml.gz");
    let mut text = String::new();
    let file = std::fs::File::open(&kept).expect("the traces are kept");
    GzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("text");
    let edited = text.replace("generated from seed", "generated from seed number");
    let file = std::fs::File::create(&kept).expect("a file");
    let mut encoder = GzEncoder::new(file, Compression::fast());
    encoder.write_all(edited.as_bytes()).expect("written");
    encoder.finish().expect("written");
    let expected = first.iter();
    let expected = expected.map(|line| line.replace("from seed", "from seed number"));
    assert_eq!(said(), expected.collect::<Vec<_>>());
}

#[test]
fn a_description_that_cannot_be_read_is_reported_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = |words: &[&str]| {
        let found = tracegauge(folder.path(), words);
        assert_eq!(found.status.code(), Some(2), "{found:?}");
        String::from_utf8_lossy(&found.stderr).into_owned()
    };
    let missing = said(&["run", "--spec", "nope", "--", "true"]);
    assert_eq!(
        missing,
        "error: cannot read the description `nope`: no such file\n"
    );
    let bundled = said(&["run", "--spec", "dial9-v1", "--", "true"]);
    assert!(
        bundled.contains("the name of a bundled format"),
        "{bundled}"
    );
    let checked = said(&["spec", "check", "dial9-v1"]);
    assert!(
        checked.contains("without files checks the bundled"),
        "{checked}"
    );
}

#[test]
fn what_cannot_be_lowered_is_told_with_its_line_and_is_wrong_only_where_it_is_wanted() {
    let (status, said) = checked(LATER, &[]);
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.contains("decode: no: x.yaml:6: `sizes[k]` is not supported"),
        "{said}"
    );
    assert!(said.contains("run: no: "), "{said}");
    let (status, said) = checked(LATER, &["--quiet", "--for", "decode"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("decode: no: ") && !said.contains("generate"),
        "{said}"
    );
}

#[test]
fn a_trial_ends_within_its_limits() {
    let begun = Instant::now();
    let (status, said) = checked(VAST, &["--for", "generate"]);
    assert!(
        begun.elapsed() < Duration::from_secs(30),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("generate: no: "), "{said}");
    assert!(said.contains("the trace is too long"), "{said}");
}
