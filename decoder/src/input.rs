//! Sources of bytes to decode: a slice, a stream with a sliding window, or a trace that is being
//! written.

use std::io::{self, Read};

/// A source of bytes to decode. All positions are absolute.
pub trait Input {
    /// Whether the input discards released bytes.
    const FORGETS: bool = true;

    /// Returns the total number of bytes if it is known without reading further.
    fn length(&self) -> Option<u64>;

    /// Makes the bytes from `start` up to `end` available. Returns `false` if the input ends before
    /// `end`.
    fn ensure(&mut self, start: u64, end: u64) -> bool;

    /// Returns the bytes from `start` up to `end`. Returns an empty slice if any of these bytes has
    /// not been made available or has already been released.
    fn bytes(&self, start: u64, end: u64) -> &[u8];

    /// Returns the bytes from `start` that are available without reading further.
    fn ahead(&self, start: u64) -> &[u8];

    /// Declares that the bytes before `position` are no longer needed.
    fn release(&mut self, position: u64);

    /// Returns the number of bytes that the input has received so far. Once [`Self::ensure`] has
    /// returned `false`, the result is the total number of bytes.
    fn seen(&self) -> u64;

    /// Returns the I/O error that stopped reading, if any, and clears it.
    fn failure(&mut self) -> Option<io::Error>;

    /// Appends bytes to a [`GrowingInput`]. Other inputs ignore the call.
    fn append(&mut self, _bytes: &[u8]) {}

    /// Overwrites bytes of a [`GrowingInput`] that are still available. Other inputs ignore the
    /// call.
    fn patch(&mut self, _position: u64, _bytes: &[u8]) {}

    /// In a [`GrowingInput`], replaces `_length` bytes with `_bytes`, which may have a different
    /// length. The replaced bytes must still be available. Other inputs ignore the call.
    fn replace(&mut self, _position: u64, _length: u64, _bytes: &[u8]) {}
}

/// An input that holds all bytes in memory.
#[derive(Clone, Copy, Debug)]
pub struct SliceInput<'a> {
    bytes: &'a [u8],
}

impl<'a> SliceInput<'a> {
    /// Creates an input that contains `bytes`.
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

/// The minimum number of bytes to read at once. The window grows only as bytes arrive, because a
/// declared length may be far larger than the stream.
const CHUNK: usize = 256 * 1024;

/// An input that reads a stream and keeps only the bytes that are still needed.
#[derive(Debug)]
pub struct StreamInput<R> {
    reader: R,
    window: Vec<u8>,
    /// The position of the window's first byte.
    start: u64,
    released: u64,
    ended: bool,
    failure: Option<io::Error>,
}

impl<R: Read> StreamInput<R> {
    /// Creates an input that reads from `reader`, starting at position 0.
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

    /// Discards released bytes and reads one more chunk.
    fn fill(&mut self) {
        let dropped = index(self.released.saturating_sub(self.start)).min(self.window.len());
        if dropped > self.window.len() / 2 {
            self.window.drain(..dropped);
            self.start += dropped as u64;
        }
        let before = self.window.len();
        // The read size grows with the window, so reading a long element takes linear time.
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

    #[inline]
    fn bytes(&self, start: u64, end: u64) -> &[u8] {
        let offset = |position: u64| position.checked_sub(self.start).map(index);
        match (offset(start), offset(end)) {
            (Some(start), Some(end)) => self.window.get(start..end).unwrap_or_default(),
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
        self.released = position;
    }

    fn seen(&self) -> u64 {
        self.end()
    }

    fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}

/// An input that grows while an emitter (a visitor that writes traces) appends bytes. Bytes that
/// can no longer change are passed on to a writer.
#[derive(Debug)]
pub struct GrowingInput<W> {
    window: Vec<u8>,
    start: u64,
    writer: W,
    failure: Option<io::Error>,
}

impl<W: io::Write> GrowingInput<W> {
    /// Creates an input that passes its bytes to `writer`.
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
