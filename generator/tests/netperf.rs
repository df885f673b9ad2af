//! NetPerf 1 to 3: traces that are made come back, and real files are read to their last byte
//! and say what is known of them.
//!
//! Real files are in the folder that `TRACEGAUGE_REAL` names, else in `../shared/real` beside
//! the checkout; without them, or without `unzip` for the one that is packed, their tests say
//! so and pass.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use tracegauge_decoder::record::{Record, Value};
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{Machine, SliceInput, Visitor};
use tracegauge_generator::laws::{check_decode, check_identities, check_made};
use tracegauge_generator::{Generator, Options};
use tracegauge_spec::bundled;
use tracegauge_spec::plan::{Plan, lower};

fn plan(id: &str) -> Arc<Plan> {
    let format = bundled::find(id).first().copied();
    let schema = format.expect("the format is bundled").load().schema;
    let schema = Arc::new(schema.expect("the description is right"));
    Arc::new(lower(&schema, id).expect("the plan can be made"))
}

fn skip(why: &str) {
    // Not `eprintln!`, which a passing test does not show.
    let line = format!("SKIPPED: {why}\n");
    std::io::stderr()
        .write_all(line.as_bytes())
        .expect("standard error");
}

/// A real file, if it is there.
fn real(name: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/real");
    let named = std::env::var_os("TRACEGAUGE_REAL");
    let path = named.map_or_else(beside, PathBuf::from).join("netperf");
    let path = path.join(name);
    if path.is_file() {
        return Some(path);
    }
    skip(&format!(
        "no {name}; name a folder of real files with TRACEGAUGE_REAL"
    ));
    None
}

/// The only file in a zip.
fn unzipped(path: &Path) -> Option<Vec<u8>> {
    match Command::new("unzip").arg("-p").arg(path).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", path.display());
            Some(output.stdout)
        }
        Err(error) => {
            skip(&format!("`unzip` cannot be run: {error}"));
            None
        }
    }
}

#[test]
fn what_is_made_comes_back() {
    for id in ["netperf-v1", "netperf-v2", "netperf-v3"] {
        let generator = Generator::new(plan(id));
        let options = Options {
            bytes: 2000,
            ..Options::default()
        };
        let mut events = 0;
        for seed in 0..150 {
            let made = generator.from_seed(seed, options);
            let made = made.unwrap_or_else(|error| panic!("{id}, seed {seed}: {error}"));
            check_made(&generator, &made)
                .unwrap_or_else(|broken| panic!("{id}, seed {seed}: {broken}"));
            events += count(generator.plan(), &made.bytes).events;
            let mut bytes = made.bytes;
            let at = usize::try_from(seed * 37).expect("small") % bytes.len();
            bytes[at] ^= 0x91;
            check_decode(generator.plan(), &bytes)
                .unwrap_or_else(|broken| panic!("{id}, seed {seed}, damaged: {broken}"));
        }
        assert!(events > 100, "{id}: {events} events");
    }
}

#[test]
fn the_same_seed_makes_the_same_bytes() {
    for id in ["netperf-v1", "netperf-v2", "netperf-v3"] {
        let generator = Generator::new(plan(id));
        let options = Options {
            bytes: 60_000,
            fill: true,
            ..Options::default()
        };
        let first = generator.from_seed(11, options).expect("a trace").bytes;
        let mut streamed = Vec::new();
        generator
            .write_seed(11, options, &mut streamed)
            .expect("a trace");
        assert!(first.len() >= 60_000, "{id}: {}", first.len());
        assert_eq!(first, streamed, "{id}: streaming changes nothing");
    }
}

#[test]
fn version_3_files_are_read_to_their_last_byte() {
    let v3 = plan("netperf-v3");
    for (name, wanted) in [
        (
            "eventpipe-dotnetcore2.1-linux-x64-objver3.netperf",
            (9, 26_146),
        ),
        (
            "eventpipe-dotnetcore2.1-linux-x64-tracelogging.netperf",
            (8, 12),
        ),
    ] {
        let Some(path) = real(name) else { return };
        let bytes = std::fs::read(&path).expect("the file can be read");
        let found = count(&v3, &bytes);
        assert_eq!((found.metadata, found.events), wanted, "{name}");
        found.agree_with(&path);
    }
}

#[test]
fn nested_values_of_trace_logging_are_found() {
    let name = "eventpipe-dotnetcore2.1-linux-x64-tracelogging.netperf";
    let Some(path) = real(name) else { return };
    let bytes = std::fs::read(&path).expect("the file can be read");
    let (_, records) = tracegauge_decoder::decode(&plan("netperf-v3"), &bytes);
    let lines: Vec<String> = records.iter().map(ToString::to_string).collect();
    // What the writer was given, as the baseline of another reader shows it.
    for (event, fields) in [
        (
            "TestEventMethod",
            r#""fields":[["i",1],["s","Hello World!"]]"#,
        ),
        ("TestEmptyEvent", r#""fields":[]"#),
        (
            "TestNestedStructs",
            r#""fields":[["",[["structVal",[["field17","hello world!"]]],["i",42]]]]"#,
        ),
        (
            "TestEvent",
            r#""fields":[["",[["field1","Hello"],["field2",3],["field3",6]]]]"#,
        ),
    ] {
        let name = format!(r#""name":"{event}""#);
        let mut named = lines.iter().filter(|line| line.contains(&name));
        assert!(
            named.any(|line| line.contains(r#""record":"event""#) && line.contains(fields)),
            "{event} has not {fields}"
        );
    }
}

#[test]
fn version_3_files_come_back_from_trees_and_tapes() {
    let generator = Generator::new(plan("netperf-v3"));
    for name in [
        "eventpipe-dotnetcore2.1-linux-x64-objver3.netperf",
        "eventpipe-dotnetcore2.1-linux-x64-tracelogging.netperf",
    ] {
        let Some(path) = real(name) else { return };
        let bytes = std::fs::read(&path).expect("the file can be read");
        check_identities(&generator, &bytes).unwrap_or_else(|broken| panic!("{name}: {broken}"));
    }
}

const PACKED: &str = "eventpipe-dotnetcore2.0-linux-objver2.netperf.zip";

#[test]
fn the_version_2_file_is_read_to_its_last_byte() {
    let Some(path) = real(PACKED) else { return };
    let Some(bytes) = unzipped(&path) else { return };
    assert_eq!(bytes.len(), 62_222_479);
    let found = count(&plan("netperf-v2"), &bytes);
    assert_eq!((found.metadata, found.events), (35, 272_332));
    assert_eq!((found.threads.len(), found.with_stack), (19, 212_816));
    for (provider, events) in [
        ("Microsoft-DotNETCore-SampleProfiler", 163_801),
        ("System.Threading.Tasks.TplEventSource", 545),
        ("TestEventSource", 56),
    ] {
        assert_eq!(found.providers[provider], events, "{provider}");
    }
    found.agree_with(&path.with_extension(""));
}

/// The tree of the whole file takes some gigabytes.
#[test]
#[ignore = "large; run by `.ci/run` in release"]
fn the_version_2_file_comes_back_from_its_tree_and_tape() {
    let Some(path) = real(PACKED) else { return };
    let Some(bytes) = unzipped(&path) else { return };
    let generator = Generator::new(plan("netperf-v2"));
    check_identities(&generator, &bytes).unwrap_or_else(|broken| panic!("{broken}"));
}

/// What a trace has.
#[derive(Default)]
struct Counts {
    /// Start in ticks, and ticks a second.
    clock: (i128, i128),
    metadata: usize,
    events: usize,
    with_stack: usize,
    threads: BTreeSet<i128>,
    providers: BTreeMap<String, usize>,
    /// Provider, tenths of microseconds since the start, and thread of each event.
    marks: BTreeSet<(String, i128, i128)>,
}

fn count(plan: &Plan, bytes: &[u8]) -> Counts {
    let finished = Machine::new(plan, SliceInput::new(bytes), Counts::default()).run();
    let verdict = finished.verdict;
    assert!(verdict.tolerable(), "{verdict:?}");
    assert_eq!(verdict.length, bytes.len() as u64);
    finished.visitor
}

impl Visitor for Counts {
    const RECORDS: bool = true;

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
        if matches!(record.member("stack"), Some(Value::List(stack)) if !stack.is_empty()) {
            self.with_stack += 1;
        }
        if let Some(Value::Text(provider)) = record.member("provider") {
            *self.providers.entry(provider.clone()).or_default() += 1;
            // Rounded as the baseline is.
            let tenths = (ticks * 20_000_000 / frequency + 1).div_euclid(2);
            self.marks.insert((provider.clone(), tenths, thread));
        }
    }

    /// The baseline beside a file: of each kind of event how many there are, and one of them.
    /// It was made without what another reader keeps for itself, so that there are at least
    /// as many.
    fn agree_with(&self, path: &Path) {
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
