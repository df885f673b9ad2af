use std::fmt;

/// A record: its kind and members, named and ordered as in the description.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The kind, for example `event`.
    pub kind: String,
    /// The members that are present.
    pub members: Vec<(String, Value)>,
}

/// A typed value of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Absent,
    /// A value whose bytes are missing or out of range, with the reason.
    Missing(String),
    /// A don't-care value: every answer is correct because of a rule that the trace exercises.
    Free,
    /// A Boolean.
    Bool(bool),
    /// An integer of any width that a format can represent.
    Int(i128),
    /// A 32-bit float, as its bits.
    F32(u32),
    /// A 64-bit float, as its bits.
    F64(u64),
    /// Well-formed text.
    Text(String),
    /// Text that is not well-formed in its encoding, as raw bytes.
    IllFormed(Vec<u8>),
    /// Uninterpreted bytes.
    Bytes(Vec<u8>),
    /// A GUID in its canonical form: lower-case hexadecimal digits, grouped 8-4-4-4-12 with
    /// hyphens.
    Guid(String),
    /// A date and time in ISO 8601.
    DateTime(String),
    /// A list.
    List(Vec<Value>),
    /// A structure with named members.
    Object(Vec<(String, Value)>),
    /// A map, or fields that the trace itself names. The pairs are in order, and names may repeat.
    Pairs(Vec<Pair>),
    /// A member of an enumeration that the description declares.
    Enum {
        /// The declared name.
        name: String,
        /// The number in the trace.
        value: i128,
    },
    /// A set of flags: the declared names of the set bits, and the remaining bits.
    Flags {
        /// The names of the set bits.
        names: Vec<String>,
        /// The set bits that have no name.
        rest: u64,
        /// The number in the trace, with all its bits.
        value: u64,
    },
    /// JSON embedded in the trace.
    Json(serde_json::Value),
}

/// A name-value pair: an entry of a map, or a field that the trace itself defines.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The name, as text, or as bytes if it is not well-formed.
    pub name: Value,
    /// The name of the value's type code, if the trace defines the type of the value.
    pub code: Option<String>,
    /// The value.
    pub value: Value,
}

impl Record {
    /// Returns the member called `name`.
    pub fn member(&self, name: &str) -> Option<&Value> {
        self.members.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Vec::new();
        super::write_record(self, &mut line);
        f.write_str(&String::from_utf8_lossy(&line))
    }
}
