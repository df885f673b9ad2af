//! Tests that the generator satisfies the conditions that it claims to solve, and that the checker
//! warns about all others.

use std::sync::Arc;

use tracegauge_generator::plain::Allowed;
use tracegauge_generator::{Generator, Options, Target};
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

/// Returns how many of 60 seeds yield a valid trace of a format with two numbers, where `condition`
/// must hold for the second, and whether the checker warns about the condition.
fn solved(condition: &str) -> (usize, bool) {
    solved_for("type: u2", condition)
}

/// Returns what [`solved`] returns for a second field with the given keys.
fn solved_for(keys: &str, condition: &str) -> (usize, bool) {
    let text = format!(
        "meta: {{ id: a, endian: le, encoding: UTF-8 }}\nfaults: {{ eof: R, trailing: R }}\nseq:\n  \
         - {{ id: k, type: u1 }}\n  \
         - {{ id: v, {keys}, valid: {{ expr: \"{condition}\", rule: R }} }}\n\
         rules: {{ R: {{ level: must, section: A, says: x., reader: reject }} }}\n"
    );
    let loaded = load(&Memory::new().with("a.yaml", &text), "a.yaml");
    let is_warned = loaded
        .diagnostics
        .iter()
        .any(|found| found.message.contains("trial and error"));
    let plan = lower(&Arc::new(loaded.schema.expect(condition)), "a").expect(condition);
    let generator = Generator::new(Arc::new(plan));
    let made = (0..60).filter(|seed| generator.from_seed(*seed, Options::default()).is_ok());
    (made.count(), is_warned)
}

#[test]
fn conditions_on_arithmetic_are_solved() {
    for condition in [
        "_ % 4 == 0",
        "_ % 4 == 1",
        "_ % 2 != 0",
        "_ & 3 == 0",
        "_ & 0xf0 == 0x30",
        "_ & 6 != 0",
        "_ >> 2 == 1",
        "_ / 10 == 3",
        "_ / 10 < 3",
        "(_ + 1) / 10 == 3",
        "(_ - k) >> 2 == 3",
        "_ << 1 == 6",
        "_ * 2 == 6",
        "3 * _ < 20",
        "_ * 3 > 20",
        "-_ < -7",
        "_ - 3 == k",
        "k + _ == 300",
        "300 - _ == k",
        "_ * 2 + k <= 900",
        "(_ & 3) + 1 == 2",
        "_ & 3 == 1 and _ % 5 == 2",
        "_ & 1 == 1 and _ < 10",
        "_ % 8 == 0 and _ > k",
        "not (_ & 8 == 0)",
        "_ == 3 or _ == 5 or _ == k",
        "k > 9 or _ < 7",
        "_ < 7 or k > 9",
        "_ < 3 or _ > 65530",
        "_ == 3 or _ > 65530",
        "_ < 3 or _ > 9 and _ < 12 or _ == 500",
        "not (_ >= 3 and _ <= 65530)",
    ] {
        assert_eq!(solved(condition), (60, false), "{condition}");
    }
}

#[test]
fn conditions_on_the_length_of_a_string_are_solved() {
    for keys in [
        "type: str, size: k",
        "type: strz",
        "type: str, size-eos: true",
        "type: str, terminator: 0x61",
        "type: str, terminator: 0x3d, include: true",
        "size: k",
        "terminator: 0x20",
        "type: str, encoding: UTF-16LE, size-eos: true",
    ] {
        let property = if keys.contains("str") {
            "length"
        } else {
            "size"
        };
        for condition in [
            "_ != ''",
            "not (_ == '')",
            "_.length > 2",
            "_.length != 1",
            "_.length % 2 == 0",
            "_.length >= 5 and _.length <= 9",
            "3 <= _.length",
            "_.length > 50",
        ] {
            // Bytes are not compared with text.
            if property == "size" && condition.contains('\'') {
                continue;
            }
            let condition = condition.replace("length", property);
            let expected = (60, false);
            assert_eq!(
                solved_for(keys, &condition),
                expected,
                "{keys}: {condition}"
            );
        }
    }
}

#[test]
fn conditions_that_are_not_solved_are_reported() {
    for (condition, is_frequent) in [
        ("_ * _ % 3001 == 1444", false),
        ("_ % 4 < 2", true),
        ("_ % 4 != 0", true),
        ("_ >> 15 != 0", true),
        ("(_ + 1) & 7 == 0", true),
    ] {
        let (made, is_warned) = solved(condition);
        assert!(is_warned, "{condition}");
        // Other values are tried, but few are likely to be found that rarely exist.
        assert_eq!(made == 60, is_frequent, "{condition}: {made}");
    }
}

/// Returns how many of 60 seeds generate a valid trace of a format.
fn generated(text: &str) -> usize {
    let loaded = load(&Memory::new().with("a.yaml", text), "a.yaml");
    let plan = lower(&Arc::new(loaded.schema.expect(text)), "a").expect(text);
    let generator = Generator::new(Arc::new(plan));
    let made = (0..60).filter(|seed| generator.from_seed(*seed, Options::default()).is_ok());
    made.count()
}

#[test]
fn tests_whose_condition_depends_on_the_value_are_passed() {
    for (key, valid) in [
        ("", "{ if: _ < 128, max: 4, rule: R }"),
        ("", "{ if: _ < 128, any-of: [1, 3], rule: R }"),
        ("", "{ if: _ > 2, eq: 5, rule: R }"),
        (
            "enum: kind, ",
            "{ if: _.to_i < 128, in-enum: true, rule: R }",
        ),
    ] {
        let text = format!(
            "meta: {{ id: a, endian: le }}\nseq:\n  - {{ id: list, type: item, repeat: eos }}\ntypes:\n  \
             item: {{ seq: [ {{ id: v, type: u1, {key}valid: {valid} }} ] }}\n\
             enums: {{ kind: {{ 1: a, 3: b }} }}\n\
             rules: {{ R: {{ level: must, section: A, says: x., reader: reject }} }}\n"
        );
        assert_eq!(generated(&text), 60, "{valid}");
    }
}

#[test]
fn references_that_must_differ_refer_to_different_rows() {
    for unique in [
        "list, type: use, repeat: expr, repeat-expr: n, unique: { by: row, rule: R } }",
        "list, type: use, repeat: expr, repeat-expr: n, unique: { by: rows.get(row).id, rule: R } }",
    ] {
        let text = format!(
            "meta: {{ id: a, endian: le }}\ntables: {{ rows: {{ key: u1, row: row }} }}\nseq:\n  \
             - {{ id: m, type: u1, value: rows.size }}\n  \
             - {{ id: rows, type: row, repeat: expr, repeat-expr: m }}\n  \
             - {{ id: n, type: u1, value: list.size }}\n  - {{ id: {unique}\n\
             types:\n  row: {{ defines: {{ table: rows, key: id, again: R }}, seq: [ {{ id: id, type: u1 }} ] }}\n  \
             use: {{ seq: [ {{ id: row, type: u1, refs: {{ table: rows, dangling: R }} }} ] }}\n\
             rules: {{ R: {{ level: must, section: A, says: x., reader: reject }} }}\n"
        );
        assert_eq!(generated(&text), 60, "{unique}");
    }
}

/// Returns valid traces of a description, one for each of 40 seeds.
fn traces_of(text: &str, is_plain: bool) -> Vec<Vec<u8>> {
    let loaded = load(&Memory::new().with("a.yaml", text), "a.yaml");
    let plan = lower(&Arc::new(loaded.schema.expect("a schema")), "a").expect("a plan");
    let generator = Generator::new(Arc::new(plan));
    let options = Options::default();
    let made = (0..40).map(|seed| {
        let made = match is_plain {
            true => generator.plain(seed, options, &Target::default(), Allowed::default()),
            false => generator.from_seed(seed, options),
        };
        made.expect("a trace").bytes
    });
    made.collect()
}

#[test]
fn a_count_is_chosen_before_the_rows_that_the_elements_refer_to() {
    let traces = traces_of(
        "meta: { id: a, endian: le }
faults: { eof: R, trailing: R }
tables: { t: { key: u1, row: row } }
seq:
  - { id: rows, type: u1, value: all.size, gen: { range: [0, 3] } }
  - { id: users, type: u1, value: uses.size, gen: { range: [0, 3] } }
  - { id: all, type: row, repeat: expr, repeat-expr: rows, defines: { table: t, first-key: 0, again: R } }
  - { id: uses, type: use, repeat: expr, repeat-expr: users }
types:
  row: { seq: [ { id: v, type: u1 } ] }
  use: { seq: [ { id: of, type: u1, refs: { table: t, dangling: R } } ] }
rules: { R: { level: must, section: A, says: x., reader: reject } }
",
        false,
    );
    assert!(traces.iter().filter(|trace| trace[1] > 1).count() > 5);
    assert!(traces.iter().any(|trace| trace[0] == 0));
}

#[test]
fn unused_keys_satisfy_the_condition_of_their_field() {
    for is_plain in [false, true] {
        let traces = traces_of(
            "meta: { id: a, endian: le }
faults: { eof: R }
tables: { t: { key: u8, row: row } }
seq: [ { id: all, type: row, repeat: eos } ]
types:
  row:
    defines: { table: t, key: key, again: R }
    seq: [ { id: key, type: u8, valid: [ { expr: _ % 16 == 0, rule: R }, { min: 16, rule: R } ], gen: { range: [16, 640] } } ]
rules: { R: { level: must, section: A, says: x., reader: reject } }
",
            is_plain,
        );
        let longest = traces.iter().map(Vec::len).max();
        assert!(longest > Some(10 * 8));
    }
}
