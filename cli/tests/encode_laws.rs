//! Tests the laws of `inspect --json` and `encode`: either `encode` writes exactly the trace that
//! the tree describes, or it writes nothing.
#![allow(clippy::unwrap_used)]

use std::sync::OnceLock;

use proptest::prelude::*;
use serde_json::{Value, json};
use tracegauge_generator::{GenerateError, Generated, Generator, Options, Why, capacity};
use tracegauge_plan::terms::{BitOrder, Endian, VariableKind};
use tracegauge_plan::{Kind, NestedForm, OpId, Plan};
use tracegauge_query::json::{Edited, TreeError, head, read};
use trees::printed;

use crate::trees;

/// Returns a generator for every dialect of the corpus.
fn generators() -> &'static [Generator] {
    static GENERATORS: OnceLock<Vec<Generator>> = OnceLock::new();
    GENERATORS.get_or_init(trees::generators)
}

fn made(generator: &Generator, seed: u64) -> Option<Generated> {
    let options = Options {
        bytes: 300,
        fill: seed.is_multiple_of(2),
        ..Options::default()
    };
    generator.from_seed(seed, options).ok()
}

fn parsed(plan: &Plan, text: &str) -> Result<Edited, TreeError> {
    let head = head(text.as_bytes())?;
    read(plan, &head, text.as_bytes())
}

/// A node that contains an integer and has its own line.
#[derive(Debug)]
struct Leaf {
    line: usize,
    op: OpId,
    at: usize,
    to: usize,
    value: i128,
    base: i128,
    spelling: u64,
}

fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::Number(number) => number.to_string().parse().ok(),
        Value::String(digits) => digits.parse().ok(),
        _ => None,
    }
}

fn leaves(plan: &Plan, text: &str) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    for (line, node) in text.lines().enumerate() {
        let Ok(node) = serde_json::from_str::<Value>(node.trim_end_matches(',')) else {
            continue;
        };
        let number = |name: &str| node[name].as_u64();
        let Some(op) = number("op").and_then(|op| u32::try_from(op).ok()) else {
            continue;
        };
        if capacity::values(plan, OpId(op)).is_none() || node["value"].is_null() {
            continue;
        }
        leaves.push(Leaf {
            line,
            op: OpId(op),
            at: usize::try_from(number("at").unwrap()).unwrap(),
            to: usize::try_from(number("to").unwrap()).unwrap(),
            value: integer(&node["value"]).unwrap(),
            base: integer(&node["base"]).unwrap_or(0),
            spelling: number("spelling").unwrap_or(0),
        });
    }
    leaves
}

/// Returns the text with the value in one of its lines changed.
fn with_value(text: &str, leaf: &Leaf, value: i128) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = &mut lines[leaf.line];
    let comma = line.ends_with(',');
    let mut node: Value = serde_json::from_str(line.trim_end_matches(',')).unwrap();
    node["value"] = json!(value.to_string());
    *line = format!("{node}{}", if comma { "," } else { "" });
    lines.join("\n")
}

/// Decodes the number in `bytes` with code that is independent of the decoder.
fn number_in(plan: &Plan, op: OpId, bytes: &[u8]) -> i128 {
    let fold = |all: i128, byte: &u8| all << 8 | i128::from(*byte);
    let (raw, bits, signed) = match plan.op(op).kind {
        Kind::Integer(integer) => {
            // The order of words may differ from the order of bytes within them.
            let word = match integer.word {
                0 => bytes.len().max(1),
                word => usize::from(word),
            };
            let bytes: Vec<u8> = bytes.chunks(word).rev().flatten().copied().collect();
            let raw = match integer.endian {
                Endian::Little => bytes.iter().rev().fold(0, fold),
                Endian::Big => bytes.iter().fold(0, fold),
            };
            (raw, bytes.len() * 8, integer.signed)
        }
        Kind::Variable(kind, _) => {
            let groups = bytes.iter().rev();
            let raw = groups.fold(0_i128, |all, byte| all << 7 | i128::from(byte & 0x7f));
            if kind == VariableKind::ZigZag {
                return (raw >> 1) ^ -(raw & 1);
            }
            (raw, bytes.len() * 7, kind == VariableKind::Signed)
        }
        Kind::Bits { shift, width } => {
            let run = plan.info(op).parent.unwrap();
            let raw = match plan.op(run).kind {
                Kind::BitRun {
                    order: BitOrder::Big,
                    ..
                } => bytes.iter().fold(0, fold),
                _ => bytes.iter().rev().fold(0, fold),
            };
            (raw >> shift & ((1 << width) - 1), usize::from(width), false)
        }
        _ => panic!("no integer"),
    };
    if signed && raw >> (bits - 1) & 1 == 1 {
        raw - (1 << bits)
    } else {
        raw
    }
}

fn has_shown(plan: &Plan) -> bool {
    let mut nested = plan.nested.iter();
    nested.any(|nested| matches!(nested.form, NestedForm::Located(_)))
}

/// Returns the number that is stored for a value, if the value can be stored.
fn on_wire(plan: &Plan, leaf: &Leaf, value: i128) -> Option<i128> {
    let (least, greatest) = capacity::on_wire(&plan.op(leaf.op).kind).unwrap();
    let carry = plan.info(leaf.op).carry;
    let turn = carry
        .and_then(|carry| plan.carries[carry].wraps)
        .map_or(0, |bits| 1_i128 << bits);
    let number = value - leaf.base;
    let mut same = [number, number + turn, number - turn].into_iter();
    same.find(|number| (least..=greatest).contains(number))
}

/// Checks that only the bytes of the field change and that it has the new value, or that encoding
/// fails for a good reason.
fn check_raw(
    generator: &Generator,
    bytes: &[u8],
    text: &str,
    leaf: &Leaf,
    value: i128,
) -> Result<&'static str, TestCaseError> {
    let plan = generator.plan();
    let (least, greatest) = capacity::values(plan, leaf.op).unwrap();
    let edited = parsed(plan, &with_value(text, leaf, value));
    if value < least || value > greatest {
        let said = edited.unwrap_err().to_string();
        prop_assert!(said.contains("is out of range"), "{}", said);
        let place = format!("at line {} column", leaf.line + 1);
        prop_assert!(said.contains(&place), "{} {}", said, leaf.line);
        prop_assert!(said.contains(&value.to_string()), "{}", said);
        return Ok("too large");
    }
    let edited = edited.unwrap();
    let written = generator.encode_raw(&edited.tree, &edited.bases);
    let wire = on_wire(plan, leaf, value);
    let written = match written {
        Ok(written) => written,
        Err(GenerateError::Unwritable(fault)) => {
            let expected = match fault.why {
                Why::Range(..) => wire.is_none(),
                Why::Shown(_) => has_shown(plan),
                Why::EncodingForm(length, _) => u64::from(length) == leaf.spelling,
                _ => false,
            };
            prop_assert!(expected, "{}: {:?}", plan.format, (fault, leaf, value));
            return Ok("refused");
        }
        Err(error) => return Err(TestCaseError::fail(error.to_string())),
    };
    prop_assert!(wire.is_some(), "{}: {:?} {}", plan.format, leaf, value);
    let end = written.len() - (bytes.len() - leaf.to);
    prop_assert_eq!(&written[..leaf.at], &bytes[..leaf.at]);
    prop_assert_eq!(&written[end..], &bytes[leaf.to..]);
    let (old, new) = (&bytes[leaf.at..leaf.to], &written[leaf.at..end]);
    prop_assert_eq!(Some(number_in(plan, leaf.op, new)), wire, "{:?}", leaf);
    if let Kind::Bits { shift, width } = plan.op(leaf.op).kind {
        let around = plan.children(plan.info(leaf.op).parent.unwrap());
        for other in around.filter(|other| *other != leaf.op) {
            let same = number_in(plan, other, old) == number_in(plan, other, new);
            prop_assert!(same, "{:?} {} {}", leaf, shift, width);
        }
    }
    if !matches!(plan.op(leaf.op).kind, Kind::Variable(..)) {
        prop_assert_eq!(old.len(), new.len());
    }
    Ok("written")
}

/// Chooses a value that is random, at the limits of the field, or beyond them.
fn value((least, greatest): (i128, i128), way: u8, number: u64) -> i128 {
    let span = greatest - least + 1;
    match way {
        0 => greatest + 1,
        1 => least - 1,
        2 => greatest + 1 + i128::from(number),
        3 => greatest,
        4 => least,
        _ => least + i128::from(number) % span,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn another_integer_changes_its_own_bytes_only(
        format in any::<prop::sample::Index>(),
        seed in 0_u64..500,
        leaf in any::<prop::sample::Index>(),
        way in 0_u8..12,
        number in any::<u64>(),
    ) {
        let generator = format.get(generators());
        let plan = generator.plan();
        let Some(made) = made(generator, seed) else {
            return Ok(());
        };
        let text = printed(plan, &made.bytes);
        let same = parsed(plan, &text).unwrap();
        let again = generator.encode_raw(&same.tree, &same.bases);
        prop_assert_eq!(&again.unwrap(), &made.bytes);
        let leaves = leaves(plan, &text);
        prop_assume!(!leaves.is_empty());
        let leaf = leaf.get(&leaves);
        let value = value(capacity::values(plan, leaf.op).unwrap(), way, number);
        check_raw(generator, &made.bytes, &text, leaf, value)?;
    }

    #[test]
    fn an_edited_integer_is_in_the_mended_trace_or_there_is_none(
        format in any::<prop::sample::Index>(),
        seed in 0_u64..500,
        leaf in any::<prop::sample::Index>(),
        way in 3_u8..12,
        number in any::<u64>(),
    ) {
        let generator = format.get(generators());
        let plan = generator.plan();
        let Some(made) = made(generator, seed) else {
            return Ok(());
        };
        let text = printed(plan, &made.bytes);
        let leaves = leaves(plan, &text);
        prop_assume!(!leaves.is_empty());
        let leaf = leaf.get(&leaves);
        let value = match way {
            3..6 => leaf.value + 1,
            _ => value(capacity::values(plan, leaf.op).unwrap(), way, number),
        };
        let text = with_value(&text, leaf, value);
        let Ok(edited) = parsed(plan, &text) else {
            return Ok(());
        };
        let Ok(written) = generator.encode_mended(&edited.tree) else {
            return Ok(());
        };
        // Sizes, counts and positions are computed by the encoder.
        let is_word = plan.nested.iter().any(|nested| {
            matches!(&nested.form, NestedForm::Located(located) if located.word == leaf.op)
        });
        if plan.info(leaf.op).derived.is_some() || is_word {
            return Ok(());
        }
        let found = printed(plan, &written.bytes);
        let line = found.lines().nth(leaf.line).unwrap();
        let node: Value = serde_json::from_str(line.trim_end_matches(',')).unwrap();
        prop_assert_eq!(integer(&node["value"]), Some(value), "{}: {:?}", plan.format, leaf);
    }
}

/// Checks wrong counts, sizes and offsets, which users most often write when they edit trees.
#[test]
fn every_computed_field_of_every_format_can_be_wrong() {
    for generator in generators() {
        let plan = generator.plan();
        let mut written = 0;
        for seed in 0..4 {
            let Some(made) = made(generator, seed) else {
                continue;
            };
            let text = printed(plan, &made.bytes);
            let mut tried: Vec<OpId> = Vec::new();
            for leaf in leaves(plan, &text) {
                // A field that occurs in several elements is tried only once.
                if plan.info(leaf.op).derived.is_none() || tried.contains(&leaf.op) {
                    continue;
                }
                tried.push(leaf.op);
                let (_, greatest) = capacity::values(plan, leaf.op).unwrap();
                for value in [leaf.value + 1, leaf.value - 1, 0, greatest] {
                    let done = check_raw(generator, &made.bytes, &text, &leaf, value);
                    let done = done.unwrap_or_else(|error| panic!("{}: {error}", plan.format));
                    written += usize::from(done == "written");
                }
            }
        }
        assert!(written > 10, "{}: {written}", plan.format);
    }
}

/// Checks trees in which a length stays the same but the text to which it refers changes.
#[test]
fn every_text_can_be_longer_than_its_length_says() {
    for generator in generators() {
        let plan = generator.plan();
        let mut written = 0;
        for seed in 0..12 {
            let Some(made) = made(generator, seed) else {
                continue;
            };
            let text = printed(plan, &made.bytes);
            let mut tried: Vec<OpId> = Vec::new();
            for (number, line) in text.lines().enumerate() {
                let comma = line.ends_with(',');
                let Ok(mut node) = serde_json::from_str::<Value>(line.trim_end_matches(',')) else {
                    continue;
                };
                let op = OpId(u32::try_from(node["op"].as_u64().unwrap()).unwrap());
                let is_text = matches!(plan.op(op).kind, Kind::Text(..) | Kind::Terminated(_));
                let Some(said) = node["value"].as_str().filter(|_| is_text) else {
                    continue;
                };
                if tried.contains(&op) {
                    continue;
                }
                tried.push(op);
                let at = usize::try_from(node["at"].as_u64().unwrap()).unwrap();
                node["value"] = json!(format!("ab{said}"));
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                lines[number] = format!("{node}{}", if comma { "," } else { "" });
                let edited = parsed(plan, &lines.join("\n")).unwrap();
                let longer = match generator.encode_raw(&edited.tree, &edited.bases) {
                    Ok(longer) => longer,
                    Err(GenerateError::Unwritable(fault)) => {
                        assert!(matches!(fault.why, Why::Shown(_)), "{fault}");
                        continue;
                    }
                    Err(error) => panic!("{error}"),
                };
                let more = longer.len() - made.bytes.len();
                assert!(more == 2 || more == 4, "{}: {more}", plan.format);
                assert_eq!(longer[..at], made.bytes[..at]);
                assert_eq!(longer[at + more..], made.bytes[at..]);
                written += 1;
            }
        }
        assert!(written > 5, "{}: {written}", plan.format);
    }
}
