//! Values in the protocol's canonical form.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// Converts an unsigned integer, keeping all its digits.
///
/// ```
/// use tracegauge_kit::{json, value};
/// assert_eq!(value::unsigned(u64::MAX).to_string(), "18446744073709551615");
/// ```
pub fn unsigned(number: u64) -> Value {
    json!(number)
}

/// Converts a signed integer, keeping all its digits.
///
/// ```
/// use tracegauge_kit::{json, value};
/// assert_eq!(value::signed(i64::MIN).to_string(), "-9223372036854775808");
/// ```
pub fn signed(number: i64) -> Value {
    json!(number)
}

/// Converts an integer of any width, keeping all its digits: to a number if it has at most 64 bits,
/// and otherwise to a string, which the protocol accepts in place of the number.
///
/// ```
/// use tracegauge_kit::{json, value};
/// assert_eq!(value::integer(-1), json!(-1));
/// assert_eq!(value::integer(1 << 64), json!("18446744073709551616"));
/// ```
pub fn integer(number: i128) -> Value {
    let narrow = u64::try_from(number).map(unsigned);
    let narrow = narrow.or_else(|_| i64::try_from(number).map(signed));
    narrow.unwrap_or_else(|_| json!(number.to_string()))
}

/// Converts a float to the shortest number that parses to the same float, or to its name if it is
/// not finite.
///
/// ```
/// use tracegauge_kit::{json, value};
/// assert_eq!(value::float(-0.0).to_string(), "-0.0");
/// assert_eq!(value::float(f64::NEG_INFINITY), json!("-Infinity"));
/// ```
pub fn float(number: f64) -> Value {
    if number.is_nan() {
        json!("NaN")
    } else if number.is_infinite() {
        json!(if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        })
    } else {
        json!(number)
    }
}

/// Converts raw bytes. The macro `json!` would convert a `Vec<u8>` to a list of numbers.
///
/// ```
/// use tracegauge_kit::{json, value};
/// assert_eq!(value::bytes(&[0x00, 0xff]), json!({"hex": "00ff"}));
/// ```
pub fn bytes(raw: &[u8]) -> Value {
    let mut hex = String::with_capacity(raw.len() * 2);
    for byte in raw {
        // Writing to a `String` cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    json!({ "hex": hex })
}

/// Converts text that the reader returns as bytes: to a string if it is valid UTF-8, and otherwise
/// to raw bytes.
///
/// ```
/// use tracegauge_kit::{json, value};
/// assert_eq!(value::text("é".as_bytes()), json!("é"));
/// assert_eq!(value::text(&[0xc3]), json!({"hex": "c3"}));
/// ```
pub fn text(raw: &[u8]) -> Value {
    match std::str::from_utf8(raw) {
        Ok(text) => json!(text),
        Err(_) => bytes(raw),
    }
}
