//! Tests that numbers at the limits of 128 bits in a description do not make the generator panic.

use tracegauge_generator::fault::{OtherFormats, decoded, systematic};
use tracegauge_generator::tape::Tape;
use tracegauge_generator::{Generator, Options};
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

use std::sync::Arc;

/// Generates traces of a description and violates its rules in every way. Returns whether the
/// description is valid.
fn survives(text: &str) -> bool {
    let loaded = load(&Memory::new().with("a.yaml", text), "a.yaml");
    let Some(schema) = loaded.schema else {
        return false;
    };
    let Ok(plan) = lower(&Arc::new(schema), "a") else {
        return false;
    };
    let generator = Generator::new(Arc::new(plan));
    let mut traces = Vec::new();
    for seed in 0..20 {
        let trace = generator.from_seed(seed, Options::default()).ok();
        traces.extend(trace.map(|trace| trace.bytes));
    }
    let plain = generator
        .generate(&Tape::default(), Options::default())
        .ok();
    traces.extend(plain.map(|trace| trace.bytes));
    let twins = decoded(generator.plan(), traces);
    systematic(generator.plan(), (&twins, &[]), &OtherFormats::default());
    true
}

#[test]
fn extreme_numbers() {
    const RULES: &str = "rules: { R: { level: must, section: A, says: x., reader: reject }, \
                         Q: { level: may, section: A, says: x., reader: accept } }\n";
    let greatest = i128::MAX;
    let least = format!("(-{greatest} - 1)");
    let mut texts = Vec::new();
    for value in [
        "items.size * 0".to_owned(),
        "items.size * -1".to_owned(),
        format!("items.size + {greatest}"),
        format!("items.size - {greatest}"),
        format!("items.size * {greatest}"),
        "items.size * 0x7fffffffffffffff + 0x7fffffffffffffff".to_owned(),
        "items.size * 0x10000000000000000 + 0xffffffffffffffff".to_owned(),
    ] {
        texts.push(format!(
            "meta: {{ id: a, endian: le }}\nfaults: {{ eof: R, past: R, short: R, rest: R }}\nseq:\n  \
             - {{ id: n, type: u8, value: {{ expr: '{value}', rule: R }} }}\n  \
             - {{ id: items, type: u1, repeat: expr, repeat-expr: 2 }}\n{RULES}"
        ));
    }
    for bound in [
        greatest.to_string(),
        least.clone(),
        "0xffffffffffffffff".to_owned(),
    ] {
        for operator in ["<", "<=", ">", ">=", "==", "!="] {
            for kind in ["u8", "s8", "uleb128"] {
                for (rule, verb) in [("R", "valid"), ("Q", "obeys")] {
                    let test = match verb {
                        "valid" => {
                            format!("valid: {{ expr: '_ {operator} {bound}', rule: {rule} }}")
                        }
                        _ => format!("obeys: {{ {rule}: '_ {operator} {bound}' }}"),
                    };
                    texts.push(format!(
                        "meta: {{ id: a, endian: le }}\nfaults: {{ eof: R, encoding: R }}\n\
                         seq: [ {{ id: n, type: {kind}, {test} }} ]\n{RULES}"
                    ));
                }
            }
        }
        for key in ["min", "max"] {
            texts.push(format!(
                "meta: {{ id: a, endian: le }}\nfaults: {{ eof: R }}\n\
                 seq: [ {{ id: n, type: s8, valid: {{ {key}: '{bound}', rule: R }} }} ]\n{RULES}"
            ));
        }
        texts.push(format!(
            "meta: {{ id: a, endian: le }}\nfaults: {{ eof: R }}\n\
             seq: [ {{ id: n, type: s8, valid: {{ any-of: ['{bound}', 1], rule: R }} }} ]\n{RULES}"
        ));
        for computed in ["n +", "n -", "n *", "-n -"] {
            texts.push(format!(
                "meta: {{ id: a, endian: le }}\nfaults: {{ eof: R }}\n\
                 seq: [ {{ id: n, type: s8, valid: {{ expr: '{computed} {bound} > 3', rule: R }} }}, \
                 {{ id: m, size: '{computed} {bound}', if: '{computed} {bound} < 300' }} ]\n{RULES}"
            ));
        }
        texts.push(format!(
            "meta: {{ id: a, endian: le }}\nfaults: {{ eof: R, enum: R }}\n\
             seq: [ {{ id: n, type: s8, enum: e }} ]\nenums: {{ e: {{ {0}: x, 1: y }} }}\n{RULES}",
            bound.trim_matches(['(', ')']).replace(" - 1", "")
        ));
    }
    let valid = texts.iter().filter(|text| survives(text)).count();
    assert!(valid > texts.len() / 4, "{valid} of {}", texts.len());
}
