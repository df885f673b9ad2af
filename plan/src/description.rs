//! Facts about a description that are used in messages and to detect dialects.

use std::sync::Arc;

use crate::source::Sources;
use crate::terms::{Rule, RuleId};

/// The parts of a description that appear in messages or distinguish formats and dialects.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// The id of the format, without a dialect, such as `tlv-v1`.
    pub id: String,
    /// The name that all versions of the format share.
    pub family: String,
    /// The file extensions, without the dot.
    pub file_extensions: Vec<String>,
    /// The rule that states the byte order.
    pub endian_rule: Option<RuleId>,
    /// The source files.
    pub sources: Sources,
    /// The rules as the description declares them, with the same indexes as
    /// [`Plan::rules`](crate::Plan::rules).
    pub rules: Arc<[Rule]>,
    /// All dialects.
    pub dialects: Vec<Dialect>,
}

impl Description {
    /// Returns the rule with this index.
    pub fn rule(&self, id: RuleId) -> Option<&Rule> {
        self.rules.get(id.index())
    }
}

/// A dialect of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The id of the dialect, such as `tlv-v1@strict`.
    pub id: String,
    /// The content that identifies a file of this dialect.
    pub detection: Detection,
    /// Whether this dialect is assumed if the content of a file does not identify a dialect.
    pub is_default: bool,
}

/// The content that identifies a file of a dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detection {
    /// Byte strings and the offsets where they must occur.
    pub bytes: Vec<(u64, Vec<u8>)>,
    /// A field that must have a particular value.
    pub field: Option<DetectedField>,
}

/// A field whose value identifies a dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetectedField {
    /// The names on the path from the root to the field.
    pub path: Vec<String>,
    /// The number that identifies the dialect, or `None` if the value is not a number.
    pub value: Option<i128>,
}

impl Detection {
    /// Returns whether there are no criteria.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.field.is_none()
    }

    /// Returns whether `bytes` contains the byte strings at their offsets.
    pub fn matches_bytes(&self, bytes: &[u8]) -> bool {
        self.bytes.iter().all(|(offset, wanted)| {
            let start = usize::try_from(*offset).unwrap_or(usize::MAX);
            bytes
                .get(start..)
                .is_some_and(|rest| rest.starts_with(wanted))
        })
    }
}
