//! The evaluator of compiled expressions and tests, for every domain of values.
//!
//! A [`Domain`] says what the values are and where they come from: the decoder evaluates an
//! expression on the values that it has just read, a fault operator on the tree of a trace, and
//! [`interval`] on the ranges of fields. The order of evaluation, and what each kind of expression
//! computes, is written only here.

pub mod interval;
mod scalar;

pub use scalar::Scalar;

use crate::operator::{BinaryOperator, UnaryOperator};
use crate::terms::{Encoding, EnumId, FlagsId};
use crate::{CheckKind, Code, CodeId, Plan, TextPart};

/// A kind of values, and the place where an evaluation finds them.
///
/// A domain that does not know every value has a value that stands for an unknown one.
pub trait Domain<'p> {
    /// A value.
    type Value: Clone;

    /// Returns the plan that contains the expressions.
    fn plan(&self) -> &'p Plan;

    /// Returns the value of an expression without operands: a constant, or something that the trace
    /// or the state contains.
    fn leaf(&mut self, code: &'p Code) -> Self::Value;

    /// Returns whether a value is true, or `None` if this is unknown.
    fn truth(&self, value: &Self::Value) -> Option<bool>;

    /// Returns whether a value is present, or `None` if this is unknown.
    fn is_present(&self, value: &Self::Value) -> Option<bool>;

    /// Returns the value of a condition, which is unknown if `truth` is `None`.
    fn condition(&self, truth: Option<bool>) -> Self::Value;

    /// Returns a value that may be either of two values.
    fn either(&self, one: Self::Value, other: Self::Value) -> Self::Value;

    /// Applies an operator.
    fn unary(&mut self, operator: UnaryOperator, operand: Self::Value) -> Self::Value;

    /// Applies an operator other than `and` and `or`.
    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: Self::Value,
        right: Self::Value,
    ) -> Self::Value;

    /// Returns the greater or the lesser of two numbers. If only one of them is a number, returns
    /// that one.
    fn extreme(&self, greatest: bool, left: Self::Value, right: Self::Value) -> Self::Value;

    /// Returns whether a number contains any bit of `mask`.
    fn has_bits(&self, value: Self::Value, mask: u64) -> Self::Value;

    /// Returns a property of text, or of bytes if there is no encoding.
    fn of_text(&self, property: TextProperty, value: Self::Value) -> Self::Value;

    /// Returns whether eight numbers, from the year to the millisecond, form a date.
    fn is_date(&self, parts: [Self::Value; 8]) -> Self::Value;

    /// Returns whether a value is a member of an enumeration, or `None` if this is unknown.
    fn is_member(&self, enumeration: EnumId, value: &Self::Value) -> Option<bool>;

    /// Returns whether a number contains only named flags, or `None` if this is unknown.
    fn is_known(&self, flags: FlagsId, value: &Self::Value) -> Option<bool>;

    /// Returns whether a number is not 0, or a text not empty, or `None` if this is unknown. Any
    /// other value counts as not empty.
    fn is_filled(&self, value: &Self::Value) -> Option<bool>;

    /// Evaluates an expression. Domains that handle some expressions faster override this.
    fn evaluate(&mut self, code: CodeId) -> Self::Value {
        evaluate(self, code)
    }
}

/// A property of text.
#[derive(Clone, Copy, Debug)]
pub enum TextProperty {
    /// A property of text in an encoding, or of bytes.
    Part(TextPart, Option<Encoding>),
    /// Whether the text contains a byte.
    Contains(u8),
    /// Whether the text consists of decimal digits.
    IsDecimal,
}

/// Evaluates an expression. It is inlined, because a domain usually has one function that calls it.
#[inline(always)]
pub fn evaluate<'p, D: Domain<'p> + ?Sized>(domain: &mut D, code: CodeId) -> D::Value {
    match &domain.plan().codes[code.index()] {
        Code::Length(inner) => domain.evaluate(*inner),
        Code::Unary(operator, operand) => {
            let operand = domain.evaluate(*operand);
            domain.unary(*operator, operand)
        }
        Code::Binary(BinaryOperator::And, left, right) => logical(domain, false, *left, *right),
        Code::Binary(BinaryOperator::Or, left, right) => logical(domain, true, *left, *right),
        Code::Binary(operator, left, right) => {
            let left = domain.evaluate(*left);
            let right = domain.evaluate(*right);
            domain.binary(*operator, left, right)
        }
        Code::Conditional(condition, then, otherwise) => {
            let condition = domain.evaluate(*condition);
            match domain.truth(&condition) {
                Some(true) => domain.evaluate(*then),
                Some(false) => domain.evaluate(*otherwise),
                None => {
                    let then = domain.evaluate(*then);
                    let otherwise = domain.evaluate(*otherwise);
                    domain.either(then, otherwise)
                }
            }
        }
        Code::Else(first, second) => {
            let first = domain.evaluate(*first);
            match domain.is_present(&first) {
                Some(true) => first,
                Some(false) => domain.evaluate(*second),
                None => {
                    let second = domain.evaluate(*second);
                    domain.either(first, second)
                }
            }
        }
        Code::IsPresent(inner) => {
            let value = domain.evaluate(*inner);
            domain.condition(domain.is_present(&value))
        }
        Code::Extreme {
            greatest,
            left,
            right,
        } => {
            let left = domain.evaluate(*left);
            let right = domain.evaluate(*right);
            domain.extreme(*greatest, left, right)
        }
        Code::HasBits(inner, mask) => {
            let value = domain.evaluate(*inner);
            domain.has_bits(value, *mask)
        }
        Code::OfText(part, inner, encoding) => {
            let value = domain.evaluate(*inner);
            domain.of_text(TextProperty::Part(*part, *encoding), value)
        }
        Code::ContainsByte(inner, byte) => {
            let value = domain.evaluate(*inner);
            domain.of_text(TextProperty::Contains(*byte), value)
        }
        Code::IsDecimal(inner) => {
            let value = domain.evaluate(*inner);
            domain.of_text(TextProperty::IsDecimal, value)
        }
        Code::IsDate(parts) => {
            let parts = parts.each_ref().map(|part| domain.evaluate(*part));
            domain.is_date(parts)
        }
        leaf @ (Code::Int(_)
        | Code::Float(_)
        | Code::Bool(_)
        | Code::Text(_)
        | Code::Absent
        | Code::NoElements
        | Code::This
        | Code::Slot(_)
        | Code::Register(_)
        | Code::Column(..)
        | Code::HasRow(_)
        | Code::Row(_)
        | Code::RowKind(..)
        | Code::Between(..)
        | Code::Index(_)
        | Code::Stream(..)) => domain.leaf(leaf),
    }
}

/// Evaluates `and` or `or`, where an operand that is `decisive` determines the result. The second
/// operand is evaluated only if the first is not decisive.
#[inline(always)]
fn logical<'p, D: Domain<'p> + ?Sized>(
    domain: &mut D,
    decisive: bool,
    left: CodeId,
    right: CodeId,
) -> D::Value {
    let left = domain.evaluate(left);
    let left = domain.truth(&left);
    if left == Some(decisive) {
        return domain.condition(left);
    }
    let right = domain.evaluate(right);
    let right = domain.truth(&right);
    let known = left.is_some() || right == Some(decisive);
    domain.condition(right.filter(|_| known))
}

/// Returns whether a value, which is `_` in the domain, passes a test. Returns `None` if this is
/// unknown. A value that cannot be compared with a bound passes.
pub fn holds<'p, D: Domain<'p> + ?Sized>(
    domain: &mut D,
    check: &CheckKind,
    value: &D::Value,
) -> Option<bool> {
    match check {
        CheckKind::Equal(code) => {
            let wanted = domain.evaluate(*code);
            let equal = domain.binary(BinaryOperator::Equal, value.clone(), wanted);
            domain.truth(&equal)
        }
        CheckKind::Min(code) => bounded(domain, BinaryOperator::GreaterOrEqual, *code, value),
        CheckKind::Max(code) => bounded(domain, BinaryOperator::LessOrEqual, *code, value),
        CheckKind::AnyOf(codes) => {
            let mut result = Some(false);
            for code in codes {
                let wanted = domain.evaluate(*code);
                let equal = domain.binary(BinaryOperator::Equal, value.clone(), wanted);
                match domain.truth(&equal) {
                    Some(true) => return Some(true),
                    Some(false) => {}
                    None => result = None,
                }
            }
            result
        }
        CheckKind::InEnum(enumeration) => domain.is_member(*enumeration, value),
        CheckKind::InFlags(flags) => domain.is_known(*flags, value),
        CheckKind::NotEmpty => domain.is_filled(value),
        CheckKind::Holds(code) => {
            let holds = domain.evaluate(*code);
            domain.truth(&holds)
        }
        // The structure of these values is examined elsewhere.
        CheckKind::Json(_) | CheckKind::Signature(_) => None,
    }
}

fn bounded<'p, D: Domain<'p> + ?Sized>(
    domain: &mut D,
    operator: BinaryOperator,
    bound: CodeId,
    value: &D::Value,
) -> Option<bool> {
    let bound = domain.evaluate(bound);
    let result = domain.binary(operator, value.clone(), bound);
    match domain.is_present(&result) {
        Some(false) => Some(true),
        _ => domain.truth(&result),
    }
}
