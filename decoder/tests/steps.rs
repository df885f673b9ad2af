//! Tests that steps, the fast path for valid input, give the same results as the operations. The
//! traces contain rows that depend on the previous row and nested payloads, intact and damaged.

#![allow(clippy::unwrap_used)]

use crate::nettrace;
use std::sync::Arc;

use nettrace::traces::{Payloads, trace};
use tracegauge_decoder::record::{Record, write_record};
use tracegauge_decoder::report::{LineWriter, RecordView};
use tracegauge_decoder::{
    Findings, Observer, Records, StreamFindings, Verdict, decode, judge, observe, observe_stream,
};
use tracegauge_plan::Plan;
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

/// An observer that can stop the decoder, which then runs operations instead of steps.
#[derive(Default)]
struct Slowly(Vec<Record>);

impl Observer for Slowly {
    fn beyond(&self) -> bool {
        true
    }

    fn record(&mut self, record: &RecordView<'_>) {
        self.0.push(record.to_record());
    }
}

/// Writes each record as a line, and compares the line with the stored record.
#[derive(Default)]
struct Written {
    writer: LineWriter,
    records: Vec<Record>,
}

impl Observer for Written {
    fn record(&mut self, record: &RecordView<'_>) {
        let (mut line, mut stored) = (Vec::new(), Vec::new());
        self.writer.write(record, &mut line, &mut |_| {});
        let owned = record.to_record();
        write_record(&owned, &mut stored);
        assert_eq!(line, stored);
        self.records.push(owned);
    }
}

fn plan() -> Plan {
    let format = bundled::find("nettrace-v6")[0];
    let schema = Arc::new(format.load().schema.unwrap());
    lower(&schema, "nettrace-v6").unwrap()
}

fn slowly(plan: &Plan, bytes: &[u8]) -> (Verdict, Vec<Record>) {
    let mut slowly = Slowly::default();
    let verdict = observe(plan, bytes, Findings::LimitedRecords, &mut slowly).verdict;
    (verdict, slowly.0)
}

pub fn same(plan: &Plan, bytes: &[u8], what: &str) {
    let (verdict, records) = slowly(plan, bytes);
    assert_eq!(judge(plan, bytes), verdict, "{what}");
    let (fast, fast_records) = decode(plan, bytes);
    assert_eq!(fast, verdict, "{what}");
    assert_eq!(
        format!("{fast_records:?}"),
        format!("{records:?}"),
        "{what}"
    );
}

#[test]
fn every_record_of_events_has_a_program() {
    let plan = plan();
    let mut found = 0;
    for (info, programs) in plan.infos.iter().zip(&plan.programs) {
        let record = info.record.map(|record| &plan.records[record]);
        if record.is_some_and(|record| record.kind == "event") {
            found += 1;
            assert!(programs.read.is_some() && programs.recorded.is_some());
        }
    }
    assert_eq!(found, 2);
}

#[test]
fn members_of_rows_are_the_same_in_every_record() {
    let plan = plan();
    for payloads in [Payloads::Fixed, Payloads::Texts, Payloads::Nested] {
        let bytes = trace(payloads, 5_000);
        let mut written = Written::default();
        let verdict = observe(&plan, &bytes, Findings::Records, &mut written).verdict;
        let (expected, records) = slowly(&plan, &bytes);
        assert_eq!(verdict, expected);
        assert!(written.records == records, "{payloads:?}");
    }
}

#[test]
fn a_damaged_byte_of_a_row_means_the_same_to_steps() {
    let plan = plan();
    for payloads in [
        Payloads::None,
        Payloads::Fixed,
        Payloads::Texts,
        Payloads::Nested,
    ] {
        let empty = trace(payloads, 0).len();
        let bytes = trace(payloads, 9);
        same(&plan, &bytes, "whole");
        // Damage each byte of the rows and of the sizes before them.
        for at in empty - 4..bytes.len() {
            for damage in [1, 0x80, 0x46] {
                let mut damaged = bytes.clone();
                damaged[at] ^= damage;
                same(&plan, &damaged, &format!("{payloads:?} {at} {damage}"));
            }
            same(&plan, &bytes[..at], &format!("{payloads:?} cut at {at}"));
        }
    }
}

#[test]
fn a_stream_has_the_same_records_when_what_is_read_is_forgotten() {
    let plan = plan();
    for payloads in [Payloads::Texts, Payloads::Nested] {
        let bytes = trace(payloads, 20_000);
        let (verdict, records) = decode(&plan, &bytes);
        let mut stream = bytes.as_slice();
        let mut streamed_records = Records::default();
        let streamed = observe_stream(
            &plan,
            &mut stream,
            StreamFindings::Records,
            &mut streamed_records,
        );
        assert_eq!(streamed.verdict.judgement, verdict.judgement);
        assert_eq!(streamed.verdict.shown, verdict.shown);
        assert!(streamed_records.records == records);
    }
}
