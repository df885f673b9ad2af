//! Tests for the corpus of a user's own format: cases are retired and added, and the release note
//! mentions both.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

const PAIR: &str = "
meta: { id: pair-v1, family: pair, title: Pairs, endian: le }
document: Pairs
seq:
  - { id: first, type: u1, valid: { min: 1, rule: FIRST } }
  - { id: second, type: u1, valid: { max: 99, rule: SECOND } }
rules:
  FIRST: { level: must, section: All, says: The first is not 0., reader: reject }
  SECOND: { level: must, section: All, says: The second is small., reader: reject }
  CUT: { level: must, section: All, says: There are two bytes., reader: reject }
faults: { eof: CUT, trailing: CUT }
";

const RETIRED: &str = "pair-v1/malformed/FIRST/one-below/first";

/// Creates a folder with the description, a corpus for it, and a copy of the corpus.
fn place() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("pair.yaml"), PAIR).expect("written");
    for corpus in ["corpus", "old"] {
        fs::create_dir_all(folder.path().join(corpus).join("vectors")).expect("made");
        let (status, said) = typed(&folder, corpus, &["build"]);
        assert_eq!(status, 0, "{said}");
    }
    folder
}

/// Runs a command of the corpus. Returns its exit status and output.
fn typed(folder: &TempDir, corpus: &str, words: &[&str]) -> (i32, String) {
    let scope = ["--spec", "pair.yaml", "--no-progress", "--corpus", corpus];
    let scope = scope.iter().filter(|_| words[0] != "notes");
    let output = Command::new(env!("CARGO_BIN_EXE_tracegauge"))
        .arg("corpus")
        .args(words)
        .args(scope)
        .current_dir(folder.path())
        .output()
        .expect("the command starts");
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.push_str(&String::from_utf8_lossy(&output.stderr));
    (output.status.code().unwrap_or(-1), said)
}

#[test]
fn a_case_is_retired_once() {
    let folder = place();
    let retire = |reason: &str| {
        let words = ["retire", RETIRED, "--reason", reason];
        typed(&folder, "corpus", &words)
    };
    let (status, said) = retire("a duplicate");
    assert_eq!(status, 0, "{said}");
    let (status, said) = retire("another reason");
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("already retired (a duplicate)"), "{said}");
    let (_, listed) = typed(&folder, "corpus", &["list", "--state", "retired"]);
    assert!(listed.contains(RETIRED), "{listed}");
}

#[test]
fn the_note_of_a_release_has_what_was_retired_and_what_was_added() {
    let folder = place();
    let (status, note) = typed(&folder, "", &["notes", "old", "corpus"]);
    assert_eq!(status, 0, "{note}");
    assert!(note.contains("Unchanged: pair-v1."), "{note}");
    let retire = ["retire", RETIRED, "--reason", "a duplicate"];
    assert_eq!(typed(&folder, "corpus", &retire).0, 0);
    fs::write(folder.path().join("seen.bin"), [7, 201]).expect("written");
    // The description has only one format, so the format need not be given.
    let add = ["add", "seen.bin", "--expect", "reject", "--name", "seen"];
    let (status, said) = typed(&folder, "corpus", &add);
    assert_eq!(status, 0, "{said}");
    let (status, note) = typed(&folder, "", &["notes", "old", "corpus"]);
    assert_eq!(status, 0, "{note}");
    assert!(
        note.contains(&format!("- `{RETIRED}`: a duplicate")),
        "{note}"
    );
    assert!(note.contains("New cases, by rule"), "{note}");
    assert!(note.contains("- SECOND: 1 case"), "{note}");
}

#[test]
fn a_reason_that_does_not_hold_is_a_finding() {
    let folder = place();
    let (status, said) = typed(&folder, "corpus", &["score"]);
    assert_eq!(status, 0, "{said}");
    let excluded = folder.path().join("corpus/excluded");
    fs::create_dir(&excluded).expect("made");
    let reason = "- { obligation: FIRST broken, because: Nobody writes 0. }\n";
    fs::write(excluded.join("pair-v1.yaml"), reason).expect("written");
    let (status, said) = typed(&folder, "corpus", &["score"]);
    assert!(
        said.contains("documented exclusions that a file covers"),
        "{said}"
    );
    assert_eq!(status, 1, "{said}");
}
