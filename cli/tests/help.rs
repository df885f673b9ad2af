//! Tests that every command has help, and that the examples in the help work as printed.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use tempfile::TempDir;

use crate::joining::{notes, try_all};

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn help(words: &[String]) -> String {
    let output = Command::new(PROGRAM)
        .args(words)
        .arg("--help")
        .output()
        .expect("the command starts");
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the names listed under `Commands:`.
fn subcommands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    lines
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// Returns the lines of the examples.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| !line.starts_with("Example"));
    let shown = lines.skip(1).take_while(|line| line.starts_with("  "));
    shown.map(|line| line.trim().to_owned()).collect()
}

/// Returns the commands without subcommands, each with its examples.
fn leaves() -> BTreeMap<String, Vec<String>> {
    let mut leaves = BTreeMap::new();
    let mut open = vec![Vec::new()];
    while let Some(words) = open.pop() {
        let text = help(&words);
        let inner = subcommands(&text);
        if inner.is_empty() {
            leaves.insert(words.join(" "), examples(&text));
        }
        for name in inner {
            let mut words: Vec<String> = words.clone();
            words.push(name);
            open.push(words);
        }
    }
    leaves
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

/// The folders in `corpus/` that contain the code of the crate.
const CODE: [&str; 3] = ["src", "templates", "tests"];

/// Copies the corpus to a folder, where examples may modify it, and an earlier corpus.
fn copy_corpus(path: &Path) {
    // With all data, `corpus build` finds that nothing has changed.
    for part in fs::read_dir(root().join("corpus"))
        .expect("a folder")
        .flatten()
    {
        let name = part.file_name();
        let is_data = part.path().is_dir() && !CODE.iter().any(|code| name == *code);
        if is_data {
            copy(&part.path(), &path.join("corpus").join(name));
        }
    }
    copy(
        &root().join("corpus/manifest"),
        &path.join("old/corpus/manifest"),
    );
}

/// Creates a folder with the files that the examples mention, except for a corpus.
fn place() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let real = root().join("corpus/real/dial9-v1");
    let mut traces: Vec<PathBuf> = fs::read_dir(real)
        .expect("real files")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "trc"))
        .collect();
    traces.sort();
    fs::copy(&traces[0], path.join("trace.bin")).expect("copied");
    let mut crash = fs::read(&traces[0]).expect("a trace");
    crash[0] ^= 1;
    fs::write(path.join("crash.dat"), crash).expect("written");
    let description = notes();
    fs::copy(&description, path.join("my-format.yaml")).expect("copied");
    fs::create_dir(path.join("my-format")).expect("a folder");
    fs::copy(&description, path.join("my-format/format.yaml")).expect("copied");
    let reader = format!(
        "name: mine\ncommand: ['{PROGRAM}', reader, serve]\nmode: serve\nreports: records\nformats: [{SMALL}]\n"
    );
    fs::write(path.join("my-reader.yaml"), reader).expect("written");
    fs::write(path.join("my-reader"), "#!/bin/sh\nexit 65\n").expect("written");
    // The reader has two edges and reaches the first one. The script writes the number of edges and
    // a single mark.
    let covered = "#!/bin/sh\n\
                   mark() { printf \"$2\" | dd of=\"$TRACEGAUGE_COVERAGE\" bs=1 seek=$1 conv=notrunc; }\n\
                   mark 16 '\\002'; mark 64 '\\001'\nexit 65\n";
    fs::write(path.join("covered"), covered).expect("written");
    for name in ["my-reader", "covered"] {
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(path.join(name), executable).expect("executable");
    }
    fs::create_dir(path.join("mine")).expect("a folder");
    fs::copy(path.join("trace.bin"), path.join("mine/trace.bin")).expect("copied");
    folder
}

fn with_program_first() -> OsString {
    let program = Path::new(PROGRAM).parent().expect("a folder");
    let known = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(program.to_path_buf()).chain(std::env::split_paths(&known));
    std::env::join_paths(all).expect("a path")
}

#[test]
fn every_command_has_an_example() {
    for (command, examples) in leaves() {
        assert!(!examples.is_empty(), "{command} shows no example");
        let named = format!("tracegauge {command}");
        let about_it = examples.iter().any(|line| line.contains(&named));
        assert!(about_it, "no example of {command} uses it: {examples:?}");
    }
}

/// The format for commands that process a whole format: the one with the fewest cases.
const SMALL: &str = "dial9-v1@optional";

/// Returns the command in a line of an example.
fn typed_line(example: &str) -> String {
    format!("{example} ")
        .replace("FORMAT", "dial9-v1")
        .replace("RULE", "MAGIC")
        .replace("--format dial9-v1 ", &format!("--format {SMALL} "))
}

/// Runs the examples of some commands one after another in a single folder, because a later example
/// may use what an earlier one wrote. If several examples begin with the same line, it is run only
/// once.
fn type_examples(commands: &[(&String, &Vec<String>)]) {
    let folder = place();
    let mut lines = commands.iter().flat_map(|(_, examples)| *examples);
    if lines.any(|line| line.contains("corpus")) {
        copy_corpus(folder.path());
    }
    let mut done = HashSet::new();
    for (command, examples) in commands {
        for example in *examples {
            // Without optimization, hundreds of mutants take minutes. A test of the corpus runs
            // some of them.
            if example.contains("--mutants") {
                continue;
            }
            let line = typed_line(example);
            if !done.insert(line.clone()) {
                continue;
            }
            let began = Instant::now();
            let output = Command::new("sh")
                .args(["-c", &line])
                .current_dir(folder.path())
                .env("PATH", with_program_first())
                .output()
                .expect("a shell");
            println!("{:6.1} s  {line}", began.elapsed().as_secs_f32());
            let status = output.status.code();
            // Findings are allowed, because `./my-reader` rejects everything.
            assert!(
                matches!(status, Some(0 | 1)),
                "{command}: `{line}` ended with {status:?}:\n{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr),
            );
        }
    }
}

/// Checks the examples. Running a whole format again before each command that uses results would
/// take longer than all other examples, so these commands share a folder and its results.
#[test]
fn every_example_can_be_typed() {
    let leaves = leaves();
    let mut groups: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for (command, examples) in &leaves {
        let is_about_results = examples.iter().any(|line| line.contains(".json"))
            && examples
                .iter()
                .any(|line| line.starts_with("tracegauge run "))
            && command != "run";
        let group = if is_about_results { "results" } else { command };
        groups.entry(group).or_default().push((command, examples));
    }
    let groups: Vec<_> = groups.into_values().collect();
    try_all(&groups, |group| type_examples(group));
}

#[test]
fn a_reader_of_the_output_may_go_early() {
    let folder = place();
    for line in [
        "tracegauge spec list",
        "tracegauge corpus list --format dial9-v1",
        "tracegauge query trace.bin 'frames.map(_sizeof)' frames",
        "tracegauge decode trace.bin",
    ] {
        let (status, said) = typed(
            folder.path(),
            &format!("set -o pipefail; {line} | head -c 10"),
        );
        assert_eq!(status, Some(0), "{line}: {said}");
    }
}

/// Runs a command line in a folder. Returns its exit status and standard error.
fn typed(folder: &Path, line: &str) -> (Option<i32>, String) {
    let output = Command::new("bash")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", with_program_first())
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    (output.status.code(), said.into_owned())
}

/// Checks that a command does not report success if its output cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn output_that_is_lost_is_no_success() {
    let folder = place();
    for line in [
        "tracegauge query trace.bin frames",
        "tracegauge inspect trace.bin",
        "tracegauge decode trace.bin",
        "tracegauge spec list",
        "tracegauge --help",
        "tracegauge run -h",
    ] {
        let (status, said) = typed(folder.path(), &format!("{line} >/dev/full"));
        assert_eq!(status, Some(3), "{line}: {said}");
        assert!(!said.is_empty(), "{line}");
    }
}
