//! Generates deterministic NetTrace 6 traces of any length with compressed events.
//!
//! The traces follow the specification. Sixteen threads alternate in short runs, so most event
//! headers contain only a timestamp. About one event in ten changes the stack, and about one in
//! thirty-two changes the event type.

/// The contents of the payloads in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payloads {
    /// No payload.
    None,
    /// Integers and a float, 21 bytes in total.
    Fixed,
    /// A number and two strings.
    Texts,
    /// An object that contains a list of numbers, and a fixed-length list.
    Nested,
}

/// Returns a trace with `events` events.
pub fn trace(payloads: Payloads, events: usize) -> Vec<u8> {
    let mut out = b"Nettrace".to_vec();
    for number in [0_u32, 6, 0] {
        out.extend(number.to_le_bytes());
    }
    block(&mut out, 1, &trace_block());
    block(&mut out, 3, &metadata(payloads));
    block(&mut out, 6, &threads());
    block(&mut out, 5, &stacks());
    block(&mut out, 8, &label_lists());
    let mut writer = Writer {
        random: Random(0x9e37_79b9),
        time: 1_000_000,
        sequence: [0; THREADS],
        thread: 0,
        payloads,
    };
    let mut left = events;
    while left > 0 {
        let count = left.min(50_000);
        left -= count;
        block(&mut out, 2, &writer.events(count));
    }
    block(&mut out, 0, &[]);
    out
}

const THREADS: usize = 16;
const STACKS: u32 = 64;
const TYPES: u32 = 4;
const LABEL_LISTS: u32 = 3;

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

fn block(out: &mut Vec<u8>, kind: u8, body: &[u8]) {
    let size = u32::try_from(body.len()).expect("blocks are small");
    out.extend(&size.to_le_bytes()[..3]);
    out.push(kind);
    out.extend(body);
}

fn trace_block() -> Vec<u8> {
    let mut out = Vec::new();
    for part in [2026_u16, 11, 6, 21, 7, 30, 0, 0] {
        out.extend(part.to_le_bytes());
    }
    out.extend(1_000_000_u64.to_le_bytes());
    out.extend(1_000_000_000_u64.to_le_bytes());
    out.extend(8_u32.to_le_bytes());
    out.extend(0_u32.to_le_bytes());
    out
}

fn variable(out: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn text(out: &mut Vec<u8>, text: &str) {
    variable(out, text.len() as u64);
    out.extend(text.as_bytes());
}

/// Appends `body`, preceded by its size as a 16-bit integer.
fn sized(out: &mut Vec<u8>, body: &[u8]) {
    let size = u16::try_from(body.len()).expect("rows are small");
    out.extend(size.to_le_bytes());
    out.extend(body);
}

/// Encodes a list of fields, given their names and encoded types.
fn fields(fields: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = u16::try_from(fields.len())
        .expect("few")
        .to_le_bytes()
        .to_vec();
    for (name, kind) in fields {
        let mut body = Vec::new();
        text(&mut body, name);
        body.extend(*kind);
        sized(&mut out, &body);
    }
    out
}

fn described(payloads: Payloads) -> Vec<u8> {
    match payloads {
        Payloads::None => fields(&[]),
        Payloads::Fixed => fields(&[
            ("Id", &[9]),
            ("Address", &[12]),
            ("Ratio", &[14]),
            ("Kind", &[6]),
        ]),
        Payloads::Texts => fields(&[("Id", &[9]), ("Path", &[19, 23]), ("Name", &[18])]),
        Payloads::Nested => {
            let mut object = vec![1];
            object.extend(fields(&[("X", &[9]), ("Y", &[9]), ("Values", &[19, 10])]));
            fields(&[("Id", &[9]), ("Point", &object), ("Pair", &[22, 7, 2, 0])])
        }
    }
}

fn metadata(payloads: Payloads) -> Vec<u8> {
    let mut out = vec![0, 0];
    for id in 1..=TYPES {
        let mut row = Vec::new();
        variable(&mut row, u64::from(id));
        text(&mut row, "Demo-Provider");
        variable(&mut row, u64::from(id) + 100);
        text(&mut row, "SomethingHappened");
        row.extend(described(payloads));
        // An optional part of the metadata: the event's level.
        sized(&mut row, &[8, 4]);
        sized(&mut out, &row);
    }
    out
}

fn threads() -> Vec<u8> {
    let mut out = Vec::new();
    for index in 0..THREADS as u64 {
        let mut row = Vec::new();
        variable(&mut row, index + 1);
        row.push(1);
        text(&mut row, &format!("worker {index}"));
        row.push(2);
        variable(&mut row, 4242);
        row.push(3);
        variable(&mut row, 4300 + index);
        sized(&mut out, &row);
    }
    out
}

fn stacks() -> Vec<u8> {
    let mut out = 1_u32.to_le_bytes().to_vec();
    out.extend(STACKS.to_le_bytes());
    for id in 0..STACKS {
        let frames = 8 + id % 24;
        out.extend((frames * 8).to_le_bytes());
        for frame in 0..frames {
            out.extend((0x7f00_0000_0000 + u64::from(id * 4096 + frame * 16)).to_le_bytes());
        }
    }
    out
}

fn label_lists() -> Vec<u8> {
    let mut out = 1_u32.to_le_bytes().to_vec();
    out.extend(LABEL_LISTS.to_le_bytes());
    for number in 0..LABEL_LISTS {
        // A key and a value: the only label of its list.
        out.push(0x85);
        text(&mut out, "request");
        text(&mut out, &format!("number {number}"));
    }
    out
}

struct Writer {
    random: Random,
    time: u64,
    sequence: [u32; THREADS],
    thread: usize,
    payloads: Payloads,
}

/// The header of the previous event. A header field that an event omits has the same value as in
/// the previous event, except that an omitted sequence number is one higher.
#[derive(Default)]
struct Before {
    metadata: u64,
    sequence: u32,
    thread: u64,
    stack: u64,
    time: u64,
    labels: u64,
    size: u64,
}

impl Writer {
    fn events(&mut self, count: usize) -> Vec<u8> {
        let mut rows = Vec::new();
        let mut before = Before::default();
        let first = self.time + 1;
        for number in 0..count {
            self.time += if number == 0 {
                1
            } else {
                self.random.next() % 90
            };
            self.event(&mut rows, &mut before, number == 0);
        }
        let mut out = 20_u16.to_le_bytes().to_vec();
        out.extend(1_u16.to_le_bytes());
        out.extend(first.to_le_bytes());
        out.extend(self.time.to_le_bytes());
        out.extend(rows);
        out
    }

    fn event(&mut self, rows: &mut Vec<u8>, before: &mut Before, first: bool) {
        let draw = self.random.next();
        let switches = first || draw.is_multiple_of(8);
        if switches {
            self.thread = (draw >> 8) as usize % THREADS;
        }
        let metadata = if first || draw >> 16 & 31 == 0 {
            1 + (draw >> 24) % u64::from(TYPES)
        } else {
            before.metadata
        };
        let stack = if first || (draw >> 32).is_multiple_of(10) {
            (draw >> 40) % (u64::from(STACKS) + 1)
        } else {
            before.stack
        };
        let labels = if (draw >> 48).is_multiple_of(40) {
            (draw >> 56) % (u64::from(LABEL_LISTS) + 1)
        } else {
            before.labels
        };
        self.sequence[self.thread] += 1;
        let sequence = self.sequence[self.thread];
        let thread = self.thread as u64 + 1;
        let payload = self.payload();
        let size = payload.len() as u64;
        let capture = thread != before.thread || sequence != before.sequence + 1;
        let mut flags = u8::from(metadata != before.metadata)
            | u8::from(capture) << 1
            | u8::from(thread != before.thread) << 2
            | u8::from(stack != before.stack) << 3
            | u8::from(labels != before.labels) << 4
            | u8::from(size != before.size) << 7;
        if first {
            flags |= 0x40;
        }
        rows.push(flags);
        if flags & 1 != 0 {
            variable(rows, metadata);
        }
        if capture {
            variable(
                rows,
                u64::from(sequence.wrapping_sub(before.sequence).wrapping_sub(1)),
            );
            variable(rows, thread);
            variable(rows, thread % 4);
        }
        if flags & 4 != 0 {
            variable(rows, thread);
        }
        if flags & 8 != 0 {
            variable(rows, stack);
        }
        variable(rows, self.time - before.time);
        if flags & 16 != 0 {
            variable(rows, labels);
        }
        if flags & 128 != 0 {
            variable(rows, size);
        }
        rows.extend(payload);
        *before = Before {
            metadata,
            sequence,
            thread,
            stack,
            time: self.time,
            labels,
            size,
        };
    }

    fn payload(&mut self) -> Vec<u8> {
        let draw = self.random.next();
        let mut out = Vec::new();
        if self.payloads == Payloads::None {
            return out;
        }
        out.extend((draw as u32 % 1000).to_le_bytes());
        match self.payloads {
            Payloads::None => {}
            Payloads::Fixed => {
                out.extend(draw.to_le_bytes());
                out.extend(((draw >> 20) as f64 / 7.0).to_le_bytes());
                out.push(draw as u8);
            }
            Payloads::Texts => {
                let path = format!("/srv/data/{}/part-{}.bin", draw % 977, draw >> 32);
                let path = path.as_bytes();
                out.extend(u16::try_from(path.len()).expect("short").to_le_bytes());
                out.extend(path);
                for unit in format!("request {}", draw % 50).encode_utf16() {
                    out.extend(unit.to_le_bytes());
                }
                out.extend([0, 0]);
            }
            Payloads::Nested => {
                out.extend((draw as u32).to_le_bytes());
                out.extend(((draw >> 32) as u32).to_le_bytes());
                let count = (draw >> 8) as u16 % 5;
                out.extend(count.to_le_bytes());
                for number in 0..count {
                    out.extend((u32::from(number) * 77).to_le_bytes());
                }
                out.extend((draw as u16).to_le_bytes());
                out.extend((draw as u16 >> 3).to_le_bytes());
            }
        }
        out
    }
}
