//! Finds the fields that expressions compare with constants. Bugs in such expressions only show if the
//! fields have values next to these constants.

use std::collections::HashMap;

use super::live::Live;
use super::roots::roots;
use crate::operator::BinaryOperator;
use crate::{Code, CodeId, OpId, Plan};

/// For each operation, returns the fields that its expressions compare with constants, and the
/// constants.
pub fn compared_fields(plan: &Plan) -> HashMap<OpId, Vec<(OpId, i128)>> {
    let mut compared: HashMap<OpId, Vec<(OpId, i128)>> = HashMap::new();
    for root in roots(plan, &Live::of(plan)) {
        for code in plan.expressions_in(root.code) {
            if let Some(found) = comparison(plan, code) {
                let known = compared.entry(root.op).or_default();
                if !known.contains(&found) {
                    known.push(found);
                }
            }
        }
    }
    compared
}

/// Returns the field and the constant that an expression compares.
fn comparison(plan: &Plan, code: &Code) -> Option<(OpId, i128)> {
    use BinaryOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let Code::Binary(operator, left, right) = code else {
        return None;
    };
    let is_comparison = matches!(
        operator,
        Equal | Greater | GreaterOrEqual | Less | LessOrEqual | NotEqual
    );
    let of = |code: &CodeId| &plan.codes[code.index()];
    match (of(left), of(right)) {
        (Code::Slot(slot), Code::Int(value)) | (Code::Int(value), Code::Slot(slot))
            if is_comparison =>
        {
            let field = plan.origins.get(slot.index()).copied().flatten()?;
            Some((field, *value))
        }
        _ => None,
    }
}
