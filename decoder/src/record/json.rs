//! The canonical JSON of records, as the reader protocol defines it.

use super::{Pair, Record, Value};
use crate::stack;

/// The largest magnitude that is written as a JSON number. Larger integers are written as decimal
/// strings, because languages that store all numbers as doubles would lose digits.
const GREATEST_EXACT: i128 = (1 << 53) - 1;

/// Appends the canonical JSON of `record` to `out`, without a line terminator.
pub fn write_record(record: &Record, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"record\":");
    write_text(&record.kind, out);
    for (name, value) in &record.members {
        if matches!(value, Value::Absent) {
            continue;
        }
        out.push(b',');
        write_text(name, out);
        out.push(b':');
        write_value(value, out);
    }
    out.push(b'}');
}

/// Appends the canonical JSON of `value` to `out`.
pub fn write_value(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Absent => out.extend_from_slice(b"null"),
        Value::Missing(why) => {
            out.extend_from_slice(b"{\"missing\":");
            write_text(why, out);
            out.push(b'}');
        }
        Value::Free => out.extend_from_slice(b"{\"free\":true}"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Int(number) => write_integer(*number, out),
        Value::F32(bits) => write_float(FloatText::of_f32(f32::from_bits(*bits)), out),
        Value::F64(bits) => write_float(FloatText::of_f64(f64::from_bits(*bits)), out),
        Value::Text(text) | Value::Guid(text) | Value::DateTime(text) => write_text(text, out),
        Value::IllFormed(bytes) | Value::Bytes(bytes) => write_hex(bytes, out),
        // Deep nesting must not overflow the thread's stack.
        Value::List(_) | Value::Object(_) | Value::Pairs(_) => {
            stack::deeper(|| write_nested(value, out));
        }
        Value::Enum { name, .. } => write_text(name, out),
        Value::Flags { names, rest, .. } => {
            out.push(b'[');
            for (index, name) in names.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_text(name, out);
            }
            if *rest != 0 {
                if !names.is_empty() {
                    out.push(b',');
                }
                write_integer(*rest, out);
            }
            out.push(b']');
        }
        Value::Json(value) => out.extend_from_slice(value.to_string().as_bytes()),
    }
}

fn write_nested(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::List(items) => write_list(items, out, write_value),
        Value::Pairs(pairs) => write_list(pairs, out, write_pair),
        Value::Object(members) => {
            out.push(b'{');
            let present = members.iter().filter(|(_, v)| !matches!(v, Value::Absent));
            for (index, (name, value)) in present.enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_text(name, out);
                out.push(b':');
                write_value(value, out);
            }
            out.push(b'}');
        }
        leaf => write_value(leaf, out),
    }
}

fn write_list<T>(items: &[T], out: &mut Vec<u8>, write: impl Fn(&T, &mut Vec<u8>)) {
    out.push(b'[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(item, out);
    }
    out.push(b']');
}

fn write_pair(pair: &Pair, out: &mut Vec<u8>) {
    out.push(b'[');
    write_value(&pair.name, out);
    out.push(b',');
    write_value(&pair.value, out);
    out.push(b']');
}

/// Appends an integer. The integer is written as a number if every JSON reader can represent it
/// exactly, and otherwise as a string.
pub(crate) fn write_integer(number: impl itoa::Integer + Into<i128> + Copy, out: &mut Vec<u8>) {
    let mut buffer = itoa::Buffer::new();
    let text = buffer.format(number).as_bytes();
    if (-GREATEST_EXACT..=GREATEST_EXACT).contains(&number.into()) {
        out.extend_from_slice(text);
    } else {
        write_quoted(text, out);
    }
}

/// The text of a float: the shortest digits that round-trip, or a name for a value that JSON
/// numbers cannot represent.
enum FloatText {
    Digits(String),
    Name(&'static str),
}

impl FloatText {
    fn of_f32(value: f32) -> Self {
        Self::special(f64::from(value)).unwrap_or_else(|| Self::Digits(format!("{value:?}")))
    }

    fn of_f64(value: f64) -> Self {
        Self::special(value).unwrap_or_else(|| Self::Digits(format!("{value:?}")))
    }

    fn special(value: f64) -> Option<Self> {
        if value.is_nan() {
            Some(Self::Name("NaN"))
        } else if value.is_infinite() {
            Some(Self::Name(if value > 0.0 {
                "Infinity"
            } else {
                "-Infinity"
            }))
        } else {
            None
        }
    }
}

fn write_float(text: FloatText, out: &mut Vec<u8>) {
    match text {
        FloatText::Digits(digits) => out.extend_from_slice(digits.as_bytes()),
        FloatText::Name(name) => write_text(name, out),
    }
}

/// Appends bytes as an object with their hexadecimal digits.
pub(crate) fn write_hex(bytes: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.extend_from_slice(b"{\"hex\":\"");
    for byte in bytes {
        out.push(DIGITS[usize::from(byte >> 4)]);
        out.push(DIGITS[usize::from(byte & 15)]);
    }
    out.extend_from_slice(b"\"}");
}

/// Appends a string in quotes, with escapes.
pub(crate) fn write_text(text: &str, out: &mut Vec<u8>) {
    write_utf8(text.as_bytes(), out);
}

/// Appends a string without characters that need escapes, in quotes.
pub(crate) fn write_quoted(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(text);
    out.push(b'"');
}

/// The number of bytes that are examined together. The compiler uses vector instructions for them.
const TOGETHER: usize = 16;

/// Appends a string, given as well-formed UTF-8, in quotes and with escapes.
pub(crate) fn write_utf8(text: &[u8], out: &mut Vec<u8>) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    let (chunks, rest) = text.as_chunks::<TOGETHER>();
    for chunk in chunks {
        if has_escapes(chunk) {
            write_escaped(chunk, out);
        } else {
            out.extend_from_slice(chunk);
        }
    }
    let mut padded = [b' '; TOGETHER];
    padded[..rest.len()].copy_from_slice(rest);
    if has_escapes(&padded) {
        write_escaped(rest, out);
    } else {
        out.extend_from_slice(rest);
    }
    out.push(b'"');
}

/// Returns whether any of the bytes needs an escape.
fn has_escapes(bytes: &[u8; TOGETHER]) -> bool {
    let is_escaped = |found: bool, byte: &u8| found | is_escaped(*byte);
    bytes.iter().fold(false, is_escaped)
}

/// Returns whether a byte of a string needs an escape.
fn is_escaped(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

/// Appends a part of a string, with escapes.
fn write_escaped(text: &[u8], out: &mut Vec<u8>) {
    let mut plain_from = 0;
    for (index, byte) in text.iter().enumerate() {
        if !is_escaped(*byte) {
            continue;
        }
        out.extend_from_slice(&text[plain_from..index]);
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            control => out.extend_from_slice(format!("\\u{control:04x}").as_bytes()),
        }
        plain_from = index + 1;
    }
    out.extend_from_slice(&text[plain_from..]);
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn written(text: &str) -> String {
        let mut out = Vec::new();
        write_text(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn escapes_are_found_at_every_position() {
        for length in 0..40 {
            for at in 0..length {
                for (byte, escape) in [
                    ("\"", "\\\""),
                    ("\\", "\\\\"),
                    ("\u{1}", "\\u0001"),
                    ("\t", "\\t"),
                ] {
                    let (before, after) = ("é".repeat(at), "x".repeat(length - at));
                    let expected = format!("\"{before}{escape}{after}\"");
                    assert_eq!(written(&format!("{before}{byte}{after}")), expected);
                }
            }
        }
    }

    quickcheck! {
        fn any_text_is_read_back(text: String) -> bool {
            serde_json::from_str::<String>(&written(&text)).unwrap() == text
        }

        fn an_integer_is_exact(number: i64, wide: u64) -> bool {
            let mut out = Vec::new();
            write_integer(number, &mut out);
            out.push(b' ');
            write_integer(i128::from(number) * i128::from(wide), &mut out);
            let text = String::from_utf8(out).unwrap();
            let numbers: Vec<i128> = text
                .split(' ')
                .map(|text| text.trim_matches('"').parse().unwrap())
                .collect();
            numbers == [i128::from(number), i128::from(number) * i128::from(wide)]
                && (text.starts_with('"') == (number.unsigned_abs() >= 1 << 53))
        }
    }
}
