//! Checks for cases of every format that the decoder's optimized steps give the same result as the
//! operations of the plan, and that writing a record directly gives the same text as storing it
//! first. Normally, only a sample of the cases is checked. The following command checks all cases:
//!
//! `cargo test --workspace --test all every_case -- --ignored`

use std::sync::Arc;

use rayon::prelude::*;
use tracegauge_corpus::case::Case;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite::Suite;
use tracegauge_corpus::systematic::{Effort, SearchOptions};
use tracegauge_corpus::trace_cache::TraceCache;
use tracegauge_decoder::report::{LineWriter, RecordView};
use tracegauge_decoder::{Findings, Observer, observe};
use tracegauge_generator::laws::check_decode;
use tracegauge_plan::Plan;

/// Compares every record that is written directly with the stored record.
#[derive(Default)]
struct Written {
    writer: LineWriter,
    records: usize,
    first: Option<(String, String)>,
}

impl Observer for Written {
    fn record(&mut self, record: &RecordView<'_>) {
        self.records += 1;
        let mut line = Vec::new();
        self.writer.write(record, &mut line, &mut |_| {});
        let written = String::from_utf8(line).expect("JSON is UTF-8");
        let kept = record.to_record().to_string();
        if written != kept && self.first.is_none() {
            self.first = Some((written, kept));
        }
    }
}

fn check(plan: &Arc<Plan>, case: &Case) -> Result<usize, String> {
    check_decode(plan, &case.bytes).map_err(|broken| broken.to_string())?;
    let mut written = Written::default();
    observe(plan, &case.bytes, Findings::Records, &mut written);
    match written.first {
        Some((written, kept)) => Err(format!("written {written}, kept {kept}")),
        None => Ok(written.records),
    }
}

/// The sample contains one in this many cases.
const SAMPLE: usize = 8;

#[test]
fn steps_find_the_records_that_operations_find() {
    check_one_in(SAMPLE);
}

#[test]
#[ignore = "takes half a minute"]
fn steps_find_the_records_that_operations_find_in_every_case() {
    check_one_in(1);
}

fn check_one_in(number: usize) {
    let (formats, _) = Formats::able(&[]).expect("the bundled descriptions");
    let plans = formats.plans().to_vec();
    let store = Store::Folder(env!("CARGO_MANIFEST_DIR").into());
    let cache = TraceCache::of_user();
    let suite = Suite::listed(
        formats,
        (&store, &SearchOptions::without_cache(Effort::Quick)),
        cache.as_ref(),
        &(),
    )
    .expect("a suite");
    let (mut records, mut broken) = (0, Vec::new());
    let sample: Vec<&Case> = suite.cases.iter().step_by(number).collect();
    let checked = sample.par_iter().map(|case| {
        let plan = plans.iter().find(|plan| plan.format == case.format);
        (case, check(plan.expect("the plan of the case"), case))
    });
    for (case, found) in checked.collect::<Vec<_>>() {
        match found {
            Ok(found) => records += found,
            Err(why) => broken.push(format!("{}: {why}", case.id)),
        }
    }
    assert!(sample.len() > 1000 && records > 2_000, "{records}");
    let shown: Vec<&str> = broken.iter().take(20).map(String::as_str).collect();
    assert!(broken.is_empty(), "{}: {}", broken.len(), shown.join("\n"));
}
