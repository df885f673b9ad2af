//! Tests that the cases of a description without a corpus detect every reader that was written from
//! an edited description, if random traces can detect it: a reader that lacks a check at one place,
//! uses another field, or ignores bytes that are left over in one part.
//!
//! To look for what the cases of other descriptions miss, run the ignored test:
//!
//! ```text
//! EDITS=format.yaml cargo test -p tracegauge-corpus --test all -- --ignored --nocapture edits
//! ```

#![allow(clippy::unwrap_used)]

mod edit;

use std::path::PathBuf;
use std::sync::Arc;

use tracegauge_corpus::case::ExpectedVerdict;
use tracegauge_corpus::mutation_score::answer;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite;
use tracegauge_corpus::systematic::{Effort, Recipes, SearchOptions};
use tracegauge_decoder::record::Record;
use tracegauge_decoder::{Judgement, judge};
use tracegauge_generator::Generator;
use tracegauge_generator::mutate::{InputNumber, Supply};
use tracegauge_plan::Plan;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

/// The maximum number of operations per trace, so that a wrong reader ends.
const MOST_OPERATIONS: u64 = 100_000;

/// An edited description that no case tells apart from the original one.
#[derive(Debug)]
struct Missed {
    edit: String,
    trace: Vec<u8>,
    made: String,
}

/// The files of a description, the first of which is its main file.
type Files = Vec<(String, String)>;

/// Returns the plan of the first dialect, or of the dialect with this name.
fn plan(files: &Files, dialect: Option<&str>) -> Option<Arc<Plan>> {
    let memory = files.iter().fold(Memory::new(), |memory, (path, text)| {
        memory.with(path.as_str(), text.as_str())
    });
    let schema = Arc::new(load(&memory, &files[0].0).schema?);
    let dialect = dialect.unwrap_or(&schema.dialects.first()?.id).to_owned();
    Some(Arc::new(lower(&schema, &dialect).ok()?))
}

/// The verdict on a trace, the records before a fault, and whether the reader was stopped.
type Seen = (ExpectedVerdict, Vec<Record>, bool);

fn seen(plan: &Plan, bytes: &[u8]) -> Seen {
    let answer = answer(plan, bytes, MOST_OPERATIONS);
    (answer.verdict, answer.records, answer.endless)
}

/// Returns the edits of a description that random traces detect and its cases do not.
fn missed(
    files: &Files,
    (dialect, store): (Option<&str>, Store),
    random: u64,
    found: &mut usize,
) -> Vec<Missed> {
    let right = plan(files, dialect).expect("a description without mistakes");
    let search = SearchOptions {
        effort: Effort::Quick,
        cache: std::env::var_os("EDITS_CACHE").map(PathBuf::from),
    };
    let sources = suite::sources(&store, Recipes::Follow, &search);
    let built = suite::build(std::slice::from_ref(&right), &sources, &());
    let cases: Vec<(Vec<u8>, Seen)> = built
        .cases
        .iter()
        .filter(|case| case.bytes.len() < 200_000)
        .filter(|case| case.expected.verdict != ExpectedVerdict::Either)
        .map(|case| (case.bytes.to_vec(), seen(&right, &case.bytes)))
        .collect();
    let supply = Supply::new(Generator::new(Arc::clone(&right)), 7);
    let mut maker = supply.maker();
    let pool = (0..random).map(|number| maker.make(InputNumber(number)));
    let pool: Vec<_> = pool
        .filter(|input| {
            !matches!(
                judge(&right, &input.bytes).judgement,
                Judgement::Either { .. }
            )
        })
        .map(|input| {
            let truth = seen(&right, &input.bytes);
            (input, truth)
        })
        .collect();
    let mut missed = Vec::new();
    for (edit, edited) in all_edits(files) {
        let Some(wrong) = plan(&edited, Some(&right.format)) else {
            continue;
        };
        *found += 1;
        if cases
            .iter()
            .any(|(bytes, truth)| seen(&wrong, bytes) != *truth)
        {
            continue;
        }
        let telling = pool
            .iter()
            .find(|(input, truth)| seen(&wrong, &input.bytes) != *truth);
        if let Some((input, _)) = telling {
            missed.push(Missed {
                edit,
                trace: input.bytes.clone(),
                made: input.made.clone(),
            });
        }
    }
    missed
}

/// Returns the edits of all files.
fn all_edits(files: &Files) -> Vec<(String, Files)> {
    let mut found = Vec::new();
    for (at, (path, text)) in files.iter().enumerate() {
        for (edit, text) in edit::edits(text) {
            let mut files = files.clone();
            files[at].1 = text;
            found.push((format!("{path}: {edit}"), files));
        }
    }
    found
}

/// A description whose checks are at several places, some of which a reader may forget: parts of
/// different kinds, a table that is cleared only sometimes, keys computed from positions, elements
/// that must differ in one field, and a limit for a sum.
const FRAMES: &str = r#"
meta: { id: frames, endian: le, encoding: UTF-8 }
faults: { eof: WHOLE, past: PART, short: PART, rest: PART, encoding: TEXT, terminator: TEXT, enum: KIND, trailing: WHOLE }
tables:
  names: { key: u2, row: name }
  threads: { key: u1, row: thread }
seq:
  - { id: magic, contents: "FR", rule: MAGIC }
  - { id: heap_size, type: u2, value: heap._sizeof }
  - { id: heap, size: heap_size, type: heap }
  - { id: frames, type: frame, repeat: eos }
types:
  heap: { seq: [ { id: names, type: name, repeat: eos } ] }
  name:
    defines: { table: names, key: at, again: NAME }
    seq: [ { id: text, type: strz } ]
    instances: { at: { value: text._start - _parent.names._start } }
  frame:
    seq:
      - { id: kind, type: u1, enum: kind }
      - { id: size, type: u2, value: body._sizeof }
      - { id: body, size: size, type: { switch-on: kind, cases: { kind::thread: thread, kind::events: events, kind::reset: reset } } }
  thread:
    defines: { table: threads, key: id, again: AGAIN }
    seq: [ { id: id, type: u1 }, { id: name, type: u2, refs: { table: names, dangling: NAME } } ]
  reset:
    clears: [ { table: threads, if: all != 0, rule: RESET } ]
    seq: [ { id: all, type: u1, valid: { any-of: [0, 1], rule: RESET } }, { id: first, type: thread } ]
  events:
    seq:
      - { id: base, type: u2 }
      - { id: list, type: event, repeat: eos, unique: { by: number, rule: TWICE } }
  event:
    seq:
      - { id: number, type: u1 }
      - { id: delta, type: s2, valid: { expr: "_parent.base + _ >= 0 and _parent.base + _ <= 0xFFFF", rule: TIME } }
      - { id: thread, type: u1, refs: { table: threads, dangling: THREAD } }
enums: { kind: { 1: thread, 2: events, 3: reset } }
records:
  event: { from: event, members: { number: number, time: _parent.base + delta, thread: names.get(threads.get(thread).name).text } }
rules:
  MAGIC: { level: must, section: A, says: A trace starts with FR., reader: reject }
  WHOLE: { level: must, section: A, says: A trace is complete., reader: reject }
  PART: { level: must, section: A, says: A part has the declared size., reader: reject }
  TEXT: { level: must, section: A, says: A name is UTF-8 and ends with a zero., reader: reject }
  KIND: { level: must, section: A, says: The kind is known., reader: reject }
  AGAIN: { level: must, section: B, says: A thread is not defined twice., reader: reject }
  NAME: { level: must, section: B, says: A name is the offset of a text., reader: reject }
  RESET: { level: must, section: B, says: A reset forgets the threads., reader: reject }
  TWICE: { level: must, section: C, says: The numbers of a frame differ., reader: reject }
  TIME: { level: must, section: C, says: A time has 16 bits., reader: reject }
  THREAD: { level: must, section: C, says: A thread is known., reader: reject }
"#;

#[test]
fn every_edited_description_has_a_case() {
    let files = vec![("frames.yaml".to_owned(), FRAMES.to_owned())];
    let store = Store::Folder(PathBuf::from("no such folder"));
    let mut tried = 0;
    let missed = missed(&files, (None, store), 600, &mut tried);
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(tried > 50, "{tried}");
}

#[test]
#[ignore = "looks for what cases miss in the descriptions of the variable EDITS"]
fn explore() {
    for path in std::env::var("EDITS").unwrap().split(' ') {
        let (path, dialect) = match path.split_once(':') {
            Some((path, dialect)) => (path, Some(dialect)),
            None => (path, None),
        };
        let mut files = vec![(path.to_owned(), std::fs::read_to_string(path).unwrap())];
        let mut store = Store::Folder(PathBuf::from("no such folder"));
        if dialect.is_some() {
            store = Store::Embedded;
            let used = std::env::var("EDITED_FILES").unwrap();
            for other in used.split(' ') {
                files.push((other.to_owned(), std::fs::read_to_string(other).unwrap()));
            }
        }
        if plan(&files, dialect).is_none() {
            println!("== {path}: cannot be loaded");
            continue;
        }
        let mut tried = 0;
        let missed = missed(&files, (dialect, store), 3000, &mut tried);
        println!("== {path}: {tried} edits, {} missed", missed.len());
        for one in missed {
            let trace = hex::encode(&one.trace);
            let trace = trace.get(..120).unwrap_or(&trace);
            println!("  {}\n      {trace} ({})", one.edit, one.made);
        }
    }
}
