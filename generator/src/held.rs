//! What a field can hold.

use tracegauge_decoder::tree::NodeId;
use tracegauge_spec::plan::{Kind, NestedForm, OpId, Plan};
use tracegauge_spec::schema::VariableKind;

/// Bits of a number that a tree can say.
const MOST_BITS: u32 = 64;

/// Least and greatest number that can stand on the wire for an operation, allowed or not; none
/// where it is no integer. A variable-length integer has room for all bits of its bytes.
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

/// Least and greatest value of an operation; none where it is no integer. That of a carried
/// field is not bound by what stands on the wire.
pub fn values(plan: &Plan, op: OpId) -> Option<(i128, i128)> {
    let range = on_wire(&plan.op(op).kind)?;
    let Some(carry) = plan.info(op).carry else {
        return Some(range);
    };
    let carry = &plan.carries[carry as usize];
    let greatest = match carry.wraps {
        Some(bits) => (1_i128 << bits) - 1,
        None => carry.greatest,
    };
    Some((0, greatest.min(i128::from(u64::MAX))))
}

/// The number that the bits of a value are.
pub fn number(plan: &Plan, op: OpId, bits: u64) -> i128 {
    let signed = values(plan, op).is_some_and(|(least, _)| least < 0);
    if signed {
        i128::from(bits.cast_signed())
    } else {
        i128::from(bits)
    }
}

/// The node of a located value shows bytes that stand elsewhere, and is not the one in which
/// the word stands that says where: `inside` are the operations directly in it.
pub fn shows_elsewhere(plan: &Plan, op: OpId, mut inside: impl Iterator<Item = OpId>) -> bool {
    match plan.op(op).kind {
        Kind::Nested(index) => match &plan.nested[index as usize].form {
            NestedForm::Located(located) => !inside.any(|op| op == located.word),
            _ => false,
        },
        _ => false,
    }
}

/// Whether the node `id` of a tree shows bytes that stand elsewhere.
pub(crate) fn is_shown(plan: &Plan, tree: &tracegauge_decoder::tree::Tree, id: NodeId) -> bool {
    let inside = tree.children(id).map(|child| tree.node(child).op);
    shows_elsewhere(plan, tree.node(id).op, inside)
}
