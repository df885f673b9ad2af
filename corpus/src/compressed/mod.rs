//! Reads traces compressed with gzip or zstd. Compressed traces are recognized by their first bytes
//! and decompressed while they are read.
//!
//! Compressed data may be hostile: a few bytes can expand to gigabytes. The decompressed size is
//! therefore bounded, both in total and relative to the compressed size.

mod error;
mod gzip;
mod source;
mod zstd;

#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{self, Read};

pub use error::DecompressError;
use error::Fault;
use gzip::Gzip;
use source::Source;
use zstd::Zstd;

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// gzip with deflate (RFC 1952).
    Gzip,
    /// Zstandard (RFC 8878).
    Zstd,
}

impl Compression {
    /// Returns the compression of a file that begins with `head`, if any.
    ///
    /// ```
    /// use tracegauge_corpus::compressed::Compression;
    /// assert_eq!(Compression::of(&[0x1f, 0x8b, 8, 0]), Some(Compression::Gzip));
    /// assert_eq!(Compression::of(b"TRC\0"), None);
    /// ```
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, 8, ..] => Some(Self::Gzip),
            // The magic number of a zstd frame or of a skippable frame.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    /// Returns the shell command that decompresses a file in this format to standard output.
    pub fn command(self) -> &'static str {
        match self {
            Self::Gzip => "gzip -dc",
            Self::Zstd => "zstd -dc",
        }
    }

    /// Returns the error message for a compressed file given to a command that writes a trace. The
    /// trace it writes would not be compressed, so the command rejects the file, and the message
    /// says what to do instead.
    pub fn refusal(self) -> String {
        format!(
            "the file is compressed with {self}; decompress it first (`{} FILE > TRACE`), or use the \
             compressed bytes themselves with --raw",
            self.command()
        )
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        })
    }
}

/// Limits on the decompressed size.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// The maximum number of decompressed bytes.
    total: u64,
    /// The maximum number of decompressed bytes for each compressed byte read.
    ratio: u64,
}

const BOUNDS: Bounds = Bounds {
    total: 4 << 30,
    ratio: 1000,
};

/// Decompresses a file, with all its gzip members or zstd frames concatenated.
///
/// After a read has failed, every later read returns the same error.
pub struct Decompressed<R> {
    compression: Compression,
    decoder: Decoder<R>,
    bounds: Bounds,
    given: u64,
    failure: Option<DecompressError>,
}

enum Decoder<R> {
    Gzip(Box<Gzip<R>>),
    Zstd(Box<Zstd<R>>),
}

impl<R> fmt::Debug for Decompressed<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Decompressed");
        shown.field("compression", &self.compression);
        shown.field("given", &self.given);
        shown.finish_non_exhaustive()
    }
}

impl<R: Read> Decompressed<R> {
    /// Creates a decompressor for a file that begins with `head`, which the caller has already
    /// read.
    pub fn new(compression: Compression, head: Vec<u8>, rest: R) -> Self {
        Self::within(BOUNDS, compression, head, rest)
    }

    fn within(bounds: Bounds, compression: Compression, head: Vec<u8>, rest: R) -> Self {
        let source = Source::new(head, rest);
        let decoder = match compression {
            Compression::Gzip => Decoder::Gzip(Box::new(Gzip::new(source))),
            Compression::Zstd => Decoder::Zstd(Box::new(Zstd::new(source))),
        };
        Self {
            compression,
            decoder,
            bounds,
            given: 0,
            failure: None,
        }
    }

    fn source(&mut self) -> &mut Source<R> {
        match &mut self.decoder {
            Decoder::Gzip(gzip) => gzip.source(),
            Decoder::Zstd(zstd) => zstd.source(),
        }
    }

    /// Converts a fault reported by the gzip or zstd decoder to an error that describes the problem
    /// in the compressed data.
    fn told(&mut self, fault: Fault) -> io::Error {
        let compression = self.compression;
        let source = self.source();
        if let Some(failure) = source.take_failure() {
            return failure;
        }
        let at = source.position();
        let error = match fault {
            Fault::Foreign(at) => DecompressError::Foreign { compression, at },
            Fault::Window(window, most) => DecompressError::Window {
                compression,
                window,
                most,
            },
            Fault::Damaged(_) if source.is_over() => DecompressError::Cut { compression, at },
            Fault::Damaged(why) => DecompressError::Damaged {
                compression,
                at,
                why,
            },
        };
        self.failed(error)
    }

    fn failed(&mut self, error: DecompressError) -> io::Error {
        self.failure = Some(error.clone());
        error.into()
    }

    /// Checks that the size of the data returned so far is within the bounds.
    fn bound(&mut self) -> Result<(), DecompressError> {
        let compression = self.compression;
        if self.given > self.bounds.total {
            let most = self.bounds.total;
            return Err(DecompressError::TooLong { compression, most });
        }
        let (ratio, read) = (self.bounds.ratio, self.source().taken());
        if self.given > read.saturating_mul(ratio) {
            return Err(DecompressError::TooDense {
                compression,
                read,
                ratio,
            });
        }
        Ok(())
    }
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone().into());
        }
        if into.is_empty() {
            return Ok(0);
        }
        let read = match &mut self.decoder {
            Decoder::Gzip(gzip) => gzip.read(into),
            Decoder::Zstd(zstd) => zstd.read(into),
        };
        let count = read.map_err(|fault| self.told(fault))?;
        self.given += count as u64;
        match self.bound() {
            Ok(()) => Ok(count),
            Err(error) => Err(self.failed(error)),
        }
    }
}
