//! The numbers that fields store, which differ from the values that readers compute from them if
//! readers add an earlier value.

use tracegauge_decoder::{Input, Value};
use tracegauge_plan::terms::{FaultKind, VariableKind};
use tracegauge_plan::{Kind, OpId, Plan};

use super::Directed;
use super::domain::wire_range;
use super::severity::rejected;
use crate::tape::Choices;

/// Returns the range of values that a field can represent, either directly or as the sum of the
/// stored number and an earlier value.
pub fn whole_range<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> (i128, i128) {
    let plan = machine.plan();
    let (low, high) = wire_range(&plan.op(op).kind);
    let Some(carry) = plan.info(op).carry else {
        let odd = machine.visitor().options.odd;
        let wide = plan.faults[plan.op(op).faults].of(FaultKind::Wide);
        return match plan.op(op).kind {
            // Some readers accept numbers that exceed the declared width.
            Kind::Variable(VariableKind::Unsigned, _) if odd && !rejected(plan, wide) => {
                (low, i128::from(u64::MAX))
            }
            _ => (low, high),
        };
    };
    let offset = carry_offset(machine, op);
    let carry = &plan.carries[carry];
    match carry.wraps {
        // In an odd trace, the value may be one that the field cannot represent (`nearest`).
        Some(bits) if carry.add && machine.visitor().options.odd => (0, (1_i128 << bits) - 1),
        Some(bits) if carry.add => sums(offset, (low, high), bits),
        _ => (
            low.saturating_add(offset).max(0),
            high.saturating_add(offset).min(carry.greatest.max(offset)),
        ),
    }
}

/// Returns a range of sums of `offset` and a number between `low` and `high`, modulo 2 to the power
/// of `bits`. If some of these sums wrap around, there are several ranges, and the largest is
/// returned.
fn sums(offset: i128, (low, high): (i128, i128), bits: u8) -> (i128, i128) {
    let modulus = 1_i128 << bits;
    if high - low >= modulus - 1 {
        return (0, modulus - 1);
    }
    let offset = offset.rem_euclid(modulus);
    let (least, greatest) = (offset + low, offset + high);
    let ranges = [
        (least.max(0), greatest.min(modulus - 1)),
        (least + modulus, modulus - 1),
        (0, greatest - modulus),
    ];
    let largest = ranges.into_iter().max_by_key(|(from, to)| to - from);
    largest.unwrap_or((0, modulus - 1))
}

/// Returns the amount that readers add to the number stored in a carried field.
pub fn carry_offset<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> i128 {
    let plan = machine.plan();
    let Some(carry) = plan.info(op).carry.map(|index| &plan.carries[index]) else {
        return 0;
    };
    let base = match (carry.register, carry.previous) {
        _ if !carry.add => 0,
        (Some(register), _) => machine.register(register).unwrap_or(0),
        (None, Some(slot)) => machine.slot(slot).integer().unwrap_or(0),
        (None, None) => 0,
    };
    let then = carry.then.map_or(0, |then| {
        machine.value(then, Value::Absent).integer().unwrap_or(0)
    });
    base.saturating_add(then)
}

/// Returns the number to store in the trace for a value, or `None` if the field cannot represent
/// it.
pub fn on_the_wire<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    value: i128,
) -> Option<i128> {
    let plan = machine.plan();
    let Some(carry) = plan.info(op).carry else {
        return Some(value);
    };
    let (low, high) = wire_range(&plan.op(op).kind);
    let mut wire = value - carry_offset(machine, op);
    if let Some(bits) = plan.carries[carry].wraps {
        wire &= (1_i128 << bits) - 1;
        if wire > high && low < 0 {
            wire -= 1_i128 << bits;
        }
    }
    (low..=high).contains(&wire).then_some(wire)
}

/// Returns `value` or, if the field cannot represent it as a sum that wraps around, another value
/// that the field can represent.
pub fn nearest<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    value: i128,
) -> i128 {
    let plan = machine.plan();
    let carry = plan.info(op).carry.map(|index| &plan.carries[index]);
    let Some(bits) = carry
        .filter(|carry| carry.add)
        .and_then(|carry| carry.wraps)
    else {
        return value;
    };
    if on_the_wire(machine, op, value).is_some() {
        return value;
    }
    let (low, high) = wire_range(&plan.op(op).kind);
    let offset = carry_offset(machine, op);
    let stored = low + (value - offset).rem_euclid(high - low + 1);
    (offset + stored).rem_euclid(1 << bits)
}

/// Interprets bits as a number, which is signed if the field is signed.
pub fn signed(plan: &Plan, op: OpId, bits: u64) -> i128 {
    let (low, _) = wire_range(&plan.op(op).kind);
    if low < 0 && plan.info(op).carry.is_none() {
        i128::from(bits.cast_signed())
    } else {
        i128::from(bits)
    }
}
