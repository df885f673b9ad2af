//! tracegauge reader for `dial9-trace-format` 0.5.4, based on `Decoder::for_each_event`.
//!
//! Unlike the crate's other functions for reading a trace, `for_each_event` returns an error when
//! it stops early. In addition, according to the documentation of `Decoder::position`, a position
//! after the last frame that is less than `data_len` means that the remaining bytes could not be
//! decoded.

use std::process::ExitCode;

use dial9_trace_format::decoder::{Decoder, RawEvent};
use dial9_trace_format::types::FieldValueRef;
use tracegauge_kit::{Adapter, Rejection, Reporter, Value, json, value};

fn read(bytes: &[u8], reporter: &mut Reporter) -> Result<(), Rejection> {
    let none = || Rejection::new("Decoder::new returned None").offset(0);
    let mut decoder = Decoder::new(bytes).ok_or_else(none)?;
    let done = decoder.for_each_event(|event| {
        let fields = event.field_names().zip(event.fields);
        let fields = fields.map(|(name, field)| json!([name, form(field, &event)]));
        reporter.record(&json!({
            "record": "event",
            "name": event.name,
            "timestamp": value::unsigned(event.timestamp_ns),
            "fields": fields.collect::<Vec<Value>>(),
        }));
    });
    done.map_err(|error| Rejection::new(error.to_string()).offset(error.pos as u64))?;
    if decoder.position() != decoder.data_len() {
        let left = Rejection::new("bytes are left that could not be decoded");
        return Err(left.offset(decoder.position() as u64));
    }
    Ok(())
}

fn form(field: &FieldValueRef, event: &RawEvent) -> Value {
    match field {
        FieldValueRef::I64(number) => value::signed(*number),
        FieldValueRef::F64(number) => value::float(*number),
        FieldValueRef::Bool(flag) => json!(flag),
        FieldValueRef::String(text) => json!(text),
        FieldValueRef::Bytes(raw) => value::bytes(raw),
        FieldValueRef::PooledString(id) => json!(event.string_pool.get(*id)),
        FieldValueRef::StackFrames(frames) => frames.iter().map(value::unsigned).collect(),
        FieldValueRef::Varint(number) => value::unsigned(*number),
        FieldValueRef::StringMap(pairs) => pairs.iter().map(|pair| json!(pair)).collect(),
        // These kinds are not in the specification, so traces of version 1 of the specification do
        // not contain them.
        FieldValueRef::PooledStackFrames(id) => match event.stack_pool.get(*id) {
            Some(frames) => frames.iter().copied().map(value::unsigned).collect(),
            None => Value::Null,
        },
        FieldValueRef::List(items) => items.iter().map(|item| form(item, event)).collect(),
        FieldValueRef::Map(pairs) => {
            let pair = |(key, item)| json!([form(key, event), form(item, event)]);
            pairs.iter().map(pair).collect()
        }
        _ => Value::Null,
    }
}

fn main() -> ExitCode {
    Adapter::new("dial9-rust-0.5", "0.5.4").run(read)
}
