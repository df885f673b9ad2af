use std::fmt;

/// One record: its kind as the description names it, and its members in the description's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The kind, `event` say.
    pub kind: String,
    /// Members that are present; an absent member is left out.
    pub members: Vec<(String, Value)>,
}

/// A value of a record, typed.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// There is no value here.
    Absent,
    /// The value's bytes are missing or lie out of range; the text says why.
    Missing(String),
    /// Any answer is right: a rule that the file shows frees this value.
    Free,
    /// A truth value.
    Bool(bool),
    /// An integer of any width that a format can hold.
    Int(i128),
    /// A 32-bit float, as its bits.
    F32(u32),
    /// A 64-bit float, as its bits.
    F64(u64),
    /// Well-formed text.
    Text(String),
    /// Text whose bytes are not well-formed in their encoding.
    IllFormed(Vec<u8>),
    /// Bytes without a meaning of their own.
    Bytes(Vec<u8>),
    /// A GUID in its canonical lower-case 8-4-4-4-12 form.
    Guid(String),
    /// A date and time in ISO 8601.
    DateTime(String),
    /// A list.
    List(Vec<Value>),
    /// A structure with named members.
    Object(Vec<(String, Value)>),
    /// A map, or fields that the file itself names: pairs in order, names may repeat.
    Pairs(Vec<Pair>),
    /// A member of an enumeration that the description declares.
    Enum {
        /// The declared name.
        name: String,
        /// The number on the wire.
        value: i128,
    },
    /// A set of flags: the declared names that are set, and the bits that are left.
    Flags {
        /// Names of the set bits.
        names: Vec<String>,
        /// Set bits without a name.
        rest: u64,
        /// The whole number on the wire.
        value: u64,
    },
    /// JSON inside the format.
    Json(serde_json::Value),
}

/// One name and value of a map or of the fields that a file defines.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The name: text, or bytes where it is not well-formed.
    pub name: Value,
    /// The name of the type code that the value was read by, where the file defines it.
    pub code: Option<String>,
    /// The value.
    pub value: Value,
}

impl Record {
    /// The member called `name`.
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
