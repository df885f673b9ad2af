//! Where an expression stands: what its names mean there, and what has been read.

use super::kind::Value;
use super::uses::UseId;

/// Where an expression stands.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// The use of a type whose names it can say.
    pub(super) used: UseId,
    /// How far the fields of that use have been read.
    pub(super) seen: Seen,
    /// What `_` means.
    pub(super) this: Option<Value>,
}

/// How far the fields of a structure have been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Seen {
    /// Those before this one, which is being read.
    Before(usize),
    /// Those up to this one, part of which is being read.
    Through(usize),
    /// All of this structure.
    All,
    /// It does not matter: a writer knows everything.
    Free,
}

impl Seen {
    /// The field at this place has been read.
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

    /// The same place with a value under test.
    pub(super) fn with(&self, this: Value) -> Self {
        Self {
            this: Some(this),
            ..self.clone()
        }
    }
}
