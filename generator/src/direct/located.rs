//! Handles Kaitai Struct instances that are located by a position, and tests for the end of the
//! stream.
//!
//! An instance located by a position is never written separately: its bytes belong to other fields
//! or come after the last field. The emitter, which writes the values of a trace, skips such
//! instances, and the complete trace is decoded again to read them.

use tracegauge_decoder::tree::Payload;
use tracegauge_decoder::{Input, Value};
use tracegauge_plan::terms::FaultKind;
use tracegauge_plan::{Kind, OpId};

use super::Directed;
use super::severity::rejected;
use super::text;
use crate::tape::Choices;

/// Determines how often a test for the end of the stream succeeds: on average, once in `ENDS + 1`
/// tests.
const ENDS: u64 = 7;

/// Skips an instance. If a tree is being encoded, takes the numbers inside the instance from the
/// tree.
pub fn pass<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) {
    let Some(script) = machine.visitor_mut().script.as_mut() else {
        return;
    };
    let known = script.pass_over(op);
    let plan = machine.plan();
    for (inside, value) in known {
        let slot = plan.op(inside).slot;
        if let Payload::Bits(bits) = value {
            let signed = matches!(plan.op(inside).kind, Kind::Integer(integer) if integer.signed);
            let value = if signed {
                i128::from(bits.cast_signed())
            } else {
                i128::from(bits)
            };
            machine.set_slot(slot, Value::Int(value));
        }
    }
}

/// Decides whether the stream ends at the current position.
pub fn at_end<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
) -> bool {
    let position = machine.position();
    let room = machine.room();
    let emitter = machine.visitor_mut();
    if let Some((known, ends)) = emitter.stopping.ended
        && known == position
    {
        return ends;
    }
    let part = emitter.enclosing.parts.last();
    let part = part.map(|part| (part.exact, part.node_end));
    let exact = part.is_some_and(|(exact, _)| exact);
    let wanted = emitter
        .script
        .as_ref()
        .map(|script| u64::from(!script.is_at(part.and_then(|(_, end)| end))));
    let ends = match room {
        Some(0) => true,
        _ if exact => false,
        _ if !emitter.options.odd && position >= emitter.options.bytes => true,
        _ => emitter.choices.choose(ENDS, wanted) == 0,
    };
    if ends && let Some(part) = emitter.enclosing.parts.last_mut() {
        part.to_end = true;
    }
    emitter.stopping.ended = Some((position, ends));
    ends
}

/// Writes bytes after the root structure if readers tolerate them.
pub fn end_trace<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
) {
    let plan = machine.plan();
    let rule = plan.faults[plan.op(OpId(0)).faults].of(FaultKind::Trailing);
    let emitter = machine.visitor_mut();
    let tolerated = rule.is_none() || !rejected(plan, rule);
    if !emitter.options.odd || !tolerated {
        return;
    }
    let wanted = emitter.script.as_ref().and_then(|script| script.trailing());
    let longest = emitter.options.longest;
    let choices = &mut emitter.choices;
    if choices.choose(1, Some(u64::from(wanted.is_some()))) == 0 {
        return;
    }
    let bytes = text::raw(choices, text::bytes_up_to(longest), true, wanted);
    emitter.stopping.trailed = true;
    machine.input_mut().append(&bytes);
}
