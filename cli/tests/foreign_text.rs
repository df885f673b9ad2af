//! Tests that text from readers, descriptions and file names cannot control a terminal or the log
//! of a CI service, and does not become part of a path.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const FAKE: &str = env!("CARGO_BIN_EXE_fake_reader");

const DESCRIPTION: &str = r#"
meta: { id: small-v1, title: Small, endian: le, file-extension: small }
seq:
  - { id: magic, contents: "SMAL", rule: MAGIC }
  - { id: size, type: u1 }
rules:
  MAGIC: { section: "1", level: must, reader: reject, says: "::error::A file begins with SMAL.\e[2J\u009b2J\u202e" }
"#;

fn tracegauge(folder: &TempDir, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tracegauge"))
        .args(words)
        .current_dir(folder.path())
        .output()
        .expect("the command starts")
}

/// Asserts that nothing that was printed is a terminal or log command.
fn assert_harmless(what: &str, bytes: &[u8]) {
    assert_visible(what, bytes);
    let text = String::from_utf8_lossy(bytes);
    let is_command = |line: &str| line.trim_start().starts_with("::") || line.contains("##[");
    let command = text.lines().find(|line| is_command(line));
    assert_eq!(command, None, "{what}");
}

/// Asserts that a file has no control characters.
fn assert_visible(what: &str, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for c in ['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}'] {
        assert!(!text.contains(c), "{what}: {c:?} in {text}");
    }
}

#[test]
fn a_reader_cannot_command_a_terminal_or_a_log() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("small.yaml"), DESCRIPTION).expect("written");
    let reader = format!(
        "name: \"::error::a\\e[2J\"\nversion: \"1\\n::error::\\e[2J\"\nmode: serve\n\
         command: ['{FAKE}', serve, commands]\n"
    );
    fs::write(folder.path().join("reader.yaml"), reader).expect("written");
    let run = [
        "run",
        "--spec",
        "small.yaml",
        "--reader",
        "reader.yaml",
        "--jobs",
        "1",
    ];
    let files = [
        "--json",
        "result.json",
        "--junit",
        "j.xml",
        "--html",
        "h.html",
        "--markdown",
        "m.md",
    ];
    let output = tracegauge(
        &folder,
        &[&run[..], &files, &["--all-rules", "-v"]].concat(),
    );
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        output.status.code(),
        Some(1),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(said.contains("\\u{1b}[2J"), "{said}");
    let written = |name: &str| fs::read(folder.path().join(name)).expect("the report");
    assert_harmless("run", &output.stdout);
    assert_harmless("progress", &output.stderr);
    assert_visible("JUnit", &written("j.xml"));
    assert_visible("Markdown", &written("m.md"));
    assert_visible("HTML", &written("h.html"));
    let more: [&[&str]; 5] = [
        &["explain"],
        &["report", "plain", "result.json"],
        &["spec", "show", "--spec", "small.yaml"],
        &["corpus", "list", "--spec", "small.yaml"],
        &["reader", "doctor", "--spec", "small.yaml", "reader.yaml"],
    ];
    for words in more {
        let output = tracegauge(&folder, words);
        assert_harmless(words[0], &output.stdout);
        assert_harmless(words[0], &output.stderr);
    }
}

#[test]
fn the_output_of_a_failed_build_is_harmless() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("small.yaml"), DESCRIPTION).expect("written");
    let build = r"printf '::error::x\033[2J\n::stop-commands::y\n' && false";
    let reader = format!("name: builds\nbuild: |\n  {build}\ncommand: ['{FAKE}']\n");
    fs::write(folder.path().join("reader.yaml"), reader).expect("written");
    let words = ["run", "--spec", "small.yaml", "--reader", "reader.yaml"];
    let output = tracegauge(&folder, &words);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("the build failed"), "{said}");
    assert_harmless("run", &output.stdout);
}

#[test]
fn the_name_of_a_file_is_harmless() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "::error::\u{1b}[2J\u{202e}##[x].yaml";
    fs::write(folder.path().join(name), "meta: {").expect("written");
    for words in [&["spec", "check", name][..], &["run", "--reader", name]] {
        let output = tracegauge(&folder, words);
        assert_eq!(output.status.code().map(|code| code == 0), Some(false));
        assert_harmless(words[0], &output.stdout);
        assert_harmless(words[0], &output.stderr);
    }
}

/// Returns the paths below `folder`, other than those below `own`.
fn outside(folder: &Path, own: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let others = paths.filter(|path| path != own);
    others.map(|path| path.display().to_string()).collect()
}

#[test]
fn a_description_cannot_name_a_file_outside_of_the_output_folder() {
    let names = [
        DESCRIPTION.replace("id: small-v1", "id: ../../escaped"),
        DESCRIPTION.replace(
            "file-extension: small",
            "file-extension: x/../../../escaped",
        ),
        DESCRIPTION.replace("MAGIC", "\"../../MAGIC\""),
    ];
    for text in names {
        let folder = tempfile::tempdir().expect("a folder");
        let own = folder.path().join("own");
        fs::create_dir_all(own.join("out")).expect("a folder");
        fs::write(own.join("small.yaml"), &text).expect("written");
        for command in [
            &["generate", "--seed", "1", "--malformed"][..],
            &["corpus", "export"],
        ] {
            let output = Command::new(env!("CARGO_BIN_EXE_tracegauge"))
                .args(command)
                .args(["--spec", "small.yaml", "--out", "out"])
                .current_dir(&own)
                .output()
                .expect("the command starts");
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(said.contains("small.yaml:"), "{said}");
            assert_eq!(outside(folder.path(), &own), Vec::<String>::new());
        }
    }
}
