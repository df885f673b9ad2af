//! Helpers for the tests of the operators, and tests of the operators' names.

use std::collections::HashMap;
use std::sync::Arc;

use tracegauge_plan::{OpId, Plan};
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

use super::{CutAt, Plant, WORDS, sentence};
use crate::fault::dialect::OtherFormats;
use crate::fault::site::Finder;
use crate::fault::systematic::{at_sites, decoded};

/// A layout with a value that is stored elsewhere.
pub(super) const LOCATED: &str = r#"tables: { rows: { key: u1, row: row } }
seq: [ { id: row, type: row }, { id: event, type: event } ]
types:
  row: { defines: { table: rows, key: id, again: R }, seq: [ { id: id, type: u1 }, { id: fields, type: field, repeat: expr, repeat-expr: 1 } ] }
  field: { seq: [ { id: name, type: u1 }, { id: type, type: type } ] }
  type: { seq: [ { id: code, type: u1, code-of: values }, { id: element, type: type, if: code == 2 } ] }
  event: { seq: [ { id: id, type: u1, refs: rows, dangling: R }, { id: size, type: u1, value: values._sizeof }, { id: values, size: size, layout: values, from: rows.get(id).fields } ] }
limits: [ { of: type, depth: 8, rule: R } ]
layouts:
  values:
    entry: { name: name, type: type }
    code: code
    unknown: R
    codes:
      1: { name: Number, type: u2 }
      2: { name: Far, at: { word: u4, offset: low 16, size: high 16, from: end_of_field, multiple: R }, of: element, of-must-be: fixed_size, rule: R }
      3: { name: Text, type: strz }"#;

/// A trace of [`LOCATED`] with a list of one number behind the word.
pub(super) const LOCATED_TRACE: &str = "01 41 02 01 01 06 00000200 2a00";

/// Plants all faults of an operator in a valid trace, given in hexadecimal. The description has a
/// rule `R`, which all kinds of faults violate unless the description maps them itself. Returns the
/// identity of each case, its bytes, and the offset of the fault.
pub(super) fn planted<T: Plant>(description: &str, trace: &str) -> Vec<String> {
    let plan = plan(description);
    let trace = hex::decode(trace.replace(' ', "")).expect("a trace");
    let twins = decoded(&plan, [trace]);
    assert_eq!(twins.len(), 1, "the trace is valid");
    let mut finder = Finder::new(&plan);
    for id in 0..plan.ops.len() {
        T::sites(&mut finder, OpId::from(id));
    }
    let found = at_sites(&plan, (&twins, &[]), &OtherFormats::default(), finder.sites);
    assert!(found.refusals.is_empty(), "{:?}", found.refusals);
    let cases = found.cases.iter().map(|(_, case)| {
        let bytes = match case.bytes.len() {
            length if length > 64 => format!("{length} bytes"),
            _ => hex::encode(&case.bytes),
        };
        format!("{} {bytes} @{}", case.id, case.expected[0].start)
    });
    cases.collect()
}

fn plan(description: &str) -> Plan {
    let mut text = "meta: { id: a, endian: le, encoding: UTF-8 }\n".to_owned() + description;
    if !description.contains("faults:") {
        text += "\nfaults: { eof: R, missing: R, trailing: R, past: R, short: R, rest: R, \
                 negative: R, encoding: R, terminator: R, code: R, overlong: R, long: R, wide: R }";
    }
    text += "\nrules: { R: { level: must, section: All, says: All is well., reader: reject } }\n";
    let loaded = load(&Memory::new().with("format.yaml", &text), "format.yaml");
    let schema = loaded
        .schema
        .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    lower(&Arc::new(schema), "a").unwrap_or_else(|errors| panic!("{errors:?}"))
}

#[test]
fn a_name_has_the_same_effect_in_every_operator() {
    let mut known = HashMap::new();
    for (name, effect) in WORDS.iter().copied().flatten() {
        assert_eq!(
            known.insert(name, effect).unwrap_or(effect),
            effect,
            "{name}"
        );
    }
}

#[test]
fn an_effect_is_part_of_a_sentence() {
    for (name, effect) in WORDS.iter().copied().flatten() {
        assert!(effect.starts_with(char::is_uppercase), "{name}");
        assert!(!effect.ends_with('.'), "{name}");
    }
    assert_eq!(
        sentence(CutAt::Before.name()),
        Some("The file ends before this field")
    );
    assert_eq!(sentence("unheard-of"), None);
}

#[test]
fn numbers_have_whole_bytes() {
    assert_eq!(super::hex(0xfff), "0x0fff");
    assert_eq!(super::hex(-1), "-1");
}
