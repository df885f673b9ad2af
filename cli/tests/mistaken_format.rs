//! Tests that the user gets a hint about the likely format of a file that is read with the wrong
//! format, including the command to use instead.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/real")
}

/// Returns the hint for a file that is read with the wrong format.
fn hint_of(command: &str, format: &str, file: &Path) -> String {
    let file = file.display().to_string();
    let words = [command, "--format", format, &file];
    let output = Command::new(PROGRAM).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{words:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Runs the command in a hint and checks its exit status.
fn follow(hint: &str, status: i32) {
    let typed = hint
        .lines()
        .find_map(|line| line.strip_prefix("  tracegauge "));
    let words = typed
        .unwrap_or_else(|| panic!("nothing to type: {hint}"))
        .split(' ');
    let output = Command::new(PROGRAM).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(status), "{hint}");
}

#[test]
fn a_file_of_another_version_is_told_from_a_broken_one() {
    let later = corpus().join("fieldlog-v2/v2_prio0.fl");
    for command in ["check", "decode", "inspect"] {
        let hint = hint_of(command, "fieldlog-v1", &later);
        assert!(
            hint.contains("looks like a trace in the format fieldlog-v2"),
            "{hint}"
        );
        assert!(
            hint.contains(&format!("tracegauge {command} --format fieldlog-v2 ")),
            "{hint}"
        );
        follow(&hint, 0);
    }
}

#[test]
fn a_file_of_another_format_is_told_with_the_command_to_type() {
    let other = corpus().join("dial9-v1/codec_every_field_type.trc");
    let hint = hint_of("check", "wtf-v3", &other);
    assert!(
        hint.contains("looks like a trace in the format dial9-v1"),
        "{hint}"
    );
    follow(&hint, 0);
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.trc");
    let bytes = fs::read(&other).unwrap();
    fs::write(&cut, &bytes[..bytes.len() - 3]).unwrap();
    let hint = hint_of("check", "wtf-v3", &cut);
    assert!(
        hint.contains("an invalid trace in another format, dial9-v1"),
        "{hint}"
    );
    follow(&hint, 1);
    let text = folder.path().join("letter.txt");
    fs::write(&text, "Dear reader,").unwrap();
    let hint = hint_of("check", "wtf-v3", &text);
    assert!(
        hint.contains("any known format") && hint.contains("tracegauge spec list"),
        "{hint}"
    );
}
