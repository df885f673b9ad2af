//! A sample result that contains every kind of outcome.

#![allow(clippy::unwrap_used, dead_code, missing_docs)]

use tracegauge_reports::Collector;
use tracegauge_results::{
    BaselineProblem, CaseResult, Detail, Difference, Event, Excerpt, Expectation, Fault, Grade,
    Level, Measure, NotRun, Noted, Observed, Origin, OriginPart, Outcome, Profile, Proof,
    ReaderDuty, ReaderInfo, ReaderState, ReaderTail, RuleInfo, RunHead, RunResult, Selection, Sink,
    Standing,
};

pub fn case(id: &str, rule: &str, expected: Expectation, outcome: Outcome) -> CaseResult {
    CaseResult {
        case: id.into(),
        version: 1,
        format: "toy-v1".into(),
        rules: vec![rule.into()],
        expected,
        departures: Vec::new(),
        operator: (expected == Expectation::Reject).then(|| "bit-flipped".into()),
        twin: (expected == Expectation::Reject).then(|| "toy/valid/1".into()),
        outcome,
        proof: (outcome == Outcome::Pass).then_some(Proof::Proven),
        noted: None,
        set_apart_by: None,
        suspects: Vec::new(),
        records: 0,
        grade: None,
        standing: Standing::Counts,
        known: None,
        unsteady: None,
        seconds: None,
        detail: outcome.is_failure().then(|| Box::new(detail())),
    }
}

fn detail() -> Detail {
    let mut bytes = b"TOY1".to_vec();
    bytes.extend(0..40);
    Detail {
        why: "one bit of the magic is flipped".into(),
        expected: "reject as malformed at header.magic, bytes 17..20".into(),
        actual: "accept".into(),
        fault: Some(Fault {
            path: "header.magic".into(),
            start: 17,
            end: 20,
            about: Vec::new(),
        }),
        excerpt: Some(Excerpt::around(&bytes, 17, 20)),
        ..Detail::default()
    }
}

/// Returns the source location of an expected value.
pub fn origin(part: OriginPart, path: &str, offset: u64, length: u64) -> Origin {
    let mut bytes = b"TOY1".to_vec();
    bytes.extend(0..40);
    Origin {
        part,
        path: path.into(),
        offset,
        length,
        excerpt: Excerpt::around(&bytes, offset, offset + length),
    }
}

/// Returns the results of a reader that passes many cases and fails in many ways.
pub fn cases() -> Vec<CaseResult> {
    use Expectation::{Accept, Either, Reject};
    let mut cases = vec![
        case("toy/valid/1", "EVENTS", Accept, Outcome::Pass),
        case("toy/valid/2", "EVENTS", Accept, Outcome::WrongRecords),
        case("toy/valid/3", "LABELS", Accept, Outcome::Unsupported),
        case("toy/valid/4", "EVENTS", Accept, Outcome::Crash),
        case("toy/bad/1", "MAGIC", Reject, Outcome::Pass),
        case("toy/bad/2", "MAGIC", Reject, Outcome::Pass),
        case("toy/bad/3", "MAGIC", Reject, Outcome::WrongAccept),
        case("toy/bad/4", "MAGIC", Reject, Outcome::WrongAccept),
        case("toy/bad/5", "PADDING", Reject, Outcome::WrongAccept),
        case("toy/bad/6", "VERSION", Reject, Outcome::Pass),
        case("toy/odd/1", "SPARE", Either, Outcome::Pass),
        case("toy/odd/2", "SPARE", Either, Outcome::WrongReject),
    ];
    let difference = Difference {
        record: 3,
        path: "fields[2].value".into(),
        expected: "17".into(),
        actual: "\"17 \\u001b[31m\"".into(),
        owed: Some(4),
        origins: vec![
            origin(OriginPart::Value, "events[4].values[2]", 27, 2),
            origin(OriginPart::Elsewhere, "events[1].name", 9, 1),
        ],
        rules: vec!["PADDING".into(), "SPARE".into()],
    };
    let detail = cases[1].detail.as_mut().unwrap();
    (detail.fault, detail.excerpt) = (None, None);
    detail.difference = Some(difference);
    detail.expected = "accept".into();
    let detail = cases[3].detail.as_mut().unwrap();
    (detail.fault, detail.excerpt) = (None, None);
    detail.actual = "died of SIGSEGV".into();
    detail.stderr = Some(
        (1..=12)
            .map(|n| format!("frame {n} \u{1b}[31mred\u{1b}[0m\n"))
            .collect(),
    );
    cases[0].seconds = Some(0.000_021_4);
    cases[1].seconds = Some(1.25);
    cases[4].grade = Some(Grade {
        records: Some(true),
        class: Some(false),
        byte: Some(true),
    });
    cases[5].grade = Some(Grade {
        records: Some(false),
        class: Some(true),
        ..Grade::default()
    });
    cases[5].proof = Some(Proof::PerhapsCrashed);
    cases[6].known = Some("issue 12".into());
    cases[7].unsteady = Some("died of SIGABRT".into());
    cases[7].detail.as_mut().unwrap().hint = Some("look again".into());
    cases[8].standing = Standing::Warning;
    cases[10].proof = None;
    cases[10].noted = Some(Noted::Rejected);
    cases[11].standing = Standing::Disputed;
    cases
}

pub fn rules() -> Vec<RuleInfo> {
    let rule = |id: &str, level: Level, says: &str| RuleInfo {
        id: id.into(),
        format: "toy-v1".into(),
        section: "Header".into(),
        level,
        says: says.into(),
        reader: ReaderDuty::Reject,
        profile: Profile::Ordinary,
        through: None,
    };
    vec![
        rule(
            "MAGIC",
            Level::Must,
            "A reader rejects a trace without the magic.",
        ),
        rule("PADDING", Level::Should, "Padding is zero."),
    ]
}

pub fn tail() -> ReaderTail {
    let measure = |name: &str, in_force: bool, note: &str| Measure {
        name: name.into(),
        in_force,
        note: note.into(),
    };
    ReaderTail {
        containment: vec![
            measure("process group", true, "killed as a group"),
            measure("network", false, ""),
        ],
        observed: Observed {
            expected: 3000,
            seen: 2999,
            left_out: vec!["event.stack".into()],
        },
        not_run: NotRun {
            cases: 2,
            why: Some("10 cases in a row hung".into()),
        },
        support: 0,
        remembers: true,
        crashes: Vec::new(),
        baseline_problems: vec![BaselineProblem::Stale {
            pattern: "toy/gone/*".into(),
        }],
        unexplained: 1,
        notes: vec!["the reader file declares x unsupported, but no answer reported it".into()],
        formats: Vec::new(),
        repeated: None,
        seed: Some(5),
        seconds: 1.5,
    }
}

/// Returns the result of a run with three readers: one ran, one was skipped, and one could not run.
pub fn story(cases: &[CaseResult], planned: usize) -> RunResult {
    let mut collector = Collector::new();
    let head = RunHead {
        tool_version: "0.1.0".into(),
        selection: Selection {
            shard: Some("1/2".into()),
            ..Selection::default()
        },
        rules: rules(),
        corpus: None,
        written: std::collections::BTreeMap::new(),
    };
    let info = |name: &str| ReaderInfo {
        name: name.into(),
        version: Some("1.4.0".into()),
        mode: "serve".into(),
        reports: Some("records".into()),
        baseline: None,
    };
    collector.event(&Event::RunStarted(&head));
    let reader = info("my-reader");
    collector.event(&Event::ReaderStarted {
        reader: &reader,
        planned,
        support: 0,
    });
    for case in cases {
        collector.event(&Event::CaseJudged(case));
    }
    let tail = tail();
    let state = ReaderState::Ran;
    collector.event(&Event::ReaderFinished {
        reader: &reader,
        state: &state,
        tail: &tail,
    });
    for (name, state) in [
        ("other", ReaderState::Skipped("it requires `node`".into())),
        ("broken", ReaderState::Failed("its build failed".into())),
    ] {
        collector.event(&Event::ReaderLeftOut {
            reader: &info(name),
            state: &state,
        });
    }
    collector.event(&Event::RunFinished);
    collector.into_result().unwrap()
}

/// Returns a result with many cases and readers in which a third of the cases fail, each
/// with long details.
pub fn large(count: usize, readers: usize) -> RunResult {
    let many = |reader: usize| -> Vec<CaseResult> {
        let one = |n: usize| {
            let rule = format!("RULE-{:03}", n % 120);
            let id = format!(
                "toy-v1/malformed/{rule}/operator-{:04}/frames.body.field_{n}",
                n / 120
            );
            let outcome = match (n / 120 + reader) % 3 {
                0 => Outcome::WrongAccept,
                _ => Outcome::Pass,
            };
            let mut case = case(&id, &rule, Expectation::Reject, outcome);
            if let Some(detail) = &mut case.detail {
                detail.why = format!("one bit of field {n} is flipped, which the document forbids");
                detail.stderr = Some(format!(
                    "reader {reader} on case {n}: {}",
                    "frame ".repeat(50)
                ));
            }
            case
        };
        (0..count).map(one).collect()
    };
    let mut result = story(&many(0), count + 2);
    result.run.rules = (0..120)
        .map(|n| RuleInfo {
            id: format!("RULE-{n:03}"),
            section: format!("Section {}", n / 10),
            ..rules()[0].clone()
        })
        .collect();
    let first = result.readers[0].clone();
    result.readers = (0..readers)
        .map(|number| {
            let mut reader = first.clone();
            reader.reader.name = format!("reader-{number}");
            reader.cases = many(number);
            reader
        })
        .collect();
    result
}
