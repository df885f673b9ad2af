//! A deterministic dial9 trace of any length, written by the format's own encoder.
//!
//! Of the events in the trace, 60% contain two small integers, 15% contain stacks of 8 to 31 frames
//! and a pooled name, 15% contain a string and a map, 5% contain no fields, and 5% contain all
//! field types. The files `encoder_mixed_200.trc` and `encoder_mixed_20000.trc` were written in the
//! same way, and 2,100,000 events yield the 106,287,199 bytes that were used for the published
//! decoding rates. Drawing the random numbers in a different order would change these traces.

use std::io;

use dial9_trace_format::InternedString;
use dial9_trace_format::encoder::{Encoder, Schema};
use dial9_trace_format::schema::FieldDef;
use dial9_trace_format::types::{FieldType, FieldValue};

/// Returns a trace with `events` events.
pub fn recipe(events: usize) -> Vec<u8> {
    write(events).expect("writing to memory cannot fail")
}

fn write(events: usize) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new()?;
    let mut timestamp = 1_700_000_000_000_000_000;
    for index in 0..events {
        timestamp += writer.random.next() % 3_000;
        if index % 5_000 == 4_999 {
            // A delta of more than 24 bits makes the encoder write a timestamp reset.
            timestamp += 20_000_000;
        }
        match writer.random.next() % 20 {
            0..12 => writer.poll_start(timestamp)?,
            12..15 => writer.cpu_sample(timestamp)?,
            15..18 => writer.log(timestamp, index)?,
            18 => writer.empty(timestamp)?,
            _ => writer.all_types(timestamp, index)?,
        }
    }
    Ok(writer.encoder.finish())
}

/// Marsaglia's 64-bit xorshift generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

struct Writer {
    encoder: Encoder,
    random: Random,
    all_types: Schema,
    poll_start: Schema,
    cpu_sample: Schema,
    log: Schema,
    empty: Schema,
}

impl Writer {
    fn new() -> io::Result<Self> {
        let mut encoder = Encoder::new();
        Ok(Self {
            random: Random(0x0123_4567),
            all_types: all_types(&mut encoder)?,
            poll_start: encoder.register_schema(
                "PollStart",
                fields(&[("worker", FieldType::Varint), ("task", FieldType::Varint)]),
            )?,
            cpu_sample: encoder.register_schema(
                "CpuSample",
                fields(&[
                    ("tid", FieldType::Varint),
                    ("frames", FieldType::StackFrames),
                    ("name", FieldType::PooledString),
                ]),
            )?,
            log: encoder.register_schema(
                "Log",
                fields(&[("msg", FieldType::String), ("kv", FieldType::StringMap)]),
            )?,
            empty: encoder.register_schema("Empty", Vec::new())?,
            encoder,
        })
    }

    fn poll_start(&mut self, timestamp: u64) -> io::Result<()> {
        let worker = self.random.next() % 16;
        let task = self.random.next() % 1_000_000;
        let values = [timestamp, worker, task].map(FieldValue::Varint);
        self.encoder.write_event(&self.poll_start, &values)
    }

    fn cpu_sample(&mut self, timestamp: u64) -> io::Result<()> {
        let name = format!("thread-{}", self.random.next() % 64);
        let name = self.encoder.intern_string(&name)?;
        let depth = 8 + self.random.next() % 24;
        let frames = (0..depth)
            .map(|_| 0x5500_0000_0000 + self.random.next() % 0x10_0000)
            .collect();
        let values = [
            FieldValue::Varint(timestamp),
            FieldValue::Varint(self.random.next() % 4_096),
            FieldValue::StackFrames(frames),
            FieldValue::PooledString(name),
        ];
        self.encoder.write_event(&self.cpu_sample, &values)
    }

    fn log(&mut self, timestamp: u64, index: usize) -> io::Result<()> {
        let values = [
            FieldValue::Varint(timestamp),
            FieldValue::String(format!("message number {index} with some text")),
            map(&[("level", "info"), ("target", "app::module")]),
        ];
        self.encoder.write_event(&self.log, &values)
    }

    fn empty(&mut self, timestamp: u64) -> io::Result<()> {
        self.encoder
            .write_event(&self.empty, &[FieldValue::Varint(timestamp)])
    }

    fn all_types(&mut self, timestamp: u64, index: usize) -> io::Result<()> {
        let pooled = self.encoder.intern_string("pooled-é世")?;
        let draw = self.random.next() as i64;
        let values = every_type(timestamp, index, draw, pooled);
        self.encoder.write_event(&self.all_types, &values)
    }
}

fn all_types(encoder: &mut Encoder) -> io::Result<Schema> {
    encoder.register_schema(
        "AllTypes",
        fields(&[
            ("i64", FieldType::I64),
            ("f64", FieldType::F64),
            ("bool", FieldType::Bool),
            ("string", FieldType::String),
            ("bytes", FieldType::Bytes),
            ("pooled", FieldType::PooledString),
            ("frames", FieldType::StackFrames),
            ("varint", FieldType::Varint),
            ("map", FieldType::StringMap),
            ("u8", FieldType::Varint),
            ("u16", FieldType::Varint),
            ("u32", FieldType::Varint),
        ]),
    )
}

fn every_type(timestamp: u64, index: usize, draw: i64, pooled: InternedString) -> [FieldValue; 13] {
    const FLOATS: [f64; 6] = [0.0, -0.0, 1.5, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE];
    const INTEGERS: [u64; 7] = [0, 127, 128, 16_383, 16_384, u32::MAX as u64, u64::MAX];
    [
        FieldValue::Varint(timestamp),
        FieldValue::I64(-(draw >> 3)),
        FieldValue::F64(FLOATS[index % FLOATS.len()]),
        FieldValue::Bool(index.is_multiple_of(2)),
        FieldValue::string("héllo 😀"),
        FieldValue::Bytes(vec![0x00, 0xff, 0x01, 0xfe]),
        FieldValue::PooledString(pooled),
        FieldValue::StackFrames(match index % 3 {
            0 => Vec::new(),
            _ => vec![u64::MAX, 0, 0x7fff_ffff_ffff],
        }),
        FieldValue::Varint(INTEGERS[index % INTEGERS.len()]),
        match index % 2 {
            0 => map(&[]),
            _ => map(&[("k", "v"), ("k", "")]),
        },
        FieldValue::Varint(7),
        FieldValue::Varint(777),
        FieldValue::Varint(77_777),
    ]
}

fn fields(defs: &[(&str, FieldType)]) -> Vec<FieldDef> {
    defs.iter()
        .map(|&(name, field_type)| FieldDef {
            name: name.to_owned(),
            field_type,
        })
        .collect()
}

fn map(pairs: &[(&str, &str)]) -> FieldValue {
    let bytes = |text: &str| text.as_bytes().to_vec();
    FieldValue::StringMap(
        pairs
            .iter()
            .map(|(key, value)| (bytes(key), bytes(value)))
            .collect(),
    )
}
