//! The state that a file defines.

/// The row that remains in the table if two rows have the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// The first row.
    First,
    /// The last row.
    Last,
}
