//! A handwritten NetTrace 6 reader, for comparison.
//!
//! The reader was written from the specification. For each event, the reader decodes the compressed
//! header and, on request, the fields of the payload. The reader does not read the contents of
//! label lists. The reader assumes a valid trace, except that the trace may end early.
//! [`Asked::Checked`] also checks the header rules of the format, so that the cost of checking
//! rules can be separated from the cost of interpreting a description.

use std::hint::black_box;

/// How much of each event to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Read the header and skip the payload.
    Headers,
    /// Also read the fields of the payload.
    Payloads,
    /// Also check references, order, ranges and text encodings.
    Checked,
}

/// Returns the number of events, or `None` if the bytes end early or break a checked rule.
pub fn read(bytes: &[u8], asked: Asked) -> Option<u64> {
    match asked {
        Asked::Headers => Reader::default().trace::<false, false>(bytes),
        Asked::Payloads => Reader::default().trace::<true, false>(bytes),
        Asked::Checked => Reader::default().trace::<true, true>(bytes),
    }
}

/// The type of a field.
enum Type {
    Whole(usize),
    Text16,
    Variable,
    Utf8(Option<usize>),
    Utf16(Option<usize>),
    List(Option<usize>, Box<Type>),
    Object(Vec<Type>),
}

#[derive(Clone, Copy, Default)]
struct Thread {
    known: bool,
    last_time: u64,
    last_sequence: u32,
}

#[derive(Default)]
struct Reader {
    /// The field types of each event type, indexed by metadata id.
    types: Vec<Option<Vec<Type>>>,
    threads: Vec<Thread>,
    /// For each stack block, the id of its first stack and the id after its last stack.
    stacks: Vec<(u64, u64)>,
    labels: Vec<(u64, u64)>,
    sequence_point: u64,
    sorted_floor: u64,
    events: u64,
}

/// The header of an event.
#[derive(Clone, Copy, Default)]
struct Header {
    metadata: u64,
    sequence: u32,
    capture_thread: u64,
    processor: u64,
    thread: u64,
    stack: u64,
    time: u64,
    labels: u64,
    size: usize,
    sorted: bool,
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    #[inline]
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    #[inline]
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    #[inline]
    fn whole(&mut self, width: usize) -> Option<u64> {
        let taken = self.take(width)?;
        let mut all = [0; 8];
        all[..width].copy_from_slice(taken);
        Some(u64::from_le_bytes(all))
    }

    #[inline]
    fn size(&mut self, width: usize) -> Option<usize> {
        self.whole(width).map(|size| size as usize)
    }

    #[inline]
    fn variable(&mut self) -> Option<u64> {
        let first = self.byte()?;
        if first < 0x80 {
            return Some(u64::from(first));
        }
        let (mut value, mut shift) = (u64::from(first & 0x7f), 7);
        loop {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(value);
            }
            shift += 7;
        }
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let size = self.variable()?;
        self.take(size as usize)
    }
}

impl Reader {
    fn trace<const PAYLOADS: bool, const CHECKED: bool>(mut self, bytes: &[u8]) -> Option<u64> {
        let mut bytes = Bytes(bytes);
        bytes.take(20)?;
        loop {
            let size = bytes.size(3)?;
            let kind = bytes.byte()?;
            let mut body = Bytes(bytes.take(size)?);
            match kind {
                0 => return Some(self.events),
                2 => self.events::<PAYLOADS, CHECKED>(&mut body)?,
                3 => self.metadata(&mut body)?,
                4 => self.sequence_point(&mut body)?,
                5 => self.stacks.push(numbered(&mut body)?),
                6 => self.threads(&mut body)?,
                8 => self.labels.push(numbered(&mut body)?),
                _ => {}
            }
        }
    }

    fn events<const PAYLOADS: bool, const CHECKED: bool>(
        &mut self,
        body: &mut Bytes<'_>,
    ) -> Option<()> {
        let size = body.size(2)?;
        let mut header = Bytes(body.take(size - 2)?);
        let compressed = header.whole(2)? & 1 != 0;
        let mut event = Header::default();
        while !body.0.is_empty() {
            if compressed {
                event.read(body)?;
            } else {
                event.read_whole(body)?;
            }
            let mut payload = Bytes(body.take(event.size)?);
            if CHECKED {
                self.check(&event)?;
            }
            black_box(&event);
            if PAYLOADS {
                let types = self.types.get(event.metadata as usize)?.as_ref()?;
                for kind in types {
                    kind.read::<CHECKED>(&mut payload)?;
                }
            }
            self.events += 1;
        }
        Some(())
    }

    /// Checks the header rules of the specification.
    #[inline]
    fn check(&mut self, event: &Header) -> Option<()> {
        let known = |index: u64| {
            let thread = self.threads.get(index as usize);
            thread.is_some_and(|thread| thread.known)
        };
        let within = |id: u64, all: &[(u64, u64)]| {
            id == 0 || all.iter().any(|(first, end)| (*first..*end).contains(&id))
        };
        let row = self.types.get(event.metadata as usize)?.is_some();
        let references = row
            && known(event.thread)
            && known(event.capture_thread)
            && within(event.stack, &self.stacks)
            && within(event.labels, &self.labels);
        let thread = self.threads.get_mut(event.capture_thread as usize)?;
        let in_order = event.time >> 63 == 0
            && event.time >= self.sequence_point
            && event.time >= self.sorted_floor
            && event.time >= thread.last_time;
        // Readers tolerate events that are out of order, so the order is checked without
        // consequences.
        black_box(in_order);
        thread.last_time = event.time;
        thread.last_sequence = event.sequence;
        if event.sorted {
            self.sorted_floor = self.sorted_floor.max(event.time);
        }
        references.then_some(())
    }

    fn metadata(&mut self, body: &mut Bytes<'_>) -> Option<()> {
        let size = body.size(2)?;
        body.take(size)?;
        while !body.0.is_empty() {
            let size = body.size(2)?;
            let mut row = Bytes(body.take(size)?);
            let id = row.variable()? as usize;
            row.text()?;
            row.variable()?;
            row.text()?;
            if self.types.len() <= id {
                self.types.resize_with(id + 1, || None);
            }
            self.types[id] = Some(fields(&mut row)?);
        }
        Some(())
    }

    fn threads(&mut self, body: &mut Bytes<'_>) -> Option<()> {
        while !body.0.is_empty() {
            let size = body.size(2)?;
            let index = Bytes(body.take(size)?).variable()? as usize;
            if self.threads.len() <= index {
                self.threads.resize(index + 1, Thread::default());
            }
            self.threads[index].known = true;
        }
        Some(())
    }

    fn sequence_point(&mut self, body: &mut Bytes<'_>) -> Option<()> {
        self.sequence_point = body.whole(8)?;
        let flags = body.whole(4)?;
        self.stacks.clear();
        self.labels.clear();
        if flags & 1 != 0 {
            self.threads.clear();
        }
        if flags & 2 != 0 {
            self.types.clear();
        }
        Some(())
    }
}

/// Returns the id of a block's first row, and the id after its last row.
fn numbered(body: &mut Bytes<'_>) -> Option<(u64, u64)> {
    let first = body.whole(4)?;
    Some((first, first + body.whole(4)?))
}

fn fields(row: &mut Bytes<'_>) -> Option<Vec<Type>> {
    let count = row.size(2)?;
    let mut types = Vec::new();
    for _ in 0..count {
        let size = row.size(2)?;
        let mut field = Bytes(row.take(size)?);
        field.text()?;
        types.push(Type::described(&mut field)?);
    }
    Some(types)
}

impl Header {
    #[inline]
    fn read(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        let flags = bytes.byte()?;
        if flags & 1 != 0 {
            self.metadata = bytes.variable()?;
        }
        if flags & 2 != 0 {
            self.sequence = self.sequence.wrapping_add(bytes.variable()? as u32);
            self.capture_thread = bytes.variable()?;
            self.processor = bytes.variable()?;
        }
        self.sequence = self.sequence.wrapping_add(1);
        if flags & 4 != 0 {
            self.thread = bytes.variable()?;
        }
        if flags & 8 != 0 {
            self.stack = bytes.variable()?;
        }
        self.time = self.time.wrapping_add(bytes.variable()?);
        if flags & 16 != 0 {
            self.labels = bytes.variable()?;
        }
        self.sorted = flags & 64 != 0;
        if flags & 128 != 0 {
            self.size = bytes.variable()? as usize;
        }
        Some(())
    }

    /// Reads the header of an uncompressed event.
    fn read_whole(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        bytes.take(4)?;
        let metadata = bytes.whole(4)?;
        *self = Self {
            metadata: metadata & 0x7fff_ffff,
            sorted: metadata >> 31 == 0,
            sequence: bytes.whole(4)? as u32,
            thread: bytes.whole(8)?,
            capture_thread: bytes.whole(8)?,
            processor: bytes.whole(4)?,
            stack: bytes.whole(4)?,
            time: bytes.whole(8)?,
            labels: bytes.whole(4)?,
            size: bytes.size(4)?,
        };
        Some(())
    }
}

impl Type {
    fn described(bytes: &mut Bytes<'_>) -> Option<Self> {
        Some(match bytes.byte()? {
            1 => Self::Object(fields(bytes)?),
            5 | 6 | 26 => Self::Whole(1),
            4 | 7 | 8 => Self::Whole(2),
            3 | 9 | 10 | 13 => Self::Whole(4),
            11 | 12 | 14 => Self::Whole(8),
            16 | 17 => Self::Whole(16),
            18 => Self::Text16,
            19 => Self::of(None, bytes)?,
            20 | 21 => Self::Variable,
            22 => {
                let inside = Self::of(Some(0), bytes)?;
                inside.counted(bytes.size(2)?)
            }
            23 => Self::Whole(1),
            _ => return None,
        })
    }

    fn of(count: Option<usize>, bytes: &mut Bytes<'_>) -> Option<Self> {
        match bytes.0.first()? {
            4 => bytes.byte().map(|_| Self::Utf16(count)),
            23 => bytes.byte().map(|_| Self::Utf8(count)),
            _ => Some(Self::List(count, Box::new(Self::described(bytes)?))),
        }
    }

    fn counted(self, count: usize) -> Self {
        match self {
            Self::Utf8(_) => Self::Utf8(Some(count)),
            Self::Utf16(_) => Self::Utf16(Some(count)),
            Self::List(_, inside) => Self::List(Some(count), inside),
            other => other,
        }
    }

    /// Reads a value.
    fn read<const CHECKED: bool>(&self, bytes: &mut Bytes<'_>) -> Option<()> {
        let count = |count: &Option<usize>, bytes: &mut Bytes<'_>| match count {
            Some(count) => Some(*count),
            None => bytes.size(2),
        };
        match self {
            Self::Whole(16) => {
                black_box(bytes.take(16)?);
            }
            Self::Whole(width) => {
                black_box(bytes.whole(*width)?);
            }
            Self::Variable => {
                black_box(bytes.variable()?);
            }
            Self::Text16 => {
                let mut units = bytes.0.chunks_exact(2);
                let length = units.position(|unit| unit == [0, 0])?;
                text16::<CHECKED>(&bytes.0[..length * 2])?;
                bytes.take(length * 2 + 2)?;
            }
            Self::Utf8(size) => {
                let size = count(size, bytes)?;
                let text = bytes.take(size)?;
                if CHECKED {
                    std::str::from_utf8(text).ok()?;
                }
                black_box(text);
            }
            Self::Utf16(units) => {
                let units = count(units, bytes)?;
                text16::<CHECKED>(bytes.take(units * 2)?)?;
            }
            Self::List(length, inside) => {
                for _ in 0..count(length, bytes)? {
                    inside.read::<CHECKED>(bytes)?;
                }
            }
            Self::Object(fields) => {
                for field in fields {
                    field.read::<CHECKED>(bytes)?;
                }
            }
        }
        Some(())
    }
}

fn text16<const CHECKED: bool>(bytes: &[u8]) -> Option<()> {
    if CHECKED {
        let units = bytes
            .chunks_exact(2)
            .map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
        if char::decode_utf16(units).any(|unit| unit.is_err()) {
            return None;
        }
    }
    black_box(bytes);
    Some(())
}
