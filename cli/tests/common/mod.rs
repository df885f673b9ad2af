//! Cases of a toy format, and functions that run fake readers on them.

#![allow(clippy::unwrap_used, missing_docs)]
#![allow(dead_code, reason = "each test binary uses its own part of this")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tracegauge_contain::{Limits, launcher};
use tracegauge_corpus::case::{
    Case, Expected, ExpectedVerdict, ExpectedViolation, FaultClass, Provenance, Source, State,
};
use tracegauge_decoder::record::{Record, Value};
use tracegauge_harness::runner::{self, Config, Participant};
use tracegauge_harness::schedule::{Criteria, Seed};
use tracegauge_judge::Strictness;
use tracegauge_protocol::reader_file::ReaderFile;
use tracegauge_reports::Collector;
use tracegauge_results::{Level, Outcome, Profile, ReaderDuty, ReaderResult, RuleInfo, RunResult};

/// The path of the fake reader program.
pub const FAKE: &str = env!("CARGO_BIN_EXE_fake_reader");

/// Returns a valid trace of the toy format, which contains one event per byte.
pub fn valid(name: &str, events: &[u8]) -> Case {
    let mut bytes = b"TOY1".to_vec();
    bytes.extend_from_slice(events);
    Case {
        id: format!("toy-v1/valid/{name}"),
        format: "toy-v1".into(),
        bytes: bytes.into(),
        repeated: None,
        expected: Expected {
            verdict: ExpectedVerdict::Accept,
            records: vec![events.iter().map(|byte| event(*byte)).collect()],
            due: None,
            open: false,
            violation: None,
        },
        twin: None,
        provenance: Provenance {
            source: Source::Valid,
            rules: vec!["EVENTS".into()],
            operator: None,
            why: "events are read in order".into(),
        },
        departures: Vec::new(),
        state: State::Active,
        version: 1,
    }
}

/// Returns the same trace with a fault after its events.
pub fn faulty(twin: &Case) -> Case {
    let mut bytes = twin.bytes.to_vec();
    let start = bytes.len() as u64;
    bytes.push(0xff);
    let name = twin.id.rsplit('/').next().unwrap();
    Case {
        id: format!("toy-v1/malformed/NO-FF/{name}"),
        bytes: bytes.into(),
        repeated: None,
        expected: Expected {
            verdict: ExpectedVerdict::Reject,
            violation: Some(ExpectedViolation {
                rules: vec!["NO-FF".into()],
                class: FaultClass::Malformed,
                path: format!("events[{}]", start - 4),
                start,
                end: start + 1,
            }),
            ..twin.expected.clone()
        },
        twin: Some(twin.id.clone()),
        provenance: Provenance {
            source: Source::Malformed,
            rules: vec!["NO-FF".into()],
            operator: Some("append".into()),
            why: "a byte FF stands after the last event".into(),
        },
        ..twin.clone()
    }
}

pub fn event(value: u8) -> Record {
    Record {
        kind: "event".into(),
        members: vec![("value".into(), Value::Int(value.into()))],
    }
}

/// Returns `count` valid cases, each with a malformed case made from it. The third valid case
/// contains the mark EE.
pub fn corpus(count: u8) -> Vec<Case> {
    (0..count)
        .flat_map(|number| {
            let events = if number == 2 {
                vec![number, 0xee]
            } else {
                vec![number, 7]
            };
            let valid = valid(&format!("events-{number:02}"), &events);
            let faulty = faulty(&valid);
            [valid, faulty]
        })
        .collect()
}

pub fn rules() -> Vec<RuleInfo> {
    let rule = |id: &str, says: &str| RuleInfo {
        id: id.into(),
        format: "toy-v1".into(),
        section: "Events".into(),
        level: Level::Must,
        says: says.into(),
        reader: ReaderDuty::Reject,
        profile: Profile::Ordinary,
        through: None,
    };
    vec![
        rule("EVENTS", "Each byte after the magic is an event."),
        rule("NO-FF", "The byte FF does not occur."),
    ]
}

/// Returns the reader file of a fake reader, with additional keys from `more`.
pub fn reader(mode: &str, behaviour: &str, more: &str) -> ReaderFile {
    let text = format!(
        "name: {behaviour}\nmode: {mode}\nreports: records\ntimeout: 400ms\n\
         command: ['{FAKE}', {mode}, {behaviour}]\n{more}"
    );
    parse(&text)
}

/// Returns the same reader, except that it misbehaves only on the marked case.
pub fn marked(mode: &str, behaviour: &str) -> ReaderFile {
    let mut reader = reader(mode, behaviour, "");
    reader.command.push("marked".into());
    reader
}

pub fn parse(text: &str) -> ReaderFile {
    ReaderFile::parse(text, "fake.yaml".as_ref(), &PathBuf::from("/")).unwrap()
}

/// Returns limits that are low enough for the fakes that exhaust them.
pub fn limits() -> Limits {
    Limits {
        output: 1 << 20,
        errors: 1 << 20,
        line: 1 << 16,
        scratch: 1 << 20,
        ..Limits::default()
    }
}

pub fn run(reader: ReaderFile, cases: &[Case]) -> ReaderResult {
    run_with(reader, cases, 2)
}

pub fn run_with(reader: ReaderFile, cases: &[Case], jobs: usize) -> ReaderResult {
    let participant = Participant {
        reader,
        baseline: None,
    };
    run_whole(&[participant], cases, jobs, Criteria::default())
        .readers
        .remove(0)
}

pub fn run_whole(
    participants: &[Participant],
    cases: &[Case],
    jobs: usize,
    criteria: Criteria,
) -> RunResult {
    run_seeded(participants, cases, jobs, criteria, Seed::default())
}

pub fn run_seeded(
    participants: &[Participant],
    cases: &[Case],
    jobs: usize,
    criteria: Criteria,
    seed: Seed,
) -> RunResult {
    run_repeated(participants, cases, jobs, criteria, (seed, 0))
}

/// Runs `repeat` of the cases again under other circumstances.
pub fn run_repeated(
    participants: &[Participant],
    cases: &[Case],
    jobs: usize,
    criteria: Criteria,
    (seed, repeat): (Seed, usize),
) -> RunResult {
    let stop = AtomicBool::new(false);
    let config = Config {
        criteria,
        strictness: Strictness::Ordinary,
        jobs,
        limits: limits(),
        stop: &stop,
        time: &tracegauge_harness::schedule::TimeLimit::default(),
        seed,
        repeat,
        journals: None,
        formats: None,
    };
    // Start readers through the launcher, as the program itself does.
    launcher::use_program(env!("CARGO_BIN_EXE_tracegauge").as_ref());
    let mut collector = Collector::new();
    runner::run(&config, cases, &rules(), participants, &mut collector).unwrap();
    let result = collector.into_result().unwrap();
    for reader in &result.readers {
        assert!(reader.totals.add_up(), "{:?}", reader.totals);
    }
    result
}

/// Returns the processes with `mark` in their environment. Processes started by a reader inherit
/// the mark.
pub fn marked_processes(mark: &str) -> Vec<String> {
    let is_marked = |process: &std::path::PathBuf| {
        let environment = std::fs::read(process.join("environ")).unwrap_or_default();
        let mut variables = environment.split(|byte| *byte == 0);
        variables.any(|variable| variable == mark.as_bytes())
    };
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let paths = processes.map(|process| process.path());
    let marked = paths.filter(is_marked);
    marked.map(|path| path.display().to_string()).collect()
}

/// Copies a program in a separate process.
///
/// A process that another test starts while this process copies would inherit the open file, and the
/// kernel refuses to run a program that a process may still write to.
pub fn copy_program(from: impl AsRef<Path>, to: impl AsRef<Path>) {
    let status = Command::new("cp")
        .args([from.as_ref(), to.as_ref()])
        .status();
    assert!(status.expect("cp can be started").success());
}

/// Returns the outcomes in the order of the cases.
pub fn outcomes(result: &ReaderResult) -> Vec<Outcome> {
    result.cases.iter().map(|case| case.outcome).collect()
}

/// Asserts that every case that ran has `outcome`.
pub fn assert_all(result: &ReaderResult, outcome: Outcome) {
    assert!(!result.cases.is_empty(), "{:?}", result.state);
    for case in &result.cases {
        assert_eq!(case.outcome, outcome, "{case:?}");
    }
}

/// Asserts that the marked valid case has `outcome` and that all other cases passed, except for the
/// malformed case made from it.
pub fn assert_only_marked(result: &ReaderResult, outcome: Outcome) {
    assert!(!result.cases.is_empty(), "{:?}", result.state);
    for case in &result.cases {
        let is_marked = case.case.ends_with("-02");
        let expected = if is_marked { outcome } else { Outcome::Pass };
        assert_eq!(case.outcome, expected, "{case:?}");
    }
}

pub const SHORT: Duration = Duration::from_millis(400);
