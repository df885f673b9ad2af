//! Reasons why an operator makes no case.

/// The reason why an operator makes no case at a place of a twin. Of several reasons, the last one
/// in this order is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoCase {
    /// The twin lacks what the operator needs, such as a removed row.
    Lacking,
    /// The field cannot represent the value.
    Inexpressible,
    /// The value is already there, or nothing forbids it.
    Allowed,
    /// A different rule is violated first.
    Overtaken,
    /// Nothing in the trace contradicts the change: the bytes merely parse as different data.
    Uncontradicted,
}

impl NoCase {
    /// Returns a readable description of what was found at the places that were tried. This is no
    /// proof that all traces lack a case.
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
