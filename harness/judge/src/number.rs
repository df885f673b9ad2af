//! Recognizes common mistakes behind wrong numbers.

/// Common widths of integers in bits.
const WIDTHS: [u32; 5] = [8, 16, 24, 32, 64];

/// Describes the common mistake that turns `expected` into `actual`, if there is one. Both strings
/// are numbers in JSON notation. Small numbers are not examined, because they match too many
/// mistakes by chance.
pub(super) fn resemblance(expected: &str, actual: &str) -> Option<String> {
    of_whole_numbers(expected, actual).or_else(|| of_floats(expected, actual))
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
    let number = |text: &str| text.trim_matches('"').parse::<i128>().ok();
    let (expected, actual) = (number(expected)?, number(actual)?);
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
    in_opposite_order(expected, actual)
        .then(|| "the value was read in the opposite byte order".to_owned())
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
