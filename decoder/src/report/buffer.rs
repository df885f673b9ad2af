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

/// The room for a record.
const MOST: Extent = Extent {
    items: RECORD_ITEMS,
    text: RECORD_BYTES,
};

/// The minimum length of a long name in bytes.
const LONG_NAME: usize = 32;

/// The start and end of long names in the text of a buffer, keyed by the address and length of the
/// name.
type LongNames = HashMap<(usize, usize), (u32, u32)>;

/// The number of standing items and bytes of text after which a buffer begins anew. More would not fit
/// in the fastest cache.
const MOST_STANDING: usize = 1 << 11;
const MOST_STANDING_TEXT: usize = 1 << 14;

/// A number of items and bytes of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Extent {
    items: usize,
    text: usize,
}

/// Where a buffer has the members of a row that many records contain. Such members *stand*: they
/// remain in the buffer for later records.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    /// The members belong to a buffer with this number, unless they were removed.
    number: u64,
    /// The first item of each member.
    starts: Vec<u32>,
}

/// The values of a record.
#[derive(Clone, Debug)]
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
    /// The part of the buffer that stands.
    standing: Extent,
    /// The number of times that everything that stood was removed, counted from 1.
    number: u64,
    /// The end of the room for the record. The limits do not apply to what stands, unless the record
    /// contains it.
    most: Extent,
}

impl Default for RecordBuffer {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            starts: Vec::new(),
            text: Vec::new(),
            names: None,
            is_full: false,
            moving: None,
            standing: Extent::default(),
            number: 1,
            most: MOST,
        }
    }
}

impl RecordBuffer {
    /// Removes the record but keeps what stands, and the allocated memory.
    pub fn clear(&mut self) {
        let Extent { items, text } = self.standing;
        if items > MOST_STANDING || text > MOST_STANDING_TEXT {
            self.standing = Extent::default();
            self.number += 1;
        }
        let Extent { items, text } = self.standing;
        self.items.truncate(items);
        self.text.truncate(text);
        self.starts.clear();
        self.most = Extent {
            items: MOST.items + items,
            text: MOST.text + text,
        };
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
        let fits = self.items.len() + items <= self.most.items;
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
        if self.text.len() + bytes.len() > self.most.text {
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

    /// Adds the members of a row, given in a buffer of their own, to the record. The members then
    /// stand, so that a later record only needs to refer to them.
    pub(crate) fn add_members(&mut self, members: &Self, standing: &mut Standing) {
        if standing.number == self.number {
            self.starts.extend_from_slice(&standing.starts);
            let left = Extent {
                items: self.most.items.saturating_sub(members.items.len()),
                text: self.most.text.saturating_sub(members.text.len()),
            };
            self.is_full |= left.items < self.items.len() || left.text < self.text.len();
            self.most = left;
            return;
        }
        let first = self.starts.len();
        self.append_members(members);
        if !self.is_full {
            standing.number = self.number;
            standing.starts.clear();
            standing.starts.extend_from_slice(&self.starts[first..]);
            let (items, text) = self.mark();
            self.standing = Extent { items, text };
        }
    }

    /// Adds the members of another buffer.
    pub(crate) fn append_members(&mut self, members: &Self) {
        let first = self.next();
        let starts = members.starts.iter().map(|start| first + start);
        self.starts.extend(starts);
        self.append(members);
    }

    /// Returns what stands in the buffer: a number that differs after anything that stood was
    /// removed, and the number of items.
    pub(crate) fn standing(&self) -> (u64, usize) {
        (self.number, self.standing.items)
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
    use quickcheck::quickcheck;

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

    /// Returns a buffer with two members, a number and a list that contains it.
    fn members(number: u64) -> RecordBuffer {
        let mut members = RecordBuffer::default();
        members.starts.push(members.next());
        let (start, end) = members.bytes(number.to_string().as_bytes());
        members.push(Item::Text { start, end });
        members.starts.push(members.next());
        let list = members.open(Item::List);
        members.push(Item::Unsigned(number));
        members.close(list, Item::List);
        members.note_positions();
        members
    }

    /// Returns whether a record consists of the members for the numbers.
    fn consists_of(record: &RecordBuffer, numbers: &[u64]) -> bool {
        let starts = &record.starts;
        starts.len() == 2 * numbers.len()
            && starts.chunks(2).zip(numbers).all(|(starts, number)| {
                let [text, list] = [starts[0] as usize, starts[1] as usize];
                let is_text = match record.items[text] {
                    Item::Text { start, end } => {
                        record.slice(start, end) == number.to_string().as_bytes()
                    }
                    _ => false,
                };
                is_text
                    && matches!(record.items[list], Item::List(end) if end as usize == list + 2)
                    && record.items[list + 1] == Item::Unsigned(*number)
            })
    }

    quickcheck! {
        fn members_that_stand_are_those_that_were_added(records: Vec<Vec<u8>>) -> bool {
            let mut rows: Vec<_> = (0..=u64::from(u8::MAX))
                .map(|number| (members(number), Standing::default()))
                .collect();
            let mut record = RecordBuffer::default();
            // Enough records that some of what stands is removed.
            (0..20).all(|_| {
                records.iter().all(|numbers| {
                    record.clear();
                    record.push(Item::Absent);
                    for number in numbers {
                        let (members, standing) = &mut rows[usize::from(*number)];
                        record.add_members(members, standing);
                    }
                    let numbers: Vec<u64> = numbers.iter().copied().map(u64::from).collect();
                    !record.is_full() && consists_of(&record, &numbers)
                })
            })
        }
    }

    #[test]
    fn members_that_stand_are_added_without_a_copy() {
        let (members, mut standing) = (members(7), Standing::default());
        let mut record = RecordBuffer::default();
        record.add_members(&members, &mut standing);
        let (number, items) = record.standing();
        for _ in 0..3 {
            record.clear();
            record.add_members(&members, &mut standing);
            assert!(consists_of(&record, &[7]));
            assert_eq!(record.standing(), (number, items));
            assert_eq!(record.items.len(), items);
        }
    }

    #[test]
    fn what_stands_is_removed_when_it_is_much() {
        let mut record = RecordBuffer::default();
        let most = 2 * MOST_STANDING as u64;
        for number in 0..most {
            record.clear();
            record.add_members(&members(number), &mut Standing::default());
            assert!(consists_of(&record, &[number]));
        }
        assert!(record.standing().0 > 1);
        assert!(record.items.len() < 2 * MOST_STANDING);
    }

    #[test]
    fn members_that_stand_count_toward_the_limits_of_a_record() {
        let (members, mut standing) = (members(7), Standing::default());
        let mut record = RecordBuffer::default();
        record.add_members(&members, &mut standing);
        record.clear();
        // Room for the members, and for one item more.
        record.most.items = record.items.len() + members.items.len() + 1;
        record.add_members(&members, &mut standing);
        record.push(Item::Absent);
        assert!(!record.is_full());
        record.push(Item::Absent);
        assert!(record.is_full());
    }
}
