//! Ranges of integers: the possible values, according to the widths and bounds of fields.

use crate::expression::BinaryOperator;
use crate::schema::{Scalar, ScalarKind, VariableKind};

/// The bound that is assumed for integers of unlimited width. Values in real descriptions are far
/// below this bound. The sum of two integers within this bound never exceeds 128 bits and is
/// therefore not reported as an overflow.
const EXACT: i128 = 1 << 96;

/// A range of integers, including both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Range {
    pub(super) least: i128,
    pub(super) greatest: i128,
}

/// The result of arithmetic on ranges: a range, and whether results overflow.
pub(super) struct Computed {
    pub(super) range: Range,
    /// Whether results exceed 128 bits.
    pub(super) leaves: Leaves,
}

/// Whether results exceed 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaves {
    Never,
    Sometimes,
    Always,
}

impl Range {
    /// The range of an integer of unlimited width.
    pub(super) const ANY: Self = Self {
        least: -EXACT,
        greatest: EXACT,
    };

    /// The range of a number of elements or bytes.
    pub(super) const COUNT: Self = Self {
        least: 0,
        greatest: 1 << 63,
    };

    pub(super) fn new(least: i128, greatest: i128) -> Self {
        Self { least, greatest }
    }

    pub(super) fn only(value: i128) -> Self {
        Self::new(value, value)
    }

    /// Returns the value if the range contains only one.
    pub(super) fn single(self) -> Option<i128> {
        (self.least == self.greatest).then_some(self.least)
    }

    /// Returns the range of unsigned numbers with `bits` bits.
    pub(super) fn unsigned(bits: u32) -> Self {
        Self::new(0, (1 << bits.min(96)) - 1)
    }

    /// Returns the range of signed numbers with `bits` bits.
    pub(super) fn signed(bits: u32) -> Self {
        let half = 1 << (bits.clamp(1, 96) - 1);
        Self::new(-half, half - 1)
    }

    pub(super) fn join(self, other: Self) -> Self {
        Self::new(
            self.least.min(other.least),
            self.greatest.max(other.greatest),
        )
    }

    /// Returns the intersection, or `None` if it is empty.
    pub(super) fn meet(self, other: Self) -> Option<Self> {
        let range = Self::new(
            self.least.max(other.least),
            self.greatest.min(other.greatest),
        );
        (range.least <= range.greatest).then_some(range)
    }

    /// Returns the value with the smallest magnitude.
    fn closest_to_zero(self) -> i128 {
        0.clamp(self.least, self.greatest)
    }

    pub(super) fn holds(self, value: i128) -> bool {
        self.least <= value && value <= self.greatest
    }

    pub(super) fn within(self, other: Self) -> bool {
        other.least <= self.least && self.greatest <= other.greatest
    }

    /// Returns the range of `-x`.
    pub(super) fn negated(self) -> Self {
        Self::new(self.greatest.saturating_neg(), self.least.saturating_neg())
    }

    /// Returns the range of `~x`.
    pub(super) fn inverted(self) -> Self {
        Self::new(!self.greatest, !self.least)
    }

    /// Returns the range of the results of `operator`, applied to any values of the two ranges. The
    /// operator must yield an integer.
    pub(super) fn apply(operator: BinaryOperator, left: Self, right: Self) -> Computed {
        use BinaryOperator as B;
        match operator {
            B::Add => corners(left, right, i128::checked_add),
            B::Subtract => corners(left, right, i128::checked_sub),
            B::Multiply => corners(left, right, i128::checked_mul),
            B::ShiftLeft => shifted_left(left, right),
            B::ShiftRight => never(shifted_right(left, right)),
            B::Divide => never(divided(left, right)),
            B::Remainder => never(remainder(left, right)),
            B::BitAnd if left.least >= 0 || right.least >= 0 => never(masked(left, right)),
            B::BitOr | B::BitXor if left.least >= 0 && right.least >= 0 => {
                never(Self::new(0, ones(left.greatest.max(right.greatest))))
            }
            _ => never(Self::ANY),
        }
    }
}

fn never(range: Range) -> Computed {
    Computed {
        range,
        leaves: Leaves::Never,
    }
}

/// Applies an operation that is monotonic in each operand, so that the extremes of the result are
/// at the extremes of the operands.
fn corners(left: Range, right: Range, of: fn(i128, i128) -> Option<i128>) -> Computed {
    let ends = [
        (left.least, right.least),
        (left.least, right.greatest),
        (left.greatest, right.least),
        (left.greatest, right.greatest),
    ];
    let results = ends.map(|(a, b)| of(a, b));
    let inside = results.iter().flatten();
    let range = match (inside.clone().min(), inside.max()) {
        (Some(least), Some(greatest)) => Range::new(*least, *greatest),
        _ => Range::ANY,
    };
    let leaves = match results.iter().filter(|result| result.is_none()).count() {
        0 => return never(range),
        // Even if all extremes overflow, values closer to zero may have a result, such as 1 * 1 for
        // two integers of unlimited width.
        4 if of(left.closest_to_zero(), right.closest_to_zero()).is_none() => Leaves::Always,
        _ => Leaves::Sometimes,
    };
    Computed {
        range: range.join(Range::ANY),
        leaves,
    }
}

fn shifted_left(left: Range, right: Range) -> Computed {
    let by = |value: i128, bits: i128| {
        let bits = u32::try_from(bits).ok()?;
        value.checked_mul(1 << bits)
    };
    // Shifts by more than 126 bits or by a negative number are treated as having no result.
    let Some(possible) = right.meet(Range::new(0, 126)) else {
        return Computed {
            range: Range::ANY,
            leaves: Leaves::Always,
        };
    };
    let mut computed = corners(left, possible, by);
    if possible != right && computed.leaves == Leaves::Never {
        computed.leaves = Leaves::Sometimes;
    }
    computed
}

fn shifted_right(left: Range, right: Range) -> Range {
    let by = |bits: i128| u32::try_from(bits.clamp(0, 127)).unwrap_or(127);
    let (few, many) = (by(right.least), by(right.greatest));
    Range::new(
        (left.least >> few).min(left.least >> many),
        (left.greatest >> few).max(left.greatest >> many),
    )
}

/// Returns the range of a division. A divisor that can be zero is reported elsewhere.
fn divided(left: Range, right: Range) -> Range {
    if right.greatest > 0 && right.least >= 0 {
        let right = Range::new(right.least.max(1), right.greatest);
        let ends = [
            left.least.div_euclid(right.least),
            left.least.div_euclid(right.greatest),
            left.greatest.div_euclid(right.least),
            left.greatest.div_euclid(right.greatest),
        ];
        let least = ends.iter().min().copied().unwrap_or(0);
        let greatest = ends.iter().max().copied().unwrap_or(0);
        return Range::new(least, greatest);
    }
    let most = left.least.saturating_abs();
    let most = most.max(left.greatest.saturating_abs());
    Range::new(most.saturating_neg(), most)
}

/// Returns the range of a remainder, which has the sign of the divisor and a magnitude smaller than
/// that of the divisor.
fn remainder(left: Range, right: Range) -> Range {
    let most = right.greatest.saturating_sub(1).max(0);
    let least = right.least.saturating_add(1).min(0);
    match left.least >= 0 && right.least >= 0 {
        true => Range::new(0, most.min(left.greatest)),
        false => Range::new(least, most),
    }
}

/// Returns the range of `a & b` if at least one of the operands is never negative.
fn masked(left: Range, right: Range) -> Range {
    let bounds = [left, right].into_iter().filter(|range| range.least >= 0);
    let most = bounds.map(|range| range.greatest).min();
    Range::new(0, most.unwrap_or(EXACT))
}

/// Returns the smallest number that is at least `value` and whose bits are all ones.
fn ones(value: i128) -> i128 {
    let bits = 128 - value.leading_zeros();
    if bits >= 127 {
        i128::MAX
    } else {
        (1 << bits) - 1
    }
}

/// Returns the range of an encoded number, or `None` for floats and GUIDs.
pub(super) fn of_scalar(scalar: &Scalar) -> Option<Range> {
    Some(match scalar.kind {
        ScalarKind::Unsigned(bytes) => Range::unsigned(u32::from(bytes) * 8),
        ScalarKind::Signed(bytes) => Range::signed(u32::from(bytes) * 8),
        ScalarKind::Bits(bits, _) => Range::unsigned(u32::from(bits)),
        ScalarKind::Variable(VariableKind::Unsigned, bits) => Range::unsigned(u32::from(bits)),
        ScalarKind::Variable(_, bits) => Range::signed(u32::from(bits)),
        ScalarKind::Float(_) | ScalarKind::Guid(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOperator as B;

    fn range(operator: B, left: (i128, i128), right: (i128, i128)) -> (i128, i128, Leaves) {
        let left = Range::new(left.0, left.1);
        let computed = Range::apply(operator, left, Range::new(right.0, right.1));
        let range = computed.range;
        (range.least, range.greatest, computed.leaves)
    }

    #[test]
    fn every_result_lies_in_the_range() {
        let operators = [
            B::Add,
            B::Subtract,
            B::Multiply,
            B::Divide,
            B::Remainder,
            B::ShiftLeft,
            B::ShiftRight,
            B::BitAnd,
            B::BitOr,
            B::BitXor,
        ];
        let ends = [(-9, -3), (-4, 5), (0, 0), (0, 7), (3, 12)];
        for operator in operators {
            for left in ends {
                for right in ends {
                    let shift = matches!(operator, B::ShiftLeft | B::ShiftRight);
                    let divides = matches!(operator, B::Divide | B::Remainder);
                    let (least, greatest, leaves) = range(operator, left, right);
                    for a in left.0..=left.1 {
                        for b in right.0..=right.1 {
                            if (shift && b < 0) || (divides && b == 0) {
                                continue;
                            }
                            let value = by_hand(operator, a, b);
                            let inside = (least..=greatest).contains(&value);
                            assert!(
                                inside,
                                "{a} {operator:?} {b} = {value} in {least}..={greatest}, {leaves:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    fn by_hand(operator: B, a: i128, b: i128) -> i128 {
        operator
            .calculate(a, b)
            .expect("small numbers have a result")
    }

    #[test]
    fn wide_products_leave() {
        let wide = (0, (1_i128 << 64) - 1);
        assert_eq!(range(B::Multiply, wide, wide).2, Leaves::Sometimes);
        assert_eq!(range(B::Add, wide, wide).2, Leaves::Never);
        let unlimited = (-EXACT, EXACT);
        assert_eq!(
            range(B::Multiply, unlimited, unlimited).2,
            Leaves::Sometimes
        );
        assert_eq!(
            range(B::ShiftLeft, unlimited, (120, 126)).2,
            Leaves::Sometimes
        );
        let huge = (EXACT - 1, EXACT);
        assert_eq!(range(B::Multiply, huge, huge).2, Leaves::Always);
        assert_eq!(range(B::ShiftLeft, (1, 1), (200, 200)).2, Leaves::Always);
        assert_eq!(range(B::ShiftLeft, (1, 1), (0, 255)).2, Leaves::Sometimes);
        assert_eq!(range(B::ShiftLeft, (1, 1), (-1, 255)).2, Leaves::Sometimes);
    }
}
