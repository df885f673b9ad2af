//! Exported tests: they pass for readers that are right, fail for those that are not, and need
//! nothing of ours.

mod joining;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use joining::{Place, is_here, notes, root};
use rayon::prelude::*;

/// A reader for the exported tests that calls one of the readers written by hand. `{change}`
/// stands where a record may be spoilt.
const READER: &str = r#"
import json, pathlib, sys

READERS = pathlib.Path("{readers}")
sys.path[:0] = [str(READERS / part) for part in ("kits/python", "handwritten", "handwritten/{folder}")]
import {module}, tracegauge

REJECTIONS = (tracegauge.Rejection,)


class Kept(tracegauge.Reporter):
    def __init__(self):
        super().__init__("{format}")
        self.records = []

    def record(self, record):
        {change}
        self.records.append(json.loads(tracegauge.canonical(record)))


def read(path):
    kept = Kept()
    {module}.read(pathlib.Path(path).read_bytes(), kept)
    return kept.records
"#;

fn export(place: &Place, format: &[&str], shape: &str) {
    let words = [&["corpus", "export", "--as", shape, "--out", "out"], format].concat();
    let output = place.tracegauge(&words);
    assert_eq!(output.status, Some(0), "{}", output.all());
}

fn reader(format: &str, folder: &str, change: &str) -> String {
    READER
        .replace(
            "{readers}",
            root().join("readers").to_str().expect("a plain path"),
        )
        .replace("{folder}", folder)
        .replace("{module}", folder)
        .replace("{format}", format)
        .replace("{change}", change)
}

/// Runs a shell command in the exported folder; whether it ended well, and all that it wrote.
fn shell(place: &Place, command: &str) -> (bool, String) {
    let output = Command::new("sh")
        .args(["-c", &format!("{command} 2>&1")])
        .current_dir(place.path().join("out"))
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.success(), text)
}

/// The paths of all files below `folder`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

#[test]
fn readers_written_by_hand_pass_in_python() {
    if !is_here("python3") {
        return println!("skipped: there is no python3 here");
    }
    let readers = [
        ("dial9-v1", "dial9"),
        ("fieldlog-v1", "fieldlog"),
        ("netperf-v1", "netperf"),
    ];
    readers.par_iter().for_each(|(format, folder)| {
        let place = Place::new();
        export(&place, &["--format", format], "pytest");
        let text = reader(format, folder, "pass");
        fs::write(place.path().join("out/reader.py"), text).expect("written");
        let (is_well, said) = shell(&place, "TRACEGAUGE_STRICT=1 python3 -m unittest");
        assert!(is_well, "{format}: {said}");
        assert!(
            said.contains("\nOK\n") && !said.contains("Ran 0 tests"),
            "{format}: {said}"
        );
        if shell(&place, "python3 -m pytest --version").0 {
            let (is_well, said) = shell(&place, "python3 -m pytest -q");
            assert!(is_well, "{format}: {said}");
        } else {
            println!("there is no pytest here");
        }
    });
}

#[test]
fn a_wrong_reader_fails_in_python() {
    if !is_here("python3") {
        return println!("skipped: there is no python3 here");
    }
    let place = Place::new();
    export(&place, &["--format", "dial9-v1"], "pytest");
    let path = place.path().join("out/reader.py");
    let failures = |change: &str| {
        fs::write(&path, reader("dial9-v1", "dial9", change)).expect("written");
        let (is_well, said) = shell(&place, "python3 -m unittest");
        assert!(!is_well, "{change}");
        said
    };
    let said = failures("record = {**record, 'timestamp': record.get('timestamp', 0) + 1}");
    assert!(said.contains("timestamp is "), "{said}");
    assert!(failures("record = {**record, 'timestmap': 1}").contains("no such member"));
    assert!(failures("return").contains("0 records and not "));
    let accepts_all = "def read(path):\n    return None\n";
    fs::write(&path, format!("REJECTIONS = ()\n{accepts_all}")).expect("written");
    let (_, said) = shell(&place, "python3 -m unittest");
    assert!(said.contains("accepted, and it breaks MAGIC"), "{said}");
    // What the author wrote survives another export; what is ours does not.
    export(&place, &["--format", "dial9-v1"], "pytest");
    let kept = fs::read_to_string(&path).expect("a file");
    assert!(kept.ends_with(accepts_all), "{kept}");
}

#[test]
fn values_may_be_written_in_all_the_ways_of_the_protocol() {
    if !is_here("python3") {
        return println!("skipped: there is no python3 here");
    }
    let place = Place::new();
    export(&place, &["--spec", &notes()], "pytest");
    let program = r#"
from comparison import same
right = [
    (5, "5"), ("18446744073709551615", 2**64 - 1), (0.1, 0.10000000149011612), ("NaN", float("nan")),
    ("-Infinity", float("-inf")), ({"hex": "00ff"}, b"\x00\xff"), ({"hex": "00ff"}, {"hex": "00FF"}),
    ("00112233-4455-6677-8899-aabbccddeeff", "{00112233-4455-6677-8899-AABBCCDDEEFF}"),
    ([["a", 1], ["b", {"missing": "why"}]], [("a", 1)]), ([["b", {"missing": "why"}]], [("b", None)]),
    ({"$enum": "a", "number": "2"}, "a"), ({"$enum": "a", "number": "2"}, 2),
    ({"$flags": ["x", "y", 8], "number": "11"}, ["y", "x", 8]), ({"$flags": ["x"], "number": "1"}, 1),
    ({"free": True}, "anything"), ({"x": 1, "y": 2}, {"x": 1}),
]
wrong = [
    (5, 6), (1, True), ("18446744073709551615", 2**64), (0.1, 0.2), ("NaN", 1.0), ("a", "A"),
    ({"hex": "00ff"}, b"\x00"), ([1, 2], [1]), ([["a", 1]], []), ({"x": 1}, {"x": 1, "z": 2}), (5, None),
    ({"$enum": "a", "number": "2"}, "b"), ({"$enum": "a", "number": "2"}, 3),
    ({"$flags": ["x"], "number": "1"}, []), ({"$enum": "a", "number": "2"}, []),
]
assert all(same(*pair) for pair in right), [pair for pair in right if not same(*pair)]
assert not any(same(*pair) for pair in wrong), [pair for pair in wrong if same(*pair)]
"#;
    fs::write(place.path().join("out/try.py"), program).expect("written");
    let (is_well, said) = shell(&place, "python3 try.py");
    assert!(is_well, "{said}");
}

#[test]
fn every_shape_has_its_files() {
    let mut told = String::new();
    for shape in ["files", "pytest", "go", "junit5"] {
        let place = Place::new();
        export(&place, &["--spec", &notes()], shape);
        let out = place.path().join("out");
        told += &format!("## {shape}\n\n");
        for path in files(&out) {
            let name = path
                .strip_prefix(&out)
                .expect("inside")
                .display()
                .to_string();
            let is_case = name.ends_with(".notes") || name.ends_with(".notes.json");
            if !is_case || name.contains("valid/repeats/notes-2-times") {
                told += &format!("{name}\n");
            }
            if name.ends_with(".txt") || name.starts_with("test_") {
                let text = fs::read_to_string(&path).expect("text");
                told += &format!("---\n{text}---\n");
            }
        }
        told += "\n";
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_right_reader_passes_in_java() {
    if !is_here("javac") {
        return println!("skipped: there is no javac here");
    }
    let place = Place::new();
    export(&place, &["--spec", &notes()], "junit5");
    let ours = root().join("harness/tests/joining/junit");
    let ours = ours.to_str().expect("a plain path");
    let compile = |reader: &str| {
        let exported = "src/test/java/tracegauge";
        let (is_well, said) = shell(
            &place,
            &format!(
                "rm -rf classes && javac -Xlint:all,-serial -Werror -d classes {exported}/ConformanceTest.java {exported}/Comparison.java {exported}/Json.java {reader} {ours}/tracegauge/Main.java {ours}/org/junit/jupiter/api/*.java"
            ),
        );
        assert!(is_well, "{said}");
        shell(&place, "java -cp classes tracegauge.Main").1
    };
    let said = compile(&format!("{ours}/tracegauge/Reader.java"));
    assert!(
        said.contains(" passed, 0 failed, 0 skipped") && !said.contains("0 passed"),
        "{said}"
    );
    let said = compile("src/test/java/tracegauge/Reader.java");
    assert!(said.contains("\n0 passed"), "{said}");
    assert!(said.contains("call your reader in Reader.java"), "{said}");
}

#[test]
fn a_right_reader_passes_in_go() {
    if !is_here("go") {
        return println!("skipped: there is no go here");
    }
    let place = Place::new();
    export(&place, &["--spec", &notes()], "go");
    let (is_well, said) = shell(&place, "go vet ./... && go test ./...");
    assert!(!is_well && said.contains("call your reader"), "{said}");
    let reader = include_str!("joining/fill/go_reader_test.go.txt");
    fs::write(place.path().join("out/reader_test.go"), reader).expect("written");
    let (is_well, said) = shell(&place, "go vet ./... && go test ./...");
    assert!(is_well, "{said}");
}
