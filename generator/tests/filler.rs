//! Tests of the search for filler, with which traces of any size are made.

use crate::support;

use tracegauge_decoder::{Judgement, decode};
use tracegauge_generator::fault::{ValidTrace, valid_trace};
use tracegauge_generator::filler::filler;
use tracegauge_generator::plain::Answers;
use tracegauge_plan::Plan;
use tracegauge_spec::load::{Memory, load};

/// A format whose traces consist of things. `FIELDS` are the fields of a thing after its key, and
/// `MEMBERS` its members besides the key.
const DESCRIPTION: &str = "\
meta: { id: sized, endian: le }
faults: { eof: WHOLE }
seq: [ { id: things, type: thing, repeat: eos } ]
types:
  thing:
    seq:
      - { id: key, type: u1 }
FIELDS
records: { thing: { from: thing, order: { file: true }, members: { key: keyMEMBERS } } }
rules:
  WHOLE: { level: must, section: A, says: Every thing is complete., reader: reject }
";

/// Returns the plan of a format with these fields and members.
fn format(fields: &str, members: &str) -> std::sync::Arc<Plan> {
    let text = DESCRIPTION
        .replace("FIELDS", fields)
        .replace("MEMBERS", members);
    let files = Memory::new().with("format.yaml", &text);
    let schema = support::schema(load(&files, "format.yaml"));
    support::plan(&schema, "sized").expect("the description can be run")
}

fn valid(plan: &Plan, bytes: &[u8]) -> ValidTrace {
    valid_trace(plan, &Answers::new(plan), bytes.to_vec()).expect("the trace is valid")
}

const SKIPPED: &str = "      - { id: size, type: SIZE }\n      - { id: contents, size: size }";

#[test]
fn filler_can_be_repeated_any_number_of_times() {
    for (size, most) in [("u2", 1 << 16), ("u4", (1 << 20) + 1)] {
        let plan = format(&SKIPPED.replace("SIZE", size), "");
        let empty = match size {
            "u2" => &[5, 0, 0, 6, 0, 0][..],
            _ => &[5, 0, 0, 0, 0, 6, 0, 0, 0, 0],
        };
        let found = filler(&plan, &valid(&plan, empty)).expect("contents are skipped");
        assert!(
            found.element.len() > most - 8192 && found.element.len() < most,
            "{size}"
        );
        assert!(found.enlarged.ends_with(".contents"), "{}", found.enlarged);
        let (before, rest) = found.trace.split_at(found.element.start);
        let (element, after) = rest.split_at(found.element.len());
        for times in [0, 1, 3, 10] {
            let trace = [before, &element.repeat(times), after].concat();
            let (verdict, records) = decode(&plan, &trace);
            assert_eq!(
                verdict.judgement,
                Judgement::Accepted,
                "{size}, {times} times"
            );
            assert_eq!(records.len(), 2 + times);
            let end = found.element.start + times * element.len();
            let (_, passed) = decode(&plan, &trace[..end]);
            assert!(passed.len() < records.len(), "no record follows the filler");
        }
    }
}

#[test]
fn a_size_must_allow_large_contents() {
    let plan = format(&SKIPPED.replace("SIZE", "u1"), "");
    assert_eq!(filler(&plan, &valid(&plan, &[5, 0, 6, 0])), None);
}

#[test]
fn contents_must_not_be_reported() {
    let plan = format(&SKIPPED.replace("SIZE", "u4"), ", contents: contents");
    let trace = [5, 0, 0, 0, 0, 6, 0, 0, 0, 0];
    assert_eq!(filler(&plan, &valid(&plan, &trace)), None);
}

#[test]
fn contents_must_not_be_read_as_elements() {
    let list =
        "      - { id: size, type: u4 }\n      - { id: contents, type: numbers, size: size }";
    let types = "\n  numbers:\n    seq: [ { id: items, type: u1, repeat: eos } ]";
    let plan = format(&format!("{list}{types}"), "");
    let trace = [5, 0, 0, 0, 0, 6, 0, 0, 0, 0];
    assert_eq!(filler(&plan, &valid(&plan, &trace)), None);
}
