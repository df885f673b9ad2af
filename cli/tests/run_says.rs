//! Tests the output of `run` as users see it, except for the table.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// The description of a format with few cases, which can be generated quickly.
const SPEC: &str = r#"
meta: { id: tlv-v1, family: tlv, title: Tagged entries, endian: be, encoding: UTF-8 }
seq:
  - { id: magic, contents: "TLV\n" }
  - { id: version, type: u1, valid: 1 }
  - { id: label_size, type: u1, value: label._sizeof }
  - { id: label, type: str, size: label_size }
"#;

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("spec.yaml"), SPEC).unwrap();
        Self(folder)
    }

    /// Writes a reader file and the script that it runs for each case. Returns the file's name.
    fn reader(&self, name: &str, script: &str, more: &str) -> String {
        let program = self.0.path().join(name);
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let text = format!("name: {name}\ncommand: [./{name}]\n{more}");
        let file = format!("{name}.yaml");
        fs::write(self.0.path().join(&file), text).unwrap();
        file
    }

    /// Runs `run` with these arguments. Returns its exit status, standard output and standard
    /// error.
    fn run(&self, words: &[&str]) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_tracegauge"))
            .args(["run", "--spec", "spec.yaml"])
            .args(words)
            .current_dir(self.0.path())
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let status = output.status.code().unwrap();
        (status, text(output.stdout), text(output.stderr))
    }

    fn has_run(&self) -> bool {
        Path::new(&self.0.path().join(".tracegauge")).exists()
    }
}

#[test]
fn files_that_cannot_be_written_are_refused_before_anything_runs() {
    let place = Place::new();
    fs::create_dir(place.0.path().join("folder")).unwrap();
    for option in ["--json", "--junit", "--html", "--markdown"] {
        for (file, why) in [
            ("no-such/x", "there is no folder no-such"),
            ("folder", "is a directory"),
        ] {
            let (status, out, errors) = place.run(&[option, file, "--", "true", "{file}"]);
            assert_eq!((status, out.as_str()), (2, ""), "{option} {file}");
            assert!(errors.contains(file) && errors.contains(why), "{errors}");
        }
    }
    assert!(!place.has_run());
}

#[test]
fn the_table_is_printed_though_a_file_cannot_be_written_in_the_end() {
    let place = Place::new();
    let reader = place.reader("mine", "exit 65", "build: rmdir reports\n");
    fs::create_dir(place.0.path().join("reports")).unwrap();
    let words = ["--reader", &reader, "--html", "reports/x", "--json", "y"];
    let (status, out, errors) = place.run(&words);
    assert_eq!(status, 3, "{errors}");
    assert!(out.contains(" cases: "), "{out}");
    assert!(errors.contains("error: reports/x: "), "{errors}");
    assert!(place.0.path().join("y").exists(), "the other is written");
}

#[test]
fn output_that_is_no_records_is_told_with_its_first_line() {
    let place = Place::new();
    let words = ["--markdown", "x.md", "--", "sh", "-c"];
    let run = |script| place.run(&[&words[..], &[script, "{file}"]].concat()).1;
    let note = |out: &str| {
        let mut notes = out.lines().filter(|line| line.starts_with("note: "));
        let note = notes.find(|line| !line.contains("whether the reader is called correctly"));
        note.unwrap_or_default().to_owned()
    };
    let out = run("echo 'hello  world'; echo '{\"record\": \"ev'");
    let told = note(&out);
    let cases = out
        .split(" cases: ")
        .next()
        .unwrap()
        .lines()
        .last()
        .unwrap();
    assert_eq!(
        told,
        format!(
            "note: {cases} of {cases} answers contain lines that are not records (the first is `hello  world`); only the verdicts were compared: \
             docs/reader-protocol.md#records"
        )
    );
    let page = fs::read_to_string(place.0.path().join("x.md")).unwrap();
    assert!(
        page.contains("answers contain lines that are not records"),
        "{page}"
    );
    let out = run("echo '{\"record\": \"x\"}'; echo '{\"record\": \"ev'");
    let told = note(&out);
    assert!(
        told.contains("(the first is `{\"record\": \"ev`); extra lines are ignored"),
        "{out}"
    );
    assert_eq!(note(&run("echo '{\"end\": \"accept\"}'")), "");
    let out = run("printf '\\033[31m\\n'");
    assert!(
        note(&out).contains("`\\u{1b}[31m`") && !out.contains('\u{1b}'),
        "{out}"
    );

    let script = "echo '{\"record\": \"x\"}'; echo '{\"record\": \"ev'";
    let reader = place.reader("mine", script, "reports: records\n");
    let (status, out, _) = place.run(&["--reader", &reader, "--failures", "1"]);
    assert_eq!((status, note(&out).as_str()), (1, ""), "{out}");
    assert!(out.contains("FAIL protocol"), "cut JSON is a breach: {out}");
}

#[test]
fn the_same_answer_to_everything_is_told() {
    let place = Place::new();
    let told = |script| {
        let (_, out, _) = place.run(&["--", "sh", "-c", script, "{file}"]);
        let said = |what: &str| out.contains(&format!(" traces: it {what}"));
        (said("accepts even"), said("rejects even"))
    };
    assert_eq!(told("exit 0"), (true, false));
    assert_eq!(told("exit 65"), (false, true));
    let by_bytes = "set -- $(cksum <\"$0\"); test $(($1 % 2)) = 0 && exit 65 || exit 0";
    assert_eq!(told(by_bytes), (false, false));
}

/// Checks a reader that rejects the first trace on which it is run and accepts all others.
#[test]
fn a_reader_that_keeps_something_of_one_trace_for_the_next_is_told_so() {
    let place = Place::new();
    let told = |answers: &str| {
        let greeting = r#"{"tracegauge":1,"name":"mine","version":"1","reports":"verdict"}"#;
        let script = format!("read -r hello; echo '{greeting}'\n{answers}");
        let reader = place.reader("mine", &script, "mode: serve\n");
        let json = ["--json", "result.json"];
        let (status, out, err) =
            place.run(&[&["--reader", &reader, "--jobs", "1"], &json[..]].concat());
        assert_eq!(status, 1, "{out}{err}");
        let explained = Command::new(env!("CARGO_BIN_EXE_tracegauge"))
            .args(["explain", "--spec", "spec.yaml", "--results", "result.json"])
            .current_dir(place.0.path())
            .output()
            .unwrap();
        let explained = String::from_utf8(explained.stdout).unwrap();
        assert!(explained.contains("mine 1 fails "), "{explained}");
        let told = "the reader keeps state from one trace to the next";
        assert_eq!(out.contains(told), explained.contains(told), "{explained}");
        out.contains(told)
    };
    let reject = r#"echo '{"end":"reject"}'"#;
    let accept = r#"while read -r line; do echo '{"end":"accept"}'; done"#;
    assert!(told(&format!("read -r line; {reject}\n{accept}")));
    assert!(!told(accept));
}

#[test]
fn a_run_of_several_readers_ends_with_what_became_of_each() {
    let place = Place::new();
    let rejects = place.reader("rejects-all", "exit 65", "");
    let absent = place.reader("absent", "exit 0", "requires: [no-such-program]\n");
    let words = ["--reader", &rejects, "--reader", &absent, "--failures", "0"];
    let (status, out, _) = place.run(&words);
    assert_eq!(status, 1);
    let lines: Vec<&str> = out.lines().rev().take(3).collect();
    assert_eq!(lines[2], "  rejects-all  ✗ 4 failures: 4 wrong verdicts");
    assert_eq!(lines[1], "  absent       – skipped");
    assert_eq!(lines[0], "2 readers: 1 failed, 0 passed, 1 skipped");
    let (_, out, _) = place.run(&["--reader", &rejects, "--failures", "0"]);
    assert!(!out.contains("1 reader"), "one needs no list: {out}");
    let last = out.lines().last();
    let verdict = "✗ fails: 4 wrong verdicts; 23 of 27 cases passed";
    assert_eq!(last, Some(verdict), "{out}");
}

#[test]
fn quiet_tells_what_fails_and_nothing_else() {
    let place = Place::new();
    let rejects = place.reader("rejects-all", "exit 65", "");
    let absent = place.reader("absent", "exit 0", "requires: [no-such-program]\n");
    let words = ["--quiet", "--reader", &rejects, "--reader", &absent];
    let (status, out, errors) = place.run(&[&words[..], &["--failures", "1"]].concat());
    assert_eq!((status, errors.as_str()), (1, ""));
    let first = out.lines().next().unwrap();
    let wanted = "rejects-all (once, reports verdict): ";
    assert!(
        first.starts_with(wanted) && first.ends_with(": 4 failures: 4 wrong verdicts"),
        "{out}"
    );
    assert!(out.contains("\nFAIL wrong reject  tlv-v1/"), "{out}");
    for left_out in [
        "absent",
        "where either",
        "total",
        "containment",
        "2 readers",
    ] {
        assert!(!out.contains(left_out), "{left_out}: {out}");
    }
    let (status, out, _) = place.run(&["--quiet"]);
    assert_eq!((status, out.as_str()), (0, ""), "nothing fails");
    let (status, out, _) = place.run(&["--quiet", "--reader", &absent]);
    assert_eq!(status, 4);
    assert!(out.contains("which is not on the PATH"), "{out}");
}

#[test]
fn formats_that_are_not_there_are_wrong_usage_with_what_was_meant() {
    let place = Place::new();
    let reader = place.reader("mine", "exit 65", "formats: [tlv-v1, tlv-v2]\n");
    let (status, out, errors) = place.run(&["--reader", &reader]);
    assert_eq!((status, out.as_str()), (2, ""));
    let wanted = "error: mine.yaml:3:19: `formats`: unknown format tlv-v2; did you mean tlv-v1?";
    assert!(errors.starts_with(wanted), "{errors}");
    assert!(errors.contains("\n  known formats: "), "{errors}");
    assert!(!place.has_run());
    for right in ["[tlv-v1]", "[tlv]"] {
        let reader = place.reader("mine", "exit 65", &format!("formats: {right}\n"));
        let (status, _, errors) = place.run(&["--reader", &reader]);
        assert_eq!(status, 1, "{errors}");
    }
}

#[test]
fn all_that_is_wrong_with_a_reader_file_is_told_at_once() {
    let place = Place::new();
    let wrong = "formats: [tlv-v2]\nmode: server\ntime: 5s\n";
    let reader = place.reader("mine", "exit 65", wrong);
    let (status, out, errors) = place.run(&["--reader", &reader]);
    assert_eq!((status, out.as_str()), (2, ""));
    for line in ["mine.yaml:3:11: ", "mine.yaml:4:7: ", "mine.yaml:5:1: "] {
        assert!(errors.contains(line), "{errors}");
    }
    assert!(!place.has_run());
}

#[test]
fn a_reader_that_accepts_nothing_does_not_conform() {
    let place = Place::new();
    let words = ["--filter", "malformed", "--junit", "x.xml"];
    for script in ["exit 65", "exit 1"] {
        let command = ["--", "sh", "-c", script, "{file}"];
        let (status, out, _) = place.run(&[&words[..], &command].concat());
        assert_eq!(status, 1, "{out}");
        let last = out.lines().last().unwrap_or_default();
        let wanted = "✗ proves nothing: the reader accepted no traces; ";
        assert!(last.starts_with(wanted), "{out}");
        assert!(out.contains("(0 proven"), "{out}");
        let junit = fs::read_to_string(place.0.path().join("x.xml")).unwrap();
        assert!(junit.contains("the reader accepts a trace"), "{junit}");
    }
    let (status, out, _) = place.run(&words);
    assert_eq!(status, 0, "the reference decoder proves it: {out}");
    assert!(out.contains("✓ conforms; "), "{out}");
}

#[test]
fn an_interpreter_without_its_script_is_no_reader_that_crashes() {
    let place = Place::new();
    for (command, status, told) in [
        (
            ["sh", "./nope.sh"],
            2,
            "`./nope.sh` in the reader's command is not a file in ",
        ),
        (
            ["sh", "-c"],
            127,
            "the shell in the reader's command cannot find or execute a program",
        ),
    ] {
        let more = if command[1] == "-c" {
            "no-such-program"
        } else {
            "{file}"
        };
        let (exit, out, _) = place.run(&["--", command[0], command[1], more]);
        assert_eq!(exit, 3, "{out}");
        let wanted = format!("it exited with status {status} in the first cases; {told}");
        assert!(
            out.contains("could not run: the reader could not be started"),
            "{out}"
        );
        assert!(out.contains(&wanted), "{out}");
        assert!(!out.contains("crash"), "{out}");
    }
}

#[test]
fn mistyped_placeholders_are_wrong_usage() {
    let place = Place::new();
    let (status, out, errors) = place.run(&["--", "true", "{fil}"]);
    assert_eq!((status, out.as_str()), (2, ""));
    let wanted = "error: unknown placeholder `{fil}`; did you mean `{file}`?";
    assert!(errors.starts_with(wanted), "{errors}");
    let file = "name: mine\ncommand: [sh, -c, 'exit 0', '{fil}']\n";
    fs::write(place.0.path().join("mine.yaml"), file).unwrap();
    let (status, _, errors) = place.run(&["--reader", "mine.yaml"]);
    assert_eq!(status, 2);
    let wanted = "error: mine.yaml:2:29: `command`: unknown placeholder `{fil}`;";
    assert!(errors.starts_with(wanted), "{errors}");
}

#[test]
fn a_program_in_this_folder_is_suggested_with_its_folder() {
    let place = Place::new();
    place.reader("mine.sh", "exit 0", "");
    let (status, _, errors) = place.run(&["mine.sh"]);
    assert_eq!(status, 2);
    let wanted = "as in: tracegauge run -- ./mine.sh {file}\n";
    assert!(errors.ends_with(wanted), "{errors}");
}

#[test]
fn a_command_without_a_program_ends_before_any_case_is_generated() {
    let place = Place::new();
    let (status, out, errors) = place.run(&["--", "./nothing", "{file}"]);
    assert_eq!((status, out.as_str()), (3, ""));
    assert_eq!(errors, "error: program `./nothing` not found\n");
    assert!(!place.has_run());
}

#[test]
fn files_that_are_no_reader_files_are_told_from_those_with_mistakes() {
    let place = Place::new();
    let write = |name: &str, bytes: &[u8]| fs::write(place.0.path().join(name), bytes).unwrap();
    write("reader.py", b"import sys\nprint(sys.argv[1:])\n");
    write("trace.bin", b"TLV\n\x01\xff\xfe");
    for name in ["reader.py", "trace.bin", "spec.yaml"] {
        let (status, out, errors) = place.run(&["--reader", name]);
        assert_eq!((status, out.as_str()), (2, ""), "{errors}");
        let wanted = format!("error: {name} is not a reader file, which is YAML");
        assert!(errors.starts_with(&wanted), "{errors}");
        assert!(
            errors.contains("`tracegauge reader init` writes"),
            "{errors}"
        );
    }
    let (_, _, errors) = place.run(&["--reader", "no-such.yaml"]);
    assert!(
        errors.contains("`tracegauge reader init` writes"),
        "{errors}"
    );
    write("mistaken.yaml", b"command: [./mine\nmode: serve\n");
    let (_, _, errors) = place.run(&["--reader", "mistaken.yaml"]);
    assert!(errors.starts_with("error: mistaken.yaml:"), "{errors}");

    let reader = place.reader("mine", "exit 65", "");
    let (status, _, errors) = place.run(&[&reader]);
    assert_eq!(status, 2);
    assert!(
        errors.contains("tracegauge run --reader mine.yaml"),
        "{errors}"
    );
    let (status, _, errors) = place.run(&["reader.py"]);
    assert_eq!(status, 2);
    assert!(
        errors.contains("tracegauge run -- ./reader.py {file}"),
        "{errors}"
    );
}

/// Checks filters that match nothing. Generating the cases of the bundled formats would take
/// seconds.
#[test]
fn filters_that_match_nothing_are_told_before_cases_are_generated() {
    let folder = tempfile::tempdir().unwrap();
    let run = |filter: &str| {
        Command::new(env!("CARGO_BIN_EXE_tracegauge"))
            .args(["run", "--filter", filter, "--", "true", "{file}"])
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    let output = run("no-such-name");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{errors}");
    assert!(
        errors.contains("no case has `no-such-name` in its name or rule"),
        "{errors}"
    );
    assert!(!errors.contains("generating"), "{errors}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_wrong_rejection_shows_the_bytes_to_look_at() {
    let place = Place::new();
    let notes = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/joining/notes.yaml");
    fs::copy(notes, place.0.path().join("spec.yaml")).unwrap();
    let look_at = |script: &str| -> Vec<Vec<String>> {
        let words = [
            "--json",
            "result.json",
            "--html",
            "x.html",
            "--failures",
            "100",
        ];
        let command = ["--", "sh", "-c", script, "{file}"];
        let (status, out, _) = place.run(&[&words[..], &command].concat());
        assert_eq!(status, 1, "{out}");
        let failures = out.split("FAIL wrong reject").skip(1);
        let lines = failures.map(|one| one.lines().map(|line| line.trim().to_owned()).collect());
        let explained = Command::new(env!("CARGO_BIN_EXE_tracegauge"))
            .args(["explain", "--spec", "spec.yaml", "--results", "result.json"])
            .arg(
                out.split("FAIL wrong reject")
                    .last()
                    .unwrap()
                    .lines()
                    .next()
                    .unwrap()
                    .trim(),
            )
            .current_dir(place.0.path())
            .output()
            .unwrap();
        let explained = String::from_utf8(explained.stdout).unwrap();
        assert!(explained.contains(" look at byte"), "{explained}");
        lines.collect()
    };
    let says_where = r#"echo '{"end":"reject","offset":5}'; exit 65"#;
    for failure in look_at(says_where) {
        let at = failure.iter().position(|line| line.starts_with("look at"));
        let at = at.unwrap_or_else(|| panic!("{failure:?}"));
        assert_eq!(failure[at], "look at    byte 5, which the reader reports");
        assert!(
            failure[at + 1].starts_with("bytes      00000000  4e 4f 54 45"),
            "{failure:?}"
        );
        assert!(failure[at + 2].trim() == "^^", "{failure:?}");
    }
    // Some traces exercise no rule.
    let mut failures = look_at("exit 65");
    failures.retain(|failure| failure.iter().any(|line| line.starts_with("about ")));
    assert!(failures.len() > 1, "{failures:?}");
    for failure in failures {
        let is_about = |line: &&String| {
            line.starts_with("look at    byte")
                && line.contains(", where the trace first exercises ")
        };
        let about = failure.iter().find(is_about);
        assert!(about.is_some(), "{failure:?}");
        assert!(
            failure.iter().any(|line| line.starts_with('^')),
            "{failure:?}"
        );
    }
}

#[test]
fn departures_select_cases() {
    let place = Place::new();
    let departures = |words: &[&str]| {
        let (status, _, errors) = place.run(&[words, &["--json", "result.json"]].concat());
        assert_eq!(status, 0, "{errors}");
        let result = fs::read(place.0.path().join("result.json")).unwrap();
        let result: serde_json::Value = serde_json::from_slice(&result).unwrap();
        let cases = result["readers"][0]["cases"].as_array().unwrap().clone();
        let of = |case: &serde_json::Value| case["departures"].as_array().map_or(0, Vec::len);
        cases.iter().map(of).collect::<Vec<usize>>()
    };
    let (plain, unusual) = (
        departures(&["--without", "*"]),
        departures(&["--with", "*"]),
    );
    assert!(!plain.is_empty() && plain.iter().all(|count| *count == 0));
    assert!(!unusual.is_empty() && unusual.iter().all(|count| *count > 0));
    assert_eq!(departures(&[]).len(), plain.len() + unusual.len());
    let (status, _, errors) = place.run(&["--with", "no such departure"]);
    assert_eq!(status, 4);
    assert!(errors.contains("no case matches --with"), "{errors}");
}
