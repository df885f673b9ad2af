//! The numbers by which a recording names the kind of an event and the form of its text. The build
//! script, which writes recordings, compiles this file too.

/// The kind of an event, in the upper bits of its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Plain = 0,
    SingleQuoted = 1,
    DoubleQuoted = 2,
    Block = 3,
    Sequence = 4,
    Mapping = 5,
    End = 6,
}

/// The location of a scalar's value, in the lower bits of the first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Form {
    /// The value is the text of the span, without white space at its end.
    Span = 0,
    /// The value is the text of the span, without its first and last byte.
    Inside = 1,
    /// The value follows, after its length.
    Stored = 2,
}

/// The number of bits of a [`Form`].
pub(super) const FORM_BITS: u32 = 2;
