//! Tests that an ordinary Kaitai Struct file loads unchanged.

use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Loaded, Memory, load};
use tracegauge_spec::schema::{Schema, TypeRef};

const IMAGE: &str = r#"
meta:
  id: picture
  title: A picture
  file-extension: pic
  license: CC0-1.0
  ks-version: 0.9
  xref: { wikidata: Q1 }
  imports:
    - ../common/vlq
    - sub/colour
  endian: le
  encoding: ASCII
doc: |
  Pictures.
doc-ref: https://example.org/
seq:
  - id: magic
    contents: ["PIC", 0x0a, 0]
  - id: header
    type: header
  - id: sections
    type: section(_index, true)
    repeat: until
    repeat-until: _.kind == kind::end or _io.eof
  - id: name
    type: strz
    eos-error: false
    if: header.flags.named
  - id: length
    type: vlq
instances:
  trailer:
    pos: _io.size - 4
    size: 4
  area:
    value: header.width * header.height
    -webide-parse-mode: eager
types:
  header:
    seq:
      - { id: width, type: u2, doc: in pixels }
      - { id: height, type: u2be }
      - { id: flags, type: flags }
      - { id: scale, type: f4, valid: { min: 0.5, max: 2.0 } }
    types:
      flags:
        meta: { bit-endian: le }
        seq:
          - { id: named, type: b1 }
          - { id: depth, type: b3, valid: { any-of: [1, 2, 4] } }
          - { id: reserved, type: b4 }
  section:
    params:
      - { id: index, type: s4 }
      - { id: strict, type: bool }
    seq:
      - { id: kind, type: u1, enum: kind }
      - { id: size, type: u4, valid: { expr: _ < 1000 } }
      - id: body
        size: size
        type:
          switch-on: kind
          cases:
            'kind::text': text
            'kind::palette': colour
            _: raw
      - id: padding
        size: (4 - size % 4) % 4
        -orig-id: pad
  text: { seq: [ { id: text, type: str, size-eos: true, encoding: UTF-8, pad-right: 0x20 } ] }
  raw: { seq: [ { id: bytes, size-eos: true } ] }
enums:
  kind:
    0: end
    1: text
    2: { id: palette, doc: colours, -orig-id: PAL }
"#;

const VLQ: &str = r#"
meta: { id: vlq }
seq:
  - { id: groups, type: group, repeat: until, repeat-until: not _.has_next }
types:
  group:
    seq: [ { id: has_next, type: b1 }, { id: value, type: b7 } ]
instances:
  value:
    value: >-
      groups[groups.size - 1].value
      + (groups.size >= 2 ? groups[0].value << 7 : 0)
"#;

fn loaded(files: &Memory) -> Loaded {
    load(files, "pictures/picture.ksy")
}

fn files() -> Memory {
    let colour =
        "meta: { id: colour }\nseq: [ { id: rgb, type: u1, repeat: expr, repeat-expr: 3 } ]\n";
    Memory::new()
        .with("pictures/picture.ksy", IMAGE)
        .with("pictures/sub/colour.ksy", colour)
        .with("common/vlq.ksy", VLQ)
}

fn schema(files: &Memory) -> Schema {
    let loaded = loaded(files);
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    assert!(
        loaded.schema.is_some() && loaded.diagnostics.is_empty(),
        "{shown}"
    );
    loaded.schema.expect("it was asserted")
}

#[test]
fn it_loads() {
    let schema = schema(&files());
    let names: Vec<&str> = schema.types.iter().map(|t| t.name.as_str()).collect();
    for name in [
        "picture",
        "header",
        "header::flags",
        "section",
        "vlq",
        "vlq::group",
        "colour",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert_eq!(schema.meta.family, "picture");
    assert_eq!(schema.dialects.len(), 1);
}

#[test]
fn names_inside_an_import_are_its_own() {
    let inner = IMAGE.replace("type: vlq\n", "type: vlq::group\n");
    let schema = schema(&files().with("pictures/picture.ksy", inner.as_str()));
    let group = schema.types.iter().position(|t| t.name == "vlq::group");
    let length = format!("{:?}", schema.types[0].body);
    let reference = format!("TypeId({})", group.expect("the type is there"));
    assert!(length.contains(&reference));
    let without = inner.replace("type: vlq::group\n", "type: group\n");
    let wrong = loaded(&files().with("pictures/picture.ksy", without));
    let codes: Vec<_> = wrong.diagnostics.iter().map(|d| d.code.name()).collect();
    assert_eq!(codes, ["unknown-type"]);
}

#[test]
fn switches_keep_their_arms_in_order() {
    let schema = schema(&files());
    let section = schema.types.iter().find(|t| t.name == "section");
    let section = section.expect("the type is there");
    let tracegauge_spec::schema::TypeBody::Structure(fields) = &section.body else {
        panic!("a structure");
    };
    let tracegauge_spec::schema::FieldRole::Wire(body) = &fields[2].role else {
        panic!("a field on the wire");
    };
    let TypeRef::Switch { cases, .. } = &body.target else {
        panic!("a switch");
    };
    let labels: Vec<Option<String>> = cases
        .iter()
        .map(|case| case.label.as_ref().map(ToString::to_string))
        .collect();
    let expected = [Some("kind::text"), Some("kind::palette"), None];
    assert_eq!(labels, expected.map(|label| label.map(str::to_owned)));
}

#[test]
fn idioms_are_no_mistakes() {
    for (name, text) in [
        ("idioms.ksy", include_str!("kaitai/idioms.ksy")),
        ("lists.ksy", include_str!("kaitai/lists.ksy")),
        ("vlq_like.ksy", include_str!("kaitai/vlq_like.ksy")),
    ] {
        let loaded = load(&Memory::new().with(name, text), name);
        let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
        assert!(loaded.diagnostics.is_empty(), "{shown}");
        assert!(loaded.schema.is_some());
    }
}

#[test]
fn imports_may_start_at_the_folder_with_all_descriptions() {
    let file = |imports: &str| {
        format!(
            "meta: {{ id: packet, endian: le, imports: [ {imports} ] }}\nseq: [ {{ id: n, type: number }} ]\n"
        )
    };
    let number = "meta: { id: number }\nseq: [ { id: n, type: u1 } ]\n";
    for (from, path) in [
        ("network/packet.ksy", "common/number.ksy"),
        ("network/deep/packet.ksy", "network/common/number.ksy"),
        ("packet.ksy", "../common/number.ksy"),
    ] {
        let files = Memory::new()
            .with(from, file("/common/number"))
            .with(path, number);
        let loaded = load(&files, from);
        assert_eq!(loaded.diagnostics.errors(), 0, "{from}");
    }
    let loaded = load(
        &Memory::new().with("packet.ksy", file("/common/number")),
        "packet.ksy",
    );
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    assert!(shown.contains("cannot find `/common/number`"), "{shown}");
}
