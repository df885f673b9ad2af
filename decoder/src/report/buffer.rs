//! The flat form of a record's values.

/// One item of a record; lists, objects and pairs are followed by what is in them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item {
    /// No value.
    Absent,
    /// There should be a value, and there is none.
    Missing,
    /// There is an integer of more than 128 bits.
    Beyond,
    /// Any answer is right.
    Free,
    /// A truth value.
    Bool(bool),
    /// An integer that is not negative.
    Unsigned(u64),
    /// Any other integer.
    Signed(i64),
    /// An integer of more than 64 bits, in the buffer, lowest byte first.
    Wide {
        /// First byte.
        start: u32,
    },
    /// Bits of a 32-bit float.
    F32(u32),
    /// Bits of a 64-bit float.
    F64(u64),
    /// Well-formed UTF-8 in the buffer.
    Text {
        /// First byte.
        start: u32,
        /// One past the last.
        end: u32,
    },
    /// Bytes in the buffer that are ill-formed as text.
    IllFormed {
        /// First byte.
        start: u32,
        /// One past the last.
        end: u32,
    },
    /// Bytes in the buffer.
    Bytes {
        /// First byte.
        start: u32,
        /// One past the last.
        end: u32,
    },
    /// A GUID's text in the buffer.
    Guid {
        /// First byte.
        start: u32,
        /// One past the last.
        end: u32,
    },
    /// A date and time's text in the buffer.
    DateTime {
        /// First byte.
        start: u32,
        /// One past the last.
        end: u32,
    },
    /// The text of JSON in the buffer.
    Json {
        /// First byte.
        start: u32,
        /// One past the last.
        end: u32,
    },
    /// A member of an enumeration of the plan.
    Enum {
        /// Index of the enumeration.
        set: u32,
        /// The number.
        value: i64,
    },
    /// A set of flags of the plan.
    Flags {
        /// Index of the flag set.
        set: u32,
        /// The number.
        value: u64,
    },
    /// A list: its items follow, up to this index.
    List(u32),
    /// A structure: for each member a `Name` and a value, up to this index.
    Object(u32),
    /// Pairs: for each the name and the value, up to this index.
    Pairs(u32),
    /// A name of the plan.
    Name(u32),
    /// Before a pair: the code that the value was read by: layout and code of the plan.
    Code(u32, u32),
}

impl Item {
    /// The same in another buffer, behind so many items and bytes of text.
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
            Self::Wide { start } => Self::Wide {
                start: start + text,
            },
            Self::List(end) => Self::List(end + items),
            Self::Object(end) => Self::Object(end + items),
            Self::Pairs(end) => Self::Pairs(end + items),
            other => other,
        }
    }
}

/// The values of one record.
#[derive(Clone, Debug, Default)]
pub struct RecordBuffer {
    /// The items of all members; those of one stand together.
    pub items: Vec<Item>,
    /// The first item of each member that is no object, in the order of the members.
    pub starts: Vec<u32>,
    /// Texts and bytes.
    pub text: Vec<u8>,
}

impl RecordBuffer {
    /// Forgets the record and keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
        self.starts.clear();
        self.text.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, item: Item) {
        self.items.push(item);
    }

    /// The index of the next item.
    #[inline]
    pub(crate) fn next(&self) -> u32 {
        u32::try_from(self.items.len()).unwrap_or(u32::MAX)
    }

    /// Opens a list, object or pairs.
    #[inline]
    pub(crate) fn open(&mut self, kind: fn(u32) -> Item) -> usize {
        self.items.push(kind(0));
        self.items.len() - 1
    }

    /// Ends what was opened at `at`.
    #[inline]
    pub(crate) fn close(&mut self, at: usize, kind: fn(u32) -> Item) {
        self.items[at] = kind(self.next());
    }

    /// Puts bytes into the buffer.
    #[inline]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> (u32, u32) {
        let start = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.text.extend_from_slice(bytes);
        (start, u32::try_from(self.text.len()).unwrap_or(u32::MAX))
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

    /// The integer that starts at a byte of the buffer.
    pub(crate) fn wide(&self, start: u32) -> i128 {
        let bytes = self.slice(start, start.saturating_add(16));
        bytes.try_into().map_or(0, i128::from_le_bytes)
    }

    /// Adds the items of another buffer.
    pub(crate) fn append(&mut self, other: &Self) {
        let (items, (text, _)) = (self.next(), self.bytes(&other.text));
        let moved = other.items.iter().map(|item| item.behind(items, text));
        self.items.extend(moved);
    }

    /// Where the buffer ends now.
    #[inline]
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.items.len(), self.text.len())
    }

    /// Forgets what came after a mark.
    pub(crate) fn back_to(&mut self, (items, text): (usize, usize)) {
        self.items.truncate(items);
        self.text.truncate(text);
    }

    /// Bytes of the buffer.
    pub fn slice(&self, start: u32, end: u32) -> &[u8] {
        self.text
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }
}
