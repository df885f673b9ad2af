//! The context in which an expression is evaluated.

use super::kind::Value;
use super::uses::UseId;

/// The context in which an expression is evaluated. The context defines the meaning of names and
/// which fields have been read.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// The use of the type whose names are visible.
    pub(super) used: UseId,
    /// How many fields of this use have been read.
    pub(super) seen: Seen,
    /// The value of `_`.
    pub(super) this: Option<Value>,
}

/// How many fields of a structure have been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Seen {
    /// The fields before this index have been read. The field at this index is being read.
    Before(usize),
    /// The fields before this index have been read, and the field at this index has been read in
    /// part.
    Through(usize),
    /// The whole structure has been read.
    All,
    /// All fields are accessible, because the expression is evaluated by a writer, which knows all
    /// values.
    Free,
}

impl Seen {
    /// Returns `true` if the field at this position has been read.
    pub(super) fn has(self, at: usize) -> bool {
        match self {
            Self::Before(bound) => at < bound,
            Self::Through(last) => at <= last,
            Self::All | Self::Free => true,
        }
    }
}

impl Site {
    pub(super) fn new(used: UseId, seen: Seen) -> Self {
        Self {
            used,
            seen,
            this: None,
        }
    }

    /// Returns the same context with a value for `_`.
    pub(super) fn with(&self, this: Value) -> Self {
        Self {
            this: Some(this),
            ..self.clone()
        }
    }
}
