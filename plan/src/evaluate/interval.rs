//! Intervals of integers, and expressions that are evaluated on them.
//!
//! The checker derives the interval of a field from its width and bounds. Fault operators prove that
//! no value of a field breaks a test, and the corpus decides which conditions can hold together.

use std::ops::RangeInclusive;

use super::{Domain, TextProperty};
use crate::operator::{BinaryOperator, UnaryOperator};
use crate::terms::{EnumId, FlagsId};
use crate::{Code, Plan, Slot};

/// The bound that is assumed for integers of unlimited width. Values in real descriptions are far
/// below this bound. The sum of two integers within this bound never exceeds 128 bits and is
/// therefore not reported as an overflow.
const EXACT: i128 = 1 << 96;

/// An interval of integers, including both ends. A truth value is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The lower end.
    pub least: i128,
    /// The upper end.
    pub greatest: i128,
}

/// The result of arithmetic on intervals: an interval, and whether results overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The interval that contains all results.
    pub interval: Interval,
    /// Whether results exceed 128 bits.
    pub overflows: Overflows,
}

/// Whether results exceed 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflows {
    /// All results fit.
    Never,
    /// Some results fit.
    Sometimes,
    /// No result fits.
    Always,
}

impl Interval {
    /// The interval of an integer of unlimited width.
    pub const ANY: Self = Self {
        least: -EXACT,
        greatest: EXACT,
    };

    /// The interval of a number of elements or bytes.
    pub const COUNT: Self = Self {
        least: 0,
        greatest: 1 << 63,
    };

    /// Creates an interval. `least` must not be greater than `greatest`.
    pub const fn new(least: i128, greatest: i128) -> Self {
        Self { least, greatest }
    }

    /// Creates an interval, or returns `None` if it would be empty.
    pub fn checked(least: i128, greatest: i128) -> Option<Self> {
        (least <= greatest).then_some(Self { least, greatest })
    }

    /// Creates an interval with a single value.
    pub fn only(value: i128) -> Self {
        Self::new(value, value)
    }

    /// Creates the interval of a truth value, which may be unknown.
    pub fn of_truth(truth: Option<bool>) -> Self {
        match truth {
            Some(truth) => Self::only(i128::from(truth)),
            None => Self::new(0, 1),
        }
    }

    /// Returns whether the value is true, or `None` if the value may be true or false.
    pub fn truth(self) -> Option<bool> {
        match self {
            Self {
                least: 0,
                greatest: 0,
            } => Some(false),
            Self { least, greatest } if least > 0 || greatest < 0 => Some(true),
            _ => None,
        }
    }

    /// Returns the value if the interval contains only one.
    pub fn single(self) -> Option<i128> {
        (self.least == self.greatest).then_some(self.least)
    }

    /// Returns the values of the interval, or `None` if there are more than `most`.
    pub fn values(self, most: usize) -> Option<RangeInclusive<i128>> {
        let span = self.greatest.checked_sub(self.least)?;
        let is_short = usize::try_from(span).is_ok_and(|span| span < most);
        is_short.then_some(self.least..=self.greatest)
    }

    /// Returns the interval of unsigned numbers with `bits` bits.
    pub fn unsigned(bits: u32) -> Self {
        Self::new(0, (1 << bits.min(96)) - 1)
    }

    /// Returns the interval of signed numbers with `bits` bits.
    pub fn signed(bits: u32) -> Self {
        let half = 1 << (bits.clamp(1, 96) - 1);
        Self::new(-half, half - 1)
    }

    /// Returns the smallest interval that contains both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self::new(
            self.least.min(other.least),
            self.greatest.max(other.greatest),
        )
    }

    /// Returns the intersection, or `None` if it is empty.
    pub fn meet(self, other: Self) -> Option<Self> {
        let interval = Self::new(
            self.least.max(other.least),
            self.greatest.min(other.greatest),
        );
        (interval.least <= interval.greatest).then_some(interval)
    }

    /// Returns the value with the smallest magnitude.
    fn closest_to_zero(self) -> i128 {
        0.clamp(self.least, self.greatest)
    }

    /// Returns whether the interval contains a value.
    pub fn holds(self, value: i128) -> bool {
        self.least <= value && value <= self.greatest
    }

    /// Returns whether all values are in another interval.
    pub fn within(self, other: Self) -> bool {
        other.least <= self.least && self.greatest <= other.greatest
    }

    /// Returns the interval of `-x`.
    #[must_use]
    pub fn negated(self) -> Self {
        Self::new(self.greatest.saturating_neg(), self.least.saturating_neg())
    }

    /// Returns the interval of `~x`.
    #[must_use]
    pub fn inverted(self) -> Self {
        Self::new(!self.greatest, !self.least)
    }

    /// Returns the truth of `self < other`, or `None` if it depends on the values.
    pub fn is_less(self, other: Self) -> Option<bool> {
        match () {
            () if self.greatest < other.least => Some(true),
            () if self.least >= other.greatest => Some(false),
            () => None,
        }
    }

    /// Returns the truth of `self == other`, or `None` if it depends on the values.
    pub fn is_equal(self, other: Self) -> Option<bool> {
        match (self.single(), other.single()) {
            (Some(left), Some(right)) => Some(left == right),
            _ if self.meet(other).is_none() => Some(false),
            _ => None,
        }
    }

    /// Returns the truth of a comparison, or `None` if it depends on the values or if the operator is
    /// not a comparison.
    pub fn compare(operator: BinaryOperator, left: Self, right: Self) -> Option<bool> {
        use BinaryOperator as B;
        match operator {
            B::Equal => left.is_equal(right),
            B::NotEqual => left.is_equal(right).map(|equal| !equal),
            B::Less => left.is_less(right),
            B::GreaterOrEqual => left.is_less(right).map(|less| !less),
            B::Greater => right.is_less(left),
            B::LessOrEqual => right.is_less(left).map(|less| !less),
            _ => None,
        }
    }

    /// Returns the interval of the results of `operator`, applied to any values of the two intervals.
    /// The operator must yield an integer.
    pub fn apply(operator: BinaryOperator, left: Self, right: Self) -> Computed {
        use BinaryOperator as B;
        if let (Some(left), Some(right)) = (left.single(), right.single())
            && let Some(value) = operator.calculate(left, right)
        {
            return never(Self::only(value));
        }
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

fn never(interval: Interval) -> Computed {
    Computed {
        interval,
        overflows: Overflows::Never,
    }
}

/// Applies an operation that is monotonic in each operand, so that the extremes of the result are
/// at the extremes of the operands.
fn corners(left: Interval, right: Interval, of: fn(i128, i128) -> Option<i128>) -> Computed {
    let ends = [
        (left.least, right.least),
        (left.least, right.greatest),
        (left.greatest, right.least),
        (left.greatest, right.greatest),
    ];
    let results = ends.map(|(a, b)| of(a, b));
    let inside = results.iter().flatten();
    let interval = match (inside.clone().min(), inside.max()) {
        (Some(least), Some(greatest)) => Interval::new(*least, *greatest),
        _ => Interval::ANY,
    };
    let overflows = match results.iter().filter(|result| result.is_none()).count() {
        0 => return never(interval),
        // Even if all extremes overflow, values closer to zero may have a result, such as 1 * 1 for
        // two integers of unlimited width.
        4 if of(left.closest_to_zero(), right.closest_to_zero()).is_none() => Overflows::Always,
        _ => Overflows::Sometimes,
    };
    Computed {
        interval: interval.join(Interval::ANY),
        overflows,
    }
}

fn shifted_left(left: Interval, right: Interval) -> Computed {
    let by = |value: i128, bits: i128| {
        let bits = u32::try_from(bits).ok()?;
        value.checked_mul(1 << bits)
    };
    // Shifts by more than 126 bits or by a negative number are treated as having no result.
    let Some(possible) = right.meet(Interval::new(0, 126)) else {
        return Computed {
            interval: Interval::ANY,
            overflows: Overflows::Always,
        };
    };
    let mut computed = corners(left, possible, by);
    if possible != right && computed.overflows == Overflows::Never {
        computed.overflows = Overflows::Sometimes;
    }
    computed
}

fn shifted_right(left: Interval, right: Interval) -> Interval {
    let by = |bits: i128| u32::try_from(bits.clamp(0, 127)).unwrap_or(127);
    let (few, many) = (by(right.least), by(right.greatest));
    Interval::new(
        (left.least >> few).min(left.least >> many),
        (left.greatest >> few).max(left.greatest >> many),
    )
}

/// Returns the interval of a division. A divisor that can be zero is reported elsewhere.
fn divided(left: Interval, right: Interval) -> Interval {
    if right.greatest > 0 && right.least >= 0 {
        let right = Interval::new(right.least.max(1), right.greatest);
        let ends = [
            left.least.div_euclid(right.least),
            left.least.div_euclid(right.greatest),
            left.greatest.div_euclid(right.least),
            left.greatest.div_euclid(right.greatest),
        ];
        let least = ends.iter().min().copied().unwrap_or(0);
        let greatest = ends.iter().max().copied().unwrap_or(0);
        return Interval::new(least, greatest);
    }
    let most = left.least.saturating_abs();
    let most = most.max(left.greatest.saturating_abs());
    Interval::new(most.saturating_neg(), most)
}

/// Returns the interval of a remainder, which has the sign of the divisor and a magnitude smaller than
/// that of the divisor.
fn remainder(left: Interval, right: Interval) -> Interval {
    let most = right.greatest.saturating_sub(1).max(0);
    let least = right.least.saturating_add(1).min(0);
    match left.least >= 0 && right.least >= 0 {
        true => Interval::new(0, most.min(left.greatest)),
        false => Interval::new(least, most),
    }
}

/// Returns the interval of `a & b` if at least one of the operands is never negative.
fn masked(left: Interval, right: Interval) -> Interval {
    let bounds = [left, right]
        .into_iter()
        .filter(|interval| interval.least >= 0);
    let most = bounds.map(|interval| interval.greatest).min();
    Interval::new(0, most.unwrap_or(EXACT))
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

/// A source of intervals for the values that an expression reads.
pub trait Knowledge {
    /// Returns the interval of the values of a slot, or `None` if nothing is known about them.
    fn slot(&self, slot: Slot) -> Option<Interval>;

    /// Returns the interval of the value under test, or `None` if nothing is known about it.
    fn this(&self) -> Option<Interval> {
        None
    }
}

/// The domain of intervals. `None` is a value about which nothing is known.
#[derive(Debug)]
pub struct Intervals<'p, K> {
    /// The plan that contains the expressions.
    pub plan: &'p Plan,
    /// What is known about the values.
    pub known: K,
}

impl<'p, K: Knowledge> Domain<'p> for Intervals<'p, K> {
    type Value = Option<Interval>;

    fn plan(&self) -> &'p Plan {
        self.plan
    }

    fn leaf(&mut self, code: &'p Code) -> Option<Interval> {
        match code {
            Code::Int(value) => Some(Interval::only(*value)),
            Code::Bool(value) => Some(Interval::of_truth(Some(*value))),
            Code::This => self.known.this(),
            Code::Slot(slot) => self.known.slot(*slot),
            _ => None,
        }
    }

    fn truth(&self, value: &Option<Interval>) -> Option<bool> {
        value.and_then(Interval::truth)
    }

    /// Returns `None`, because a value is in its interval only if it is present.
    fn is_present(&self, _: &Option<Interval>) -> Option<bool> {
        None
    }

    fn condition(&self, truth: Option<bool>) -> Option<Interval> {
        Some(Interval::of_truth(truth))
    }

    fn either(&self, one: Option<Interval>, other: Option<Interval>) -> Option<Interval> {
        Some(one?.join(other?))
    }

    fn unary(&mut self, operator: UnaryOperator, value: Option<Interval>) -> Option<Interval> {
        let value = value?;
        Some(match operator {
            UnaryOperator::Negate => value.negated(),
            UnaryOperator::Invert => value.inverted(),
            UnaryOperator::Not => Interval::of_truth(value.truth().map(|truth| !truth)),
        })
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: Option<Interval>,
        right: Option<Interval>,
    ) -> Option<Interval> {
        let (left, right) = (left?, right?);
        if operator.is_comparison() {
            return self.condition(Interval::compare(operator, left, right));
        }
        // A division by zero, and a shift by too many bits, have no result.
        let is_defined = match operator {
            BinaryOperator::Divide | BinaryOperator::Remainder => !right.holds(0),
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
                right.within(Interval::new(0, 127))
            }
            _ => true,
        };
        let computed = Interval::apply(operator, left, right);
        (is_defined && computed.overflows == Overflows::Never).then_some(computed.interval)
    }

    fn extreme(
        &self,
        greatest: bool,
        left: Option<Interval>,
        right: Option<Interval>,
    ) -> Option<Interval> {
        let (left, right) = (left?, right?);
        Some(match greatest {
            true => Interval::new(
                left.least.max(right.least),
                left.greatest.max(right.greatest),
            ),
            false => Interval::new(
                left.least.min(right.least),
                left.greatest.min(right.greatest),
            ),
        })
    }

    fn has_bits(&self, value: Option<Interval>, mask: u64) -> Option<Interval> {
        let value = value?.single();
        self.condition(value.map(|value| value & i128::from(mask) != 0))
    }

    fn of_text(&self, _: TextProperty, _: Option<Interval>) -> Option<Interval> {
        None
    }

    fn is_date(&self, _: [Option<Interval>; 8]) -> Option<Interval> {
        None
    }

    fn is_member(&self, enumeration: EnumId, value: &Option<Interval>) -> Option<bool> {
        let value = value.and_then(Interval::single)?;
        let members = &self.plan.enums[enumeration].members;
        let member = members.iter().find(|member| member.value == value);
        Some(member.is_some_and(|member| member.broken.is_none()))
    }

    fn is_known(&self, flags: FlagsId, value: &Option<Interval>) -> Option<bool> {
        let value = value.and_then(Interval::single)?;
        Some(value & !self.plan.flag_sets[flags].mask() == 0)
    }

    fn is_filled(&self, _: &Option<Interval>) -> Option<bool> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOperator as B;

    fn range(operator: B, left: (i128, i128), right: (i128, i128)) -> (i128, i128, Overflows) {
        let left = Interval::new(left.0, left.1);
        let computed = Interval::apply(operator, left, Interval::new(right.0, right.1));
        let range = computed.interval;
        (range.least, range.greatest, computed.overflows)
    }

    #[test]
    fn every_result_is_in_the_interval() {
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
                    let (least, greatest, overflows) = range(operator, left, right);
                    for a in left.0..=left.1 {
                        for b in right.0..=right.1 {
                            if (shift && b < 0) || (divides && b == 0) {
                                continue;
                            }
                            let value = by_hand(operator, a, b);
                            let inside = (least..=greatest).contains(&value);
                            assert!(
                                inside,
                                "{a} {operator:?} {b} = {value} in {least}..={greatest}, {overflows:?}"
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
    fn wide_products_overflow() {
        let wide = (0, (1_i128 << 64) - 1);
        assert_eq!(range(B::Multiply, wide, wide).2, Overflows::Sometimes);
        assert_eq!(range(B::Add, wide, wide).2, Overflows::Never);
        let unlimited = (-EXACT, EXACT);
        assert_eq!(
            range(B::Multiply, unlimited, unlimited).2,
            Overflows::Sometimes
        );
        assert_eq!(
            range(B::ShiftLeft, unlimited, (120, 126)).2,
            Overflows::Sometimes
        );
        let huge = (EXACT - 1, EXACT);
        assert_eq!(range(B::Multiply, huge, huge).2, Overflows::Always);
        assert_eq!(range(B::ShiftLeft, (1, 1), (200, 200)).2, Overflows::Always);
        assert_eq!(
            range(B::ShiftLeft, (1, 1), (0, 255)).2,
            Overflows::Sometimes
        );
        assert_eq!(
            range(B::ShiftLeft, (1, 1), (-1, 255)).2,
            Overflows::Sometimes
        );
    }
}
