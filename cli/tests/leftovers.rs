//! Tests that the temporary folders of a killed run are removed by the next run, while those of a
//! live run are kept.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");
const FAKE: &str = env!("CARGO_BIN_EXE_fake_reader");

/// Starts a command with a slow reader and temporary folders in `scratch`.
fn start(place: &Path, scratch: &Path, behaviour: &str, command: &[&str]) -> Child {
    let reader = place.join(format!("{behaviour}.yaml"));
    let text = format!(
        "name: {behaviour}\nmode: once\ncommand: ['{FAKE}', once, {behaviour}]\n\
         formats: [dial9-v1]\ntimeout: 20s\n"
    );
    fs::write(&reader, text).unwrap();
    Command::new(PROGRAM)
        .args(command)
        .arg("--reader")
        .arg(reader)
        .current_dir(place)
        .env("TMPDIR", scratch)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn folders(scratch: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(scratch).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

/// Waits until a condition holds and returns the folders that then exist.
fn wait_for(scratch: &Path, holds: impl Fn(&BTreeSet<String>) -> bool) -> BTreeSet<String> {
    let begun = Instant::now();
    loop {
        let found = folders(scratch);
        if holds(&found) {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{found:?}");
        sleep(Duration::from_millis(10));
    }
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The name of the file that marks the owner of a folder.
const MARK: &str = ".tracegauge-owner";

const RUN: [&str; 4] = ["run", "--no-progress", "--filter", "vector/pool"];
const FUZZ: [&str; 5] = ["fuzz", "--format", "dial9-v1", "--time", "60"];

#[test]
fn of_a_killed_command_nothing_stays_and_of_a_living_one_all() {
    for killed in [&RUN[..], &FUZZ[..]] {
        let place = tempfile::tempdir().unwrap();
        let temporary = tempfile::tempdir().unwrap();
        let (place, scratch) = (place.path(), temporary.path());
        let first = start(place, scratch, "hangs", killed);
        // A run that is killed before it marks its folder leaves a folder without an owner.
        let is_marked = |name: &String| scratch.join(name).join(MARK).exists();
        let left = wait_for(scratch, |found| {
            found.len() >= 2 && found.iter().all(is_marked)
        });
        kill(first);
        assert!(folders(scratch).is_superset(&left), "it was killed");

        let living = start(place, scratch, "hangs", &RUN);
        let owned = wait_for(scratch, |found| {
            found.is_disjoint(&left) && found.len() >= 2
        });
        let mut third = start(place, scratch, "statuses", &RUN);
        third.wait().unwrap();
        assert_eq!(folders(scratch), owned, "{killed:?}");
        kill(living);
    }
}

#[test]
fn a_killed_generate_leaves_whole_files_only() {
    let place = tempfile::tempdir().unwrap();
    let words = [
        "generate", "--format", "dial9-v1", "--seed", "1", "--count", "100000",
    ];
    for pause in [300, 500, 700] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tracegauge"))
            .args(words)
            .args(["--bytes", "20000", "--out", "out"])
            .current_dir(place.path())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        let out = place.path().join("out");
        let mut traces = 0;
        for entry in std::fs::read_dir(&out).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if name.starts_with('.') {
                continue;
            }
            assert_ne!(path.metadata().unwrap().len(), 0, "{name} is empty");
            match name.strip_suffix(".json") {
                Some(_) => {
                    let text = std::fs::read(&path).unwrap();
                    serde_json::from_slice::<serde_json::Value>(&text).expect("whole JSON");
                }
                None => {
                    traces += 1;
                    assert!(
                        out.join(format!("{name}.json")).exists(),
                        "{name} has no sidecar"
                    );
                }
            }
        }
        assert!(traces > 0);
        std::fs::remove_dir_all(&out).unwrap();
    }
}
