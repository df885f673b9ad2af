//! Numbers, truth values and bytes, and what the operators of expressions compute from them.

use crate::operator::{BinaryOperator, UnaryOperator};

/// A value that operators can combine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar<'v> {
    /// No value.
    Absent,
    /// An integer.
    Int(i128),
    /// A truth value, which counts as the integer 0 or 1.
    Bool(bool),
    /// A float.
    Float(f64),
    /// Bytes, which may be text.
    Bytes(&'v [u8]),
    /// Another value, such as a part of the trace, which no operator can combine.
    Part,
}

impl<'v> Scalar<'v> {
    /// Returns the value as an integer, if it is an integer or a truth value.
    #[inline]
    pub fn integer(self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(value),
            Self::Bool(value) => Some(i128::from(value)),
            _ => None,
        }
    }

    /// Returns the value as a float, if it is a number.
    #[inline]
    pub fn float(self) -> Option<f64> {
        match self {
            Self::Float(value) => Some(value),
            #[expect(
                clippy::cast_precision_loss,
                reason = "the nearest float is precise enough for comparisons with floats"
            )]
            Self::Int(value) => Some(value as f64),
            _ => None,
        }
    }

    /// Returns whether the value is true. An absent value and the integer zero are false; all other
    /// values except `false` are true.
    #[inline]
    pub fn truth(self) -> bool {
        match self {
            Self::Bool(value) => value,
            Self::Int(value) => value != 0,
            Self::Absent => false,
            _ => true,
        }
    }

    /// Applies an operator. Returns [`Scalar::Absent`] if the operator is not defined for the value,
    /// or if the result exceeds 128 bits.
    #[inline]
    #[must_use]
    pub fn unary(self, operator: UnaryOperator) -> Scalar<'static> {
        match (operator, self) {
            (UnaryOperator::Not, value) => Scalar::Bool(!value.truth()),
            (UnaryOperator::Negate, Self::Int(value)) => Scalar::of(value.checked_neg()),
            (UnaryOperator::Negate, Self::Float(value)) => Scalar::Float(-value),
            (UnaryOperator::Negate, Self::Bool(value)) => Scalar::Int(-i128::from(value)),
            (UnaryOperator::Invert, Self::Int(value)) => Scalar::Int(!value),
            (UnaryOperator::Invert, Self::Bool(value)) => Scalar::Int(!i128::from(value)),
            _ => Scalar::Absent,
        }
    }

    /// Applies an operator. Returns [`Scalar::Absent`] if the operator is not defined for the values,
    /// for a division by zero, and if the result exceeds 128 bits.
    #[inline(always)]
    #[must_use]
    pub fn binary(self, operator: BinaryOperator, other: Scalar<'_>) -> Scalar<'static> {
        match operator {
            BinaryOperator::Equal => return Scalar::Bool(self.equals(other)),
            BinaryOperator::NotEqual => return Scalar::Bool(!self.equals(other)),
            BinaryOperator::And => return Scalar::Bool(self.truth() && other.truth()),
            BinaryOperator::Or => return Scalar::Bool(self.truth() || other.truth()),
            _ => {}
        }
        if let (Some(a), Some(b)) = (self.integer(), other.integer()) {
            return match operator.compare(&a, &b) {
                Some(truth) => Scalar::Bool(truth),
                None => Scalar::of(operator.calculate(a, b)),
            };
        }
        if let (Some(a), Some(b)) = (self.float(), other.float()) {
            return match operator.compare(&a, &b) {
                Some(truth) => Scalar::Bool(truth),
                None => operator
                    .calculate_floats(a, b)
                    .map_or(Scalar::Absent, Scalar::Float),
            };
        }
        match (self, other) {
            (Self::Bytes(a), Scalar::Bytes(b)) => {
                operator.compare(a, b).map_or(Scalar::Absent, Scalar::Bool)
            }
            _ => Scalar::Absent,
        }
    }

    /// Returns whether two values are equal. Values that cannot be compared are not.
    #[inline]
    pub fn equals(self, other: Scalar<'_>) -> bool {
        if let (Some(a), Some(b)) = (self.integer(), other.integer()) {
            return a == b;
        }
        match (self, other) {
            (Self::Absent, Scalar::Absent) => true,
            (Self::Bytes(a), Scalar::Bytes(b)) => a == b,
            _ => self.float().is_some_and(|a| other.float() == Some(a)),
        }
    }

    /// Returns the greater or the lesser of two integers. If only one of the values is an integer,
    /// returns that one.
    #[inline]
    #[must_use]
    pub fn extreme(self, greatest: bool, other: Scalar<'_>) -> Scalar<'static> {
        Scalar::of(match (self.integer(), other.integer()) {
            (Some(a), Some(b)) if greatest => Some(a.max(b)),
            (Some(a), Some(b)) => Some(a.min(b)),
            (one, other) => one.or(other),
        })
    }

    /// Returns whether an integer contains any bit of `mask`, or [`Scalar::Absent`] if the value is
    /// not an integer.
    #[inline]
    #[must_use]
    pub fn has_bits(self, mask: u64) -> Scalar<'static> {
        match self.integer() {
            Some(value) => Scalar::Bool(value & i128::from(mask) != 0),
            None => Scalar::Absent,
        }
    }

    fn of(value: Option<i128>) -> Self {
        value.map_or(Self::Absent, Self::Int)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_combine_values_of_a_kind() {
        use BinaryOperator as B;
        let (one, half, text) = (Scalar::Int(1), Scalar::Float(0.5), Scalar::Bytes(b"a"));
        assert_eq!(one.binary(B::Add, Scalar::Int(2)), Scalar::Int(3));
        assert_eq!(one.binary(B::Add, half), Scalar::Float(1.5));
        assert_eq!(half.binary(B::Less, one), Scalar::Bool(true));
        assert_eq!(
            text.binary(B::Less, Scalar::Bytes(b"b")),
            Scalar::Bool(true)
        );
        assert_eq!(text.binary(B::Less, one), Scalar::Absent);
        assert_eq!(one.binary(B::Divide, Scalar::Int(0)), Scalar::Absent);
        assert_eq!(Scalar::Int(i128::MAX).binary(B::Add, one), Scalar::Absent);
    }

    #[test]
    fn only_values_that_can_be_compared_are_equal() {
        let nan = Scalar::Float(f64::NAN);
        assert!(Scalar::Bool(true).equals(Scalar::Int(1)));
        assert!(Scalar::Int(1).equals(Scalar::Float(1.0)));
        assert!(Scalar::Absent.equals(Scalar::Absent));
        assert!(!Scalar::Absent.equals(Scalar::Int(0)));
        assert!(!nan.equals(nan));
        assert!(!Scalar::Part.equals(Scalar::Part));
    }

    #[test]
    fn the_only_number_is_the_extreme() {
        let (one, two) = (Scalar::Int(1), Scalar::Int(2));
        assert_eq!(one.extreme(true, two), two);
        assert_eq!(one.extreme(false, two), one);
        assert_eq!(Scalar::Absent.extreme(true, two), two);
        assert_eq!(Scalar::Absent.extreme(true, Scalar::Absent), Scalar::Absent);
    }
}
