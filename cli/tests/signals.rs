//! Tests that a run that receives a signal ends gracefully.
#![allow(clippy::unwrap_used)]

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");
const FAKE: &str = env!("CARGO_BIN_EXE_fake_reader");

/// Checks that the two signals that `timeout` sends, one to the command and one to its process
/// group, count as a single request.
#[test]
fn two_signals_at_once_are_one() {
    let place = tempfile::tempdir().unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let run = hanging(&scratch, &place, "", "");
    for _ in 0..2 {
        kill_process(Pid::from_child(&run), Signal::TERM).unwrap();
    }
    let (status, said) = end(run);
    assert_eq!(status, Some(3), "{said}");
    assert!(said.contains("interrupted"), "{said}");
}

/// Starts a run of a reader that hangs, with `options`. The shell executes `before` first. Waits
/// until the run has begun.
fn hanging(scratch: &TempDir, place: &TempDir, before: &str, options: &str) -> Child {
    let run = format!(
        "{before} exec {PROGRAM} run --no-progress --format dial9-v1 {options} -- {FAKE} once hangs \
         {{file}}"
    );
    let run = Command::new("sh")
        .args(["-c", &run])
        .current_dir(place.path())
        .env("TMPDIR", scratch.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until(|| scratch.path().read_dir().unwrap().next().is_some());
    run
}

fn wait_until(is_true: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_true() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "it does not come"
        );
        sleep(Duration::from_millis(10));
    }
}

/// Starts a run of a reader that hangs and may take ten minutes per case.
fn patient(scratch: &TempDir, place: &TempDir, options: &[&str]) -> Child {
    let reader = place.path().join("reader.yaml");
    let command = format!("command: [{FAKE}, once, hangs, \"{{file}}\"]");
    let text = format!("name: patient\ntimeout: 10m\nformats: [dial9-v1]\n{command}\n");
    std::fs::write(&reader, text).unwrap();
    Command::new(PROGRAM)
        .args(["run", "--no-progress", "--reader", "reader.yaml"])
        .args(options)
        .current_dir(place.path())
        .env("TMPDIR", scratch.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn one_signal_ends_a_run_even_if_a_case_may_take_minutes() {
    let (scratch, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut run = patient(&scratch, &place, &[]);
    wait_until(|| scratch.path().read_dir().unwrap().next().is_some());
    kill_process(Pid::from_child(&run), Signal::INT).unwrap();
    let mut errors = run.stderr.take().unwrap();
    let begun = Instant::now();
    let (status, said) = end(run);
    let mut remarks = String::new();
    errors.read_to_string(&mut remarks).unwrap();
    assert_eq!(status, Some(3), "{said}");
    assert!(said.contains("interrupted"), "{said}");
    assert!(!said.contains("hang"), "stopped cases were not run: {said}");
    assert!(remarks.contains("SIGINT: ending"), "{remarks}");
    assert!(begun.elapsed() < Duration::from_secs(300));
}

#[test]
fn the_time_limit_ends_a_run_even_if_a_case_may_take_minutes() {
    let (scratch, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let begun = Instant::now();
    let run = patient(&scratch, &place, &["--time-limit", "1s"]);
    let (status, said) = end(run);
    assert_eq!(status, Some(3), "{said}");
    assert!(said.contains("time limit of 1s"), "{said}");
    assert!(begun.elapsed() < Duration::from_secs(300));
}

/// Returns the exit status and the printed output.
fn end(mut run: Child) -> (Option<i32>, String) {
    let mut said = String::new();
    let mut out = run.stdout.take().unwrap();
    out.read_to_string(&mut said).unwrap();
    (run.wait().unwrap().code(), said)
}

/// Returns true if this process ignores SIGHUP, as under `nohup`. Everything that it starts then
/// ignores SIGHUP too.
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = u64::from_str_radix(ignored.unwrap().trim(), 16).unwrap();
    mask & 1 << (Signal::HUP.as_raw() - 1) != 0
}

#[test]
fn the_end_of_the_terminal_ends_the_run_in_an_orderly_way() {
    if is_hangup_ignored() {
        eprintln!("skipped: the tests were started with SIGHUP ignored, as `nohup` does");
        return;
    }
    let (scratch, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let run = hanging(&scratch, &place, "", "");
    kill_process(Pid::from_child(&run), Signal::HUP).unwrap();
    let (status, said) = end(run);
    assert_eq!(status, Some(3), "{said}");
    assert!(said.contains("interrupted"), "{said}");
}

#[test]
fn a_run_under_nohup_ends_with_its_time_limit() {
    let (scratch, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let run = hanging(&scratch, &place, "trap '' HUP;", "--time-limit 2s");
    kill_process(Pid::from_child(&run), Signal::HUP).unwrap();
    let (status, said) = end(run);
    assert_eq!(status, Some(3), "{said}");
    assert!(
        said.contains("the run reached its time limit of 2s"),
        "{said}"
    );
}

#[test]
fn a_signal_before_the_run_begins_is_handled() {
    let place = tempfile::tempdir().unwrap();
    let fifo = place.path().join("reader.yaml");
    let made = Command::new("mkfifo").arg(&fifo).status().unwrap();
    assert!(made.success());
    // Under `nohup`, programs ignore the hangup signal of the terminal.
    let hangup = (!is_hangup_ignored()).then_some(Signal::HUP);
    let others = [Signal::INT, Signal::TERM];
    for signal in hangup.into_iter().chain(others) {
        // The program waits for another process to write the reader file.
        let run = Command::new(PROGRAM)
            .args(["run", "--reader", "reader.yaml"])
            .current_dir(place.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let status = format!("/proc/{}/status", run.id());
        let is_caught = || {
            let status = std::fs::read_to_string(&status).unwrap_or_default();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let caught = caught.map(|mask| u64::from_str_radix(mask.trim(), 16).unwrap());
            caught.is_some_and(|mask| mask & 1 << (Signal::TERM.as_raw() - 1) != 0)
        };
        wait_until(is_caught);
        sleep(Duration::from_millis(100));
        kill_process(Pid::from_child(&run), signal).unwrap();
        assert_eq!(end(run).0, Some(3), "{signal:?}");
    }
}
