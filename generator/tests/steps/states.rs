//! Random descriptions of small formats with tables, registers, carried fields, tolerated rules and
//! records.

use std::fmt::Write;

use proptest::prelude::*;
use proptest::sample::select;

/// The rules of a description, which differ in what readers do. The first rule rejects.
const RULES: &str = "  REJECT: { level: must, section: A, says: It holds., reader: reject }
  KEEP: { level: should, section: A, says: It should hold., reader: accept, continues: keep }
  ABSENT: { level: should, section: B, says: It should hold., reader: accept, continues: absent }
  STOP: { level: should, section: C, says: It should hold., reader: accept, continues: stop }
  EITHER: { level: silent, section: D, says: It may hold., open: Nobody knows., reader: either, continues: [keep, absent] }
  ODD: { level: may, section: E, says: It may hold., reader: accept, plain: true }
";

fn rule() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        2 => Just("REJECT"),
        1 => select(vec!["KEEP", "ABSENT", "STOP", "EITHER"]),
    ]
}

/// A field of an event.
#[derive(Clone, Debug)]
pub struct Field {
    kind: Kind,
    condition: Condition,
    /// The choice among the expressions that a record can contain for the field.
    shown: prop::sample::Index,
    /// Whether the field exercises a rule.
    obeys: bool,
}

#[derive(Clone, Debug)]
enum Kind {
    Number(&'static str),
    /// A number with a maximum, which may apply only to small numbers.
    Limited(u8, bool, &'static str),
    /// A number that must not be smaller than that of the previous event.
    Growing(&'static str),
    Member(&'static str),
    Time,
    Truth,
    Flags(&'static str),
    /// A reference to a row, which may be defined later. Only some values may be references.
    Row(bool, bool, &'static str),
    /// A reference to a row that is shown as the name of the row.
    Name,
    /// A number that is added to the previous number, or replaces it.
    Carried(&'static str, bool),
    /// A number that is added to a register.
    Clock(&'static str),
    /// A string that replaces the previous string.
    Kept,
    Text,
    /// A list of pairs.
    Pairs,
    /// A list of pairs in a part that may be short.
    Short(&'static str),
    /// A structure that may be null.
    Nullable,
}

#[derive(Clone, Debug)]
enum Condition {
    Always,
    /// A bit of the first byte of the event.
    Bit(u8),
    /// A comparison with the previous event.
    Previous,
    /// A comparison with a register.
    Register,
    /// The presence of a row.
    Row,
}

/// The parts of a description outside its events.
#[derive(Clone, Debug)]
pub struct State {
    same: &'static str,
    other: &'static str,
    keeps: &'static str,
    dangling: &'static str,
    removed: &'static str,
    /// Whether events update a column of a row, the clock, or neither.
    sets: u8,
    /// Whether rows are records, too.
    rows_are_shown: bool,
    /// Whether each item is a part with a size.
    in_parts: bool,
}

/// Returns a strategy for descriptions.
pub fn descriptions() -> impl Strategy<Value = String> {
    (prop::collection::vec(field(), 1..8), state())
        .prop_map(|(fields, state)| text(&fields, &state))
}

fn state() -> impl Strategy<Value = State> {
    let rules = (rule(), rule(), rule(), rule());
    let keeps = select(vec!["first", "last"]);
    let parts = (any::<bool>(), any::<bool>());
    (rules, keeps, 0..3_u8, parts).prop_map(|(rules, keeps, sets, parts)| State {
        same: rules.0,
        other: rules.1,
        dangling: rules.2,
        removed: rules.3,
        keeps,
        sets,
        rows_are_shown: parts.0,
        in_parts: parts.1,
    })
}

fn field() -> impl Strategy<Value = Field> {
    let kind = prop_oneof![
        2 => select(vec!["u1", "u2be", "s1"]).prop_map(Kind::Number),
        2 => (1..4_u8, any::<bool>(), rule())
            .prop_map(|(most, small, rule)| Kind::Limited(most, small, rule)),
        1 => rule().prop_map(Kind::Growing),
        2 => rule().prop_map(Kind::Member),
        1 => Just(Kind::Time),
        1 => Just(Kind::Truth),
        1 => rule().prop_map(Kind::Flags),
        3 => (any::<bool>(), any::<bool>(), rule())
            .prop_map(|(later, some, rule)| Kind::Row(later, some, rule)),
        3 => Just(Kind::Name),
        2 => (select(vec!["add", "replace"]), any::<bool>()).prop_map(|(how, then)| Kind::Carried(how, then)),
        1 => rule().prop_map(Kind::Clock),
        1 => Just(Kind::Kept),
        1 => Just(Kind::Text),
        2 => Just(Kind::Pairs),
        1 => rule().prop_map(Kind::Short),
        1 => Just(Kind::Nullable),
    ];
    let condition = prop_oneof![
        4 => Just(Condition::Always),
        2 => (0..3_u8).prop_map(Condition::Bit),
        1 => Just(Condition::Previous),
        1 => Just(Condition::Register),
        1 => Just(Condition::Row),
    ];
    (
        kind,
        condition,
        any::<prop::sample::Index>(),
        prop::bool::weighted(0.2),
    )
        .prop_map(|(kind, condition, shown, obeys)| Field {
            kind,
            condition,
            shown,
            obeys,
        })
}

fn text(fields: &[Field], state: &State) -> String {
    let mut sequence = String::new();
    let mut members = String::new();
    let mut names = (None, None);
    for (number, field) in fields.iter().enumerate() {
        let name = format!("f{number}");
        for line in field.lines(&name) {
            writeln!(sequence, "      - {{ {line} }}").expect("a string");
        }
        let shown = field.kind.expressions(&name);
        write!(members, "{name}: \"{}\", ", field.shown.get(&shown)).expect("a string");
        match field.kind {
            Kind::Number("u1") | Kind::Limited(..) => names.0 = Some(name),
            Kind::Row(..) => names.1 = Some(name),
            _ => {}
        }
    }
    let sets = match (state.sets, names) {
        (1, (Some(number), _)) => format!("sets: {{ clock: {number} else 1 }}, "),
        (2, (Some(number), Some(row))) => {
            format!("sets: {{ rows.get({row}).seen: {number} else 1, last: rows.get({row}) }}, ")
        }
        _ => String::new(),
    };
    let State {
        same,
        other,
        keeps,
        dangling,
        removed,
        ..
    } = state;
    let rows = match state.rows_are_shown {
        true => {
            "  row: { from: row, order: { file: true }, members: { name: name, a: a, before: rows.get(a).name, seen: rows.get(id).seen } }\n"
        }
        false => "",
    };
    let (size, part) = match state.in_parts {
        true => (
            "      - { id: size, type: u1 }\n",
            ", size: size, faults: { short: KEEP }",
        ),
        false => ("", ""),
    };
    format!(
        "\
meta: {{ id: random, endian: le, bit-endian: le, encoding: ASCII }}
faults: {{ eof: REJECT, trailing: REJECT, encoding: REJECT, past: REJECT, rest: KEEP, overlong: REJECT, long: REJECT, wide: REJECT }}
state: {{ clock: {{ type: u1, initial: 1 }}, last: {{ refs: rows, initial: none }} }}
tables: {{ rows: {{ key: u1, row: row, columns: {{ seen: {{ type: u1, initial: 0 }} }} }} }}
seq: [ {{ id: items, type: item, repeat: eos }} ]
types:
  item:
    seq:
      - {{ id: kind, type: u1 }}
{size}      - {{ id: body, type: {{ switch-on: kind, cases: {{ 0: row, 1: event, 2: removal, 3: clear, _: event }} }}{part} }}
  row:
    defines: {{ table: rows, key: id, again: {{ compare: [a], same: {same}, other: {other}, keeps: {keeps} }} }}
    seq: [ {{ id: id, type: u1 }}, {{ id: name, type: str, size: 1 }}, {{ id: a, type: u1 }} ]
  removal: {{ removes: {{ table: rows, key: id, dangling: {removed} }}, seq: [ {{ id: id, type: u1 }} ] }}
  clear: {{ clears: all, sets: {{ clock: n, last: absent }}, seq: [ {{ id: n, type: u1 }} ] }}
  named: {{ is: u1, refs: {{ table: rows, none: 0, dangling: {dangling} }}, shows: rows.get(_).name }}
  nullable: {{ none: {{ n: 0 }}, seq: [ {{ id: n, type: u1 }}, {{ id: m, type: u1 }} ] }}
  pair: {{ seq: [ {{ id: a, type: u1 }}, {{ id: b, type: u1, enum: kinds }} ] }}
  event:
    {sets}
    seq:
      - {{ id: bits, type: u1 }}
{sequence}\
enums: {{ kinds: {{ 0: none, 1: one, 2: two }} }}
flags: {{ options: {{ first: 1, second: 2 }} }}
records:
{rows}  event: {{ from: event, order: {{ file: true }}, members: {{ {members}bits: bits }} }}
rules:
{RULES}",
        sets = sets.trim_end_matches(", "),
    )
}

impl Field {
    fn lines(&self, name: &str) -> Vec<String> {
        let condition = match self.condition {
            Condition::Always => String::new(),
            Condition::Bit(bit) => format!(", if: 'bits & {} != 0'", 1 << bit),
            Condition::Previous => ", if: _prev.kind == 1".to_owned(),
            Condition::Register => ", if: clock > 1".to_owned(),
            Condition::Row => ", if: state.last is present or rows.get(bits).a == 1".to_owned(),
        };
        let obeys = match (self.obeys, &self.kind) {
            (true, Kind::Number(_) | Kind::Limited(..) | Kind::Truth) => ", obeys: { ODD: _ == 1 }",
            _ => "",
        };
        let (own, count) = (format!("id: {name}"), format!("id: n{name}, type: u1"));
        let line = match &self.kind {
            Kind::Number(kind) => format!("{own}, type: {kind}"),
            Kind::Limited(most, small, rule) => {
                let small = if *small { ", if: _ < 6" } else { "" };
                format!("{own}, type: u1, valid: {{ max: {most}{small}, rule: {rule} }}")
            }
            Kind::Growing(rule) => {
                format!("{own}, type: u1, valid: {{ min: _prev.kind, rule: {rule} }}")
            }
            Kind::Member(rule) => {
                format!("{own}, type: u1, enum: kinds, faults: {{ enum: {rule} }}")
            }
            Kind::Time => format!("{own}, type: u1, as: {{ time: s, epoch: 1970-01-01 }}"),
            Kind::Truth => format!("{own}, type: u1, as: bool"),
            Kind::Flags(rule) => {
                format!("{own}, type: u1, flags: options, faults: {{ flags: {rule} }}")
            }
            Kind::Row(later, some, rule) => {
                let later = if *later { ", later: ODD" } else { "" };
                let some = if *some { ", if: _ & 2 == 0" } else { "" };
                format!(
                    "{own}, type: u1, refs: {{ table: rows, none: 0, dangling: {rule}{later}{some} }}"
                )
            }
            Kind::Name => format!("{own}, type: named"),
            Kind::Carried(how, then) => {
                let then = if *then { ", then: 1" } else { "" };
                format!("{own}, type: u1, carry: {how}{then}, wraps: 8")
            }
            Kind::Clock(rule) => {
                format!("{own}, type: u1, carry: add, carry-from: clock, overflow: {rule}")
            }
            Kind::Kept => format!("{own}, type: str, size: 1, carry: replace"),
            Kind::Text => {
                return vec![
                    format!("{count}, value: {name}._sizeof, rule: REJECT"),
                    format!("{own}, type: str, size: n{name}{condition}"),
                ];
            }
            Kind::Pairs => {
                return vec![
                    count,
                    format!("{own}, type: pair, repeat: expr, repeat-expr: n{name}{condition}"),
                ];
            }
            Kind::Short(rule) => {
                return vec![
                    count,
                    format!(
                        "{own}, type: pair, size: n{name}, faults: {{ short: {rule} }}{condition}"
                    ),
                ];
            }
            Kind::Nullable => format!("{own}, type: nullable"),
        };
        vec![line + &condition + obeys]
    }
}

impl Kind {
    /// Returns the expressions that a record can contain for a field with a name.
    fn expressions(&self, name: &str) -> Vec<String> {
        let templates: &[&str] = match self {
            Self::Number(_) | Self::Limited(..) | Self::Growing(_) => &[
                "X",
                "X else 7",
                "_prev.kind + (X else 0)",
                "X is present ? X : clock",
                "X else clock",
            ],
            Self::Member(_) => &["X", "X else kinds::two", "X is present ? X : kinds::two"],
            Self::Time => &["X", "X is present"],
            Self::Truth => &["X", "X else true", "X == true", "not X"],
            Self::Flags(_) => &["X", "X.first", "X.second else X.first"],
            Self::Row(..) => &[
                "rows.get(X).name",
                "rows.get(X).a else 9",
                "rows.get(X).seen",
                "rows.get(X).name else '-'",
                "rows.get(X) is present",
                "rows.get(rows.get(X).a).name",
                "rows.get(X)._sizeof",
                "state.last.name else rows.get(X).name",
            ],
            Self::Name => &["X", "X else '-'", "X == 'A' ? X : '-'", "X is present"],
            Self::Carried(..) | Self::Clock(_) => &["X", "X else clock", "X is present"],
            Self::Kept | Self::Text => &["X", "X else '-'", "X == 'A'", "X is present"],
            Self::Pairs => &[
                "X",
                "X.size",
                "X.last.b",
                "X.first.a",
                "X.find(a, 1).b",
                "X.all(a, 1).b",
                "X.max(a) else 9",
                "X else []",
                "X.find(b, kinds::one)",
            ],
            Self::Short(_) => &["X", "X.a", "X.b else kinds::one", "X is present"],
            Self::Nullable => &["X", "X.m", "X is present", "X.n"],
        };
        templates
            .iter()
            .map(|shown| shown.replace('X', name))
            .collect()
    }
}
