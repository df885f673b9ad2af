//! Tests that the cases of a description without a corpus contain violations that cannot be planted in
//! a valid trace by changing one value.

#![allow(clippy::unwrap_used)]

use tracegauge_corpus::case::{Case, ExpectedVerdict};
use tracegauge_corpus::source::Built;
use tracegauge_decoder::{Judgement, judge};
use tracegauge_plan::Plan;
use tracegauge_plan::mutate::mutants;

use crate::mistakes::build;
use crate::mutants::plan;

/// The kind of an item decides what follows and is forbidden in some states.
const DOORS: &str = r#"
meta: { id: doors, endian: le, encoding: UTF-8 }
faults: { eof: WHOLE, trailing: WHOLE, past: WHOLE, short: WHOLE, rest: WHOLE, encoding: WHOLE, enum: WHOLE }
state: { open: { type: int, initial: 0 } }
seq: [ { id: items, type: item, repeat: eos } ]
enums: { kind: { 0: name, 1: open, 2: close } }
types:
  item:
    seq:
      - { id: kind, type: u1, enum: kind }
      - { check: kind != kind::close or state.open == 1, at: kind, rule: CLOSED }
      - { id: body, type: { switch-on: kind, cases: { kind::name: name, kind::open: open, kind::close: close } } }
  name:
    seq:
      - { id: size, type: u1, value: text._sizeof }
      - { id: text, type: str, size: size }
      - { check: 'text != ""', at: text, rule: EMPTY }
  open: { sets: { open: "1" }, seq: [ { id: door, type: u2 } ] }
  close: { sets: { open: "0" }, seq: [ { id: door, type: u4 } ] }
records:
  name: { from: name, members: { text: text } }
  open: { from: open, members: { door: door } }
  close: { from: close, members: { door: door } }
rules:
  WHOLE: { level: must, section: 1, says: A trace is complete., reader: reject }
  CLOSED: { level: must, section: 2, says: Only an open door is closed., reader: reject }
  EMPTY: { level: must, section: 3, says: A name is not empty., reader: reject }
"#;

/// Returns true if a reader without the check accepts the case although it must be rejected.
fn tests(plan: &Plan, case: &Case, mutant: &str) -> bool {
    let all = mutants(plan);
    let mutant = all.iter().find(|one| one.name() == mutant).unwrap();
    case.expected.verdict == ExpectedVerdict::Reject
        && judge(&mutant.of(plan), &case.bytes).judgement == Judgement::Accepted
}

#[test]
fn each_check_has_a_case_that_a_reader_without_it_accepts() {
    let plan = plan(DOORS);
    let folder = tempfile::tempdir().unwrap();
    let built = build(&plan, Some(folder.path().to_owned()));
    assert!(built.problems.is_empty(), "{:?}", built.problems);
    for check in [
        "not-tested@items[].(check)/CLOSED",
        "not-tested@items[].body:name.(check)/EMPTY",
    ] {
        let mut cases = built.cases.iter();
        assert!(cases.any(|case| tests(&plan, case, check)), "{check}");
    }
    // The next run finds the same cases in the cache.
    let again = build(&plan, Some(folder.path().to_owned()));
    let ids = |built: &Built| -> Vec<_> {
        let cases = built.cases.iter();
        cases
            .map(|case| (case.id.clone(), case.bytes.clone(), case.twin.clone()))
            .collect()
    };
    assert_eq!(ids(&built), ids(&again));
}

#[test]
fn a_violation_is_minimal_and_is_compared_with_a_valid_case() {
    let plan = plan(DOORS);
    let built = build(&plan, None);
    let name = "doors/malformed/CLOSED/mistakes/not-tested@items[].(check)/CLOSED";
    let case = built.cases.iter().find(|case| case.id == name).unwrap();
    assert_eq!(hex::encode(&case.bytes), "0200000000");
    let violation = case.expected.violation.as_ref().unwrap();
    assert_eq!(
        (violation.path.as_str(), violation.start),
        ("items[0].kind", 1)
    );
    let twin = case.twin.as_ref().unwrap();
    let twin = built.cases.iter().find(|case| case.id == *twin).unwrap();
    assert_eq!(twin.expected.verdict, ExpectedVerdict::Accept);
    // Random traces violate the rule after other items.
    let random = built.cases.iter();
    let random = random.filter(|case| case.id.contains("/CLOSED/random-"));
    let late = random.filter(|case| case.expected.violation.as_ref().unwrap().start > 1);
    assert!(late.count() > 0);
}
