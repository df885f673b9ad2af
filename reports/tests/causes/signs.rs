//! Tests that failures with the same sign have one cause.

use tracegauge_results::{CaseResult, Confidence, Outcome, RecordFault};

use super::{PASS, REJECT, causes, differs_in, lacks, says, valid, wrong};

fn hinted(mut case: CaseResult, hint: &str) -> CaseResult {
    let detail = case.detail.as_mut().expect("a failing case has details");
    detail.hint = Some(hint.to_owned());
    case
}

fn sizes(cases: &[CaseResult]) -> Vec<usize> {
    let mut sizes: Vec<usize> = causes(cases).iter().map(|it| it.cases.len()).collect();
    sizes.sort_unstable();
    sizes
}

const ROUNDED: &str = "the value was rounded to a double, which has 53 bits of precision";

#[test]
fn values_of_different_members_that_are_rounded_have_one_cause() {
    let rounded =
        |id, rules: &[&str], member| hinted(wrong(id, &[], rules, member, rules), ROUNDED);
    let cases = [
        valid("a", &[], &["MAGIC"], PASS),
        rounded("b", &["TIME"], "time"),
        rounded("c", &["SIZE"], "size"),
    ];
    assert_eq!(sizes(&cases), [2]);
    let like = causes(&cases).remove(0).like;
    assert_eq!(like, Some(format!("in each failure, {ROUNDED}")));
}

#[test]
fn two_members_may_be_read_in_the_wrong_byte_order_by_two_mistakes() {
    let swapped = |id, rules: &[&str], member| {
        let hint = "the value was read in the opposite byte order";
        hinted(wrong(id, &[], rules, member, rules), hint)
    };
    let cases = [
        valid("a", &[], &["MAGIC"], PASS),
        swapped("b", &["TIME"], "time"),
        swapped("c", &["SIZE"], "size"),
    ];
    assert_eq!(sizes(&cases), [1, 1]);
}

#[test]
fn the_same_line_on_standard_output_has_one_cause_and_no_rule() {
    let noisy = |id, rules: &[&str]| {
        let noise = "a line that is not JSON: debug";
        says(valid(id, rules, rules, Outcome::Protocol), noise)
    };
    let cases = [
        valid("a", &[], &["MAGIC"], PASS),
        noisy("b", &["TIME"]),
        noisy("c", &["SIZE"]),
    ];
    let causes = causes(&cases);
    assert_eq!(causes.len(), 1, "{causes:#?}");
    assert_eq!(causes[0].rule, None);
    assert_eq!(causes[0].confidence, Confidence::OneOf(Vec::new()));
}

#[test]
fn the_reason_that_the_reader_gives_is_shown() {
    let rejected = |id, rules: &[&str], why| says(valid(id, rules, rules, REJECT), why);
    let cases = [
        valid("a", &[], &["MAGIC"], PASS),
        rejected("b", &["TIME"], "reject: payload is empty at 7"),
        rejected("c", &["SIZE"], "reject: payload is empty at 9"),
        rejected("d", &["TEXT"], "reject: text is long"),
    ];
    let likes: Vec<Option<String>> = causes(&cases).into_iter().map(|it| it.like).collect();
    let said = |words: &str| Some(format!("the reader says: {words}"));
    let empty = said("payload is empty at #");
    assert_eq!(likes, [empty.clone(), empty, said("text is long")]);
}

#[test]
fn several_causes_that_miss_the_same_kind_of_records_are_one() {
    let lost = |id: &str, rule: &str| lacks(id, "event", rule, RecordFault::MissingTail);
    let passing = || valid("a", &[], &["MAGIC"], PASS);
    let two = [passing(), lost("b", "TIME"), lost("c", "SIZE")];
    assert_eq!(sizes(&two), [1, 1]);
    let [passing, b, c] = two;
    assert_eq!(sizes(&[passing, b, c, lost("d", "TEXT")]), [3]);
}

/// Returns a case in which two members have these expected and reported values.
fn values(id: &str, rules: &[&str], values: [[&str; 2]; 2]) -> CaseResult {
    let members = [("from", &["TEXT"][..]), ("inner.to", &["NULL"][..])];
    let mut case = differs_in(id, &[], rules, &members);
    let detail = case.detail.as_mut().expect("a failing case has details");
    let list = &mut detail.differences.as_mut().expect("differences").list;
    for (aligned, [expected, actual]) in list.iter_mut().zip(values) {
        aligned.difference.path = aligned.difference.path.replace("inner.", "");
        aligned.difference.expected = expected.to_owned();
        aligned.difference.actual = actual.to_owned();
        if expected == "no such member" {
            aligned.fault = RecordFault::Surplus;
        }
    }
    case
}

#[test]
fn members_with_the_values_of_each_other_are_swapped() {
    let swapped = |id, rules: &[&str]| values(id, rules, [["1", "5"], ["5", "1"]]);
    let absent =
        |id, rules: &[&str]| values(id, rules, [["\"a\"", "null"], ["no such member", "\"a\""]]);
    let passing = valid("a", &[], &["MAGIC"], PASS);
    let cases = [
        passing.clone(),
        swapped("b", &["TIME"]),
        absent("c", &["NULL"]),
        absent("d", &["SIZE"]),
    ];
    let found = causes(&cases);
    assert_eq!(found.len(), 1, "{found:#?}");
    let like = "`from` and `to` are swapped: each has the value of the other";
    assert_eq!(found[0].like.as_deref(), Some(like));
    // Other values contradict it.
    let other = |id| values(id, &["TIME"], [["1", "5"], ["5", "2"]]);
    let cases = [passing, swapped("b", &["TIME"]), other("c"), other("d")];
    assert!(causes(&cases).iter().all(|it| it.like.is_none()));
}

#[test]
fn records_of_several_kinds_that_the_same_rule_loses_have_one_cause() {
    let tail = RecordFault::MissingTail;
    let cases = [
        valid("a", &[], &["MAGIC"], PASS),
        lacks("b", "scope", "LATER", tail),
        lacks("c", "text", "LATER", tail),
    ];
    let found = causes(&cases);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].headline, "the last records are not reported");
}
