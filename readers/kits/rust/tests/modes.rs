//! Tests both modes of the protocol by running the example adapter as a process.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Returns a command that runs the example adapter. Cargo builds examples along with tests, in the
/// folder `examples` next to the folder of the test executable.
fn adapter() -> Command {
    let test = std::env::current_exe().unwrap();
    Command::new(test.ancestors().nth(2).unwrap().join("examples/lines"))
}

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn serve(requests: &str) -> Output {
    let mut child = adapter()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(requests.as_bytes()).unwrap();
    drop(input);
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn once_prints_records_and_the_closing_line() {
    let path = file("two", b"a\nb");
    let out = adapter()
        .arg("--any-option")
        .arg(path)
        .env("TRACEGAUGE_FORMAT", "lines-v1")
        .output()
        .unwrap();
    assert_eq!(
        text(&out.stdout),
        "{\"bytes\":{\"hex\":\"610a\"},\"format\":\"lines-v1\",\"record\":\"line\",\"text\":\"a\"}\n\
         {\"bytes\":{\"hex\":\"62\"},\"format\":\"lines-v1\",\"record\":\"line\",\"text\":\"b\"}\n\
         {\"end\":\"accept\"}\n"
    );
    assert_eq!(out.status.code(), Some(0));
}

#[test]
fn once_tells_each_verdict_by_its_exit_status_too() {
    let rejected = adapter().arg(file("bad", b"a\n\xff")).output().unwrap();
    assert_eq!(rejected.status.code(), Some(65));
    assert!(text(&rejected.stdout).contains("\"text\":\"a\""));
    assert!(text(&rejected.stdout).contains("{\"end\":\"reject\",\"why\":\"invalid utf-8"));
    let gap = adapter().arg(file("gap", b"unsupported")).output().unwrap();
    assert_eq!(gap.status.code(), Some(69));
    let missing = adapter().arg("/nonexistent/case").output().unwrap();
    assert_eq!(missing.status.code(), Some(66));
    assert!(missing.stdout.is_empty());
}

#[test]
fn serve_answers_every_request_in_order() {
    let (good, bad) = (file("good", b"x"), file("ill", b"\xff"));
    let out = serve(&format!(
        "{{\"tracegauge\":1,\"hello\":true}}\n\
         {{\"case\":\"c-1\",\"format\":\"f\",\"file\":{:?}}}\n\
         {{\"case\":\"c-2\",\"format\":\"f\",\"file\":{:?}}}\n\
         {{\"case\":\"c-3\",\"format\":\"g\",\"file\":{:?}}}\n",
        good, bad, good
    ));
    let lines: Vec<&str> = text(&out.stdout).lines().collect();
    assert_eq!(
        lines[0],
        r#"{"name":"lines","reports":"records","tracegauge":1,"version":"1.0.0"}"#
    );
    assert!(lines[1].contains(r#""format":"f""#));
    assert_eq!(lines[2], r#"{"end":"accept"}"#);
    assert!(lines[3].starts_with(r#"{"end":"reject""#));
    assert!(lines[4].contains(r#""format":"g""#));
    assert_eq!(lines[5], r#"{"end":"accept"}"#);
    assert_eq!((lines.len(), out.status.code()), (6, Some(0)));
}

#[test]
fn serve_flushes_each_case_before_it_reads_the_next_request() {
    use std::io::{BufRead, BufReader};
    let path = file("flush", b"x");
    let mut child = adapter()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(input, "{{\"case\":\"c\",\"file\":{path:?}}}").unwrap();
        let (mut record, mut closing) = (String::new(), String::new());
        output.read_line(&mut record).unwrap();
        output.read_line(&mut closing).unwrap();
        assert_eq!(closing, "{\"end\":\"accept\"}\n");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_panic_kills_the_process_without_a_closing_line() {
    let path = file("panic", b"a\npanic\n");
    let request = format!("{{\"case\":\"c\",\"file\":{path:?}}}\n");
    for out in [adapter().arg(&path).output().unwrap(), serve(&request)] {
        assert_eq!(out.status.code(), Some(101));
        assert!(!text(&out.stdout).contains("\"end\""));
        assert!(text(&out.stderr).contains("asked to"));
    }
}

#[test]
fn what_is_no_request_of_this_protocol_is_refused() {
    for line in [
        "{\"tracegauge\":2,\"hello\":true}\n",
        "hello\n",
        "{\"case\":\"c\"}\n",
    ] {
        let out = serve(line);
        assert_eq!(out.status.code(), Some(76), "{line}");
        assert!(out.stdout.is_empty());
    }
}
