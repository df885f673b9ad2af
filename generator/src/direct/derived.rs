//! Writes computed fields once everything that they depend on is known.

use tracegauge_decoder::tree::{NodeId, Payload};
use tracegauge_decoder::{Input, Value};
use tracegauge_plan::codec;
use tracegauge_plan::terms::Endian;
use tracegauge_plan::{Code, CodeId, Derived, Kind, Measure, OpId, Plan, each_code};

use super::allowed;
use super::{Directed, domain};
use crate::error::DATA_TOO_LARGE;
use crate::tape::Choices;

/// A computed field whose value is not known yet.
#[derive(Clone, Copy, Debug)]
pub struct Late {
    /// The field.
    pub op: OpId,
    /// The position of the field's bytes.
    pub position: u64,
    /// The node of the field, if the machine builds a tree.
    pub node: Option<NodeId>,
    /// The number of placeholder bytes written.
    pub length: u64,
    /// The number of unnecessary bytes in the field's encoding.
    pub extra: u8,
    /// The value that the field has in the tree being encoded.
    pub known: Option<i128>,
}

/// Returns the maximum number of bytes of a sized part whose size is stored in an earlier field.
pub fn most<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> Option<u64> {
    let plan = machine.plan();
    let emitter = machine.visitor();
    let (field, scale) = emitter.late.iter().rev().find_map(|late| {
        let derived = plan.info(late.op).derived.as_ref()?;
        match derived {
            Derived::Measured {
                of,
                measure: Measure::Size,
                scale,
            } if *of == op => Some((late.op, *scale)),
            _ => None,
        }
    })?;
    let (_, widest) = domain::wire_range(&plan.op(field).kind);
    let high = if emitter.options.odd {
        widest
    } else {
        let index = machine.visitor().index;
        allowed::domain(machine, index, field).high
    };
    u64::try_from(scale.measure(high)?).ok()
}

/// Fills in the earlier fields that measure `op`, which is now complete.
pub fn measured<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    size: u64,
    count: u64,
) {
    let plan = machine.plan();
    if matches!(plan.op(op).kind, Kind::Repeat(_)) {
        super::lists::close(machine, op);
    }
    // Several fields may measure the same operation. If one of these fields is pending several
    // times, fill in the innermost occurrence.
    let mut mended: Vec<OpId> = Vec::new();
    loop {
        let late = &mut machine.visitor_mut().late;
        let waits = late.iter().rposition(|late| {
            let of_this = match &plan.info(late.op).derived {
                Some(Derived::Measured { of, .. }) => *of == op,
                _ => false,
            };
            of_this && !mended.contains(&late.op)
        });
        let Some(at) = waits else { return };
        let late = late.remove(at);
        mended.push(late.op);
        let Some(Derived::Measured { measure, scale, .. }) = plan.info(late.op).derived else {
            return;
        };
        let found = match measure {
            Measure::Size => size,
            Measure::Count => count,
        };
        match scale.value(found.into()) {
            Some(value) => mend(machine, late, value),
            None => return,
        }
    }
}

/// Fills in the fields that are computed from a structure that is now complete. Each field is
/// filled in after the fields that it depends on.
pub fn complete<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) {
    let plan = machine.plan();
    let end = plan.op(op).end;
    loop {
        let late = &mut machine.visitor_mut().late;
        let next = late.iter().enumerate().find_map(|(at, waiting)| {
            // Fields that depended on a pending value when their own structure was completed are
            // still pending.
            let known_at = plan.info(waiting.op).derived_at;
            let here = known_at.is_none_or(|at| at >= op && at.0 < end);
            let inside = here && waiting.op > op && waiting.op.0 < end;
            let Some(Derived::Computed(code)) = plan.info(waiting.op).derived else {
                return None;
            };
            let ready = inside && !waits_for_another(plan, code, waiting.op, late);
            ready.then_some((at, code))
        });
        let Some((at, code)) = next else { return };
        let late = late.remove(at);
        if let Some(value) = machine.value(code, Value::Absent).integer() {
            mend(machine, late, value);
        }
    }
}

/// Returns whether a value depends on another value that is still pending.
fn waits_for_another(plan: &Plan, code: CodeId, op: OpId, late: &[Late]) -> bool {
    let mut waits = false;
    each_code(plan, code, &mut |code| {
        let Code::Slot(slot) = code else { return };
        let is_it = |other: &&Late| other.op != op && plan.op(other.op).slot == *slot;
        waits |= late.iter().any(|other| is_it(&other));
    });
    waits
}

/// Encodes the value of a pending field. For a bit field, returns the bytes of the whole run of bit
/// fields.
fn mended<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    late: Late,
    bits: u64,
) -> Option<Vec<u8>> {
    let plan = machine.plan();
    let mut bytes = Vec::with_capacity(8);
    if let Kind::Variable(kind, most) = plan.op(late.op).kind {
        let least = codec::least_length(kind, bits);
        let length = least
            .saturating_add(late.extra)
            .min(most.div_ceil(7).max(least));
        codec::append(
            bits,
            kind,
            if late.extra == 0 { 0 } else { length },
            &mut bytes,
        );
        return Some(bytes);
    }
    let Kind::Bits { shift, width } = plan.op(late.op).kind else {
        codec::store(bits, codec::stored_as(&plan.op(late.op).kind)?, &mut bytes);
        return Some(bytes);
    };
    let run = plan.info(late.op).parent?;
    let Kind::BitRun { width: size, order } = plan.op(run).kind else {
        return None;
    };
    let end = late.position + u64::from(size);
    let mut whole = [0; 8];
    let order = codec::run_integer(size, order);
    let size = usize::from(size);
    let found = machine.input().bytes(late.position, end);
    let place = whole
        .get_mut(..size)
        .filter(|place| place.len() == found.len())?;
    place.copy_from_slice(found);
    let whole = match order.endian {
        Endian::Little => u64::from_le_bytes(whole),
        Endian::Big => u64::from_be_bytes(whole) >> (64 - 8 * size),
    };
    let mask = (u64::MAX >> (64 - u32::from(width))) << shift;
    codec::store(whole & !mask | bits << shift & mask, order, &mut bytes);
    Some(bytes)
}

/// Returns the value to write into a computed field. If readers tolerate a wrong value, the tree
/// being encoded may specify a wrong value.
fn departing<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    late: Late,
    value: i128,
) -> i128 {
    let range = super::domain::wire_range(&machine.plan().op(late.op).kind);
    let emitter = machine.visitor_mut();
    let loose = emitter.stopping.was_cut || emitter.index.loose.contains(&late.op);
    if !emitter.options.may_depart() || !loose {
        return value;
    }
    let other = late.known.filter(|known| *known != value);
    if emitter.choices.choose(1, Some(u64::from(other.is_some()))) == 0 {
        return value;
    }
    super::cut::any(&mut emitter.choices, range, other)
}

/// Computes the final value of a pending field and writes it.
fn mend<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    late: Late,
    value: i128,
) {
    let value = departing(machine, late, value);
    if !machine.holds(late.op, Value::Int(value)) {
        machine.visitor_mut().refuse(
            late.op,
            "the size of the data does not satisfy the constraints of the size field",
        );
        return;
    }
    let (least, greatest) = domain::wire_range(&machine.plan().op(late.op).kind);
    let wire = super::stored::on_the_wire(machine, late.op, value);
    let fits = wire.is_some_and(|wire| (least..=greatest).contains(&wire));
    let emitter = machine.visitor();
    if !fits && (emitter.script.is_some() || !emitter.options.odd) {
        machine.visitor_mut().refuse(late.op, DATA_TOO_LARGE);
        return;
    }
    write(machine, late, value);
}

/// Writes a value over its placeholder.
pub fn write<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    late: Late,
    value: i128,
) {
    let plan = machine.plan();
    let bits = super::wire::bits_of(value);
    let wire = super::stored::on_the_wire(machine, late.op, value);
    let wire = wire.map(super::wire::bits_of).unwrap_or(bits);
    let Some(bytes) = mended(machine, late, wire) else {
        return;
    };
    let (after, grown) = (late.position + late.length, bytes.len() as u64);
    if grown == late.length || matches!(plan.op(late.op).kind, Kind::Bits { .. }) {
        machine.input_mut().patch(late.position, &bytes);
    } else {
        machine.replace(late.position, late.length, &bytes);
        for other in &mut machine.visitor_mut().late {
            if other.position >= after {
                other.position = other.position - late.length + grown;
            }
        }
    }
    machine.set_slot(plan.op(late.op).slot, Value::Int(value));
    if let Some(node) = late.node
        && let Some(node) = machine.tree_mut().nodes.get_mut(node as usize)
    {
        node.payload = Payload::Bits(bits);
        if matches!(plan.op(late.op).kind, Kind::Variable(..)) {
            node.spelling = u8::try_from(grown).unwrap_or_default();
        }
    }
}
