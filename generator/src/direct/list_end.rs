//! Finds the fields that end lists.

use tracegauge_plan::operator::{BinaryOperator, UnaryOperator};
use tracegauge_plan::{Code, CodeId, Count, OpId, Plan, RepeatId};

/// Returns the field that can end a list, and the value that ends the list.
pub fn ending(plan: &Plan, id: OpId, repeat: RepeatId) -> Option<(OpId, i128)> {
    let Count::Until(until) = plan.repeats[repeat].count else {
        return None;
    };
    let code = |code: CodeId| plan.codes.get(code.index());
    match code(until)? {
        Code::Slot(_) => Some((plan.field_of(id, until)?, 1)),
        Code::Unary(UnaryOperator::Not, field) => Some((plan.field_of(id, *field)?, 0)),
        Code::Binary(BinaryOperator::Equal, left, right) => {
            let constant = |side: CodeId| match code(side)? {
                Code::Int(value) => Some(*value),
                Code::Bool(value) => Some(i128::from(*value)),
                _ => None,
            };
            let sides = [(left, right), (right, left)].into_iter();
            let mut endings = sides
                .filter_map(|(field, value)| Some((plan.field_of(id, *field)?, constant(*value)?)));
            endings.next()
        }
        _ => None,
    }
}
