//! Parses a reader's JSON output within limits. The values of a line are counted while it is
//! parsed, and parsing ends as soon as a limit is exceeded. The values therefore never need more
//! than [`MOST_MEMORY`] bytes.

use std::cell::Cell;
use std::fmt;
use std::mem::size_of;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::de::Read;
use serde_json::map::Entry;
use serde_json::{Deserializer as Parser, Map, Number, Value as Json};

/// The maximum nesting depth. Deeper values are replaced with `null`. A trace with a thousand
/// nested structures needs about half of this depth.
pub const MOST_DEPTH: usize = 4096;
/// The maximum number of values in a line.
pub const MOST_VALUES: usize = 1 << 20;
/// The maximum memory for the values of a line, in bytes.
pub const MOST_MEMORY: usize = 80 << 20;

/// The memory in bytes that a value needs in addition to its text. A growing list reserves twice
/// the memory that its values need.
const OF_VALUE: usize = 2 * size_of::<Json>();
/// The memory in bytes that a member needs in addition to the text of its name and its value: the
/// name's header, its hash, and its place in the table of members.
const OF_MEMBER: usize = 2 * (size_of::<String>() + 4 * size_of::<usize>());
/// The memory in bytes that an allocation needs in addition to its contents.
const OF_ALLOCATION: usize = 16;

/// The stack space in bytes that must be available to parse another level of nesting, and the size
/// of the new stack segment that is allocated if less is available.
const STACK: (usize, usize) = (64 << 10, 1 << 20);

/// The member name that `serde_json` uses when it represents a number as an object with the
/// number's digits.
const NUMBER: &str = "$serde_json::private::Number";

/// The reason why a line cannot be parsed.
#[derive(Debug)]
pub(super) enum Unparsed {
    /// The line is not valid JSON or not an object. The string is the parser's message.
    Invalid(String),
    /// A limit is exceeded. The string names the limit.
    Excessive(String),
}

/// The members of an object, and the name of a member that occurs twice, if any. Parsers disagree
/// about the meaning of an object with duplicate members.
#[derive(Debug)]
pub(super) struct Members {
    pub(super) members: Map<String, Json>,
    pub(super) twice: Option<String>,
}

/// The length in bytes above which a line with more than `OPENED` lists and objects is parsed as a
/// stream, which is slower. If an error occurs in a slice, the parser counts the columns of the
/// line again for every open list and object. In a stream, the parser tracks its position.
const SLICE: usize = 64 << 10;
const OPENED: usize = 64;

/// Parses an object.
pub(super) fn object(line: &[u8]) -> Result<Members, Unparsed> {
    fn members<'de, R: Read<'de>>(
        spent: &Spent,
        parser: &mut Parser<R>,
    ) -> Result<Members, serde_json::Error> {
        parser.deserialize_map(TopLevel { spent })
    }

    let opens = |byte: &&u8| matches!(byte, b'[' | b'{');
    match line.len() > SLICE && line.iter().filter(opens).count() > OPENED {
        true => parse(Parser::from_reader(line), members),
        false => parse(Parser::from_slice(line), members),
    }
}

/// Checks that a line is JSON, without storing it.
pub(super) fn check(line: &[u8]) -> Result<(), Unparsed> {
    let checked = parse(Parser::from_slice(line), |_, parser| {
        IgnoredAny::deserialize(parser)
    });
    checked.map(|_| ())
}

fn parse<'de, R: Read<'de>, T>(
    mut parser: Parser<R>,
    value: impl FnOnce(&Spent, &mut Parser<R>) -> Result<T, serde_json::Error>,
) -> Result<T, Unparsed> {
    let spent = Spent::default();
    parser.disable_recursion_limit();
    let parsed = value(&spent, &mut parser).and_then(|value| parser.end().map(|()| value));
    parsed.map_err(|error| match spent.excess() {
        Some(limit) => Unparsed::Excessive(limit),
        // The input is a single line, so the line number in the message is useless.
        None => {
            let why = error.to_string();
            Unparsed::Invalid(why.replace(" at line 1 column", " at column"))
        }
    })
}

/// The number of values parsed so far, and the memory that they need.
#[derive(Debug, Default)]
struct Spent {
    values: Cell<usize>,
    memory: Cell<usize>,
}

impl Spent {
    /// Counts a value and the memory that it needs.
    ///
    /// # Errors
    /// Returns an error if a limit is exceeded.
    fn value<E: Error>(&self, text: usize) -> Result<(), E> {
        self.values.set(self.values.get() + 1);
        self.memory(OF_VALUE + allocated(text))
    }

    fn member<E: Error>(&self, name: &str) -> Result<(), E> {
        self.memory(OF_MEMBER + allocated(name.len()))
    }

    fn memory<E: Error>(&self, bytes: usize) -> Result<(), E> {
        self.memory.set(self.memory.get().saturating_add(bytes));
        match self.excess() {
            Some(limit) => Err(E::custom(limit)),
            None => Ok(()),
        }
    }

    /// Returns the limit that is exceeded, if any.
    fn excess(&self) -> Option<String> {
        if self.values.get() > MOST_VALUES {
            Some(format!("more than {MOST_VALUES} values"))
        } else if self.memory.get() > MOST_MEMORY {
            let mib = MOST_MEMORY >> 20;
            Some(format!("its values need more than {mib} MiB of memory"))
        } else {
            None
        }
    }
}

/// Returns the memory that a text of `length` bytes needs.
fn allocated(length: usize) -> usize {
    match length {
        0 => 0,
        _ => length + OF_ALLOCATION,
    }
}

/// The JSON object on a line.
struct TopLevel<'s> {
    spent: &'s Spent,
}

impl<'de> Visitor<'de> for TopLevel<'_> {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
        let (mut members, mut twice) = (Map::new(), None);
        while let Some(name) = map.next_key::<String>()? {
            self.spent.member(&name)?;
            let value = map.next_value_seed(Inside {
                spent: self.spent,
                depth: 1,
            })?;
            match members.entry(name) {
                Entry::Vacant(entry) => drop(entry.insert(value)),
                Entry::Occupied(entry) => twice = Some(entry.key().clone()),
            }
        }
        Ok(Members { members, twice })
    }
}

/// A value nested in `depth` lists and objects.
#[derive(Clone, Copy)]
struct Inside<'s> {
    spent: &'s Spent,
    depth: usize,
}

impl Inside<'_> {
    /// Returns the deserialization seed for values nested in this value, or `None` if they are
    /// nested too deeply.
    fn deeper(self) -> Option<Self> {
        let depth = self.depth + 1;
        (depth <= MOST_DEPTH).then_some(Self { depth, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Inside<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        let (least, more) = STACK;
        stacker::maybe_grow(least, more, || deserializer.deserialize_any(self))
    }
}

impl<'de> Visitor<'de> for Inside<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        self.spent.value(0).map(|()| Json::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        self.spent.value(0).map(|()| Json::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        self.spent.value(size_of::<i64>())?;
        Ok(Json::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        self.spent.value(size_of::<u64>())?;
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        self.spent.value(size_of::<f64>())?;
        Ok(Number::from_f64(value).map_or(Json::Null, Json::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
        self.spent.value(text.len())?;
        Ok(Json::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        self.spent.value(OF_ALLOCATION)?;
        let Some(inside) = self.deeper() else {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Json::Null);
        };
        let mut list = Vec::new();
        while let Some(value) = seq.next_element_seed(inside)? {
            list.push(value);
        }
        Ok(Json::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        self.spent.value(OF_ALLOCATION)?;
        let Some(mut name) = map.next_key::<String>()? else {
            return Ok(Json::Object(Map::new()));
        };
        if name == NUMBER {
            let digits: String = map.next_value()?;
            self.spent.memory(allocated(digits.len()))?;
            return digits.parse().map(Json::Number).map_err(A::Error::custom);
        }
        let Some(inside) = self.deeper() else {
            map.next_value::<IgnoredAny>()?;
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(Json::Null);
        };
        let mut members = Map::new();
        loop {
            self.spent.member(&name)?;
            let value = map.next_value_seed(inside)?;
            members.insert(name, value);
            name = match map.next_key()? {
                Some(name) => name,
                None => return Ok(Json::Object(members)),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses `{"x":…}` and returns the value of `x`.
    fn value(text: &str) -> Result<Json, Unparsed> {
        let line = format!("{{\"x\":{text}}}");
        let mut parsed = object(line.as_bytes())?;
        Ok(parsed.members.shift_remove("x").unwrap_or_default())
    }

    #[test]
    fn values_are_those_that_any_parser_reads() {
        for text in [
            "null",
            "true",
            "\"a\\u00e9\\n\"",
            "0",
            "-1",
            "1.50",
            "1e400",
            "123456789012345678901234567890",
            "[]",
            "[1,[2,{}],\"\"]",
            "{\"a\":{\"b\":[null,false]},\"c\":1}",
        ] {
            let expected: Json = serde_json::from_str(text).unwrap_or_default();
            let parsed = value(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            assert_eq!(parsed, expected, "{text}");
            assert_eq!(parsed.to_string(), expected.to_string(), "{text}");
        }
        for text in ["", "[1", "{\"a\"}", "nul", "01", "\"\u{1}\""] {
            assert!(matches!(value(text), Err(Unparsed::Invalid(_))), "{text}");
        }
    }

    #[test]
    fn a_long_line_is_read_like_a_short_one() {
        let padding = " ".repeat(SLICE);
        let nested = format!("{}1{}", "[".repeat(OPENED), "]".repeat(OPENED));
        for text in [
            nested.as_str(),
            "[1,\"\\u00e9\",{\"a\":1.5e300}]",
            "123456789012345678901234567890",
        ] {
            let long = value(&format!("{padding}{text}")).expect("valid");
            assert_eq!(long, value(text).expect("valid"));
        }
        let unclosed = "[".repeat(OPENED);
        for text in [unclosed.as_str(), "[1", "nul", "\"\u{1}\""] {
            let long = value(&format!("{padding}{text}"));
            assert!(matches!(long, Err(Unparsed::Invalid(_))), "{text}");
        }
    }

    #[test]
    fn too_many_values_end_the_parse() {
        let list = |count: usize| format!("[{}0]", "0,".repeat(count));
        assert!(value(&list(100_000)).is_ok());
        let told = |text: &str| match value(text) {
            Err(Unparsed::Excessive(limit)) => limit,
            other => panic!("{:?}", other.map(|_| "parsed")),
        };
        let memory = "its values need more than 80 MiB of memory";
        assert_eq!(told(&list(1_000_000)), memory);
        assert_eq!(told(&format!("\"{}\"", "x".repeat(81 << 20))), memory);
        let members = (0..400_000).map(|number| format!("\"{number}\":[],"));
        let members: String = members.collect();
        assert_eq!(told(&format!("{{{members}\"y\":1}}")), memory);
        assert!(MOST_VALUES * size_of::<Json>() > MOST_MEMORY / 2);
    }
}
