//! Tests of rows identified by their position, references to them, and recursive structures.

use crate::support;
use std::sync::Arc;

use tracegauge_decoder::record::{Record, Value};
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{Findings, Observer, decode, judge, observe};
use tracegauge_generator::fault::{OtherFormats, decoded, systematic};
use tracegauge_generator::laws::{check_decode, check_identities, check_made};
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::Plan;
use tracegauge_spec::load::{Memory, load};

const LOG: &str = r#"
meta: { id: log, endian: be, encoding: UTF-8 }
faults: { eof: WHOLE, encoding: WHOLE, enum: WHOLE, past: WHOLE, short: WHOLE, rest: WHOLE }
params: [ { id: version, type: u1 } ]
dialects:
  log: { version: 1 }
  log@two: { version: 2 }
tables: { texts: { key: offset, row: text } }
limits: [ { of: tree, depth: 40, rule: WHOLE } ]
seq:
  - { id: magic, contents: "L", rule: WHOLE }
  - { id: items, type: item, repeat: eos }
types:
  item:
    defines: { table: texts, row: body, if: kind == kind::text }
    seq:
      - { id: kind, type: u1, enum: kind }
      - { id: size, type: u2, value: body._sizeof }
      - { id: body, size: size, type: { switch-on: kind, cases: { kind::text: text, kind::note: note, kind::tree: tree } } }
  text: { seq: [ { id: text, type: str, size-eos: true } ] }
  note:
    valid: { expr: more is present and more != "", rule: MORE }
    seq:
      - { id: text, type: text_ref, valid: { any-of: ["'a'", "'b'"], rule: LETTER } }
      - { id: more, type: text_ref }
      - { id: extra, type: u1, if: _parent.kind == kind::note and _root.version == 2 }
  text_ref:
    is: s2
    refs: { table: texts, none: -1, dangling: WHOLE, later: LATER }
    shows: texts.get(_).text
    valid: { expr: _ != 5, rule: FIVE }
  tree:
    seq:
      - { id: leaf, type: u1 }
      - { id: count, type: u1, value: inner.size, gen: { weights: { 0: 2, 1: 2, 2: 1 } } }
      - { id: inner, type: tree, repeat: expr, repeat-expr: count }
enums: { kind: { 1: text, 2: note, 3: tree } }
records: { note: { from: note, members: { text: text, more: more } } }
rules:
  WHOLE: { level: must, section: All, says: Everything is there., reader: reject }
  LATER: { level: should, section: Notes, says: A text comes before what names it., reader: either, continues: keep, frees: [note] }
  FIVE: { level: should, section: Notes, says: No text stands at 5., reader: accept, continues: keep }
  LETTER: { level: should, section: Notes, says: A text is a or b., reader: accept, continues: keep, writer: fault }
  MORE: { level: should, section: Notes, says: There is more., reader: accept, continues: keep }
"#;

fn plan(dialect: &str) -> Arc<Plan> {
    let files = Memory::new().with("format.yaml", LOG);
    let schema = support::schema(load(&files, "format.yaml"));
    support::plan(&schema, dialect).expect("the description can be run")
}

fn text(at: &str) -> Vec<u8> {
    let size = u8::try_from(at.len()).expect("a short text");
    [&[1, 0, size], at.as_bytes()].concat()
}

fn note(text: i16, more: i16) -> Vec<u8> {
    [&[2, 0, 4][..], &text.to_be_bytes(), &more.to_be_bytes()].concat()
}

fn trace(items: &[Vec<u8>]) -> Vec<u8> {
    [b"L".to_vec(), items.concat()].concat()
}

fn shown(plan: &Plan, bytes: &[u8]) -> Vec<String> {
    let shown = judge(plan, bytes).shown;
    let ids = shown.iter().map(|shown| plan.rules[shown.rule].id.clone());
    ids.collect()
}

#[test]
fn a_field_sees_what_a_look_up_shows_and_its_type_the_key() {
    let plan = plan("log");
    let right = trace(&[text("a"), note(1, 1)]);
    assert_eq!(shown(&plan, &right), [""; 0]);
    let another = trace(&[text("c"), note(1, 1)]);
    assert_eq!(shown(&plan, &another), ["LETTER"]);
    let empty = trace(&[text("a"), text(""), note(1, 5)]);
    assert_eq!(shown(&plan, &empty), ["FIVE", "MORE"]);
    let none = trace(&[text("a"), note(1, -1)]);
    assert_eq!(shown(&plan, &none), ["MORE"]);
}

#[test]
fn what_names_no_row_is_absent_and_what_is_awaited_is_missing() {
    let plan = plan("log");
    let (_, records) = decode(&plan, &trace(&[text("a"), note(1, -1)]));
    assert_eq!(
        records[0].member("text"),
        Some(&Value::Text("a".to_owned()))
    );
    assert_eq!(records[0].member("more"), None);
    let (_, records) = decode(&plan, &trace(&[note(8, -1), text("a")]));
    assert!(matches!(records[0].member("text"), Some(Value::Missing(_))));
}

#[test]
fn a_condition_that_is_false_in_a_dialect_leaves_nothing() {
    let named = |plan: &Plan| {
        let mut labels = plan.infos.iter().filter_map(|info| info.label);
        labels.any(|label| plan.name(label) == "extra")
    };
    assert!(!named(&plan("log")));
    assert!(named(&plan("log@two")));
}

#[test]
fn operators_reach_rows_that_are_known_by_position() {
    let plan = plan("log");
    let twin = trace(&[text("a"), text("bb"), text("b"), note(1, 10), note(1, -1)]);
    let found = systematic(
        &plan,
        (&decoded(&plan, [twin]), &[]),
        &OtherFormats::default(),
    );
    assert!(found.refusals.is_empty(), "{:#?}", found.refusals);
    let ids: Vec<&str> = found
        .cases
        .iter()
        .map(|(_, case)| case.id.as_str())
        .collect();
    for wanted in [
        "LATER/defined-later/items.body.note.text",
        "WHOLE/never-defined-least/items.body.note.more",
        "WHOLE/names-other-element/items.body.note.more",
    ] {
        assert!(ids.contains(&wanted), "{wanted} is not in {ids:#?}");
    }
}

/// The inserted copy precedes the text and moves it, so the reference must be updated.
#[test]
fn a_reference_in_front_of_its_row_names_where_the_row_is_then() {
    let plan = plan("log");
    let twin = trace(&[text("a"), note(1, -1)]);
    let found = systematic(
        &plan,
        (&decoded(&plan, [twin]), &[]),
        &OtherFormats::default(),
    );
    let later = found
        .cases
        .iter()
        .find(|(_, case)| case.operator == "defined-later");
    let (_, later) = later.expect("a case");
    assert_eq!(later.bytes, trace(&[note(8, -1), text("a"), note(8, -1)]));
}

/// An observer that can stop the decoder, which then runs operations instead of steps, its fast
/// path.
#[derive(Default)]
struct Slowly(Vec<Record>);

impl Observer for Slowly {
    fn record(&mut self, record: &RecordView<'_>) {
        self.0.push(record.to_record());
    }
}

/// Steps, the decoder's fast path, must fall back to operations when a reference refers to a row
/// that is not defined yet.
#[test]
fn steps_and_the_walk_show_the_same_of_references() {
    let plan = plan("log");
    assert!(!plan.steps.is_empty());
    let twin = trace(&[text("a"), text("b"), note(1, 5), note(1, -1)]);
    let broken = systematic(
        &plan,
        (&decoded(&plan, [twin]), &[]),
        &OtherFormats::default(),
    )
    .cases;
    let mut traces: Vec<Vec<u8>> = broken.into_iter().map(|(_, case)| case.bytes).collect();
    traces.push(trace(&[note(15, 19), note(15, -1), text("a"), text("b")]));
    traces.push(trace(&[note(8, 8), text("a"), note(8, -1), note(40, 8)]));
    for bytes in traces {
        let mut slowly = Slowly::default();
        let slow = observe(&plan, &bytes, Findings::LimitedRecords, &mut slowly);
        let (verdict, records) = decode(&plan, &bytes);
        assert_eq!(verdict, slow.verdict, "{bytes:?}");
        assert_eq!(judge(&plan, &bytes), slow.verdict, "{bytes:?}");
        assert_eq!(format!("{records:?}"), format!("{:?}", slowly.0));
    }
}

/// A reference to an invalid or already passed position is rejected at once; a reference to any
/// other position waits for its row.
#[test]
fn an_impossible_position_is_refused_where_it_stands() {
    let plan = plan("log");
    for (place, shown) in [(-2, 1), (0, 1), (2, 1), (5, 1), (12, 3), (16, 3), (400, 3)] {
        let items = [text("a"), note(1, -1), note(place, -1), note(1, -1)];
        let (verdict, records) = decode(&plan, &trace(&items));
        let violation = verdict.violation().expect("a violation");
        assert_eq!(violation.path, "items[2].body.text", "{place}");
        assert_eq!((violation.span.start, violation.span.end), (15, 17));
        assert_eq!(records.len(), shown, "{place}");
    }
}

/// Nested lists would otherwise multiply: without a limit, some seeds generate hundreds of
/// megabytes.
#[test]
fn structures_that_hold_themselves_stay_small() {
    let plan = plan("log");
    let generator = Generator::new(Arc::clone(&plan));
    let mut deepest = 0;
    for seed in 0..400 {
        let options = Options {
            bytes: 600,
            fill: true,
            ..Options::default()
        };
        let made = generator.from_seed(seed, options).expect("a trace");
        assert!(
            made.bytes.len() < 40_000,
            "seed {seed}: {}",
            made.bytes.len()
        );
        deepest = deepest.max(made.bytes.len());
        check_made(&generator, &made).unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
        check_decode(&plan, &made.bytes).unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
        check_identities(&generator, &made.bytes)
            .unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
    }
    assert!(deepest > 700);
}
