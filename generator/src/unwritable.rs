//! Nodes of a tree that no bytes say.

use std::fmt;

use tracegauge_decoder::tree::NodeId;

/// A node that cannot be written as the tree has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// The node.
    pub node: NodeId,
    /// Why.
    pub why: Why,
}

/// Why a node cannot be written as the tree has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// It is a field and has no value.
    NoValue,
    /// It is a number, and its value is bytes.
    NoNumber,
    /// It has a number, and its operation writes none.
    NoBytes,
    /// It is a field, and something is inside.
    Inside,
    /// A number that does not fit: the value, and the least and greatest that do.
    Range(i128, i128, i128),
    /// A variable-length integer in fewer bytes than it needs: how many, and how many it needs.
    Spelling(u8, u8),
    /// A reader adds something to what is on the wire, and the tree does not say what.
    NoBase,
    /// A run of bit fields has this one twice.
    Twice,
    /// A run of bit fields lacks some.
    Unfilled,
    /// It shows bytes that stand elsewhere, from this position on, and those are others.
    Shown(u64),
    /// Another number would be written: the value, the one that would be, and the least and
    /// greatest that the field can hold.
    OtherNumber(i128, i128, (i128, i128)),
    /// Other bytes would be written.
    OtherBytes(Box<OtherSize>),
    /// Another number of elements would be written.
    OtherCount(Box<OtherSize>),
    /// A variable-length integer would have another number of bytes: how many it is to have, and
    /// how many it would.
    OtherSpelling(u8, u8),
    /// Something else would be written here, or nothing.
    OtherField(Option<String>),
}

/// How much there is of something, and how much would be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherSize {
    /// In the tree.
    pub wanted: u64,
    /// In the trace.
    pub written: u64,
    /// The field that says how much there is, and the most that it can say.
    pub measured: Option<(String, i128)>,
}

impl OtherSize {
    fn show(&self, f: &mut fmt::Formatter<'_>, what: &str) -> fmt::Result {
        let Self {
            wanted, written, ..
        } = self;
        if wanted == written {
            write!(f, "other {what} than the {wanted} here would be written")?;
        } else {
            write!(
                f,
                "{wanted} {what} would become {written} in the trace of this tree"
            )?;
        }
        match &self.measured {
            Some((field, most)) if i128::from(*wanted) > *most => {
                write!(f, ": `{field}` can say {most} at most")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue => f.write_str("`value` is missing"),
            Self::NoNumber => f.write_str("a number is wanted, and not bytes"),
            Self::NoBytes => f.write_str("nothing of this kind can be written here"),
            Self::Inside => f.write_str("a field has a value and nothing inside"),
            Self::Range(value, least, greatest) => {
                write!(f, "{value} does not fit, {least} to {greatest} do")
            }
            Self::Spelling(spelling, least) => write!(
                f,
                "`spelling` is {spelling}, and the value needs {least} bytes"
            ),
            Self::NoBase => f.write_str(
                "`base` is missing: what a reader adds to the number that stands in the trace",
            ),
            Self::Twice => f.write_str("these bits have been given before"),
            Self::Unfilled => f.write_str("not all of the bits are given"),
            Self::Shown(at) => write!(
                f,
                "it shows bytes that belong to another field, from byte {at} on, which has others there: both have to say the same"
            ),
            Self::OtherNumber(value, found, (least, greatest)) => write!(
                f,
                "{value} would become {found} in the trace of this tree; the field can hold {least} to {greatest}"
            ),
            Self::OtherBytes(sizes) => sizes.show(f, "bytes"),
            Self::OtherCount(sizes) => sizes.show(f, "elements"),
            Self::OtherSpelling(wanted, found) => {
                write!(f, "`spelling` is {wanted}, and {found} would be written")
            }
            Self::OtherField(Some(field)) => {
                write!(f, "the trace of this tree would have `{field}` here")
            }
            Self::OtherField(None) => f.write_str("the trace of this tree would end before this"),
        }
    }
}

impl std::error::Error for Unwritable {}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}: {}", self.node, self.why)
    }
}
