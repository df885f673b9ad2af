//! Why an operator makes no case.

/// Why an operator makes no case at a place of a twin; the last of several is what is said of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoCase {
    /// The twin does not have what the operator needs: a row that has ended, say.
    Lacking,
    /// The field can say no such thing.
    Inexpressible,
    /// It is what stands there already, or nothing forbids it.
    Allowed,
    /// Another rule is broken first.
    Overtaken,
    /// Nothing in the trace contradicts it: other data, read in another way.
    Uncontradicted,
}

impl NoCase {
    /// What was met at the places that were tried, for people; no proof for all traces.
    pub fn met(self) -> &'static str {
        match self {
            Self::Lacking => "no trace has what it takes",
            Self::Inexpressible => "the field can say no such thing",
            Self::Allowed => "nothing forbids it there",
            Self::Overtaken => "another rule is broken before it is",
            Self::Uncontradicted => "nothing contradicts it: what follows is read as other data",
        }
    }
}
