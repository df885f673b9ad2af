//! Compares numbers in the forms that readers may write.

use serde_json::Value as Json;

/// An upper bound on the number of digits of an integer in any format.
const MOST_DIGITS: u32 = 40;

/// Parses the integer in `json`, which may be a number or a decimal string.
pub(super) fn integer(json: &Json) -> Option<i128> {
    match json {
        Json::Number(number) => integer_token(number.as_str()),
        Json::String(text) => decimal(text),
        _ => None,
    }
}

/// Parses a number in JSON notation as an integer if its exact value is whole. Some languages write
/// integers as `5.0` or `5e0`.
fn integer_token(token: &str) -> Option<i128> {
    let (mantissa, exponent) = match token.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (token, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let plain = digits.trim_end_matches('0');
    if plain.is_empty() || plain == "-" {
        return Some(0);
    }
    // The number of zeros after the last nonzero digit.
    let zeros = (digits.len() - plain.len()) as i64 - fraction.len() as i64 + exponent;
    let zeros = u32::try_from(zeros)
        .ok()
        .filter(|zeros| *zeros <= MOST_DIGITS)?;
    let number: i128 = plain.parse().ok()?;
    number.checked_mul(10_i128.checked_pow(zeros)?)
}

fn decimal(text: &str) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let led = digits.len() > 1 && digits.starts_with('0');
    (plain && !led && text.len() <= MOST_DIGITS as usize)
        .then(|| text.parse().ok())
        .flatten()
}

/// Returns whether `json` is the 32-bit float `expected` after rounding to 32 bits.
pub(super) fn is_f32(expected: f32, json: &Json) -> bool {
    match json {
        Json::Number(number) => {
            let token = number.as_str();
            let is_same = |float: f32| is_same(float.into(), expected.into());
            // Readers may round once from the digits, or twice via a double, so both results are
            // allowed.
            #[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
            let twice = token
                .parse::<f64>()
                .is_ok_and(|double| is_same(double as f32));
            twice || token.parse::<f32>().is_ok_and(is_same)
        }
        Json::String(name) => is_named(f64::from(expected), name),
        _ => false,
    }
}

/// Returns whether `json` is the 64-bit float `expected`.
pub(super) fn is_f64(expected: f64, json: &Json) -> bool {
    match json {
        Json::Number(number) => {
            let double = number.as_str().parse::<f64>();
            double.is_ok_and(|double| is_same(double, expected))
        }
        Json::String(name) => is_named(expected, name),
        _ => false,
    }
}

/// Returns whether two floats are equal and have the same sign. Zeros with different signs differ,
/// because a trace stores the sign of zero.
fn is_same(one: f64, other: f64) -> bool {
    one == other && one.is_sign_negative() == other.is_sign_negative()
}

fn is_named(expected: f64, name: &str) -> bool {
    match name {
        "NaN" => expected.is_nan(),
        "Infinity" => expected == f64::INFINITY,
        "-Infinity" => expected == f64::NEG_INFINITY,
        _ => false,
    }
}

/// Returns whether two JSON values are equal. Numbers are compared as doubles, and the order of
/// object members is ignored.
pub(super) fn same_json(expected: &Json, actual: &Json) -> bool {
    match (expected, actual) {
        (Json::Number(a), Json::Number(b)) => {
            let (a, b) = (a.as_str(), b.as_str());
            a == b || matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a == b)
        }
        // A number that is too large for a double is infinite as a double. JSON has no number for
        // infinity, so readers write it as a string.
        (Json::Number(number), Json::String(_)) => {
            let double = number.as_str().parse::<f64>();
            double.is_ok_and(|double| double.is_infinite() && is_f64(double, actual))
        }
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_json(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, a)| b.get(name).is_some_and(|b| same_json(a, b)))
        }
        (a, b) => a == b,
    }
}
