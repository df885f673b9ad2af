//! Members and methods of values that are not structures.

use tracegauge_decoder::text as encodings;
use tracegauge_plan::Kind;
use tracegauge_plan::terms::Encoding;
use tracegauge_spec::expression::Expr;

use super::arithmetic::{extreme, parsed, written};
use super::evaluate::{Answer, Evaluator, Found, QueryError, Scope, fail, refuse};

const ENCODINGS: [(&str, Encoding); 7] = [
    ("ASCII", Encoding::Ascii),
    ("UTF8", Encoding::Utf8),
    ("CESU8", Encoding::Cesu8),
    ("UTF16LE", Encoding::Utf16Le),
    ("UTF16BE", Encoding::Utf16Be),
    ("ISO88591", Encoding::Latin1),
    ("LATIN1", Encoding::Latin1),
];

/// Members of values, with the kind of the values. The description of a trace does not define them.
const MEMBERS: [(&str, &[&str]); 6] = [
    (
        STRINGS,
        &["length", "size", "units16", "is_decimal", "reverse", "to_i"],
    ),
    (BYTES, &["length", "size", "first", "last", "min", "max"]),
    (INTEGERS, &["to_i", "to_s"]),
    (FLOATS, &["to_i", "to_s"]),
    (BOOLEANS, &["to_i"]),
    (LISTS, &["size", "length", "first", "last", "min", "max"]),
];

/// Methods with the kind of their values, and the number of arguments.
const METHODS: [(&str, &str, usize); 11] = [
    (STRINGS, "substring", 2),
    (STRINGS, "to_i", 1),
    (STRINGS, "contains_byte", 1),
    (BYTES, "to_s", 1),
    (BYTES, "contains_byte", 1),
    (INTEGERS, "to_s", 1),
    (LISTS, "at", 1),
    (LISTS, "find", 2),
    (LISTS, "all", 2),
    (LISTS, "map", 1),
    (LISTS, "min", 1),
];

const STRINGS: &str = "strings";
const BYTES: &str = "byte arrays";
const INTEGERS: &str = "integers";
const FLOATS: &str = "floats";
const BOOLEANS: &str = "Booleans";
const LISTS: &str = "lists";

impl Evaluator<'_> {
    /// Returns the kind of a value as a plural noun.
    fn kind_of(&self, found: &Found) -> &'static str {
        match found {
            Found::Absent => "absent values",
            Found::Int(_) => INTEGERS,
            Found::Float(_) => FLOATS,
            Found::Bool(_) => BOOLEANS,
            Found::Text(_) => STRINGS,
            Found::Bytes(_) => BYTES,
            Found::Stream(..) => "streams",
            found if self.count(found).is_some() => LISTS,
            Found::List(_) | Found::Node(_) => "structures",
        }
    }

    /// Returns the number of elements of a list.
    pub(super) fn count(&self, found: &Found) -> Option<usize> {
        match found {
            Found::List(items) => Some(items.len()),
            Found::Node(id) => {
                let is_list = matches!(self.kind(*id), Kind::Repeat(_) | Kind::Layout(_));
                is_list.then(|| self.tree.count(*id))
            }
            _ => None,
        }
    }

    /// Returns the elements of a list.
    pub(super) fn elements(&self, found: &Found) -> Option<Vec<Found>> {
        match found {
            Found::List(items) => Some(items.clone()),
            Found::Node(id) => {
                self.count(found)?;
                let children = self.tree.children(*id);
                Some(children.map(|child| self.value(child)).collect())
            }
            _ => None,
        }
    }

    /// Returns an element of a list or of bytes.
    fn element(&self, found: &Found, index: usize) -> Option<Found> {
        match found {
            Found::List(items) => items.get(index).cloned(),
            Found::Node(id) => {
                let child = self.tree.children(*id).nth(index)?;
                Some(self.value(child))
            }
            Found::Bytes(bytes) => Some(Found::Int(i128::from(*bytes.get(index)?))),
            _ => None,
        }
    }

    /// Returns a member that every value of its kind has, or `None` if the value has no such member.
    pub(super) fn value_member(&self, base: &Found, name: &str) -> Option<Answer> {
        let length = |count: usize| Found::Int(i128::try_from(count).unwrap_or_default());
        let end = |count: usize| {
            let index = if name == "first" {
                Some(0)
            } else {
                count.checked_sub(1)
            };
            let item = index.and_then(|index| self.element(base, index));
            item.unwrap_or(Found::Absent)
        };
        let found = match (base, name) {
            (Found::Absent, _) => Found::Absent,
            (Found::Text(text), "length") => length(text.chars().count()),
            (Found::Text(text), "size") => length(text.len()),
            (Found::Text(text), "units16") => length(text.encode_utf16().count()),
            (Found::Text(text), "is_decimal") => Found::Bool(encodings::is_decimal(text)),
            (Found::Text(text), "reverse") => Found::Text(text.chars().rev().collect()),
            (Found::Text(text), "to_i") => return Some(parsed(text, 10)),
            (Found::Bytes(bytes), "length" | "size") => length(bytes.len()),
            (Found::Bytes(bytes), "first" | "last") => end(bytes.len()),
            (Found::Bytes(bytes), "min" | "max") => {
                let bytes = bytes.iter();
                let byte = if name == "min" {
                    bytes.min()
                } else {
                    bytes.max()
                };
                byte.map_or(Found::Absent, |byte| Found::Int(i128::from(*byte)))
            }
            (Found::Int(value), "to_s") => Found::Text(value.to_string()),
            (Found::Float(value), "to_s") => Found::Text(format!("{value:?}")),
            (Found::Int(value), "to_i") => Found::Int(*value),
            (Found::Bool(value), "to_i") => Found::Int(i128::from(*value)),
            (Found::Float(value), "to_i") => return Some(truncated(*value)),
            (Found::Stream(start, end), "size") => Found::Int(i128::from(end - start)),
            _ => match (self.count(base)?, name) {
                (count, "size" | "length") => length(count),
                (count, "first" | "last") => end(count),
                (_, "min" | "max") => {
                    return Some(extreme(&self.elements(base)?, name == "max"));
                }
                _ => return None,
            },
        };
        Some(Ok(found))
    }

    /// Evaluates `base[index]`.
    pub(super) fn index(&self, base: &Found, index: &Found) -> Answer {
        if *base == Found::Absent {
            return Ok(Found::Absent);
        }
        let Found::Int(number) = index else {
            return fail("an index must be an integer");
        };
        let (count, what) = match base {
            Found::Bytes(bytes) => (Some(bytes.len()), "byte array"),
            list => (self.count(list), "list"),
        };
        let Some(count) = count else {
            return fail(format!("{} have no elements", self.kind_of(base)));
        };
        let index = usize::try_from(*number).ok();
        match index.and_then(|index| self.element(base, index)) {
            Some(item) => Ok(item),
            None => fail(format!(
                "index {number} is out of range: the {what} has {}",
                counted(count, "element")
            )),
        }
    }

    /// Evaluates `base.name(arguments)`.
    pub(super) fn method(
        &self,
        base: &Found,
        name: &str,
        arguments: &[Expr],
        scope: Scope,
    ) -> Answer {
        match (base, name, arguments) {
            (Found::Absent, ..) => Ok(Found::Absent),
            (_, _, []) => match self.value_member(base, name) {
                Some(answer) => answer,
                None => self.no_method(base, name, 0),
            },
            (Found::Text(text), "to_i", [base]) => parsed(text, self.radix(base, scope)?),
            (Found::Int(value), "to_s", [base]) => {
                Ok(Found::Text(written(*value, self.radix(base, scope)?)))
            }
            (Found::Text(text), "substring", [from, to]) => {
                let (from, to) = (self.position(from, scope)?, self.position(to, scope)?);
                substring(text, from, to)
            }
            (Found::Bytes(bytes), "to_s", [encoding]) => {
                let encoding = self.encoding(encoding, scope)?;
                let text = encodings::decode(bytes, encoding);
                text.map_or_else(
                    || fail(format!("the bytes are not well-formed {encoding} text")),
                    |text| Ok(Found::Text(text)),
                )
            }
            (Found::Text(text), "contains_byte", [byte]) => {
                self.contains_byte(text.as_bytes(), byte, scope)
            }
            (Found::Bytes(bytes), "contains_byte", [byte]) => {
                self.contains_byte(bytes, byte, scope)
            }
            _ => self.list_method(base, name, arguments, scope),
        }
    }

    fn list_method(&self, base: &Found, name: &str, arguments: &[Expr], scope: Scope) -> Answer {
        let is_list = self.count(base).is_some();
        match (name, arguments) {
            ("at", [index]) if is_list => self.index(base, &self.operand(index, scope)?),
            ("find" | "all", [field, wanted]) if is_list => {
                let wanted = self.operand(wanted, scope)?;
                let mut found = Vec::new();
                for item in self.elements(base).unwrap_or_default() {
                    if self.equal(&self.of(&item, field)?, &wanted) {
                        if name == "find" {
                            return Ok(item);
                        }
                        found.push(item);
                    }
                }
                match name {
                    "find" => Ok(Found::Absent),
                    _ => Ok(Found::List(found)),
                }
            }
            ("min" | "max" | "map", [field]) if is_list => {
                let items = self.elements(base).unwrap_or_default();
                let values = items.iter().map(|item| {
                    let value = self.of(item, field)?;
                    self.work.copy(value)
                });
                let values = values.collect::<Result<Vec<Found>, _>>()?;
                match name {
                    "map" => Ok(Found::List(values)),
                    _ => extreme(&values, name == "max"),
                }
            }
            _ => self.no_method(base, name, arguments.len()),
        }
    }

    /// Evaluates `expr` in the scope of the list element `item`. An error counts as an absent
    /// value. If the element is a value rather than a node, the result is this value.
    fn of(&self, item: &Found, expr: &Expr) -> Answer {
        match item {
            Found::Node(id) => {
                let answer = self
                    .work
                    .element(|| self.operand(expr, Scope::of(*id)))
                    .unwrap_or(Found::Absent);
                // An exceeded limit does not count as an absent value.
                self.work.within()?;
                Ok(answer)
            }
            other => Ok(other.clone()),
        }
    }

    fn contains_byte(&self, bytes: &[u8], byte: &Expr, scope: Scope) -> Answer {
        let byte = self.operand(byte, scope)?;
        let mut bytes = bytes.iter();
        Ok(Found::Bool(
            bytes.any(|known| Found::Int(i128::from(*known)) == byte),
        ))
    }

    fn radix(&self, expr: &Expr, scope: Scope) -> Result<u32, QueryError> {
        match self.operand(expr, scope)? {
            Found::Int(radix @ 2..=36) => Ok(u32::try_from(radix).unwrap_or(10)),
            _ => refuse("a radix must be an integer from 2 to 36"),
        }
    }

    fn position(&self, expr: &Expr, scope: Scope) -> Result<i128, QueryError> {
        match self.operand(expr, scope)? {
            Found::Int(position) => Ok(position),
            _ => refuse("a position in a string must be an integer"),
        }
    }

    fn encoding(&self, expr: &Expr, scope: Scope) -> Result<Encoding, QueryError> {
        let Found::Text(name) = self.operand(expr, scope)? else {
            return refuse("the name of an encoding must be a string");
        };
        let plain = name.replace(['-', '_', ' '], "").to_uppercase();
        match ENCODINGS.iter().find(|(known, _)| *known == plain) {
            Some((_, encoding)) => Ok(*encoding),
            None => refuse(format!("unknown encoding {name:?}")),
        }
    }

    /// Returns the error for a method that a value does not have.
    fn no_method(&self, base: &Found, name: &str, given: usize) -> Answer {
        let kind = self.kind_of(base);
        let methods = METHODS.iter().filter(|(known, ..)| *known == kind);
        let wanted = methods
            .filter(|(_, known, _)| *known == name || (*known, name) == ("min", "max"))
            .map(|(.., count)| *count)
            .next();
        let is_member = MEMBERS
            .iter()
            .any(|(known, names)| *known == kind && names.contains(&name));
        let takes = match (wanted, is_member) {
            (None, false) => return fail(format!("{kind} have no method `{name}`")),
            (None, true) => "no arguments".to_owned(),
            (Some(count), false) => counted(count, "argument"),
            (Some(count), true) => format!("no arguments or {}", counted(count, "argument")),
        };
        fail(format!(
            "the method `{name}` of {kind} takes {takes}, but {given} {} given",
            if given == 1 { "is" } else { "are" }
        ))
    }

    /// Returns the error for a member that a value does not have.
    pub(super) fn no_member(&self, base: &Found, name: &str) -> Answer {
        let kind = self.kind_of(base);
        let mut methods = METHODS.iter();
        match methods.any(|(known, method, _)| *known == kind && *method == name) {
            true => self.no_method(base, name, 0),
            false => fail(format!("{kind} have no member `{name}`")),
        }
    }
}

fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Returns the characters from `from` up to `to`, as in Kaitai.
fn substring(text: &str, from: i128, to: i128) -> Answer {
    let length = text.chars().count();
    let within = |position: i128| usize::try_from(position).ok().filter(|at| *at <= length);
    let (Some(start), Some(end)) = (within(from), within(to)) else {
        let position = if within(from).is_none() { from } else { to };
        return fail(format!(
            "position {position} is out of range: the string has {}",
            counted(length, "character")
        ));
    };
    if start > end {
        return fail(format!(
            "a substring cannot start at position {from} and end at position {to}"
        ));
    }
    let characters = text.chars().skip(start).take(end - start);
    Ok(Found::Text(characters.collect()))
}

/// Converts a float to an integer by discarding the fraction.
fn truncated(value: f64) -> Answer {
    // The bounds of 128-bit integers are -2^127 and 2^127 - 1.
    let bound = 2_f64.powi(127);
    if !(-bound..bound).contains(&value) {
        return fail(format!("{value:?} cannot be converted to an integer"));
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the value is in range, and its fraction is to be discarded"
    )]
    Ok(Found::Int(value as i128))
}
