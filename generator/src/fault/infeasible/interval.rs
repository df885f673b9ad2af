//! Computes the minimum and maximum value of an expression using interval arithmetic.

use tracegauge_plan::operator::{BinaryOperator, UnaryOperator};
use tracegauge_plan::{CheckKind, Code, CodeId, OpId, Slot};

use super::Reasons;
use crate::fault::number;
use crate::fault::slots::Holder;

/// A range of values, including both bounds. A Boolean is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fault) struct Interval {
    low: i128,
    high: i128,
}

impl Interval {
    /// Creates an interval with a single value.
    pub(in crate::fault) fn exact(value: i128) -> Self {
        Self {
            low: value,
            high: value,
        }
    }

    /// Creates an interval, or returns `None` if it would be empty.
    pub(in crate::fault) fn new(low: i128, high: i128) -> Option<Self> {
        (low <= high).then_some(Self { low, high })
    }

    fn of_truth(truth: Option<bool>) -> Self {
        match truth {
            Some(truth) => Self::exact(i128::from(truth)),
            None => Self { low: 0, high: 1 },
        }
    }

    fn union(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// Returns the value if the interval contains exactly one.
    pub(in crate::fault) fn only(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// Returns whether the value is true, or `None` if the value may be true or false.
    fn truth(self) -> Option<bool> {
        match self {
            Self { low: 0, high: 0 } => Some(false),
            Self { low, high } if low > 0 || high < 0 => Some(true),
            _ => None,
        }
    }

    fn is_less(self, other: Self) -> Option<bool> {
        match () {
            () if self.high < other.low => Some(true),
            () if self.low >= other.high => Some(false),
            () => None,
        }
    }

    fn is_equal(self, other: Self) -> Option<bool> {
        match (self.only(), other.only()) {
            (Some(left), Some(right)) => Some(left == right),
            _ if self.high < other.low || other.high < self.low => Some(false),
            _ => None,
        }
    }
}

/// The assumptions about the fields that an expression reads.
#[derive(Clone, Copy, Debug)]
pub(in crate::fault) struct Known {
    /// The operation that the expression belongs to.
    pub at: OpId,
    /// The value under test.
    pub this: Option<Interval>,
    /// A field, and the number that it is assumed to contain.
    pub field: Option<(OpId, i128)>,
    /// Whether all fields except `field` are assumed to be present with arbitrary values that fit
    /// in their width. If unset, the values of these fields are unknown. A test of an absent field
    /// is not performed, so this assumption can prove that no test fails, but not that a test does
    /// fail.
    pub fields: bool,
}

impl Reasons<'_> {
    /// Returns the value of an expression that reads no fields.
    pub(in crate::fault) fn constant(&self, code: CodeId) -> Option<i128> {
        let known = Known {
            at: OpId(0),
            this: None,
            field: None,
            fields: false,
        };
        self.interval(code, known)?.only()
    }

    /// Returns whether a test holds, or `None` if the result depends on the trace.
    pub(in crate::fault) fn holds(&self, kind: &CheckKind, known: Known) -> Option<bool> {
        let this = known.this;
        let interval = |code: &CodeId| self.interval(*code, known);
        match kind {
            CheckKind::Equal(code) => this?.is_equal(interval(code)?),
            CheckKind::Min(code) => this?.is_less(interval(code)?).map(|less| !less),
            CheckKind::Max(code) => interval(code)?.is_less(this?).map(|less| !less),
            CheckKind::AnyOf(codes) => {
                let mut unknown = false;
                for code in codes {
                    match interval(code).and_then(|value| this?.is_equal(value)) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => unknown = true,
                    }
                }
                (!unknown).then_some(false)
            }
            CheckKind::InEnum(index) => {
                let members = &self.plan.enums[*index].members;
                let value = this?.only()?;
                let member = members.iter().find(|member| member.value == value);
                Some(member.is_some_and(|member| member.broken.is_none()))
            }
            CheckKind::Holds(code) => interval(code)?.truth(),
            _ => None,
        }
    }

    /// Returns whether a condition holds, or `None` if the result depends on the trace.
    pub(in crate::fault) fn asked(&self, condition: Option<CodeId>, known: Known) -> Option<bool> {
        match condition {
            Some(code) => self.interval(code, known)?.truth(),
            None => Some(true),
        }
    }

    fn interval(&self, code: CodeId, known: Known) -> Option<Interval> {
        let of = |code: &CodeId| self.interval(*code, known);
        match &self.plan.codes[code.index()] {
            Code::Int(value) => Some(Interval::exact(*value)),
            Code::Bool(value) => Some(Interval::exact(i128::from(*value))),
            Code::This => known.this,
            Code::Slot(slot) => self.slot(*slot, known),
            Code::Unary(operator, inner) => {
                let inner = of(inner)?;
                match operator {
                    UnaryOperator::Negate => {
                        Interval::new(inner.high.checked_neg()?, inner.low.checked_neg()?)
                    }
                    UnaryOperator::Invert => Interval::new(!inner.high, !inner.low),
                    UnaryOperator::Not => {
                        Some(Interval::of_truth(inner.truth().map(|truth| !truth)))
                    }
                }
            }
            Code::Binary(operator, left, right) => binary(*operator, of(left), of(right)),
            Code::Conditional(condition, then, otherwise) => {
                match of(condition).and_then(Interval::truth) {
                    Some(true) => of(then),
                    Some(false) => of(otherwise),
                    None => Some(of(then)?.union(of(otherwise)?)),
                }
            }
            Code::Extreme {
                greatest,
                left,
                right,
            } => {
                let (left, right) = (of(left)?, of(right)?);
                Some(match greatest {
                    true => Interval {
                        low: left.low.max(right.low),
                        high: left.high.max(right.high),
                    },
                    false => Interval {
                        low: left.low.min(right.low),
                        high: left.high.min(right.high),
                    },
                })
            }
            Code::HasBits(inner, mask) => {
                let value = of(inner)?.only();
                let has = value.map(|value| value & i128::from(*mask) != 0);
                Some(Interval::of_truth(has))
            }
            _ => None,
        }
    }

    /// Returns the combined range of all fields that can fill a slot.
    fn slot(&self, slot: Slot, known: Known) -> Option<Interval> {
        let holders = self.slots.holders(self.plan, slot, known.at);
        if let (Some((field, value)), [Holder::Value(only)]) = (known.field, holders.as_slice())
            && *only == field
        {
            return Some(Interval::exact(value));
        }
        if !known.fields {
            return None;
        }
        let mut all: Option<Interval> = None;
        for holder in holders {
            let own = match holder {
                Holder::Value(op) => {
                    let (low, high) = self.range(op)?;
                    Interval::new(low, high)?
                }
                Holder::Length(_) => Interval::new(0, i128::from(u64::MAX))?,
                _ => return None,
            };
            all = Some(all.map_or(own, |all| all.union(own)));
        }
        all
    }

    /// Returns the range of a field. Returns `None` if readers add an earlier value to the stored
    /// number.
    pub(in crate::fault) fn range(&self, op: OpId) -> Option<(i128, i128)> {
        let carry = self.plan.info(op).carry;
        let carry = carry.map(|carry| &self.plan.carries[carry]);
        if carry.is_some_and(|carry| carry.add || carry.then.is_some()) {
            return None;
        }
        number::range(&self.plan.op(op).kind)
    }
}

fn binary(
    operator: BinaryOperator,
    left: Option<Interval>,
    right: Option<Interval>,
) -> Option<Interval> {
    use BinaryOperator as B;
    let truth = |side: Option<Interval>| side.and_then(Interval::truth);
    let not = |truth: Option<bool>| truth.map(|truth| !truth);
    // One operand can determine the result even if the other is unknown.
    match operator {
        B::And => {
            let both = match (truth(left), truth(right)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
            return Some(Interval::of_truth(both));
        }
        B::Or => {
            let either = match (truth(left), truth(right)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            };
            return Some(Interval::of_truth(either));
        }
        _ => {}
    }
    let (left, right) = (left?, right?);
    let exact = left.only().zip(right.only());
    let corners = |of: fn(i128, i128) -> Option<i128>| {
        let all = [
            of(left.low, right.low)?,
            of(left.low, right.high)?,
            of(left.high, right.low)?,
            of(left.high, right.high)?,
        ];
        Interval::new(*all.iter().min()?, *all.iter().max()?)
    };
    match operator {
        B::Add => corners(i128::checked_add),
        B::Subtract => corners(i128::checked_sub),
        B::Multiply => corners(i128::checked_mul),
        B::Remainder if right.low > 0 => Interval::new(0, right.high - 1),
        B::BitAnd if left.low >= 0 && right.low >= 0 => match exact {
            Some((left, right)) => Some(Interval::exact(left & right)),
            None => Interval::new(0, left.high.min(right.high)),
        },
        B::ShiftRight => {
            let (left, right) = exact?;
            Some(Interval::exact(
                left.checked_shr(u32::try_from(right).ok()?)?,
            ))
        }
        B::ShiftLeft => {
            let (left, right) = exact?;
            let by = u32::try_from(right).ok().filter(|by| *by < 64)?;
            Some(Interval::exact(left.checked_mul(1_i128 << by)?))
        }
        B::Equal => Some(Interval::of_truth(left.is_equal(right))),
        B::NotEqual => Some(Interval::of_truth(not(left.is_equal(right)))),
        B::Less => Some(Interval::of_truth(left.is_less(right))),
        B::GreaterOrEqual => Some(Interval::of_truth(not(left.is_less(right)))),
        B::Greater => Some(Interval::of_truth(right.is_less(left))),
        B::LessOrEqual => Some(Interval::of_truth(not(right.is_less(left)))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn between(one: i16, other: i16) -> Interval {
        let (one, other) = (i128::from(one), i128::from(other));
        Interval {
            low: one.min(other),
            high: one.max(other),
        }
    }

    const ALL: [BinaryOperator; 14] = [
        BinaryOperator::Add,
        BinaryOperator::Subtract,
        BinaryOperator::Multiply,
        BinaryOperator::Remainder,
        BinaryOperator::ShiftLeft,
        BinaryOperator::ShiftRight,
        BinaryOperator::BitAnd,
        BinaryOperator::BitOr,
        BinaryOperator::Equal,
        BinaryOperator::NotEqual,
        BinaryOperator::Less,
        BinaryOperator::LessOrEqual,
        BinaryOperator::Greater,
        BinaryOperator::GreaterOrEqual,
    ];

    fn value(operator: BinaryOperator, left: i128, right: i128) -> Option<i128> {
        use BinaryOperator as B;
        Some(match operator {
            B::Add => left + right,
            B::Subtract => left - right,
            B::Multiply => left * right,
            B::Remainder => (right > 0).then(|| left.rem_euclid(right))?,
            B::ShiftLeft => (0..64).contains(&right).then(|| left << right)?,
            B::ShiftRight => (0..64).contains(&right).then(|| left >> right)?,
            B::BitAnd => left & right,
            B::BitOr => left | right,
            B::Equal => i128::from(left == right),
            B::NotEqual => i128::from(left != right),
            B::Less => i128::from(left < right),
            B::LessOrEqual => i128::from(left <= right),
            B::Greater => i128::from(left > right),
            B::GreaterOrEqual => i128::from(left >= right),
            _ => return None,
        })
    }

    quickcheck! {
        /// Checks that the result for two values is in the interval computed from their intervals.
        fn an_interval_holds_every_value(a: (i16, i16), b: (i16, i16), at: (u16, u16)) -> bool {
            let (left, right) = (between(a.0, a.1), between(b.0, b.1));
            let within = |of: Interval, at: u16| {
                of.low + i128::from(at) % (of.high - of.low + 1)
            };
            ALL.iter().all(|operator| {
                let found = binary(*operator, Some(left), Some(right));
                let real = value(*operator, within(left, at.0), within(right, at.1));
                match (found, real) {
                    (Some(found), Some(real)) => (found.low..=found.high).contains(&real),
                    _ => true,
                }
            })
        }
    }

    #[test]
    fn one_side_decides_where_nothing_is_known_of_the_other() {
        let (no, yes) = (Some(Interval::exact(0)), Some(Interval::exact(1)));
        let and = |left, right| binary(BinaryOperator::And, left, right).and_then(Interval::truth);
        let or = |left, right| binary(BinaryOperator::Or, left, right).and_then(Interval::truth);
        assert_eq!(and(no, None), Some(false));
        assert_eq!(and(None, yes), None);
        assert_eq!(or(None, yes), Some(true));
        assert_eq!(or(no, None), None);
    }
}
