//! Converts the sidecars of real files to canonical records. A sidecar is a JSON file in which the
//! writer of a trace lists its events.
//!
//! This module is shared by the tests of the adapters for all versions of the crate.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tracegauge_kit::{Value, json, value};

/// An adapter's answer to one file.
pub struct Answer {
    pub records: Vec<String>,
    pub closing: Value,
}

pub fn real(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus/real/dial9-v1")
        .join(name)
}

/// Returns the adapter's answer to a file, which must be the same in both modes.
pub fn ask(adapter: &str, file: &Path) -> Answer {
    let once = Command::new(adapter).arg(file).output().unwrap();
    let once = String::from_utf8(once.stdout).unwrap();
    let mut child = Command::new(adapter)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let request = json!({"case": "c-1", "format": "dial9-v1", "file": file});
    writeln!(child.stdin.take().unwrap(), "{request}").unwrap();
    let serve = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(serve.stdout).unwrap(), once);

    let mut records: Vec<String> = once.lines().map(str::to_owned).collect();
    let closing = records.pop().unwrap().parse().unwrap();
    Answer { records, closing }
}

/// Returns the events in a file's sidecar as canonical records, in exactly the form that the kit
/// writes.
pub fn expected(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(real(&format!("{name}.json"))).unwrap();
    let sidecar: Value = text.parse().unwrap();
    let events = sidecar["events"].as_array().unwrap();
    assert_eq!(sidecar["event_count"], json!(events.len()));
    events.iter().map(record).collect()
}

fn record(event: &Value) -> Value {
    let name = event["name"].as_str().unwrap();
    let values = event["fields"].as_array().unwrap();
    let names = field_names(name);
    assert_eq!(names.len(), values.len(), "{name}");
    let fields: Vec<Value> = names
        .iter()
        .zip(values)
        .map(|(field, value)| json!([field, canonical(value)]))
        .collect();
    let mut record = json!({"record": "event", "name": name, "fields": fields});
    if let Some(timestamp) = event["ts"].as_str() {
        record["timestamp"] = value::unsigned(timestamp.parse().unwrap());
    }
    record
}

/// Returns the field names of an event, taken from the schema frames of the files, because the
/// sidecars do not contain them.
fn field_names(event: &str) -> &'static [&'static str] {
    match event {
        "All" | "AllTypes" => &[
            "i64", "f64", "bool", "string", "bytes", "pooled", "frames", "varint", "map", "u8",
            "u16", "u32",
        ],
        "NoTs" => &["v"],
        "PollStart" => &["worker", "task"],
        "CpuSample" => &["tid", "frames", "name"],
        "Log" => &["msg", "kv"],
        "Opt" => &["a", "b", "c", "d"],
        "Empty" => &[],
        other => panic!("unknown event {other}"),
    }
}

fn canonical(field: &Value) -> Value {
    if field == "other" {
        return Value::Null;
    }
    let (kind, content) = field.as_object().unwrap().iter().next().unwrap();
    let unsigned = |text: &Value| value::unsigned(text.as_str().unwrap().parse().unwrap());
    match kind.as_str() {
        "i64" => value::signed(content.as_str().unwrap().parse().unwrap()),
        "bits" => {
            let bits = u64::from_str_radix(content.as_str().unwrap(), 16).unwrap();
            value::float(f64::from_bits(bits))
        }
        "bytes" => json!({"hex": content}),
        "pool" => field["resolved"].clone(),
        "uint" => unsigned(content),
        "frames" => content.as_array().unwrap().iter().map(unsigned).collect(),
        "bool" | "string" | "map" => content.clone(),
        other => panic!("unknown kind {other}"),
    }
}
