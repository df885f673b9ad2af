//! Evaluates formulas.

use super::number::{self, ABSENT, OTHER};
use super::{Action, NumberId, Operation};
use crate::operator::BinaryOperator;
use crate::{ColumnRef, Slot};

/// The rows and lists that formulas read.
pub trait Rows {
    /// Returns a column of the row with this key. A row that does not exist has no values.
    fn column(&self, key: u64, column: ColumnRef) -> i64;

    /// Returns a column of the row that a reference field stored in a slot.
    fn row_column(&self, row: Slot, column: ColumnRef) -> i64;

    /// Returns the index of the current element in an enclosing list.
    fn index(&self, level: u32) -> i64;
}

impl Operation {
    /// Performs the operation on a memory.
    #[inline(always)]
    pub fn run(&self, numbers: &mut [i64], rows: &impl Rows) {
        let at = |id: NumberId| numbers[id.index()];
        let result = match self.action {
            Action::Binary(operator, left, right) => binary(operator, at(left), at(right)),
            Action::Not(operand) => {
                number::truth(at(operand)).map_or(OTHER, |truth| number::of_truth(!truth))
            }
            Action::Conditional(condition, then, otherwise) => match number::truth(at(condition)) {
                Some(true) => at(then),
                Some(false) => at(otherwise),
                None => OTHER,
            },
            Action::Else(first, second) => match at(first) {
                ABSENT => at(second),
                first => first,
            },
            Action::IsPresent(operand) => match at(operand) {
                OTHER => OTHER,
                operand => number::of_truth(operand != ABSENT),
            },
            Action::Greatest(left, right) => extreme(true, at(left), at(right)),
            Action::Least(left, right) => extreme(false, at(left), at(right)),
            Action::HasBits(operand, mask) => match at(operand) {
                OTHER => OTHER,
                ABSENT => ABSENT,
                operand => number::of_truth(number::integer(operand) & at(mask) != 0),
            },
            Action::Column(key, column) => look_up(rows, at(key), column),
            // A slot that contains a row contains no number.
            Action::RowColumn(row, column) => match numbers[row.index()] {
                OTHER => rows.row_column(row, column),
                _ => ABSENT,
            },
            Action::Index(level) => rows.index(level),
        };
        numbers[self.result.index()] = result;
    }
}

/// Returns a column of the row with this key.
#[inline(always)]
fn look_up(rows: &impl Rows, key: i64, column: ColumnRef) -> i64 {
    match key {
        // A key of more than 63 bits can still be valid.
        OTHER => OTHER,
        ABSENT => ABSENT,
        key => match u64::try_from(number::integer(key)) {
            Ok(key) => rows.column(key, column),
            Err(_) => ABSENT,
        },
    }
}

#[inline(always)]
fn extreme(greatest: bool, left: i64, right: i64) -> i64 {
    if number::is_plain(left) && number::is_plain(right) {
        return if greatest {
            left.max(right)
        } else {
            left.min(right)
        };
    }
    // A truth value becomes a number.
    let (one, other) = match (left, right) {
        (OTHER, _) | (_, OTHER) => return OTHER,
        (ABSENT, ABSENT) => return ABSENT,
        (ABSENT, one) | (one, ABSENT) => return number::integer(one),
        both => both,
    };
    let (one, other) = (number::integer(one), number::integer(other));
    if greatest {
        one.max(other)
    } else {
        one.min(other)
    }
}

/// Applies an operator with two operands.
#[inline(always)]
fn binary(operator: BinaryOperator, a: i64, b: i64) -> i64 {
    use BinaryOperator as B;
    if !number::is_plain(a) || !number::is_plain(b) {
        return unusual(operator, a, b);
    }
    match operator {
        B::Equal => number::of_truth(a == b),
        B::NotEqual => number::of_truth(a != b),
        B::Less => number::of_truth(a < b),
        B::LessOrEqual => number::of_truth(a <= b),
        B::Greater => number::of_truth(a > b),
        B::GreaterOrEqual => number::of_truth(a >= b),
        B::And => number::of_truth(a != 0 && b != 0),
        B::Or => number::of_truth(a != 0 || b != 0),
        B::Remainder if a >= 0 && b > 0 => a % b,
        B::Divide if a >= 0 && b > 0 => a / b,
        // The results of bitwise operators on two plain numbers can be numbers that stand for other
        // values, as can sums.
        B::Add => a.checked_add(b).map_or(OTHER, plain),
        B::Subtract => a.checked_sub(b).map_or(OTHER, plain),
        B::BitAnd => plain(a & b),
        B::BitOr => plain(a | b),
        B::BitXor => plain(a ^ b),
        B::Multiply | B::Divide | B::Remainder | B::ShiftLeft | B::ShiftRight => {
            // Evaluating the expression also determines why there is no result.
            let result = operator.calculate(i128::from(a), i128::from(b));
            result.map_or(OTHER, number::of)
        }
    }
}

#[inline(always)]
fn plain(number: i64) -> i64 {
    if number::is_plain(number) {
        number
    } else {
        OTHER
    }
}

/// Applies an operator if one of its operands is not a plain number.
#[cold]
fn unusual(operator: BinaryOperator, a: i64, b: i64) -> i64 {
    use BinaryOperator as B;
    match operator {
        B::And | B::Or => {
            let decisive = operator == B::Or;
            match (number::truth(a), number::truth(b)) {
                (Some(truth), _) if truth == decisive => number::of_truth(decisive),
                // The second operand matters only if the first does not decide.
                (Some(_), Some(truth)) => number::of_truth(truth),
                _ => OTHER,
            }
        }
        _ if a == OTHER || b == OTHER => OTHER,
        B::Equal if a == ABSENT || b == ABSENT => number::of_truth(a == b),
        B::NotEqual if a == ABSENT || b == ABSENT => number::of_truth(a != b),
        // Numbers cannot be combined or compared with the absent value.
        _ if a == ABSENT || b == ABSENT => ABSENT,
        _ => binary_integers(operator, number::integer(a), number::integer(b)),
    }
}

/// Applies an operator to integers, at least one of which was a truth value.
fn binary_integers(operator: BinaryOperator, a: i64, b: i64) -> i64 {
    match number::is_plain(a) && number::is_plain(b) {
        true => binary(operator, a, b),
        false => OTHER,
    }
}
