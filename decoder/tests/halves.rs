//! Tests of unpaired surrogates, in encodings that can represent them.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use tracegauge_plan::terms::RuleId;

use tracegauge_decoder::decode;
use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

const DESCRIPTION: &str = r#"
meta: { id: halves, endian: le }
faults: { eof: WHOLE, encoding: FORM }
seq:
  - { id: units, type: u1, value: narrow.units16, rule: UNITS }
  - { id: size, type: u1, value: narrow._sizeof }
  - { id: narrow, type: str, size: size, encoding: CESU-8, faults: { half: HALF } }
  - { id: wide, type: str, size: 4, encoding: UTF-16LE, faults: { half: HALF } }
  - { id: strict, type: str, size: 2, encoding: UTF-16LE }
records: { texts: { from: halves, members: { narrow: narrow, wide: wide, strict: strict } } }
rules:
  WHOLE: { level: must, section: X, says: All is there., reader: reject }
  FORM: { level: must, section: X, says: Texts are well-formed., reader: reject }
  UNITS: { level: must, section: X, says: Units are counted., reader: reject }
  HALF: { level: silent, section: X, says: Surrogates come in pairs., reader: either, continues: keep }
"#;

/// Returns the exercised rules, the broken rule, and the records.
fn read(
    units: u8,
    narrow: &[u8],
    wide: &str,
    strict: &str,
) -> (Vec<String>, Option<String>, String) {
    let loaded = load(&Memory::new().with("x.yaml", DESCRIPTION), "x.yaml");
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    assert_eq!(loaded.diagnostics.errors(), 0, "{shown}");
    let plan = lower(&Arc::new(loaded.schema.unwrap()), "halves").unwrap();
    let size = u8::try_from(narrow.len()).unwrap();
    let bytes = [&[units, size], narrow, &hex(wide), &hex(strict)].concat();
    let (verdict, records) = decode(&plan, &bytes);
    let name = |rule: RuleId| plan.rules[rule].id.clone();
    let shown = verdict.shown.iter().map(|shown| name(shown.rule)).collect();
    let broken = verdict.violation().and_then(|found| found.rule).map(name);
    let records = records.iter().map(ToString::to_string).collect();
    (shown, broken, records)
}

fn hex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.map(byte).collect()
}

const A: &str = "6100";
const PAIR: &str = "3dd800de";

#[test]
fn a_pair_is_one_character_of_two_units() {
    let (shown, broken, records) = read(2, b"\xed\xa0\xbd\xed\xb8\x80", PAIR, A);
    assert_eq!((shown, broken), (Vec::new(), None));
    assert_eq!(
        records,
        r#"{"record":"texts","narrow":"😀","wide":"😀","strict":"a"}"#
    );
}

#[test]
fn half_a_pair_is_a_fault_of_its_own_and_one_unit() {
    for narrow in [&b"a\xed\xa0\xbd"[..], b"\xed\xb8\x80b"] {
        let (shown, broken, records) = read(2, narrow, PAIR, A);
        assert_eq!((shown, broken), (vec!["HALF".to_owned()], None));
        assert!(records.contains(r#""narrow":{"hex":""#), "{records}");
    }
    let (shown, broken, _) = read(0, b"", "00de3dd8", A);
    assert_eq!((shown, broken), (vec!["HALF".to_owned()], None));
    let (_, broken, _) = read(1, b"a\xed\xa0\xbd", PAIR, A);
    assert_eq!(broken.as_deref(), Some("UNITS"));
}

#[test]
fn without_a_rule_it_is_an_ill_formed_text() {
    let (_, broken, _) = read(0, b"", PAIR, "3dd8");
    assert_eq!(broken.as_deref(), Some("FORM"));
}

#[test]
fn what_else_is_wrong_with_a_text_is_told_first() {
    for narrow in [&b"\xed\xa0\xbd\xff"[..], b"\xf0\x9f\x98\x80", b"\xed\xa0"] {
        let (_, broken, _) = read(1, narrow, PAIR, A);
        assert_eq!(broken.as_deref(), Some("FORM"), "{narrow:?}");
    }
}
