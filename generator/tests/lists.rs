//! Tests of element order, rows numbered by lists, aggregates over lists, and the previous element.

use crate::examples;
use crate::support;
use std::sync::Arc;

use tracegauge_decoder::record::{Pair, Value};
use tracegauge_decoder::{Judgement, decode, decode_tree, judge};
use tracegauge_generator::laws::{check_decode, check_identities, check_made};
use tracegauge_generator::plain::Allowed;
use tracegauge_generator::{Generator, Options, Target};
use tracegauge_plan::{Kind, Plan};
use tracegauge_spec::load::{Memory, load};

fn example(name: &str) -> Arc<Plan> {
    let found = examples::examples();
    let found = found.iter().find(|example| example.name == name);
    let example = found.expect("the page has the example");
    let schema = support::schema(load(&example.files(), &example.path()));
    support::plan(&schema, name).expect("the example can be run")
}

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

/// Returns the rule that a trace violates, the path, and the first byte; `None` if the trace is
/// accepted.
fn broken(plan: &Plan, bytes: &str) -> Option<(String, String, u64)> {
    match judge(plan, &hex(bytes)).judgement {
        Judgement::Accepted => None,
        Judgement::Rejected(violation) => {
            let rule = violation.rule.map(|rule| plan.rules[rule].id.clone());
            Some((
                rule.unwrap_or_default(),
                violation.path,
                violation.span.start,
            ))
        }
        Judgement::Either { .. } => panic!("{bytes} is not judged"),
    }
}

fn breach(rule: &str, path: &str, start: u64) -> Option<(String, String, u64)> {
    Some((rule.to_owned(), path.to_owned(), start))
}

#[test]
fn elements_stand_where_they_are_wanted() {
    let plan = example("arrange");
    assert_eq!(broken(&plan, "01 01 aa  02 00  00 00"), None);
    assert_eq!(
        broken(&plan, "02 00  01 00  00 00"),
        breach("STARTS", "blocks[0]", 0)
    );
    assert_eq!(
        broken(&plan, "01 00  01 00  00 00"),
        breach("STARTS", "blocks[1]", 2)
    );
    assert_eq!(
        broken(&plan, "01 00  02 00  00 01 aa"),
        breach("ENDS", "blocks[2]", 4)
    );
}

#[test]
fn lists_answer_questions() {
    let plan = example("questions");
    // The lower seven bits are the kind; the eighth marks the last label.
    let lists = "03 04000000 09000000  04000000 04000000 09000000
        0500 02  01 07 82 02 6162   02 02 6364 82 01 65";
    let bytes = format!("{lists} 0500 0600");
    assert_eq!(broken(&plan, &bytes), None);
    let (_, records) = decode(&plan, &hex(&bytes));
    let tags = |texts: &[&str]| {
        Value::List(
            texts
                .iter()
                .map(|text| Value::Text((*text).to_owned()))
                .collect(),
        )
    };
    let members: Vec<_> = records.into_iter().map(|record| record.members).collect();
    assert_eq!(
        members,
        [
            vec![
                ("level".to_owned(), Value::Int(7)),
                ("tags".to_owned(), tags(&["ab"]))
            ],
            vec![
                ("level".to_owned(), Value::Int(0)),
                ("tags".to_owned(), tags(&["cd", "e"]))
            ],
        ]
    );
    assert_eq!(
        broken(&plan, &format!("{lists} 0700")),
        breach("REF", "uses[0].list", 37)
    );
    assert_eq!(
        broken(&plan, "01 04000000 04000000 04000000 0100 01 01 07 81 08"),
        breach("TWICE", "lists[0].labels[1]", 18)
    );
    assert_eq!(
        broken(&plan, "00 00000000 00000000 0100 01 84"),
        breach("WHOLE", "lists[0].labels[0].kind", 12)
    );
}

#[test]
fn the_element_before_is_zero_at_first() {
    let plan = example("questions");
    assert_eq!(
        broken(&plan, "02 03000000 04000000  04000000 03000000 0100 00"),
        breach("GROWS", "events[1].time", 13)
    );
}

#[test]
fn a_header_that_is_wrong_is_a_fault_of_the_writer() {
    let plan = example("questions");
    let bytes = hex("01 03000000 04000000  04000000 0100 00");
    let verdict = judge(&plan, &bytes);
    assert!(matches!(verdict.judgement, Judgement::Accepted));
    let shown = verdict.shown.first().expect("the rule is shown");
    assert_eq!(plan.rules[shown.rule].id, "BOUNDS");
    assert_eq!((shown.count, shown.first.start, shown.first.end), (1, 1, 5));
    let generator = Generator::new(Arc::clone(&plan));
    check_identities(&generator, &bytes).expect("a tolerated value stays as it is");
}

#[test]
fn rows_are_known_as_soon_as_they_are_complete() {
    let plan = described(
        "numbered",
        "
meta: { id: numbered, endian: le }
faults: { eof: WHOLE }
tables: { rows: { key: u1, row: row } }
seq:
  - { id: first, type: u1 }
  - { id: count, type: u1, value: rows.size }
  - { id: rows, type: row, repeat: expr, repeat-expr: count, defines: { table: rows, first-key: first, again: AGAIN } }
types:
  row: { seq: [ { id: like, type: u1, refs: { table: rows, none: 0, dangling: REF } } ] }
rules:
  WHOLE: { level: must, section: All, says: Everything is there., reader: reject }
  AGAIN: { level: must, section: All, says: A number is given once., reader: reject }
  REF: { level: must, section: All, says: A row is like one before it., reader: reject }
",
    );
    assert_eq!(broken(&plan, "05 03 00 05 06"), None);
    assert_eq!(
        broken(&plan, "05 03 00 06 05"),
        breach("REF", "rows[1].like", 3)
    );
    // The key of the second row does not fit into the table.
    assert_eq!(broken(&plan, "ff 03 00 ff 00"), None);
    assert_eq!(
        broken(&plan, "ff 03 00 00 01"),
        breach("REF", "rows[2].like", 4)
    );
}

#[test]
fn a_dialect_of_pairs_shows_them() {
    let pair = Pair {
        name: Value::Int(1),
        code: None,
        value: Value::Int(2),
    };
    let plan = described(
        "pairs",
        "
meta: { id: pairs, endian: le }
faults: { eof: WHOLE }
seq: [ { id: body, type: body } ]
types:
  body:
    seq: [ { id: items, type: item, repeat: eos } ]
    instances: { pairs: { value: 'items.all(kind, 7).value' } }
  item: { seq: [ { id: kind, type: u1 }, { id: value, type: pair } ] }
  pair: { as: { pair: [key, value] }, seq: [ { id: key, type: u1 }, { id: value, type: u1 } ] }
records: { body: { from: body, members: { pairs: pairs } } }
rules: { WHOLE: { level: must, section: All, says: Everything is there., reader: reject } }
",
    );
    let pairs = |bytes: &str| decode(&plan, &hex(bytes)).1.remove(0).members;
    let shown = |pairs| vec![("pairs".to_owned(), Value::Pairs(pairs))];
    assert_eq!(
        pairs("07 01 02 08 03 04 07 01 02"),
        shown(vec![pair.clone(), pair])
    );
    assert_eq!(pairs("08 03 04"), shown(Vec::new()));
}

#[test]
fn what_is_made_of_lists_comes_back() {
    for name in ["arrange", "questions", "offsets", "carry", "tables"] {
        let generator = Generator::new(example(name));
        let options = Options {
            bytes: 600,
            ..Options::default()
        };
        for seed in 100..400 {
            let made = generator.from_seed(seed, options);
            let made = made.unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}"));
            check_made(&generator, &made)
                .unwrap_or_else(|broken| panic!("{name}, seed {seed}: {broken}"));
            let mut bytes = made.bytes;
            let at = usize::try_from(seed).expect("small") % bytes.len().max(1);
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 0x81;
            }
            check_decode(generator.plan(), &bytes)
                .unwrap_or_else(|broken| panic!("{name}, seed {seed}, damaged: {broken}"));
        }
    }
}

const UNENDED: &str = r"
meta: { id: unended, endian: be }
faults: { eof: CUT }
seq: [{ id: parts, type: part, repeat: eos }]
types:
  part:
    seq:
      - { id: size, type: u1, value: body._sizeof, rule: CUT }
      - { id: body, size: size, type: body }
  body:
    seq:
      - { id: number, type: u1 }
      - { id: list, type: entry, repeat: until, repeat-until: _.code == 0, faults: { missing: END } }
  entry: { seq: [{ id: code, type: u1 }, { id: value, type: u1 }] }
records: { body: { from: body, members: { number: number, count: list.size } } }
rules:
  CUT: { level: must, section: All, says: Everything is there., reader: reject }
  END: { level: may, section: All, says: The end may be missing., reader: accept, continues: keep }
";

#[test]
fn lists_without_their_last_element_come_back() {
    let plan = described("unended", UNENDED);
    let generator = Generator::new(Arc::clone(&plan));
    for bytes in [
        "03 07 0101 05 08 0102 0000",
        "01 07 03 08 0000 03 09 0101",
        "03 09 0101",
    ] {
        let bytes = hex(bytes);
        assert_eq!(judge(&plan, &bytes).judgement, Judgement::Accepted);
        check_decode(&plan, &bytes).unwrap_or_else(|broken| panic!("{bytes:02x?}: {broken}"));
        check_identities(&generator, &bytes)
            .unwrap_or_else(|broken| panic!("{bytes:02x?}: {broken}"));
    }
}

/// The options in the header end with a terminating option, and so do those of each record.
const OPTIONS: &str = r"
meta: { id: options, endian: be }
faults: { eof: CUT, missing: CUT }
seq:
  - { id: header, type: header }
  - { id: records, type: record, repeat: eos }
types:
  header: { seq: [{ id: options, type: option, repeat: until, repeat-until: _.code == 0 }] }
  record:
    seq:
      - { id: number, type: u2 }
      - { id: options, type: option, repeat: until, repeat-until: 0 == _.code }
  option:
    seq:
      - { id: code, type: u1@WEIGHTS@ }
      - { id: value, type: u1 }
records: { record: { from: record, members: { count: options.size } } }
rules: { CUT: { level: must, section: All, says: Everything is there., reader: reject } }
";

/// Returns the size of each list of options in a trace, starting with that of the header.
fn options_in(weights: &str, made: impl Fn(&Generator, Options) -> Vec<u8>) -> Vec<u64> {
    let plan = described("options", &OPTIONS.replace("@WEIGHTS@", weights));
    let generator = Generator::new(Arc::clone(&plan));
    let options = Options {
        bytes: 200_000,
        fill: true,
        ..Options::default()
    };
    let bytes = made(&generator, options);
    assert!(bytes.len() >= 200_000, "the trace is too small");
    let (_, tree) = decode_tree(&plan, &bytes);
    let is_list = |id: &u32| {
        let op = tree.node(*id).op;
        let label = plan.info(op).label.map(|label| plan.name(label));
        matches!(plan.op(op).kind, Kind::Repeat(_)) && label == Some("options")
    };
    let lists = (0..u32::try_from(tree.nodes.len()).expect("few nodes")).filter(is_list);
    lists
        .map(|list| tree.children(list).count() as u64)
        .collect()
}

fn random_trace(generator: &Generator, options: Options) -> Vec<u8> {
    generator.from_seed(3, options).expect("a trace").bytes
}

fn plain_trace(generator: &Generator, options: Options) -> Vec<u8> {
    let made = generator.plain(3, options, &Target::default(), Allowed::default());
    made.expect("a trace").bytes
}

#[test]
fn lists_in_a_header_leave_room_for_records() {
    let random = options_in("", random_trace);
    assert!(random.len() > 1000, "{} records", random.len() - 1);
    assert!(random[0] < 500, "{} options in the header", random[0]);
    let plain = options_in("", plain_trace);
    assert!(plain.len() > 10_000, "{} records", plain.len() - 1);
    // Without the option that ends the list, there are one or two options on average.
    let average = plain.iter().sum::<u64>() as f64 / plain.len() as f64 - 1.0;
    assert!((1.0..=2.2).contains(&average), "{average} options");
}

#[test]
fn weights_say_how_soon_a_list_ends() {
    // One in 16 random choices is the minimum or the maximum, so a probability of 1/10 becomes 1/8.
    for (weights, options) in [("0: 1, 7: 1", 1.0), ("0: 1, 7: 4, 9: 5", 7.0)] {
        let hints = format!(", gen: {{ weights: {{ {weights} }} }}");
        let lists = options_in(&hints, random_trace);
        let average = lists.iter().sum::<u64>() as f64 / lists.len() as f64 - 1.0;
        let expected = options * 0.9..options * 1.1;
        assert!(expected.contains(&average), "{weights}: {average} options");
    }
}

/// A list to the end of a sized part whose elements contain such a part again.
const TREE: &str = "
meta: { id: tree, endian: be }
faults: { eof: WHOLE, short: WHOLE, rest: WHOLE, past: WHOLE, trailing: WHOLE }
seq: [ { id: nodes, type: nodes } ]
types:
  node:
    seq:
      - { id: value, type: u1 }
      - { id: size, type: u1, value: nodes._sizeof }
      - { id: nodes, size: size, type: nodes }
  nodes:
    seq: [ { id: node, type: node, repeat: eos } ]
limits: [ { of: node, depth: { promised: 3, enforced: 5 }, rule: DEPTH } ]
records: { node: { from: node, members: { value: value } } }
rules:
  WHOLE: { level: must, section: 1, says: A trace is complete., reader: reject }
  DEPTH: { level: must, section: 2, says: Nodes are nested 5 levels deep at most., reader: reject }
";

#[test]
fn recursive_lists_end_before_they_are_too_deep() {
    let plan = described("tree", TREE);
    let generator = Generator::new(plan);
    for seed in 0..100 {
        let options = Options::about(20 + seed * 4);
        let made = generator.from_seed(seed, options);
        let made = made.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        check_made(&generator, &made).unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
        let plain = generator.plain(seed, options, &Target::default(), Allowed::default());
        plain.unwrap_or_else(|error| panic!("plain, seed {seed}: {error}"));
    }
}

/// Types refer to strings, which are cleared from time to time.
const CLEARED: &str = "
meta: { id: cleared, endian: le, encoding: ASCII }
tables: { strings: { key: u1, row: string }, types: { key: u1, row: type } }
faults: { eof: WHOLE, encoding: WHOLE, enum: WHOLE, terminator: WHOLE }
seq: [ { id: blocks, type: block, repeat: eos } ]
types:
  block:
    seq:
      - { id: kind, type: u1, enum: kind }
      - { id: body, type: { switch-on: kind, cases: { kind::string: string, kind::clear: clear, kind::type: type } } }
  clear: { clears: [ { table: strings } ], seq: [] }
  string:
    defines: { table: strings, key: id, again: { compare: bytes, same: AGAIN, other: AGAIN, keeps: last } }
    seq: [ { id: id, type: u1, gen: { range: [1, 40] } }, { id: text, type: strz } ]
  type:
    defines: { table: types, key: id, again: { compare: bytes, same: AGAIN, other: WHOLE, keeps: first } }
    seq: [ { id: id, type: u1, gen: { range: [1, 10] } }, { id: name, type: u1, refs: { table: strings, dangling: WHOLE } } ]
enums: { kind: { 1: string, 2: clear, 3: type } }
rules:
  WHOLE: { level: must, section: 1, says: A trace is complete., reader: reject }
  AGAIN: { level: states, section: 2, says: Rows may be defined again., reader: accept }
";

#[test]
fn a_row_is_not_repeated_after_its_references_are_cleared() {
    let generator = Generator::new(described("cleared", CLEARED));
    for seed in 0..100 {
        let made = generator.from_seed(seed, Options::about(1000));
        made.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

#[test]
fn ascending_lists_leave_room_for_more_elements() {
    for (kind, test) in [
        ("u8", "{ min: _prev.a + 1, if: _index > 0, rule: ORDER }"),
        ("u2", "{ min: _prev.a + 1, if: _index > 0, rule: ORDER }"),
        ("u4", "{ expr: _ > _prev.a, if: _index > 0, rule: ORDER }"),
    ] {
        let text = format!(
            "meta: {{ id: sorted, endian: le }}
faults: {{ eof: WHOLE }}
seq: [ {{ id: items, type: item, repeat: eos }} ]
types: {{ item: {{ seq: [ {{ id: a, type: {kind}, valid: {test} }} ] }} }}
rules:
  WHOLE: {{ level: must, section: A, says: Complete., reader: reject }}
  ORDER: {{ level: must, section: A, says: Ascending., reader: reject }}"
        );
        let generator = Generator::new(described("sorted", &text));
        for seed in 0..50 {
            let options = Options::about(400);
            let made = generator.from_seed(seed, options);
            made.unwrap_or_else(|error| panic!("{kind} {seed}: {error}"));
            let plain = generator.plain(seed, options, &Target::default(), Allowed::default());
            plain.unwrap_or_else(|error| panic!("plain {kind} {seed}: {error}"));
        }
    }
}

#[test]
fn an_element_contains_the_number_of_elements_before_it() {
    let text = "
meta: { id: numbered, endian: le }
faults: { eof: WHOLE, enum: WHOLE }
seq: [ { id: blocks, type: block, repeat: until, repeat-until: _.kind == kind::end } ]
types: { block: { seq: [ { id: kind, type: u1, enum: kind }, { id: before, type: u2, value: _root.blocks.size, rule: COUNT } ] } }
enums: { kind: { 0: end, 1: more } }
rules:
  WHOLE: { level: must, section: A, says: Complete., reader: reject }
  COUNT: { level: must, section: A, says: A block counts the blocks before it., reader: reject }";
    let generator = Generator::new(described("numbered", text));
    for seed in 0..50 {
        let made = generator.from_seed(seed, Options::about(60));
        made.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}
