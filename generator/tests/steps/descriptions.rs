//! Random descriptions of small formats, and bytes that are likely to be valid traces of them.

use std::fmt::Write;

use proptest::prelude::*;

/// A field of a random description.
#[derive(Clone, Debug)]
pub enum Field {
    /// A number, given by its type.
    Number(&'static str),
    /// A number that must not exceed a limit.
    Limited(u8),
    /// Two bit fields that fill a byte.
    Bits(u8),
    /// A fixed number of bytes.
    Bytes(u8),
    /// A string with its length.
    Text,
    /// A string with a terminator.
    Terminated,
    /// A structure.
    Structure(Vec<Field>),
    /// A structure that exists only if a bit of the byte before it is set.
    Optional(u8, Vec<Field>),
    /// A part with its size.
    Part(Vec<Field>),
    /// A list with its number of elements.
    Counted(Vec<Field>),
    /// A list that ends with an element whose first byte is 0.
    Ended(Vec<Field>),
    /// A switch over the byte before it.
    Switch(Vec<Vec<Field>>),
}

/// Returns a strategy for the fields of a structure.
pub fn fields() -> impl Strategy<Value = Vec<Field>> {
    let number = prop::sample::select(vec!["u1", "u2", "u2be", "s4", "u8", "s1"]);
    let leaf = prop_oneof![
        8 => number.prop_map(Field::Number),
        1 => (1..4_u8).prop_map(Field::Limited),
        1 => (1..8_u8).prop_map(Field::Bits),
        1 => (0..4_u8).prop_map(Field::Bytes),
        1 => Just(Field::Text),
        1 => Just(Field::Terminated),
    ];
    let field = leaf.prop_recursive(4, 32, 5, |inner| {
        let inside = || prop::collection::vec(inner.clone(), 1..5);
        prop_oneof![
            3 => inside().prop_map(Field::Structure),
            1 => (0..3_u8, inside()).prop_map(|(bit, inside)| Field::Optional(bit, inside)),
            1 => inside().prop_map(Field::Part),
            1 => inside().prop_map(Field::Counted),
            2 => inside().prop_map(Field::Ended),
            1 => prop::collection::vec(inside(), 1..3).prop_map(Field::Switch),
        ]
    });
    prop::collection::vec(field, 1..8)
}

/// Returns a strategy for bytes that are mostly small numbers, as in lengths, counts and flags.
pub fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![6 => 0..4_u8, 1 => any::<u8>()];
    prop::collection::vec(byte, 0..60)
}

/// Returns the text of a description with these fields.
pub fn text(fields: &[Field]) -> String {
    let mut types = Types::default();
    let root = types.structure(fields);
    let mut text =
        format!("meta: {{ id: random, endian: le, encoding: ASCII }}\nseq:\n{root}types:\n");
    for (number, described) in types.described.iter().enumerate() {
        write!(text, "  t{number}:\n    seq:\n{described}").expect("a string");
    }
    text.push_str("  nothing: { seq: [] }\n");
    text
}

/// The types of a description.
#[derive(Default)]
struct Types {
    described: Vec<String>,
}

impl Types {
    /// Adds a type, and returns its name.
    fn add(&mut self, fields: &[Field]) -> String {
        let described = self.structure(fields);
        self.described.push(described);
        format!("t{}", self.described.len() - 1)
    }

    /// Returns the lines of the fields of a structure.
    fn structure(&mut self, fields: &[Field]) -> String {
        let mut lines = String::new();
        for (number, field) in fields.iter().enumerate() {
            for line in self.field(number, field) {
                writeln!(lines, "      - {{ {line} }}").expect("a string");
            }
        }
        lines
    }

    fn field(&mut self, number: usize, field: &Field) -> Vec<String> {
        let (own, before) = (format!("id: f{number}"), format!("n{number}"));
        let count = format!("id: {before}, type: u1");
        match field {
            Field::Number(kind) => vec![format!("{own}, type: {kind}")],
            Field::Limited(most) => vec![format!("{own}, type: u1, valid: {{ max: {most} }}")],
            Field::Bits(width) => vec![
                format!("{own}, type: b{width}"),
                format!("id: {before}, type: b{}", 8 - width),
            ],
            Field::Bytes(size) => vec![format!("{own}, size: {size}")],
            Field::Text => vec![count, format!("{own}, type: str, size: {before}")],
            Field::Terminated => vec![format!("{own}, type: strz")],
            Field::Structure(inside) => vec![format!("{own}, type: {}", self.add(inside))],
            Field::Optional(bit, inside) => {
                let mask = 1 << bit;
                let named = self.add(inside);
                vec![
                    count,
                    format!("{own}, type: {named}, if: '({before} & {mask}) != 0'"),
                ]
            }
            Field::Part(inside) => {
                let named = self.add(inside);
                vec![count, format!("{own}, type: {named}, size: {before}")]
            }
            Field::Counted(inside) => {
                let named = self.add(inside);
                vec![
                    count,
                    format!("{own}, type: {named}, repeat: expr, repeat-expr: {before}"),
                ]
            }
            Field::Ended(inside) => {
                let mut lines = "      - { id: end, type: u1 }\n".to_owned();
                lines.push_str(&self.structure(inside));
                self.described.push(lines);
                let named = self.described.len() - 1;
                let until = "repeat: until, repeat-until: _.end == 0";
                vec![format!("{own}, type: t{named}, {until}")]
            }
            Field::Switch(arms) => {
                let arms: Vec<String> = arms
                    .iter()
                    .enumerate()
                    .map(|(label, inside)| format!("{label}: {}", self.add(inside)))
                    .collect();
                let arms = arms.join(", ");
                let on = format!("switch-on: {before}, cases: {{ {arms}, _: nothing }}");
                vec![count, format!("{own}, type: {{ {on} }}")]
            }
        }
    }
}
