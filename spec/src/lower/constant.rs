//! Constant folding: expressions whose operands are known are replaced by their values.

use super::{CodeId, Lowering};
use crate::expression::{BinaryOperator, UnaryOperator};
use tracegauge_plan::Code;
use tracegauge_plan::evaluate::Scalar;

impl Lowering<'_> {
    /// Adds `code`, or the constant that it evaluates to if its operands are known.
    pub(super) fn fold(&mut self, code: Code) -> CodeId {
        let result = match &code {
            Code::Unary(operator, operand) => {
                let operand = self.known_scalar(*operand);
                operand.and_then(|operand| folded(operand.unary(*operator)))
            }
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
            Code::HasBits(value, mask) => {
                let value = self.known_scalar(*value);
                value.and_then(|value| folded(value.has_bits(*mask)))
            }
            _ => None,
        };
        self.code(result.unwrap_or(code))
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
        folded(
            self.known_scalar(left)?
                .binary(operator, self.known_scalar(right)?),
        )
    }

    /// Returns the value of `id`, if it is constant and present.
    fn known_scalar(&self, id: CodeId) -> Option<Scalar<'_>> {
        Some(match self.known(id) {
            Code::Int(value) => Scalar::Int(*value),
            Code::Bool(value) => Scalar::Bool(*value),
            Code::Float(value) => Scalar::Float(*value),
            Code::Text(constant) => Scalar::Bytes(&self.plan.constants[*constant]),
            _ => return None,
        })
    }
}

/// Returns the result of an operator as an expression, if it has one.
fn folded(scalar: Scalar<'static>) -> Option<Code> {
    match scalar {
        Scalar::Int(value) => Some(Code::Int(value)),
        Scalar::Bool(value) => Some(Code::Bool(value)),
        Scalar::Float(value) => Some(Code::Float(value)),
        Scalar::Absent | Scalar::Bytes(_) | Scalar::Part => None,
    }
}
