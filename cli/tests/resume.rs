//! Tests that a run killed at any moment can be resumed and gives the same result.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value as Json;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");
const FAKE: &str = env!("CARGO_BIN_EXE_fake_reader");

fn place(mode: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let reader = format!(
        "name: slow\nmode: {mode}\ncommand: ['{FAKE}', {mode}, perfect]\nformats: [dial9-v1]\n"
    );
    fs::write(folder.path().join("reader.yaml"), reader).unwrap();
    folder
}

/// Starts a run that writes its result to `name`.
fn start(folder: &Path, name: &str, more: &[&str]) -> Child {
    start_some(folder, name, "vector", more)
}

/// Starts a run of the cases that match `filter`.
fn start_some(folder: &Path, name: &str, filter: &str, more: &[&str]) -> Child {
    // A resumed run keeps the seed.
    let resumes = more.contains(&"--resume");
    Command::new(PROGRAM)
        .args(["run", "--reader", "reader.yaml", "--filter", filter])
        .args(["--json", name])
        .args(if resumes { &[][..] } else { &["--seed", "7"] })
        .args(more)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn journal(folder: &Path) -> Option<PathBuf> {
    let mut files = fs::read_dir(folder.join(".tracegauge/journals")).ok()?;
    files.next().map(|file| file.unwrap().path())
}

fn lines(folder: &Path) -> usize {
    let text = journal(folder).and_then(|path| fs::read(path).ok());
    text.map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count())
}

/// Returns the result without the parts that vary between runs, and the number of reused answers.
fn found(folder: &Path, name: &str) -> (Json, usize) {
    let mut result: Json = serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap();
    for case in result["readers"][0]["cases"].as_array_mut().unwrap() {
        case.as_object_mut().unwrap().remove("seconds").unwrap();
    }
    let tail = &mut result["readers"][0]["tail"];
    tail["seconds"] = Json::Null;
    // Which measures are enabled may depend on how busy the machine is.
    tail["containment"] = Json::Null;
    let notes = tail["notes"].as_array_mut().unwrap();
    let of_before = |note: &Json| {
        note.as_str()
            .unwrap()
            .ends_with("an earlier, interrupted run")
    };
    let taken_over = notes.iter().find(|note| of_before(note)).cloned();
    notes.retain(|note| !of_before(note));
    let count = taken_over.map_or(0, |note| {
        let number = note.as_str().unwrap().split(' ').next().unwrap().to_owned();
        number.parse().unwrap()
    });
    (result, count)
}

/// Compares two results part by part, so that a failure shows the part that differs.
fn assert_same(resumed: &Json, whole: &Json) {
    assert_eq!(resumed["run"], whole["run"]);
    let (resumed, whole) = (&resumed["readers"][0], &whole["readers"][0]);
    let cases = |result: &Json| result["cases"].as_array().unwrap().clone();
    let (those, these) = (cases(resumed), cases(whole));
    assert_eq!(those.len(), these.len());
    for (that, this) in those.iter().zip(&these) {
        assert_eq!(that, this);
    }
    for part in ["totals", "tail", "causes", "state", "reader"] {
        assert_eq!(resumed[part], whole[part], "{part}");
    }
    assert_eq!(resumed, whole);
}

fn a_killed_run_goes_on(mode: &str) {
    let folder = place(mode);
    let path = folder.path();
    start(path, "whole.json", &[]).wait().unwrap();
    let (whole, none) = found(path, "whole.json");
    assert_eq!(none, 0);
    assert!(journal(path).is_none(), "a whole run leaves no journal");
    let cases = whole["readers"][0]["cases"].as_array().unwrap().len();
    assert!(cases > 100, "{cases} cases");
    for answers in [0, 40, 150] {
        let mut run = start(path, "cut.json", &[]);
        while run.try_wait().unwrap().is_none() && lines(path) <= answers {
            sleep(Duration::from_millis(1));
        }
        run.kill().unwrap();
        run.wait().unwrap();
        let kept = lines(path);
        start(path, "resumed.json", &["--resume"]).wait().unwrap();
        let (resumed, taken_over) = found(path, "resumed.json");
        assert_same(&resumed, &whole);
        // The first line identifies the reader, and the second line contains the seed. In `serve`
        // mode, the third line is the greeting.
        let due = kept.saturating_sub(3);
        assert!(taken_over >= due, "{taken_over} of {kept} lines");
        assert!(journal(path).is_none(), "nothing is left to go on with");
    }
}

#[test]
fn a_part_that_goes_on_leaves_the_other_answers() {
    let folder = place("once");
    let path = folder.path();
    let mut run = start(path, "cut.json", &[]);
    while run.try_wait().unwrap().is_none() && lines(path) <= 40 {
        sleep(Duration::from_millis(1));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let kept = lines(path);
    let part = "vector/bool";
    start_some(path, "part.json", part, &["--resume"])
        .wait()
        .unwrap();
    start(path, "resumed.json", &["--resume"]).wait().unwrap();
    let (_, taken_over) = found(path, "resumed.json");
    assert!(taken_over >= kept - 2, "{taken_over} of {kept} lines");
    assert!(journal(path).is_none(), "nothing is left to go on with");
}

#[test]
fn in_mode_once() {
    a_killed_run_goes_on("once");
}

#[test]
fn in_mode_serve() {
    a_killed_run_goes_on("serve");
}

#[test]
fn without_the_flag_everything_is_asked_again() {
    let folder = place("once");
    let path = folder.path();
    let mut run = start(path, "cut.json", &[]);
    while run.try_wait().unwrap().is_none() && lines(path) <= 20 {
        sleep(Duration::from_millis(1));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    start(path, "whole.json", &[]).wait().unwrap();
    assert_eq!(found(path, "whole.json").1, 0);
}
