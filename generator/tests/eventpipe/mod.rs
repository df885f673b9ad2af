//! Expected contents of files written by .NET runtimes, in all versions of the format.

// Each test that includes this module uses only parts of it.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracegauge_decoder::record::{Record, Value};
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{Findings, Observer, observe};
use tracegauge_plan::Plan;
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

pub fn plan(id: &str) -> Arc<Plan> {
    let format = bundled::find(id).first().copied();
    let schema = format.expect("the format is bundled").load().schema;
    let schema = Arc::new(schema.expect("the description is right"));
    Arc::new(lower(&schema, id).expect("the plan can be made"))
}

pub fn skip(why: &str) {
    // Not `eprintln!`, whose output is hidden when a test passes.
    let line = format!("SKIPPED: {why}\n");
    std::io::stderr()
        .write_all(line.as_bytes())
        .expect("standard error");
}

/// Returns the path of a real file of a family, if it is present.
pub fn real(family: &str, name: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/real");
    let named = std::env::var_os("TRACEGAUGE_REAL");
    let path = named.map_or_else(beside, PathBuf::from).join(family);
    let path = path.join(name);
    if path.is_file() {
        return Some(path);
    }
    skip(&format!(
        "no {name}; name a folder of real files with TRACEGAUGE_REAL"
    ));
    None
}

/// Statistics of the records in a trace.
#[derive(Default)]
pub struct Counts {
    /// The start time in ticks and the number of ticks per second.
    clock: (i128, i128),
    pub metadata: usize,
    pub events: usize,
    pub with_stack: usize,
    pub sorted: usize,
    pub sequence_points: usize,
    pub threads: BTreeSet<i128>,
    pub providers: BTreeMap<String, usize>,
    /// The provider, time since the start in tenths of microseconds, and thread of each event.
    marks: BTreeSet<(String, i128, i128)>,
}

/// Decodes a file to its last byte.
pub fn count(plan: &Plan, bytes: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let verdict = observe(plan, bytes, Findings::Records, &mut counts).verdict;
    assert!(verdict.tolerable(), "{verdict:?}");
    assert_eq!(verdict.length, bytes.len() as u64);
    counts
}

impl Observer for Counts {
    fn record(&mut self, record: &RecordView<'_>) {
        let record = record.to_record();
        match record.kind.as_str() {
            "trace" => {
                self.clock = (
                    integer(&record, "sync_time_ticks"),
                    integer(&record, "tick_frequency"),
                );
            }
            "metadata" => self.metadata += 1,
            "sequence_point" => self.sequence_points += 1,
            "event" => self.event(&record),
            other => panic!("a record {other}"),
        }
    }
}

impl Counts {
    fn event(&mut self, record: &Record) {
        self.events += 1;
        let (start, frequency) = self.clock;
        let thread = integer(record, "thread_id");
        let ticks = integer(record, "timestamp") - start;
        self.threads.insert(thread);
        self.sorted += usize::from(record.member("is_sorted") == Some(&Value::Bool(true)));
        if matches!(record.member("stack"), Some(Value::List(stack)) if !stack.is_empty()) {
            self.with_stack += 1;
        }
        if let Some(Value::Text(provider)) = record.member("provider") {
            *self.providers.entry(provider.clone()).or_default() += 1;
            // Round in the same way as the reader that produced the baseline.
            let tenths = (ticks * 20_000_000 / frequency + 1).div_euclid(2);
            self.marks.insert((provider.clone(), tenths, thread));
        }
    }

    /// Compares the statistics with the baseline stored next to a file, which contains the number
    /// of events of each kind and a sample event. The reader that produced the baseline omits its
    /// internal events, so the file contains at least as many events.
    pub fn agree_with(&self, path: &Path) {
        let mut baseline = path.as_os_str().to_owned();
        baseline.push(".baseline.txt");
        let text = std::fs::read_to_string(&baseline).expect("a baseline");
        let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
        for line in text.trim_start_matches('\u{feff}').lines() {
            let (name, rest) = line.split_once(", ").expect("a name");
            let (number, sample) = rest.split_once(", ").expect("a count");
            let provider = name.split('/').next().expect("a provider");
            *counted.entry(provider).or_default() += number.parse::<usize>().expect("a number");
            let time = attribute(sample, "MSec").replace(['.', ','], "");
            let mark = (
                provider.to_owned(),
                time.trim().parse().expect("a time"),
                attribute(sample, "TID").parse().expect("a thread"),
            );
            assert!(self.marks.contains(&mark), "no event {mark:?} as {name}");
        }
        for (provider, count) in counted {
            assert!(self.providers[provider] >= count, "{provider}: {count}");
        }
    }
}

fn attribute<'t>(sample: &'t str, name: &str) -> &'t str {
    let start = sample.find(&format!("{name}=")).expect("the attribute") + name.len() + 1;
    let value = sample[start..].trim_start_matches(['"', ' ']);
    value.split('"').next().expect("a quote")
}

fn integer(record: &Record, member: &str) -> i128 {
    match record.member(member) {
        Some(Value::Int(value)) => *value,
        other => panic!("{member}: {other:?}"),
    }
}
