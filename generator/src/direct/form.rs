//! How the size of a value of a described type is computed.

/// How the size of a type is computed.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// The size does not depend on the contents.
    Plain(u64),
    /// The size is the sum of the sizes of the contents.
    Inside,
    /// The size is the size of the contents multiplied by the element count.
    Times,
}
