//! The decoder as the benchmarks run it: verdict only, records in place, records of their own.

use std::hint::black_box;
use std::sync::Arc;

use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{Machine, SliceInput, Visitor, judge};
use tracegauge_spec::bundled;
use tracegauge_spec::plan::{Plan, lower};

/// The plan of a bundled dialect.
pub fn plan(dialect: &str) -> Plan {
    let format = bundled::find(dialect)[0];
    let schema = Arc::new(format.load().schema.expect("the description is right"));
    lower(&schema, dialect).expect("the plan can be made")
}

/// Looks at each record where it was built.
#[derive(Default)]
struct InPlace(u64);

impl Visitor for InPlace {
    const RECORDS: bool = true;

    fn record(&mut self, record: &RecordView<'_>) {
        black_box(&record.buffer.items);
        black_box(&record.buffer.text);
        self.0 += 1;
    }
}

/// Makes each record one of its own.
#[derive(Default)]
struct Owned(u64);

impl Visitor for Owned {
    const RECORDS: bool = true;

    fn record(&mut self, record: &RecordView<'_>) {
        black_box(record.to_record());
        self.0 += 1;
    }
}

/// Every rule is checked, nothing is built.
pub fn verdict(plan: &Plan, bytes: &[u8]) {
    let verdict = judge(plan, bytes);
    assert!(verdict.tolerable(), "{verdict:?}");
}

/// Every rule is checked, and records are built in a buffer that is used again.
pub fn in_place(plan: &Plan, bytes: &[u8]) -> u64 {
    let finished = Machine::new(plan, SliceInput::new(bytes), InPlace::default()).run();
    assert!(finished.verdict.tolerable(), "{:?}", finished.verdict);
    finished.visitor.0
}

/// Every rule is checked, and each record is built with memory of its own.
pub fn owned(plan: &Plan, bytes: &[u8]) -> u64 {
    let finished = Machine::new(plan, SliceInput::new(bytes), Owned::default()).run();
    assert!(finished.verdict.tolerable(), "{:?}", finished.verdict);
    finished.visitor.0
}
