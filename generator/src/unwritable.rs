//! Describes nodes of a tree that cannot be encoded.

use std::fmt;

use tracegauge_decoder::tree::NodeId;

/// A node that cannot be written with the value that it has in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// The node.
    pub node: NodeId,
    /// The reason.
    pub why: Why,
}

/// The reason why a node cannot be written with the value that it has in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The node is a field but has no value.
    NoValue,
    /// The node is a number, but its value is bytes.
    NoNumber,
    /// The node has a number, but its operation writes no number.
    NoBytes,
    /// The node is a field but has children.
    Inside,
    /// The number does not fit in its field. Contains the number, and the minimum and maximum that
    /// fit.
    Range(i128, i128, i128),
    /// The requested encoding of a variable-length integer is too short. Contains the requested and
    /// the required number of bytes.
    EncodingForm(u8, u8),
    /// Readers add an earlier value (the base) to the number in the trace, and the tree does not
    /// specify the base.
    NoBase,
    /// The bit field overlaps another bit field of the same run.
    Twice,
    /// A run of bit fields is incomplete.
    Unfilled,
    /// The node represents bytes stored elsewhere, starting at this position, but the bytes at that
    /// position are different.
    Shown(u64),
    /// A different number would be written. Contains the requested number, the number that would be
    /// written, and the minimum and maximum value of the field.
    OtherNumber(i128, i128, (i128, i128)),
    /// Different bytes would be written.
    OtherBytes(Box<OtherSize>),
    /// A different number of elements would be written.
    OtherCount(Box<OtherSize>),
    /// A variable-length integer would be encoded with a different length. Contains the requested
    /// number of bytes and the number that would be written.
    OtherForm(u8, u8),
    /// A different field would be written at this position, or no field at all.
    OtherField(Option<String>),
}

/// The size of a node, in bytes or elements, in the tree and in the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherSize {
    /// The size in the tree.
    pub wanted: u64,
    /// The size in the trace.
    pub written: u64,
    /// The field that stores the size, and the maximum size that fits in it.
    pub measured: Option<(String, i128)>,
}

impl OtherSize {
    fn show(&self, f: &mut fmt::Formatter<'_>, what: &str) -> fmt::Result {
        let Self {
            wanted, written, ..
        } = self;
        if wanted == written {
            write!(
                f,
                "the {wanted} {what} in the trace would differ from those of the node"
            )?;
        } else {
            write!(
                f,
                "the trace would contain {written} {what} here, expected {wanted}"
            )?;
        }
        match &self.measured {
            Some((field, most)) if i128::from(*wanted) > *most => {
                write!(f, ": the field `{field}` can express at most {most}")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue => f.write_str("`value` is missing"),
            Self::NoNumber => f.write_str("expected a number, found bytes"),
            Self::NoBytes => {
                f.write_str("the value is a number, but this field does not contain one")
            }
            Self::Inside => f.write_str(
                "this node is a field without parts, so it can have a `value` but no child nodes \
                 (`nodes`)",
            ),
            Self::Range(value, least, greatest) => {
                write!(f, "{value} is out of range, expected {least} to {greatest}")
            }
            Self::EncodingForm(spelling, least) => write!(
                f,
                "`spelling` (a number of bytes) is {spelling}, but the value needs {least} bytes"
            ),
            Self::NoBase => f.write_str(
                "`base` is missing; it is the number that a reader adds to the number in the trace",
            ),
            Self::Twice => f.write_str("this bit field overlaps a bit field in the same bytes"),
            Self::Unfilled => f.write_str("other bit fields in the same bytes are missing"),
            Self::Shown(at) => write!(
                f,
                "the node repeats the bytes of another field, but the two copies differ starting at \
                 byte {at}; make them identical"
            ),
            Self::OtherNumber(value, found, (least, greatest)) => write!(
                f,
                "{value} would be written as {found}; the field can hold {least} to {greatest}"
            ),
            Self::OtherBytes(sizes) => sizes.show(f, "bytes"),
            Self::OtherCount(sizes) => sizes.show(f, "elements"),
            Self::OtherForm(wanted, found) => {
                write!(
                    f,
                    "`spelling` (a number of bytes) is {wanted}, but the value would be encoded in \
                     {found} bytes"
                )
            }
            Self::OtherField(Some(field)) => {
                write!(
                    f,
                    "the trace would contain `{field}` here instead of this node"
                )
            }
            Self::OtherField(None) => f.write_str("the trace would end before this node"),
        }
    }
}

impl std::error::Error for Unwritable {}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}: {}", self.node, self.why)
    }
}
