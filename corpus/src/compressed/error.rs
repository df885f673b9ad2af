//! Errors that can occur while reading compressed data.

use std::{fmt, io};

use super::Compression;

/// An error that occurred while decompressing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecompressError {
    /// The decompressed data are larger than the limit for any file.
    TooLong {
        /// The compression of the file.
        compression: Compression,
        /// The maximum number of decompressed bytes.
        most: u64,
    },
    /// The ratio of decompressed to compressed bytes is suspiciously high.
    TooDense {
        /// The compression of the file.
        compression: Compression,
        /// The number of compressed bytes read.
        read: u64,
        /// The maximum ratio of decompressed to compressed bytes.
        ratio: u64,
    },
    /// A zstd frame needs a larger window of decompressed data than the decoder keeps in memory.
    Window {
        /// The compression of the file.
        compression: Compression,
        /// The size of the window in bytes.
        window: u64,
        /// The maximum size of a window in bytes.
        most: u64,
    },
    /// The compressed data end too early.
    Cut {
        /// The compression of the file.
        compression: Compression,
        /// The number of compressed bytes in the file.
        at: u64,
    },
    /// The compressed data are damaged.
    Damaged {
        /// The compression of the file.
        compression: Compression,
        /// The number of compressed bytes consumed when the damage was detected.
        at: u64,
        /// The error message of the decompressor.
        why: String,
    },
    /// Data in another format follow the compressed data.
    Foreign {
        /// The compression of the file.
        compression: Compression,
        /// The offset in the compressed file where data in another format begin.
        at: u64,
    },
}

impl DecompressError {
    /// Returns true if `error` means that the decompressed data exceed a limit. The file itself may
    /// be valid.
    ///
    /// ```
    /// use tracegauge_corpus::compressed::{Compression, DecompressError};
    /// let error = DecompressError::TooLong { compression: Compression::Gzip, most: 4 << 30 };
    /// assert!(DecompressError::is_too_much(&error.into()));
    /// assert!(!DecompressError::is_too_much(&std::io::ErrorKind::NotFound.into()));
    /// ```
    pub fn is_too_much(error: &io::Error) -> bool {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
        matches!(
            inner,
            Some(Self::TooLong { .. } | Self::TooDense { .. } | Self::Window { .. })
        )
    }
}

impl fmt::Display for DecompressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { compression, most } => write!(
                f,
                "the decompressed data are larger than {} GiB; decompress the file first (`{}`)",
                most >> 30,
                compression.command()
            ),
            Self::TooDense {
                compression,
                read,
                ratio,
            } => write!(
                f,
                "{read} compressed bytes expand by more than a factor of {ratio}, as in a decompression \
                 bomb; if you trust the file, decompress it first (`{}`)",
                compression.command()
            ),
            Self::Window {
                compression,
                window,
                most,
            } => write!(
                f,
                "the {compression} data need a window of {} MiB, but the limit is {} MiB; \
                 decompress the file first (`{} --memory={}MB`)",
                window.div_ceil(1 << 20),
                most >> 20,
                compression.command(),
                window.div_ceil(1 << 20),
            ),
            Self::Cut { compression, at } => write!(
                f,
                "the {compression} data end too early, after {at} compressed bytes"
            ),
            Self::Damaged {
                compression,
                at,
                why,
            } => write!(
                f,
                "the {compression} data are damaged, at or before compressed byte {at}: {why}"
            ),
            Self::Foreign { compression, at } => write!(
                f,
                "the {compression} data end at compressed byte {at}, but other data follow"
            ),
        }
    }
}

impl std::error::Error for DecompressError {}

impl From<DecompressError> for io::Error {
    fn from(error: DecompressError) -> Self {
        let kind = match error {
            DecompressError::TooLong { .. }
            | DecompressError::TooDense { .. }
            | DecompressError::Window { .. } => io::ErrorKind::FileTooLarge,
            _ => io::ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}

/// A fault reported by the gzip or zstd decoder.
pub(super) enum Fault {
    /// Data in another format begin at this offset in the compressed file.
    Foreign(u64),
    /// A frame needs a larger window than the decoder allows. Contains the required and the maximum
    /// size in bytes.
    Window(u64, u64),
    /// Any other fault in the compressed data, including a read error and an unexpected end of the
    /// source.
    Damaged(String),
}

impl Fault {
    pub(super) fn damaged(why: impl fmt::Display) -> Self {
        Self::Damaged(why.to_string())
    }
}
