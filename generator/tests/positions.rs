//! Tests of values located from the end of a file, lists of elements that may end early, truncated
//! padding, and names in encodings other than UTF-8.

use crate::support;
use std::sync::Arc;

use tracegauge_decoder::{Judgement, decode, judge};
use tracegauge_generator::fault::{OtherFormats, decoded, systematic};
use tracegauge_generator::laws::{check_decode, check_identities, check_made};
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::Plan;
use tracegauge_spec::load::{Memory, load};

fn described(name: &str, text: &str) -> Arc<Plan> {
    let files = Memory::new().with("format.yaml", text);
    let schema = support::schema(load(&files, "format.yaml"));
    support::plan(&schema, name).expect("the description can be run")
}

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    let byte = |pair: &[u32]| u8::try_from(pair[0] * 16 + pair[1]).expect("two digits");
    digits.chunks(2).map(byte).collect()
}

fn records(plan: &Plan, bytes: &str) -> Vec<String> {
    let (_, records) = decode(plan, &hex(bytes));
    records.iter().map(ToString::to_string).collect()
}

/// Checks that generated traces survive round trips and that damaged ones get the same verdict from
/// every way of decoding.
fn laws(plan: &Arc<Plan>, seeds: u64) -> Generator {
    let generator = Generator::new(Arc::clone(plan));
    let options = Options {
        bytes: 300,
        ..Options::default()
    };
    for seed in 0..seeds {
        let made = generator.from_seed(seed, options);
        let made = made.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        check_made(&generator, &made).unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
        let mut bytes = made.bytes;
        if bytes.is_empty() {
            continue;
        }
        let at = usize::try_from(seed * 7).expect("small") % bytes.len();
        bytes[at] ^= 0x41;
        check_decode(plan, &bytes).unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
    }
    generator
}

/// Items, followed by the position of their end, followed by the position of that field.
const FOOTER: &str = r"
meta: { id: footer, endian: le }
faults: { eof: CUT, past: PLACE, negative: PLACE, short: ITEMS, rest: ITEMS, trailing: PLACE }
seq:
  - { id: magic, contents: FT, rule: CUT }
  - { id: body, type: body }
  - { id: end, type: u2, value: body.items._end, rule: PLACE }
  - { id: last, type: u2, value: end._start, rule: PLACE }
types:
  body:
    seq:
      - { id: kind, type: u2 }
      - { id: items, size: early_end - kind._end, type: items }
    instances:
      early_last: { pos: _io.size - 2, type: u2, same-as: _parent.last, valid: { eq: _io.size - 4 }, rule: PLACE }
      early_end: { pos: early_last, type: u2, same-as: _parent.end }
  items:
    seq: [{ id: items, type: item, repeat: eos }]
  item:
    seq:
      - { id: size, type: u1, value: data._sizeof }
      - { id: data, size: size }
rules:
  CUT: { level: must, section: All, says: Everything is there., reader: reject }
  PLACE: { level: must, section: All, says: The places are right., reader: reject }
  ITEMS: { level: must, section: All, says: The last item ends where it should., reader: reject }
";

#[test]
fn a_part_whose_end_stands_behind_it_is_put() {
    let plan = described("footer", FOOTER);
    let generator = laws(&plan, 200);
    let options = Options {
        bytes: 20_000,
        fill: true,
        ..Options::default()
    };
    let whole = generator.from_seed(3, options).expect("a trace").bytes;
    let mut streamed = Vec::new();
    let verdict = generator.write_seed(3, options, &mut streamed);
    assert_eq!(verdict.expect("a trace").judgement, Judgement::Accepted);
    assert!(whole.len() >= 20_000);
    assert_eq!(whole, streamed);
}

#[test]
fn what_is_read_early_is_not_spoilt_and_what_moves_is_followed() {
    let plan = described("footer", FOOTER);
    let generator = Generator::new(Arc::clone(&plan));
    let options = Options {
        bytes: 300,
        ..Options::default()
    };
    let twins: Vec<_> = (0..8)
        .map(|seed| generator.from_seed(seed, options).expect("a trace").bytes)
        .collect();
    let twins = decoded(&plan, twins);
    let found = systematic(&plan, (&twins, &[]), &OtherFormats::default());
    assert!(found.refusals.is_empty(), "{:#?}", found.refusals);
    // Some of the cases make items longer or shorter, which moves the positions after them.
    assert!(found.cases.len() > 5, "{} cases", found.cases.len());
    let spoilt = |case: &str| case.contains("/last") || case.ends_with("/end");
    assert!(!found.cases.iter().any(|(_, case)| spoilt(&case.id)));
}

/// Rows whose description is optional.
const OPTIONAL: &str = r"
meta: { id: optional, endian: le, encoding: UTF-8 }
faults: { eof: CUT, encoding: CUT, past: CUT, short: CUT, enum: CUT, code: CUT, terminator: CUT }
tables: { rows: { key: u1, row: row } }
seq:
  - { id: frames, type: frame, repeat: eos }
types:
  frame:
    seq:
      - { id: tag, type: u1, enum: tag }
      - { id: size, type: u2, value: body._sizeof }
      - id: body
        size: size
        type: { switch-on: tag, cases: { tag::row: row, tag::event: event } }
  row:
    defines: { table: rows, key: id, again: SAME }
    seq:
      - { id: id, type: u1 }
      - { id: described, type: fields, optional: rest }
    instances:
      fields: { value: 'described else []' }
  fields:
    shows: items
    seq:
      - { id: count, type: u1, value: items.size }
      - { id: items, type: field, repeat: expr, repeat-expr: count }
  field:
    seq:
      - { id: code, type: u1, code-of: values }
      - { id: name, type: strz, encoding: UTF-16LE, faults: { encoding: REST } }
  event:
    seq:
      - { id: row, type: u1, refs: rows, dangling: CUT }
      - { id: values, size-eos: true, layout: values, from: rows.get(row).fields }
layouts:
  values:
    entry: { name: name }
    code: code
    unknown: CUT
    faults: { rest: REST }
    codes: { 1: { name: Number, type: u1 } }
enums: { tag: { 1: row, 2: event } }
records:
  event: { from: event, order: { file: true }, members: { fields: values } }
rules:
  CUT: { level: must, section: All, says: Everything is there., reader: reject }
  SAME: { level: may, section: All, says: A row may come again., reader: accept }
  REST: { level: silent, section: All, says: Other bytes mean nothing., reader: accept, continues: skip }
";

#[test]
fn what_a_row_leaves_out_is_not_that_of_the_row_before() {
    let plan = described("optional", OPTIONAL);
    laws(&plan, 300);
    // Row 1 has a field; row 2 has none.
    let rows = "01 0700 01 01 01 61 00 00 00  01 0100 02";
    let events = "02 0200 01 05  02 0200 02 05";
    assert_eq!(
        records(&plan, &format!("{rows} {events}")),
        [
            r#"{"record":"event","fields":[["a",5]]}"#,
            r#"{"record":"event","fields":[]}"#
        ]
    );
}

#[test]
fn names_of_described_fields_are_read_in_their_encoding() {
    let plan = described("optional", OPTIONAL);
    // "€", followed by half of a surrogate pair, which is shown as bytes.
    let row = "01 0c00 01 02 01 ac 20 00 00 01 00 d8 00 00";
    assert_eq!(
        records(&plan, &format!("{row} 02 0300 01 05 06")),
        [r#"{"record":"event","fields":[["€",5],[{"hex":"00d8"},6]]}"#]
    );
}

/// Items that end at a multiple of four bytes, which readers do not enforce.
const PADDED: &str = r"
meta: { id: padded, endian: le }
faults: { eof: CUT, past: CUT, short: CUT, rest: PADDING }
seq: [{ id: items, type: item, repeat: eos }]
types:
  item:
    seq:
      - { id: size, type: u1, value: body._sizeof }
      - { id: body, size: size, type: body }
  body:
    seq:
      - { id: number, type: u2 }
      - { id: padding, align: { to: 4, from: part, fill: 0 }, rule: PADDING, faults: { short: PADDING } }
records:
  item: { from: body, order: { file: true }, members: { number: number } }
rules:
  CUT: { level: must, section: All, says: Everything is there., reader: reject }
  PADDING: { level: should, section: All, says: Zeros fill an item up., reader: accept, continues: skip, writer: fault }
";

#[test]
fn padding_that_is_cut_short_leaves_what_stands_before_it() {
    let plan = described("padded", PADDED);
    let generator = laws(&plan, 100);
    let number = |number: u32| format!(r#"{{"record":"item","number":{number}}}"#);
    for (bytes, numbers) in [
        ("04 0100 0000 04 0200 0000", vec![1, 2]),
        ("02 0100 03 0200 00 04 0300 0000", vec![1, 2, 3]),
        ("04 0100 00ee 03 0200 ee 02 0300", vec![1, 2, 3]),
        ("07 0100 0000 000000 02 0200", vec![1, 2]),
    ] {
        let wanted: Vec<String> = numbers.into_iter().map(number).collect();
        assert_eq!(records(&plan, bytes), wanted, "{bytes}");
        let bytes = hex(bytes);
        assert_eq!(judge(&plan, &bytes).judgement, Judgement::Accepted);
        check_identities(&generator, &bytes)
            .unwrap_or_else(|broken| panic!("{bytes:02x?}: {broken}"));
    }
}
