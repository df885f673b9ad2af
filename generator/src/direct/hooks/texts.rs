//! Writes strings and byte strings, which are chosen either together with their length or when they
//! are written.

use tracegauge_decoder::{Input, Machine, Value};
use tracegauge_plan::terms::Encoding;
use tracegauge_plan::{Extent, Kind, OpId};

use super::super::length::{Fitted, Moment};
use super::super::script::follow_bytes;
use super::super::{Directed, Emitter, inside, length, lookahead, only, text};
use super::differing::{Fits, distinguish};
use crate::tape::Choices;

/// Returns the number of bytes that earlier fields declare for a string or byte string.
pub(super) fn claimed<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    kind: &Kind,
) -> u64 {
    match kind {
        Kind::Text(Extent::Fixed(size), _) | Kind::Bytes(Extent::Fixed(size)) => *size,
        Kind::Text(Extent::Computed(code), _) | Kind::Bytes(Extent::Computed(code)) => {
            let size = machine.value(*code, Value::Absent).integer();
            size.and_then(|size| u64::try_from(size).ok()).unwrap_or(0)
        }
        _ => 0,
    }
}

/// Writes a string or byte string that was chosen together with its length, or chooses it now.
pub(super) fn put_text<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    out: &mut Vec<u8>,
) {
    let plan = machine.plan();
    if let Kind::Text(Extent::Fixed(size), _) | Kind::Bytes(Extent::Fixed(size)) = plan.op(op).kind
        && !machine.visitor().options.odd
        && machine
            .visitor()
            .index
            .lookahead
            .selects_with(plan, op, size)
    {
        lookahead::plan_text(machine, op, op);
    }
    let emitter = machine.visitor_mut();
    if let Some(at) = emitter
        .planned
        .bytes
        .iter()
        .rposition(|(planned, _)| *planned == op)
    {
        let (_, bytes) = emitter.planned.bytes.swap_remove(at);
        if let Some(script) = &mut emitter.script {
            script.take(op);
        }
        out.extend_from_slice(&bytes);
        return;
    }
    let extent = match plan.op(op).kind {
        Kind::Text(extent, _) | Kind::Bytes(extent) => extent,
        _ => return,
    };
    let size = match extent {
        Extent::Fixed(size) => Some(size),
        Extent::Computed(_) if chooses_size(machine, op) => None,
        Extent::Computed(code) => {
            let size = machine.value(code, Value::Absent).integer();
            Some(size.and_then(|size| u64::try_from(size).ok()).unwrap_or(0))
        }
        Extent::ToEnd => exact_room(machine),
    };
    let left = machine.room().unwrap_or(u64::MAX);
    // A string of a fixed size is padded, so only the others are fitted.
    let lengths = match size {
        None => length::tested(machine, op, Moment::Written),
        Some(_) => None,
    };
    let taken = follow_bytes(machine, op);
    let allowed = only::strings_here(machine, op);
    let emitter = machine.visitor_mut();
    let odd = emitter.options.odd;
    let most = if odd {
        emitter.options.longest
    } else {
        emitter.options.elements.min(left)
    };
    // A larger size is truncated, and the trace is then rejected.
    let size = size.map(|size| size.min(emitter.options.longest));
    let empty = emitter.leaves_empty(plan, op);
    let most = if empty { 0 } else { size.unwrap_or(most) };
    let mut room = text::room(plan, op, most);
    let index = emitter.index;
    room.only = allowed;
    room.plain = emitter.is_plain(op).then(|| index.answers.of(op));
    if !odd && size.is_none() && room.only.is_none() {
        room.least = emitter.targeted_length(op).min(left);
    }
    let held = inside::text(machine, op, room);
    let differs = held.is_none() && !empty;
    let emitter = machine.visitor_mut();
    let mut bytes = match held {
        Some(held) => held,
        None => {
            let mut chosen = emitter.choose_text(op, room, odd, taken.as_deref());
            text::fill(&mut chosen, room.encoding, room.least);
            if let (Some(lengths), None, false) = (&lengths, room.only, odd) {
                let fitted = Fitted {
                    encoding: room.encoding,
                    bytes: (0, left),
                    end: &[],
                    not: [None; 2],
                };
                lengths.fit(&mut chosen, fitted);
            }
            chosen
        }
    };
    if let Some(size) = size {
        // Pad a string whose size is fixed.
        let fill = match (empty, room.decimal) {
            (true, _) => 0,
            (false, true) => b'0',
            (false, false) => b' ',
        };
        if matches!(room.encoding, Some(Encoding::Utf16Le | Encoding::Utf16Be)) && !empty {
            text::fill(&mut bytes, room.encoding, size);
        }
        bytes.resize(usize::try_from(size).unwrap_or_default(), fill);
    }
    if differs {
        let fitted = Fitted {
            encoding: room.encoding,
            bytes: size.map_or((0, left), |size| (size, size)),
            end: &[],
            not: [None; 2],
        };
        let fits = Fits {
            fitted,
            lengths: lengths.as_ref(),
            only: room.only,
        };
        distinguish(machine, op, &mut bytes, fits);
    }
    if matches!(extent, Extent::ToEnd) || chooses_size(machine, op) {
        let emitter = machine.visitor_mut();
        emitter.planned.counts.push((op, bytes.len() as u64));
    }
    out.extend_from_slice(&bytes);
}

/// Writes a GUID: one of those that tests restrict the field to, or a random one.
pub(super) fn put_guid<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    out: &mut Vec<u8>,
) {
    let taken = follow_bytes(machine, op);
    let allowed = only::strings_here(machine, op).filter(|allowed| !allowed.is_empty());
    let emitter = machine.visitor_mut();
    if let Some(allowed) = allowed.filter(|_| !emitter.options.odd) {
        let wanted = taken.and_then(|taken| allowed.iter().position(|one| *one == taken));
        let last = u64::try_from(allowed.len() - 1).unwrap_or_default();
        let wanted = wanted.and_then(|wanted| u64::try_from(wanted).ok());
        let chosen = emitter.choices.choose(last, wanted);
        let chosen = usize::try_from(chosen).unwrap_or_default();
        out.extend_from_slice(&allowed[chosen]);
        return;
    }
    for at in 0..16 {
        let wanted = taken.as_ref().and_then(|taken| taken.get(at).copied());
        let byte = emitter.choices.choose(255, wanted.map(u64::from));
        out.push(u8::try_from(byte).unwrap_or_default());
    }
}

/// Returns whether the emitter chooses the size of a field, because the size depends on where the
/// enclosing stream ends and the stream may end anywhere, or on a total size that is computed later.
pub fn chooses_size<I: Input, C: Choices, const TREE: bool>(
    machine: &Machine<'_, I, Emitter<'_, C, TREE>>,
    op: OpId,
) -> bool {
    let index = machine.visitor().index;
    let is_open = index.to_stream_end.contains(&op);
    is_open && exact_room(machine).is_none() || index.of_total.contains(&op)
}

/// Returns the number of bytes left in a sized part whose size is fixed.
pub(super) fn exact_room<I: Input, C: Choices, const TREE: bool>(
    machine: &Machine<'_, I, Emitter<'_, C, TREE>>,
) -> Option<u64> {
    let exact = machine
        .visitor()
        .enclosing
        .parts
        .last()
        .is_some_and(|part| part.exact);
    machine.room().filter(|_| exact)
}
