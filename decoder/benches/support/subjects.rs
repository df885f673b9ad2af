//! The decoder in three configurations: without records, with records read in the decoder's buffer,
//! and with owned records.

use std::hint::black_box;
use std::sync::Arc;

use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{Findings, Observer, judge, observe};
use tracegauge_plan::Plan;
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

/// Returns the plan of a bundled dialect.
pub fn plan(dialect: &str) -> Plan {
    let format = bundled::find(dialect)[0];
    let schema = Arc::new(format.load().schema.expect("the description is right"));
    lower(&schema, dialect).expect("the plan can be made")
}

/// An observer that reads each record in the decoder's buffer.
#[derive(Default)]
struct InPlace(u64);

impl Observer for InPlace {
    fn record(&mut self, record: &RecordView<'_>) {
        black_box(&record.buffer.items);
        black_box(&record.buffer.text);
        self.0 += 1;
    }
}

/// An observer that converts each record to an owned record.
#[derive(Default)]
struct Owned(u64);

impl Observer for Owned {
    fn record(&mut self, record: &RecordView<'_>) {
        black_box(record.to_record());
        self.0 += 1;
    }
}

/// Checks every rule and builds no records.
pub fn verdict(plan: &Plan, bytes: &[u8]) {
    let verdict = judge(plan, bytes);
    assert!(verdict.tolerable(), "{verdict:?}");
}

/// Checks every rule and builds records in a reused buffer.
pub fn in_place(plan: &Plan, bytes: &[u8]) -> u64 {
    let mut records = InPlace::default();
    let verdict = observe(plan, bytes, Findings::Records, &mut records).verdict;
    assert!(verdict.tolerable(), "{verdict:?}");
    records.0
}

/// Checks every rule and allocates an owned record for each event.
pub fn owned(plan: &Plan, bytes: &[u8]) -> u64 {
    let mut records = Owned::default();
    let verdict = observe(plan, bytes, Findings::Records, &mut records).verdict;
    assert!(verdict.tolerable(), "{verdict:?}");
    records.0
}
