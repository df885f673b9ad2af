//! Tests that a trace exercises the rules about removed rows, and that a reader which still has a
//! removed row is associated with these rules.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::sync::Arc;

use tracegauge_corpus::case::{Case, Provenance, Source, State};
use tracegauge_corpus::expected::examine;
use tracegauge_corpus::mutation_score::Passed;
use tracegauge_plan::Plan;

use crate::mutants::plan;

/// Names and places are defined under numbers. One element removes a name, another one all names and
/// another one all places.
const ROWS: &str = r#"
meta: { id: rows, endian: le, encoding: UTF-8 }
faults: { eof: WHOLE, trailing: WHOLE, encoding: WHOLE, enum: WHOLE }
tables: { names: { key: u1, row: name }, places: { key: u1, row: place } }
seq: [ { id: items, type: item, repeat: eos } ]
enums: { kind: { 0: name, 1: place, 2: event, 3: forget, 4: names_end, 5: places_end } }
types:
  item:
    seq:
      - { id: kind, type: u1, enum: kind }
      - { id: body, type: { switch-on: kind, cases: { kind::name: name, kind::place: place, kind::event: event, kind::forget: forget, kind::names_end: names_end, kind::places_end: places_end } } }
  name: { defines: { table: names, key: id }, seq: [ { id: id, type: u1 }, { id: text, type: u1 } ] }
  place: { defines: { table: places, key: id }, seq: [ { id: id, type: u1 }, { id: text, type: u1 } ] }
  event: { seq: [ { id: name, type: u1, refs: names, dangling: NAMED }, { id: place, type: u1, refs: places, dangling: NAMED } ] }
  forget: { removes: { table: names, key: id, dangling: NAMED, rule: FORGOTTEN }, seq: [ { id: id, type: u1 } ] }
  names_end: { clears: [ { table: names, rule: NAMES-END } ], seq: [] }
  places_end: { clears: [ { table: places, rule: PLACES-END } ], seq: [] }
records:
  event: { from: event, members: { name: names.get(name).text, at: { place: places.get(place).text } } }
rules:
  WHOLE: { level: must, section: 1, says: A trace is complete., reader: reject }
  NAMED: { level: must, section: 2, says: An event has a name and a place., reader: reject }
  FORGOTTEN: { level: must, section: 3, says: An element removes a name., reader: reject, through: NAMED }
  NAMES-END: { level: must, section: 4, says: An element removes all names., reader: reject, through: NAMED }
  PLACES-END: { level: must, section: 5, says: An element removes all places., reader: reject, through: NAMED }
"#;

/// A name and a place with number 1, and an event.
const FIRST: &str = "00010a 01010b 020101";
const NAME_AGAIN: &str = "00010c";
const PLACE_AGAIN: &str = "01010d";
const EVENT: &str = "020101";

fn case(plan: &Plan, parts: &[&str]) -> Case {
    let digits = parts.concat().replace(' ', "");
    let bytes = hex::decode(&digits).unwrap();
    let examined = examine(plan, &bytes);
    assert!(examined.expected.violation.is_none(), "{parts:?}");
    Case {
        id: digits,
        format: plan.format.clone(),
        bytes: Arc::from(bytes),
        repeated: None,
        expected: examined.expected,
        twin: None,
        provenance: Provenance {
            source: Source::Valid,
            rules: examined.shown,
            operator: None,
            why: String::new(),
        },
        departures: Vec::new(),
        state: State::Active,
        version: 1,
    }
}

#[test]
fn a_row_that_is_defined_again_exercises_the_rule_that_removed_it() {
    let plan = plan(ROWS);
    let rules = |parts: &[&str]| -> BTreeSet<String> {
        let case = case(&plan, &[&[FIRST], parts].concat());
        case.provenance.rules.into_iter().collect()
    };
    let only = |rule: &str| BTreeSet::from([rule.to_owned()]);
    assert_eq!(rules(&["04", NAME_AGAIN]), only("NAMES-END"));
    assert_eq!(rules(&["05", PLACE_AGAIN]), only("PLACES-END"));
    assert_eq!(rules(&["0301", NAME_AGAIN]), only("FORGOTTEN"));
    for parts in [
        &["04"][..],
        &["0301"],
        &[NAME_AGAIN],
        &["04", "00020c"],
        &["05", NAME_AGAIN],
    ] {
        assert_eq!(rules(parts), BTreeSet::new(), "{parts:?}");
    }
    // The later removal is the one that a reader may have missed.
    let removed_twice = ["0301", NAME_AGAIN, "04", NAME_AGAIN];
    assert_eq!(rules(&removed_twice).len(), 2);
}

#[test]
fn wrong_members_of_a_row_that_replaced_another_are_about_the_removal() {
    let plan = plan(ROWS);
    let of = |parts: &[&str]| case(&plan, &[&[FIRST], parts].concat());
    let passed: Vec<Case> = (0..60)
        .map(|number| of(&[&format!("0001{number:02x}"), EVENT]))
        .collect();
    let passed: Vec<&Case> = passed.iter().collect();
    let passed = Passed::new(&plan, &passed);
    let rule = |failed: &Case, member: &str| {
        let rule = passed.replaced_row(&[failed], member)?;
        Some(plan.rules[rule].id.clone())
    };
    let both = of(&["04", "05", NAME_AGAIN, PLACE_AGAIN, EVENT]);
    assert_eq!(rule(&both, "name").as_deref(), Some("NAMES-END"));
    assert_eq!(rule(&both, "at.place").as_deref(), Some("PLACES-END"));
    let forgotten = of(&["0301", NAME_AGAIN, EVENT]);
    assert_eq!(rule(&forgotten, "name").as_deref(), Some("FORGOTTEN"));
    assert_eq!(rule(&forgotten, "at.place"), None);
    assert_eq!(rule(&of(&["04", "00020c"]), "name"), None);
}
