//! Where bytes come from: a slice, or a stream of which only a window is kept.

use std::io::{self, Read};

/// Bytes to decode. Positions are absolute.
pub trait Input {
    /// It keeps only bytes that are still wanted.
    const FORGETS: bool = true;

    /// The total number of bytes, where it is known without reading on.
    fn length(&self) -> Option<u64>;

    /// Makes the bytes from `start` up to `end` available. `false` where the input ends before.
    fn ensure(&mut self, start: u64, end: u64) -> bool;

    /// Bytes that were made available and not released. Empty where they are not.
    fn bytes(&self, start: u64, end: u64) -> &[u8];

    /// The bytes from `start`, as many as are at hand without reading on.
    fn ahead(&self, start: u64) -> &[u8];

    /// The bytes before `position` are not wanted again.
    fn release(&mut self, position: u64);

    /// The number of bytes found so far; all of them once [`Self::ensure`] has said no.
    fn seen(&self) -> u64;

    /// What went wrong while reading.
    fn failure(&mut self) -> Option<io::Error>;

    /// Adds bytes at the end, where the input is one that grows.
    fn append(&mut self, _bytes: &[u8]) {}

    /// Changes bytes that are still at hand, where the input is one that grows.
    fn patch(&mut self, _position: u64, _bytes: &[u8]) {}

    /// Puts other bytes, as many or not, in the place of so many that are still at hand, where
    /// the input is one that grows.
    fn replace(&mut self, _position: u64, _length: u64, _bytes: &[u8]) {}
}

/// All bytes at hand.
#[derive(Clone, Copy, Debug)]
pub struct SliceInput<'a> {
    bytes: &'a [u8],
}

impl<'a> SliceInput<'a> {
    /// The whole of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }
}

fn index(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

impl Input for SliceInput<'_> {
    const FORGETS: bool = false;

    fn length(&self) -> Option<u64> {
        Some(self.bytes.len() as u64)
    }

    #[inline]
    fn ensure(&mut self, _start: u64, end: u64) -> bool {
        end <= self.bytes.len() as u64
    }

    #[inline]
    fn bytes(&self, start: u64, end: u64) -> &[u8] {
        self.bytes.get(index(start)..index(end)).unwrap_or_default()
    }

    #[inline]
    fn ahead(&self, start: u64) -> &[u8] {
        self.bytes.get(index(start)..).unwrap_or_default()
    }

    fn release(&mut self, _position: u64) {}

    fn seen(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn failure(&mut self) -> Option<io::Error> {
        None
    }
}

/// Bytes read at once. What a length claims is never reserved, only what has come.
const CHUNK: usize = 256 * 1024;

/// A stream of which the bytes still wanted are kept.
#[derive(Debug)]
pub struct StreamInput<R> {
    reader: R,
    window: Vec<u8>,
    /// Position of the window's first byte.
    start: u64,
    released: u64,
    ended: bool,
    failure: Option<io::Error>,
}

impl<R: Read> StreamInput<R> {
    /// Reads from `reader`, starting at position 0.
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            window: Vec::new(),
            start: 0,
            released: 0,
            ended: false,
            failure: None,
        }
    }

    fn end(&self) -> u64 {
        self.start + self.window.len() as u64
    }

    /// Reads one more chunk, after dropping what was released.
    fn fill(&mut self) {
        let dropped = index(self.released.saturating_sub(self.start)).min(self.window.len());
        if dropped > self.window.len() / 2 {
            self.window.drain(..dropped);
            self.start += dropped as u64;
        }
        let before = self.window.len();
        // Growing with what has come keeps the cost of a long element linear.
        let wanted = CHUNK.max(before.min(64 * CHUNK));
        self.window.resize(before + wanted, 0);
        let read = loop {
            match self.reader.read(&mut self.window[before..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error);
                    break 0;
                }
                Ok(count) => break count,
            }
        };
        self.window.truncate(before + read);
        self.ended = read == 0;
    }
}

impl<R: Read> Input for StreamInput<R> {
    fn length(&self) -> Option<u64> {
        None
    }

    #[inline]
    fn ensure(&mut self, _start: u64, end: u64) -> bool {
        while self.end() < end && !self.ended {
            self.fill();
        }
        end <= self.end()
    }

    fn bytes(&self, start: u64, end: u64) -> &[u8] {
        let offset = |position: u64| position.checked_sub(self.start).map(index);
        match (offset(start), offset(end)) {
            (Some(start), Some(end)) => self.window.get(start..end).unwrap_or_default(),
            _ => &[],
        }
    }

    fn ahead(&self, start: u64) -> &[u8] {
        let offset = start.checked_sub(self.start).map(index);
        offset
            .and_then(|offset| self.window.get(offset..))
            .unwrap_or_default()
    }

    fn release(&mut self, position: u64) {
        self.released = position;
    }

    fn seen(&self) -> u64 {
        self.end()
    }

    fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}

/// Bytes that a director puts, handed on to a writer once nothing can change them.
#[derive(Debug)]
pub struct GrowingInput<W> {
    window: Vec<u8>,
    start: u64,
    writer: W,
    failure: Option<io::Error>,
}

impl<W: io::Write> GrowingInput<W> {
    /// Hands on to `writer`.
    pub fn new(writer: W) -> Self {
        Self {
            window: Vec::new(),
            start: 0,
            writer,
            failure: None,
        }
    }

    fn hand_on(&mut self, count: usize) {
        if self.failure.is_none()
            && let Err(error) = self.writer.write_all(&self.window[..count])
        {
            self.failure = Some(error);
        }
        self.window.drain(..count);
        self.start += count as u64;
    }
}

impl<W: io::Write> Input for GrowingInput<W> {
    fn length(&self) -> Option<u64> {
        None
    }

    #[inline]
    fn ensure(&mut self, _start: u64, end: u64) -> bool {
        end <= self.start + self.window.len() as u64
    }

    #[inline]
    fn bytes(&self, start: u64, end: u64) -> &[u8] {
        match (start.checked_sub(self.start), end.checked_sub(self.start)) {
            (Some(start), Some(end)) => self
                .window
                .get(index(start)..index(end))
                .unwrap_or_default(),
            _ => &[],
        }
    }

    #[inline]
    fn ahead(&self, start: u64) -> &[u8] {
        let offset = start.checked_sub(self.start).map(index);
        offset
            .and_then(|offset| self.window.get(offset..))
            .unwrap_or_default()
    }

    fn release(&mut self, position: u64) {
        let ready = index(position.saturating_sub(self.start)).min(self.window.len());
        if ready >= CHUNK {
            self.hand_on(ready);
        }
    }

    fn seen(&self) -> u64 {
        self.start + self.window.len() as u64
    }

    fn failure(&mut self) -> Option<io::Error> {
        self.hand_on(self.window.len());
        if self.failure.is_none() {
            self.failure = self.writer.flush().err();
        }
        self.failure.take()
    }

    fn append(&mut self, bytes: &[u8]) {
        self.window.extend_from_slice(bytes);
    }

    fn patch(&mut self, position: u64, bytes: &[u8]) {
        let at = index(position.saturating_sub(self.start));
        if let Some(place) = self.window.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    fn replace(&mut self, position: u64, length: u64, bytes: &[u8]) {
        let at = index(position.saturating_sub(self.start));
        let end = at.saturating_add(index(length));
        if at <= end && end <= self.window.len() {
            self.window.splice(at..end, bytes.iter().copied());
        }
    }
}
