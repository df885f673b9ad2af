use std::path::Path;
use std::time::Duration;

use super::*;

fn parse(text: &str) -> Result<ReaderFile, ReaderFileError> {
    ReaderFile::parse(text, Path::new("my-reader.yaml"), Path::new("/readers"))
}

const WHOLE: &str = "
name: my-reader
version: 1.4.0
build: cargo build --release
requires: [node]
command: [./my-reader, --json]
mode: serve
formats: [boxes-v6, boxes-v4]
reports: records
order: time
omits: [event.sequence_number]
unsupported: [label_list_block]
statuses: {1: reject}
stdin: false
timeout: 5s
memory: 1GiB
baseline: known-failures.yaml
";

#[test]
fn every_key_is_understood() {
    let reader = parse(WHOLE).unwrap();
    assert_eq!(reader.version.as_deref(), Some("1.4.0"));
    assert_eq!(
        (reader.mode, reader.reports),
        (Mode::Serve, Reports::Records)
    );
    assert_eq!(reader.order, Order::Time);
    assert_eq!(reader.statuses[&1], StatusMeaning::Reject);
    assert_eq!(
        (reader.timeout, reader.memory),
        (Duration::from_secs(5), 1 << 30)
    );
    assert_eq!(
        reader.baseline.as_deref(),
        Some(Path::new("/readers/known-failures.yaml"))
    );
}

#[test]
fn an_unknown_key_is_named_with_its_line() {
    let message = parse(&WHOLE.replace("order:", "ordre:"))
        .unwrap_err()
        .to_string();
    assert!(message.starts_with("my-reader.yaml:10:1: "), "{message}");
    assert!(message.contains("unknown field `ordre`"), "{message}");
}

#[test]
fn a_wrong_unit_is_named_with_its_line() {
    let message = parse(&WHOLE.replace("5s", "5")).unwrap_err().to_string();
    assert!(message.starts_with("my-reader.yaml:15:"), "{message}");
    let message = parse(&WHOLE.replace("1GiB", "1 gig"))
        .unwrap_err()
        .to_string();
    assert!(message.contains("needs one of the units"), "{message}");
}

#[test]
fn an_empty_command_is_refused() {
    let error = parse("{name: a, command: []}").unwrap_err();
    assert!(matches!(error, ReaderFileError::NoCommand(_)));
}

#[test]
fn versions_are_read_by_family_and_dialects_by_name() {
    let reader = parse("{name: a, command: [a], formats: [boxes, bags-v1]}").unwrap();
    assert!(reader.reads("boxes-v1") && reader.reads("boxes-v12") && reader.reads("bags-v1"));
    assert!(!reader.reads("bags-v2") && !reader.reads("bags-v1@odd") && !reader.reads("box-v1"));
}

#[test]
fn a_missing_requirement_is_told_from_a_failed_build() {
    let text = "{name: a, command: [sh], requires: [no-such-program-here]}";
    assert!(matches!(
        parse(text).unwrap().prepare(),
        Err(LaunchError::Requires(_))
    ));
    let folder = tempfile::tempdir().unwrap();
    let text = "{name: a, command: [sh], build: 'echo what went wrong >&2; exit 3'}";
    let reader = ReaderFile::parse(text, Path::new("a.yaml"), folder.path()).unwrap();
    let message = reader.prepare().unwrap_err().to_string();
    assert!(message.contains("what went wrong"), "{message}");
}

#[test]
fn paths_start_from_the_folder_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("adapter.py"), "").unwrap();
    let text = "{name: a, command: [sh, adapter.py, '--x={dir}/y', '{file}', other]}";
    let reader = ReaderFile::parse(text, Path::new("a.yaml"), folder.path()).unwrap();
    let launch = reader.prepare().unwrap();
    let at = folder.path().display();
    let expected = [
        format!("{at}/adapter.py"),
        format!("--x={at}/y"),
        "{file}".into(),
        "other".into(),
    ];
    assert_eq!(launch.arguments, expected);
    assert!(launch.program.is_absolute());
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let text = "{name: a, command: [./not-built]}";
    let message = parse(text).unwrap().prepare().unwrap_err().to_string();
    assert_eq!(message, "its program `./not-built` is not here");
}
