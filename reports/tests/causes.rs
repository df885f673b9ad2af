//! Tests that failures are traced to causes, and that the causes are ordered from plain to unusual.
#![allow(clippy::unwrap_used)]

use crate::common;
use std::collections::BTreeSet;

use common::{case, story};
use proptest::prelude::*;
use tracegauge_reports::causes::{self, Levels};
use tracegauge_reports::merge::merge;
use tracegauge_reports::{
    AlignedDifference, CaseResult, Cause, Confidence, Crash, Detail, Difference, Differences,
    Expectation, Impact, LookAt, Outcome, Proof, RecordFault, RuleInfo, RunResult, Severity,
    Standing, Symptom, Totals,
};

/// Returns a valid case that tests `rules` and has `departures`.
fn valid(id: &str, departures: &[&str], rules: &[&str], outcome: Outcome) -> CaseResult {
    let mut case = case(id, "", Expectation::Accept, outcome);
    case.departures = owned(departures);
    case.rules = owned(rules);
    case.detail = None;
    case
}

/// Returns a malformed case that violates `rule`.
fn malformed(id: &str, rule: &str, operator: &str, outcome: Outcome) -> CaseResult {
    let mut case = case(id, rule, Expectation::Reject, outcome);
    case.operator = Some(operator.into());
    case.detail = None;
    case.twin = None;
    case
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Adds a wrong member and the rules for it to `case`.
fn differs(
    mut case: CaseResult,
    path: &str,
    [expected, actual]: [&str; 2],
    about: &[&str],
) -> CaseResult {
    case.detail = Some(Box::new(Detail {
        difference: Some(Difference {
            path: path.into(),
            expected: expected.into(),
            actual: actual.into(),
            rules: owned(about),
            ..Difference::default()
        }),
        ..Detail::default()
    }));
    case
}

fn wrong(id: &str, departures: &[&str], rules: &[&str], path: &str, about: &[&str]) -> CaseResult {
    let case = valid(id, departures, rules, Outcome::WrongRecords);
    differs(case, path, ["1", "2"], about)
}

/// Returns a case whose whole answer was compared and differs in these members, each with the rules
/// for it.
fn differs_in(
    id: &str,
    departures: &[&str],
    rules: &[&str],
    members: &[(&str, &[&str])],
) -> CaseResult {
    let (path, about) = members[0];
    let mut case = wrong(id, departures, rules, path, about);
    let list = members.iter().map(|(path, about)| AlignedDifference {
        fault: RecordFault::Value,
        kind: "event".into(),
        difference: Difference {
            path: (*path).into(),
            expected: "1".into(),
            actual: "2".into(),
            rules: owned(about),
            ..Difference::default()
        },
    });
    let differences = Differences {
        count: members.len(),
        is_complete: true,
        list: list.collect(),
    };
    case.detail.as_mut().unwrap().differences = Some(differences);
    case
}

/// Replaces the faults in the records of `case`.
fn with_fault(mut case: CaseResult, fault: RecordFault) -> CaseResult {
    let all = case.detail.as_mut().unwrap().differences.as_mut().unwrap();
    all.list.iter_mut().for_each(|it| it.fault = fault);
    case
}

/// Adds the reader's answer to `case`.
fn says(mut case: CaseResult, actual: &str) -> CaseResult {
    case.detail = Some(Box::new(Detail {
        actual: actual.into(),
        ..Detail::default()
    }));
    case
}

fn crash(kind: &str, frame: Option<&str>) -> Crash {
    Crash {
        runtime: "Python".into(),
        kind: kind.into(),
        access: None,
        near_null: false,
        severity: Severity::NotExploitable,
        frames: frame.into_iter().map(str::to_owned).collect(),
    }
}

fn crashes(mut case: CaseResult, kind: &str, frame: Option<&str>) -> CaseResult {
    case.detail = Some(Box::new(Detail {
        crash: Some(crash(kind, frame)),
        ..Detail::default()
    }));
    case
}

fn result(cases: &[CaseResult]) -> RunResult {
    let mut result = story(cases, cases.len());
    result.readers.truncate(1);
    let reader = &mut result.readers[0];
    reader.tail.not_run = Default::default();
    reader.totals = Totals::of(cases.len(), 0, cases);
    result
}

fn causes(cases: &[CaseResult]) -> Vec<Cause> {
    let result = result(cases);
    result.readers[0].causes.clone()
}

/// Returns the only cause of the failures in `cases`.
fn cause(cases: &[CaseResult]) -> Cause {
    let causes = causes(cases);
    assert_eq!(causes.len(), 1, "{causes:#?}");
    causes[0].clone()
}

fn one_of(names: &[&str]) -> Confidence {
    Confidence::OneOf(owned(names))
}

const PASS: Outcome = Outcome::Pass;
const REJECT: Outcome = Outcome::WrongReject;
const ACCEPT: Outcome = Outcome::WrongAccept;

#[test]
fn a_reader_without_failures_has_no_causes() {
    let mut known = valid("b", &[], &["R"], REJECT);
    known.known = Some("issue 1".into());
    let mut warning = valid("c", &[], &["R"], REJECT);
    warning.standing = Standing::Warning;
    assert!(causes(&[valid("a", &[], &["R"], PASS), known, warning]).is_empty());
}

#[test]
fn a_departure_explains_all_cases_that_contain_it() {
    let cause = cause(&[
        valid("plain", &[], &["R"], PASS),
        valid("one", &["EXTRA"], &["R", "EXTRA"], REJECT),
        valid("other", &["GAP"], &["R", "GAP"], PASS),
        valid("two", &["GAP", "EXTRA"], &["R", "GAP", "EXTRA"], REJECT),
    ]);
    assert_eq!(cause.headline, "rejects valid traces with EXTRA");
    assert_eq!(cause.impact, Impact::Legal);
    assert_eq!(cause.rule.as_deref(), Some("EXTRA"));
    assert_eq!(cause.confidence, Confidence::Proven);
    assert_eq!((cause.simplest.as_str(), cause.alone), ("one", 2));
    assert_eq!(cause.cases, ["one", "two"]);
}

#[test]
fn a_departure_that_passes_elsewhere_is_not_the_cause() {
    let cause = cause(&[
        valid("a", &["GAP"], &["R"], PASS),
        valid("b", &["EXTRA"], &["R"], PASS),
        valid("c", &["EXTRA", "GAP"], &["R"], REJECT),
    ]);
    assert_eq!(cause.feature, ["EXTRA", "GAP"]);
    assert_eq!(cause.confidence, Confidence::Likely);
    assert_eq!(cause.headline, "rejects valid traces with EXTRA and GAP");
}

#[test]
fn an_unproven_pass_is_no_evidence() {
    let mut unproven = valid("a", &["EXTRA"], &["R"], PASS);
    unproven.proof = Some(Proof::SiblingNotRejected);
    let cause = cause(&[
        unproven,
        valid("b", &[], &["R"], PASS),
        valid("c", &["EXTRA"], &["R"], REJECT),
    ]);
    assert_eq!(cause.feature, ["EXTRA"]);
}

#[test]
fn the_departure_is_more_plausible_than_rules_that_come_with_it() {
    let cause = cause(&[
        valid("a", &[], &["R"], PASS),
        valid("b", &["process_id: negative"], &["R", "SIGNED"], REJECT),
    ]);
    assert_eq!(cause.feature, ["process_id: negative"]);
    assert_eq!((cause.rule, cause.confidence), (None, Confidence::Likely));
}

#[test]
fn the_rule_about_a_wrong_member_names_the_cause() {
    let cause = cause(&[
        valid("a", &[], &["MAGIC"], PASS),
        wrong(
            "b",
            &[],
            &["MAGIC", "LABEL", "DELTA"],
            "timestamp",
            &["DELTA"],
        ),
        wrong(
            "c",
            &["GAP"],
            &["MAGIC", "DELTA", "GAP"],
            "timestamp",
            &["DELTA"],
        ),
    ]);
    assert_eq!(cause.headline, "timestamp is wrong");
    assert_eq!(cause.impact, Impact::Plain);
    assert_eq!(cause.rule.as_deref(), Some("DELTA"));
    assert_eq!(cause.confidence, Confidence::Likely);
    assert_eq!(cause.cases.len(), 2);
}

#[test]
fn values_of_several_types_have_several_causes() {
    let causes = causes(&[
        valid("a", &[], &["MAGIC"], PASS),
        wrong(
            "b",
            &[],
            &["MAGIC", "NARROW"],
            "values[0].value",
            &["NARROW"],
        ),
        wrong(
            "c",
            &[],
            &["MAGIC", "NARROW", "WIDE"],
            "values[3].value",
            &["WIDE"],
        ),
    ]);
    let rules: Vec<&str> = causes.iter().filter_map(|it| it.rule.as_deref()).collect();
    assert_eq!(rules, ["NARROW", "WIDE"]);
    assert_eq!(causes[0].headline, "values[].value is wrong");
    assert_eq!(causes[0].symptom, causes[1].symptom);
}

#[test]
fn what_is_wrong_inside_a_wrong_member_is_explained_by_it() {
    let all = [
        valid("a", &[], &["MAGIC"], PASS),
        wrong("b", &[], &["POINTER"], "value", &["POINTER"]),
        wrong("c", &[], &["POINTER", "TRUTH"], "value[]", &["TRUTH"]),
    ];
    let one = cause(&all);
    assert_eq!(one.rule.as_deref(), Some("POINTER"));
    assert_eq!(one.cases, ["b", "c"]);
    let elsewhere = wrong("d", &[], &["TRUTH"], "value[]", &["TRUTH"]);
    let causes = causes(&[all.as_slice(), &[elsewhere]].concat());
    assert_eq!(causes.len(), 2, "not all of these traces have a pointer");
}

#[test]
fn a_case_written_for_a_rule_points_to_it_if_the_member_does_not() {
    let passes = |id, rules| valid(id, &["GAP"], rules, PASS);
    let cause = cause(&[
        passes("a", &["THREAD"]),
        passes("b", &["MAGIC"]),
        passes("c", &["MAGIC"]),
        wrong("d", &["GAP"], &["THREAD"], "thread", &["GAP"]),
        wrong(
            "e",
            &["GAP"],
            &["THREAD", "LONG", "MAGIC"],
            "thread",
            &["GAP"],
        ),
    ]);
    assert_eq!(cause.confidence, one_of(&["THREAD", "GAP"]));
    assert_eq!(cause.rule.as_deref(), Some("THREAD"));
}

#[test]
fn rejections_of_one_rule_are_one_cause_whatever_the_reader_says() {
    let rejects = |id, actual| says(valid(id, &[], &["R"], REJECT), actual);
    let cause = cause(&[
        valid("a", &[], &["R"], PASS),
        rejects("b", "no string at 23"),
        rejects("c", "no string at 24"),
        rejects("d", "a name is missing"),
        rejects("e", "a name is missing"),
    ]);
    assert_eq!(cause.cases, ["b", "c", "d", "e"]);
    assert_eq!(cause.rule.as_deref(), Some("R"));
}

#[test]
fn the_byte_at_which_a_reader_stops_tells_which_rule_comes_first() {
    let stops = |id: &str, near: &[&str]| {
        let mut case = says(
            valid(id, &[], &["LEVEL", "PARTS"], REJECT),
            "nothing is left",
        );
        let mut place = LookAt::new(b"ab", None, 1, 1);
        place.near = owned(near);
        case.detail.as_mut().unwrap().look_at = Some(place);
        case
    };
    let cause = cause(&[
        valid("a", &[], &["LEVEL", "PARTS"], PASS),
        stops("b", &["PARTS", "OTHER"]),
        stops("c", &["MORE", "PARTS"]),
    ]);
    assert_eq!(cause.confidence, one_of(&["PARTS", "LEVEL"]));
}

#[test]
fn a_reader_that_hangs_hangs_for_one_reason_unless_proven_otherwise() {
    let hangs =
        |id, departures: &[&str], rules: &[&str]| valid(id, departures, rules, Outcome::Hang);
    let causes = causes(&[
        valid("a", &[], &["MAGIC"], PASS),
        hangs("b", &[], &["TEXT"]),
        hangs("c", &["ODD", "LONG"], &["OTHER"]),
        hangs("d", &["ONE"], &["MAGIC"]),
    ]);
    let cases: Vec<usize> = causes.iter().map(|it| it.cases.len()).collect();
    assert_eq!(cases, [2, 1], "{causes:#?}");
}

#[test]
fn a_member_that_is_wrong_for_no_visible_reason_is_one_cause() {
    let cause = cause(&[
        valid("a", &[], &["MAGIC", "DELTA"], PASS),
        wrong("b", &[], &["DELTA"], "timestamp", &["DELTA"]),
        wrong("c", &[], &["MAGIC", "DELTA"], "timestamp", &["DELTA"]),
    ]);
    assert_eq!(cause.cases, ["b", "c"]);
    assert!(cause.feature.is_empty());
    assert_eq!(cause.confidence, one_of(&["DELTA"]));
}

#[test]
fn the_only_candidate_is_uncertain_if_the_member_points_elsewhere() {
    let cause = cause(&[
        valid("a", &[], &["DELTA"], PASS),
        wrong("b", &[], &["DELTA", "EMPTY"], "timestamp", &["DELTA"]),
    ]);
    assert_eq!(cause.confidence, one_of(&["DELTA", "EMPTY"]));
}

#[test]
fn of_many_rules_the_one_in_most_cases_is_chosen() {
    let cause = cause(&[
        valid("a", &[], &["MAGIC"], PASS),
        valid("b", &[], &["FIRST", "LONG"], REJECT),
        valid("c", &[], &["MAGIC", "LONG"], REJECT),
    ]);
    assert_eq!(cause.feature, ["LONG"]);
    assert_eq!(cause.confidence, Confidence::Likely);
    assert_eq!(cause.headline, "rejects plain traces that exercise LONG");
}

/// Checks that a member that is wrong in every trace is one cause: if nothing passes, nothing
/// distinguishes the failing traces.
#[test]
fn a_member_that_is_wrong_in_every_trace_is_one_cause() {
    let causes = causes(&[
        wrong("a", &[], &["ONE"], "timestamp", &["DELTA"]),
        wrong("b", &[], &["TWO"], "timestamp", &["DELTA"]),
        wrong("c", &["EXTRA"], &["TWO"], "timestamp", &["DELTA"]),
        valid("d", &["EXTRA"], &["TWO"], REJECT),
    ]);
    assert_eq!(causes[0].cases, ["a", "b", "c"]);
    // The reader accepts c, so nothing in c can be the reason for the rejection of d.
    assert_eq!(causes[0].alone, 3);
    assert!(causes[0].feature.is_empty());
    assert_eq!(causes[0].confidence, Confidence::Likely);
    assert_eq!(causes[1].cases, ["d"]);
    assert_eq!(causes[1].alone, 0, "the timestamp is probably wrong too");
}

/// Checks that a rule for unusual values is not blamed for wrong usual ones. It only shows where to
/// look.
#[test]
fn a_rule_about_a_departure_explains_no_plain_traces() {
    let cause = cause(&[
        valid("a", &[], &["MAGIC"], PASS),
        valid("b", &["NEGATIVE"], &["NEGATIVE"], Outcome::Unsupported),
        wrong("c", &[], &["MAGIC"], "thread", &["NEGATIVE"]),
        wrong(
            "d",
            &[],
            &["MAGIC", "GUID", "KIND"],
            "thread",
            &["NEGATIVE"],
        ),
    ]);
    assert_eq!(cause.cases, ["c", "d"]);
    assert_eq!(cause.confidence, one_of(&["NEGATIVE"]));
}

/// Checks a case without candidates. Hand-written cases do not list all rules that they exercise.
#[test]
fn a_case_without_candidates_joins_a_cause_that_looks_the_same() {
    let cause = cause(&[
        valid("a", &[], &["MAGIC", "KIND"], PASS),
        wrong("b", &[], &["DELTA"], "timestamp", &["DELTA"]),
        wrong("c", &[], &["KIND", "MAGIC"], "timestamp", &["DELTA"]),
    ]);
    assert_eq!(cause.cases, ["b", "c"]);
    assert_eq!(cause.rule.as_deref(), Some("DELTA"));
}

#[test]
fn a_single_candidate_among_rules_is_not_proven() {
    let cause = cause(&[
        valid("a", &[], &["MAGIC"], PASS),
        valid("b", &[], &["KIND"], REJECT),
    ]);
    assert_eq!(cause.confidence, one_of(&["KIND"]));
}

#[test]
fn an_uncertain_rule_is_not_in_the_headline() {
    let cause = cause(&[
        valid("a", &[], &["MAGIC"], PASS),
        valid("b", &[], &["MAGIC", "ONE", "TWO"], REJECT),
    ]);
    assert_eq!(cause.confidence, one_of(&["ONE", "TWO"]));
    assert_eq!(cause.headline, "rejects plain traces");
}

#[test]
fn a_rule_that_sets_all_failures_apart_is_likely() {
    let mut case = valid("b", &[], &["MAGIC", "ONE", "TWO"], REJECT);
    case.set_apart_by = Some("TWO".into());
    let cause = cause(&[valid("a", &[], &["MAGIC"], PASS), case]);
    assert_eq!(cause.rule.as_deref(), Some("TWO"));
    assert_eq!(cause.confidence, Confidence::Likely);
}

#[test]
fn at_most_five_candidates_are_listed() {
    let rules = ["A", "B", "C", "D", "E", "F", "G"];
    let cause = cause(&[valid("a", &[], &rules, REJECT)]);
    assert_eq!(cause.confidence, one_of(&["A", "B", "C", "D", "E"]));
}

#[test]
fn rejections_that_nothing_distinguishes_share_a_cause_if_the_reader_gives_one_reason() {
    let all = [valid("a", &[], &["R", "S", "T"], PASS)];
    let rejected = |id: &str, rule, why: &str| says(valid(id, &[], &[rule], REJECT), why);
    let more = [
        rejected("b", "R", "reject at byte 3: bad kind 7"),
        rejected("c", "S", "reject at byte 9: bad kind 12"),
        rejected("d", "T", "reject: too long"),
    ];
    let causes = causes(&[&all[..], &more].concat());
    let cases: Vec<&[String]> = causes.iter().map(|it| &it.cases[..]).collect();
    assert_eq!(cases, [&["b", "c"][..], &["d"]]);
    assert_eq!(causes[1].confidence, one_of(&["T"]));
}

#[test]
fn records_go_wrong_in_several_ways() {
    let symptom = |path: &str, expected: &str, actual: &str| {
        let case = valid("a", &[], &["R"], Outcome::WrongRecords);
        let cause = cause(&[differs(case, path, [expected, actual], &[])]);
        let Symptom::Records { fault, member } = cause.symptom else {
            panic!("{:?}", cause.symptom);
        };
        (fault, member, cause.headline)
    };
    let event = r#"{"record":"event","time":"1"}"#;
    let told =
        |fault, member: &str, headline: &str| (fault, member.to_owned(), headline.to_owned());
    assert_eq!(
        symptom("time", "1", "2"),
        told(RecordFault::Value, "time", "time is wrong")
    );
    assert_eq!(
        symptom("inner[0].inner[7].kind", "1", "2"),
        told(
            RecordFault::Element,
            "inner[].kind",
            "inner[].kind is wrong"
        )
    );
    assert_eq!(
        symptom("time", "1", "no such member"),
        told(RecordFault::Absent, "time", "time is not reported")
    );
    assert_eq!(
        symptom("time", "no such member", "1").0,
        RecordFault::Surplus
    );
    assert_eq!(
        symptom("record", "\"event\"", "\"label\""),
        told(
            RecordFault::Displaced,
            "event",
            "another record is reported in place of `event`"
        )
    );
    assert_eq!(
        symptom("", event, "no further record"),
        told(
            RecordFault::MissingTail,
            "event",
            "the last records are not reported, from `event` on"
        )
    );
    assert_eq!(
        symptom("", "no further record", event),
        told(
            RecordFault::Extra,
            "event",
            "too many records are reported: `event`"
        )
    );
    assert_eq!(symptom("", event, "?").0, RecordFault::Unknown);
    let bare = cause(&[valid("a", &[], &["R"], Outcome::WrongRecords)]);
    assert_eq!(bare.headline, "records are wrong");
}

#[test]
fn breakdowns_are_told_apart() {
    let all = [
        valid("a", &[], &["R"], PASS),
        valid("b", &["HANG"], &["R"], Outcome::Hang),
        valid("c", &["MEMORY"], &["R"], Outcome::OutOfMemory),
        valid("d", &["FLOOD"], &["R"], Outcome::Flood),
        says(
            valid("e", &["TALK"], &["R"], Outcome::Protocol),
            "line 3 is not JSON",
        ),
        says(
            valid("f", &["GAP"], &["R"], Outcome::UndeclaredGap),
            "unsupported: lz4",
        ),
        says(
            valid("g", &["DIE"], &["R"], Outcome::Crash),
            "terminated with SIGSEGV",
        ),
        says(
            valid("h", &["END"], &["R"], Outcome::Crash),
            "exited with status 3",
        ),
    ];
    let causes = causes(&all);
    let headlines: Vec<&str> = causes.iter().map(|it| it.headline.as_str()).collect();
    assert_eq!(
        headlines,
        [
            "hangs on traces with HANG",
            "runs out of memory on traces with MEMORY",
            "prints endless output on traces with FLOOD",
            "violates the reader protocol (line # is not JSON) on traces with TALK",
            "reports an undeclared gap (unsupported: lz4) on traces with GAP",
            "crashes (terminated with SIGSEGV) on traces with DIE",
            "crashes (exited with status #) on traces with END",
        ]
    );
}

#[test]
fn crashes_in_one_function_are_one_cause() {
    let broken = |id: &str, departures: &[&str], rules: &[&str], frame| {
        let case = valid(id, departures, rules, Outcome::Crash);
        crashes(case, "IndexError", Some(frame))
    };
    let causes = causes(&[
        valid("a", &[], &["R"], PASS),
        broken("b", &[], &["R", "ONE"], "parse"),
        broken("c", &["EXTRA"], &["R", "TWO"], "parse"),
        broken("d", &["EXTRA"], &["R", "TWO"], "skip"),
    ]);
    assert_eq!(causes.len(), 2);
    assert_eq!(causes[0].headline, "crashes in parse (IndexError)");
    assert_eq!(causes[0].cases, ["b", "c"]);
    // The second case does not have the rule of the first one.
    assert!(causes[0].feature.is_empty());
    assert_eq!(causes[0].confidence, one_of(&["ONE"]));
    assert_eq!(
        causes[1].headline,
        "crashes in skip (IndexError) on traces with EXTRA"
    );
}

#[test]
fn a_violated_rule_is_a_cause_of_its_own() {
    let causes = causes(&[
        valid("a", &[], &["R"], PASS),
        malformed("b", "KIND", "set", ACCEPT),
        malformed("c", "KIND", "flip", ACCEPT),
        malformed("d", "SIZE", "set", ACCEPT),
        malformed("e", "SIZE", "cut", PASS),
    ]);
    assert_eq!(causes[0].headline, "accepts what KIND forbids");
    assert_eq!(causes[0].cases, ["b", "c"]);
    assert!(causes[0].operators.is_empty());
    assert_eq!(causes[1].headline, "accepts what SIZE forbids");
    assert_eq!(causes[1].operators, ["set"]);
    for cause in &causes {
        assert_eq!(cause.impact, Impact::Accepts);
        assert_eq!(cause.confidence, Confidence::Proven);
        assert_eq!(cause.alone, cause.cases.len());
    }
}

#[test]
fn a_malformed_case_is_explained_by_its_twin() {
    let mut case = malformed("bad", "SIZE", "cut", Outcome::Hang);
    case.twin = Some("good".into());
    let cause = cause(&[
        valid("a", &[], &["R"], PASS),
        valid("good", &["EXTRA"], &["R"], Outcome::Hang),
        case,
    ]);
    assert_eq!(cause.cases, ["good", "bad"]);
    assert_eq!(cause.impact, Impact::Legal);
}

#[test]
fn a_malformed_case_contains_what_its_twin_contains() {
    let mut case = malformed("bad", "SIZE", "cut", Outcome::Hang);
    case.twin = Some("twin".into());
    let cause = cause(&[
        valid("a", &[], &["R"], PASS),
        valid("good", &["EXTRA"], &["R"], Outcome::Hang),
        valid("twin", &["EXTRA", "GAP"], &["R"], Outcome::Unsupported),
        case,
    ]);
    assert_eq!(cause.cases, ["good", "bad"]);
}

#[test]
fn a_malformed_case_with_the_records_or_the_crash_of_a_valid_one_is_explained() {
    let bad = |id: &str, outcome| malformed(id, "SIZE", "cut", outcome);
    let wrong_too = bad("bad/1", Outcome::WrongRecords);
    let wrong_too = differs(wrong_too, "time", ["5", "6"], &[]);
    let crashing = crashes(bad("bad/2", Outcome::Crash), "IndexError", Some("parse"));
    let causes = causes(&[
        valid("a", &[], &["R"], PASS),
        wrong("b", &["EXTRA"], &["R"], "time", &[]),
        crashes(
            valid("c", &["GAP"], &["R"], Outcome::Crash),
            "IndexError",
            Some("parse"),
        ),
        wrong_too,
        crashing,
    ]);
    let cases: Vec<&[String]> = causes.iter().map(|it| &it.cases[..]).collect();
    assert_eq!(cases, [&["b", "bad/1"][..], &["c", "bad/2"]]);
}

#[test]
fn a_breakdown_on_malformed_traces_only_is_named_by_the_violated_rule() {
    let cause = cause(&[
        valid("a", &[], &["R"], PASS),
        malformed("b", "SIZE", "cut", Outcome::Hang),
        malformed("c", "SIZE", "set", Outcome::Hang),
    ]);
    assert_eq!(cause.headline, "hangs on traces that violate SIZE");
    assert_eq!(cause.impact, Impact::Malformed);
    assert_eq!(cause.confidence, Confidence::Likely);
}

/// Checks that a member that is wrong nearly everywhere makes no second cause of the few traces
/// with something unusual, in which it is wrong too.
#[test]
fn few_cases_in_which_the_same_member_is_wrong_are_no_cause_of_their_own() {
    let many = |count: usize| -> Vec<CaseResult> {
        let ordinary = (0..count).map(|at| {
            let id = format!("m{at}");
            wrong(&id, &[], &["STEP"], "sequence", &["STEP"])
        });
        let unusual = wrong("z", &["WRAPS"], &["WRAPS"], "sequence", &["WRAPS"]);
        let passing = valid("p", &[], &["R"], PASS);
        ordinary.chain([unusual, passing]).collect()
    };
    let sizes = |count| -> Vec<usize> {
        let found = causes(&many(count));
        found.iter().map(|it| it.cases.len()).collect()
    };
    assert_eq!(sizes(20), [21]);
    assert_eq!(sizes(10), [10, 1]);
}

#[test]
fn causes_are_ordered_by_impact_and_then_by_the_number_of_cases() {
    let cases = [
        valid("a", &[], &["R"], PASS),
        malformed("b", "SIZE", "cut", ACCEPT),
        valid("c", &["GAP"], &["R"], REJECT),
        valid("d", &["EXTRA"], &["R"], REJECT),
        valid("e", &["EXTRA", "MORE"], &["R"], REJECT),
        valid("f", &["ORDER"], &["R"], REJECT),
        wrong("g", &[], &["R", "DELTA"], "time", &["DELTA"]),
    ];
    let mut result = result(&cases);
    let written = vec!["ORDER".to_owned(), "MORE".to_owned()];
    result.run.written.insert("toy-v1".into(), written);
    let causes = causes::of(&result.run, &result.readers[0]);
    let order: Vec<(Impact, &str)> = causes
        .iter()
        .map(|it| (it.impact, it.simplest.as_str()))
        .collect();
    assert_eq!(
        order,
        [
            (Impact::Plain, "g"),
            (Impact::Written, "f"),
            (Impact::Legal, "d"),
            (Impact::Legal, "c"),
            (Impact::Accepts, "b"),
        ]
    );
}

#[test]
fn cases_with_further_causes_are_counted() {
    let causes = causes(&[
        valid("a", &[], &["R"], PASS),
        valid("b", &["EXTRA"], &["R"], REJECT),
        valid("c", &["GAP"], &["R"], Outcome::Hang),
        valid("d", &["EXTRA", "GAP"], &["R"], REJECT),
    ]);
    assert_eq!((causes[0].cases.len(), causes[0].alone), (2, 1));
    assert_eq!((causes[1].cases.len(), causes[1].alone), (1, 1));
}

#[test]
fn valid_cases_are_counted_by_level() {
    let result = result(&[
        valid("a", &[], &["R"], PASS),
        valid("b", &["EXTRA"], &["R"], REJECT),
        valid("c", &["EXTRA", "GAP"], &["R"], REJECT),
        valid("d", &["ONE", "TWO", "THREE", "FOUR"], &["R"], PASS),
        valid("e", &["ONE"], &["R"], Outcome::Unsupported),
        malformed("f", "SIZE", "cut", ACCEPT),
        differs_in("g", &[], &["R"], &[("time", &[])]),
        differs_in("h", &["ONE", "TWO"], &["R"], &[("time", &[])]),
        differs_in(
            "i",
            &["ONE", "GAP"],
            &["R"],
            &[("time", &[]), ("name", &[])],
        ),
    ]);
    let levels: Levels = causes::levels(&result.readers[0]);
    assert_eq!(
        levels.to_string(),
        "valid traces passed: 1 of 2 plain, 0 of 1 with one departure, \
         0 of 3 with two departures (1 otherwise correct), 1 of 1 with more departures"
    );
    let otherwise_correct = levels.0.map(|level| level.otherwise_correct);
    assert_eq!(otherwise_correct, [0, 0, 1, 0]);
}

#[test]
fn a_member_that_is_wrong_everywhere_does_not_hide_another() {
    let time: (&str, &[&str]) = ("time", &["DELTA"]);
    let name: (&str, &[&str]) = ("name", &["UTF8"]);
    let causes = causes(&[
        differs_in("a", &[], &["R"], &[time]),
        differs_in("b", &["ODD"], &["R"], &[time]),
        differs_in("c", &["LONG"], &["R", "LONG"], &[time, name]),
        differs_in("d", &["LONG", "ODD"], &["R", "LONG"], &[time, name]),
    ]);
    assert_eq!(causes[0].headline, "time is wrong");
    assert_eq!(causes[0].cases, ["a", "b", "c", "d"]);
    assert_eq!(causes[0].alone, 2);
    assert_eq!(causes[1].headline, "name is wrong in traces with LONG");
    assert_eq!(causes[1].cases, ["c", "d"]);
    assert_eq!(causes[1].confidence, Confidence::Proven);
    assert_eq!(causes.len(), 2);
}

/// Checks that a reader that reports all records of a trace is not considered to have rejected it.
#[test]
fn a_case_with_other_wrong_records_is_evidence() {
    let time: (&str, &[&str]) = ("time", &["DELTA"]);
    let causes = causes(&[
        differs_in("a", &[], &["R", "KIND"], &[time]),
        differs_in("b", &["ODD"], &["R"], &[time]),
        valid("c", &["LONG"], &["R", "KIND"], REJECT),
        valid("d", &["LONG", "ODD"], &["R", "KIND"], REJECT),
    ]);
    assert_eq!(causes[1].headline, "rejects valid traces with LONG");
    assert_eq!(causes[1].confidence, Confidence::Proven);
    assert_eq!(causes[1].cases, ["c", "d"]);
}

/// Checks that members that are wrong after a record was lost are not causes of their own.
#[test]
fn what_follows_a_lost_record_is_no_cause() {
    let mut lost = differs_in("b", &["ODD"], &["R"], &[("", &[]), ("name", &[])]);
    let all = lost.detail.as_mut().unwrap().differences.as_mut().unwrap();
    all.list[0].fault = RecordFault::Missing;
    let cause = cause(&[valid("a", &[], &["R"], PASS), lost]);
    assert_eq!(
        cause.headline,
        "`event` records are missing in traces with ODD"
    );
}

#[test]
fn lost_and_reordered_records_are_recognized() {
    let headline = |fault| {
        let case = differs_in("b", &[], &["R"], &[("", &[])]);
        cause(&[with_fault(case, fault)]).headline
    };
    assert_eq!(
        [
            RecordFault::Missing,
            RecordFault::MissingTail,
            RecordFault::Order,
            RecordFault::Duplicate,
            RecordFault::Extra,
        ]
        .map(headline),
        [
            "`event` records are missing",
            "the last records are not reported, from `event` on",
            "the records are in the wrong order",
            "`event` records are reported more than once",
            "too many records are reported: `event`",
        ]
    );
}

/// Checks a violation whose valid twin is misread too, in which case the reader may still check the
/// rule.
#[test]
fn a_violation_whose_twin_is_misread_is_not_proven() {
    let mut accepted = malformed("bad", "SUM", "overflow", ACCEPT);
    accepted.twin = Some("b".into());
    let causes = causes(&[
        valid("a", &[], &["R"], PASS),
        wrong("b", &["LATE"], &["R"], "time", &[]),
        accepted,
    ]);
    assert_eq!(causes[1].headline, "accepts what SUM forbids");
    assert_eq!(causes[1].confidence, Confidence::Likely);
}

/// Checks that the name in most failing cases is the most plausible if no name occurs only in
/// failing cases.
#[test]
fn of_innocent_names_those_of_most_failing_cases_come_first() {
    let rejected = |id: &str, departures: &[&str]| {
        let case = valid(id, departures, &["R"], REJECT);
        says(case, "reject at byte 3: no schema for type -7")
    };
    let cause = cause(&[
        valid("a", &[], &["R"], PASS),
        valid("b", &["LARGE", "LONG"], &["R"], PASS),
        valid("c", &["LONG"], &["R"], PASS),
        rejected("d", &["LONG", "LARGE"]),
        rejected("e", &["LARGE"]),
    ]);
    assert_eq!(cause.cases, ["e", "d"]);
    assert_eq!(cause.confidence, one_of(&["LARGE", "R", "LONG"]));
}

/// Checks that rejections that one name explains are one cause. One mistake shows wherever its
/// value is used, and the reader gives other reasons there. It remains one mistake even if one of
/// many traces hides it.
#[test]
fn rejections_that_one_name_explains_are_one_cause() {
    let said = |id: &str, rules: &[&str], why: &str| says(valid(id, &[], rules, REJECT), why);
    let mut cases = vec![
        valid("unused", &[], &["EMPTY"], PASS),
        valid("a", &[], &["REF"], PASS),
        valid("b", &[], &["TYPE"], PASS),
    ];
    for n in 0..6 {
        cases.push(said(&format!("ref-{n}"), &["EMPTY", "REF"], "no text at 3"));
        cases.push(said(
            &format!("type-{n}"),
            &["EMPTY", "TYPE"],
            "unknown type",
        ));
    }
    let cause = cause(&cases);
    assert_eq!(cause.rule.as_deref(), Some("EMPTY"));
    assert_eq!(cause.cases.len(), 12);
}

#[test]
fn of_two_names_that_explain_a_cause_together_the_one_about_the_member_comes_first() {
    let cause = cause(&[
        valid("a", &["BACK"], &["BACK"], PASS),
        valid("b", &["SORTED"], &["SORTED"], PASS),
        wrong("c", &["BACK", "SORTED"], &["SORTED"], "time", &["BACK"]),
    ]);
    assert_eq!(cause.feature, ["BACK", "SORTED"]);
    assert_eq!(cause.rule.as_deref(), Some("BACK"));
}

#[test]
fn a_reader_that_keeps_what_is_cleared_breaks_the_rule_on_clearing() {
    let cases = [
        malformed("a", "REF", "never-defined", PASS),
        malformed("b", "REF", "cleared-before", ACCEPT),
    ];
    let mut result = result(&cases);
    let rule = |id: &str, through: Option<&str>| RuleInfo {
        id: id.to_owned(),
        through: through.map(str::to_owned),
        ..result.run.rules[0].clone()
    };
    let rules = vec![rule("REF", None), rule("CLEARS", Some("REF"))];
    result.run.rules = rules;
    let of = |result: &RunResult| causes::of(&result.run, &result.readers[0]);
    let found = of(&result);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].rule.as_deref(), Some("CLEARS"));
    assert_eq!(found[0].headline, "accepts what CLEARS forbids");
    assert_eq!(found[0].confidence, Confidence::Proven);
    // Two rules have the same symptom, so either may be broken.
    let other = RuleInfo {
        id: "CLEARS-TOO".to_owned(),
        ..result.run.rules[1].clone()
    };
    result.run.rules.push(other);
    assert_eq!(of(&result)[0].rule.as_deref(), Some("REF"));
    // A reader that accepts all dangling references breaks the rule for references.
    result.run.rules.pop();
    let accepted = |case: &CaseResult| CaseResult {
        outcome: ACCEPT,
        ..case.clone()
    };
    let all: Vec<CaseResult> = cases.iter().map(accepted).collect();
    let mut result = RunResult {
        run: result.run,
        ..self::result(&all)
    };
    result.readers[0].causes = of(&result);
    assert_eq!(result.readers[0].causes[0].rule.as_deref(), Some("REF"));
}

#[test]
fn a_rule_about_a_departure_names_the_cause_if_no_other_is_about_the_member() {
    let cause = cause(&[
        valid("a", &["RANGE"], &["RANGE"], PASS),
        valid("b", &[], &["OTHER"], PASS),
        wrong("c", &[], &["OTHER", "PAD"], "date", &["RANGE"]),
        wrong("d", &[], &["PAD"], "date", &["RANGE"]),
    ]);
    assert_eq!(cause.rule.as_deref(), Some("RANGE"));
}

#[test]
fn the_only_departure_of_a_trace_comes_before_rules_about_the_member() {
    let many = (0..4).map(|n| valid(&format!("many-{n}"), &[], &["NONE"], PASS));
    let mut cases: Vec<CaseResult> = many.collect();
    let rules = ["NONE", "WIDTH", "CODES"];
    cases.extend([
        valid("unused", &["WIDTH"], &["WIDTH", "CODES"], PASS),
        valid("codes", &[], &["CODES"], PASS),
        wrong("a", &["WIDTH"], &rules, "stack[0]", &["NONE"]),
        wrong("b", &["WIDTH"], &rules, "stack[0]", &["NONE"]),
    ]);
    assert_eq!(cause(&cases).rule.as_deref(), Some("WIDTH"));
}

/// Checks a member that is wrong in every trace and another one that is wrong in the same record
/// only once. If the first mistake had caused the second, they would occur together more often.
#[test]
fn what_rarely_comes_with_a_common_mistake_is_no_consequence_of_it() {
    let headlines = |count: usize| {
        let mut cases: Vec<CaseResult> = (0..count)
            .map(|n| differs_in(&format!("common-{n}"), &[], &["MARK"], &[("id", &["ID"])]))
            .collect();
        let both: [(&str, &[&str]); 2] = [("id", &["ID"]), ("text", &["UTF8"])];
        cases.push(differs_in("both", &[], &["MARK"], &both));
        let causes = causes(&cases);
        causes.into_iter().map(|it| it.headline).collect::<Vec<_>>()
    };
    assert_eq!(headlines(30), ["id is wrong", "text is wrong"]);
    assert_eq!(headlines(10), ["id is wrong"]);
}

#[test]
fn formats_do_not_explain_each_other() {
    let mut other = valid("b", &["EXTRA"], &["R"], REJECT);
    other.format = "toy-v2".into();
    let causes = causes(&[
        valid("a", &[], &["R"], PASS),
        valid("c", &["EXTRA"], &["R"], REJECT),
        other,
    ]);
    let formats: Vec<&str> = causes.iter().map(|it| it.format.as_str()).collect();
    assert_eq!(formats, ["toy-v2", "toy-v1"]);
}

fn names(
    choices: &'static [&'static str],
    most: usize,
) -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(choices, 0..=most)
}

fn any_case() -> impl Strategy<Value = CaseResult> {
    let outcome = prop::sample::select(Outcome::ALL.to_vec());
    let expected = prop::sample::select(vec![
        Expectation::Accept,
        Expectation::Accept,
        Expectation::Reject,
        Expectation::Either,
    ]);
    let path = prop::sample::select(vec!["", "record", "time", "values[1].value"]);
    let frame = prop::option::of(prop::sample::select(vec!["parse", "skip"]));
    let about = names(&["R1", "R2", "R3"], 2);
    let names = (
        names(&["D1", "D2", "D3", "R4"], 3),
        names(&["R1", "R2", "R3", "R4"], 4),
    );
    let twin = prop::option::of(0usize..12);
    let fault = prop::sample::select(vec![
        RecordFault::Value,
        RecordFault::Element,
        RecordFault::Missing,
        RecordFault::MissingTail,
        RecordFault::Order,
    ]);
    let place = prop::sample::select(vec!["time", "name", "values[1].value"]);
    let more = prop::collection::vec((place, fault), 0..4);
    let all = (outcome, expected, names, path, frame, about, twin, more);
    all.prop_map(
        |(outcome, expected, (departures, rules), path, frame, about, twin, more)| {
            let mut case = valid("", &departures, &rules, outcome);
            case = differs(case, path, ["1", "2"], &about);
            case.expected = expected;
            case.operator = Some(format!("operator-{}", rules.len()));
            case.twin = twin.map(|twin| format!("toy/{twin:02}"));
            case.format = format!("toy-v{}", 1 + departures.len() / 3);
            let detail = case.detail.as_mut().unwrap();
            detail.crash = (outcome == Outcome::Crash).then(|| crash("IndexError", frame));
            let list: Vec<AlignedDifference> = more
                .into_iter()
                .map(|(path, fault)| AlignedDifference {
                    fault,
                    kind: "event".into(),
                    difference: Difference {
                        path: path.into(),
                        rules: owned(&about),
                        ..Difference::default()
                    },
                })
                .collect();
            if outcome == Outcome::WrongRecords && !list.is_empty() {
                detail.differences = Some(Differences {
                    count: list.len(),
                    is_complete: list.len() % 2 == 1,
                    list,
                });
            }
            case
        },
    )
}

fn any_cases() -> impl Strategy<Value = Vec<CaseResult>> {
    let cases = prop::collection::vec(any_case(), 0..24);
    cases.prop_map(|mut cases| {
        for (number, case) in cases.iter_mut().enumerate() {
            case.case = format!("toy/{number:02}");
        }
        cases
    })
}

/// Returns the key that sorts cases from plain to unusual: valid ones first, then those with few
/// departures.
fn level(case: &CaseResult) -> (bool, usize) {
    (case.expected == Expectation::Reject, case.departures.len())
}

proptest! {
    #[test]
    fn every_failure_has_a_cause_whose_simplest_case_is_its_plainest(cases in any_cases()) {
        let found = causes(&cases);
        let failing = cases.iter().filter(|case| case.fails_the_run());
        let failing: BTreeSet<&str> = failing.map(|case| case.case.as_str()).collect();
        let listed: Vec<&str> =
            found.iter().flat_map(|it| &it.cases).map(String::as_str).collect();
        prop_assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), failing);
        let case_of = |id: &str| cases.iter().find(|case| case.case == id).unwrap();
        for cause in &found {
            prop_assert_eq!(&cause.simplest, &cause.cases[0]);
            let simplest = case_of(&cause.simplest);
            prop_assert_eq!(&simplest.departures, &cause.departures);
            prop_assert!(cause.alone <= cause.cases.len());
            let distinct: BTreeSet<&String> = cause.cases.iter().collect();
            prop_assert_eq!(distinct.len(), cause.cases.len());
            for id in &cause.cases {
                prop_assert!(level(simplest) <= level(case_of(id)));
                prop_assert_eq!(&case_of(id).format, &cause.format);
            }
        }
        prop_assert!(found.is_sorted_by_key(|cause| cause.impact));
    }

    /// Checks that a feature does not occur in a case that the reader reads correctly, because it
    /// could not be the cause.
    #[test]
    fn no_passing_case_contains_a_feature(cases in any_cases()) {
        for cause in causes(&cases) {
            let is_valid = !matches!(cause.impact, Impact::Malformed | Impact::Accepts);
            let read = cases.iter().filter(|case| {
                case.expected == Expectation::Accept
                    && case.outcome == Outcome::Pass
                    && case.format == cause.format
            });
            for case in read.filter(|_| is_valid && !cause.feature.is_empty()) {
                let has = |name| case.departures.contains(name) || case.rules.contains(name);
                prop_assert!(!cause.feature.iter().all(has), "{:?} {:?}", cause, case);
            }
        }
    }

    #[test]
    fn order_and_shards_change_nothing(
        cases in any_cases(),
        seed in any::<prop::sample::Index>(),
        choice in prop::collection::vec(0usize..3, 24),
    ) {
        let wanted = causes(&cases);
        let mut moved = cases.clone();
        if !moved.is_empty() {
            let turn = seed.index(moved.len());
            moved.rotate_left(turn);
            moved.reverse();
        }
        prop_assert_eq!(&causes(&moved), &wanted);
        let shards: Vec<RunResult> = (0..3)
            .map(|shard| {
                let own = cases.iter().zip(&choice).filter(|(_, at)| **at == shard);
                let own: Vec<CaseResult> = own.map(|(case, _)| case.clone()).collect();
                let mut part = result(&own);
                part.run.selection.shard = Some(format!("{}/3", shard + 1));
                part
            })
            .collect();
        prop_assert_eq!(&merge(&shards).unwrap().readers[0].causes, &wanted);
    }
}
