//! Constant folding: expressions whose operands are known are replaced by their values.

use super::{CodeId, Lowering};
use crate::expression::{BinaryOperator, UnaryOperator};
use tracegauge_plan::Code;

impl Lowering<'_> {
    /// Adds `code`, or the constant that it evaluates to if its operands are known.
    pub(super) fn fold(&mut self, code: Code) -> CodeId {
        let folded = match &code {
            Code::Unary(operator, operand) => fold_unary(*operator, self.known(*operand)),
            // `x and true` is `x`, provided that `x` can only be true or false.
            Code::Binary(BinaryOperator::And, left, right)
                if self.known_bool(*right) == Some(true) && self.is_truth(*left) =>
            {
                return *left;
            }
            Code::Binary(BinaryOperator::And, left, right)
                if self.known_bool(*left) == Some(true) && self.is_truth(*right) =>
            {
                return *right;
            }
            Code::Binary(operator, left, right) => self.fold_binary(*operator, *left, *right),
            Code::Conditional(condition, then, otherwise) => match self.known_bool(*condition) {
                Some(true) => return *then,
                Some(false) => return *otherwise,
                None => None,
            },
            Code::Else(first, second) => match self.known(*first) {
                Code::Absent => return *second,
                Code::Int(_) | Code::Bool(_) | Code::Text(_) | Code::Float(_) => return *first,
                _ => None,
            },
            Code::HasBits(value, mask) => match self.known(*value) {
                Code::Int(value) => Some(Code::Bool(value & i128::from(*mask) != 0)),
                _ => None,
            },
            _ => None,
        };
        self.code(folded.unwrap_or(code))
    }

    fn known(&self, id: CodeId) -> &Code {
        &self.plan.codes[id.index()]
    }

    /// Returns the Boolean value of `id`, if it is constant.
    pub(super) fn known_bool(&self, id: CodeId) -> Option<bool> {
        match self.known(id) {
            Code::Bool(value) => Some(*value),
            Code::Int(value) => Some(*value != 0),
            Code::Absent => Some(false),
            _ => None,
        }
    }

    /// Returns the integer value of `id`, if it is constant.
    pub(super) fn known_int(&self, id: CodeId) -> Option<i128> {
        match self.known(id) {
            Code::Int(value) => Some(*value),
            Code::Bool(value) => Some(i128::from(*value)),
            _ => None,
        }
    }

    /// Returns whether the expression, like a comparison, is always either true or false and never
    /// absent.
    fn is_truth(&self, id: CodeId) -> bool {
        use BinaryOperator as B;
        match self.known(id) {
            Code::Bool(_) | Code::HasBits(..) | Code::IsPresent(_) => true,
            Code::Unary(UnaryOperator::Not, _) => true,
            Code::Binary(operator, ..) => matches!(
                operator,
                B::Equal
                    | B::NotEqual
                    | B::Less
                    | B::LessOrEqual
                    | B::Greater
                    | B::GreaterOrEqual
                    | B::And
                    | B::Or
            ),
            _ => false,
        }
    }

    fn fold_binary(&self, operator: BinaryOperator, left: CodeId, right: CodeId) -> Option<Code> {
        use BinaryOperator as B;
        if let (B::And | B::Or, Some(right)) = (operator, self.known_bool(right)) {
            return match (operator, self.known_bool(left)) {
                (B::And, Some(left)) => Some(Code::Bool(left && right)),
                (_, Some(left)) => Some(Code::Bool(left || right)),
                (B::And, None) if !right => Some(Code::Bool(false)),
                (B::Or, None) if right => Some(Code::Bool(true)),
                (_, None) => None,
            };
        }
        match (self.known(left), self.known(right)) {
            (Code::Int(a), Code::Int(b)) => integers(operator, *a, *b),
            (Code::Bool(a), Code::Bool(b)) => integers(operator, i128::from(*a), i128::from(*b)),
            (Code::Text(a), Code::Text(b)) => match operator {
                B::Equal => Some(Code::Bool(a == b)),
                B::NotEqual => Some(Code::Bool(a != b)),
                _ => None,
            },
            _ => None,
        }
    }
}

fn fold_unary(operator: UnaryOperator, operand: &Code) -> Option<Code> {
    match (operator, operand) {
        (UnaryOperator::Not, Code::Bool(value)) => Some(Code::Bool(!value)),
        (UnaryOperator::Negate, Code::Int(value)) => value.checked_neg().map(Code::Int),
        (UnaryOperator::Invert, Code::Int(value)) => Some(Code::Int(!value)),
        (UnaryOperator::Negate, Code::Float(value)) => Some(Code::Float(-value)),
        _ => None,
    }
}

fn integers(operator: BinaryOperator, a: i128, b: i128) -> Option<Code> {
    use BinaryOperator as B;
    match operator {
        B::Equal => Some(Code::Bool(a == b)),
        B::NotEqual => Some(Code::Bool(a != b)),
        B::And => Some(Code::Bool(a != 0 && b != 0)),
        B::Or => Some(Code::Bool(a != 0 || b != 0)),
        _ => match operator.compare(&a, &b) {
            Some(truth) => Some(Code::Bool(truth)),
            None => operator.calculate(a, b).map(Code::Int),
        },
    }
}
