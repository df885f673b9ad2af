//! The capacity of fields: the range of values that each field can store.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::VariableKind;
use tracegauge_plan::{Kind, NestedForm, OpId, Plan};

/// The maximum number of bits in an integer that a tree can represent.
const MOST_BITS: u32 = 64;

/// Returns the minimum and maximum numbers that an operation's bytes can represent, whether or not
/// the format allows them. Returns `None` if the operation does not read an integer. For a
/// variable-length integer, the range includes the payload bits of its last byte beyond the
/// declared width.
pub fn on_wire(kind: &Kind) -> Option<(i128, i128)> {
    let (bits, signed) = match kind {
        Kind::Integer(integer) => (u32::from(integer.width) * 8, integer.signed),
        Kind::Variable(kind, bits) => {
            let room = u32::from(bits.div_ceil(7)) * 7;
            (room.min(MOST_BITS), *kind != VariableKind::Unsigned)
        }
        Kind::Bits { width, .. } => (u32::from(*width), false),
        _ => return None,
    };
    Some(if signed {
        let half = 1_i128 << bits.saturating_sub(1);
        (-half, half - 1)
    } else {
        (0, (1_i128 << bits) - 1)
    })
}

/// Returns the minimum and maximum value of an operation, or `None` if the operation does not read
/// an integer. The width in the trace does not limit the value of a carried field, which readers
/// compute from the stored number and an earlier value.
pub fn values(plan: &Plan, op: OpId) -> Option<(i128, i128)> {
    let range = on_wire(&plan.op(op).kind)?;
    let Some(carry) = plan.info(op).carry else {
        return Some(range);
    };
    let carry = &plan.carries[carry];
    let greatest = match carry.wraps {
        Some(bits) => (1_i128 << bits) - 1,
        None => carry.greatest,
    };
    Some((0, greatest.min(i128::from(u64::MAX))))
}

/// Interprets the bits of a value as a number, which is signed if the operation is signed.
pub fn number(plan: &Plan, op: OpId, bits: u64) -> i128 {
    let signed = values(plan, op).is_some_and(|(least, _)| least < 0);
    if signed {
        i128::from(bits.cast_signed())
    } else {
        i128::from(bits)
    }
}

/// Returns whether the node of a located value represents bytes stored elsewhere in the trace,
/// rather than the field that contains their position. `inside` yields the operations of the node's
/// direct children.
pub fn shows_elsewhere(plan: &Plan, op: OpId, mut inside: impl Iterator<Item = OpId>) -> bool {
    match plan.op(op).kind {
        Kind::Nested(index) => match &plan.nested[index].form {
            NestedForm::Located(located) => !inside.any(|op| op == located.word),
            _ => false,
        },
        _ => false,
    }
}

/// Returns whether node `id` of a tree represents bytes stored elsewhere in the trace.
pub(crate) fn is_shown(plan: &Plan, tree: &tracegauge_decoder::tree::Tree, id: NodeId) -> bool {
    let inside = tree.children(id).map(|child| tree.node(child).op);
    shows_elsewhere(plan, tree.node(id).op, inside)
}
