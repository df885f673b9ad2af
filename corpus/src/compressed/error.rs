//! Why compressed data are not read.

use std::{fmt, io};

use super::Compression;

/// Why compressed data are not read, or not to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecompressError {
    /// There is more than is decompressed of any file.
    TooLong {
        /// How the file is compressed.
        compression: Compression,
        /// How many bytes are decompressed at most.
        most: u64,
    },
    /// Few compressed bytes stand for very many.
    TooDense {
        /// How the file is compressed.
        compression: Compression,
        /// How many compressed bytes have been read.
        read: u64,
        /// How many times as many they may stand for.
        ratio: u64,
    },
    /// The compressed data end too early.
    Cut {
        /// How the file is compressed.
        compression: Compression,
        /// How many compressed bytes there are.
        at: u64,
    },
    /// The compressed data are not as they were written.
    Damaged {
        /// How the file is compressed.
        compression: Compression,
        /// How many compressed bytes had been decoded when it was found out.
        at: u64,
        /// The decoder's message.
        why: String,
    },
    /// Something else follows the compressed data.
    Foreign {
        /// How the file is compressed.
        compression: Compression,
        /// The compressed byte that it begins with.
        at: u64,
    },
}

impl DecompressError {
    /// Whether `error` says that there is too much to decompress. The file itself may be right.
    ///
    /// ```
    /// use tracegauge_corpus::compressed::{Compression, DecompressError};
    /// let error = DecompressError::TooLong { compression: Compression::Gzip, most: 4 << 30 };
    /// assert!(DecompressError::is_too_much(&error.into()));
    /// assert!(!DecompressError::is_too_much(&std::io::ErrorKind::NotFound.into()));
    /// ```
    pub fn is_too_much(error: &io::Error) -> bool {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
        matches!(inner, Some(Self::TooLong { .. } | Self::TooDense { .. }))
    }
}

impl fmt::Display for DecompressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { compression, most } => write!(
                f,
                "decompressed it has more than {} GiB; decompress it first (`{}`)",
                most >> 30,
                compression.command()
            ),
            Self::TooDense {
                compression,
                read,
                ratio,
            } => write!(
                f,
                "{read} compressed bytes become more than {ratio} times as many, so it may be made to \
                 fill memory; if you trust it, decompress it first (`{}`)",
                compression.command()
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
                "the {compression} data end at compressed byte {at}, and something else follows"
            ),
        }
    }
}

impl std::error::Error for DecompressError {}

impl From<DecompressError> for io::Error {
    fn from(error: DecompressError) -> Self {
        let kind = match error {
            DecompressError::TooLong { .. } | DecompressError::TooDense { .. } => {
                io::ErrorKind::FileTooLarge
            }
            _ => io::ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}

/// A fault that a gzip or zstd decoder reports.
pub(super) enum Fault {
    /// Where a member or a frame ended, something else begins, at this compressed byte.
    Foreign(u64),
    /// Anything else, or the source cannot be read or is at its end.
    Damaged(String),
}

impl Fault {
    pub(super) fn damaged(why: impl fmt::Display) -> Self {
        Self::Damaged(why.to_string())
    }
}
