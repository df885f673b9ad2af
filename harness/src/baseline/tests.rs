use tracegauge_reports::{
    Detail, Difference, Expectation, Fault, NotRun, ReaderInfo, ReaderResult, ReaderState,
    ReaderTail, RunHead, RunResult, Standing, Totals,
};

use super::*;

fn case(id: &str, outcome: Outcome) -> CaseResult {
    let detail = Detail {
        expected: "reject as malformed at x, byte 4".into(),
        actual: "accept".into(),
        fault: Some(Fault {
            path: "x".into(),
            start: 4,
            end: 5,
        }),
        ..Detail::default()
    };
    CaseResult {
        case: id.into(),
        version: 1,
        format: "toy-v1".into(),
        rules: vec!["MAGIC".into()],
        expected: Expectation::Reject,
        operator: None,
        twin: None,
        outcome,
        proof: None,
        noted: None,
        set_apart_by: None,
        grade: None,
        standing: Standing::Counts,
        known: None,
        unsteady: None,
        seconds: None,
        detail: outcome.is_failure().then(|| Box::new(detail)),
    }
}

fn parse(text: &str) -> Result<Baseline, BaselineError> {
    Baseline::parse(text, Path::new("known.yaml"))
}

#[test]
fn an_entry_needs_a_reason_and_a_failure() {
    let error = parse("[{case: a, outcome: crash, reason: ' '}]")
        .unwrap_err()
        .to_string();
    assert_eq!(error, "known.yaml: the entry for a gives no reason");
    let error = parse("[{case: a, outcome: pass, reason: b}]")
        .unwrap_err()
        .to_string();
    assert!(error.contains("lists pass, no failure"), "{error}");
    let error = parse("- case: a\n  outcome: crash\n")
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("known.yaml:1:") && error.contains("reason"),
        "{error}"
    );
    let error = parse("- {case: a, outcome: crash, raeson: b}")
        .unwrap_err()
        .to_string();
    assert!(error.contains("unknown field `raeson`"), "{error}");
    assert_eq!(parse("").unwrap(), Baseline::default());
}

const LIST: &str = "
- {case: a/*, outcome: wrong-accept, reason: first}
- {case: b, outcome: crash, rule: MAGIC, reason: second}
";

#[test]
fn listed_failures_are_known_and_all_else_is_a_problem() {
    let mut cases = vec![
        case("a/1", Outcome::WrongAccept),
        case("a/2", Outcome::Pass),
        case("b", Outcome::Hang),
        case("c", Outcome::Crash),
    ];
    let problems = parse(LIST).unwrap().apply(&mut cases, Extent::Whole);
    assert_eq!(cases[0].known.as_deref(), Some("first"));
    assert!(cases[3].fails_the_run() && cases[2].fails_the_run() && !cases[0].fails_the_run());
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "a/2 is listed by a/* and passes; narrow the pattern",
            "b is listed as crash, but the outcome is hang",
        ]
    );
}

#[test]
fn wrong_records_are_known_for_what_the_entry_says_is_wrong_in_them() {
    let wrong = |rule: &str| {
        let mut wrong = case("a", Outcome::WrongRecords);
        let difference = tracegauge_reports::Difference {
            rules: vec![rule.to_owned()],
            ..Default::default()
        };
        wrong.detail = Some(Box::new(tracegauge_reports::Detail {
            difference: Some(difference),
            ..Default::default()
        }));
        wrong
    };
    let list = "- {case: a, outcome: wrong-records, about: SIGNED, reason: It reads no sign.}";
    let list = parse(list).unwrap();
    let mut cases = [wrong("SIGNED")];
    assert_eq!(list.apply(&mut cases, Extent::Whole), []);
    assert_eq!(cases[0].known.as_deref(), Some("It reads no sign."));
    let mut cases = [wrong("TRUTH")];
    let problems = list.apply(&mut cases, Extent::Whole);
    assert!(cases[0].fails_the_run());
    let said = problems[0].to_string();
    assert_eq!(said, "a is listed for SIGNED, but what is wrong is TRUTH");
}

#[test]
fn an_entry_about_nothing_is_stale_after_a_whole_run_only() {
    let list = parse(LIST).unwrap();
    let mut cases = vec![case("a/1", Outcome::WrongAccept)];
    assert_eq!(list.apply(&mut cases, Extent::Part), []);
    let problems = list.apply(&mut cases, Extent::Whole);
    assert_eq!(
        problems,
        [BaselineProblem::Stale {
            pattern: "b".into()
        }]
    );
    let mut other = case("b", Outcome::Crash);
    other.rules = vec!["OTHER".into()];
    let problems = list.apply(&mut [other], Extent::Whole);
    assert_eq!(
        problems.len(),
        2,
        "the rule is part of what an entry is about"
    );
}

fn run(cases: Vec<CaseResult>) -> (RunResult, ReaderResult) {
    let reader = ReaderResult {
        reader: ReaderInfo::default(),
        state: ReaderState::Ran,
        totals: Totals::of(cases.len(), 0, &cases),
        tail: ReaderTail::default(),
        cases,
    };
    (
        RunResult {
            run: RunHead::default(),
            ..RunResult::default()
        },
        reader,
    )
}

#[test]
fn an_update_keeps_reasons_and_tells_what_it_knows_of_the_new() {
    let mut differs = case("d", Outcome::WrongRecords);
    differs.detail.as_mut().unwrap().difference = Some(Difference {
        record: 2,
        path: "n".into(),
        expected: "1".into(),
        actual: "2".into(),
        ..Difference::default()
    });
    let (result, reader) = run(vec![
        case("a/1", Outcome::WrongAccept),
        case("a/2", Outcome::Pass),
        case("b", Outcome::Hang),
        differs,
    ]);
    let old = parse(LIST).unwrap();
    let new = updated(&old, &result, &reader).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("known.yaml");
    new.save(&path).unwrap();
    insta::assert_snapshot!(fs::read_to_string(&path).unwrap(), @r"
    - case: a/1
      outcome: wrong-accept
      reason: first
    - case: b
      outcome: hang
      reason: rule MAGIC; byte 4; expected reject as malformed at x, byte 4, got accept
    - case: d
      outcome: wrong-records
      reason: rule MAGIC; byte 4; expected record 2 n = 1, got 2
    ");
    assert_eq!(Baseline::load(&path).unwrap(), new);
    let mut cases = reader.cases.clone();
    assert_eq!(new.apply(&mut cases, Extent::Whole), []);
    assert!(cases.iter().all(|case| !case.fails_the_run()));
    assert_eq!(
        updated(&new, &result, &reader).unwrap(),
        new,
        "nothing left to do"
    );
}

#[test]
fn a_pattern_that_still_holds_is_kept() {
    let (result, reader) = run(vec![
        case("a/1", Outcome::WrongAccept),
        case("a/2", Outcome::WrongAccept),
    ]);
    let new = updated(&parse(LIST).unwrap(), &result, &reader).unwrap();
    assert_eq!(
        new.entries
            .iter()
            .map(|e| e.case.as_str())
            .collect::<Vec<_>>(),
        ["a/*"]
    );
}

#[test]
fn a_partial_run_is_refused() {
    let update = |change: fn(&mut RunResult, &mut ReaderResult)| {
        let (mut result, mut reader) = run(vec![case("a", Outcome::Crash)]);
        change(&mut result, &mut reader);
        updated(&Baseline::default(), &result, &reader).unwrap_err()
    };
    let partial = [
        update(|run, _| run.run.selection.filters = vec!["x".into()]),
        update(|run, _| run.run.selection.shard = Some("1/2".into())),
        update(|run, _| run.run.selection.formats = vec!["toy".into()]),
    ];
    assert_eq!(
        partial,
        [
            UpdateError::Partial,
            UpdateError::Partial,
            UpdateError::Partial
        ]
    );
    let unfinished = update(|_, reader| {
        reader.tail.not_run = NotRun {
            cases: 3,
            why: None,
        }
    });
    assert_eq!(unfinished, UpdateError::Unfinished(3));
    let failed = update(|_, reader| reader.state = ReaderState::Failed("x".into()));
    assert_eq!(failed, UpdateError::NotRun("x".into()));
}
