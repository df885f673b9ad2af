//! The encodings of text.

use std::fmt;

/// The encoding of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// ASCII; bytes above 127 are ill-formed.
    Ascii,
    /// UTF-8.
    Utf8,
    /// CESU-8, which encodes each half of a surrogate pair in three bytes.
    Cesu8,
    /// UTF-16, little-endian.
    Utf16Le,
    /// UTF-16, big-endian.
    Utf16Be,
    /// ISO 8859-1.
    Latin1,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ascii => "ASCII",
            Self::Utf8 => "UTF-8",
            Self::Cesu8 => "CESU-8",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
            Self::Latin1 => "ISO 8859-1",
        })
    }
}

impl Encoding {
    /// Returns whether the encoding represents the halves of a surrogate pair separately, so that
    /// an unpaired half can be distinguished from other errors.
    pub fn has_halves(self) -> bool {
        matches!(self, Self::Cesu8 | Self::Utf16Le | Self::Utf16Be)
    }
}
