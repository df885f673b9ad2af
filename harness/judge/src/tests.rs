use std::sync::Arc;
use std::time::Duration;

use tracegauge_contain::Flood;
use tracegauge_corpus::case::{Expected, ExpectedViolation, FaultClass, Provenance, Source};
use tracegauge_protocol::{Breach, Breakdown, Death, Rejection};
use tracegauge_results::{Difference, Noted, Proof, ReaderDuty};

use super::*;

fn case(id: &str, verdict: ExpectedVerdict) -> Case {
    Case {
        id: id.into(),
        format: "toy-v1".into(),
        bytes: Arc::from(&b"TOY1abcdefghijklmnop"[..]),
        repeated: None,
        expected: Expected {
            verdict,
            records: vec![vec![]],
            due: None,
            open: false,
            violation: None,
        },
        twin: None,
        provenance: Provenance {
            source: Source::Valid,
            rules: vec!["EVENTS".into()],
            operator: None,
            why: "why".into(),
        },
        departures: Vec::new(),
        state: State::Active,
        version: 1,
    }
}

fn accepted() -> Case {
    case("good", ExpectedVerdict::Accept)
}

fn rejected() -> Case {
    let mut case = case("bad", ExpectedVerdict::Reject);
    case.twin = Some("good".into());
    case.expected.violation = Some(ExpectedViolation {
        rules: vec!["NO-FF".into()],
        class: FaultClass::Malformed,
        path: "events[3]".into(),
        start: 7,
        end: 9,
    });
    case
}

fn said(answer: Answer) -> Response {
    Response {
        answer,
        seen: None,
        stderr: String::new(),
        unsteady: None,
        stray: None,
        seconds: None,
    }
}

fn read(answer: Answer, is_right: bool) -> Response {
    let difference = Difference {
        record: 0,
        path: "n".into(),
        expected: "1".into(),
        actual: "2".into(),
        ..Difference::default()
    };
    let difference = (!is_right).then_some(difference);
    let seen = Seen {
        reported: 1,
        expected: true,
        whole: difference.clone(),
        before_fault: difference,
        tally: Tally {
            expected: 4,
            seen: 3,
            ..Tally::default()
        },
        ..Seen::default()
    };
    Response {
        seen: Some(seen),
        ..said(answer)
    }
}

fn reject() -> Answer {
    Answer::Reject(Rejection::default())
}

fn unclear() -> Answer {
    Answer::Reject(Rejection {
        perhaps_crashed: true,
        ..Rejection::default()
    })
}

fn unsupported(feature: Option<&str>) -> Answer {
    Answer::Unsupported {
        feature: feature.map(str::to_owned),
    }
}

/// Judges the responses to `cases`. A case without a response did not run.
fn judge(cases: &[(Case, Option<Response>)], gaps: &[&str], rules: &[RuleInfo]) -> Vec<CaseResult> {
    judge_as(cases, gaps, rules, Strictness::Ordinary)
}

fn judge_as(
    cases: &[(Case, Option<Response>)],
    gaps: &[&str],
    rules: &[RuleInfo],
    strictness: Strictness,
) -> Vec<CaseResult> {
    let gaps: Vec<String> = gaps.iter().map(|gap| (*gap).to_owned()).collect();
    let responses: Vec<_> = cases.iter().map(|(_, response)| response.clone()).collect();
    let cases: Vec<&Case> = cases.iter().map(|(case, _)| case).collect();
    let judge = Judge::new(&cases, &responses, rules, &gaps, strictness);
    (0..cases.len())
        .filter_map(|index| judge.result(index))
        .collect()
}

fn one(case: Case, answer: Answer) -> CaseResult {
    judge(&[(case, Some(said(answer)))], &[], &[]).remove(0)
}

#[test]
fn the_table_of_verdicts() {
    let either = || case("either", ExpectedVerdict::Either);
    let broke = |breakdown| Answer::Broke(breakdown);
    let rows = [
        (accepted(), Answer::Accept, Outcome::Pass),
        (accepted(), reject(), Outcome::WrongReject),
        (accepted(), unclear(), Outcome::WrongReject),
        (rejected(), Answer::Accept, Outcome::WrongAccept),
        (rejected(), reject(), Outcome::Pass),
        (rejected(), unclear(), Outcome::Pass),
        (either(), Answer::Accept, Outcome::Pass),
        (either(), reject(), Outcome::Pass),
        (either(), unsupported(None), Outcome::Pass),
        (accepted(), unsupported(None), Outcome::UndeclaredGap),
        (rejected(), unsupported(Some("x")), Outcome::UndeclaredGap),
        (
            either(),
            broke(Breakdown::Crash(Death::Signal(11), None)),
            Outcome::Crash,
        ),
        (
            accepted(),
            broke(Breakdown::Hang(Duration::from_secs(5))),
            Outcome::Hang,
        ),
        (
            rejected(),
            broke(Breakdown::OutOfMemory(1)),
            Outcome::OutOfMemory,
        ),
        (
            rejected(),
            broke(Breakdown::Flood(Flood::Output)),
            Outcome::Flood,
        ),
        (
            rejected(),
            broke(Breakdown::Protocol(Breach::Neither("x".into()))),
            Outcome::Protocol,
        ),
    ];
    for (case, answer, outcome) in rows {
        let id = case.id.clone();
        assert_eq!(one(case, answer.clone()).outcome, outcome, "{id}: {answer}");
    }
    let wrong = judge(&[(accepted(), Some(read(Answer::Accept, false)))], &[], &[]);
    assert_eq!(wrong[0].outcome, Outcome::WrongRecords);
    assert!(wrong[0].detail.as_ref().unwrap().difference.is_some());
}

#[test]
fn what_a_reader_need_not_know_it_may_call_unsupported() {
    let mut case = rejected();
    case.expected.violation.as_mut().unwrap().class = FaultClass::Unsupported;
    let results = judge(
        &[
            (accepted(), Some(said(Answer::Accept))),
            (case, Some(said(unsupported(None)))),
        ],
        &[],
        &[],
    );
    assert_eq!(
        (results[1].outcome, results[1].proof),
        (Outcome::Pass, Some(Proof::Proven))
    );
    assert_eq!(results[1].grade.unwrap().class, Some(true));
}

#[test]
fn a_gap_is_declared_by_feature_or_by_what_the_case_is_about() {
    let outcome = |feature: Option<&str>, gaps: &[&str]| {
        judge(&[(rejected(), Some(said(unsupported(feature))))], gaps, &[])[0].outcome
    };
    assert_eq!(outcome(Some("labels"), &["labels"]), Outcome::Unsupported);
    assert_eq!(outcome(Some("labels"), &["events"]), Outcome::UndeclaredGap);
    assert_eq!(
        outcome(None, &["events"]),
        Outcome::Unsupported,
        "by its path"
    );
    assert_eq!(
        outcome(None, &["EVENTS"]),
        Outcome::Unsupported,
        "by its rule"
    );
    assert_eq!(outcome(None, &["event"]), Outcome::UndeclaredGap);
}

#[test]
fn a_rejection_is_proven_by_its_twin() {
    let proof = |twin: Option<Response>, answer: Answer| {
        judge(
            &[(rejected(), Some(said(answer))), (accepted(), twin)],
            &[],
            &[],
        )[0]
        .proof
    };
    assert_eq!(
        proof(Some(said(Answer::Accept)), reject()),
        Some(Proof::Proven)
    );
    assert_eq!(
        proof(Some(read(Answer::Accept, true)), reject()),
        Some(Proof::Proven)
    );
    assert_eq!(
        proof(Some(read(Answer::Accept, false)), reject()),
        Some(Proof::TwinWrongRecords)
    );
    assert_eq!(
        proof(Some(said(reject())), reject()),
        Some(Proof::TwinNotAccepted)
    );
    assert_eq!(proof(None, reject()), Some(Proof::TwinNotAnswered));
    let died = Answer::Broke(Breakdown::Crash(Death::Status(3), None));
    assert_eq!(
        proof(Some(said(died)), reject()),
        Some(Proof::TwinNotAnswered)
    );
    assert_eq!(
        proof(Some(said(Answer::Accept)), unclear()),
        Some(Proof::PerhapsCrashed)
    );
    let misread = judge(
        &[
            (rejected(), Some(read(reject(), false))),
            (accepted(), Some(read(Answer::Accept, true))),
        ],
        &[],
        &[],
    );
    assert_eq!(misread[0].proof, Some(Proof::WrongRecordsBefore));
    let mut lonely = rejected();
    lonely.twin = None;
    assert_eq!(one(lonely, reject()).proof, Some(Proof::NoTwin));
}

#[test]
fn an_acceptance_is_proven_by_records_or_by_a_rejected_sibling() {
    let proof = |sibling: Answer| {
        let cases = [
            (accepted(), Some(said(Answer::Accept))),
            (rejected(), Some(said(sibling))),
        ];
        judge(&cases, &[], &[])[0].proof
    };
    assert_eq!(proof(reject()), Some(Proof::Proven));
    assert_eq!(proof(Answer::Accept), Some(Proof::SiblingNotRejected));
    assert_eq!(proof(unclear()), Some(Proof::SiblingNotRejected));
    assert_eq!(one(accepted(), Answer::Accept).proof, Some(Proof::NoTwin));
    let read = judge(&[(accepted(), Some(read(Answer::Accept, true)))], &[], &[]);
    assert_eq!(read[0].proof, Some(Proof::Proven));
}

#[test]
fn a_rejection_is_graded_step_by_step() {
    let grade = |response: Response| {
        judge(&[(rejected(), Some(response))], &[], &[])[0]
            .grade
            .unwrap()
    };
    let bare = grade(said(reject()));
    assert_eq!((bare.records, bare.class, bare.byte), (None, None, None));
    let answer = |class, offset| {
        Answer::Reject(Rejection {
            class: Some(class),
            offset: Some(offset),
            ..Rejection::default()
        })
    };
    let good = grade(read(answer(FaultClass::Malformed, 8), true));
    assert_eq!(
        (good.records, good.class, good.byte),
        (Some(true), Some(true), Some(true))
    );
    let poor = grade(read(answer(FaultClass::Incomplete, 9), false));
    assert_eq!(
        (poor.records, poor.class, poor.byte),
        (Some(false), Some(false), Some(false))
    );
}

#[test]
fn a_fault_without_bytes_is_where_they_should_be() {
    let mut case = rejected();
    case.expected.violation.as_mut().unwrap().end = 7;
    let answer = Answer::Reject(Rejection {
        offset: Some(7),
        ..Rejection::default()
    });
    assert_eq!(one(case, answer).grade.unwrap().byte, Some(true));
}

#[test]
fn a_trace_that_may_be_rejected_is_read_right_or_not_at_all() {
    let either = |response| {
        let result = judge(
            &[(case("either", ExpectedVerdict::Either), Some(response))],
            &[],
            &[],
        );
        result.into_iter().next().unwrap()
    };
    assert_eq!(either(read(Answer::Accept, true)).outcome, Outcome::Pass);
    let wrong = either(read(Answer::Accept, false));
    assert_eq!(wrong.outcome, Outcome::WrongRecords);
    assert_eq!(wrong.noted, None);
    assert_eq!(wrong.detail.unwrap().expected, "accept or reject");
    // The records that a reader reports before it rejects the trace are not compared.
    assert_eq!(either(read(reject(), false)).outcome, Outcome::Pass);
}

#[test]
fn either_is_noted_and_proves_nothing() {
    let result = one(case("either", ExpectedVerdict::Either), reject());
    assert_eq!((result.noted, result.proof), (Some(Noted::Rejected), None));
}

fn rule(level: Level, profile: Profile) -> RuleInfo {
    RuleInfo {
        id: "NO-FF".into(),
        format: "toy-v1".into(),
        section: String::new(),
        level,
        says: String::new(),
        reader: ReaderDuty::Reject,
        profile,
        through: None,
    }
}

#[test]
fn weak_rules_warn_unless_strict_and_never_excuse_a_breakdown() {
    let standing = |rule: RuleInfo, answer: Answer, strictness| {
        let cases = [(rejected(), Some(said(answer)))];
        judge_as(&cases, &[], &[rule], strictness)[0].standing
    };
    let should = || rule(Level::Should, Profile::Ordinary);
    let strict = || rule(Level::Must, Profile::Strict);
    let crash = || Answer::Broke(Breakdown::Crash(Death::Signal(6), None));
    use Strictness::{Ordinary, Strict};
    assert_eq!(
        standing(should(), Answer::Accept, Ordinary),
        Standing::Warning
    );
    assert_eq!(standing(should(), Answer::Accept, Strict), Standing::Counts);
    assert_eq!(
        standing(strict(), Answer::Accept, Ordinary),
        Standing::NotJudged
    );
    assert_eq!(standing(strict(), Answer::Accept, Strict), Standing::Counts);
    assert_eq!(standing(should(), crash(), Ordinary), Standing::Counts);
    let must = rule(Level::Must, Profile::Ordinary);
    assert_eq!(standing(must, Answer::Accept, Ordinary), Standing::Counts);
}

#[test]
fn a_disputed_case_never_counts() {
    let mut case = rejected();
    case.state = State::Disputed;
    let result = one(
        case,
        Answer::Broke(Breakdown::Crash(Death::Signal(6), None)),
    );
    assert_eq!(
        (result.outcome, result.standing),
        (Outcome::Crash, Standing::Disputed)
    );
    assert!(!result.fails_the_run());
}

#[test]
fn a_failure_is_told_in_full() {
    let result = one(rejected(), Answer::Accept);
    let detail = result.detail.unwrap();
    assert_eq!(
        detail.expected,
        "reject as malformed at events[3], bytes 7..9"
    );
    assert_eq!(detail.actual, "accept");
    let marked = detail.excerpt.unwrap().lines(7, 9).join("\n");
    assert!(marked.contains("^^^^^"), "{marked}");
    assert_eq!(result.rules, ["NO-FF", "EVENTS"]);
    let unclear = one(accepted(), unclear()).detail.unwrap();
    assert!(unclear.hint.unwrap().contains("statuses: {1: reject}"));
}

#[test]
fn a_status_is_to_be_declared_only_if_statuses_are_answers() {
    let hint = |death| {
        let died = Answer::Broke(Breakdown::Crash(death, None));
        one(rejected(), died).detail.unwrap().hint
    };
    let in_once_mode = hint(Death::Status(3)).unwrap();
    assert!(
        in_once_mode.contains("statuses: {3: reject}"),
        "{in_once_mode}"
    );
    assert_eq!(hint(Death::Early(3)), None);
}

#[test]
fn a_gap_is_to_be_declared_only_if_its_name_is_the_same_in_every_trace() {
    let hint = |case: Case, feature: &str| {
        let result = one(case, unsupported(Some(feature)));
        assert_eq!(result.outcome, Outcome::UndeclaredGap);
        result.detail.unwrap().hint.unwrap()
    };
    for (feature, declared) in [
        ("label_list_block", "`unsupported: [label_list_block]`"),
        ("version 7", "`unsupported: [version 7]`"),
        ("version 1.2.", "`unsupported: [version 1.2.]`"),
        ("maps, lists", "`unsupported: [\"maps, lists\"]`"),
    ] {
        let declare = format!("declare the feature in the reader file: {declared}");
        assert_eq!(hint(accepted(), feature), declare);
        let told = hint(rejected(), feature);
        let begins = told.starts_with("if the reader found a fault in the trace, answer ");
        assert!(begins && told.ends_with(&declare), "{told}");
    }
    for feature in [
        "65535 bytes expected, 92 left at byte 16",
        "bad length at 0x1f",
        "unknown block (offset 12)",
    ] {
        let told = hint(rejected(), feature);
        assert!(told.contains("cannot be declared"), "{told}");
        assert!(!told.contains("`unsupported"), "{told}");
    }
}

#[test]
fn what_was_observed_is_counted_over_right_acceptances() {
    let mut case = accepted();
    case.expected.records = vec![vec![tracegauge_decoder::record::Record {
        kind: "event".into(),
        members: vec![("n".into(), tracegauge_decoder::record::Value::Int(1))],
    }]];
    let responses = [
        Some(said(Answer::Accept)),
        Some(read(Answer::Accept, true)),
        Some(read(Answer::Accept, false)),
    ];
    let cases = [&case, &case, &case];
    let judge = Judge::new(&cases, &responses, &[], &[], Strictness::Ordinary);
    let counts: Vec<(u64, u64)> = (0..3)
        .map(|i| judge.tally(i))
        .map(|tally| (tally.seen, tally.expected))
        .collect();
    assert_eq!(counts, [(0, 1), (3, 4), (0, 0)]);
}

#[test]
fn a_reader_that_rejects_too_much_is_told_how_far_it_was_right() {
    let told = |response: Response| {
        let cases = [(case("valid", ExpectedVerdict::Accept), Some(response))];
        let result = judge(&cases, &[], &[]).remove(0);
        assert_eq!(result.outcome, Outcome::WrongReject);
        result.detail.unwrap().difference.map(|part| part.path)
    };
    assert_eq!(told(read(reject(), false)).as_deref(), Some("n"));
    assert_eq!(told(read(reject(), true)), None);
    // A reader that reports no records until it has read the whole trace does not reveal how far it
    // got.
    let mut silent = read(reject(), false);
    silent.seen.as_mut().unwrap().reported = 0;
    assert_eq!(told(silent), None);
}
