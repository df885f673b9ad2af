//! Tests which environment variables a reader receives, and that reports mask secrets.

use std::fs;
use std::process::Command;

use crate::joining::notes;

const FAKE: &str = env!("CARGO_BIN_EXE_fake_reader");
const SECRET: &str = "hunter2-hunter2";

/// Runs a reader that reports its environment, and returns everything that was reported.
fn reported(mode: &str, keys: &str, options: &[&str]) -> String {
    let spec = notes();
    let folder = tempfile::tempdir().expect("a folder");
    let reader = format!(
        "mode: {mode}\nreports: verdict\n{keys}\ncommand: ['{FAKE}', {mode}, tells-environment]\n"
    );
    fs::write(folder.path().join("reader.yaml"), reader).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_tracegauge"))
        .args([
            "run",
            "--reader",
            "reader.yaml",
            "--json",
            "result.json",
            "--html",
            "r.html",
        ])
        .args(["--filter", "valid", "--jobs", "1", "--spec"])
        .arg(spec)
        .args(options)
        .current_dir(folder.path())
        .env("LC_TIME", "C")
        .env("TZ", "Europe/Vienna")
        .env("ASAN_OPTIONS", "symbolize=0")
        .env("PYTHONHASHSEED", "1")
        .env("EDITOR", "an-editor")
        .env("DEPLOY_TOKEN", SECRET)
        .output()
        .expect("the command starts");
    let mut said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    for file in ["result.json", "r.html"] {
        said += &fs::read_to_string(folder.path().join(file)).expect("the report");
    }
    said
}

#[test]
fn a_reader_receives_only_what_is_documented() {
    for mode in ["once", "serve"] {
        let said = reported(mode, "", &[]);
        for passed in [
            "LC_TIME=C",
            "TZ=Europe/Vienna",
            "ASAN_OPTIONS=",
            "PYTHONHASHSEED=1",
            "TMPDIR=",
        ] {
            assert!(said.contains(passed), "{mode}: no {passed}: {said}");
        }
        for kept in ["EDITOR=", "DEPLOY_TOKEN", SECRET] {
            assert!(!said.contains(kept), "{mode}: {kept}: {said}");
        }
    }
}

#[test]
fn a_reader_receives_what_its_file_and_the_user_add() {
    let said = reported("serve", "env: [EDITOR]", &["--env", "DEPLOY_TOKEN"]);
    assert!(said.contains("EDITOR=an-editor"), "{said}");
    assert!(said.contains("DEPLOY_TOKEN=[masked]"), "{said}");
    assert!(!said.contains(SECRET), "{said}");
}

#[test]
fn the_output_of_a_failed_build_masks_secrets() {
    let folder = tempfile::tempdir().expect("a folder");
    let reader = "build: echo \"error $DEPLOY_TOKEN\"; false\ncommand: [sh]\n";
    fs::write(folder.path().join("reader.yaml"), reader).expect("written");
    let spec = notes();
    let output = Command::new(env!("CARGO_BIN_EXE_tracegauge"))
        .args(["run", "--reader", "reader.yaml", "--spec"])
        .arg(spec)
        .current_dir(folder.path())
        .env("DEPLOY_TOKEN", SECRET)
        .output()
        .expect("the command starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("error [masked]"), "{said}");
    assert!(!said.contains(SECRET), "{said}");
}
