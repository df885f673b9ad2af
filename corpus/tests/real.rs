//! Compares real files with everything stated in their sidecars. A sidecar is a JSON file with the
//! output of the reader that belongs to the file's writer.
//!
//! Small files are in the corpus. More files are expected in the folder named by `TRACEGAUGE_REAL`,
//! or by default in `../shared/real` next to the checkout.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Result, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use tracegauge_corpus::case::{ExpectedVerdict, Source};
use tracegauge_corpus::expected::examine;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::real::Real;
use tracegauge_corpus::source::CaseSource;
use tracegauge_corpus::store::Store;
use tracegauge_decoder::decode_tree;
use tracegauge_decoder::record::{Record, Value};
use tracegauge_decoder::tree::{Payload, Tree};
use tracegauge_plan::Plan;

fn plan(format: &str) -> std::sync::Arc<Plan> {
    let formats = Formats::bundled(&[format.to_owned()]);
    formats.unwrap_or_else(|error| panic!("{error}")).plans()[0].clone()
}

fn corpus() -> PathBuf {
    env!("CARGO_MANIFEST_DIR").into()
}

/// Returns the folder with additional real files of a family, if it exists.
fn more(family: &str) -> Option<PathBuf> {
    let root = std::env::var_os("TRACEGAUGE_REAL")
        .map_or_else(|| corpus().join("../../shared/real"), PathBuf::from);
    let folder = root.join(family);
    folder.is_dir().then_some(folder)
}

#[test]
fn listed_files_are_what_their_list_says() {
    for (format, wanted) in [
        (
            "dial9-v1",
            vec![
                (
                    "dial9-v1/real/codec_every_field_type",
                    ExpectedVerdict::Accept,
                ),
                ("dial9-v1/real/encoder_mixed_200", ExpectedVerdict::Accept),
                (
                    "dial9-v1/real/optional_fields_v035",
                    ExpectedVerdict::Reject,
                ),
            ],
        ),
        (
            "dial9-v1@optional",
            vec![(
                "dial9-v1@optional/real/optional_fields_v035",
                ExpectedVerdict::Accept,
            )],
        ),
    ] {
        let built = Real::new(Store::Folder(corpus())).build(&plan(format));
        let problems: Vec<String> = built.problems.iter().map(ToString::to_string).collect();
        assert!(problems.is_empty(), "{problems:#?}");
        let found: Vec<(&str, ExpectedVerdict)> = built
            .cases
            .iter()
            .map(|case| (case.id.as_str(), case.expected.verdict))
            .collect();
        assert_eq!(found, wanted);
        assert!(
            built
                .cases
                .iter()
                .all(|case| case.provenance.source == Source::Real)
        );
    }
}

#[test]
fn sidecars_of_the_corpus_are_agreed_with() {
    assert_eq!(check_folder(&corpus().join("real/dial9-v1")), 3);
}

#[test]
fn sidecars_of_more_real_files_are_agreed_with() {
    match more("dial9") {
        Some(folder) => assert!(check_folder(&folder) > 3),
        // `eprintln!` would not be shown for a passing test.
        None => std::io::stderr()
            .write_all(b"SKIPPED: no folder of real files; name one with TRACEGAUGE_REAL\n")
            .expect("standard error"),
    }
}

/// Checks that a file in a later dialect is rejected at the first value whose type is unknown to
/// the specification.
#[test]
fn optional_fields_are_rejected_at_the_first_value() {
    let bytes = fs::read(corpus().join("real/dial9-v1/optional_fields_v035.trc")).expect("a file");
    let examined = examine(&plan("dial9-v1"), &bytes);
    let violation = examined.expected.violation.expect("a violation");
    assert_eq!(violation.rules, ["FIELD-TYPE-USED"]);
    assert_eq!(violation.path, "frames[2].body.values[0]");
    // The tag, the type id and the time of the event end at byte 57.
    assert_eq!((violation.start, violation.end), (57, 57));
    assert_eq!(&bytes[51..57], [2, 0, 0, 0xe8, 3, 0]);
    assert!(examined.shown.contains(&"FIELD-TYPE-DECLARED".to_owned()));
}

/// Checks every file that has a sidecar and returns their number.
fn check_folder(folder: &Path) -> usize {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().ends_with(".trc.json"))
        .collect();
    paths.sort();
    for path in &paths {
        let sidecar: Json =
            serde_json::from_slice(&fs::read(path).expect("a sidecar")).expect("JSON");
        let bytes = fs::read(path.with_extension("")).expect("a trace");
        check(&path.display().to_string(), &sidecar, &bytes);
    }
    paths.len()
}

fn check(name: &str, sidecar: &Json, bytes: &[u8]) {
    assert_eq!(sidecar["size"], bytes.len(), "{name}");
    assert_eq!(sidecar["sha256"], sha256(bytes), "{name}");
    // Choose the dialect, because later writers use another dialect under the same version number.
    let written_by = sidecar["written_by"].as_str().expect("a writer");
    let format = if written_by.contains("0.3.5") {
        "dial9-v1@optional"
    } else {
        "dial9-v1"
    };
    let plan = plan(format);
    let examined = examine(&plan, bytes);
    assert_eq!(examined.expected.verdict, ExpectedVerdict::Accept, "{name}");
    let (_, tree) = decode_tree(&plan, bytes);
    let events = events(&plan, &tree, &examined.expected.records[0]);
    assert_eq!(sidecar["event_count"], events.len(), "{name}");
    let mut by_name = BTreeMap::<String, u64>::new();
    for event in &events {
        *by_name.entry(text(&event["name"])).or_default() += 1;
    }
    let stated = sidecar["events_by_name"].as_object().expect("counts");
    assert_eq!(stated.len(), by_name.len(), "{name}");
    for (event, count) in by_name {
        assert_eq!(stated[&event], count, "{name}: {event}");
    }
    for (member, from) in [
        ("events", 0),
        ("first_events", 0),
        ("last_events", events.len().saturating_sub(20)),
    ] {
        let Some(stated) = sidecar[member].as_array() else {
            continue;
        };
        for (number, stated) in stated.iter().enumerate() {
            assert_eq!(stated, &events[from + number], "{name}: {member}[{number}]");
        }
        assert!(member != "events" || stated.len() == events.len(), "{name}");
    }
    if let Some(hash) = sidecar["sha256_of_jsonl_events"].as_str() {
        let lines: Vec<String> = events.iter().map(spaced).collect();
        assert_eq!(hash, sha256(lines.join("\n").as_bytes()), "{name}");
    }
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Formats JSON with a space after each comma and colon, as required for the hash in the sidecars.
fn spaced(json: &Json) -> String {
    struct Spaced;
    impl Formatter for Spaced {
        fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> Result<()> {
            if first { Ok(()) } else { out.write_all(b", ") }
        }
        fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> Result<()> {
            if first { Ok(()) } else { out.write_all(b", ") }
        }
        fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> Result<()> {
            out.write_all(b": ")
        }
    }
    let mut text = Vec::new();
    json.serialize(&mut Serializer::with_formatter(&mut text, Spaced))
        .expect("JSON");
    String::from_utf8(text).expect("UTF-8")
}

/// Returns the events in the form used by the sidecars. Values come from the records, and ids,
/// which records do not contain, from the tree.
fn events(plan: &Plan, tree: &Tree, records: &[Record]) -> Vec<Json> {
    let ids = numbers(plan, tree, "event", "type_id");
    assert_eq!(ids.len(), records.len());
    let mut pool = pool_ids(plan, tree).into_iter();
    let event = |(record, type_id): (&Record, u64)| {
        let Some(Value::Pairs(pairs)) = record.member("fields") else {
            panic!("no fields in {record}");
        };
        let fields: Vec<Json> = pairs
            .iter()
            .map(|pair| {
                let code = pair.code.as_deref().expect("a type code");
                field(code, &pair.value, &mut pool)
            })
            .collect();
        let ts = match record.member("timestamp") {
            Some(Value::Int(time)) => json!(time.to_string()),
            None => Json::Null,
            other => panic!("a timestamp of {other:?}"),
        };
        let Some(Value::Text(name)) = record.member("name") else {
            panic!("no name in {record}");
        };
        json!({"fields": fields, "name": name, "ts": ts, "type_id": type_id})
    };
    records.iter().zip(ids).map(event).collect()
}

fn field(code: &str, value: &Value, pool: &mut impl Iterator<Item = u64>) -> Json {
    match (code, value) {
        (_, Value::Absent) => json!("other"),
        ("I64", Value::Int(number)) => json!({"i64": number.to_string()}),
        ("F64", Value::F64(bits)) => {
            json!({"bits": format!("{bits:016x}"), "f64": format!("{:?}", f64::from_bits(*bits))})
        }
        ("Bool", Value::Bool(truth)) => json!({"bool": truth}),
        ("String", Value::Text(text)) => json!({"string": text}),
        ("Bytes", Value::Bytes(bytes)) => json!({"bytes": hex::encode(bytes)}),
        ("PooledString", Value::Text(text)) => {
            json!({"pool": pool.next().expect("a pool id"), "resolved": text})
        }
        ("StackFrames", Value::List(frames)) => {
            let frames: Vec<String> = frames.iter().map(integer).collect();
            json!({"frames": frames})
        }
        ("Varint" | "U8" | "U16" | "U32", number) => json!({"uint": integer(number)}),
        ("StringMap", Value::Pairs(pairs)) => {
            let text = |value: &Value| match value {
                Value::Text(text) => text.clone(),
                other => panic!("{other:?} in a map"),
            };
            let pairs: Vec<[String; 2]> = pairs
                .iter()
                .map(|pair| [text(&pair.name), text(&pair.value)])
                .collect();
            json!({"map": pairs})
        }
        (code, value) => panic!("{value:?} as {code}"),
    }
}

fn integer(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        other => panic!("{other:?} is no integer"),
    }
}

fn text(json: &Json) -> String {
    json.as_str().expect("a text").to_owned()
}

/// Returns the numbers in the field `name` of each structure of type `owner`, in order.
fn numbers(plan: &Plan, tree: &Tree, owner: &str, name: &str) -> Vec<u64> {
    let is_wanted = |op| {
        let info = plan.info(op);
        let around = info.parent.and_then(|parent| plan.info(parent).type_name);
        info.label.is_some_and(|label| plan.name(label) == name)
            && around.is_some_and(|around| plan.name(around) == owner)
    };
    let bits = tree.nodes.iter().filter(|node| is_wanted(node.op));
    bits.filter_map(|node| match node.payload {
        Payload::Bits(bits) => Some(bits),
        _ => None,
    })
    .collect()
}

/// Returns the ids of the pool entries that values reference, in order.
fn pool_ids(plan: &Plan, tree: &Tree) -> Vec<u64> {
    let pooled = tree.nodes.iter().filter(|node| {
        let info = plan.info(node.op);
        info.presentation.shows.is_some() && info.refs.is_some()
    });
    pooled
        .filter_map(|node| match node.payload {
            Payload::Bits(bits) => Some(bits),
            _ => None,
        })
        .collect()
}
