//! Tests of strings that contain JSON or field descriptions, of null strings, and of kinds of rows
//! and predefined rows. The traces are assembled by hand.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use tracegauge_plan::terms::RuleId;

use tracegauge_decoder::{Judgement, decode};
use tracegauge_plan::Plan;
use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

const DESCRIPTION: &str = r#"
meta: { id: calls, endian: le, encoding: UTF-8 }
faults: { eof: WHOLE, encoding: WHOLE }
state: { room: { refs: rooms, initial: none } }
tables:
  rooms: { key: u1, row: room }
  kinds:
    key: u1
    row: kind
    initial:
      - { id: 1, name: "'declare'", again: { compare: [name], same: BEFORE, other: FIXED, keeps: first } }
    kinds:
      declare: { match: { id: 1 }, type: kind, reader-only: true }
      room: { match: { name: "'room'" }, type: room, reader-only: true, signature: FIELDS }
      enter: { match: { name: "'enter'" }, type: enter, signature: FIELDS }
seq:
  - { id: about, type: text, as: { json: about, rule: JSON } }
  - { id: calls, type: call, repeat: eos }
types:
  call:
    seq:
      - { id: kind, type: u1, refs: { table: kinds, dangling: KIND } }
      - { id: values, type-of-row: kinds.get(kind), else: { layout: values, from: kinds.get(kind).fields } }
  kind:
    defines:
      table: kinds
      key: id
      again: { compare: [name, fields], alike: { compare: [name], rule: ALIKE }, same: SAME, other: OTHER, keeps: last }
      unique: { by: name, rule: NAME }
    seq:
      - { id: id, type: u1 }
      - { id: name, type: text, faults: { absent: NAMED } }
      - { id: fields, type: text, as: { signature: values }, faults: { code: CODE } }
  room:
    defines: { table: rooms, key: id, again: WHOLE }
    seq:
      - { id: id, type: u1 }
      - { id: name, type: text }
  enter:
    sets: { room: rooms.get(id) }
    seq: [ { id: id, type: u1, refs: rooms, dangling: ROOM } ]
  text:
    seq:
      - { id: len, type: u1, value: text._sizeof }
      - { id: text, type: str, size: len }
    shows: text
    none: { len: 0 }
layouts:
  values:
    entry: { name: name }
    code: code
    unknown: CODE
    text:
      item: "{code} {name}"
      between: ","
      blanks: { may: any, write: after-between, rule: BLANK }
      code: { chars: "a-z0-9 []" }
      name: { chars: "a-z", faults: { missing: NAMELESS }, valid: { expr: "_ != 'self'", rule: SELF } }
      rest: REST
      unique: { by: name, rule: TWICE }
    codes:
      u1: { name: u1, type: u1, also: [small number] }
      text: { name: text, type: text }
      json: { name: json, type: text, as: { json: any, rule: JSON }, faults: { depth: DEEP } }
      "{of}[]": { name: list, of: { any-of: [u1], rule: HOLDS }, count: u2 }
json:
  about:
    kind: object
    rule: OBJECT
    members: { colour: { need: true, kind: text, one-of: { any-of: [red, green], rule: PAINT }, rule: COLOUR } }
    other-members: MORE
records:
  call: { from: call, members: { name: kinds.get(kind).name, room: room.name, values: values } }
rules:
  WHOLE: { level: must, section: X, says: All is there., reader: reject }
  JSON: { level: must, section: X, says: It is JSON., reader: reject }
  OBJECT: { level: must, section: X, says: It is an object., reader: reject }
  COLOUR: { level: must, section: X, says: There is a colour., reader: reject }
  PAINT: { level: must, section: X, says: A colour is red or green., reader: reject }
  MORE: { level: may, section: X, says: There may be more., reader: accept }
  DEEP: { level: silent, section: X, says: Lists may be deep., reader: either, continues: keep }
  KIND: { level: must, section: X, says: A kind is declared., reader: reject }
  BEFORE: { level: may, section: X, says: The first kind may be declared., reader: accept }
  FIXED: { level: must, section: X, says: The first kind stays as it is., reader: reject }
  FIELDS: { level: must, section: X, says: A kind that is known has its fields., reader: reject }
  SAME: { level: may, section: X, says: A kind may come again., reader: accept }
  ALIKE: { level: may, section: X, says: A kind may get other fields., reader: accept }
  OTHER: { level: must, section: X, says: A kind keeps its name., reader: reject }
  NAME: { level: must, section: X, says: Names differ., reader: reject }
  NAMED: { level: must, section: X, says: A kind has a name., reader: reject }
  ROOM: { level: must, section: X, says: A room is there., reader: reject }
  CODE: { level: must, section: X, says: A code is known., reader: reject }
  NAMELESS: { level: must, section: X, says: A field has a name., reader: reject }
  SELF: { level: must, section: X, says: No field is called self., reader: reject }
  BLANK: { level: may, section: X, says: There may be blanks., reader: accept }
  REST: { level: may, section: X, says: Something may follow a name., reader: accept }
  TWICE: { level: must, section: X, says: Fields differ., reader: reject }
  HOLDS: { level: must, section: X, says: Lists hold numbers., reader: reject }
"#;

fn plan() -> Plan {
    let loaded = load(&Memory::new().with("x.yaml", DESCRIPTION), "x.yaml");
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    assert_eq!(loaded.diagnostics.errors(), 0, "{shown}");
    lower(&Arc::new(loaded.schema.unwrap()), "calls").unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn text(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap();
    [&[length], text.as_bytes()].concat()
}

fn kind(id: u8, name: &str, fields: &str) -> Vec<u8> {
    [vec![1, id], text(name), text(fields)].concat()
}

/// Returns a trace with the text `about` followed by the calls.
fn trace(about: &str, calls: &[Vec<u8>]) -> Vec<u8> {
    [text(about), calls.concat()].concat()
}

const RED: &str = r#"{"colour":"red"}"#;

/// Returns the exercised rules and the broken rule.
fn rules(bytes: &[u8]) -> (Vec<String>, Option<String>) {
    let plan = plan();
    let (verdict, _) = decode(&plan, bytes);
    let name = |rule: RuleId| plan.rules[rule].id.clone();
    let shown = verdict.shown.iter().map(|shown| name(shown.rule)).collect();
    let broken = verdict.violation().and_then(|found| found.rule).map(name);
    (shown, broken)
}

fn records(bytes: &[u8]) -> Vec<String> {
    let (verdict, records) = decode(&plan(), bytes);
    assert!(
        !matches!(verdict.judgement, Judgement::Rejected(_)),
        "{verdict:?}"
    );
    assert_eq!(verdict.length, bytes.len() as u64);
    records.iter().map(ToString::to_string).collect()
}

#[test]
fn a_text_describes_the_values_of_a_row() {
    let calls = [
        kind(2, "paint", " u1 a,small number  b ,text c, u1[] d, json e"),
        [vec![2, 7, 8], text("x"), vec![2, 0, 5, 6], text("[1]")].concat(),
        vec![2, 7, 8, 0, 0, 0, 0],
    ];
    let found = records(&trace(RED, &calls));
    assert_eq!(
        found,
        [
            r#"{"record":"call","name":"paint","values":[["a",7],["b",8],["c","x"],["d",[5,6]],["e",[1]]]}"#,
            r#"{"record":"call","name":"paint","values":[["a",7],["b",8],["c",null],["d",[]],["e",null]]}"#,
        ]
    );
}

#[test]
fn what_is_wrong_with_a_description_is_found_where_it_stands() {
    for (fields, rule) in [
        ("u9 a", "CODE"),
        ("u1", "NAMELESS"),
        ("u1 a,,u1 b", "NAMELESS"),
        ("u1 a,", "NAMELESS"),
        ("u1 self", "SELF"),
        ("u1 a, text a", "TWICE"),
        ("text[] a", "HOLDS"),
        ("u1[][] a", "HOLDS"),
        ("u9[] a", "CODE"),
        ("[] a", "CODE"),
    ] {
        let (_, broken) = rules(&trace(RED, &[kind(2, "paint", fields)]));
        assert_eq!(broken.as_deref(), Some(rule), "{fields}");
    }
    let (shown, broken) = rules(&trace(RED, &[kind(2, "paint", "u1 a = 3"), vec![2, 9]]));
    assert_eq!((shown, broken), (vec!["REST".to_owned()], None));
}

#[test]
fn blanks_that_no_writer_puts_are_told() {
    let shown = |fields: &str| rules(&trace(RED, &[kind(2, "paint", fields)])).0;
    for fields in [
        "",
        "u1 a",
        "u1 a,u1 b",
        "u1 a, small number b",
        "small number[] a, text b",
    ] {
        assert_eq!(shown(fields), Vec::<String>::new(), "{fields}");
    }
    for fields in [
        " u1 a",
        "u1  a",
        "u1 a ",
        "u1 a ,u1 b",
        "u1 a,  u1 b",
        "u1 [] a",
    ] {
        assert_eq!(shown(fields), ["BLANK"], "{fields}");
    }
}

#[test]
fn json_is_looked_into() {
    for (about, rule) in [
        ("{", "JSON"),
        ("[]", "OBJECT"),
        ("{}", "COLOUR"),
        (r#"{"colour":"blue"}"#, "PAINT"),
        (r#"{"colour":1}"#, "COLOUR"),
        (r#"{"colour":"red","colour":"blue"}"#, "PAINT"),
    ] {
        assert_eq!(
            rules(&trace(about, &[])).1.as_deref(),
            Some(rule),
            "{about}"
        );
    }
    let (shown, broken) = rules(&trace(r#"{"x":[],"colour":"gr\u0065en"}"#, &[]));
    assert_eq!((shown, broken), (vec!["MORE".to_owned()], None));
    let deep = "[".repeat(101) + &"]".repeat(101);
    let calls = [kind(2, "paint", "json a"), [vec![2], text(&deep)].concat()];
    let (shown, broken) = rules(&trace(RED, &calls));
    assert_eq!((shown, broken), (vec!["DEEP".to_owned()], None));
}

#[test]
fn null_is_a_fault_where_a_rule_says_so() {
    assert_eq!(
        rules(&trace(RED, &[kind(2, "", "u1 a")])).1.as_deref(),
        Some("NAMED")
    );
    // The contents of a null string are not tested.
    assert_eq!(rules(&trace("", &[])), (Vec::new(), None));
}

#[test]
fn rows_of_a_kind_are_read_as_its_type_and_shown_as_they_describe_themselves() {
    let calls = [
        kind(2, "room", "u1 number, text title"),
        kind(3, "enter", "small number which"),
        [vec![2, 9], text("hall")].concat(),
        vec![3, 9],
    ];
    assert_eq!(
        records(&trace(RED, &calls)),
        [r#"{"record":"call","name":"enter","room":"hall","values":[["which",9]]}"#]
    );
    let unknown = [kind(3, "enter", "u1 which"), vec![3, 9]];
    assert_eq!(rules(&trace(RED, &unknown)).1.as_deref(), Some("ROOM"));
    let other = [kind(3, "enter", "text which")];
    assert_eq!(rules(&trace(RED, &other)).1.as_deref(), Some("FIELDS"));
}

#[test]
fn a_register_holds_a_row() {
    let calls = [
        kind(2, "room", "u1 a, text b"),
        kind(3, "enter", "u1 c"),
        kind(4, "paint", ""),
        vec![4],
        [vec![2, 9], text("hall")].concat(),
        vec![3, 9, 4],
    ];
    let found = records(&trace(RED, &calls));
    assert_eq!(found[0], r#"{"record":"call","name":"paint","values":[]}"#);
    assert_eq!(
        found[2],
        r#"{"record":"call","name":"paint","room":"hall","values":[]}"#
    );
}

#[test]
fn a_row_before_the_file_has_its_own_say_about_coming_again() {
    let same = rules(&trace(
        RED,
        &[kind(1, "declare", "u1 a"), kind(2, "paint", "")],
    ));
    assert_eq!(same, (vec!["BEFORE".to_owned()], None));
    let other = rules(&trace(RED, &[kind(1, "undeclare", "")]));
    assert_eq!(other.1.as_deref(), Some("FIXED"));
    let name = rules(&trace(RED, &[kind(2, "declare", "")]));
    assert_eq!(name.1.as_deref(), Some("NAME"));
}

#[test]
fn a_row_that_comes_again_may_be_alike() {
    let twice = |name: &str, fields: &str| {
        let calls = [kind(2, "paint", "u1 a"), kind(2, name, fields), vec![2, 1]];
        rules(&trace(RED, &calls))
    };
    assert_eq!(twice("paint", "u1 a"), (vec!["SAME".to_owned()], None));
    assert_eq!(twice("paint", "u1 b"), (vec!["ALIKE".to_owned()], None));
    assert_eq!(twice("draw", "u1 a").1.as_deref(), Some("OTHER"));
}
