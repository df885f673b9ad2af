//! Compressed bytes, counted while they are read.

use std::io::{self, BufRead, ErrorKind, Read};

/// Bytes that are read at once.
const PIECE: usize = 32 * 1024;

/// Compressed bytes. What went wrong with reading them is kept, since decoders do not tell it from
/// what is wrong with the data.
pub(super) struct Source<R> {
    /// Absent in a source without bytes.
    from: Option<R>,
    buffer: Vec<u8>,
    /// How much of the buffer has been decoded.
    used: usize,
    taken: u64,
    is_over: bool,
    failure: Option<io::Error>,
}

impl<R: Read> Source<R> {
    /// A file that begins with `head`, which has been read from it.
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

    /// No bytes at all.
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

    /// How many bytes have been read.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// How many bytes have been decoded.
    pub(super) fn position(&self) -> u64 {
        self.taken - (self.buffer.len() - self.used) as u64
    }

    /// Whether more was wanted than there is.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Why it could not be read.
    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// Passes over so many bytes.
    ///
    /// # Errors
    /// They cannot be read, or there are fewer.
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
