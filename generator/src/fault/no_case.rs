//! Reasons why an operator produces no case.

/// The reason why an operator produces no case at a node of a twin. If there are several reasons,
/// the last one in this order is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoCase {
    /// The twin lacks something that the operator needs, such as a removed row.
    Lacking,
    /// The field cannot represent the value.
    Inexpressible,
    /// The field already has the value, or nothing forbids the value.
    Allowed,
    /// A different rule is violated first.
    Overtaken,
    /// Nothing in the trace contradicts the change: the bytes merely parse as different data.
    Uncontradicted,
}

impl NoCase {
    /// Returns a human-readable description of the reason at the nodes that were tried. This does
    /// not prove that the case is impossible in every trace.
    pub fn met(self) -> &'static str {
        match self {
            Self::Lacking => "no trace has the necessary structure",
            Self::Inexpressible => "the field cannot hold the faulty value",
            Self::Allowed => "no rule forbids the value here",
            Self::Overtaken => "another rule is violated first",
            Self::Uncontradicted => {
                "the result is valid: the following bytes are read as other \
                data"
            }
        }
    }
}
