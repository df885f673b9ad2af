//! A few bytes of a trace with the fault marked.

use serde::{Deserialize, Serialize};

use crate::text::counted;

const WIDTH: usize = 16;
/// The maximum number of lines. A longer excerpt would distract from the fault.
const LINES: usize = 6;

/// A few bytes of a trace around a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The position of the first byte in the trace, a multiple of 16.
    pub offset: u64,
    /// The bytes in hexadecimal.
    pub hex: String,
}

impl Excerpt {
    /// Creates an excerpt around the bytes `start..end` of a trace. The excerpt consists of whole
    /// lines of 16 bytes, including one line before and one after.
    ///
    /// ```
    /// let excerpt = tracegauge_results::Excerpt::around(b"TOY1\x07\xff", 5, 6);
    /// assert_eq!((excerpt.offset, excerpt.hex.as_str()), (0, "544f593107ff"));
    /// ```
    pub fn around(bytes: &[u8], start: u64, end: u64) -> Self {
        let length = bytes.len();
        let start = usize::try_from(start).map_or(length, |start| start.min(length));
        let end = usize::try_from(end).map_or(length, |end| end.clamp(start, length));
        let from = (start / WIDTH).saturating_sub(1) * WIDTH;
        let to = (end.div_ceil(WIDTH) + 1).saturating_mul(WIDTH).min(length);
        let to = to.min(from + LINES * WIDTH);
        Self {
            offset: from as u64,
            hex: hex::encode(&bytes[from..to]),
        }
    }

    /// Returns the lines of a hex dump with offset, bytes and characters. A line with bytes of
    /// `start..end` is followed by a line of marks. An empty range is marked by a bar before the
    /// byte at its position. If the range continues beyond the excerpt, the last line says so.
    pub fn lines(&self, start: u64, end: u64) -> Vec<String> {
        let bytes = hex::decode(&self.hex).unwrap_or_default();
        let mut lines = Vec::new();
        let mut offset = self.offset;
        for chunk in bytes.chunks(WIDTH) {
            lines.push(dump(offset, chunk));
            lines.extend(marks(offset, start, end));
            offset += chunk.len() as u64;
        }
        // If the trace ends at the end of a line, an extra line marks the missing bytes.
        if bytes.len().is_multiple_of(WIDTH) && start == offset {
            lines.push(format!("{offset:08x}"));
            lines.extend(marks(offset, start, end));
        }
        // A shorter excerpt ends where the trace ends.
        if bytes.len() == LINES * WIDTH && end > offset {
            let more = usize::try_from(end - offset).unwrap_or(usize::MAX);
            lines.push(format!("…         and {}", counted(more, "more byte")));
        }
        lines
    }
}

fn dump(offset: u64, bytes: &[u8]) -> String {
    let mut line = format!("{offset:08x} ");
    for byte in bytes {
        line.push_str(&format!(" {byte:02x}"));
    }
    line.push_str(&"   ".repeat(WIDTH - bytes.len()));
    line.push_str("  ");
    line.extend(bytes.iter().map(|byte| match byte {
        0x20..=0x7e => char::from(*byte),
        _ => '.',
    }));
    line
}

fn marks(offset: u64, start: u64, end: u64) -> Option<String> {
    if start >= end {
        let place = start.checked_sub(offset)?;
        let place = usize::try_from(place).ok().filter(|it| *it < WIDTH)?;
        return Some(format!("         {}|", "   ".repeat(place)));
    }
    let marked = |index: u64| (start..end).contains(&index);
    let line: String = (offset..offset + WIDTH as u64)
        .map(
            |index| match (marked(index), index > offset && marked(index - 1)) {
                (true, true) => "^^^",
                (true, false) => " ^^",
                (false, _) => "   ",
            },
        )
        .collect();
    let line = line.trim_end();
    (!line.is_empty()).then(|| format!("         {line}"))
}

#[cfg(test)]
mod tests {
    use super::Excerpt;

    #[test]
    fn marks_the_fault_and_nothing_else() {
        let bytes: Vec<u8> = (0..64).collect();
        let excerpt = Excerpt::around(&bytes, 18, 20);
        assert_eq!(excerpt.offset, 0);
        let lines = excerpt.lines(18, 20);
        assert_eq!(lines[2], "         ".to_owned() + "       ^^^^^");
        assert_eq!(lines.iter().filter(|line| line.contains('^')).count(), 1);
    }

    #[test]
    fn marks_where_the_trace_ends_too_early() {
        let bytes = [0u8; 16];
        let lines = Excerpt::around(&bytes, 16, 16).lines(16, 16);
        assert_eq!(lines.last().map(String::as_str), Some("         |"));
    }

    #[test]
    fn an_empty_range_is_not_marked_like_a_byte() {
        let lines = Excerpt::around(b"abcdef", 2, 2).lines(2, 2);
        assert_eq!(lines[1], format!("         {}|", "   ".repeat(2)));
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn a_range_that_continues_after_the_excerpt_says_so() {
        let bytes = [0u8; 256];
        let lines = |end| Excerpt::around(&bytes, 47, end).lines(47, end);
        assert_eq!(
            lines(143).last().map(String::as_str),
            Some("…         and 31 more bytes")
        );
        assert!(!lines(100).last().unwrap().contains("more"));
    }

    #[test]
    fn survives_spans_outside_the_trace() {
        let excerpt = Excerpt::around(b"abc", u64::MAX - 1, 0);
        assert_eq!(excerpt.lines(u64::MAX, u64::MAX).len(), 1);
    }

    #[test]
    fn is_short_for_a_long_fault() {
        let bytes = vec![0u8; 4096];
        assert!(Excerpt::around(&bytes, 0, 4096).hex.len() <= 2 * 6 * 16);
    }
}
