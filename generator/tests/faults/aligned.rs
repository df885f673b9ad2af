//! Tests of elements whose padding depends on their position.

use tracegauge_generator::fault::{OtherFormats, decoded, systematic};

use super::support::{described, hex};

/// Blocks with a number aligned to four bytes of the file, ended by a block without a number.
const DESCRIPTION: &str = "
meta: { id: aligned-v1, endian: le }
faults: { eof: CUT }
seq:
  - id: blocks
    type: block
    repeat: until
    repeat-until: _.kind == 0
    arrange:
      first: [ { expr: _.kind == 1, rule: HEAD } ]
      once: [ { eq: 1, by: _.kind, rule: ONCE } ]
    faults: { missing: CUT }
types:
  block:
    seq:
      - { id: kind, type: u1, valid: { max: 3, rule: KIND } }
      - { id: padding, align: { to: 4, from: file, fill: 0 }, if: kind != 0, rule: PADDING }
      - { id: number, type: u1, valid: { max: 9, rule: NUMBER }, if: kind != 0 }
rules:
  CUT: { level: must, section: All, says: Nothing is cut., reader: reject, class: incomplete }
  HEAD: { level: must, section: All, says: A head comes first., reader: reject }
  ONCE: { level: must, section: All, says: There is one head., reader: reject }
  KIND: { level: must, section: All, says: A kind is at most 3., reader: reject }
  PADDING: { level: must, section: All, says: Padding is zero., reader: accept, continues: keep, writer: fault }
  NUMBER: { level: must, section: All, says: A number is at most 9., reader: reject }
";

#[test]
fn a_copy_is_aligned_where_it_is_put() {
    let plan = described(DESCRIPTION, "aligned-v1");
    let whole = "01 000000 07 02 0000 08 00";
    let twins = decoded(&plan, [hex(whole)]);
    assert_eq!(twins.len(), 1, "the twin is valid");
    let found = systematic(&plan, (&twins, &[]), &OtherFormats::default());
    assert!(found.refusals.is_empty(), "{:#?}", found.refusals);
    let bytes = |id: &str| {
        let mut cases = found.cases.iter();
        let case = cases.find(|(_, case)| case.id == id);
        case.map(|(_, case)| case.bytes.clone())
            .unwrap_or_else(|| panic!("no {id}"))
    };
    assert_eq!(
        bytes("HEAD/another-first/blocks"),
        hex("02 000000 08 01 0000 07 02 0000 08 00")
    );
    assert_eq!(
        bytes("ONCE/occurs-twice/blocks"),
        hex("01 000000 07 01 0000 07 02 0000 08 00")
    );
}
