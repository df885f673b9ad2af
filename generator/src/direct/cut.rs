//! Handles traces in which readers stop inside a value and skip the rest of the enclosing sized
//! part or of the whole trace. Such traces are not generated from seeds, but an existing trace of
//! this kind can be recorded as a tape (a sequence of choices) and generated again from that tape.

use tracegauge_decoder::{Cut, Input};
use tracegauge_plan::{Kind, OpId};

use super::{Directed, derived, domain, part, text};
use crate::tape::Choices;

/// The choice that ends the enclosing sized part before a value.
const PART: u64 = 255;

/// The choice that makes readers stop reading the trace before a value.
const END: u64 = 254;

/// Returns whether readers stop before a value.
pub fn is_cut<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> bool {
    if !machine.visitor().options.odd || !machine.visitor().index.stops {
        return false;
    }
    let short = machine.visitor().is_short(machine.trail());
    let emitter = machine.visitor_mut();
    let layout = emitter
        .described
        .layouts
        .last()
        .and_then(|layout| layout.node_end);
    let part = emitter
        .enclosing
        .parts
        .last()
        .and_then(|part| part.node_end);
    let wanted = emitter.script.as_ref().map(|script| {
        if script.has_value(op, part, layout) {
            0
        } else if script.is_spent() {
            END
        } else {
            PART
        }
    });
    let chosen = emitter.choices.choose(PART, wanted);
    let cut = match chosen {
        PART => Cut::Part,
        END => Cut::End,
        _ if short => Cut::Part,
        _ => return false,
    };
    emitter.stopping.cut = Some(cut);
    emitter.planned.bytes.retain(|(planned, _)| *planned != op);
    true
}

/// Completes a sized part that ends inside a value by writing the rest of the part.
pub fn part<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) {
    let emitter = machine.visitor_mut();
    emitter.stopping.was_cut = true;
    if let Some(part) = emitter.enclosing.parts.last_mut() {
        // Bytes follow even if a field extended to the end of the part.
        part.to_end = false;
    }
    part::end(machine, op);
}

/// Completes a sized part or a list in which readers of a valid trace stop, because a rule that the
/// trace exercises says so: fills in the pending fields that measure it.
pub fn interrupted<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    start: u64,
    count: u64,
) {
    let emitter = machine.visitor_mut();
    if emitter.refusal.is_some() || emitter.options.odd {
        return;
    }
    if matches!(machine.plan().op(op).kind, Kind::Sized(_)) {
        part::end(machine, op);
    }
    let size = machine.input().seen().saturating_sub(start);
    derived::measured(machine, op, size, count);
}

/// Completes a trace in which readers stop early: fills in the pending fields and writes the rest
/// of the trace.
pub fn trace<I: Input, C: Choices, const TREE: bool>(machine: Directed<'_, '_, '_, I, C, TREE>) {
    let plan = machine.plan();
    let emitter = machine.visitor_mut();
    if emitter.refusal.is_some() || !emitter.options.odd {
        return;
    }
    // Bytes after the point where reading stops have no node in this tree, so the trace must be
    // decoded again.
    emitter.stopping.was_cut = true;
    if emitter.stopping.trailed {
        return;
    }
    emitter.enclosing.parts.clear();
    emitter.described.layouts.clear();
    while let Some(late) = machine.visitor_mut().late.pop() {
        let range = domain::wire_range(&plan.op(late.op).kind);
        let choices = &mut machine.visitor_mut().choices;
        let value = any(choices, range, late.known);
        derived::write(machine, late, value);
    }
    let emitter = machine.visitor_mut();
    let script = emitter.script.as_ref();
    let wanted = script.and_then(|script| script.trailing());
    let bytes = text::raw(
        &mut emitter.choices,
        text::bytes_up_to(emitter.options.longest),
        true,
        wanted,
    );
    machine.input_mut().append(&bytes);
}

/// Returns the number to write into a field that is computed from later contents. If a tree is
/// being encoded, the result may be a wrong number that makes readers stop.
pub fn departing<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    known: Option<i128>,
    (value, of, measure): (i128, OpId, u64),
) -> i128 {
    let range = domain::wire_range(&machine.plan().op(op).kind);
    let emitter = machine.visitor_mut();
    if !emitter.options.may_depart() || !emitter.index.stops {
        return value;
    }
    let other = known.filter(|known| *known != value);
    let departs = Some(u64::from(other.is_some()));
    if emitter.choices.choose(1, departs) == 0 {
        return value;
    }
    emitter.stopping.short.push((of, measure));
    any(&mut emitter.choices, range, other)
}

/// Chooses a number from a range.
pub fn any<C: Choices>(choices: &mut C, (low, high): (i128, i128), wanted: Option<i128>) -> i128 {
    let most = u64::try_from(high - low).unwrap_or(u64::MAX);
    let wanted = wanted.and_then(|wanted| u64::try_from(wanted - low).ok());
    low + i128::from(choices.choose(most, wanted))
}
