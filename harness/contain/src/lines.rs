//! Splits a stream that arrives in pieces into lines, and retains only the beginning and the end of
//! another stream.

use std::ops::Range;

/// If the buffer contains at least this many consumed bytes, they are removed, so that a long
/// answer does not accumulate in memory.
const DROP_FROM: usize = 1 << 16;
/// If the buffer is larger than this number of bytes, it grows in fixed steps and is shrunk after
/// use.
const LARGE: usize = 4 << 20;

/// Splits a stream that arrives in pieces into lines.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    bytes: Vec<u8>,
    /// The start of the bytes that have not been returned as a line yet.
    start: usize,
    /// The end of the bytes known to contain no line feed.
    scanned: usize,
    /// The range of the last returned line.
    line: Range<usize>,
}

impl Lines {
    pub(crate) fn push(&mut self, piece: &[u8]) {
        if self.start == self.bytes.len() {
            self.bytes.clear();
            // The memory of a single long line must not be retained until the process ends.
            self.bytes.shrink_to(LARGE);
            (self.start, self.scanned) = (0, 0);
        } else if self.start >= DROP_FROM {
            self.bytes.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        // A line that is already long grows in steps, because a vector would reserve twice its
        // size.
        let free = self.bytes.capacity() - self.bytes.len();
        if self.bytes.len() > LARGE && free < piece.len() {
            self.bytes.reserve_exact(piece.len().max(LARGE));
        }
        self.bytes.extend_from_slice(piece);
    }

    /// Advances to the next complete line, which [`Lines::line`] then returns. Returns false if no
    /// further line is complete yet.
    pub(crate) fn advance(&mut self) -> bool {
        let Some(at) = memchr::memchr(b'\n', &self.bytes[self.scanned..]) else {
            self.scanned = self.bytes.len();
            return false;
        };
        let end = self.scanned + at;
        self.line = self.start..end;
        (self.start, self.scanned) = (end + 1, end + 1);
        true
    }

    /// Returns the current line without its line break.
    pub(crate) fn line(&self) -> &[u8] {
        let line = &self.bytes[self.line.clone()];
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    /// Returns the bytes after the current line.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

/// The beginning and the end of a stream. Both ends are retained, because a sanitizer names the
/// crash first and prints many lines after it, whereas a panic message comes last.
#[derive(Debug, Default)]
pub(crate) struct Ends {
    head: Vec<u8>,
    tail: Vec<u8>,
    /// The number of bytes dropped between the beginning and the end.
    dropped: usize,
}

impl Ends {
    /// The number of bytes to retain from each end of the stream.
    const KEPT: usize = 2048;

    pub(crate) fn push(&mut self, piece: &[u8]) {
        let (head, rest) = piece.split_at(piece.len().min(Self::KEPT - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(rest);
        if self.tail.len() > 16 * Self::KEPT {
            self.drop_middle();
        }
    }

    fn drop_middle(&mut self) {
        let more = self.tail.len().saturating_sub(Self::KEPT);
        self.tail.drain(..more);
        self.dropped += more;
    }

    pub(crate) fn clear(&mut self) {
        self.head.clear();
        self.tail.clear();
        self.dropped = 0;
    }

    /// Returns the text, with a line that says how many bytes were dropped, if any.
    pub(crate) fn text(&mut self) -> String {
        self.drop_middle();
        let head = String::from_utf8_lossy(&self.head);
        let tail = String::from_utf8_lossy(&self.tail);
        match self.dropped {
            0 => String::from_utf8_lossy(&[self.head.as_slice(), &self.tail].concat()).into_owned(),
            dropped => format!("{head}\n[{dropped} bytes not shown]\n{tail}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Ends, Lines};

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
            // The buffer is never completely empty, so it stays small only if consumed bytes are
            // removed.
            lines.push(&[b'x'; 1000]);
            lines.push(b"\nx");
            while lines.advance() {}
        }
        assert!(lines.bytes.len() < 200_000, "{}", lines.bytes.len());
    }

    #[test]
    fn a_long_line_takes_little_more_memory_than_its_text_and_gives_it_back() {
        let mut lines = Lines::default();
        for _ in 0..1000 {
            lines.push(&[b'x'; 1 << 16]);
        }
        assert!(!lines.advance());
        let text = 1000 << 16;
        assert!(lines.bytes.capacity() <= text + super::LARGE + (1 << 16));
        lines.push(b"\n");
        assert!(lines.advance());
        assert_eq!(lines.line().len(), text);
        lines.push(b"x\n");
        assert!(lines.bytes.capacity() <= super::LARGE);
        assert!(lines.advance());
        assert_eq!(lines.line(), b"x");
    }

    #[test]
    fn both_ends_are_kept_and_the_gap_is_counted() {
        let mut ends = Ends::default();
        ends.push(b"the start");
        for _ in 0..100 {
            ends.push(&[b'.'; 1000]);
        }
        ends.push(b"the end");
        let text = ends.text();
        assert!(text.starts_with("the start.") && text.ends_with(".the end"));
        let missing = 100_016 - 2 * 2048;
        assert!(
            text.contains(&format!("\n[{missing} bytes not shown]\n")),
            "{text}"
        );
        assert_eq!(ends.text(), text, "reading changes nothing");
        ends.clear();
        ends.push("é".as_bytes());
        assert_eq!(ends.text(), "é");
    }

    #[test]
    fn a_character_at_the_border_of_the_head_stays_whole() {
        let mut ends = Ends::default();
        ends.push(&[b'.'; 2047]);
        ends.push("é and more".as_bytes());
        assert!(ends.text().ends_with(".é and more"));
    }
}
