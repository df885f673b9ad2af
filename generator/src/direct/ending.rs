//! Writes strings and byte strings that end with a terminator or with the padding of the enclosing
//! sized part.

use tracegauge_decoder::Input;
use tracegauge_decoder::tree::UNENDED;
use tracegauge_plan::terms::FaultKind;
use tracegauge_plan::{Ending, OpId};

use super::hooks::{self, Fits};
use super::length::{Fitted, Moment};
use super::script;
use super::severity::rejected;
use super::{Directed, inside, length, only, text};
use crate::tape::Choices;

/// Writes a string or byte string, including the terminator if it is part of the field.
pub fn put<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    ending: &Ending,
    out: &mut Vec<u8>,
) {
    let plan = machine.plan();
    let room = machine.room().unwrap_or(u64::MAX);
    let mark = ending.terminator.map(|byte| ending.written(byte));
    let wanted = script::follow(machine, op);
    let (taken, open) = match wanted {
        Some((bytes, spelling)) => (Some(bytes), spelling == UNENDED),
        None => (None, false),
    };
    let taken = match (&mark, taken) {
        (Some(mark), Some(mut bytes)) if ending.include && !open => {
            bytes.truncate(bytes.len().saturating_sub(mark.len()));
            Some(bytes)
        }
        (_, taken) => taken,
    };
    let lengths = length::tested(machine, op, Moment::Written);
    let allowed = only::strings_here(machine, op);
    let emitter = machine.visitor_mut();
    let odd = emitter.options.odd;
    let unit = ending.unit();
    // If the terminator and the padding are the same unit, padding also terminates the text.
    let fills = ending.pad.is_some() && (mark.is_none() || ending.pad == ending.terminator);
    let rule = plan.faults[plan.op(op).faults].of(FaultKind::Terminator);
    let required = ending.required && (!odd || rejected(plan, rule));
    let ends = match &mark {
        None => false,
        Some(_) if required => true,
        Some(_) if odd => emitter.choices.choose(1, Some(u64::from(open))) == 0,
        Some(_) => !fills && room >= unit,
    };
    let most = if odd {
        emitter.options.longest
    } else {
        let inside = room.saturating_sub(if ends { unit } else { 0 });
        emitter.options.elements.min(inside)
    };
    let mut described = text::room(plan, op, most);
    let index = emitter.index;
    described.only = allowed;
    described.plain = emitter.is_plain(op).then(|| index.answers.of(op));
    let held = inside::text(machine, op, described);
    let is_free = held.is_none();
    let emitter = machine.visitor_mut();
    let mut bytes = match held {
        Some(held) => held,
        None => emitter.choose_text(op, described, odd, taken.as_deref()),
    };
    let units = usize::try_from(unit).unwrap_or(1);
    if let Some(mark) = &mark {
        let inside = bytes.chunks(units).position(|chunk| chunk == mark);
        bytes.truncate(inside.map_or(bytes.len(), |inside| inside * units));
    }
    if let (false, Some(pad)) = (ends, ending.pad) {
        let pad = ending.written(pad);
        while bytes.ends_with(&pad) && bytes.len().is_multiple_of(units) {
            bytes.truncate(bytes.len() - units);
        }
        if let Some(part) = emitter.enclosing.parts.last_mut() {
            part.fill = Some(pad);
        }
    } else if let (false, Some(part)) = (ends, emitter.enclosing.parts.last_mut()) {
        // A string without a terminator extends to the end of its part.
        part.to_end = true;
    }
    let pad = ending.pad.map(|pad| ending.written(pad));
    let end = mark.as_deref().filter(|_| ends && ending.include);
    let fitted = Fitted {
        encoding: described.encoding,
        bytes: (0, room.saturating_sub(if ends { unit } else { 0 })),
        end: end.unwrap_or_default(),
        not: [mark.as_deref(), pad.as_deref()],
    };
    if let (Some(lengths), None, false) = (&lengths, described.only, odd) {
        lengths.fit(&mut bytes, fitted);
    }
    if is_free {
        let fits = Fits {
            fitted,
            lengths: lengths.as_ref(),
            only: described.only,
        };
        hooks::distinguish(machine, op, &mut bytes, fits);
    }
    out.extend_from_slice(&bytes);
    let is_shorter = bytes.len() as u64 + unit <= room;
    if let Some(mark) = mark.as_deref()
        && fills
        && is_shorter
        && ending.consume
        && !(odd || open)
    {
        out.extend_from_slice(mark);
        // Typical writers fill the rest of the part with padding, but readers ignore it.
        let emitter = machine.visitor_mut();
        let wanted = emitter.is_scripted().then_some(1);
        if !emitter.is_plain(op)
            && emitter.choices.choose(1, wanted) == 1
            && let Some(part) = emitter.enclosing.parts.last_mut()
        {
            part.fill = None;
        }
    }
    if let Some(mark) = mark.filter(|_| ends) {
        if ending.consume {
            out.extend_from_slice(&mark);
        } else {
            machine.visitor_mut().left_over = mark;
        }
    }
}

/// Overwrites the first bytes of the current field with the terminator of the preceding string, if
/// that terminator belongs to the current field.
pub fn begin_with(left: &mut Vec<u8>, bytes: &mut [u8]) {
    if left.is_empty() || bytes.is_empty() {
        return;
    }
    for (byte, wanted) in bytes.iter_mut().zip(std::mem::take(left)) {
        *byte = wanted;
    }
}
