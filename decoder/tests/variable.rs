//! Tests of variable-length integers at the limits of their range.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use tracegauge_decoder::tree::Payload;
use tracegauge_decoder::{Verdict, decode_tree};
use tracegauge_plan::Plan;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

fn plan(coding: &str) -> Plan {
    let text = format!("meta: {{ id: number }}\nseq: [{{ id: value, type: {coding} }}]\n");
    let loaded = load(&Memory::new().with("format.yaml", text), "format.yaml");
    lower(&Arc::new(loaded.schema.unwrap()), "number").unwrap()
}

fn read(coding: &str, bytes: &[u8]) -> (Verdict, Option<i64>) {
    let (verdict, tree) = decode_tree(&plan(coding), bytes);
    let value = tree.nodes.last().and_then(|node| match node.payload {
        Payload::Bits(bits) => Some(bits.cast_signed()),
        _ => None,
    });
    (verdict, value)
}

#[test]
fn the_sign_of_a_signed_number_goes_on_past_64_bits() {
    let mut least = [0x80; 10];
    least[9] = 0x7f;
    let (verdict, value) = read("sleb128, bits: 64", &least);
    assert_eq!((verdict.tolerable(), value), (true, Some(i64::MIN)));

    let mut greatest = [0xff; 10];
    greatest[9] = 0x00;
    let (verdict, value) = read("sleb128, bits: 64", &greatest);
    assert_eq!((verdict.tolerable(), value), (true, Some(i64::MAX)));
}

#[test]
fn a_signed_number_of_65_bits_does_not_fit() {
    let mut bytes = [0x80; 10];
    for last in [0x01, 0x3f, 0x40, 0x7e] {
        bytes[9] = last;
        assert!(
            !read("sleb128, bits: 64", &bytes).0.tolerable(),
            "{last:#x}"
        );
    }
}

#[test]
fn an_unsigned_number_has_one_bit_in_its_tenth_byte() {
    let mut bytes = [0xff; 10];
    bytes[9] = 0x01;
    assert_eq!(read("uleb128, bits: 64", &bytes).1, Some(-1));
    bytes[9] = 0x02;
    assert!(!read("uleb128, bits: 64", &bytes).0.tolerable());
}
