//! The traces of cases, some of which are too large for memory.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::Path;

use crate::case::Case;

/// The part of a case's bytes that its trace contains several times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The part.
    pub part: Range<usize>,
    /// The number of times.
    pub times: u64,
}

/// The size of the pieces in which a part is written. A piece that consists of zeros becomes a hole
/// in the file, which takes no space on most file systems.
const PIECE: usize = 4096;

impl Repeated {
    /// Returns the number of bytes that the trace has in addition to the case's bytes.
    fn more(&self) -> u64 {
        self.times
            .saturating_sub(1)
            .saturating_mul(self.part.len() as u64)
    }
}

/// A trace, which may be too large for memory.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'t> {
    /// The bytes, with the repeated part only once.
    pub bytes: &'t [u8],
    /// The part that the trace contains several times, if there is one.
    pub repeated: Option<&'t Repeated>,
}

impl Case {
    /// Returns true if the trace is too large for memory. Then, `bytes` has a part only once that
    /// the trace contains many times.
    pub fn is_huge(&self) -> bool {
        self.repeated.is_some()
    }

    /// Returns the trace.
    pub fn trace(&self) -> Trace<'_> {
        Trace {
            bytes: &self.bytes,
            repeated: self.repeated.as_ref(),
        }
    }
}

impl<'t> Trace<'t> {
    /// Returns the length of the trace in bytes.
    pub fn length(self) -> u64 {
        self.bytes.len() as u64 + self.repeated.map_or(0, Repeated::more)
    }

    /// Returns the position in `bytes` of the byte at `offset` in the trace.
    pub fn position(self, offset: u64) -> u64 {
        let Some(repeated) = self.repeated else {
            return offset;
        };
        let start = repeated.part.start as u64;
        let length = repeated.part.len() as u64;
        match offset.checked_sub(start) {
            None => offset,
            Some(after) if after >= length.saturating_mul(repeated.times) => {
                offset - repeated.more()
            }
            Some(inside) => start + inside % length.max(1),
        }
    }

    /// Returns a reader of the trace.
    pub fn read(self) -> impl Read + 't {
        let (before, part, times, after) = self.pieces();
        let part = Again {
            part,
            left: times,
            position: 0,
        };
        before.chain(part).chain(after)
    }

    /// Writes the trace to a new file. The file of a huge trace has holes where the trace consists
    /// of zeros.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(self, path: &Path) -> io::Result<()> {
        if self.repeated.is_none() {
            return std::fs::write(path, self.bytes);
        }
        let (before, part, times, after) = self.pieces();
        let mut file = File::create(path)?;
        file.write_all(before)?;
        let written: Vec<(u64, &[u8])> = (0_u64..)
            .step_by(PIECE)
            .zip(part.chunks(PIECE))
            .filter(|(_, piece)| piece.iter().any(|byte| *byte != 0))
            .collect();
        let mut start = before.len() as u64;
        for _ in 0..times {
            for (offset, piece) in &written {
                file.seek(SeekFrom::Start(start + offset))?;
                file.write_all(piece)?;
            }
            start += part.len() as u64;
        }
        file.seek(SeekFrom::Start(start))?;
        file.write_all(after)?;
        file.set_len(start + after.len() as u64)
    }

    /// Returns the bytes before the repeated part, the part, how often it occurs, and the bytes
    /// after it.
    fn pieces(self) -> (&'t [u8], &'t [u8], u64, &'t [u8]) {
        let Some(repeated) = self.repeated else {
            return (self.bytes, &[], 0, &[]);
        };
        let Range { start, end } = repeated.part.clone();
        let (before, rest) = self.bytes.split_at(start);
        let (part, after) = rest.split_at(end - start);
        (before, part, repeated.times, after)
    }
}

/// A reader of bytes that occur several times.
struct Again<'b> {
    part: &'b [u8],
    left: u64,
    position: usize,
}

impl Read for Again<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.position == self.part.len() {
            self.position = 0;
            self.left = self.left.saturating_sub(1);
        }
        if self.left == 0 {
            return Ok(0);
        }
        let length = (&self.part[self.position..]).read(buffer)?;
        self.position += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_read_and_written_alike() {
        let mut bytes = b"head".to_vec();
        bytes.extend([7]);
        bytes.extend([0; 3 * PIECE]);
        bytes.extend(b"xtail");
        let part = 4..bytes.len() - 4;
        for times in [1, 2, 5] {
            let repeated = Repeated {
                part: part.clone(),
                times,
            };
            let trace = Trace {
                bytes: &bytes,
                repeated: Some(&repeated),
            };
            let expected = [
                &b"head"[..],
                &bytes[part.clone()].repeat(usize::try_from(times).unwrap()),
                b"tail",
            ]
            .concat();
            let mut read = Vec::new();
            trace.read().read_to_end(&mut read).unwrap();
            assert_eq!(read, expected);
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("trace");
            trace.write(&path).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), expected);
            assert_eq!(trace.length(), expected.len() as u64);
            for (offset, byte) in (0..).zip(&expected) {
                let position = usize::try_from(trace.position(offset)).unwrap();
                assert_eq!(bytes[position], *byte, "at {offset}");
            }
            assert_eq!(trace.position(trace.length()), bytes.len() as u64);
        }
    }

    #[test]
    fn an_ordinary_trace_is_its_bytes() {
        let trace = Trace {
            bytes: b"TOY1",
            repeated: None,
        };
        let mut read = Vec::new();
        trace.read().read_to_end(&mut read).unwrap();
        assert_eq!(
            (read.as_slice(), trace.length(), trace.position(3)),
            (&b"TOY1"[..], 4, 3)
        );
    }
}
