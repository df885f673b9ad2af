//! Tests that exported tests pass for correct readers, fail for wrong readers, and are
//! self-contained.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use joining::{Output, Place, is_here, notes, root, try_all};

use crate::joining;

/// A reader for the exported tests that calls one of the handwritten readers. `{change}` is
/// replaced with code that may modify a record.
const READER: &str = r#"
import json, pathlib, sys

READERS = pathlib.Path("{readers}")
sys.path[:0] = [str(READERS / part) for part in ("../cli/templates/python", "handwritten", "handwritten/{folder}")]
import {module}, tracegauge

# Some cases nest values a thousand deep.
sys.setrecursionlimit(50_000)
REJECTIONS = (tracegauge.Rejection,)
OMITS = ("event.fields when empty", "metadata.fields when empty") if "{format}".startswith("netperf") else ()


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

fn export(place: &Place, format: &[&str], shape: &str) -> Output {
    let words = [&["corpus", "export", "--as", shape, "--out", "out"], format].concat();
    let output = place.tracegauge(&words);
    assert_eq!(output.status, Some(0), "{}", output.all());
    output
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

/// Runs a shell command in the exported folder. Returns true if it succeeded, together with its
/// output.
fn shell(place: &Place, command: &str) -> (bool, String) {
    shell_in(&place.path().join("out"), command)
}

fn shell_in(folder: &Path, command: &str) -> (bool, String) {
    let output = Command::new("sh")
        .args(["-c", &format!("({command}) 2>&1")])
        .current_dir(folder)
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.success(), text)
}

/// Returns the paths of all files in `folder` and its subfolders.
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
    try_all(&readers, |(format, folder)| {
        let place = Place::new();
        export(&place, &["--format", format], "pytest");
        let text = reader(format, folder, "pass");
        fs::write(place.path().join("out/tracegauge_reader.py"), text).expect("written");
        let (is_well, said) = shell(&place, "TRACEGAUGE_STRICT=1 python3 -m unittest");
        assert!(is_well, "{format}: {said}");
        assert!(
            said.contains("\nOK\n") && !said.contains("Ran 0 tests"),
            "{format}: {said}"
        );
        // pytest takes seconds for a thousand cases, and one format is enough to show what it does.
        if *format != "netperf-v1" {
            return;
        }
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
    let path = place.path().join("out/tracegauge_reader.py");
    let failures = |change: &str| {
        fs::write(&path, reader("dial9-v1", "dial9", change)).expect("written");
        let (is_well, said) = shell(&place, "python3 -m unittest");
        assert!(!is_well, "{change}");
        said
    };
    let said = failures("record = {**record, 'timestamp': record.get('timestamp', 0) + 1}");
    assert!(said.contains("differs   record 0: timestamp"), "{said}");
    assert!(failures("record = {**record, 'timestmap': 1}").contains("no such member"));
    assert!(failures("return").contains("actual   no further record"));
    assert!(failures("{}['lost']").contains("\nAssertionError: crash: dial9-v1/"));
    let accepts_all = "REJECTIONS = ()\ndef read(path):\n    return None\n";
    fs::write(&path, accepts_all).expect("written");
    let (_, said) = shell(&place, "python3 -m unittest");
    assert!(
        said.contains("wrong-accept: dial9-v1/malformed/MAGIC/"),
        "{said}"
    );
    // Exporting again keeps the file written by the author.
    export(&place, &["--format", "dial9-v1"], "pytest");
    let kept = fs::read_to_string(&path).expect("a file");
    assert_eq!(kept, accepts_all);
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
            let is_shown = name.contains("malformed/LEVEL/one-above");
            if !is_case || is_shown {
                told += &format!("{name}\n");
            }
            let is_list = name.ends_with("notes-v1.txt") || name.starts_with("test_");
            let is_tests = is_list || name.ends_with("NotesV1Test.java");
            if is_tests || is_shown && name.ends_with(".json") && shape != "junit5" {
                let text = fs::read_to_string(&path).expect("text");
                told += &format!("---\n{text}---\n");
            }
        }
        told += "\n";
    }
    insta::assert_snapshot!(told);
}

#[test]
fn examples_name_cases_of_the_exported_format() {
    for (shape, filter) in [
        ("pytest", "python3 -m pytest -k LEVEL"),
        ("go", "go test -run 'Conformance/notes-v1/malformed/LEVEL'"),
        ("junit5", "mvn test '-Dtest=*Test#*LEVEL*'"),
    ] {
        let place = Place::new();
        export(&place, &["--spec", &notes()], shape);
        let out = place.path().join("out");
        let guide = fs::read_to_string(out.join("README.md")).expect("text");
        assert!(guide.contains(filter), "{guide}");
        let known = fs::read_to_string(out.join("known-failures.txt")).expect("text");
        assert!(known.contains("notes-v1/malformed/LEVEL/*"), "{known}");
        for path in files(&out) {
            let text = String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned();
            let is_plain = !text.contains("dial9") && !text.contains("{{");
            assert!(is_plain, "{}: {text}", path.display());
        }
    }
}

/// Compiles the exported tests with a reader and a replacement for JUnit, and runs them.
fn in_java(place: &Place, reader: &str) -> String {
    let ours = root().join("cli/tests/joining/junit");
    let ours = ours.to_str().expect("a plain path");
    let exported = "src/test/java/tracegauge";
    let (is_well, said) = shell(
        place,
        &format!(
            "rm -rf classes && javac -Xlint:all,-serial -Werror -d classes $(ls {exported}/*.java | grep -v /Reader.java) {reader} {ours}/tracegauge/Main.java {ours}/org/junit/jupiter/api/*.java"
        ),
    );
    assert!(is_well, "{said}");
    shell(place, "java -cp classes tracegauge.Main NotesV1Test").1
}

#[test]
fn a_right_reader_passes_in_java() {
    if !is_here("javac") {
        return println!("skipped: there is no javac here");
    }
    let place = Place::new();
    export(&place, &["--spec", &notes()], "junit5");
    let ours = root().join("cli/tests/joining/junit/tracegauge/Reader.java");
    let said = in_java(&place, ours.to_str().expect("a plain path"));
    assert!(
        said.contains(" passed, 0 failed, 0 skipped")
            && !format!("\n{said}").contains("\n0 passed"),
        "{said}"
    );
    let said = in_java(&place, "src/test/java/tracegauge/Reader.java");
    assert!(said.contains("\n0 passed"), "{said}");
    assert!(
        said.contains("call your reader in `read` of Reader.java"),
        "{said}"
    );
}

#[test]
fn a_mistake_is_no_rejection_in_java() {
    if !is_here("javac") {
        return println!("skipped: there is no javac here");
    }
    let place = Place::new();
    export(&place, &["--spec", &notes()], "junit5");
    let reader = fs::read_to_string(root().join("cli/tests/joining/junit/tracegauge/Reader.java"));
    let reader = reader
        .expect("a reader")
        .replace("throw new Rejection(\"no notes\")", "throw null");
    fs::write(place.path().join("out/Reader.java"), reader).expect("written");
    let said = in_java(&place, "Reader.java");
    assert!(said.contains("crash: notes-v1/malformed/MAGIC/"), "{said}");
    assert!(said.contains("java.lang.NullPointerException"), "{said}");
}

#[test]
fn a_reader_may_recurse_deeply_in_java() {
    if !is_here("javac") {
        return println!("skipped: there is no javac here");
    }
    let place = Place::new();
    export(&place, &["--spec", &notes()], "junit5");
    let reader = fs::read_to_string(root().join("cli/tests/joining/junit/tracegauge/Reader.java"));
    // This many frames exceed the default stack size, which is at most 8 MB.
    let reader = reader
        .expect("a reader")
        .replace(
            "read(Path trace) throws Exception {",
            "read(Path trace) throws Exception {\n        descend(500_000);",
        )
        .replace(
            "private Reader() {}",
            "private Reader() {}\n\n    private static int descend(int levels) {\n        \
             return levels == 0 ? 0 : 1 + descend(levels - 1);\n    }",
        );
    assert!(reader.contains("descend(500_000);") && reader.contains("int descend("));
    fs::write(place.path().join("out/Reader.java"), reader).expect("written");
    let said = in_java(&place, "Reader.java");
    assert!(
        said.contains(" passed, 0 failed, 0 skipped") && !said.contains("\n0 passed"),
        "{said}"
    );
}

#[test]
fn maven_shows_the_names_of_cases_and_fails_where_nothing_matches() {
    let place = Place::new();
    export(&place, &["--spec", &notes()], "junit5");
    let ours = root().join("cli/tests/joining/junit/tracegauge/Reader.java");
    if !is_here("mvn") || !shell(&place, "mvn -B -q -ntp test -DskipTests").0 {
        return println!("skipped: there is no mvn here, or it cannot have JUnit 5");
    }
    fs::copy(
        ours,
        place
            .path()
            .join("out/src/test/java/tracegauge/Reader.java"),
    )
    .expect("copied");
    let (is_well, said) = shell(&place, "mvn -B -ntp test");
    assert!(
        is_well && said.contains("Tests run: 62, Failures: 0"),
        "{said}"
    );
    let (_, report) = shell(&place, "cat target/surefire-reports/*.xml");
    assert!(report.contains("notes-v1/malformed/MAGIC/"), "{report}");
    let (is_well, said) = shell(&place, "mvn -B -o test '-Dtest=*Test#*MAGIC*'");
    assert!(is_well && !said.contains("Tests run: 0"), "{said}");
    let (is_well, said) = shell(&place, "mvn -B -o test '-Dtest=*Test#*MAGICAL*'");
    assert!(!is_well, "{said}");
}

/// Exports the tests of the `notes` format for Go, with a correct reader.
fn right_in_go() -> Place {
    let place = Place::new();
    export(&place, &["--spec", &notes()], "go");
    let reader = include_str!("joining/fill/go_reader_test.go.txt");
    fs::write(place.path().join("out/reader_test.go"), reader).expect("written");
    place
}

fn change(place: &Place, file: &str, from: &str, to: &str) {
    let path = place.path().join("out").join(file);
    let text = fs::read_to_string(&path).expect("text");
    assert!(text.contains(from), "{file}: {from}");
    fs::write(path, text.replace(from, to)).expect("written");
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
    let place = right_in_go();
    let (is_well, said) = shell(&place, "go vet ./... && go test ./...");
    assert!(is_well, "{said}");
}

#[test]
fn a_filter_that_matches_nothing_fails_in_go() {
    if !is_here("go") {
        return println!("skipped: there is no go here");
    }
    let place = right_in_go();
    for (command, is_right) in [
        (
            "go test -v -run 'Conformance/notes-v1/malformed/MAGIC'",
            true,
        ),
        ("TRACEGAUGE_CASES='*/MAGIC/*' go test -v", true),
        ("go test -v -run 'Conformance/.*MAGIC'", false),
        ("TRACEGAUGE_CASES='*MAGICAL*' go test -v", false),
    ] {
        let (is_well, said) = shell(&place, command);
        assert_eq!(is_well, is_right, "{command}: {said}");
        let ran = said.contains("--- PASS: TestConformance/notes-v1/malformed/MAGIC/");
        assert_eq!(ran, is_right, "{command}: {said}");
        assert!(
            !said.contains("TestConformance/notes-v1/malformed/LEVEL"),
            "{command}: {said}"
        );
        assert!(is_right || said.contains("no case matches"), "{said}");
    }
}

#[test]
fn a_panic_fails_one_test_and_a_mistake_is_no_rejection_in_go() {
    if !is_here("go") {
        return println!("skipped: there is no go here");
    }
    let place = right_in_go();
    let no = "return nil, errors.New(\"no notes\")";
    change(&place, "reader_test.go", no, "panic(\"no notes\")");
    let (is_well, said) = shell(&place, "go test -v");
    assert!(!is_well, "{said}");
    assert!(said.contains("crash: notes-v1/malformed/MAGIC/"), "{said}");
    assert!(
        said.contains("--- PASS: TestConformance/notes-v1/valid/"),
        "{said}"
    );
    let lost = "_, err = os.ReadFile(\"lost\")\n\t\treturn nil, err";
    change(&place, "reader_test.go", "panic(\"no notes\")", lost);
    let (_, said) = shell(&place, "go test -v");
    assert!(said.contains("crash: notes-v1/malformed/MAGIC/"), "{said}");
}

#[test]
fn a_failure_names_case_rule_location_bytes_and_difference() {
    if !is_here("go") {
        return println!("skipped: there is no go here");
    }
    let place = right_in_go();
    change(&place, "reader_test.go", "rest[8] > 9", "rest[8] > 10");
    let (_, said) = shell(&place, "go test");
    for part in [
        "wrong-accept: notes-v1/malformed/LEVEL/one-above/notes.level",
        "rule      LEVEL (Notes)",
        "A level is at most 9.",
        "location  notes[0].level, byte 12",
        "bytes     4: ",
        " [0a] ",
        "expected  reject",
        "actual    accept",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    change(
        &place,
        "reader_test.go",
        "\"level\": rest[8]",
        "\"level\": rest[8] + 1",
    );
    let (_, said) = shell(&place, "go test");
    assert!(said.contains("differs   record 0: level\n"), "{said}");
    assert!(said.lines().all(|line| line.len() < 400), "{said}");
}

/// Returns the control characters of a message and the characters that XML forbids.
fn unprintable(said: &str) -> String {
    let is_shown = |c: &char| match c {
        '\n' | '\t' => true,
        '\u{fffd}' | '\u{fffe}' | '\u{ffff}' => false,
        c => !c.is_control(),
    };
    said.chars().filter(|c| !is_shown(c)).collect()
}

#[test]
fn messages_contain_only_what_xml_allows() {
    // The readers throw U+FFFF, U+0000, ESC, text that is not UTF-8, and half of a surrogate pair.
    let assert_shown = |said: &str| {
        assert!(
            said.contains("a\\uffff\\u0000\\u001bb\\") && unprintable(said).is_empty(),
            "{:?} {said}",
            unprintable(said)
        );
    };
    if is_here("go") {
        let place = right_in_go();
        let no = "return nil, errors.New(\"no notes\")";
        let wrong = "panic(\"a\\uffff\\x00\\x1bb\\xff\")";
        change(&place, "reader_test.go", no, wrong);
        assert_shown(&shell(&place, "go test").1);
    }
    if is_here("python3") {
        let place = Place::new();
        export(&place, &["--spec", &notes()], "pytest");
        let wrong = "def read(path):\n    raise ValueError('a\\uffff\\0\\x1bb\\ud800')\n";
        fs::write(place.path().join("out/tracegauge_reader.py"), wrong).expect("written");
        assert_shown(&shell(&place, "python3 -m unittest").1);
    }
    if is_here("javac") {
        let place = Place::new();
        export(&place, &["--spec", &notes()], "junit5");
        let reader = root().join("cli/tests/joining/junit/tracegauge/Reader.java");
        let reader = fs::read_to_string(reader).expect("a reader");
        let right = "throw new Rejection(\"no notes\")";
        assert!(reader.contains(right));
        let wrong = "throw new Exception(\"a\\uffff\\0\\u001bb\\ud800\")";
        let reader = reader.replace(right, wrong);
        fs::write(place.path().join("out/Reader.java"), reader).expect("written");
        assert_shown(&in_java(&place, "Reader.java"));
    }
}

#[test]
fn traces_whose_line_ends_were_converted_are_told() {
    let place = Place::new();
    for shape in ["pytest", "go", "junit5", "files"] {
        let out = format!("out/{shape}");
        let words = [
            "corpus",
            "export",
            "--as",
            shape,
            "--spec",
            &notes(),
            "--out",
            &out,
        ];
        let output = place.tracegauge(&words);
        assert_eq!(output.status, Some(0), "{}", output.all());
        let folder = if shape == "files" { "." } else { "cases" };
        let attributes = place.path().join(out).join(folder).join(".gitattributes");
        let attributes = fs::read_to_string(attributes).expect("attributes");
        assert!(attributes.contains("\n* -text\n"), "{attributes}");
    }
    // Converts line endings as git does for text files on Windows: in the lists, the expectations,
    // the files of tracegauge and the traces.
    let unix_to_dos = "find . -type f -not -name '*.class' -exec sed -i 's/$/\\r/' {} +";
    assert!(shell(&place, unix_to_dos).0);
    if is_here("go") {
        let (is_well, said) = shell(&place, "cd go && go test");
        assert!(
            !is_well && said.contains("is not the trace that was exported"),
            "{said}"
        );
    }
    if is_here("python3") {
        let (is_well, said) = shell(&place, "cd pytest && python3 -m unittest");
        assert!(
            !is_well && said.contains("is not the trace that was exported"),
            "{said}"
        );
    }
}

#[test]
fn known_failures_are_skipped_while_they_fail_as_listed() {
    if !is_here("go") || !is_here("python3") {
        return println!("skipped: there is no go or no python3 here");
    }
    let place = right_in_go();
    change(&place, "reader_test.go", "rest[8] > 9", "rest[8] > 10");
    let list = |text: &str| {
        fs::write(place.path().join("out/known-failures.txt"), text).expect("written");
        shell(&place, "go test -v")
    };
    let entry = "# a comment\nwrong-accept */LEVEL/one-above/* issue 7: levels up to 10\n";
    let (is_well, said) = list(entry);
    assert!(
        is_well && said.contains("known failure: issue 7: levels up to 10"),
        "{said}"
    );
    for (text, told) in [
        (
            "wrong-records */LEVEL/one-above/* x\n",
            "listed as wrong-records, but the outcome is wrong-accept",
        ),
        (
            "wrong-accept */LEVEL/* x\nwrong-accept */MAGIC/* y\n",
            "txt:2: listed as wrong-accept, but the outcome is pass",
        ),
        (
            "wrong-accept */NOWHERE/* x\n",
            "txt:1: no case matches */NOWHERE/*",
        ),
        (
            "wrong-accept */LEVEL/*\n",
            "txt:1: expected OUTCOME CASE REASON",
        ),
        ("wrong */LEVEL/* x\n", "txt:1: expected OUTCOME CASE REASON"),
    ] {
        let (is_well, said) = list(text);
        assert!(!is_well && said.contains(told), "{text}: {said}");
    }
}

#[test]
fn files_of_others_are_kept_and_cases_that_are_no_more_go() {
    let place = Place::new();
    let out = place.path().join("out");
    fs::create_dir(&out).expect("a folder");
    fs::write(out.join("README.md"), "mine\n").expect("written");
    fs::write(out.join("tracegauge_comparison.py"), "mine = 1\n").expect("written");
    let words = [
        "corpus",
        "export",
        "--as",
        "pytest",
        "--out",
        "out",
        "--spec",
        &notes(),
    ];
    let output = place.tracegauge(&words);
    assert_eq!(output.status, Some(2), "{}", output.all());
    assert!(
        output
            .err
            .contains("tracegauge_comparison.py was not written by this command"),
        "{}",
        output.err
    );
    assert!(!out.join("cases").exists(), "nothing is written then");
    fs::remove_file(out.join("tracegauge_comparison.py")).expect("removed");
    export(&place, &["--spec", &notes()], "pytest");
    assert_eq!(
        fs::read_to_string(out.join("README.md")).expect("text"),
        "mine\n"
    );

    let list = out.join("cases/notes-v1.txt");
    let old = "notes-v1/malformed/OLD/it\tnotes-v1/malformed/OLD/it.notes\tmust\n";
    let evil = "notes-v1/up\t../README.md\tmust\n";
    let text = fs::read_to_string(&list).expect("a list");
    fs::write(&list, format!("{text}{old}{evil}")).expect("written");
    fs::create_dir_all(out.join("cases/notes-v1/malformed/OLD")).expect("a folder");
    fs::write(out.join("cases/notes-v1/malformed/OLD/it.notes"), "").expect("written");
    fs::write(out.join("cases/notes-v1/malformed/OLD/it.notes.json"), "").expect("written");
    fs::write(out.join("cases/notes-v1/malformed/mine"), "").expect("written");
    export(&place, &["--spec", &notes()], "pytest");
    assert_eq!(fs::read_to_string(&list).expect("a list"), text);
    assert!(!out.join("cases/notes-v1/malformed/OLD").exists());
    assert!(out.join("cases/notes-v1/malformed/mine").exists() && out.join("README.md").exists());
}

#[test]
fn inside_a_go_module_the_tests_are_a_package_of_it() {
    if !is_here("go") {
        return println!("skipped: there is no go here");
    }
    let place = Place::new();
    fs::create_dir(place.path().join("out")).expect("a folder");
    fs::write(
        place.path().join("out/go.mod"),
        "module example.com/mine\n\ngo 1.21\n",
    )
    .expect("written");
    fs::write(
        place.path().join("out/mine.go"),
        "package mine\n\nconst Name = 1\n",
    )
    .expect("written");
    let words = [
        "corpus",
        "export",
        "--as",
        "go",
        "--out",
        "out/conformance",
        "--spec",
        &notes(),
    ];
    let output = place.tracegauge(&words);
    assert!(
        output.err.contains("inside a Go module"),
        "{}",
        output.all()
    );
    assert!(!place.path().join("out/conformance/go.mod").exists());
    let reader = include_str!("joining/fill/go_reader_test.go.txt");
    let reader = reader.replace("import (", "import (\n\t_ \"example.com/mine\"");
    fs::write(place.path().join("out/conformance/reader_test.go"), reader).expect("written");
    let (is_well, said) = shell(&place, "go test ./...");
    assert!(
        is_well && said.contains("example.com/mine/conformance"),
        "{said}"
    );
}

#[test]
fn an_export_under_a_go_workspace_says_how_to_run_the_tests() {
    let place = Place::new();
    fs::write(place.path().join("go.work"), "go 1.21\n").expect("written");
    let output = export(&place, &["--spec", &notes()], "go");
    assert!(output.err.contains("GOWORK=off"), "{}", output.all());
}

#[test]
fn pytest_finds_the_tests_in_each_of_its_import_modes() {
    let place = Place::new();
    if !is_here("python3") || !shell_in(place.path(), "python3 -m pytest --version").0 {
        return println!("skipped: there is no pytest here");
    }
    export(&place, &["--spec", &notes()], "pytest");
    let reader = "REJECTIONS = ()\nimport helper\n\ndef read(path):\n    return None\n";
    fs::write(place.path().join("out/tracegauge_reader.py"), reader).expect("written");
    fs::write(place.path().join("out/helper.py"), "").expect("written");
    for mode in ["prepend", "append", "importlib"] {
        let command = format!("python3 -m pytest -q -p no:cacheprovider --import-mode={mode} out");
        let (_, said) = shell_in(place.path(), &command);
        assert!(
            said.contains("wrong-accept: notes-v1/malformed/MAGIC/"),
            "{mode}: {said}"
        );
        assert!(!said.contains("ModuleNotFoundError"), "{mode}: {said}");
    }
}

#[test]
fn tests_for_go_need_a_folder_without_another_package() {
    let place = Place::new();
    let own = place.path().join("own");
    fs::create_dir(&own).expect("a folder");
    fs::write(own.join("own.go"), "// Mine.\npackage own\n").expect("written");
    let export = |out: &str| {
        place.tracegauge(&[
            "corpus",
            "export",
            "--format",
            "dial9-v1@optional",
            "--as",
            "go",
            "--out",
            out,
        ])
    };
    let refused = export("own");
    assert_eq!(refused.status, Some(2), "{}", refused.all());
    assert!(refused.err.contains("Go package `own`"), "{}", refused.err);
    assert_eq!(fs::read_dir(&own).expect("a folder").count(), 1);
    for _ in 0..2 {
        let output = export("own/conformance");
        assert_eq!(output.status, Some(0), "{}", output.all());
    }
}
