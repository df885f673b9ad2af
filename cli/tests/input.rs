//! Tests that a trace is read in the same way from a file, standard input, or a FIFO.
#![allow(clippy::unwrap_used)]

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

const TRACEGAUGE: &str = env!("CARGO_BIN_EXE_tracegauge");

/// Commands that read a trace, each with the arguments that follow the trace.
const COMMANDS: [(&str, &[&str]); 4] = [
    ("decode", &[]),
    ("check", &[]),
    ("inspect", &[]),
    ("query", &["frames.size"]),
];

fn trace() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    root.join("corpus/real/dial9-v1/codec_every_field_type.trc")
}

fn run(command: &str, rest: &[&str], path: &Path, stdin: Stdio) -> Output {
    let mut tracegauge = Command::new(TRACEGAUGE);
    let tracegauge = tracegauge.arg(command).arg(path).args(rest);
    tracegauge.stdin(stdin).output().unwrap()
}

/// Runs a command with the trace in a pipe, which cannot be read twice.
fn piped(command: &str, rest: &[&str], path: &Path) -> Output {
    let mut tracegauge = Command::new(TRACEGAUGE);
    tracegauge.arg(command).arg(path).args(rest);
    tracegauge.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = tracegauge.stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeding = thread::spawn(move || stdin.write_all(&fs::read(trace()).unwrap()));
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap().unwrap();
    output
}

/// Returns the exit status and output of a command, with the name of the trace replaced.
fn said(output: &Output, path: &Path) -> (Option<i32>, String) {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let name = path.to_string_lossy();
    let text = match text.strip_prefix(&*name) {
        Some(rest) => format!("TRACE{rest}"),
        None => text,
    };
    (output.status.code(), text)
}

#[test]
fn every_command_says_the_same_of_a_file_and_of_standard_input() {
    let file = trace();
    for (command, rest) in COMMANDS {
        let wanted = said(&run(command, rest, &file, Stdio::null()), &file);
        assert_eq!(wanted.0, Some(0), "{command}");
        let names: &[&str] = match cfg!(unix) {
            true => &["-", "/dev/stdin"],
            false => &["-"],
        };
        for name in names {
            let path = Path::new(name);
            let output = piped(command, rest, path);
            let found = said(&output, path);
            assert_eq!(found, wanted, "{command} {name}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_fifo_is_opened_once() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("trace.trc");
    let made = Command::new("mkfifo").arg(&fifo).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no mkfifo here");
        return;
    }
    for (command, rest) in COMMANDS {
        let file = trace();
        let wanted = said(&run(command, rest, &file, Stdio::null()), &file);
        let to = fifo.clone();
        let feeding = thread::spawn(move || {
            let mut fifo = OpenOptions::new().write(true).open(to).unwrap();
            std::io::copy(&mut File::open(trace()).unwrap(), &mut fifo).unwrap();
        });
        let found = said(&run(command, rest, &fifo, Stdio::null()), &fifo);
        feeding.join().unwrap();
        assert_eq!(found, wanted, "{command}");
    }
}

/// Checks that a truncated trace from a pipe is rejected without waiting for another writer.
#[test]
fn a_faulty_trace_on_standard_input_is_rejected() {
    let bytes = fs::read(trace()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.trc");
    fs::write(&cut, &bytes[..bytes.len() - 1]).unwrap();
    for command in ["decode", "check"] {
        let found = run(
            command,
            &[],
            Path::new("-"),
            File::open(&cut).unwrap().into(),
        );
        assert_eq!(found.status.code(), Some(1), "{command}");
    }
}

/// Checks that the hint for a file of another version is also given for a pipe, which cannot be
/// read again.
#[test]
fn a_trace_in_a_pipe_gets_the_same_hint() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let later = root.join("corpus/real/fieldlog-v2/v2_prio0.fl");
    for command in ["decode", "check", "inspect"] {
        let mut tracegauge = Command::new(TRACEGAUGE);
        tracegauge.args([command, "-", "--format", "fieldlog-v1"]);
        let output = tracegauge.stdin(File::open(&later).unwrap()).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let hint = format!("tracegauge {command} --format fieldlog-v2 -");
        assert!(said.contains(&hint), "{said}");
    }
}

/// Checks that a command stops when nobody reads its output anymore, because a trace can be
/// endless.
#[test]
fn an_endless_trace_ends_with_its_reader() {
    // The text of each event is ill-formed, so `check` prints all of them.
    let start = b"TRC\0\x01\x01\x01\0\x01\0E\0\x01\0\x01\0s\x04".to_vec();
    let events = b"\x02\x01\0\x01\0\0\0\xff".repeat(1000);
    for (command, rest) in [("decode", &[][..]), ("check", &["--json"][..])] {
        let mut tracegauge = Command::new(TRACEGAUGE);
        tracegauge.args([command, "-"]).args(rest);
        tracegauge.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = tracegauge.stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let (start, events) = (start.clone(), events.clone());
        let feeding = thread::spawn(move || {
            let mut fed = stdin.write_all(&start);
            while fed.is_ok() {
                fed = stdin.write_all(&events);
            }
        });
        let mut line = String::new();
        let output = child.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        assert!(line.starts_with('{'), "{command}: {line}");
        // The reader of the output is gone, so the command ends and nobody reads the events.
        let ended = child.wait_with_output().unwrap();
        feeding.join().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(
            (ended.status.code(), said.as_str()),
            (Some(0), ""),
            "{command}"
        );
    }
}

/// Checks that the whole trace is examined and not only its beginning.
#[test]
fn the_departures_of_a_large_trace_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut generate = Command::new(TRACEGAUGE);
    generate.args(["generate", "--format", "dial9-v1", "--seed", "1"]);
    generate.args(["--bytes", "17000000", "--out"]);
    assert!(generate.arg(folder.path()).status().unwrap().success());
    let large = folder.path().join("dial9-v1-1.trc");
    let output = run("departures", &[], &large, Stdio::null());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), said.as_str()), (Some(0), ""));
}

/// Checks that a command does not wait for more input to give a hint while the pipe stays open.
#[test]
fn a_pipe_that_stays_open_holds_nobody_up() {
    let mut tracegauge = Command::new(TRACEGAUGE);
    tracegauge.args(["decode", "-", "--format", "fieldlog-v1"]);
    tracegauge.stdin(Stdio::piped()).stderr(Stdio::null());
    let mut child = tracegauge.stdout(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // If the command closes the pipe before it has read everything, it has exited early, as it
    // should.
    let _ = stdin.write_all(&vec![b'x'; 1 << 17]);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    drop(stdin);
}

#[test]
fn the_corpus_takes_traces_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("corpus")).unwrap();
    let said = |words: &[&str], stdin: Stdio| {
        let mut tracegauge = Command::new(TRACEGAUGE);
        tracegauge.arg("corpus").args(words).stdin(stdin);
        let output = tracegauge.current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let stdin = || File::open(trace()).unwrap().into();
    let file = trace().display().to_string();
    let wanted = said(&["score", &file], Stdio::null());
    assert!(wanted.contains("dial9-v1"), "{wanted}");
    assert_eq!(said(&["score", "-"], stdin()), wanted);
    let bad = folder.path().join("bad.trc");
    fs::write(&bad, b"TRC\0\x01\xee").unwrap();
    let add = ["add", "-", "--expect", "reject", "--name", "piped"];
    let kept = said(&add, File::open(&bad).unwrap().into());
    assert!(kept.contains("dial9-v1/regression/piped: reject"), "{kept}");
    let again = said(&["add", "bad.trc", "--expect", "reject"], Stdio::null());
    assert!(again.contains("piped already has this trace"), "{again}");
}

#[test]
fn standard_input_is_named_once() {
    let mut twice = Command::new(TRACEGAUGE);
    let output = twice
        .args(["decode", "-", "-"])
        .stdin(Stdio::null())
        .output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("only once"));
}

#[test]
fn minimizing_standard_input_needs_a_place_for_the_result() {
    let mut minimize = Command::new(TRACEGAUGE);
    minimize.args(["minimize", "-", "--", "false", "{file}"]);
    let output = minimize
        .stdin(File::open(trace()).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--out"));
}
