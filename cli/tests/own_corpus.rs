//! Tests for the corpus of a user's own format. Cases are retired and added, and the release note
//! mentions both changes.

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

/// Runs a corpus command. Returns its exit status and output.
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

/// Checks that the outcome matrix is part of the corpus: it is built once and then verified.
#[test]
fn the_outcome_matrix_is_built_and_verified() {
    let folder = place();
    let matrix = folder.path().join("corpus/matrix/pair-v1.gz");
    let bytes = fs::read(&matrix).expect("a matrix");
    for options in [&["build"][..], &["build", "--outcomes"]] {
        let (status, said) = typed(&folder, "corpus", options);
        assert_eq!(status, 0, "{said}");
        assert!(said.contains("pair-v1: outcome matrix unchanged"), "{said}");
    }
    assert_eq!(fs::read(&matrix).expect("a matrix"), bytes);
    for options in [
        &["verify"][..],
        &["verify", "--outcomes"],
        &["score", "--mutants"],
        &["score", "--diagnosis", "--readers", "2"],
    ] {
        let (status, said) = typed(&folder, "corpus", options);
        assert_eq!(status, 0, "{options:?}: {said}");
    }

    let (status, said) = typed(&folder, "corpus", &["verify", "--quiet"]);
    assert_eq!((status, said.as_str()), (0, ""));

    // A changed description makes the matrix stale, and so does a missing file.
    let changed = PAIR.replace("The second is small.", "The second is little.");
    assert_ne!(changed, PAIR);
    fs::write(folder.path().join("pair.yaml"), changed).expect("written");
    assert_eq!(
        typed(&folder, "corpus", &["verify"]).0,
        0,
        "only a sentence"
    );
    fs::remove_file(&matrix).expect("removed");
    assert_eq!(typed(&folder, "corpus", &["verify"]).0, 0, "none is needed");
    let (status, said) = typed(&folder, "corpus", &["verify", "--outcomes"]);
    assert_eq!(status, 1, "{said}");
    assert!(
        said.contains("pair-v1: there is no outcome matrix"),
        "{said}"
    );
}

/// Checks that outcomes that differ from those of the mutants are detected.
#[test]
fn wrong_outcomes_are_found() {
    use std::io::{Read as _, Write as _};
    let folder = place();
    let path = folder.path().join("corpus/matrix/pair-v1.gz");
    let mut text = String::new();
    let bytes = fs::read(&path).expect("a matrix");
    flate2::read::GzDecoder::new(bytes.as_slice())
        .read_to_string(&mut text)
        .expect("compressed text");
    let first = text
        .lines()
        .rev()
        .find(|line| !line.is_empty())
        .expect("an outcome");
    let changed = text.replacen(&format!("\n{first}\n"), "\n\n", 1);
    assert_ne!(changed, text);
    let file = fs::File::create(&path).expect("created");
    let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    encoder.write_all(changed.as_bytes()).expect("written");
    encoder.finish().expect("written");
    assert_eq!(
        typed(&folder, "corpus", &["verify"]).0,
        0,
        "its identity is right"
    );
    let (status, said) = typed(&folder, "corpus", &["verify", "--outcomes"]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("outcome matrix"), "{said}");
}
