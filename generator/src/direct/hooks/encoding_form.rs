//! Chooses the encodings of numbers, including variable-length integers that are longer than
//! necessary.

use tracegauge_decoder::Input;
use tracegauge_plan::codec;
use tracegauge_plan::{Kind, OpId};

use super::super::Directed;
use super::super::stored::on_the_wire;
use super::super::wire::bits_of;
use crate::tape::Choices;

/// Chooses the encoded length of a variable-length integer. Returns 0 if the shortest encoding is
/// chosen.
pub(super) fn spelled<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    value: i128,
    spelling: u8,
) -> u8 {
    let Kind::Variable(kind, bits) = machine.plan().op(op).kind else {
        return 0;
    };
    let emitter = machine.visitor_mut();
    if !emitter.options.odd {
        return 0;
    }
    let least = codec::least_length(kind, bits_of(value));
    let most = bits.div_ceil(7).max(least);
    let extra = (spelling > 0).then(|| u64::from(spelling.saturating_sub(least)));
    let extra = emitter
        .choices
        .choose(u64::from(most - least), extra.or(Some(0)));
    least + u8::try_from(extra).unwrap_or_default()
}

/// Chooses how many unnecessary bytes to add to the encoding of a variable-length integer. The
/// value of the integer is not known yet.
pub(super) fn padded<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    known: Option<i128>,
    spelling: u8,
) -> u8 {
    let Kind::Variable(kind, bits) = machine.plan().op(op).kind else {
        return 0;
    };
    let wire = known.and_then(|known| on_the_wire(machine, op, known));
    let emitter = machine.visitor_mut();
    if !emitter.options.odd {
        return 0;
    }
    let least = wire.map_or(spelling, |wire| codec::least_length(kind, bits_of(wire)));
    let most = u64::from(bits.div_ceil(7).saturating_sub(1));
    let extra = spelling.saturating_sub(least);
    u8::try_from(emitter.choices.choose(most, Some(u64::from(extra)))).unwrap_or_default()
}
