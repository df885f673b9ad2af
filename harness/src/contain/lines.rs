//! Splits a stream that arrives in pieces into lines, and keeps the end of another stream.

use std::ops::Range;

/// Consumed bytes are dropped once there are this many, so that a long answer does not accumulate
/// in memory.
const DROP_FROM: usize = 1 << 16;

/// Splits a stream that arrives in pieces into lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    bytes: Vec<u8>,
    /// The start of the bytes not yet returned as a line.
    start: usize,
    /// The end of the bytes known to contain no line feed.
    scanned: usize,
    /// The range of the last returned line.
    line: Range<usize>,
}

impl Lines {
    pub(super) fn push(&mut self, piece: &[u8]) {
        if self.start == self.bytes.len() {
            self.bytes.clear();
            (self.start, self.scanned) = (0, 0);
        } else if self.start >= DROP_FROM {
            self.bytes.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        self.bytes.extend_from_slice(piece);
    }

    /// Advances to the next complete line, which [`Lines::line`] then returns. Returns whether
    /// there is one.
    pub(super) fn advance(&mut self) -> bool {
        let Some(at) = memchr::memchr(b'\n', &self.bytes[self.scanned..]) else {
            self.scanned = self.bytes.len();
            return false;
        };
        let end = self.scanned + at;
        self.line = self.start..end;
        (self.start, self.scanned) = (end + 1, end + 1);
        true
    }

    /// Returns the current line without its line end.
    pub(super) fn line(&self) -> &[u8] {
        let line = &self.bytes[self.line.clone()];
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    /// Returns the bytes after the current line.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

/// The end of a stream.
#[derive(Debug, Default)]
pub(super) struct Tail {
    bytes: Vec<u8>,
}

impl Tail {
    /// The number of bytes to keep.
    const KEPT: usize = 4096;

    pub(super) fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
        if self.bytes.len() > 16 * Self::KEPT {
            self.bytes.drain(..self.bytes.len() - Self::KEPT);
        }
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(super) fn text(&self) -> String {
        let from = self.bytes.len().saturating_sub(Self::KEPT);
        String::from_utf8_lossy(&self.bytes[from..]).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, Tail};

    #[test]
    fn lines_do_not_depend_on_the_pieces() {
        let text = b"one\ntwo\r\n\nfour and more\nrest";
        for size in 1..text.len() {
            let mut lines = Lines::default();
            let mut found = Vec::new();
            for piece in text.chunks(size) {
                lines.push(piece);
                while lines.advance() {
                    found.push(lines.line().to_vec());
                }
            }
            let expected: [&[u8]; 4] = [b"one", b"two", b"", b"four and more"];
            assert_eq!(found, expected, "in pieces of {size}");
            assert_eq!(lines.rest(), b"rest");
        }
    }

    #[test]
    fn handed_out_lines_do_not_pile_up() {
        let mut lines = Lines::default();
        for _ in 0..1000 {
            // The buffer is never quite empty, so only dropping consumed bytes keeps it small.
            lines.push(&[b'x'; 1000]);
            lines.push(b"\nx");
            while lines.advance() {}
        }
        assert!(lines.bytes.len() < 200_000, "{}", lines.bytes.len());
    }

    #[test]
    fn a_tail_keeps_the_end() {
        let mut tail = Tail::default();
        for _ in 0..100 {
            tail.push(&[b'.'; 1000]);
        }
        tail.push(b"the end");
        let text = tail.text();
        assert!(text.ends_with(".the end") && text.len() == 4096);
    }
}
