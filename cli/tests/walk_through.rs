//! Tests that every command on the documentation pages for authors of readers works, in the order
//! of each page.

use std::fs;
use std::path::Path;
use std::process::Command;

use joining::{Place, is_here, notes, root};

use crate::joining;

/// A fenced block of shell commands, and the expected exit status of the last command.
struct Block {
    commands: String,
    status: i32,
}

/// Returns the blocks of a page that are marked as `sh`.
fn blocks(page: &str) -> Vec<Block> {
    let text = fs::read_to_string(root().join("docs").join(page)).expect("a page");
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```sh") else {
            continue;
        };
        let status = info.trim().strip_prefix("status=");
        let commands: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        found.push(Block {
            commands: commands.join("\n"),
            status: status.map_or(0, |status| status.parse().expect("a status")),
        });
    }
    assert!(!found.is_empty(), "{page}");
    found
}

/// Runs the blocks of a page in a folder and returns the output of each.
fn follow(page: &str, place: &Place) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_tracegauge"));
    let here = program.parent().expect("a folder").to_path_buf();
    let known = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(here).chain(std::env::split_paths(&known));
    let path = std::env::join_paths(path).expect("a path");
    let follow = |block: &Block| {
        let output = Command::new("sh")
            .args(["-e", "-c", &block.commands])
            .current_dir(place.path())
            .env("PATH", &path)
            .output()
            .expect("a shell");
        let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.push_str(&String::from_utf8_lossy(&output.stderr));
        let status = output.status.code();
        assert_eq!(
            status,
            Some(block.status),
            "{page}: {}\n{said}",
            block.commands
        );
        said
    };
    blocks(page).iter().map(follow).collect()
}

/// Checks that the output shown on a page is the output of the commands, except for omitted lines.
fn assert_shown(page: &str, said: &[String]) {
    let text = fs::read_to_string(root().join("docs").join(page)).expect("a page");
    let shown = text.split("```text\n").skip(1);
    for line in shown.flat_map(|block| block.lines().take_while(|line| *line != "```")) {
        let is_there = said
            .iter()
            .any(|said| said.lines().any(|other| other.trim_end() == line));
        let alike = |other: &&str| {
            let start = |line: &str| line.trim_start().chars().take(12).collect::<String>();
            start(other) == start(line)
        };
        let near: Vec<&str> = said
            .iter()
            .flat_map(|said| said.lines())
            .filter(alike)
            .collect();
        assert!(
            is_there || line == "…",
            "{page} shows `{line}`, which nothing writes; written: {near:#?}"
        );
    }
}

#[test]
fn a_reader_is_checked_from_nothing() {
    if !is_here("python3") {
        return println!("skipped: there is no python3 here");
    }
    let place = Place::new();
    let said = follow("check-a-reader.md", &place);
    assert_shown("check-a-reader.md", &said);
    let list = place.path().join("my-reader/known-failures.yaml");
    let list = fs::read_to_string(list).expect("a list");
    assert!(!list.contains("SCHEMA-AGAIN-OTHER"), "{list}");
}

/// Creates a folder with the reader that the pages mention.
fn with_a_reader() -> Place {
    let place = Place::new();
    let reader = format!(
        "name: mine\nmode: serve\nreports: records\nformats: [dial9-v1]\ncommand: ['{}', reader, serve]\n",
        env!("CARGO_BIN_EXE_tracegauge")
    );
    fs::write(place.path().join("my-reader.yaml"), reader).expect("written");
    place
}

#[test]
fn a_failure_is_looked_at() {
    let said = follow("understand-a-failure.md", &with_a_reader());
    assert!(said[0].contains("SCHEMA-AGAIN-OTHER"), "{}", said[0]);
}

#[test]
fn test_files_are_made() {
    let place = Place::new();
    let said = follow("make-test-files.md", &place);
    assert_shown("make-test-files.md", &said);
    let records = fs::read_to_string(place.path().join("records.json")).expect("records");
    assert!(records.contains("a longer text"), "{records}");
}

#[test]
fn a_case_is_contributed() {
    let place = with_a_reader();
    let kept =
        ["manifest", "recipes", "vectors", "real"].map(|part| root().join("corpus").join(part));
    let corpus = place.path().join("corpus");
    fs::create_dir(&corpus).expect("a folder");
    let copied = Command::new("cp").arg("-r").args(kept).arg(corpus).status();
    assert!(copied.is_ok_and(|status| status.success()));
    let said = follow("contribute-a-case.md", &place);
    assert_shown("contribute-a-case.md", &said);
}

#[test]
fn the_runner_for_node_passes_a_right_reader_and_fails_a_wrong_one() {
    if !is_here("node") {
        return println!("skipped: there is no node here");
    }
    let page = fs::read_to_string(root().join("docs/exported-cases.md")).expect("a page");
    let runner = page.split("```js\n").nth(1).expect("a runner");
    let runner = runner.split("```").next().expect("its end");
    let runner = runner.replace("dial9-v1", "notes-v1");
    let place = Place::new();
    let words = ["corpus", "export", "--spec", &notes(), "--out", "cases"];
    let output = place.tracegauge(&words);
    assert_eq!(output.status, Some(0), "{}", output.all());
    let folder = place.path();
    fs::write(folder.join("conformance.test.mjs"), runner).expect("written");
    let right = format!(
        "export class Rejection extends Error {{}}\n\
         export function read(bytes) {{\n  const reporter = [];\n  \
         reporter.record = reporter.push;\n{}  return Array.from(reporter);\n}}\n",
        include_str!("joining/fill/javascript.txt")
    );
    let passes = |reader: &str| {
        fs::write(folder.join("my-reader.mjs"), reader).expect("written");
        let output = Command::new("node")
            .args(["--test", "conformance.test.mjs"])
            .current_dir(folder)
            .output()
            .expect("node");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success(), said)
    };
    let (is_right, said) = passes(&right);
    assert!(is_right && said.contains("pass 62"), "{said}");
    for (change, to) in [
        ("level > 9", "level > 10"),
        ("BigUInt64LE", "BigInt64LE"),
        ("level, text });", "level, text, more: 0 });"),
        ("throw new Rejection('no notes')", "throw new TypeError()"),
    ] {
        assert!(right.contains(change), "{change}");
        let (is_right, said) = passes(&right.replace(change, to));
        assert!(!is_right, "{change}: {said}");
    }
}

#[test]
fn cases_become_tests() {
    let place = Place::new();
    follow("in-ci.md", &place);
    assert!(
        place
            .path()
            .join("conformance/tracegauge_reader.py")
            .is_file()
    );
}
