//! Tests that a run that receives a signal ends gracefully.
#![allow(clippy::unwrap_used)]

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");
const FAKE: &str = env!("CARGO_BIN_EXE_fake_reader");

/// `timeout` sends its signal to both the command and its process group, which must count as a
/// single request.
#[test]
fn two_signals_at_once_are_one() {
    let place = tempfile::tempdir().unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let mut run = Command::new(PROGRAM)
        .args(["run", "--no-progress", "--format", "dial9-v1", "--"])
        .args([FAKE, "once", "hangs", "{file}"])
        .current_dir(place.path())
        .env("TMPDIR", scratch.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while scratch.path().read_dir().unwrap().next().is_none() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "it does not begin"
        );
        sleep(Duration::from_millis(10));
    }
    let process = Pid::from_raw(i32::try_from(run.id()).unwrap());
    for _ in 0..2 {
        kill(process, Signal::SIGTERM).unwrap();
    }
    let mut said = String::new();
    run.stdout
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(3), "{said}");
    assert!(said.contains("interrupted"), "{said}");
}
