//! What a wrong number looks like.

/// The mistake that makes `actual` of `expected`, where both are whole numbers, as JSON, and a
/// usual mistake does. Small numbers differ for any reason.
pub(super) fn resemblance(expected: &str, actual: &str) -> Option<String> {
    let number = |text: &str| text.trim_matches('"').parse::<i128>().ok();
    let (expected, actual) = (number(expected)?, number(actual)?);
    if expected == actual || (-128..256).contains(&expected) {
        return None;
    }
    for bits in [8, 16, 32, 64] {
        let rest = expected & ((1 << bits) - 1);
        if expected - actual == 1 << bits && actual < 0 {
            return Some(format!("it is the number as if its {bits} bits had a sign"));
        }
        if actual - expected == 1 << bits && expected < 0 {
            return Some(format!(
                "it is the number as if its {bits} bits had no sign"
            ));
        }
        if actual == rest && expected != rest {
            return Some(format!("it is the lowest {bits} bits of the number"));
        }
    }
    let swapped = i128::from_be_bytes(expected.to_le_bytes());
    let widths = [2, 4, 8];
    let other_order = |width: &u32| {
        expected >= 0 && actual == (swapped >> (128 - 8 * width)) & ((1 << (8 * width)) - 1)
    };
    if widths
        .iter()
        .any(|width| expected < 1 << (8 * width) && other_order(width))
    {
        return Some("it is the number with its bytes in the other order".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_mistakes_are_seen() {
        let seen = |expected: &str, actual: &str| resemblance(expected, actual).unwrap_or_default();
        assert_eq!(
            seen("\"2103402591365496864\"", "905576480"),
            "it is the lowest 32 bits of the number"
        );
        assert_eq!(
            seen("65535", "-1"),
            "it is the number as if its 16 bits had a sign"
        );
        assert_eq!(
            seen("-1000", "64536"),
            "it is the number as if its 16 bits had no sign"
        );
        assert_eq!(
            seen("4660", "13330"),
            "it is the number with its bytes in the other order"
        );
        assert_eq!(
            seen("305419896", "2018915346"),
            "it is the number with its bytes in the other order"
        );
    }

    #[test]
    fn other_differences_are_none() {
        for (expected, actual) in [("1000", "1001"), ("5", "5"), ("300", "\"x\""), ("1", "0")] {
            assert_eq!(resemblance(expected, actual), None, "{expected} {actual}");
        }
    }
}
