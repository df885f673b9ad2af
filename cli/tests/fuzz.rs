//! Tests that `tracegauge fuzz` finds common bugs and minimizes the traces that trigger them.

#![allow(clippy::unwrap_used, missing_docs)]

#[path = "fuzz/bugs.rs"]
mod bugs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use serde_json::Value as Json;
use tempfile::TempDir;

use bugs::{BUGS, Bug};

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

fn handwritten() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../readers/handwritten")
}

/// Creates a folder with the reader of `bug`. The bug is fixed if `cured` is true.
fn place(bug: &Bug, cured: bool) -> TempDir {
    place_with(
        bug,
        if cured {
            &[]
        } else {
            std::slice::from_ref(&bug.change)
        },
    )
}

/// Creates a folder with the reader of `bug`, modified by `changes`.
fn place_with(bug: &Bug, changes: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let readers = handwritten();
    let kit = readers.join("../../cli/templates/python/tracegauge.py");
    let own = readers.join(bug.reader.0);
    let sources = [&readers, &own].into_iter().flat_map(|from| {
        let entries = fs::read_dir(from).unwrap().flatten();
        entries.map(|entry| entry.path())
    });
    let is_python = |path: &PathBuf| path.extension().is_some_and(|it| it == "py");
    for source in sources.filter(is_python).chain([kit]) {
        fs::copy(&source, folder.path().join(source.file_name().unwrap())).unwrap();
    }
    let name = Path::new(bug.file).file_name().unwrap();
    let mut text = fs::read_to_string(readers.join(bug.file)).unwrap();
    for (right, wrong) in changes {
        assert_eq!(text.matches(right).count(), 1, "{}", bug.name);
        text = text.replace(right, wrong);
    }
    fs::write(folder.path().join(name), text).unwrap();
    let main = folder.path().join(format!("{}.py", bug.reader.0));
    let reader = format!(
        "name: mine\ncommand: [python3, '{}']\nmode: serve\nreports: records\ntimeout: 1s\nmemory: 300MiB\n",
        main.display()
    );
    fs::write(folder.path().join("reader.yaml"), reader).unwrap();
    folder
}

fn fuzz(folder: &Path, format: &str, more: &[&str]) -> Output {
    Command::new(PROGRAM)
        .args(["fuzz", "--format", format, "--reader", "reader.yaml"])
        .args(["--out", "found"])
        .args(more)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn state(folder: &Path) -> Json {
    let text = fs::read(folder.join("found/state.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn said(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it));
    format!("{out}{err}")
}

/// Checks that a bug is found within its number of inputs and that one of the traces that trigger
/// it is small. Otherwise, returns what happened.
fn finds(bug: &Bug, seed: u64) -> Result<(), String> {
    let folder = place(bug, false);
    // With more findings, the smallest trace is smaller, but each breakdown takes time.
    let breaks = ["hang", "crash", "out-of-memory"];
    let breaks = bug.outcomes.iter().any(|it| breaks.contains(it));
    let inputs = bug.inputs.to_string();
    let seed = seed.to_string();
    let mut more = vec!["--inputs", &inputs, "--seed", &seed];
    if breaks {
        more.extend(["--findings", "1"]);
    }
    let output = fuzz(folder.path(), bug.reader.1, &more);
    let said = said(&output);
    if output.status.code() != Some(1) {
        return Err(format!("{}: {said}", bug.name));
    }
    let state = state(folder.path());
    let groups = state["groups"].as_array().unwrap();
    let meant = |group: &&Json| bug.outcomes.contains(&group["outcome"].as_str().unwrap());
    let sizes = groups.iter().filter(meant);
    let least = sizes.filter_map(|group| group["bytes"].as_u64()).min();
    let inputs = &state["inputs"];
    println!(
        "seed {seed}: {}: {inputs} inputs, {least:?} bytes",
        bug.name
    );
    if least.is_some_and(|least| least <= bug.most_bytes) {
        Ok(())
    } else {
        Err(format!("{}: {least:?} bytes: {said}", bug.name))
    }
}

fn is_found(bug: &Bug) {
    finds(bug, 1).unwrap();
}

fn named(name: &str) -> &'static Bug {
    BUGS.iter().find(|bug| bug.name == name).unwrap()
}

#[test]
fn a_lost_carry_is_found() {
    is_found(named("a lost carry"));
}

#[test]
fn a_swallowed_truncation_is_found() {
    is_found(named("a truncation that is swallowed"));
}

#[test]
fn a_wrong_byte_order_is_found() {
    is_found(named("the wrong byte order"));
}

/// A lock for campaigns, because fuzzing uses all processors. Two campaigns at the same time would
/// slow each other down, and minimizing a trace that hangs needs all the available time.
static ALONE: Mutex<()> = Mutex::new(());

/// Checks all bugs, which takes several minutes. Run this test with `cargo test --release
/// --workspace fuzz:: -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn every_mistake_is_found() {
    let _alone = ALONE.lock();
    let failures = BUGS.iter().filter_map(|bug| finds(bug, 1).err());
    let failures: Vec<String> = failures.collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Checks seeds other than 1, for which the limits on inputs and sizes were chosen. At least two
/// out of three attempts must meet both limits.
#[test]
#[ignore = "takes minutes"]
fn other_seeds_find_most_mistakes() {
    let _alone = ALONE.lock();
    let tried = [11, 12, 13].map(|seed| {
        let failures = BUGS.iter().filter_map(|bug| finds(bug, seed).err());
        failures
            .inspect(|why| println!("seed {seed}: {why}"))
            .count()
    });
    let missed: usize = tried.iter().sum();
    println!("{missed} of {} not found, or not small", 3 * BUGS.len());
    assert!(missed <= BUGS.len(), "{tried:?}");
}

#[test]
fn a_right_reader_is_left_alone_and_goes_on() {
    let folder = place(named("a lost carry"), true);
    let first = fuzz(folder.path(), "dial9-v1", &["--inputs", "300"]);
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    assert_eq!(state(folder.path())["inputs"], 300);
    let again = fuzz(folder.path(), "dial9-v1", &["--inputs", "300"]);
    assert_eq!(again.status.code(), Some(2), "{}", said(&again));
    let more = fuzz(folder.path(), "dial9-v1", &["--inputs", "300", "--resume"]);
    assert_eq!(more.status.code(), Some(0), "{}", said(&more));
    assert_eq!(state(folder.path())["inputs"], 600);
}

#[test]
fn the_same_seed_finds_the_same_with_any_number_of_workers() {
    let bug = named("the wrong byte order");
    let found = ["1", "2"].map(|jobs| {
        let folder = place(bug, false);
        let more = ["--inputs", "600", "--seed", "7", "--jobs", jobs];
        let output = fuzz(folder.path(), bug.reader.1, &more);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        let state = state(folder.path());
        (state["inputs"].clone(), state["groups"].clone())
    });
    assert_eq!(found[0], found[1]);
}

#[test]
fn what_is_kept_is_a_case_and_can_be_seen_again() {
    use tracegauge_corpus::case::Source;
    use tracegauge_corpus::formats::Formats;
    use tracegauge_corpus::store::Store;
    use tracegauge_corpus::vector;

    let bug = named("a truncation that is swallowed");
    let folder = place(bug, false);
    let output = fuzz(folder.path(), bug.reader.1, &["--inputs", "400"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let state = state(folder.path());
    let corpus = folder.path().join("corpus");
    let vectors = corpus.join("vectors/dial9-v1");
    fs::create_dir_all(&vectors).unwrap();
    let groups = state["groups"].as_array().unwrap();
    for (number, group) in groups.iter().enumerate() {
        let kept = folder
            .path()
            .join("found")
            .join(group["folder"].as_str().unwrap());
        fs::copy(
            kept.join("case.yaml"),
            vectors.join(format!("found-{number}.yaml")),
        )
        .unwrap();
        let about = fs::read_to_string(kept.join("about.md")).unwrap();
        assert!(about.contains("TRUNCATED"), "{about}");
        let replay = format!("1:{}", group["number"]);
        assert!(about.contains(&replay), "{about}");
        let again = fuzz(folder.path(), bug.reader.1, &["--replay", &replay]);
        assert_eq!(again.status.code(), Some(1), "{}", said(&again));
        assert!(said(&again).contains("wrong accept"), "{}", said(&again));
    }
    let plans = Formats::bundled(&["dial9-v1".to_owned()]).unwrap();
    let store = Store::Folder(corpus.clone());
    let read = vector::load(&store, Source::Vector, "dial9-v1").unwrap();
    let (cases, disagreements) = vector::check(&plans.plans()[0], &read);
    assert!(disagreements.is_empty(), "{disagreements:?}");
    assert!(cases.len() >= groups.len());
}

#[test]
fn a_list_of_known_failures_is_heeded() {
    let bug = named("a truncation that is swallowed");
    let folder = place(bug, false);
    let path = folder.path().join("reader.yaml");
    let reader = fs::read_to_string(&path).unwrap();
    fs::write(&path, reader + "baseline: known.yaml\n").unwrap();
    let known = "- {case: '*/TRUNCATED/*', outcome: wrong-accept, reason: on purpose}\n";
    fs::write(folder.path().join("known.yaml"), known).unwrap();
    let output = fuzz(folder.path(), bug.reader.1, &["--inputs", "400"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(
        said(&output).contains("0 findings, 1 known"),
        "{}",
        said(&output)
    );
}

/// Checks that different bugs in one member, which can have values of all types, are separate
/// findings.
#[test]
fn different_mistakes_in_one_member_are_different_findings() {
    let number = (
        "trace.cursor.unpack(I64, \"I64\")[0]",
        "abs(trace.cursor.unpack(I64, \"I64\")[0])",
    );
    let truth = (
        "trace.cursor.u8(\"Bool\") != 0",
        "trace.cursor.u8(\"Bool\") == 0",
    );
    let folder = place_with(named("the wrong byte order"), &[number, truth]);
    let output = fuzz(folder.path(), "dial9-v1", &["--inputs", "600"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let found = |state: &Json| -> Vec<(String, bool)> {
        let groups = state["groups"].as_array().unwrap().iter();
        groups
            .map(|group| {
                (
                    group["read"].as_str().unwrap().to_owned(),
                    group["known"].is_string(),
                )
            })
            .collect()
    };
    let mut all = found(&state(folder.path()));
    all.sort();
    let each = ["values:Bool", "values:I64"].map(|read| (read.to_owned(), false));
    assert_eq!(all, each, "{}", said(&output));
    // A baseline entry for one of the bugs does not hide the other.
    let groups = state(folder.path())["groups"].clone();
    let number = groups
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["read"] == "values:I64");
    let kept = folder
        .path()
        .join("found")
        .join(number.unwrap()["folder"].as_str().unwrap());
    fs::copy(kept.join("baseline.yaml"), folder.path().join("known.yaml")).unwrap();
    let path = folder.path().join("reader.yaml");
    let reader = fs::read_to_string(&path).unwrap();
    fs::write(&path, reader + "baseline: known.yaml\n").unwrap();
    fs::remove_dir_all(folder.path().join("found")).unwrap();
    let output = fuzz(folder.path(), "dial9-v1", &["--inputs", "600"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(
        said(&output).contains("1 finding, 1 known"),
        "{}",
        said(&output)
    );
}

#[test]
fn findings_are_cases_of_a_report() {
    let bug = named("a truncation that is swallowed");
    let folder = place(bug, false);
    let more = ["--inputs", "400", "--junit", "found.xml"];
    let files = ["--html", "found.html", "--json", "found.json"];
    let output = fuzz(folder.path(), bug.reader.1, &[more, files].concat());
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let junit = read("found.xml");
    assert!(junit.contains("failures=\"1\""), "{junit}");
    assert!(junit.contains("dial9-v1/fuzz/TRUNCATED/1-"), "{junit}");
    assert!(junit.contains("expected"), "{junit}");
    let result: Json = serde_json::from_str(&read("found.json")).unwrap();
    let totals = &result["readers"][0]["totals"];
    assert_eq!(totals["planned"], 2, "{totals}");
    assert_eq!(totals["outcomes"]["wrong-accept"], 1, "{totals}");
    // The page gets the bytes of the minimized trace from the folder of the finding.
    let page = read("found.html");
    assert!(
        page.contains("TRUNCATED") && page.contains("saved in"),
        "no bytes"
    );
}

/// Changes the reader so that it dies after its answer to some traces. A sanitizer needs time for
/// its report, so the crash is noticed only when the next trace is sent.
fn dies_after_answers() -> TempDir {
    let dies = "\
import os, time
def read(data, reporter):
    Trace(data, reporter).read()

def answer(line, hello, read, answered=tracegauge._answer):
    answered(line, hello, read)
    name = json.loads(line).get('file')
    if name and os.path.getsize(name) % 5 == 4:
        time.sleep(0.05)
        report = '==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2\\n'
        report += 'READ of size 1 at 0x1 thread T0\\n    #0 0x3 in release /a.c:6\\n'
        os.write(2, report.encode())
        os._exit(1)

import json
tracegauge._answer = answer
";
    let read = "def read(data, reporter):\n    Trace(data, reporter).read()\n";
    place_with(named("a lost carry"), &[(read, dies)])
}

#[test]
fn a_crash_after_the_answer_belongs_to_the_trace_that_causes_it() {
    use tracegauge_corpus::formats::Formats;
    use tracegauge_harness::containment;
    use tracegauge_harness::probe::Probe;
    use tracegauge_protocol::reader_file::ReaderFile;
    use tracegauge_results::Outcome;

    let folder = dies_after_answers();
    let reader = ReaderFile::load(&folder.path().join("reader.yaml")).unwrap();
    let plans = Formats::bundled(&["dial9-v1".to_owned()]).unwrap();
    let plan = &plans.plans()[0];
    let containment = containment::begin().unwrap();
    let mut probe = Probe::new(&reader, &containment).unwrap();
    let mut ask = |bytes: &[u8]| probe.ask(plan, bytes).unwrap().result.outcome;
    // The second trace is the cause, and the third one must not be blamed.
    let outcomes = [&b"12345"[..], b"1234", b"123456"].map(&mut ask);
    assert_eq!(outcomes, [Outcome::Pass; 3]);
    let inherited = probe.take_inherited();
    let [(bytes, seen)] = &inherited[..] else {
        panic!("{inherited:?}");
    };
    assert_eq!(&bytes[..], b"1234");
    assert_eq!(seen.result.outcome, Outcome::Crash);
    assert_eq!(seen.signature.frames, ["release"]);
    // The crash is found immediately if the process is watched.
    probe.watch_until_exit(true);
    let seen = probe.ask(plan, b"1234").unwrap();
    assert_eq!(seen.result.outcome, Outcome::Crash);
}

#[test]
#[ignore = "minimizing takes ten seconds"]
fn a_crash_after_the_answer_is_minimized() {
    let folder = dies_after_answers();
    let more = ["--inputs", "40", "--jobs", "1"];
    let output = fuzz(folder.path(), "dial9-v1", &more);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let state = state(folder.path());
    let groups = state["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 1, "{}", said(&output));
    assert_eq!(groups[0]["outcome"], "crash");
    assert_eq!(groups[0]["frames"][0], "release");
    // Both the input that was found and the minimized trace cause the crash.
    let kept = folder.path().join("found");
    let kept = kept.join(groups[0]["folder"].as_str().unwrap());
    let sizes = fs::read_dir(kept).unwrap().flatten().filter_map(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_trace = name.starts_with("found.") || name.starts_with("trace.");
        is_trace.then(|| entry.metadata().unwrap().len())
    });
    let sizes: Vec<u64> = sizes.collect();
    assert!(
        sizes.len() == 2 && sizes.iter().all(|size| size % 5 == 4),
        "{sizes:?}"
    );
}

#[test]
fn the_format_follows_from_the_reader_file() {
    let folder = tempfile::tempdir().unwrap();
    let run = |formats: &str| {
        let reader = format!(
            "name: mine\nmode: serve\nreports: records\nformats: [{formats}]\ncommand: ['{PROGRAM}', reader, serve]\n"
        );
        fs::write(folder.path().join("reader.yaml"), reader).unwrap();
        let out = Command::new(PROGRAM)
            .args(["fuzz", "--reader", "reader.yaml", "--inputs", "20", "--out"])
            .arg(formats.replace(", ", "-"))
            .current_dir(folder.path())
            .output()
            .unwrap();
        (out.status.code(), said(&out))
    };
    let (status, words) = run("netperf-v2");
    assert_eq!(status, Some(0), "{words}");
    let (status, words) = run("netperf-v2, netperf-v3");
    assert_eq!(status, Some(2), "{words}");
    assert!(
        words.contains("choose one with --format: netperf-v2, netperf-v3"),
        "{words}"
    );
}
