//! Compares the real trace of a format whose texts define layouts with everything stated in its
//! sidecar, and checks that the trace survives a round trip.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value as Json, json};
use tracegauge_corpus::formats::Formats;
use tracegauge_decoder::record::write_record;
use tracegauge_decoder::tree::{Node, Payload, Tree};
use tracegauge_decoder::{Judgement, decode, decode_tree};
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::Plan;

fn plan(format: &str) -> std::sync::Arc<Plan> {
    let formats = Formats::bundled(&[format.to_owned()]);
    formats.unwrap_or_else(|error| panic!("{error}")).plans()[0].clone()
}

fn real(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("real/wtf-v3");
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Converts numbers to doubles, as in JSON.
fn doubles(value: &Json) -> Json {
    match value {
        Json::Number(number) => json!(number.as_f64()),
        Json::Array(items) => items.iter().map(doubles).collect(),
        other => other.clone(),
    }
}

#[test]
fn every_event_is_what_the_sidecar_says() {
    let (verdict, records) = decode(&plan("wtf-v3"), &real("v3_snapshot_small.wtf-trace"));
    assert_eq!(verdict.judgement, Judgement::Accepted);
    assert_eq!(verdict.length, 4253);
    let sidecar = real("v3_snapshot_small.wtf-trace.json");
    let sidecar: Json = serde_json::from_slice(&sidecar).expect("JSON");
    let events = sidecar["events"].as_array().expect("a list");
    assert_eq!(sidecar["event_count"], json!(records.len()));
    assert_eq!(events.len(), records.len());
    let mut zones = std::collections::BTreeMap::<String, u64>::new();
    for (record, event) in records.iter().zip(events) {
        let mut line = Vec::new();
        write_record(record, &mut line);
        let record: Json = serde_json::from_slice(&line).expect("a record is JSON");
        assert_eq!(record["name"], event["name"]);
        assert_eq!(record["time_us"], event["time_us"]);
        let name = event["name"].as_str().expect("a name");
        let zone = record["zone"]["name"].as_str().expect("a zone");
        *zones.entry(zone.to_owned()).or_default() += 1;
        let pairs = record["args"].as_array().expect("pairs");
        let found: serde_json::Map<String, Json> = pairs
            .iter()
            .map(|pair| {
                (
                    pair[0].as_str().expect("a name").to_owned(),
                    pair[1].clone(),
                )
            })
            .collect();
        let empty = serde_json::Map::new();
        let stated = event["args"].as_object().unwrap_or(&empty);
        assert_eq!(found.len(), stated.len(), "{name}");
        for (argument, stated) in stated {
            let found = &found[argument];
            match name {
                // The reader reports milliseconds.
                "t#time32" => {
                    let milliseconds = found.as_f64().expect("a number") / 1000.0;
                    assert_eq!(Some(milliseconds), stated.as_f64());
                }
                // The reader renumbers ranges.
                "wtf.timeRange#begin" | "wtf.timeRange#end" if argument == "id" => {
                    assert!(found.is_u64());
                }
                // The reader reports an empty array as null.
                _ if stated.is_null() && *found == json!([]) => {}
                _ => assert_eq!(doubles(found), doubles(stated), "{name}"),
            }
        }
    }
    for zone in sidecar["zones"].as_array().expect("zones") {
        let name = zone["name"].as_str().expect("a name");
        let stated = zone["events"].as_u64();
        assert_eq!(
            Some(zones.get(name).copied().unwrap_or(0)),
            stated,
            "{name}"
        );
    }
}

/// Returns the nodes in the field `name` of each structure of type `owner`, in order.
fn fields<'t>(plan: &Plan, tree: &'t Tree, owner: &str, name: &str) -> Vec<&'t Node> {
    let is_wanted = |op| {
        let info = plan.info(op);
        let around = info.parent.and_then(|parent| plan.info(parent).type_name);
        info.label.is_some_and(|label| plan.name(label) == name)
            && around.is_some_and(|around| plan.name(around) == owner)
    };
    let nodes = tree.nodes.iter();
    nodes.filter(|node| is_wanted(node.op)).collect()
}

fn numbers(plan: &Plan, tree: &Tree, owner: &str, name: &str) -> Vec<Json> {
    let found = fields(plan, tree, owner, name).into_iter();
    let bits = found.map(|node| match node.payload {
        Payload::Bits(bits) => json!(bits),
        _ => panic!("{name} is no number"),
    });
    bits.collect()
}

#[test]
fn the_header_and_the_definitions_are_what_the_sidecar_says() {
    let plan = plan("wtf-v3");
    let bytes = real("v3_snapshot_small.wtf-trace");
    let (_, tree) = decode_tree(&plan, &bytes);
    let sidecar = real("v3_snapshot_small.wtf-trace.json");
    let sidecar: Json = serde_json::from_slice(&sidecar).expect("JSON");
    let number = |name| numbers(&plan, &tree, "header", name).remove(0);
    assert_eq!(number("format_version"), sidecar["format_version"]);
    assert_eq!(number("timebase"), sidecar["timebase_ms"]);
    assert_eq!(number("flags"), sidecar["flags"]);
    for name in ["context", "metadata"] {
        let span = fields(&plan, &tree, "header", name)[0].span;
        // The text follows the number of characters and the number of bytes.
        let text = span.start as usize + 4..span.end as usize;
        let found: Json = serde_json::from_slice(&bytes[text]).expect("JSON");
        assert_eq!(found, sidecar[name]);
    }
    // The reader adds the last type itself, for time stamps; the file does not define it.
    let types = sidecar["event_types"].as_array().expect("a list");
    let (made, types) = types.split_last().expect("some");
    assert_eq!(made["name"], "ts");
    for (field, member) in [("event_class", "eventClass"), ("flags", "flags")] {
        let stated: Vec<Json> = types.iter().map(|kind| kind[member].clone()).collect();
        assert_eq!(numbers(&plan, &tree, "event_define", field), stated);
    }
    for (field, member) in [("name", "name"), ("args", "args")] {
        let found = fields(&plan, &tree, "event_define", field);
        assert_eq!(found.len(), types.len());
        for (node, kind) in found.iter().zip(types) {
            // The text follows its length.
            let text = node.span.start as usize + 2..node.span.end as usize;
            let text = std::str::from_utf8(&bytes[text]).expect("a text");
            assert_eq!(Some(text), kind[member].as_str());
        }
    }
}

#[test]
fn the_real_trace_comes_back_from_its_tree_and_from_its_tape() {
    let plan = plan("wtf-v3");
    let bytes = real("v3_snapshot_small.wtf-trace");
    let (_, tree) = decode_tree(&plan, &bytes);
    let generator = Generator::new(plan);
    let encoded = generator.encode(&tree).expect("a tree of a trace");
    assert!(encoded.bytes == bytes, "encoding gives other bytes");
    let tape = generator.record(&tree).expect("a tree of a trace");
    let options = Options {
        bytes: u64::MAX,
        elements: u64::MAX,
        ..Options::default()
    };
    let generated = generator.generate(&tape, options).expect("its own tape");
    assert!(generated.bytes == bytes, "the tape gives other bytes");
}

#[test]
fn the_format_that_came_later_is_rejected_where_it_differs() {
    let bytes = real("foreign_cff_v10.wtf-trace");
    for (format, rule, start, end) in [
        ("wtf-v3", "MAGIC", 0, 4),
        ("wtf-v3@doc", "FORMAT-VERSION", 8, 12),
    ] {
        let plan = plan(format);
        let (verdict, records) = decode(&plan, &bytes);
        let violation = verdict.violation().expect("a violation");
        let named = violation.rule.map(|rule| plan.rules[rule].id.as_str());
        assert_eq!(named, Some(rule));
        assert_eq!((violation.span.start, violation.span.end), (start, end));
        assert!(records.is_empty());
    }
}

/// Checks that random traces are valid, decode to their last byte, and survive a round trip.
#[test]
fn random_traces_of_either_dialect_come_back() {
    for format in ["wtf-v3", "wtf-v3@doc"] {
        let plan = plan(format);
        let generator = Generator::new(plan.clone());
        for seed in 0..60 {
            let options = Options {
                bytes: 200 + seed * 40,
                fill: true,
                ..Options::default()
            };
            let made = generator.from_seed(seed, options);
            let made = made.unwrap_or_else(|error| panic!("{format}, seed {seed}: {error}"));
            let (verdict, tree) = decode_tree(&plan, &made.bytes);
            assert_eq!(
                verdict.judgement,
                Judgement::Accepted,
                "{format}, seed {seed}"
            );
            assert_eq!(verdict.length, made.bytes.len() as u64);
            let encoded = generator.encode(&tree).expect("a tree of a trace");
            assert!(encoded.bytes == made.bytes, "{format}, seed {seed}");
            let tape = generator.record(&tree).expect("a tree of a trace");
            let again = generator.generate(
                &tape,
                Options {
                    bytes: u64::MAX,
                    elements: u64::MAX,
                    ..Options::default()
                },
            );
            assert!(
                again.expect("its own tape").bytes == made.bytes,
                "{format}, seed {seed}"
            );
        }
    }
}
