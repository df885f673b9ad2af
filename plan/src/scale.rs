//! How a size or count is stored in a field.

/// Converts a size or count to the number that a field stores: `(factor * measure + add) / divisor`,
/// rounded down. At most one of `factor` and `divisor` is not 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The positive number by which the size or count is multiplied.
    pub factor: i128,
    /// The number that is then added.
    pub add: i128,
    /// The positive number by which the sum is divided, such as the number of bytes of a word.
    pub divisor: i128,
}

impl Scale {
    /// Stores a size or count as it is.
    pub const SAME: Self = Self {
        factor: 1,
        add: 0,
        divisor: 1,
    };

    /// Returns the number for a size or count, or `None` if it has more than 128 bits.
    pub fn value(self, measure: i128) -> Option<i128> {
        let scaled = measure.checked_mul(self.factor)?.checked_add(self.add)?;
        // Dividing 128-bit integers takes long.
        match self.divisor {
            1 => Some(scaled),
            divisor => Some(scaled.div_euclid(divisor)),
        }
    }

    /// Returns the size or count for a number. If no size or count is stored as this number, rounds
    /// toward zero.
    pub fn measure(self, value: i128) -> Option<i128> {
        let scaled = value.checked_mul(self.divisor)?.checked_sub(self.add)?;
        match self.factor {
            1 => Some(scaled),
            factor => Some(scaled / factor),
        }
    }

    /// Returns the size or count that is stored as a number, if there is one.
    pub fn exact(self, value: i128) -> Option<i128> {
        let measure = self.measure(value)?;
        (self.value(measure) == Some(value)).then_some(measure)
    }

    /// Returns a size or count below zero that a number stands for: that of -1 or, in units of several
    /// bytes, that of the greatest number that is too small, which may be unsigned.
    pub fn below_zero(self) -> Option<i128> {
        match self.divisor {
            1 => self.measure(-1),
            _ => self.measure(self.value(-1)?),
        }
    }

    /// Returns the least size or count that is not below `measure` and that a field can store without
    /// rounding.
    pub fn up(self, measure: i128) -> Option<i128> {
        let scaled = measure.checked_mul(self.factor)?.checked_add(self.add)?;
        let missing = (-scaled).rem_euclid(self.divisor);
        measure.checked_add(missing)
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn scale(factor: u8, add: i8, divisor: u8) -> Scale {
        let (factor, divisor) = (i128::from(factor.max(1)), i128::from(divisor.max(1)));
        Scale {
            factor: if divisor == 1 { factor } else { 1 },
            add: add.into(),
            divisor,
        }
    }

    quickcheck! {
        fn what_is_not_rounded_is_exact(factor: u8, add: i8, divisor: u8, measure: u16) -> bool {
            let scale = scale(factor, add, divisor);
            let up = scale.up(measure.into()).expect("a size");
            let value = scale.value(up).expect("a number");
            let near = (0..scale.divisor).contains(&(up - i128::from(measure)));
            near && scale.exact(value) == Some(up)
        }
    }

    #[test]
    fn a_size_in_words() {
        let words = Scale {
            add: 2,
            divisor: 8,
            ..Scale::SAME
        };
        assert_eq!((words.value(6), words.value(7)), (Some(1), Some(1)));
        assert_eq!((words.measure(3), words.up(7)), (Some(22), Some(14)));
        // Zero words leave less than nothing for the part.
        assert_eq!((words.below_zero(), words.exact(0)), (Some(-2), Some(-2)));
        assert_eq!(Scale::SAME.below_zero(), Some(-1));
    }
}
