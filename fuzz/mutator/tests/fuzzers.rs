//! Tests the shared library in libFuzzer and AFL++ with the example reader in C. If a required
//! program is missing, a test prints a message and is skipped.

#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The number of libFuzzer runs, which is enough to find paths that plain byte mutations do not
/// find.
const RUNS: u32 = 4000;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

/// Returns the shared library, which cargo puts next to the test executable.
fn library() -> PathBuf {
    let folder = std::env::current_exe().unwrap();
    let file = folder.with_file_name("libtracegauge_mutator.so");
    assert!(file.is_file(), "{} is not built", file.display());
    file
}

/// Returns true if a program is installed, and prints a message otherwise.
fn is_here(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!(
            "skipped: {program} is not installed; fuzz/compare.sh explains how to install it"
        );
    }
    found
}

fn run(command: &mut Command) -> Output {
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{command:?}: {said}");
    done
}

/// Builds the example with libFuzzer. Returns `None` if clang does not include libFuzzer.
fn built(folder: &Path, name: &str, options: &[&str]) -> Option<PathBuf> {
    let target = folder.join(name);
    let mut clang = Command::new("clang");
    let sources = ["dial9.c", "dial9_target.c"].map(|file| examples().join(file));
    clang.args(["-O1", "-Wall", "-Werror", "-fsanitize=fuzzer"]);
    clang.args(sources).args(options).arg("-o").arg(&target);
    let done = clang.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    if said.contains("libclang_rt.fuzzer") {
        eprintln!(
            "skipped: this clang has no libFuzzer; fuzz/compare.sh explains how to install it"
        );
        return None;
    }
    assert!(done.status.success(), "{said}");
    Some(target)
}

fn with_library(folder: &Path) -> Option<PathBuf> {
    let library = library();
    let place = library.parent().unwrap().display();
    let options = [
        format!("-L{place}"),
        format!("-Wl,-rpath,{place}"),
        "-Wl,--no-as-needed".to_owned(),
        "-ltracegauge_mutator".to_owned(),
        "-Wl,--export-dynamic-symbol=LLVMFuzzerMutate".to_owned(),
    ];
    built(folder, "with", &options.each_ref().map(String::as_str))
}

/// Runs a target and returns libFuzzer's final status line.
fn ended(target: &Path, seed: u32) -> String {
    ended_of(&mut Command::new(target), seed)
}

fn ended_of(target: &mut Command, seed: u32) -> String {
    let corpus = tempfile::tempdir().unwrap();
    let done = run(target
        .arg(format!("-runs={RUNS}"))
        .arg(format!("-seed={seed}"))
        .arg(corpus.path())
        .current_dir(corpus.path())
        .env("TRACEGAUGE_FORMAT", "dial9-v1"));
    let said = String::from_utf8_lossy(&done.stderr);
    let last = said.lines().find(|line| line.contains("DONE"));
    last.unwrap_or_else(|| panic!("{said}")).to_owned()
}

/// Returns the number that follows `name` in a status line.
fn figure(line: &str, name: &str) -> u32 {
    let mut words = line.split_whitespace().skip_while(|word| *word != name);
    words.nth(1).unwrap().parse().unwrap()
}

#[test]
fn libfuzzer_reaches_far_more_in_the_same_number_of_runs() {
    if !is_here("clang") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let Some(plain) = built(folder.path(), "plain", &[]) else {
        return;
    };
    let with = with_library(folder.path()).unwrap();
    for seed in [1, 2] {
        let (plain, with) = (ended(&plain, seed), ended(&with, seed));
        let (few, many) = (figure(&plain, "cov:"), figure(&with, "cov:"));
        assert!(many > 2 * few && many > 250, "{plain}\n{with}");
    }
}

#[test]
fn a_target_that_is_built_already_is_given_the_library_at_its_start() {
    if !is_here("clang") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let Some(plain) = built(folder.path(), "plain", &[]) else {
        return;
    };
    let with = ended_of(Command::new(&plain).env("LD_PRELOAD", library()), 1);
    assert!(figure(&with, "cov:") > 250, "{with}");
}

#[test]
fn the_same_seed_reaches_the_same() {
    if !is_here("clang") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let Some(with) = with_library(folder.path()) else {
        return;
    };
    let reached = |seed| {
        let line = ended(&with, seed);
        ["cov:", "ft:"].map(|name| figure(&line, name))
    };
    assert_eq!(reached(3), reached(3));
}

#[test]
fn a_format_that_nobody_has_ends_the_fuzzer_with_a_word() {
    if !is_here("clang") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let Some(with) = with_library(folder.path()) else {
        return;
    };
    for (name, expected) in [
        (None, "set TRACEGAUGE_FORMAT"),
        (Some("nonsense"), "no description of the format `nonsense`"),
        (Some("netperf"), "one of them: netperf-v1, netperf-v2"),
    ] {
        let mut command = Command::new(&with);
        command.arg("-runs=100").env_remove("TRACEGAUGE_FORMAT");
        command.current_dir(folder.path());
        command.envs(name.map(|name| ("TRACEGAUGE_FORMAT", name)));
        let done = command.output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}

/// The number of AFL++ runs. AFL++ runs each new input several more times to measure it.
const AFL_RUNS: u32 = 6000;

/// Runs AFL++ in its own directory, starting from a trace without frames. Returns the directory of
/// its results.
fn afl(target: &Path, folder: &Path, library: Option<&Path>) -> PathBuf {
    let (seeds, found) = (folder.join("seeds"), folder.join("found"));
    std::fs::create_dir_all(&seeds).unwrap();
    std::fs::write(seeds.join("header"), b"TRC\0\x01").unwrap();
    let mut command = Command::new("afl-fuzz");
    command.args(["-s", "1", "-E", &AFL_RUNS.to_string(), "-i"]);
    command
        .arg(&seeds)
        .arg("-o")
        .arg(&found)
        .arg("--")
        .arg(target);
    for settled in [
        "AFL_NO_UI",
        "AFL_SKIP_CPUFREQ",
        "AFL_NO_AFFINITY",
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES",
    ] {
        command.env(settled, "1");
    }
    command.env("TRACEGAUGE_FORMAT", "dial9-v1");
    command.envs(library.map(|library| ("AFL_CUSTOM_MUTATOR_LIBRARY", library)));
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{command:?}: {said}");
    found.join("default")
}

/// Returns the number of edges found, from AFL++'s statistics.
fn edges(found: &Path) -> u32 {
    let statistics = std::fs::read_to_string(found.join("fuzzer_stats")).unwrap();
    let line = statistics
        .lines()
        .find(|line| line.starts_with("edges_found"));
    line.unwrap().rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn afl_reaches_far_more_in_the_same_number_of_runs_and_says_how() {
    if !is_here("afl-fuzz") || !is_here("afl-clang-fast") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    let sources = ["dial9.c", "dial9_target.c"].map(|file| examples().join(file));
    run(Command::new("afl-clang-fast")
        .args(["-O1", "-fsanitize=fuzzer"])
        .args(sources)
        .arg("-o")
        .arg(&target));
    let plain = afl(&target, &folder.path().join("plain"), None);
    let with = afl(&target, &folder.path().join("with"), Some(&library()));
    let (few, many) = (edges(&plain), edges(&with));
    assert!(many > 2 * few && many > 200, "{many} edges, plain {few}");
    let mut kept = String::new();
    for entry in std::fs::read_dir(with.join("queue")).unwrap() {
        kept.push_str(&entry.unwrap().file_name().to_string_lossy());
        kept.push('\n');
    }
    for way in ["choices", "bytes"] {
        let description = format!("tracegauge-{way}");
        assert!(kept.contains(&description), "{description}:\n{kept}");
    }
}
