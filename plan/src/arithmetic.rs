//! Evaluates the operators of the expression language. Lowering, decoders, fault operators and
//! queries all use these functions, so they agree on every result.

use crate::operator::BinaryOperator;

impl BinaryOperator {
    /// Applies the operator to two integers.
    ///
    /// Returns `None` for comparison and logical operators, for a division by zero, for a shift by
    /// less than 0 or more than 127 bits, and if the result overflows 128 bits.
    #[must_use]
    #[inline]
    pub fn calculate(self, a: i128, b: i128) -> Option<i128> {
        match self {
            Self::Add => a.checked_add(b),
            Self::Subtract => a.checked_sub(b),
            Self::Multiply => a.checked_mul(b),
            Self::Divide => divide(a, b).map(|(quotient, _)| quotient),
            Self::Remainder => divide(a, b).map(|(_, remainder)| remainder),
            Self::ShiftLeft => u32::try_from(b).ok().and_then(|b| shift_left(a, b)),
            Self::ShiftRight => u32::try_from(b).ok().and_then(|b| a.checked_shr(b)),
            Self::BitAnd => Some(a & b),
            Self::BitOr => Some(a | b),
            Self::BitXor => Some(a ^ b),
            _ => None,
        }
    }

    /// Applies the operator to two floats. Returns `None` for operators other than `+`, `-`, `*`
    /// and `/`.
    #[must_use]
    #[inline]
    pub fn calculate_floats(self, a: f64, b: f64) -> Option<f64> {
        match self {
            Self::Add => Some(a + b),
            Self::Subtract => Some(a - b),
            Self::Multiply => Some(a * b),
            Self::Divide => Some(a / b),
            _ => None,
        }
    }

    /// Returns `true` if `a` and `b` satisfy the comparison. Returns `None` for operators other
    /// than `<`, `<=`, `>` and `>=`. A comparison with NaN is always false.
    #[must_use]
    #[inline]
    pub fn compare<T: PartialOrd + ?Sized>(self, a: &T, b: &T) -> Option<bool> {
        match self {
            Self::Less => Some(a < b),
            Self::LessOrEqual => Some(a <= b),
            Self::Greater => Some(a > b),
            Self::GreaterOrEqual => Some(a >= b),
            _ => None,
        }
    }
}

/// Divides, rounding toward negative infinity. Returns the quotient and the remainder, which has
/// the sign of the divisor.
fn divide(a: i128, b: i128) -> Option<(i128, i128)> {
    let (quotient, remainder) = (a.checked_div(b)?, a.checked_rem(b)?);
    if remainder != 0 && (remainder < 0) != (b < 0) {
        Some((quotient - 1, remainder + b))
    } else {
        Some((quotient, remainder))
    }
}

/// Computes `a << b`, or `None` if the result overflows.
fn shift_left(a: i128, b: u32) -> Option<i128> {
    let shifted = a.checked_shl(b)?;
    (shifted >> b == a).then_some(shifted)
}

#[cfg(test)]
mod tests {
    use super::BinaryOperator as B;
    use quickcheck::quickcheck;

    quickcheck! {
        fn a_quotient_and_its_remainder_make_the_number(a: i128, b: i128) -> bool {
            match (B::Divide.calculate(a, b), B::Remainder.calculate(a, b)) {
                (Some(quotient), Some(remainder)) => {
                    quotient.wrapping_mul(b).wrapping_add(remainder) == a
                        && (remainder == 0 || (remainder < 0) == (b < 0))
                        && remainder.unsigned_abs() < b.unsigned_abs()
                }
                (None, None) => b == 0 || (a == i128::MIN && b == -1),
                _ => false,
            }
        }

        fn what_is_shifted_left_comes_back(a: i64, by: u8) -> bool {
            let (a, by) = (i128::from(a), i128::from(by));
            B::ShiftLeft
                .calculate(a, by)
                .is_none_or(|shifted| B::ShiftRight.calculate(shifted, by) == Some(a))
        }
    }

    #[test]
    fn quotients_are_rounded_towards_minus_infinity() {
        assert_eq!(B::Divide.calculate(-7, 2), Some(-4));
        assert_eq!(B::Remainder.calculate(-7, 2), Some(1));
        assert_eq!(B::Divide.calculate(7, -2), Some(-4));
        assert_eq!(B::Remainder.calculate(7, -2), Some(-1));
        assert_eq!(B::Divide.calculate(1, 0), None);
    }

    #[test]
    fn what_leaves_128_bits_has_no_value() {
        assert_eq!(B::Add.calculate(i128::MAX, 1), None);
        assert_eq!(B::ShiftLeft.calculate(1, 127), None);
        assert_eq!(B::ShiftLeft.calculate(1, 126), Some(1 << 126));
        assert_eq!(B::ShiftRight.calculate(1, 128), None);
        assert_eq!(B::ShiftLeft.calculate(1, -1), None);
    }

    #[test]
    fn only_comparisons_compare() {
        assert_eq!(B::Less.compare(&1, &2), Some(true));
        assert_eq!(B::GreaterOrEqual.compare("b", "a"), Some(true));
        assert_eq!(B::Less.compare(&f64::NAN, &1.0), Some(false));
        assert_eq!(B::Add.compare(&1, &2), None);
        assert_eq!(B::Less.calculate(1, 2), None);
    }
}
