//! The parts of an emitter's working memory, each with a purpose of its own.

use std::collections::HashSet;

use tracegauge_decoder::Cut;
use tracegauge_plan::OpId;

use super::described::OpenType;
use super::lists::OpenList;
use super::nested::OpenLayout;
use super::part::OpenPart;
use super::target::Target;
use crate::plain::Allowed;

/// Values that were chosen before their fields were reached.
#[derive(Debug, Default)]
pub struct Planned {
    /// Strings and byte strings that were chosen together with the field that stores their length.
    pub bytes: Vec<(OpId, Vec<u8>)>,
    /// Element counts that were chosen together with the field that stores them.
    pub counts: Vec<(OpId, u64)>,
    /// Numbers that were chosen together with an earlier value.
    pub numbers: Vec<(OpId, i128)>,
    /// Strings that were chosen together with their row.
    pub texts: Vec<(OpId, Vec<u8>)>,
}

/// The types and layouts that the trace itself describes, while they are written.
#[derive(Debug, Default)]
pub struct Described {
    /// The types that are being described, outermost first.
    pub types: Vec<OpenType>,
    /// The enclosing layouts whose values contain other values, outermost first.
    pub layouts: Vec<OpenLayout>,
    /// The total size of the values that the types of a row describe.
    pub row_bytes: u64,
    /// The position that the size of recursive structures is measured from: the last position where
    /// the nesting depth was less than 2.
    pub nested_from: u64,
    /// The number of target type codes that have been described so far.
    pub targeted: usize,
}

/// The parts, lists and runs of bits around the current position.
#[derive(Debug, Default)]
pub struct Enclosing {
    /// The enclosing parts, outermost first.
    pub parts: Vec<OpenPart>,
    /// The enclosing lists, outermost first.
    pub lists: Vec<OpenList>,
    /// The position on the tape at which each enclosing element begins.
    pub starts: Vec<(OpId, usize)>,
}

/// The state of a trace that stops early.
#[derive(Debug, Default)]
pub struct Stopping {
    /// The reason to stop instead of writing the requested value, if any.
    pub cut: Option<Cut>,
    /// Whether reading has stopped early.
    pub was_cut: bool,
    /// Whether the bytes after the root structure have been written.
    pub trailed: bool,
    /// Lists and strings whose declared size or count is wrong, each with its actual number of
    /// elements.
    pub short: Vec<(OpId, u64)>,
    /// A cached decision on whether the stream ends at a position.
    pub ended: Option<(u64, bool)>,
}

/// The properties that the trace should have.
#[derive(Debug, Default)]
pub struct Wishes {
    /// Properties that random choices would rarely produce.
    pub target: Target,
    /// The departures from plain choices that the trace may contain, or `None` if its choices are
    /// unrestricted.
    pub allowed: Option<Allowed>,
    /// Whether the current field may have any value even in a plain trace, because a list that ends
    /// on a condition has become long.
    pub is_overlong: bool,
    /// Lists that must have an element, because a later list refers to the rows that they define.
    pub filled: HashSet<OpId>,
}
