//! Tests the pages generated from a small description, and that the pages of all bundled formats
//! contain every rule.

use std::sync::Arc;

use tracegauge_plan::terms::Level;
use tracegauge_spec::bundled;
use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Disk, Memory, load};
use tracegauge_spec::page::{Conduct, anchor, dialect_page, ledger, page};
use tracegauge_spec::schema::{ReaderDuty, Schema};

fn small() -> Schema {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/formats/tlv/format.yaml");
    load(&Disk::default(), path)
        .schema
        .expect("a sound description")
}

#[test]
fn the_page_of_a_small_format() {
    insta::assert_snapshot!(page(&small()));
}

/// The page of a dialect has neither the fields of other dialects nor conditions on the dialect.
#[test]
fn the_page_of_a_dialect_covers_nothing_else() {
    for format in bundled::list() {
        let schema = format.load().schema.expect("a sound description");
        let all = page(&schema);
        for dialect in &schema.dialects {
            let own = dialect_page(&schema, &dialect.id).expect("a dialect of the format");
            let id = &dialect.id;
            for (parameter, _) in &dialect.bindings {
                let condition = format!("if `_root.{parameter}");
                assert!(!own.contains(&condition), "{id}: {condition}");
            }
            let several = schema.dialects.len() > 1;
            assert_eq!(own.contains(&format!("only the dialect `{id}`")), several);
            for rule in schema.rules.iter() {
                assert!(
                    own.contains(&format!("</a>{} |", rule.id)),
                    "{id}: {}",
                    rule.id
                );
            }
            assert!(own.len() <= all.len() + 100, "{id}");
        }
        assert!(dialect_page(&schema, "nothing").is_none());
    }
}

/// The versions of a format can be dialects of one description.
#[test]
fn the_pages_of_two_versions_differ() {
    let [format] = bundled::find("fieldlog-v1")[..] else {
        panic!("one description")
    };
    let schema = format.load().schema.expect("a sound description");
    let pages = ["fieldlog-v1", "fieldlog-v2"].map(|id| dialect_page(&schema, id));
    let [Some(older), Some(newer)] = pages else {
        panic!("two dialects")
    };
    assert!(!older.contains("| `app_configuration` |"));
    assert!(older.contains("The file is big-endian."));
    assert!(newer.contains("| `app_configuration` |"));
}

#[test]
fn the_open_questions_of_a_small_format() {
    let mut schema = small();
    Arc::make_mut(&mut schema.rules)[0].level = Level::Contradicted;
    Arc::make_mut(&mut schema.rules)[0].open = Some("one page says 2, another 3.".to_owned());
    Arc::make_mut(&mut schema.rules)[0].wording = Some("There are two.".to_owned());
    let conduct = |_: &str| {
        vec![Conduct {
            reader: "mine".to_owned(),
            does: "accepts 2, rejects 1".to_owned(),
        }]
    };
    insta::assert_snapshot!(ledger(&schema, &conduct));
}

#[test]
fn every_rule_of_every_bundled_format_is_on_its_page() {
    for format in bundled::list() {
        let schema = format.load().schema.expect("a sound description");
        let text = page(&schema);
        let open = ledger(&schema, &|_| Vec::new());
        for rule in schema.rules.iter() {
            let anchor = format!("<a id=\"rule-{}\"></a>", rule.id.to_lowercase());
            assert_eq!(
                text.matches(&anchor).count(),
                1,
                "{}: {}",
                format.id,
                rule.id
            );
            let heading = format!("## {}\n", rule.id);
            let asked = usize::from(matches!(rule.level, Level::Silent | Level::Contradicted));
            assert_eq!(
                open.matches(&heading).count(),
                asked,
                "{}: {}",
                format.id,
                rule.id
            );
        }
    }
}

#[test]
fn links_of_a_page_lead_somewhere() {
    for format in bundled::list() {
        let schema = format.load().schema.expect("a sound description");
        let text = page(&schema);
        for link in text.split("](#").skip(1) {
            let target = link.split(')').next().unwrap_or_default();
            let rule = text.contains(&format!("<a id=\"{target}\"></a>"));
            let heading = text.lines().any(|line| {
                line.strip_prefix("### ")
                    .is_some_and(|title| anchor(title) == target)
            });
            assert!(rule || heading, "{}: nothing is called {target}", format.id);
        }
    }
}

const SHAPES: &str = "
meta: { id: shapes-v1, family: shapes, title: Shapes, endian: le, encoding: UTF-8 }
document: Shapes
tables: { parts: { key: u1, row: part } }
seq: [ { id: shape, type: shape } ]
types:
  shape:
    seq:
      - { id: at, type: ticks }
      - { id: dirty, type: u1, as: bool }
      - { id: colour, type: u1, enum: colour }
      - { id: hash, size: 4 }
      - { id: id, type: guidle }
      - { id: part, type: part }
      - { id: tags, type: tag, repeat: expr, repeat-expr: 2 }
      - { id: times, type: ticks, repeat: expr, repeat-expr: 2 }
      - { id: size, type: u1 }
    instances:
      is_large: { value: size > 9 }
  ticks: { is: s8, as: { time: 100ns, epoch: 0001-01-01 } }
  part: { defines: { table: parts, key: name }, seq: [ { id: at, type: ticks }, { id: name, type: u1 } ] }
  tag: { as: { pair: [key, value] }, seq: [ { id: key, type: u1 }, { id: value, type: u1 } ] }
enums: { colour: { 1: red, 2: blue } }
records:
  shape:
    from: shape
    order: { file: true }
    members:
      { at: at, dirty: dirty, colour: colour, hash: hash, id: id, part: part, name: part.name, then: part.at, row: parts.get(size).at, tags: tags, times: times, size: size, large: is_large, any: dirty or is_large }
rules:
  SIZE: { level: states, section: All, says: There is a size., reader: accept }
";

/// A time is encoded as a number but reported as a string, so the page must state its JSON form.
#[test]
fn the_page_says_how_members_are_written() {
    let files = Memory::new().with("shapes.yaml", SHAPES);
    let loaded = load(&files, "shapes.yaml");
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    let text = page(&loaded.schema.unwrap_or_else(|| panic!("{shown}")));
    let records = text.split("### Record shape").nth(1).expect("a record");
    let table = records.lines().skip_while(|line| !line.starts_with('|'));
    let table: Vec<&str> = table.take_while(|line| line.starts_with('|')).collect();
    insta::assert_snapshot!(table.join("\n"));
}

/// An implementer can write a reader from the page alone only if it states every encoding.
#[test]
fn the_page_says_what_is_on_the_wire() {
    let text = "
meta: { id: wire-v1, endian: le, bit-endian: be, encoding: UTF-8 }
state: { clock: { type: u8, initial: 0 } }
seq: [ { id: whole, type: whole } ]
types:
  whole:
    seq:
      - { id: big, type: s4be }
      - { id: flag, type: b1 }
      - { id: rest, type: b7 }
      - { id: time, type: u8, carry: add, carry-from: clock, wire: b24le, if: flag, overflow: SUM }
      - { id: length, type: uleb128, bits: 32, value: name._sizeof }
      - { id: name, type: str, size: length }
      - { id: points, type: point, repeat: expr, repeat-expr: rest }
      - { id: points_size, type: point }
  point: { seq: [ { id: x, type: f4 }, { id: y, type: f8 } ] }
records:
  all: { from: whole, order: { file: true }, members: { big: big } }
rules:
  SUM: { level: states, section: All, says: The sum fits., reader: reject }
";
    let files = Memory::new().with("wire.yaml", text);
    let loaded = load(&files, "wire.yaml");
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    let text = page(&loaded.schema.unwrap_or_else(|| panic!("{shown}")));
    let structure = text.split("### whole").nth(1).expect("a structure");
    let table = structure.lines().skip_while(|line| !line.starts_with('|'));
    let table: Vec<&str> = table.take_while(|line| line.starts_with('|')).collect();
    insta::assert_snapshot!(table.join("\n"));
}

#[test]
fn the_page_says_where_rules_of_lists_and_effects_apply() {
    let text = "
meta: { id: lists, endian: le }
state: { last: { type: u1, initial: 0 } }
tables: { rows: { key: u1, row: row, columns: { seen: { type: u1, initial: 0 } } } }
seq:
  - { id: first, type: u1 }
  - { id: n, type: u1, value: rows.size }
  - id: rows
    type: row
    repeat: expr
    repeat-expr: n
    at-least: { count: 1, rule: SOME }
    unique: { by: kind, except: [0], rule: KINDS }
    defines: { table: rows, first-key: first, again: AGAIN, unique: { by: kind, rule: KINDS } }
  - id: uses
    type: use
    repeat: until
    repeat-until: _.row == 0
    arrange:
      first: [ { expr: _.row != 0, rule: FIRST } ]
      once: [ { eq: 5, by: _.row, rule: ONCE } ]
      last: [ { expr: _.row == 0, rule: LAST } ]
types:
  row: { seq: [ { id: kind, type: u1 } ] }
  use:
    seq: [ { id: row, type: u1, refs: { table: rows, none: 0, dangling: REF } } ]
    sets: { last: { to: row, if: row != 0 }, rows.get(row).seen: 1 }
    clears: [ { table: rows, if: row == 9, rule: CLEARS } ]
rules:
  SOME: { level: must, section: All, says: There are rows., reader: reject }
  KINDS: { level: must, section: All, says: Kinds differ., reader: reject }
  AGAIN: { level: must, section: All, says: Keys differ., reader: reject }
  FIRST: { level: must, section: All, says: A use comes first., reader: reject }
  ONCE: { level: must, section: All, says: Five is used once., reader: reject }
  LAST: { level: must, section: All, says: No use comes last., reader: reject }
  REF: { level: must, section: All, says: The row exists., reader: reject }
  CLEARS: { level: must, section: All, says: Nine clears the rows., reader: accept }
";
    let files = Memory::new().with("lists.yaml", text);
    let loaded = load(&files, "lists.yaml");
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    let text = page(&loaded.schema.unwrap_or_else(|| panic!("{shown}")));
    let structures = text.split("### ").skip(1).take(3);
    insta::assert_snapshot!(structures.collect::<String>());
}

/// A reader cannot enforce a rule if the page does not say where it applies.
#[test]
fn the_page_says_where_each_rule_applies() {
    let mut missing = Vec::new();
    for format in bundled::list() {
        let schema = format.load().schema.expect("a schema");
        let text = page(&schema);
        let enforced = schema.rules.iter().filter(|rule| {
            let mut duties = rule.reader.iter();
            duties.any(|(_, duty)| *duty != ReaderDuty::None)
        });
        let without =
            enforced.filter(|rule| !text.contains(&format!("(#rule-{})", rule.id.to_lowercase())));
        missing.extend(without.map(|rule| format!("{} {}", format.id, rule.id)));
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
