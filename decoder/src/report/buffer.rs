//! Stores the values of a record in one flat buffer.

use std::collections::HashMap;

use tracegauge_plan::LayoutUseId;
use tracegauge_plan::terms::{EnumId, FlagsId};

use crate::excess::{RECORD_BYTES, RECORD_VALUES};

/// An item of a record. A list, object or sequence of pairs precedes its contents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item {
    /// No value.
    Absent,
    /// A value whose bytes are missing or out of range.
    Missing,
    /// An integer of more than 128 bits, which cannot be represented.
    Beyond,
    /// A don't-care value: every answer is correct.
    Free,
    /// A Boolean.
    Bool(bool),
    /// An integer that is not negative and fits in 64 bits.
    Unsigned(u64),
    /// A negative integer that fits in 64 bits.
    Signed(i64),
    /// An integer of more than 64 bits, stored in the buffer in little-endian order.
    Wide {
        /// The offset of the first byte.
        start: u32,
    },
    /// The bits of a 32-bit float.
    F32(u32),
    /// The bits of a 64-bit float.
    F64(u64),
    /// Well-formed UTF-8 in the buffer.
    Text {
        /// The offset of the first byte.
        start: u32,
        /// The offset after the last byte.
        end: u32,
    },
    /// Bytes in the buffer that are not well-formed text.
    IllFormed {
        /// The offset of the first byte.
        start: u32,
        /// The offset after the last byte.
        end: u32,
    },
    /// Bytes in the buffer.
    Bytes {
        /// The offset of the first byte.
        start: u32,
        /// The offset after the last byte.
        end: u32,
    },
    /// The text of a GUID in the buffer.
    Guid {
        /// The offset of the first byte.
        start: u32,
        /// The offset after the last byte.
        end: u32,
    },
    /// The text of a date and time in the buffer.
    DateTime {
        /// The offset of the first byte.
        start: u32,
        /// The offset after the last byte.
        end: u32,
    },
    /// JSON text in the buffer.
    Json {
        /// The offset of the first byte.
        start: u32,
        /// The offset after the last byte.
        end: u32,
    },
    /// A member of an enumeration in the plan.
    Enum {
        /// The enumeration.
        set: EnumId,
        /// The number.
        value: i64,
    },
    /// A set of flags declared in the plan.
    Flags {
        /// The flag set.
        set: FlagsId,
        /// The number.
        value: u64,
    },
    /// A list, with the index after its last item. The items of the list follow this item.
    List(u32),
    /// A structure, with the index after its last item. Each member follows as a `Name` and a
    /// value.
    Object(u32),
    /// Name-value pairs, with the index after their last item. Each pair follows as a name and a
    /// value.
    Pairs(u32),
    /// The index of a name in the plan.
    Name(u32),
    /// The type code of the value in the following pair: the use of a layout set (a set of type
    /// codes), and the index of the code in this set.
    Code(LayoutUseId, u32),
}

impl Item {
    /// Returns a copy of the item with its indexes and offsets shifted for a buffer that already
    /// contains `items` items and `text` bytes.
    #[inline]
    fn behind(self, items: u32, text: u32) -> Self {
        let moved = |start, end| (start + text, end + text);
        match self {
            Self::Text { start, end } => {
                let (start, end) = moved(start, end);
                Self::Text { start, end }
            }
            Self::IllFormed { start, end } => {
                let (start, end) = moved(start, end);
                Self::IllFormed { start, end }
            }
            Self::Bytes { start, end } => {
                let (start, end) = moved(start, end);
                Self::Bytes { start, end }
            }
            Self::Guid { start, end } => {
                let (start, end) = moved(start, end);
                Self::Guid { start, end }
            }
            Self::DateTime { start, end } => {
                let (start, end) = moved(start, end);
                Self::DateTime { start, end }
            }
            Self::Json { start, end } => {
                let (start, end) = moved(start, end);
                Self::Json { start, end }
            }
            Self::Wide { start } => Self::Wide {
                start: start + text,
            },
            Self::List(end) => Self::List(end + items),
            Self::Object(end) => Self::Object(end + items),
            Self::Pairs(end) => Self::Pairs(end + items),
            Self::Absent
            | Self::Missing
            | Self::Beyond
            | Self::Free
            | Self::Bool(_)
            | Self::Unsigned(_)
            | Self::Signed(_)
            | Self::F32(_)
            | Self::F64(_)
            | Self::Enum { .. }
            | Self::Flags { .. }
            | Self::Name(_)
            | Self::Code(..) => self,
        }
    }
}

/// The maximum number of items in a record. Each value may be accompanied by a name and a type
/// code.
const RECORD_ITEMS: usize = 3 * RECORD_VALUES;

/// The minimum length of a long name in bytes.
const LONG_NAME: usize = 32;

/// The start and end of long names in the text of a buffer, keyed by the address and length of the
/// name.
type LongNames = HashMap<(usize, usize), (u32, u32)>;

/// The values of a record.
#[derive(Clone, Debug, Default)]
pub struct RecordBuffer {
    /// The items of all members. The items of one member are consecutive.
    pub items: Vec<Item>,
    /// The first item of each member that is not an object, in the order of the members.
    pub starts: Vec<u32>,
    /// The text and bytes of the items.
    pub text: Vec<u8>,
    /// The long names in `text`. Buffers are moved often, so this map, which few of them need, is
    /// boxed.
    names: Option<Box<LongNames>>,
    /// Whether the record exceeds a limit. Such a record is incomplete.
    is_full: bool,
    /// The indexes of the items that refer to other items or to the text, once they are known.
    moving: Option<Box<[u32]>>,
}

impl RecordBuffer {
    /// Removes the record but keeps the allocated memory.
    pub fn clear(&mut self) {
        self.items.clear();
        self.starts.clear();
        self.text.clear();
        if let Some(names) = &mut self.names {
            names.clear();
        }
        self.is_full = false;
        self.moving = None;
    }

    /// Returns whether the record exceeds a limit.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns whether there is room for `items` more items. If not, marks the record as
    /// incomplete.
    #[inline]
    pub(crate) fn has_room(&mut self, items: usize) -> bool {
        let fits = self.items.len() + items <= RECORD_ITEMS;
        self.is_full |= !fits;
        fits
    }

    #[inline]
    pub(crate) fn push(&mut self, item: Item) {
        if self.has_room(1) {
            self.items.push(item);
        }
    }

    /// Returns the index of the next item.
    #[inline]
    pub(crate) fn next(&self) -> u32 {
        u32::try_from(self.items.len()).unwrap_or(u32::MAX)
    }

    /// Opens a list, object or sequence of pairs.
    #[inline]
    pub(crate) fn open(&mut self, kind: fn(u32) -> Item) -> usize {
        self.push(kind(0));
        self.items.len().saturating_sub(1)
    }

    /// Closes the item that was opened at `at`.
    #[inline]
    pub(crate) fn close(&mut self, at: usize, kind: fn(u32) -> Item) {
        let end = self.next();
        if let Some(item) = self.items.get_mut(at) {
            *item = kind(end);
        }
    }

    /// Copies bytes to the buffer, and returns their start and end.
    #[inline]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> (u32, u32) {
        let start = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        if self.text.len() + bytes.len() > RECORD_BYTES {
            self.is_full = true;
            return (start, start);
        }
        self.text.extend_from_slice(bytes);
        (start, u32::try_from(self.text.len()).unwrap_or(u32::MAX))
    }

    /// Copies a name to the buffer, and returns its start and end. The elements of a list may
    /// repeat the same names, so a long name is copied only once.
    pub(crate) fn name(&mut self, name: &[u8]) -> (u32, u32) {
        if name.len() < LONG_NAME {
            return self.bytes(name);
        }
        let key = (name.as_ptr().addr(), name.len());
        let known = self.names.as_ref().and_then(|names| names.get(&key));
        if let Some((start, end)) = known.copied()
            // The text may have been removed, or the name replaced by another name.
            && self.slice(start, end) == name
        {
            return (start, end);
        }
        let copied = self.bytes(name);
        self.names.get_or_insert_default().insert(key, copied);
        copied
    }

    /// Adds an integer of any width.
    pub(crate) fn integer(&mut self, value: i128) {
        let item = match (u64::try_from(value), i64::try_from(value)) {
            (Ok(value), _) => Item::Unsigned(value),
            (_, Ok(value)) => Item::Signed(value),
            _ => {
                let (start, _) = self.bytes(&value.to_le_bytes());
                Item::Wide { start }
            }
        };
        self.push(item);
    }

    /// Returns the wide integer that starts at an offset in the buffer.
    pub(crate) fn wide(&self, start: u32) -> i128 {
        let bytes = self.slice(start, start.saturating_add(16));
        bytes.try_into().map_or(0, i128::from_le_bytes)
    }

    /// Determines which items can be copied to another buffer as they are.
    pub(crate) fn note_positions(&mut self) {
        let items = (0..).zip(&self.items);
        let moving = items.filter(|(_, item)| item.behind(1, 1) != **item);
        self.moving = Some(moving.map(|(index, _)| index).collect());
    }

    /// Adds the items of another buffer.
    pub(crate) fn append(&mut self, other: &Self) {
        let (items, (text, _)) = (self.next(), self.bytes(&other.text));
        if other.is_full || !self.has_room(other.items.len()) {
            self.is_full = true;
            return;
        }
        let Some(moving) = &other.moving else {
            let moved = other.items.iter().map(|item| item.behind(items, text));
            self.items.extend(moved);
            return;
        };
        let first = self.items.len();
        self.items.extend_from_slice(&other.items);
        let copied = self.items.get_mut(first..).unwrap_or_default();
        for index in moving {
            if let Some(item) = copied.get_mut(*index as usize) {
                *item = item.behind(items, text);
            }
        }
    }

    /// Returns a mark at the current end of the buffer.
    #[inline]
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.items.len(), self.text.len())
    }

    /// Removes everything that was added after a mark.
    pub(crate) fn back_to(&mut self, (items, text): (usize, usize)) {
        self.items.truncate(items);
        self.text.truncate(text);
    }

    /// Returns a range of the buffer's text and bytes.
    pub fn slice(&self, start: u32, end: u32) -> &[u8] {
        self.text
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a buffer with one item of each kind that refers to text or other items.
    fn shown() -> RecordBuffer {
        let mut shown = RecordBuffer::default();
        let (start, end) = shown.bytes(b"text");
        shown.push(Item::Unsigned(7));
        shown.push(Item::Text { start, end });
        shown.push(Item::Json { start, end });
        let list = shown.open(Item::List);
        shown.push(Item::Guid { start, end });
        shown.close(list, Item::List);
        shown
    }

    #[test]
    fn items_refer_to_the_same_text_and_items_in_another_buffer() {
        for is_noted in [false, true] {
            let mut shown = shown();
            if is_noted {
                shown.note_positions();
            }
            let mut out = RecordBuffer::default();
            out.bytes(b"before");
            out.push(Item::Absent);
            out.append(&shown);
            assert_eq!(
                out.items,
                [
                    Item::Absent,
                    Item::Unsigned(7),
                    Item::Text { start: 6, end: 10 },
                    Item::Json { start: 6, end: 10 },
                    Item::List(6),
                    Item::Guid { start: 6, end: 10 },
                ]
            );
            assert_eq!(out.slice(6, 10), b"text");
        }
    }
}
