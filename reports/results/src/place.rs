//! The places in a trace that a failure is about.

use serde::{Deserialize, Serialize};

use crate::excerpt::Excerpt;

/// Bytes of a trace that an expected value was read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// How the bytes relate to the value.
    pub part: OriginPart,
    /// The path of the field, for example `frames[3].body.length`. Empty for the whole trace.
    pub path: String,
    /// The position of the first byte.
    pub offset: u64,
    /// The number of bytes.
    pub length: u64,
    /// The bytes and their surroundings.
    pub excerpt: Excerpt,
}

impl Origin {
    /// Returns the position after the last byte.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.length)
    }
}

/// How bytes in a trace relate to an expected value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OriginPart {
    /// The bytes are inside the record itself.
    Value,
    /// The bytes are outside the record: where the value was last written, or in a table row that
    /// the record refers to.
    Elsewhere,
    /// The bytes are the whole record, because the value has no bytes of its own.
    Record,
}

/// Bytes of a valid trace that a reader probably misreads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookAt {
    /// The rule that these bytes are the first to exercise. `None` if the reader reported the byte
    /// where it stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The rules exercised by the parts of the trace that enclose the byte where the reader
    /// stopped, innermost part first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// The position of the first byte.
    pub offset: u64,
    /// The number of bytes.
    pub length: u64,
    /// The bytes and their surroundings.
    pub excerpt: Excerpt,
}

impl LookAt {
    /// Describes the bytes `offset..offset + length` of a trace, which the reader reported or which
    /// exercise `rule`.
    pub fn new(bytes: &[u8], rule: Option<String>, offset: u64, length: u64) -> Self {
        Self {
            rule,
            near: Vec::new(),
            offset,
            length,
            excerpt: Excerpt::around(bytes, offset, offset.saturating_add(length)),
        }
    }

    /// Returns the position after the last byte.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.length)
    }
}

/// The location of the fault in a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The path of the field.
    pub path: String,
    /// The position of the field's first byte.
    pub start: u64,
    /// The position after the field's last byte.
    pub end: u64,
    /// For a trace that the reader wrongly accepts: the rules of the field, except for the rule that
    /// the trace violates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<String>,
}
