//! tracegauge reader for `dial9-trace-format` 0.3.5, based on `Decoder::for_each_event`.
//!
//! Unlike the crate's other functions for reading a trace, `for_each_event` returns an error
//! whenever it stops early. `next_frame` returns `Ok(None)` both at the end and before a frame that
//! it cannot decode, and 0.3.5 exposes no position that would distinguish the two cases.

use std::process::ExitCode;

use dial9_trace_format::decoder::{Decoder, StringPool};
use dial9_trace_format::types::FieldValueRef;
use tracegauge_kit::{Adapter, Rejection, Reporter, Value, json, value};

fn read(bytes: &[u8], reporter: &mut Reporter) -> Result<(), Rejection> {
    let none = || Rejection::new("Decoder::new returned None").offset(0);
    Decoder::new(bytes)
        .ok_or_else(none)?
        .for_each_event(|event| {
            let names = event.schema.fields.iter().map(|field| &field.name);
            let fields = names.zip(event.fields);
            let fields = fields.map(|(name, field)| json!([name, form(field, event.string_pool)]));
            let mut record = json!({"record": "event", "name": event.name});
            record["fields"] = fields.collect();
            if let Some(timestamp) = event.timestamp_ns {
                record["timestamp"] = value::unsigned(timestamp);
            }
            reporter.record(&record);
        })
        .map_err(|error| Rejection::new(error.to_string()).offset(error.pos as u64))
}

fn form(field: &FieldValueRef, pool: &StringPool) -> Value {
    match field {
        FieldValueRef::I64(number) => value::signed(*number),
        FieldValueRef::F64(number) => value::float(*number),
        FieldValueRef::Bool(flag) => json!(flag),
        FieldValueRef::String(text) => json!(text),
        FieldValueRef::Bytes(raw) => value::bytes(raw),
        FieldValueRef::PooledString(id) => json!(pool.get(*id)),
        FieldValueRef::StackFrames(frames) => frames.iter().map(value::unsigned).collect(),
        FieldValueRef::Varint(number) => value::unsigned(*number),
        FieldValueRef::StringMap(pairs) => pairs.iter().map(|pair| json!(pair)).collect(),
        // The value is an absent optional field. The enum is non-exhaustive, but 0.3.5 has no other
        // kinds.
        _ => Value::Null,
    }
}

fn main() -> ExitCode {
    Adapter::new("dial9-rust-0.3", "0.3.5").run(read)
}
