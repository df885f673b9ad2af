//! Tests the name of a cause: the rule or departure that distinguishes its cases.

use super::{PASS, REJECT, cause, differs_in, one_of, says, valid, wrong};
use tracegauge_results::{CaseResult, Confidence, Impact, Outcome, Proof, Suspect};

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

/// Checks that a rule about unusual values is not blamed for wrong usual values. Such a rule only
/// shows where to look.
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

/// Checks that the rule or departure in most failing cases is considered the most plausible if none
/// occurs only in failing cases.
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

/// A case with contents that no correctly read trace has.
fn holding(mut case: CaseResult, contents: &[(&str, &[&str])]) -> CaseResult {
    let suspects = contents.iter().map(|(name, rules)| Suspect {
        name: (*name).to_owned(),
        rules: rules.iter().map(|rule| (*rule).to_owned()).collect(),
    });
    case.suspects = suspects.collect();
    case
}

#[test]
fn contents_that_only_failing_traces_have_explain_them_all() {
    const BOOL: (&str, &[&str]) = ("traces with values:Bool", &["BOOL"]);
    const MAP: (&str, &[&str]) = ("traces with values:Map", &["MAP"]);
    let cause = cause(&[
        valid("a", &[], &["ORDER"], PASS),
        valid("b", &["LONG"], &["MANY"], PASS),
        holding(
            says(valid("c", &[], &["ORDER"], REJECT), "one byte is left"),
            &[MAP, BOOL],
        ),
        holding(
            says(valid("d", &[], &["MANY"], REJECT), "tag 7 is unknown"),
            &[BOOL],
        ),
        holding(
            says(valid("e", &["LONG"], &["MANY"], REJECT), "text is cut"),
            &[BOOL],
        ),
    ]);
    assert_eq!(cause.headline, "rejects plain traces with values:Bool");
    assert_eq!(cause.rule.as_deref(), Some("BOOL"));
    assert_eq!(cause.confidence, Confidence::Likely);
    assert_eq!(cause.cases.len(), 3);
}

#[test]
fn of_several_rules_about_the_contents_none_is_likely() {
    let contents: (&str, &[&str]) = (
        "traces in which text needs more than 7 bits",
        &["ONE", "TWO"],
    );
    let cause = cause(&[
        valid("a", &[], &["ORDER"], PASS),
        holding(valid("b", &[], &["ORDER"], REJECT), &[contents]),
        holding(valid("c", &[], &["MANY"], REJECT), &[contents]),
    ]);
    assert_eq!(
        cause.headline,
        "rejects plain traces in which text needs more than 7 bits"
    );
    assert_eq!(cause.confidence, one_of(&["ONE", "TWO"]));
    assert_eq!(cause.rule.as_deref(), Some("ONE"));
}

#[test]
fn a_departure_comes_before_the_contents_that_it_consists_of() {
    let contents: (&str, &[&str]) = ("traces with header.extra", &["HEADER"]);
    let cause = cause(&[
        valid("a", &[], &["ORDER"], PASS),
        holding(valid("b", &["EXTRA"], &["ORDER"], REJECT), &[contents]),
    ]);
    assert_eq!(cause.feature, ["EXTRA"]);
}

#[test]
fn an_unusual_value_leads_to_the_rule_about_its_field() {
    let unusual: (&str, &[&str]) = ("utf8.chars: null", &["TEXT-NULL"]);
    let cause = cause(&[
        valid("a", &[], &["ORDER"], PASS),
        holding(
            valid("b", &["utf8.chars: null"], &["ORDER"], REJECT),
            &[unusual],
        ),
    ]);
    assert_eq!(cause.headline, "rejects valid traces with utf8.chars: null");
    assert_eq!(cause.rule.as_deref(), Some("TEXT-NULL"));
    assert_eq!(cause.confidence, Confidence::Likely);
}

/// Checks that the rule that applies to a wrong member in most cases is named, although the plainest
/// case was written for another rule and names only that one.
#[test]
fn the_rule_that_applies_in_most_cases_comes_first() {
    let general: &[&str] = &["CARRY", "STEP"];
    let cause = cause(&[
        valid("a", &[], &["STEP", "CARRY"], PASS),
        wrong("b", &[], &["CARRY"], "number", &["CARRY"]),
        wrong("c", &[], &["CARRY", "STEP"], "number", general),
        wrong("d", &["GAP"], &["CARRY", "STEP"], "number", general),
        differs_in(
            "e",
            &[],
            &["STEP"],
            &[("number", general), ("number", &["STEP"])],
        ),
        differs_in(
            "f",
            &[],
            &["STEP"],
            &[("number", general), ("number", &["STEP"])],
        ),
    ]);
    assert_eq!(cause.cases.len(), 5);
    assert_eq!(cause.rule.as_deref(), Some("STEP"));
}

/// Checks that a case written for a rule does not point to it if the rules for the wrong member
/// separate the failing traces about as well.
#[test]
fn a_case_written_for_a_common_rule_does_not_point_to_it() {
    let cause = cause(&[
        valid("a", &[], &["STACK"], PASS),
        wrong("b", &[], &["POSITION"], "stack", &["STACK"]),
        wrong("c", &[], &["POSITION", "STACK"], "stack", &["STACK"]),
        wrong("d", &[], &["POSITION", "STACK"], "stack", &["STACK"]),
        wrong("e", &[], &["POSITION", "STACK"], "stack", &["STACK"]),
        wrong("f", &[], &["POSITION", "STACK"], "stack", &["STACK"]),
        valid("g", &[], &["POSITION"], PASS),
    ]);
    assert_eq!(cause.rule.as_deref(), Some("STACK"));
}
