//! Tests the causes of failures on malformed traces.

use super::{ACCEPT, PASS, cause, causes, crashes, differs, malformed, result, valid, wrong};
use tracegauge_reports::causes::{self};
use tracegauge_results::{
    CaseResult, Confidence, Detail, Expectation, Fault, Impact, Outcome, RuleInfo, RunResult,
};

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

/// Checks a lookup that crashes for two reasons: on valid traces, because the reader does not support
/// later definitions, and on malformed ones, because it does not check for missing definitions.
#[test]
fn a_crash_at_the_same_place_for_another_reason_is_a_cause_of_its_own() {
    let crashing = |case| crashes(case, "KeyError", Some("find"));
    let mut missing = crashing(malformed(
        "bad/1",
        "MISSING",
        "never-defined",
        Outcome::Crash,
    ));
    missing.twin = Some("a".into());
    let mut later = crashing(malformed(
        "bad/2",
        "MISSING",
        "never-defined",
        Outcome::Crash,
    ));
    later.twin = Some("b".into());
    let causes = causes(&[
        valid("a", &[], &["R"], PASS),
        crashing(valid("b", &["LATER"], &["R"], Outcome::Crash)),
        missing,
        later,
    ]);
    let cases: Vec<&[String]> = causes.iter().map(|it| &it.cases[..]).collect();
    assert_eq!(cases, [&["b", "bad/2"][..], &["bad/1"]]);
    assert_eq!(causes[1].rule.as_deref(), Some("MISSING"));
}

#[test]
fn a_change_is_not_the_reason_if_the_original_fails_in_the_same_way() {
    let mut changed = valid("changed", &["AGAIN"], &["AGAIN"], Outcome::Crash);
    changed.expected = Expectation::Either;
    changed.operator = Some("twice".into());
    changed.twin = Some("b".into());
    let causes = causes(&[
        valid("a", &[], &["R"], PASS),
        crashes(valid("b", &[], &["R"], Outcome::Crash), "SIGABRT", None),
        crashes(changed, "SIGABRT", None),
    ]);
    assert_eq!(causes.len(), 1);
    assert_eq!(causes[0].cases, ["b", "changed"]);
}

#[test]
fn a_mistake_that_also_occurs_without_the_feature_proves_nothing() {
    let causes = causes(&[
        valid("a", &[], &["R"], PASS),
        wrong("b", &["KIND"], &["R"], "time", &[]),
        wrong("c", &["LATE", "HUGE"], &["R"], "time", &[]),
    ]);
    assert_eq!(causes[0].feature, ["KIND"]);
    assert_eq!(causes[0].confidence, Confidence::Likely);
}

#[test]
fn a_reader_that_does_not_require_a_field_breaks_the_rule_of_this_field() {
    let mut accepted = malformed("b", "SIZE", "part-ends-before", ACCEPT);
    accepted.detail = Some(Box::new(Detail {
        fault: Some(Fault {
            path: "item.count".into(),
            start: 4,
            end: 4,
            about: vec!["COUNT".into()],
        }),
        ..Detail::default()
    }));
    let cause_beside = |operator: &str| {
        let rejected = malformed("a", "SIZE", operator, PASS);
        let counts = valid("c", &[], &["COUNT"], PASS);
        cause(&[counts, rejected, accepted.clone()])
    };
    let found = cause_beside("claims-most");
    assert_eq!(found.headline, "accepts what SIZE forbids");
    assert_eq!(found.rule.as_deref(), Some("COUNT"));
    let both = Confidence::OneOf(vec!["COUNT".into(), "SIZE".into()]);
    assert_eq!(found.confidence, both);
    // A rule that is only about parts that are too small is the more specific one.
    let found = cause_beside("part-ends-inside");
    assert_eq!(found.rule.as_deref(), Some("SIZE"));
}

#[test]
fn a_reader_that_accepts_only_violations_of_a_rule_breaks_this_rule() {
    let good = |id: &str| valid(id, &[], &["KIND", "SUM"], Outcome::WrongReject);
    let bad = |id: &str, rule: &str, outcome| malformed(id, rule, "value", outcome);
    let cases = [
        good("a"),
        good("b"),
        bad("c", "KIND", PASS),
        bad("d", "SUM", PASS),
        bad("e", "SUM", ACCEPT),
    ];
    let cause = cause(&cases);
    assert_eq!(cause.rule.as_deref(), Some("SUM"));
    assert_eq!(cause.confidence, Confidence::Likely);
    assert_eq!(cause.cases, ["a", "b", "e"]);
    assert_eq!(
        cause.headline,
        "rejects valid traces, but accepts what SUM forbids"
    );
    // If the reader accepts violations of several rules, no rule explains both.
    let mut cases = cases.to_vec();
    cases[2] = bad("c", "KIND", ACCEPT);
    assert_eq!(causes(&cases).len(), 3);
    // A reader that accepts a valid trace does not require what the rule forbids.
    cases[2] = bad("c", "KIND", PASS);
    cases.push(valid("f", &[], &["KIND", "SUM"], PASS));
    assert_eq!(causes(&cases).len(), 2);
}

#[test]
fn a_reader_that_ignores_its_errors_has_one_cause() {
    let rules = ["KIND", "SIZE", "TEXT", "TIME", "MAGIC", "END"];
    let accepts = |outcome| {
        let mut cases = vec![valid("a", &[], &["R"], PASS)];
        for (rule, name) in rules.into_iter().zip(["b", "c", "d", "e", "f", "g"]) {
            cases.push(malformed(name, rule, "set", ACCEPT));
        }
        cases.push(malformed("h", "KIND", "cut", outcome));
        causes(&cases)
    };
    let all = accepts(ACCEPT);
    assert_eq!(all.len(), 1, "{all:#?}");
    assert_eq!(
        (all[0].headline.as_str(), all[0].cases.len()),
        ("accepts malformed traces", 7)
    );
    let like = all[0].like.as_deref();
    assert!(
        like.is_some_and(|like| like.contains("ignores its own errors")),
        "{like:?}"
    );
    // A reader that rejects some of them checks something.
    assert_eq!(accepts(PASS).len(), rules.len());
}
