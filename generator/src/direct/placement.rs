//! Places the values of instances that are located by a position.
//!
//! A trace is first written without these values (see `located.rs`), so the positions in it are
//! chosen at random. If a position makes the trace invalid, the plan is run again on the finished
//! bytes. While the machine reads the trace, the emitter appends each located value to the file and
//! stores its position, size and number of elements in the fields that they are computed from. A
//! value that is located by a field of another located value is placed when the plan is run the next
//! time.

use std::collections::HashSet;

use tracegauge_decoder::{Input, Value};
use tracegauge_plan::{
    Code, CodeId, Count, Extent, Kind, LocationId, LocationPlan, OpId, Plan, Slot, StreamPart,
    each_code, flags,
};

use super::Directed;
use super::derived::{self, Late};
use super::domain::wire_range;
use crate::tape::Choices;

/// The maximum number of times that the plan is run to place values inside located values.
pub(crate) const MOST_RUNS: usize = 8;

/// The maximum size in bytes of a located string or byte string.
const MOST_BYTES: u64 = 32;

/// The maximum number of elements of a located list.
const MOST_ELEMENTS: u64 = 4;

/// The maximum number of bytes inserted before a value whose position is fixed, or must be stored as
/// a number of sectors.
const MOST_PADDING: i128 = 1 << 16;

/// The progress of placing located values.
#[derive(Debug, Default)]
pub struct Placement {
    /// Whether the trace exists and its located values are being placed.
    is_active: bool,
    /// Whether the emitter is writing a located value.
    is_writing: bool,
    /// The positions of the fields that have been set. A field that several values depend on is set
    /// only once.
    set: HashSet<(OpId, u64)>,
    /// Whether the current run has set a field.
    has_changed: bool,
    /// The located part that is being written, and the field that will store the part's size.
    measured: Option<Measured>,
}

/// A located part whose size is stored in a field.
#[derive(Clone, Copy, Debug)]
struct Measured {
    part: OpId,
    start: u64,
    field: Field,
}

/// A field that stores a position, a size or a count, possibly in a different unit.
#[derive(Clone, Copy, Debug)]
struct Field {
    op: OpId,
    /// The value of the expression if the field is 0.
    base: i128,
    /// How much the value of the expression grows if the field grows by 1.
    step: i128,
    /// The position of the field's bytes.
    position: u64,
    length: u64,
    node: u32,
}

impl Placement {
    /// Prepares another run of the plan on the finished trace.
    pub(crate) fn start(&mut self) {
        self.is_active = true;
        self.is_writing = false;
        self.has_changed = false;
        self.measured = None;
    }

    /// Returns whether the last run has placed a value.
    pub(crate) fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Returns whether the machine is reading bytes that have already been written.
    pub(super) fn is_reading(&self) -> bool {
        self.is_active && !self.is_writing
    }

    /// Returns whether the size of a part is stored only when the part is complete.
    pub(super) fn measures(&self, op: OpId) -> bool {
        self.measured.is_some_and(|measured| measured.part == op)
    }
}

/// Chooses the position of a located value. Returns whether the emitter writes the value there. If
/// nothing can be appended to the value's stream, the value consists of existing bytes.
pub fn locate<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    at: OpId,
) -> bool {
    let plan = machine.plan();
    let Kind::At(location) = plan.op(at).kind else {
        return false;
    };
    if !machine.visitor().placement.is_reading() {
        return false;
    }
    let (start, end) = machine.bounds(plan.locations[location].stream);
    let is_appended = end == u64::MAX && !machine.visitor().index.is_open_ended;
    let Some(field) = position_field(machine, at, location) else {
        return is_appended && append_at(machine, at, location, start);
    };
    if is_appended {
        return append(machine, at, field, start);
    }
    let end = end.min(machine.input().seen());
    let Some(room) = end.checked_sub(start) else {
        return false;
    };
    let size = resize(machine, at, room).unwrap_or(0).min(room);
    let (_, greatest) = wire_range(&machine.plan().op(field.op).kind);
    let most = ((i128::from(room - size) - field.base) / field.step).min(greatest);
    if let Ok(most) = u64::try_from(most) {
        let chosen = i128::from(machine.visitor_mut().choices.choose(most, None));
        if is_possible(machine, field, chosen) {
            set(machine, field, chosen);
        }
    }
    false
}

/// Starts to write a located value at the end of the file.
fn append<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    at: OpId,
    field: Field,
    start: u64,
) -> bool {
    let end = machine.input().seen();
    let over = (i128::from(end - start) - field.base).rem_euclid(field.step);
    let padding = if over == 0 { 0 } else { field.step - over };
    let number = (i128::from(end - start) + padding - field.base) / field.step;
    if padding > MOST_PADDING || !is_possible(machine, field, number) {
        return false;
    }
    set(machine, field, number);
    begin(machine, at, padding);
    true
}

/// Starts to write a located value whose position is fixed, if the file ends before this position.
fn append_at<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    at: OpId,
    location: LocationId,
    start: u64,
) -> bool {
    let offset = machine.plan().locations[location].offset;
    let offset = offset.and_then(|offset| machine.value(offset, Value::Absent).integer());
    let missing =
        offset.map(|offset| i128::from(start) + offset - i128::from(machine.input().seen()));
    match missing {
        Some(padding @ 0..=MOST_PADDING) => {
            machine.visitor_mut().placement.has_changed = true;
            begin(machine, at, padding);
            true
        }
        _ => false,
    }
}

/// Starts to write a located value `padding` bytes after the end of the file.
fn begin<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    at: OpId,
    padding: i128,
) {
    let padding = usize::try_from(padding).unwrap_or_default();
    machine.input_mut().append(&vec![0; padding]);
    let start = machine.input().seen();
    let part = OpId(at.0 + 1);
    let measured = match machine.plan().op(part).kind {
        Kind::Sized(Extent::Computed(size)) => {
            storing(machine, at, size).map(|field| Measured { part, start, field })
        }
        _ => {
            resize(machine, at, u64::MAX);
            None
        }
    };
    let placement = &mut machine.visitor_mut().placement;
    placement.measured = measured;
    placement.is_writing = true;
}

/// Stores the size of a located value that is complete.
pub fn end<I: Input, C: Choices, const TREE: bool>(machine: Directed<'_, '_, '_, I, C, TREE>) {
    let end = machine.position();
    let placement = &mut machine.visitor_mut().placement;
    placement.is_writing = false;
    if let Some(measured) = placement.measured.take() {
        store(machine, measured.field, end - measured.start);
    }
}

/// Returns the maximum size in bytes of a located part whose size is stored when it is complete.
pub fn most<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> Option<u64> {
    let measured = machine.visitor().placement.measured?;
    let field = measured.field;
    let (_, greatest) = wire_range(&machine.plan().op(field.op).kind);
    let most = greatest.checked_mul(field.step)?.checked_add(field.base)?;
    u64::try_from(most).ok().filter(|_| measured.part == op)
}

/// Chooses the size or the number of elements of a located value that has no other contents, and
/// stores it. Returns the size in bytes, if it is known.
fn resize<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    at: OpId,
    room: u64,
) -> Option<u64> {
    let plan = machine.plan();
    let part = plan.op(OpId(at.0 + 1));
    if let Kind::Sized(Extent::Fixed(size))
    | Kind::Bytes(Extent::Fixed(size))
    | Kind::Text(Extent::Fixed(size), _) = part.kind
    {
        return Some(size);
    }
    let code = plan.measure(part)?;
    let is_size = !matches!(part.kind, Kind::Repeat(_));
    let most = if is_size { MOST_BYTES } else { MOST_ELEMENTS };
    if let Some(field) = storing(machine, at, code) {
        let chosen = machine.visitor_mut().choices.choose(most.min(room), None);
        store(machine, field, chosen);
    }
    let value = machine.value(code, Value::Absent).integer();
    value
        .and_then(|value| u64::try_from(value).ok())
        .filter(|_| is_size)
}

/// Stores the closest possible amount that is not greater than `amount`.
fn store<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    field: Field,
    amount: u64,
) {
    let number = (i128::from(amount) - field.base).div_euclid(field.step);
    if is_possible(machine, field, number) {
        set(machine, field, number);
    }
}

fn position_field<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    at: OpId,
    location: LocationId,
) -> Option<Field> {
    match machine.plan().locations[location] {
        LocationPlan {
            offset: Some(offset),
            same_as: None,
            ..
        } => storing(machine, at, offset),
        _ => None,
    }
}

/// Returns the field that determines the value of an expression, if it may be set.
fn storing<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    at: OpId,
    code: CodeId,
) -> Option<Field> {
    let plan = machine.plan();
    let mut slots = Vec::new();
    each_code(plan, code, &mut |code| {
        if let Code::Slot(slot) = code {
            slots.push(*slot);
        }
    });
    // The last field is the closest to the located value, and the most likely to be its own.
    let ops = plan.ops.iter().enumerate().rev();
    let mut fields = ops.filter(|(_, op)| {
        let is_read = op.flags & flags::SLOT != 0 && slots.contains(&op.slot);
        is_read && matches!(op.kind, Kind::Integer(_) | Kind::Bits { .. })
    });
    fields.find_map(|(op, _)| field(machine, at, OpId::from(op), code))
}

/// Returns how the value of an expression depends on a field, if the dependency is linear and
/// nothing else depends on the field.
fn field<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    at: OpId,
    op: OpId,
    code: CodeId,
) -> Option<Field> {
    let plan = machine.plan();
    let slot = plan.op(op).slot;
    let info = plan.info(op);
    if info.derived.is_some() || info.carry.is_some() || measures_others(plan, slot, at) {
        return None;
    }
    let nodes = machine.tree().nodes.iter().enumerate();
    let (node, found) = nodes.rev().find(|(_, node)| node.op == op)?;
    let (position, length) = (found.span.start, found.span.end - found.span.start);
    if machine.visitor().placement.set.contains(&(op, position)) {
        return None;
    }
    let before = machine.slot(slot);
    before.integer()?;
    let mut with = |number: i128| {
        machine.set_slot(slot, Value::Int(number));
        machine.value(code, Value::Absent).integer()
    };
    let values = (with(0), with(1), with(100));
    machine.set_slot(slot, before);
    let (base, one, hundred) = (values.0?, values.1?, values.2?);
    let step = one - base;
    let is_linear = step > 0 && hundred - base == step * 100;
    is_linear.then_some(Field {
        op,
        base,
        step,
        position,
        length,
        node: u32::try_from(node).ok()?,
    })
}

/// Returns whether the size of a part or the length of a list outside the located value `at`
/// depends on a slot.
fn measures_others(plan: &Plan, slot: Slot, at: OpId) -> bool {
    let inside = at.0..plan.op(at).end;
    let others = (0..plan.ops.len()).map(OpId::from);
    let mut others = others.filter(|other| !inside.contains(&other.0) && !is_located(plan, *other));
    others.any(|other| {
        let measure = plan.measure(plan.op(other));
        measure.is_some_and(|code| reads(plan, code, slot))
    })
}

/// Returns whether an operation reads a located value.
fn is_located(plan: &Plan, op: OpId) -> bool {
    let parent = plan.info(op).parent;
    parent.is_some_and(|parent| matches!(plan.op(parent).kind, Kind::At(_)))
}

fn reads(plan: &Plan, code: CodeId, slot: Slot) -> bool {
    let mut found = false;
    each_code(plan, code, &mut |code| found |= *code == Code::Slot(slot));
    found
}

/// Returns whether a field can store a number.
fn is_possible<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    field: Field,
    number: i128,
) -> bool {
    let (least, greatest) = wire_range(&machine.plan().op(field.op).kind);
    (least..=greatest).contains(&number) && machine.holds(field.op, Value::Int(number))
}

/// Overwrites a field.
fn set<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    field: Field,
    number: i128,
) {
    let late = Late {
        op: field.op,
        position: field.position,
        node: Some(field.node),
        length: field.length,
        extra: 0,
        known: None,
    };
    derived::write(machine, late, number);
    let placement = &mut machine.visitor_mut().placement;
    placement.has_changed = true;
    placement.set.insert((field.op, field.position));
}

/// Returns whether fields of the file extend to its end and may not be followed by other bytes.
pub fn is_open_ended(plan: &Plan) -> bool {
    (0..plan.ops.len()).map(OpId::from).any(|op| {
        let is_open = match plan.op(op).kind {
            Kind::Repeat(repeat) => match plan.repeats[repeat].count {
                Count::ToEnd => true,
                Count::Until(until) => reads_end(plan, until),
                Count::Computed(_) => false,
            },
            Kind::Sized(Extent::ToEnd) => true,
            _ => plan.op(op).flags & flags::GUARD != 0 && reads_end(plan, plan.op(op).guard),
        };
        is_open && is_in_file(plan, op)
    })
}

/// Returns whether an expression depends on where a stream ends.
pub fn reads_end(plan: &Plan, code: CodeId) -> bool {
    let mut found = false;
    each_code(plan, code, &mut |code| {
        found |= matches!(code, Code::Stream(_, StreamPart::AtEnd | StreamPart::Size));
    });
    found
}

/// Returns whether an operation reads directly from the file instead of a part.
fn is_in_file(plan: &Plan, op: OpId) -> bool {
    let mut at = plan.info(op).parent;
    while let Some(around) = at {
        if matches!(plan.op(around).kind, Kind::Sized(_) | Kind::At(_)) {
            return false;
        }
        at = plan.info(around).parent;
    }
    true
}
