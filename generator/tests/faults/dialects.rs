//! Tests that no fault turns a file into one of a different dialect.

use tracegauge_generator::fault::{OtherFormats, decoded, systematic};

use super::support::{described, hex};

const DESCRIPTION: &str = "
meta: { id: two-v1, endian: le }
params: [{ id: version, type: int }, { id: swapped, type: bool }]
dialects:
  two-v1: { version: 1, swapped: false, default: true, detect: { bytes: [0x54, 0x57], field: header.version } }
  two-v2: { version: 2, swapped: false, detect: { bytes: [0x54, 0x57], field: header.version } }
  two-v1@swapped: { version: 1, swapped: true, detect: { bytes: [0x57, 0x54] } }
seq:
  - { id: magic, type: u2, valid: { eq: '_root.swapped ? 0x5457 : 0x5754' }, rule: MAGIC }
  - { id: header, type: header }
types:
  header:
    seq:
      - { id: version, type: u1, valid: { eq: _root.version }, rule: VERSION }
rules:
  MAGIC: { level: must, section: A, says: The magic is right., reader: reject }
  VERSION: { level: must, section: A, says: The version is right., reader: reject }
";

fn values(dialect: &str, twin: &str) -> Vec<(String, Vec<u8>)> {
    let plan = described(DESCRIPTION, dialect);
    let twins = decoded(&plan, [hex(twin)]);
    assert_eq!(twins.len(), 1);
    let found = systematic(&plan, (&twins, &[]), &OtherFormats::default());
    assert!(found.refusals.is_empty(), "{:#?}", found.refusals);
    let cases = found.cases.into_iter();
    cases.map(|(_, case)| (case.id, case.bytes)).collect()
}

#[test]
fn a_field_keeps_off_the_values_of_other_dialects() {
    let first = values("two-v1", "5457 01");
    assert!(
        first
            .iter()
            .any(|(id, _)| id == "VERSION/zero/header.version"
                || id == "VERSION/one-below/header.version")
    );
    assert!(first.iter().all(|(_, bytes)| *bytes != hex("5457 02")));
    let second = values("two-v2", "5457 02");
    assert!(second.iter().any(|(_, bytes)| *bytes == hex("5457 03")));
    assert!(second.iter().all(|(_, bytes)| *bytes != hex("5457 01")));
}

#[test]
fn bytes_keep_off_those_of_other_dialects() {
    let first = values("two-v1", "5457 01");
    assert!(first.iter().any(|(id, _)| id == "MAGIC/one-above/magic"));
    assert!(
        first
            .iter()
            .all(|(_, bytes)| !bytes.starts_with(&hex("5754")))
    );
}
