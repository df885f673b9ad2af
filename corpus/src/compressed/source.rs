//! Reads compressed bytes from a source and counts them.

use std::io::{self, BufRead, ErrorKind, Read};

/// The number of bytes read at once.
const PIECE: usize = 32 * 1024;

/// A source of compressed bytes. Read errors are stored, because the decoders do not distinguish
/// them from damaged data.
pub(super) struct Source<R> {
    /// The underlying reader, or `None` for an empty source.
    from: Option<R>,
    buffer: Vec<u8>,
    /// The number of bytes in the buffer that have already been decoded.
    used: usize,
    taken: u64,
    is_over: bool,
    failure: Option<io::Error>,
}

impl<R: Read> Source<R> {
    /// Creates a source for a file that begins with `head`, which has already been read from it.
    pub(super) fn new(head: Vec<u8>, from: R) -> Self {
        Self {
            from: Some(from),
            taken: head.len() as u64,
            buffer: head,
            used: 0,
            is_over: false,
            failure: None,
        }
    }

    /// Creates an empty source.
    pub(super) fn nothing() -> Self {
        Self {
            from: None,
            buffer: Vec::new(),
            used: 0,
            taken: 0,
            is_over: false,
            failure: None,
        }
    }

    /// Returns the number of bytes that have been read.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Returns the number of bytes that have been decoded.
    pub(super) fn position(&self) -> u64 {
        self.taken - (self.buffer.len() - self.used) as u64
    }

    /// Returns true if a read reached the end of the source.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Takes the stored read error.
    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// Skips `count` bytes.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be read or fewer than `count` are left.
    pub(super) fn skip(&mut self, mut count: u64) -> io::Result<()> {
        while count > 0 {
            let there = self.fill_buf()?.len();
            if there == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            let some = usize::try_from(count).map_or(there, |count| count.min(there));
            self.consume(some);
            count -= some as u64;
        }
        Ok(())
    }
}

impl<R: Read> BufRead for Source<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.used == self.buffer.len() && !self.is_over {
            self.used = 0;
            self.buffer.resize(PIECE, 0);
            let from = self.from.as_mut();
            let read = from.map_or(Ok(0), |from| from.read(&mut self.buffer));
            self.buffer.truncate(*read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => self.is_over = true,
                Ok(count) => self.taken += count as u64,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    let told = error.kind().into();
                    self.failure = Some(error);
                    return Err(told);
                }
            }
        }
        Ok(&self.buffer[self.used..])
    }

    fn consume(&mut self, count: usize) {
        self.used = (self.used + count).min(self.buffer.len());
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}
