//! Implements the callbacks that the decoder's machine uses to make the emitter write a trace.

mod computed;
mod differing;
mod elements;
mod encoding_form;
mod numbers;
mod runs;
mod texts;

use tracegauge_decoder::{Input, Refused};
use tracegauge_plan::codec;
use tracegauge_plan::{Kind, OpId};

pub use self::differing::{Fits, distinguish, taken};
pub use self::elements::{another, begin, breaks_off, to_end};
use self::numbers::put_number;
use self::runs::put_bits;
pub use self::texts::chooses_size;
use self::texts::{put_guid, put_text};
use super::script::follow_bytes;
use super::{Directed, cut, ending, lists, part, text};
use crate::error::DATA_TOO_LARGE;
use crate::tape::Choices;

/// Writes the bytes of the value that the machine reads next.
pub fn put<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> Result<(), Refused> {
    if machine.visitor().replays_at(machine.position()) {
        return Ok(());
    }
    if cut::is_cut(machine, op) {
        return Err(Refused);
    }
    let is_overlong = lists::is_overlong(machine);
    machine.visitor_mut().wishes.is_overlong = is_overlong;
    let plan = machine.plan();
    let kind = &plan.op(op).kind;
    let claimed = match texts::chooses_size(machine, op) {
        true => 0,
        false => texts::claimed(machine, kind),
    };
    let emitter = machine.visitor();
    if machine.position().saturating_add(claimed) > emitter.options.most {
        return Err(machine.visitor_mut().give_up(op));
    }
    let mut scratch = std::mem::take(&mut machine.visitor_mut().scratch);
    scratch.clear();
    let result = match kind {
        Kind::Integer(_) | Kind::Variable(..) | Kind::Float { .. } => {
            put_number(machine, op, &mut scratch)
        }
        Kind::BitRun { width, order } => put_bits(machine, op).map(|run| {
            codec::store(run, codec::run_integer(*width, *order), &mut scratch);
        }),
        Kind::Contents(constant) => {
            let taken = follow_bytes(machine, op);
            scratch.extend_from_slice(&taken.unwrap_or_else(|| plan.constants[*constant].clone()));
            Ok(())
        }
        Kind::Text(..) | Kind::Bytes(_) => {
            put_text(machine, op, &mut scratch);
            Ok(())
        }
        Kind::Terminated(described) => {
            ending::put(machine, op, described, &mut scratch);
            Ok(())
        }
        Kind::Guid(_) => {
            put_guid(machine, op, &mut scratch);
            Ok(())
        }
        Kind::Align {
            to,
            from_file,
            fill,
        } => {
            let taken = follow_bytes(machine, op);
            let base = if *from_file { 0 } else { machine.part_start() };
            let over = (machine.position() - base) % (*to).max(1);
            let length = if over == 0 { 0 } else { to - over };
            let fill = vec![fill.unwrap_or(0); usize::try_from(length).unwrap_or_default()];
            let emitter = machine.visitor_mut();
            let other = taken.as_ref().is_some_and(|taken| *taken != fill);
            if emitter.options.odd
                && !fill.is_empty()
                && emitter.choices.choose(1, Some(u64::from(other))) == 1
            {
                let room = text::bytes_up_to(length);
                let mut bytes = text::raw(&mut emitter.choices, room, true, taken.as_deref());
                bytes.truncate(fill.len());
                scratch.extend_from_slice(&bytes);
            } else {
                scratch.extend_from_slice(&fill);
            }
            Ok(())
        }
        _ => Ok(()),
    };
    if !matches!(kind, Kind::Terminated(_)) {
        ending::begin_with(&mut machine.visitor_mut().left_over, &mut scratch);
    }
    let length = u64::try_from(scratch.len()).unwrap_or(u64::MAX);
    machine.input_mut().append(&scratch);
    machine.visitor_mut().scratch = scratch;
    match part::is_overfull(machine, length) {
        true => Err(machine.visitor_mut().refuse(op, DATA_TOO_LARGE)),
        false => result,
    }
}
