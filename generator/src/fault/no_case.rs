//! Reasons why an operator produces no case.

/// The reason why an operator produces no case at a node of a valid trace (the twin). If several
/// reasons apply, the last one in the order of declaration is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoCase {
    /// The valid trace lacks something that the operator needs, such as a row that is removed.
    Lacking,
    /// The field cannot represent the value that the operator would give it.
    Inexpressible,
    /// The field already has this value, or no rule forbids it.
    Allowed,
    /// A different rule is violated first.
    Overtaken,
    /// Nothing in the trace contradicts the change: the bytes merely parse as different data.
    Uncontradicted,
}

impl NoCase {
    /// Returns a human-readable explanation of why the nodes that were tried yield no case. The
    /// explanation does not prove that a case is impossible in every trace.
    pub fn met(self) -> &'static str {
        match self {
            Self::Lacking => "none of the traces tried has the structure that the fault requires",
            Self::Inexpressible => "the field cannot hold the faulty value",
            Self::Allowed => "no rule forbids the value here",
            Self::Overtaken => "the changed trace violates another rule first",
            Self::Uncontradicted => {
                "the changed trace is valid: the following bytes are read as other data"
            }
        }
    }
}
