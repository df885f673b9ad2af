//! Tests the adapter on real files. Each file has a JSON sidecar, in which its writer lists the
//! events.

use tracegauge_kit::{Value, json};

mod sidecar;
use sidecar::{ask, expected, real};

const ADAPTER: &str = env!("CARGO_BIN_EXE_dial9-rust-0-2");

fn lines(records: &[Value]) -> Vec<String> {
    records.iter().map(Value::to_string).collect()
}

#[test]
fn every_field_type_is_reported_as_written() {
    let answer = ask(ADAPTER, &real("codec_every_field_type.trc"));
    assert_eq!(
        answer.records,
        lines(&expected("codec_every_field_type.trc"))
    );
    assert_eq!(answer.closing, json!({"end": "accept"}));
}

#[test]
fn two_hundred_mixed_events_are_reported_as_written() {
    let answer = ask(ADAPTER, &real("encoder_mixed_200.trc"));
    assert_eq!(answer.records, lines(&expected("encoder_mixed_200.trc")));
    assert_eq!(answer.closing, json!({"end": "accept"}));
}

#[test]
fn a_field_type_that_the_reader_does_not_know_is_its_rejection() {
    let answer = ask(ADAPTER, &real("optional_fields_v035.trc"));
    assert!(answer.records.is_empty());
    assert_eq!(answer.closing["end"], "reject");
    assert_eq!(answer.closing["offset"], 5);
    assert!(answer.closing["why"].as_str().unwrap().contains("tag 0x01"));
}

#[test]
fn a_cut_file_is_reported_up_to_the_cut() {
    let whole = std::fs::read(real("encoder_mixed_200.trc")).unwrap();
    let cut = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cut.trc");
    std::fs::write(&cut, &whole[..whole.len() - 1]).unwrap();
    let answer = ask(ADAPTER, &cut);
    let all = lines(&expected("encoder_mixed_200.trc"));
    assert_eq!(answer.records, all[..all.len() - 1]);
    assert_eq!(answer.closing["end"], "reject");
}

#[test]
fn what_is_no_trace_is_rejected_at_once() {
    let answer = ask(ADAPTER, &real("encoder_mixed_200.trc.json"));
    assert!(answer.records.is_empty());
    assert_eq!(answer.closing["end"], "reject");
}
