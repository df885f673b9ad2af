//! Tests that a fault that readers tolerate is planted where their records show how they handle it.

use tracegauge_generator::fault::{OtherFormats, decoded, systematic};

use super::support::{described, hex};

/// Definitions of names, in which readers tolerate a level above 9, and events that refer to them.
const DESCRIPTION: &str = "
meta: { id: seen-v1, endian: be }
faults: { eof: CUT }
tables:
  names: { key: u1, row: name }
seq:
  - { id: items, type: item, repeat: eos }
types:
  item:
    seq:
      - { id: kind, type: u1, enum: kind, faults: { enum: KIND } }
      - { id: body, type: { switch-on: kind, cases: { kind::name: name, kind::event: event } } }
  name:
    defines: { table: names, key: id, again: REF }
    seq:
      - { id: id, type: u1, gen: { range: [1, 100] } }
      - { id: level, type: u1, valid: { max: 9 }, rule: LEVEL }
      - { id: color, type: u1 }
  event:
    seq: [ { id: name, type: u1, refs: names, dangling: REF } ]
enums: { kind: { 1: name, 2: event } }
records:
  event: { from: event, order: { file: true }, members: { color: names.get(name).color } }
rules:
  CUT: { level: must, section: All, says: Everything is there., reader: reject }
  KIND: { level: must, section: All, says: There are two kinds., reader: reject }
  LEVEL: { level: should, section: Names, says: A level is at most 9., reader: accept, continues: keep, writer: fault }
  REF: { level: must, section: Events, says: An event names a name., reader: reject }
";

/// Returns the trace with a level of 10, made from one of `twins`.
fn with_high_level(twins: &[&str]) -> Vec<u8> {
    let plan = described(DESCRIPTION, "seen-v1");
    let twins = decoded(&plan, twins.iter().map(|twin| hex(twin)));
    let found = systematic(&plan, (&twins, &[]), &OtherFormats::default());
    assert!(found.refusals.is_empty(), "{:#?}", found.refusals);
    let mut cases = found.cases.into_iter().map(|(_, case)| case);
    let case = cases.find(|case| case.id == "LEVEL/one-above/items.body.name.level");
    case.expect("a case").bytes
}

#[test]
fn an_event_refers_to_the_definition_with_the_fault() {
    // The smallest trace has no event, and the last definition of the next one is not used.
    let twins = [
        "01 07 03 aa",
        "01 08 03 aa 01 07 03 bb 02 08",
        "01 05 00 aa 01 07 03 bb 02 07 02 05",
    ];
    let trace = with_high_level(&twins);
    assert_eq!(trace, hex("01 08 0a aa 01 07 03 bb 02 08"));
}

#[test]
fn without_such_an_event_the_smallest_trace_is_used() {
    let trace = with_high_level(&["01 07 03 aa", "01 07 03 aa 01 08 03 bb"]);
    assert_eq!(trace, hex("01 07 0a aa"));
}
