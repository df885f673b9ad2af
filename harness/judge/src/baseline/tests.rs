use std::collections::BTreeSet;

use tracegauge_reports::causes;
use tracegauge_results::{
    Detail, Difference, Expectation, Fault, NotRun, ReaderInfo, ReaderResult, ReaderState,
    ReaderTail, RunHead, RunResult, Standing, Totals,
};
use tracegauge_spec::bundled;

use super::*;

fn case(id: &str, outcome: Outcome) -> CaseResult {
    let detail = Detail {
        expected: "reject as malformed at x, byte 4".into(),
        actual: "accept".into(),
        fault: Some(Fault {
            about: Vec::new(),
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
        departures: Vec::new(),
        operator: None,
        twin: None,
        outcome,
        proof: None,
        noted: None,
        set_apart_by: None,
        suspects: Vec::new(),
        records: 0,
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
    assert_eq!(error, "known.yaml: the entry for a has no reason");
    let error = parse("[{case: a, outcome: pass, reason: b}]")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("lists pass, which is not a failure"),
        "{error}"
    );
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
    let problems = parse(LIST)
        .unwrap()
        .apply(&mut cases, Extent::Whole)
        .problems;
    assert_eq!(cases[0].known.as_deref(), Some("first"));
    assert!(cases[3].fails_the_run() && cases[2].fails_the_run() && !cases[0].fails_the_run());
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "a/2 matches a/* but passes; narrow the pattern",
            "b is listed as crash, but the outcome is hang",
        ]
    );
}

/// Returns a case with wrong records whose difference relates to `rule`.
fn wrong_records(id: &str, rule: &str) -> CaseResult {
    let mut wrong = case(id, Outcome::WrongRecords);
    wrong.detail.as_mut().unwrap().difference = Some(Difference {
        record: 2,
        path: "n".into(),
        expected: "1".into(),
        actual: "2".into(),
        rules: vec![rule.to_owned()],
        ..Difference::default()
    });
    wrong
}

#[test]
fn wrong_records_are_known_for_what_the_entry_says_is_wrong_in_them() {
    let wrong = |rule| wrong_records("a", rule);
    let list = "- {case: a, outcome: wrong-records, about: SIGNED, reason: It reads no sign.}";
    let list = parse(list).unwrap();
    let mut cases = [wrong("SIGNED")];
    assert_eq!(list.apply(&mut cases, Extent::Whole), Applied::default());
    assert_eq!(cases[0].known.as_deref(), Some("It reads no sign."));
    let mut cases = [wrong("TRUTH")];
    let problems = list.apply(&mut cases, Extent::Whole).problems;
    assert!(cases[0].fails_the_run());
    let said = problems[0].to_string();
    assert_eq!(
        said,
        "a is listed for SIGNED, but the failure is about TRUTH"
    );
}

#[test]
fn an_entry_lists_several_patterns_outcomes_and_rules() {
    let list = parse(
        "[{case: [a, b/*], outcome: [wrong-records, crash], about: [SIGNED, TRUTH], reason: so}]",
    );
    let list = list.unwrap();
    let mut cases = [
        wrong_records("a", "TRUTH"),
        case("b/1", Outcome::Crash),
        wrong_records("b/2", "SIGNED"),
    ];
    assert_eq!(list.apply(&mut cases, Extent::Whole), Applied::default());
    assert!(cases.iter().all(|case| case.known.is_some()));
    let mut cases = [wrong_records("b/1", "MAGIC"), case("b/2", Outcome::Hang)];
    let problems = list.apply(&mut cases, Extent::Whole).problems;
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "b/1 is listed for SIGNED or TRUTH, but the failure is about MAGIC",
            "b/2 is listed as wrong records or crash, but the outcome is hang",
            "a matches no case",
        ]
    );
}

#[test]
fn lists_of_nothing_are_refused() {
    for text in [
        "[{case: [], outcome: crash, reason: so}]",
        "[{case: a, outcome: [], reason: so}]",
        "[{case: a, outcome: crash, about: [], reason: so}]",
    ] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.contains("the list is empty"), "{error}");
    }
    let error = parse("[{case: [a, b], outcome: [crash, pass], reason: so}]");
    let error = error.unwrap_err().to_string();
    assert_eq!(
        error,
        "known.yaml: the entry for a lists pass, which is not a failure"
    );
}

#[test]
fn what_is_known_by_an_unexplained_entry_is_counted() {
    let list = parse(
        "
- {case: a, outcome: crash, reason: It trusts a length.}
- {case: [a, b, c], outcome: crash, unexplained: true, reason: seen}
",
    );
    let crash = |id| case(id, Outcome::Crash);
    let mut cases = [crash("a"), crash("b"), crash("c"), crash("d")];
    let applied = list.unwrap().apply(&mut cases, Extent::Whole);
    assert_eq!((applied.unexplained, applied.problems), (2, Vec::new()));
    assert_eq!(cases[1].known.as_deref(), Some("seen"));
    assert!(cases[3].fails_the_run());
}

#[test]
fn an_entry_about_nothing_is_stale_after_a_whole_run_only() {
    let list = parse(LIST).unwrap();
    let mut cases = vec![case("a/1", Outcome::WrongAccept)];
    assert_eq!(list.apply(&mut cases, Extent::Part), Applied::default());
    let problems = list.apply(&mut cases, Extent::Whole).problems;
    assert_eq!(
        problems,
        [BaselineProblem::Stale {
            pattern: "b".into()
        }]
    );
    let mut other = case("b", Outcome::Crash);
    other.rules = vec!["OTHER".into()];
    let problems = list.apply(&mut [other], Extent::Whole).problems;
    assert_eq!(
        problems.len(),
        2,
        "an entry about a rule does not list cases about others"
    );
}

fn run(cases: Vec<CaseResult>) -> (RunResult, ReaderResult) {
    let reader = ReaderResult {
        reader: ReaderInfo::default(),
        state: ReaderState::Ran,
        totals: Totals::of(cases.len(), 0, &cases),
        tail: ReaderTail::default(),
        causes: Vec::new(),
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

/// Returns the text of the baseline `old` after an update from a run with `cases`.
fn rewritten(old: &str, cases: Vec<CaseResult>) -> String {
    let (result, mut reader) = run(cases);
    if old.is_empty() {
        reader.causes = causes::of(&result.run, &reader);
    }
    let new = updated(&parse(old).unwrap(), &result, &reader).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("known.yaml");
    new.save(&path).unwrap();
    assert_eq!(Baseline::load(&path).unwrap(), new);
    let mut cases = reader.cases.clone();
    assert_eq!(new.apply(&mut cases, Extent::Whole).problems, []);
    assert!(cases.iter().all(|case| !case.fails_the_run()));
    let again = updated(&new, &result, &reader).unwrap();
    assert_eq!(again, new, "a second update changes nothing");
    fs::read_to_string(&path).unwrap()
}

#[test]
fn an_update_keeps_what_holds_and_marks_what_is_new() {
    let cases = vec![
        case("a/1", Outcome::WrongAccept),
        case("a/2", Outcome::Pass),
        case("b", Outcome::Hang),
        case("c", Outcome::Hang),
        wrong_records("d", "SIGNED"),
    ];
    insta::assert_snapshot!(rewritten(LIST, cases), @r"
    - reason: first
      outcome: wrong-accept
      case: a/1
    - reason: hang; rule MAGIC; byte 4; expected reject as malformed at x, byte 4, got accept
      unexplained: true
      outcome: hang
      case:
      - b
      - c
    - reason: wrong records; rule SIGNED; byte 4; expected record 2 n = 1, got 2
      unexplained: true
      outcome: wrong-records
      about: SIGNED
      case: d
    ");
}

#[test]
fn an_update_lists_new_failures_by_cause() {
    let malformed = |id: &str, rule: &str, outcome| {
        let mut case = case(&format!("toy-v1/malformed/{rule}/{id}"), outcome);
        case.rules = vec![rule.to_owned()];
        case
    };
    let mut disputed = case("toy-v1/odd", Outcome::Hang);
    disputed.standing = Standing::Disputed;
    let cases = vec![
        malformed("1", "MAGIC", Outcome::WrongAccept),
        malformed("2", "MAGIC", Outcome::WrongAccept),
        malformed("1", "SIZE", Outcome::WrongAccept),
        malformed("2", "SIZE", Outcome::Pass),
        malformed("3", "SIZE", Outcome::WrongAccept),
        disputed,
    ];
    insta::assert_snapshot!(rewritten("", cases), @r"
    - reason: accepts what MAGIC forbids (proven); wrong accept; rule MAGIC; byte 4; expected reject as malformed at x, byte 4, got accept
      unexplained: true
      outcome: wrong-accept
      simplest: toy-v1/malformed/MAGIC/1
      case: toy-v1/malformed/MAGIC/*
    - reason: accepts what SIZE forbids (proven); wrong accept; rule SIZE; byte 4; expected reject as malformed at x, byte 4, got accept
      unexplained: true
      outcome: wrong-accept
      simplest: toy-v1/malformed/SIZE/1
      case:
      - toy-v1/malformed/SIZE/1
      - toy-v1/malformed/SIZE/3
    - reason: hang; rule MAGIC; byte 4; expected reject as malformed at x, byte 4, got accept
      unexplained: true
      outcome: hang
      case: toy-v1/odd
    ");
}

#[test]
fn an_update_merges_entries_that_differ_in_their_cases_alone() {
    let old = "
- {case: a/*, outcome: wrong-accept, reason: It counts from 1.}
- {case: b, outcome: crash, reason: It counts from 1.}
- {case: [c, gone], outcome: wrong-accept, reason: It counts from 1.}
- {case: gone, outcome: hang, reason: It waits.}
";
    let cases = vec![
        case("a/1", Outcome::WrongAccept),
        case("a/2", Outcome::WrongAccept),
        case("b", Outcome::Crash),
        case("c", Outcome::WrongAccept),
        case("d", Outcome::Pass),
    ];
    insta::assert_snapshot!(rewritten(old, cases), @r"
    - reason: It counts from 1.
      outcome: wrong-accept
      case:
      - a/*
      - c
    - reason: It counts from 1.
      outcome: crash
      case: b
    ");
}

#[test]
fn a_new_failure_joins_those_like_it_that_nobody_has_explained() {
    let old = "
- {case: a/1, outcome: wrong-accept, unexplained: true, reason: seen}
- {case: b, outcome: [crash, hang], reason: It trusts a length.}
";
    let cases = vec![
        case("a/1", Outcome::WrongAccept),
        case("a/2", Outcome::WrongAccept),
        case("b", Outcome::Hang),
    ];
    insta::assert_snapshot!(rewritten(old, cases), @r"
    - reason: seen
      unexplained: true
      outcome: wrong-accept
      case:
      - a/1
      - a/2
    - reason: It trusts a length.
      outcome:
      - crash
      - hang
      case: b
    ");
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

#[test]
fn the_list_of_the_documentation_is_one() {
    let page = include_str!("../../../../docs/reader-protocol.md");
    let section = page.split("\n## Known failures\n").nth(1).unwrap();
    let text = section.split("```yaml\n").nth(1).unwrap();
    let list = parse(text.split("```").next().unwrap()).unwrap();
    assert_eq!(list.entries.len(), 2);
}

#[test]
fn the_bundled_lists_explain_each_failure_by_a_rule() {
    let rules: BTreeSet<String> = bundled::list()
        .iter()
        .flat_map(|format| format.load().schema.unwrap().rules.to_vec())
        .map(|rule| rule.id)
        .collect();
    let names_a_rule = |reason: &str| {
        let mut words = reason.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        words.any(|word| rules.contains(word))
    };
    let readers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../readers");
    let folders = fs::read_dir(readers).unwrap().map(|it| it.unwrap().path());
    let paths = folders.map(|folder| folder.join("known-failures.yaml"));
    let paths: Vec<PathBuf> = paths.filter(|path| path.exists()).collect();
    assert!(paths.len() >= 6, "{paths:?}");
    for path in paths {
        let mut reasons = BTreeSet::new();
        for entry in Baseline::load(&path).unwrap().entries {
            let reason = &entry.reason;
            assert!(!entry.unexplained, "{}: {reason}", path.display());
            assert!(names_a_rule(reason), "{}: {reason}", path.display());
            assert!(entry.simplest.is_some(), "{}: {reason}", path.display());
            let is_new = reasons.insert(reason.clone());
            assert!(is_new, "{}: two entries for {reason}", path.display());
        }
    }
}

#[test]
fn an_entry_with_a_simplest_case_says_where_a_flaw_may_show() {
    let list = "- {case: b/*, simplest: b/1, outcome: crash, reason: It trusts a length.}";
    let list = parse(list).unwrap();
    let apply = |outcomes: [Outcome; 3]| {
        let names = ["b/1", "b/2", "b/3"].into_iter();
        let mut cases: Vec<CaseResult> = names.zip(outcomes).map(|(id, it)| case(id, it)).collect();
        let problems = list.apply(&mut cases, Extent::Whole).problems;
        let known = cases.iter().filter(|case| case.known.is_some()).count();
        let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
        (known, texts)
    };
    let (crash, pass, hang) = (Outcome::Crash, Outcome::Pass, Outcome::Hang);
    assert_eq!(apply([crash, crash, pass]), (2, vec![]));
    assert_eq!(apply([crash, hang, pass]), (1, vec![]));
    let fixed = "fixed: b/1 passes; remove the entry with this reason: It trusts a length.";
    assert_eq!(apply([pass, pass, pass]), (0, vec![fixed.to_owned()]));
    // Cases that still fail have another cause, which the fixed bug concealed.
    let hidden = format!("{fixed} (the entry hid the failure of b/2)");
    assert_eq!(apply([pass, crash, pass]), (0, vec![hidden]));
    let hidden = format!("{fixed} (the entry hid the failures of b/2 and 1 more)");
    assert_eq!(apply([pass, crash, hang]), (0, vec![hidden]));
    let other = "b/1 is listed as crash, but the outcome is hang";
    assert_eq!(apply([hang, crash, pass]), (1, vec![other.to_owned()]));
    // A run of only some cases may lack the simplest case.
    let mut part = [case("b/2", crash)];
    assert!(list.apply(&mut part, Extent::Part).problems.is_empty());
    let problems = list.apply(&mut part, Extent::Whole).problems;
    assert_eq!(problems[0].to_string(), "b/1 matches no case");
    let error = parse("[{case: b/*, simplest: c, outcome: crash, reason: so}]").unwrap_err();
    let said = "known.yaml: `simplest` names c, which no pattern of `case` matches";
    assert_eq!(error.to_string(), said);
}

#[test]
fn an_update_names_another_simplest_case_once_it_passes() {
    let list = "- {reason: so, outcome: crash, simplest: b/1, case: [b/*, c]}";
    let mut unusual = case("b/2", Outcome::Crash);
    unusual.departures = vec!["NAME-EMPTY".to_owned()];
    let cases = vec![
        case("b/1", Outcome::Pass),
        unusual,
        case("b/3", Outcome::Crash),
        case("c", Outcome::Pass),
    ];
    let updated = "- reason: so\n  outcome: crash\n  simplest: b/3\n  case: b/*\n";
    assert_eq!(rewritten(list, cases), updated);
}

#[test]
fn deep_nesting_is_refused_at_once() {
    let begun = std::time::Instant::now();
    for text in [
        "[".repeat(80_000),
        "- case: ".to_owned() + &"{a: ".repeat(20_000),
    ] {
        let error = parse(&text).unwrap_err().to_string();
        assert!(error.starts_with("known.yaml:1:"), "{error}");
    }
    assert!(begun.elapsed() < std::time::Duration::from_secs(2));
}

#[test]
fn entries_about_findings_of_campaigns_are_left_alone() {
    let text = "[{case: [a, x-v1/fuzz/MAGIC], outcome: crash, reason: It trusts a length.}]";
    let list = parse(text).unwrap();
    let mut cases = [case("a", Outcome::Crash)];
    assert_eq!(list.apply(&mut cases, Extent::Whole).problems, []);
    let (result, reader) = run(vec![case("a", Outcome::Pass)]);
    let new = updated(&list, &result, &reader).unwrap();
    let kept: Vec<Pattern> = new.entries.iter().flat_map(Entry::patterns).collect();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].text(), "x-v1/fuzz/MAGIC");
}
