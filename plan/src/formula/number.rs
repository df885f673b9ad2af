//! Numbers of 64 bits, some of which stand for other values.

/// Stands for no value.
pub const ABSENT: i64 = i64::MIN;

/// Stands for a value that is stored elsewhere: an integer that needs more than 64 bits or that has
/// another meaning here, or a value that is not a number.
pub const OTHER: i64 = i64::MIN + 1;

/// Stands for the truth value `false`.
pub const FALSE: i64 = i64::MIN + 2;

/// Stands for the truth value `true`.
pub const TRUE: i64 = i64::MIN + 3;

/// Returns whether a number stands for itself.
#[inline(always)]
pub fn is_plain(number: i64) -> bool {
    number > TRUE
}

/// Returns the number for an integer.
#[inline(always)]
pub fn of(integer: i128) -> i64 {
    match i64::try_from(integer) {
        Ok(number) if is_plain(number) => number,
        _ => OTHER,
    }
}

/// Returns the number for an unsigned integer.
#[inline(always)]
pub fn of_unsigned(integer: u64) -> i64 {
    let number = integer.cast_signed();
    if number >= 0 { number } else { OTHER }
}

/// Returns the number for a signed integer.
#[inline(always)]
pub fn of_signed(integer: i64) -> i64 {
    if is_plain(integer) { integer } else { OTHER }
}

/// Returns the number for a truth value.
#[inline(always)]
pub fn of_truth(truth: bool) -> i64 {
    if truth { TRUE } else { FALSE }
}

/// Returns the integer that operators use: a truth value counts as 0 or 1. The number must not be
/// [`ABSENT`] or [`OTHER`].
#[inline(always)]
pub(super) fn integer(number: i64) -> i64 {
    match number {
        FALSE => 0,
        TRUE => 1,
        plain => plain,
    }
}

/// Returns whether the value is true, or `None` if this is unknown.
#[inline(always)]
pub fn truth(number: i64) -> Option<bool> {
    match number {
        TRUE => Some(true),
        FALSE | ABSENT | 0 => Some(false),
        OTHER => None,
        _ => Some(true),
    }
}
