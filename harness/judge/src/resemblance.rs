//! Recognizes common mistakes behind wrong numbers and strings.

/// Common widths of integers in bits.
const WIDTHS: [u32; 5] = [8, 16, 24, 32, 64];

/// Describes the common mistake that turns `expected` into `actual`, if there is one. Both are values
/// in JSON notation. Small numbers are not examined, because they match too many
/// mistakes by chance.
pub(super) fn resemblance(expected: &str, actual: &str) -> Option<String> {
    of_whole_numbers(expected, actual)
        .or_else(|| of_floats(expected, actual))
        .or_else(|| of_text(expected, actual))
}

/// Recognizes a 64-bit float that was rounded to 32 bits.
fn of_floats(expected: &str, actual: &str) -> Option<String> {
    let number = |text: &str| text.trim_matches('"').parse::<f64>().ok();
    let is_float = |text: &str| text.contains(['.', 'e', 'I']);
    let (whole, half) = (number(expected)?, number(actual)?);
    #[expect(clippy::cast_possible_truncation, reason = "the rounding is intended")]
    let halved = f64::from(whole as f32);
    // Whole numbers are not examined, because most of them are represented identically in both
    // widths.
    let is_halved = halved == half && whole != half && is_float(expected);
    is_halved.then(|| "the value was rounded to a 32-bit float".to_owned())
}

fn of_whole_numbers(expected: &str, actual: &str) -> Option<String> {
    let (expected, actual) = (whole(expected)?, whole(actual)?);
    if expected == actual || (-128..256).contains(&expected) {
        return None;
    }
    for bits in WIDTHS {
        if expected - actual == 1 << bits && actual < 0 {
            return Some(format!("the value was read as a signed {bits}-bit number"));
        }
        if actual - expected == 1 << bits && expected < 0 {
            return Some(format!(
                "the value was read as an unsigned {bits}-bit number"
            ));
        }
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "the rounding is intended"
    )]
    let rounded = expected as f64 as i128;
    if actual == rounded {
        return Some(
            "the value was rounded to a double, which has 53 bits of precision".to_owned(),
        );
    }
    if let Some(widths) = widths_left(expected, actual) {
        return Some(widths);
    }
    if in_opposite_order(expected, actual) {
        return Some("the value was read in the opposite byte order".to_owned());
    }
    in_another_unit(expected, actual)
}

/// Returns a whole number in JSON notation, which may have an exponent.
fn whole(text: &str) -> Option<i128> {
    let text = text.trim_matches('"');
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let number: f64 = text.parse().ok().filter(|it: &f64| it.fract() == 0.0)?;
    #[expect(clippy::cast_possible_truncation, reason = "larger numbers do not fit")]
    (number.abs() < GREATEST).then_some(number as i128)
}

/// Greater numbers are not examined.
const GREATEST: f64 = 1e30;

/// The factors between common units.
const UNITS: [i128; 4] = [1_000_000_000, 1_000_000, 1000, 100];

/// Recognizes a number that was converted to another unit, or rounded to one.
fn in_another_unit(expected: i128, actual: i128) -> Option<String> {
    // A small result matches too often by chance.
    if actual.abs() < 10 {
        return None;
    }
    for unit in UNITS {
        if actual == expected / unit {
            return Some(format!("the value was divided by {unit}"));
        }
        if actual == expected.saturating_mul(unit) {
            return Some(format!("the value was multiplied by {unit}"));
        }
        if actual == expected - expected.rem_euclid(unit) {
            return Some(format!(
                "the value was rounded down to a multiple of {unit}"
            ));
        }
    }
    None
}

/// Recognizes text that was decoded or changed in a common way.
fn of_text(expected: &str, actual: &str) -> Option<String> {
    let text = |json: &str| serde_json::from_str::<String>(json).ok();
    let (expected, actual) = (text(expected)?, text(actual)?);
    if expected == actual {
        return None;
    }
    let is_beyond_ascii = !expected.is_ascii();
    let each_byte = || expected.bytes().map(char::from).collect::<String>();
    let replaced = |by: char| {
        let changed = |c: char| if c.is_ascii() { c } else { by };
        expected.chars().map(changed).collect::<String>()
    };
    let what = if is_beyond_ascii && actual == each_byte() {
        "decoded as Latin-1, with one character for each byte"
    } else if is_beyond_ascii && (actual == replaced('?') || actual == replaced('\u{fffd}')) {
        "decoded as ASCII, without all other characters"
    } else if expected.split('\0').next() == Some(&actual) {
        "cut at the first NUL character"
    } else if actual == expected.trim() {
        "trimmed"
    } else if actual == expected.to_lowercase() || actual == expected.to_uppercase() {
        "converted to another case"
    } else {
        return None;
    };
    Some(format!("the value was {what}"))
}

/// Returns whether `actual` has the bytes of `expected` in the opposite order. Both strings are
/// numbers in JSON notation. Numbers of one byte are not examined.
pub fn is_byte_swapped(expected: &str, actual: &str) -> bool {
    let number = |text: &str| text.trim_matches('"').parse::<i128>().ok();
    match (number(expected), number(actual)) {
        (Some(expected), Some(actual)) => expected >= 256 && in_opposite_order(expected, actual),
        _ => false,
    }
}

fn in_opposite_order(expected: i128, actual: i128) -> bool {
    let swapped = i128::from_be_bytes(expected.to_le_bytes());
    [2, 4, 8].iter().any(|width| {
        let fits = expected >= 0 && expected < 1 << (8 * width);
        fits && actual == (swapped >> (128 - 8 * width)) & ((1 << (8 * width)) - 1)
    })
}

/// Describes how many of the lowest bits of `expected` remain in `actual`. Several widths may match
/// if `expected` has zeros in the middle.
fn widths_left(expected: i128, actual: i128) -> Option<String> {
    let left = |bits: &u32| expected & ((1_i128 << bits) - 1);
    let fits = |bits: &u32| actual == left(bits) && expected != actual;
    let widths: Vec<String> = WIDTHS
        .iter()
        .filter(|bits| fits(bits))
        .map(u32::to_string)
        .collect();
    let (last, others) = widths.split_last()?;
    Some(match others {
        [] => format!("the value was truncated to {last} bits"),
        others => format!(
            "the value was truncated to {} or {last} bits",
            others.join(", ")
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_in_the_opposite_order_are_seen() {
        assert!(is_byte_swapped("258", "513"));
        assert!(is_byte_swapped("\"72057594037927936\"", "1"));
        assert!(!is_byte_swapped("258", "514"));
        assert!(!is_byte_swapped("255", "65280"));
        assert!(!is_byte_swapped("-2", "4278190079"));
        assert!(!is_byte_swapped("258", "missing"));
    }

    #[test]
    fn numbers_in_another_unit_are_seen() {
        let seen = |expected: &str, actual: &str| resemblance(expected, actual);
        let told = |text: &str| Some(format!("the value was {text}"));
        assert_eq!(seen("1234567", "1234"), told("divided by 1000"));
        assert_eq!(
            seen("1234567", "1234500"),
            told("rounded down to a multiple of 100")
        );
        assert_eq!(seen("1234567", "0"), None);
        assert_eq!(seen("1234567", "1234568"), None);
        let rounded = told("rounded to a double, which has 53 bits of precision");
        assert_eq!(seen("9007199254740993", "9.007199254740992e+15"), rounded);
    }

    #[test]
    fn changed_text_is_seen() {
        let seen = |expected: &str, actual: &str| {
            let json = |text: &str| serde_json::Value::from(text).to_string();
            resemblance(&json(expected), &json(actual))
        };
        let told = |text: &str| Some(format!("the value was {text}"));
        let latin = told("decoded as Latin-1, with one character for each byte");
        assert_eq!(seen("\u{df}", "\u{c3}\u{9f}"), latin);
        let ascii = told("decoded as ASCII, without all other characters");
        assert_eq!(seen("a\u{df}", "a?"), ascii);
        assert_eq!(seen("a\0b", "a"), told("cut at the first NUL character"));
        assert_eq!(seen(" a", "a"), told("trimmed"));
        assert_eq!(seen("aB", "ab"), told("converted to another case"));
        assert_eq!(seen("ab", "ac"), None);
        assert_eq!(seen("ab", "ab"), None);
    }

    #[test]
    fn usual_mistakes_are_seen() {
        let seen = |expected: &str, actual: &str| resemblance(expected, actual).unwrap_or_default();
        assert_eq!(
            seen("\"2103402591365496864\"", "905576480"),
            "the value was truncated to 32 bits"
        );
        assert_eq!(
            seen("65535", "-1"),
            "the value was read as a signed 16-bit number"
        );
        assert_eq!(
            seen("-1000", "64536"),
            "the value was read as an unsigned 16-bit number"
        );
        for (exact, rounded) in [
            ("\"9007199254740993\"", "9007199254740992"),
            ("\"18446744073709551615\"", "\"18446744073709551616\""),
        ] {
            assert_eq!(
                seen(exact, rounded),
                "the value was rounded to a double, which has 53 bits of precision"
            );
        }
        for (float, halved) in [
            ("0.1", "0.10000000149011612"),
            ("5e-324", "0"),
            ("1e300", "\"Infinity\""),
        ] {
            assert_eq!(
                seen(float, halved),
                "the value was rounded to a 32-bit float"
            );
        }
        assert_eq!(seen("0.1", "0.2"), "");
        assert_eq!(
            seen("4660", "13330"),
            "the value was read in the opposite byte order"
        );
        assert_eq!(
            seen("305419896", "2018915346"),
            "the value was read in the opposite byte order"
        );
    }

    #[test]
    fn a_width_is_named_where_no_other_fits() {
        let seen = |expected: &str, actual: &str| resemblance(expected, actual).unwrap_or_default();
        let truncated = "the value was truncated to ";
        assert_eq!(
            seen("16777220", "4"),
            format!("{truncated}8, 16 or 24 bits")
        );
        assert_eq!(
            seen("4294967296", "0"),
            format!("{truncated}8, 16, 24 or 32 bits")
        );
        assert_eq!(seen("65537", "1"), format!("{truncated}8 or 16 bits"));
        assert_eq!(seen("66051", "3"), "the value was truncated to 8 bits");
        assert_eq!(
            seen("16909060", "131844"),
            "the value was truncated to 24 bits"
        );
    }

    #[test]
    fn other_differences_are_none() {
        for (expected, actual) in [("1000", "1001"), ("5", "5"), ("300", "\"x\""), ("1", "0")] {
            assert_eq!(resemblance(expected, actual), None, "{expected} {actual}");
        }
    }
}
