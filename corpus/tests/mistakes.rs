//! Tests that the cases of a description without a corpus detect mistakes that show only if two
//! parts of the description meet.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use tracegauge_corpus::case::{Case, Source};
use tracegauge_corpus::mutation_score::answer;
use tracegauge_corpus::source::Built;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite;
use tracegauge_corpus::systematic::{Effort, Recipes, SearchOptions};
use tracegauge_plan::Plan;
use tracegauge_plan::mutate::mutants;

use crate::mutants::plan;

/// Events show a field of the thread that they refer to, and the string that the thread refers to.
const EVENTS: &str = "
meta: { id: events, endian: le, encoding: UTF-8 }
faults: { eof: WHOLE, encoding: WHOLE, enum: WHOLE, trailing: WHOLE }
tables:
  strings: { key: u2, row: string, gen: { usual: 20 } }
  threads: { key: u4, row: thread, gen: { usual: 20 } }
seq:
  - { id: blocks, type: block, repeat: eos }
types:
  block:
    seq:
      - { id: kind, type: u1, enum: kind }
      - { id: body, type: { switch-on: kind, cases: { kind::string: string, kind::thread: thread, kind::event: event } } }
  string:
    defines: { table: strings, key: id, again: { compare: bytes, same: AGAIN, other: AGAIN, keeps: last } }
    seq:
      - { id: id, type: u2 }
      - { id: size, type: u1, value: text._sizeof }
      - { id: text, type: str, size: size }
  thread:
    defines: { table: threads, key: id, again: ONCE }
    seq:
      - { id: id, type: u4 }
      - { id: name, type: u2, refs: { table: strings, dangling: KNOWN } }
      - { id: priority, type: s1 }
  event:
    seq:
      - { id: thread, type: u4, refs: { table: threads, dangling: KNOWN } }
enums:
  kind: { 1: string, 2: thread, 3: event }
records:
  event:
    from: event
    members: { thread: strings.get(threads.get(thread).name).text, priority: threads.get(thread).priority }
rules:
  WHOLE: { level: must, section: 1, says: A trace is complete., reader: reject }
  AGAIN: { level: states, section: 2, says: A string that is defined again replaces the earlier one., reader: accept }
  ONCE: { level: must, section: 3, says: A thread is not defined twice., reader: reject }
  KNOWN: { level: must, section: 4, says: A name refers to an earlier row., reader: reject }
";

pub fn build(plan: &std::sync::Arc<Plan>, cache: Option<PathBuf>) -> Built {
    let store = Store::Folder(PathBuf::from("no such folder"));
    let search = SearchOptions {
        effort: Effort::Quick,
        cache,
    };
    let sources = suite::sources(&store, Recipes::Follow, &search);
    suite::build(std::slice::from_ref(plan), &sources, &())
}

/// Returns true if the mutant with this name reads the case differently.
fn detects(plan: &Plan, case: &Case, mutant: &str) -> bool {
    let all = mutants(plan);
    let mutant = all.iter().find(|one| one.name() == mutant).unwrap();
    let truth = answer(plan, &case.bytes, u64::MAX);
    answer(&mutant.of(plan), &case.bytes, 100_000) != truth
}

#[test]
fn a_field_that_only_another_record_shows_has_a_case_with_an_unusual_value() {
    const UNSIGNED: &str = "other-sign@blocks[].body:thread.priority";
    let plan = plan(EVENTS);
    let folder = tempfile::tempdir().unwrap();
    let built = build(&plan, Some(folder.path().to_owned()));
    let valid = built.cases.iter();
    let mut valid = valid.filter(|case| case.provenance.source == Source::Valid);
    assert!(valid.any(|case| detects(&plan, case, UNSIGNED)));
    // The next run finds the same cases in the cache.
    let again = build(&plan, Some(folder.path().to_owned()));
    let bytes = |built: &Built| -> Vec<_> {
        let cases = built.cases.iter();
        cases
            .map(|case| (case.id.clone(), case.bytes.clone()))
            .collect()
    };
    assert_eq!(bytes(&built), bytes(&again));
}

#[test]
fn a_trace_for_a_mistake_is_as_plain_and_short_as_possible() {
    let plan = plan(EVENTS);
    let built = build(&plan, None);
    let mut mistakes = built.cases.iter();
    let mistakes = mistakes.by_ref().filter_map(|case| {
        let (_, mutant) = case.id.split_once("/valid/mistakes/")?;
        Some((case, mutant))
    });
    let mistakes: Vec<(&Case, &str)> = mistakes.collect();
    for (case, mutant) in &mistakes {
        assert!(detects(&plan, case, mutant), "{}", case.id);
        assert!(case.departures.len() <= 2, "{case:?}");
        assert!(case.bytes.len() < 400, "{case:?}");
    }
    assert!(!mistakes.is_empty());
}

#[test]
fn a_row_behind_a_row_is_defined_again_before_it_is_shown() {
    let plan = plan(EVENTS);
    let built = build(&plan, None);
    let name = "names-a-row-that-names-a-row-that-was-then-defined-again";
    let case = built.cases.iter().find(|case| case.id.contains(name));
    let case = case.unwrap();
    // The name that the thread had when it was defined is not the one that its events show.
    assert_eq!(case.provenance.rules.first().unwrap(), "AGAIN");
    assert!(detects(
        &plan,
        case,
        "other-row-kept@blocks[].body:string/strings"
    ));
}

/// A number and a string that records show.
const VALUES: &str = "
meta: { id: values, endian: be, encoding: UTF-8 }
faults: { eof: WHOLE, encoding: WHOLE }
seq: [ { id: items, type: item, repeat: eos } ]
types:
  item:
    seq:
      - { id: number, type: f4 }
      - { id: size, type: u1, value: text._sizeof }
      - { id: text, type: str, size: size }
      - { id: name, type: str, size: 8, terminator: 0, pad-right: 0 }
records: { item: { from: item, members: { number: number, text: text, name: name } } }
rules: { WHOLE: { level: must, section: 1, says: A trace is complete., reader: reject } }
";

#[test]
fn each_field_has_the_values_that_readers_often_misread() {
    let plan = plan(VALUES);
    let built = build(&plan, None);
    let special = built.cases.iter().filter_map(|case| {
        let (_, name) = case.id.split_once("/valid/special/")?;
        Some((name.to_owned(), case.bytes.clone()))
    });
    let special: Vec<_> = special.collect();
    let has = |name: &str, wanted: &[u8]| {
        let found = special.iter().find(|(known, _)| known == name);
        let (_, bytes) = found.unwrap_or_else(|| panic!("no {name} among {special:?}"));
        bytes.windows(wanted.len()).any(|window| window == wanted)
    };
    assert!(has("items[].number-nan", &[0x7f, 0xc0, 0, 0]));
    assert!(has("items[].number-infinity", &[0x7f, 0x80, 0, 0]));
    assert!(has("items[].number-negative-infinity", &[0xff, 0x80, 0, 0]));
    assert!(has("items[].number-negative-zero", &[0x80, 0, 0, 0]));
    assert!(has("items[].number-zero", &[0, 0, 0, 0]));
    assert!(has("items[].text-null-character", &[0]));
    assert!(has("items[].text-outer-spaces", b" "));
    let (_, filled) = special
        .iter()
        .find(|(name, _)| name.starts_with("items[].name") && name.ends_with("filled-with-spaces"))
        .expect("a padded string that fills its field");
    assert_eq!(filled.last(), Some(&b' '));
    let (_, long) = special.iter().find(|(name, _)| name == "long").unwrap();
    assert!(long.len() > 1 << 16);
}

/// Samples that are idle do not count. Two conditions decide whether a sample is idle.
const IDLE: &str = "
meta: { id: idle, endian: le }
faults: { eof: CUT, trailing: CUT }
state: { total: { type: int, initial: 0 } }
seq:
  - { id: count, type: u2, value: samples.size, gen: { range: [0, 12] } }
  - { id: samples, type: sample, repeat: expr, repeat-expr: count }
  - { id: total, type: s8, value: state.total, rule: TOTAL }
types:
  sample:
    sets: { total: { to: state.total + weight, if: not (address == 0 and weight < 10) } }
    seq: [ { id: address, type: u4 }, { id: weight, type: u2 } ]
records: { sample: { from: sample, members: { weight: weight } } }
rules:
  CUT: { level: must, section: 1, says: A trace is complete., reader: reject }
  TOTAL: { level: must, section: 2, says: The total of the weights follows., reader: reject }
";

#[test]
fn several_fields_have_values_next_to_the_constants_of_a_condition() {
    const ONE_OFF: &str = "comparison-one-off@samples[]/sets-if-#5";
    let plan = plan(IDLE);
    let built = build(&plan, None);
    let mut cases = built.cases.iter();
    assert!(cases.any(|case| detects(&plan, case, ONE_OFF)));
}
