//! Values at positions that are stored in the file.

/// The position that the offset of located elements is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocatedFrom {
    /// The end of the field that encodes the location.
    EndOfField,
    /// The start of the layout, where its first value begins.
    StartOfLayout,
}
