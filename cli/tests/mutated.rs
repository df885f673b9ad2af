//! Tests how a run reports readers that follow a copy of a bundled description with one mistake.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

/// Copies the files of a folder and of the folders in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Runs the reference decoder with the dial9 description, in which `right` in `file` is replaced
/// with `wrong`. Returns the lines of the report that describe the causes.
fn causes(file: &str, right: &str, wrong: &str) -> Vec<String> {
    let place = TempDir::new().unwrap();
    let formats = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/formats");
    for folder in ["common", "dial9"] {
        copy(&formats.join(folder), &place.path().join(folder));
    }
    let changed = place.path().join("dial9/v1").join(file);
    let text = fs::read_to_string(&changed).unwrap();
    assert!(text.contains(right), "{text}");
    fs::write(&changed, text.replace(right, wrong)).unwrap();
    let reader = format!(
        "name: mutated\nmode: serve\nreports: records\nformats: [dial9-v1]\n\
         command: ['{PROGRAM}', reader, serve, --spec, dial9/v1/format.yaml]\n"
    );
    fs::write(place.path().join("reader.yaml"), reader).unwrap();
    let output = Command::new(PROGRAM)
        .args([
            "run",
            "--reader",
            "reader.yaml",
            "--no-progress",
            "--failures",
            "0",
        ])
        .current_dir(place.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text
        .lines()
        .skip_while(|line| !line.starts_with("probable causes"));
    let lines = lines
        .skip(1)
        .take_while(|line| !line.starts_with("valid traces"));
    lines.map(|line| line.trim().to_owned()).collect()
}

/// Checks that a wrong type is reported as one cause, with the field, the rule and the mistake,
/// although the reader rejects traces of many kinds for many reasons.
#[test]
fn a_type_of_the_wrong_width_is_one_cause() {
    let [right, wrong] = ["name: Bool, type: u1", "name: Bool, type: u2"];
    let causes = causes("type_codes.yaml", right, wrong);
    let line = |number: usize| causes[number].as_str();
    assert!(
        line(0).contains("rejects plain traces with frames[].body:event.values:Bool"),
        "{causes:#?}"
    );
    assert!(line(1).starts_with("likely BOOL-NONZERO"), "{causes:#?}");
    assert!(
        line(2).contains("consistent with a reader that reads the number with a width of 16 bits"),
        "{causes:#?}"
    );
    assert_eq!(causes.len(), 4, "{causes:#?}");
}

/// Checks that a wrong sign is reported as one cause, with the rule and the mistake.
#[test]
fn a_wrong_sign_is_one_cause() {
    let right =
        "name: I64, type: s8, obeys: { VALUE-I64: _ < 0 }, gen: { range: [-1000, 1000000] }";
    let causes = causes("type_codes.yaml", right, "name: I64, type: u8");
    assert!(causes[0].contains("fields[].value is wrong"), "{causes:#?}");
    assert!(causes[1].contains("VALUE-I64"), "{causes:#?}");
    assert!(
        causes[2].contains("a reader that reads a signed number as unsigned"),
        "{causes:#?}"
    );
    let first_of_others = causes.iter().filter(|line| line.starts_with("2 "));
    assert_eq!(first_of_others.count(), 0, "{causes:#?}");
}
