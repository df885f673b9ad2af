//! Tests that crashes are distinguished by their source locations, regardless of bytes, addresses
//! and process ids, and that the trace of each crash is minimized. The tests are skipped with a
//! message if gcc with AddressSanitizer is not available.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;
use tempfile::TempDir;

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/located")
}

/// Creates a folder with the reader, or returns `None` if it cannot be built.
fn built() -> Option<TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let builds: [&[&str]; 2] = [
        &["-shared", "-fPIC", "-s", "-o", "libparts.so", "library.c"],
        &[
            "-g",
            "-o",
            "reader",
            "reader.c",
            "-L.",
            "-lparts",
            "-Wl,-rpath,$ORIGIN",
        ],
    ];
    for arguments in builds {
        let source = arguments.iter().find(|it| it.ends_with(".c")).unwrap();
        fs::copy(sources().join(source), folder.path().join(source)).unwrap();
        let done = Command::new("gcc")
            .args(["-O1", "-fsanitize=address", "-fno-omit-frame-pointer"])
            .args(arguments)
            .current_dir(folder.path())
            .output();
        if !done.is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: no gcc with AddressSanitizer here");
            return None;
        }
    }
    Some(folder)
}

/// Runs a campaign that spends up to `seconds` on minimizing each finding. Returns the words, frames
/// and trace size of each finding.
fn found(folder: &Path, options: &str, seconds: &str) -> Vec<(String, Vec<String>, u64)> {
    let reader = format!(
        "name: parts\nmemory: 4GiB\nreports: records\n\
         command: [env, 'ASAN_OPTIONS=detect_leaks=0:{options}', '{}']\n",
        folder.join("reader").display()
    );
    fs::write(folder.join("reader.yaml"), reader).unwrap();
    let out = format!("found-{options}");
    let output = Command::new(env!("CARGO_BIN_EXE_tracegauge"))
        .args(["fuzz", "--spec"])
        .arg(sources().join("format.yaml"))
        .args(["--reader", "reader.yaml", "--out", &out])
        .args(["--seed", "1", "--inputs", "60", "--jobs", "2"])
        .args(["--minimize-time", seconds])
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let state = fs::read(folder.join(&out).join("state.json")).unwrap();
    let state: Json = serde_json::from_slice(&state).unwrap();
    let groups = state["groups"].as_array().unwrap().iter();
    let mut found: Vec<_> = groups
        .map(|group| {
            assert_eq!(group["outcome"], "crash", "{group}");
            let about = folder.join(&out).join(group["folder"].as_str().unwrap());
            let about = fs::read_to_string(about.join("about.md")).unwrap();
            assert!(about.contains("- severity: "), "{about}");
            (
                group["words"].as_str().unwrap().to_owned(),
                serde_json::from_value(group["frames"].clone()).unwrap(),
                group["bytes"].as_u64().unwrap(),
            )
        })
        .collect();
    found.sort();
    found
}

#[test]
fn four_bugs_are_four_to_six_findings_each_small() {
    let Some(folder) = built() else {
        return;
    };
    let exits = found(folder.path(), "abort_on_error=0", "600");
    // Minimizing takes most of the time, and the first campaign shows that it works.
    let aborts = found(folder.path(), "abort_on_error=1", "0");
    for found in [&exits, &aborts] {
        assert!((4..=6).contains(&found.len()), "{found:#?}");
        for (words, ..) in found {
            assert!(
                words.starts_with("AddressSanitizer: heap-buffer-overflow ("),
                "{words}"
            );
        }
    }
    for (_, frames, bytes) in &exits {
        // The magic, a kind, a size and a body of five bytes make 11 bytes. Minimization may stop
        // slightly above this minimum.
        assert!((11..=16).contains(bytes), "{frames:?}: {bytes} bytes");
    }
    let places = |found: &[(String, Vec<String>, u64)]| -> Vec<(String, Vec<String>)> {
        let places = found.iter();
        places
            .map(|(words, frames, _)| (words.clone(), frames.clone()))
            .collect()
    };
    assert_eq!(places(&exits), places(&aborts));
    let tops: Vec<&str> = exits
        .iter()
        .map(|(_, frames, _)| frames[0].as_str())
        .collect();
    let unnamed = tops.iter().filter(|top| top.starts_with("libparts.so+0x"));
    assert_eq!(unnamed.count(), 1, "{tops:?}");
    for function in ["read_name", "read_value", "after"] {
        assert!(tops.contains(&function), "{tops:?}");
    }
    let callers = exits.iter().filter(|(_, frames, _)| frames[0] == "after");
    let callers: Vec<&str> = callers.map(|(_, frames, _)| frames[1].as_str()).collect();
    assert_eq!(callers, ["read_first", "read_second"]);
}
