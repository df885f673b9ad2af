//! Tests that a program which attacks its containment achieves nothing.
//!
//! The attackers are small C programs in `tests/attacks`. The tests are skipped with a message if
//! there is no C compiler.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

/// Compiles an attacker into `folder`. Returns `None` if there is no compiler.
fn attacker(name: &str, folder: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/attacks/{name}.c"));
    let program = folder.join(name);
    let built = Command::new("gcc")
        .args(["-O1", "-o"])
        .args([&program, &source])
        .output();
    let Ok(built) = built else {
        eprintln!("skipped: no gcc here");
        return None;
    };
    let errors = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{errors}");
    Some(program)
}

/// Runs a reader on one valid trace, which it accepts if all its attacks failed.
fn run(folder: &Path, command: &[&str]) -> Output {
    let mut run = Command::new(PROGRAM);
    run.args([
        "run",
        "--format",
        "dial9-v1",
        "--jobs",
        "1",
        "--no-progress",
    ])
    .args(["--filter", "*vector*every-frame*", "-v", "--"])
    .args(command)
    .current_dir(folder);
    run.output().unwrap()
}

fn is_repelled(output: &Output) {
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 case: 1 pass"), "{text}");
}

#[test]
fn nothing_outside_is_reached() {
    let folder = tempfile::tempdir().unwrap();
    let Some(attacker) = attacker("attacker", folder.path()) else {
        return;
    };
    let victim = folder.path().join("victim");
    fs::create_dir(&victim).unwrap();
    fs::write(victim.join("file"), "content").unwrap();
    let _socket = UnixListener::bind(victim.join("socket")).unwrap();
    let mut bystander = Command::new("sleep")
        .arg("600")
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let pid = bystander.id().to_string();
    let command = [attacker.to_str().unwrap(), victim.to_str().unwrap(), &pid];
    let output = run(folder.path(), &[&command[..], &["{file}"]].concat());
    bystander.kill().unwrap();
    bystander.wait().unwrap();
    is_repelled(&output);
    assert_eq!(fs::read(victim.join("file")).unwrap(), b"content");
}
