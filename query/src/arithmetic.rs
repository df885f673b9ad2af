//! Arithmetic in expressions over a tree.

use tracegauge_plan::operator::{BinaryOperator, UnaryOperator};

use super::evaluate::{Answer, Found, QueryError, fail, refuse, truth};

pub(super) fn parsed(text: &str, radix: u32) -> Answer {
    let number = i128::from_str_radix(text, radix).ok();
    Ok(number.map_or(Found::Absent, Found::Int))
}

/// Returns the digits of a number.
pub(super) fn written(value: i128, radix: u32) -> String {
    let mut digits = Vec::new();
    let mut rest = value.unsigned_abs();
    while rest > 0 || digits.is_empty() {
        let digit = u32::try_from(rest % u128::from(radix)).unwrap_or_default();
        digits.extend(char::from_digit(digit, radix));
        rest /= u128::from(radix);
    }
    if value < 0 {
        digits.push('-');
    }
    digits.into_iter().rev().collect()
}

pub(super) fn extreme(items: &[Found], greatest: bool) -> Answer {
    let numbers: Vec<i128> = items
        .iter()
        .filter_map(|item| {
            if let Found::Int(value) = item {
                Some(*value)
            } else {
                None
            }
        })
        .collect();
    let found = if greatest {
        numbers.iter().max()
    } else {
        numbers.iter().min()
    };
    Ok(found.map_or(Found::Absent, |value| Found::Int(*value)))
}

pub(super) fn unary(operator: UnaryOperator, operand: Found) -> Answer {
    match (operator, operand) {
        (UnaryOperator::Not, value) => Ok(Found::Bool(!truth(&value))),
        (UnaryOperator::Negate, Found::Int(value)) => match value.checked_neg() {
            Some(value) => Ok(Found::Int(value)),
            None => fail("integer overflow"),
        },
        (UnaryOperator::Negate, Found::Float(value)) => Ok(Found::Float(-value)),
        (UnaryOperator::Invert, Found::Int(value)) => Ok(Found::Int(!value)),
        (_, Found::Absent) => Ok(Found::Absent),
        _ => fail("the operator requires a number"),
    }
}

/// Applies an operator other than `==` and `!=`.
pub(super) fn binary(operator: BinaryOperator, left: Found, right: Found) -> Answer {
    use BinaryOperator as B;
    let (left, right) = (as_number(left), as_number(right));
    let (left, right) = match (&left, &right) {
        (Found::Bytes(_), Found::List(_)) | (Found::List(_), Found::Bytes(_)) => {
            (as_bytes(left), as_bytes(right))
        }
        _ => (left, right),
    };
    match operator {
        B::And | B::Or => return Ok(Found::Bool(truth(&right))),
        _ => {}
    }
    let result = match (operator, &left, &right) {
        (B::Add, Found::Text(a), Found::Text(b)) => return Ok(Found::Text(format!("{a}{b}"))),
        (_, Found::Text(a), Found::Text(b)) => operator.compare(a, b).map(Found::Bool),
        (_, Found::Bytes(a), Found::Bytes(b)) => operator.compare(a, b).map(Found::Bool),
        (_, Found::Int(a), Found::Int(b)) => integers(operator, *a, *b)?,
        (_, Found::Float(a), Found::Float(b)) => floats(operator, *a, *b),
        (_, Found::Float(a), Found::Int(b)) => floats(operator, *a, nearest(*b)),
        (_, Found::Int(a), Found::Float(b)) => floats(operator, nearest(*a), *b),
        (_, Found::Absent, _) | (_, _, Found::Absent) => Some(Found::Absent),
        _ => None,
    };
    result.map_or_else(|| fail("the operator is not defined for these values"), Ok)
}

/// Converts a list of byte values to bytes.
fn as_bytes(found: Found) -> Found {
    let Found::List(items) = &found else {
        return found;
    };
    let bytes = items.iter().map(|item| match item {
        Found::Int(value) => u8::try_from(*value).ok(),
        _ => None,
    });
    let bytes: Option<Vec<u8>> = bytes.collect();
    bytes.map_or(found, Found::Bytes)
}

fn as_number(found: Found) -> Found {
    match found {
        Found::Bool(value) => Found::Int(i128::from(value)),
        other => other,
    }
}

fn integers(operator: BinaryOperator, a: i128, b: i128) -> Result<Option<Found>, QueryError> {
    if let Some(truth) = operator.compare(&a, &b) {
        return Ok(Some(Found::Bool(truth)));
    }
    use BinaryOperator as B;
    match (operator, operator.calculate(a, b)) {
        (_, Some(value)) => Ok(Some(Found::Int(value))),
        (B::Divide | B::Remainder, None) if b == 0 => refuse("division by zero"),
        (B::ShiftLeft | B::ShiftRight, None) if b < 0 => refuse("shift by a negative number"),
        _ => refuse("the result does not fit in 128 bits"),
    }
}

fn floats(operator: BinaryOperator, a: f64, b: f64) -> Option<Found> {
    match operator.compare(&a, &b) {
        Some(truth) => Some(Found::Bool(truth)),
        None => operator.calculate_floats(a, b).map(Found::Float),
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "an integer is compared with a float after conversion to the nearest float"
)]
pub(super) fn nearest(value: i128) -> f64 {
    value as f64
}
