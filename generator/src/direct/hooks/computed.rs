//! Writes computed fields. Either the contents that the field measures are chosen together with the
//! field, or the field is filled in later.

use tracegauge_decoder::tree::Payload;
use tracegauge_decoder::{Input, Refused, Value};
use tracegauge_plan::terms::FaultKind;
use tracegauge_plan::{Derived, Measure, OpId, Scale};

use super::super::allowed;
use super::super::derived::Late;
use super::super::index::Written;
use super::super::length::{Fitted, Moment};
use super::super::severity;
use super::super::stored::on_the_wire;
use super::super::stored::signed;
use super::super::{
    Directed, ahead, cut, described, domain, inside, length, lists, lookahead, only, text,
};
use super::differing::{Fits, distinguish};
use super::elements::ends;
use super::encoding_form::{padded, spelled};
use crate::error::DATA_TOO_LARGE;
use crate::tape::Choices;

/// Returns the value and encoded length of a computed field. The value is either the size or count
/// of contents that are chosen now, or a placeholder for a value that is filled in later.
pub(super) fn computed<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    written: Written,
    node: u32,
) -> Result<(i128, u8), Refused> {
    let plan = machine.plan();
    let (mut known, mut spelling) = (None, 0);
    if let Some(script) = &mut machine.visitor_mut().script
        && let Some(node) = script.take(op)
    {
        spelling = node.spelling;
        if let Payload::Bits(bits) = node.payload {
            known = Some(signed(plan, op, bits));
        }
    }
    if let Some(null) = inside::null(machine, op, known) {
        return Ok((null, spelling));
    }
    let Some(derived) = &plan.info(op).derived else {
        return Ok((0, 0));
    };
    // A field that describes an absent value keeps its number.
    if let (Written::Bytes(of) | Written::Count(of), Some(number)) = (written, known)
        && let Some(script) = &machine.visitor().script
        && script.lacks(plan, op, of)
        && let Some(wire) = on_the_wire(machine, op, number)
    {
        let spelling = spelled(machine, op, wire, spelling);
        return Ok((wire, spelling));
    }
    let scale = match derived {
        Derived::Measured { scale, .. } => *scale,
        Derived::Computed(_) => Scale::SAME,
    };
    if let Some(count) = elements_so_far(machine, op, derived)
        && let Some(value) = scale.value(count)
        && let Some(wire) = on_the_wire(machine, op, value)
    {
        let spelling = spelled(machine, op, wire, spelling);
        return Ok((wire, spelling));
    }
    // Plan the measured value within the limits of the field that stores its size or count.
    let (low, high) = if machine.visitor().options.odd {
        (0, domain::wire_range(&plan.op(op).kind).1)
    } else {
        let index = machine.visitor().index;
        let allowed = allowed::domain(machine, index, op);
        let range = (allowed.least(), allowed.greatest());
        match index.endings.get(&op) {
            Some(ending) => ending_or_not(machine, (op, *ending), &allowed, range),
            None => range,
        }
    };
    let measured = |number: i128| u64::try_from(scale.measure(number).unwrap_or(i128::MAX));
    let most = measured(high).unwrap_or(u64::MAX);
    let least = measured(low).unwrap_or(0);
    let (of, measure) = match written {
        Written::Bytes(of) => (of, plan_bytes(machine, of, (least, most), scale)),
        Written::Count(of) => (of, plan_count(machine, (op, of), (least, most))),
        Written::Late => {
            let extra = padded(machine, op, known, spelling);
            let late = Late {
                op,
                position: machine.position(),
                node: TREE.then_some(node),
                length: 0,
                extra,
                known,
            };
            machine.visitor_mut().late.push(late);
            let now = match derived {
                Derived::Computed(code) => machine.value(*code, Value::Absent).integer(),
                Derived::Measured { .. } => None,
            };
            // Until the value is known, the placeholder must satisfy the field's tests.
            let allowed = allowed::domain(machine, machine.visitor().index, op);
            let lowest = allowed.low.min(allowed.high);
            let held = 0.clamp(lowest, allowed.high.max(lowest));
            let value = now.or(known).unwrap_or(held);
            // The placeholder must not have the value that indicates null.
            let null = plan.info(op).null;
            let value = if null == Some(value) {
                value + 1
            } else {
                value
            };
            return Ok((on_the_wire(machine, op, value).unwrap_or(0), 0));
        }
    };
    if measure > most {
        return Err(machine.visitor_mut().refuse(op, DATA_TOO_LARGE));
    }
    let value = scale.value(measure.into());
    let value = value.ok_or_else(|| machine.visitor_mut().refuse(op, DATA_TOO_LARGE))?;
    let value = cut::departing(machine, op, known, (value, of, measure));
    match on_the_wire(machine, op, value) {
        Some(wire) => {
            let spelling = spelled(machine, op, wire, spelling);
            Ok((wire, spelling))
        }
        None => Err(machine.visitor_mut().refuse(
            op,
            "the size of the data cannot be encoded in the size field",
        )),
    }
}

/// Returns the number of complete elements of the list that a field counts, if the field is inside
/// an element of this list.
fn elements_so_far<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    derived: &Derived,
) -> Option<i128> {
    let Derived::Measured {
        of,
        measure: Measure::Count,
        ..
    } = derived
    else {
        return None;
    };
    let lists = machine.visitor().enclosing.lists.iter();
    let is_inside = op > *of && op.0 < machine.plan().op(*of).end;
    let around = lists.rev().find(|list| list.op == *of && is_inside)?;
    let number = machine.trail().get(around.depth())?;
    Some(i128::from(*number))
}

/// Returns the possible values of a computed field that ends the enclosing list with the value
/// `ending`: only this value if the list ends here, or else the others.
fn ending_or_not<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    (op, ending): (OpId, i128),
    domain: &domain::Domain,
    (low, high): (i128, i128),
) -> (i128, i128) {
    if ends(machine, (op, ending), domain, None) {
        if let Some(list) = machine.visitor_mut().enclosing.lists.last_mut() {
            list.last = true;
        }
        return (ending, ending);
    }
    match ending {
        lowest if lowest == low && low < high => (low + 1, high),
        greatest if greatest == high && low < high => (low, high - 1),
        _ => (low, high),
    }
}

/// Chooses the string or byte string whose length is stored in this field, and returns its length.
fn plan_bytes<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    of: OpId,
    (least, most): (u64, u64),
    scale: Scale,
) -> u64 {
    let plan = machine.plan();
    if lookahead::plan_text(machine, of, of) {
        let planned = machine.visitor().planned.bytes.iter().rev();
        let mut planned = planned.filter(|(planned, _)| *planned == of);
        return planned.next().map_or(0, |(_, bytes)| bytes.len() as u64);
    }
    let lengths = length::tested(machine, of, Moment::Planned);
    let allowed = only::strings_here(machine, of);
    let (needed, limit) = (least, most);
    let emitter = machine.visitor_mut();
    // A string from a fixed set cannot be lengthened.
    let fixed = allowed.is_some();
    let targeted = if fixed {
        0
    } else {
        emitter.targeted_length(of).min(most)
    };
    let least = match emitter.index.inside.contains_key(&of) {
        true => least,
        false => least.max(targeted),
    };
    let odd = emitter.options.odd;
    let most = most.min(if odd {
        emitter.options.longest
    } else {
        emitter.options.elements
    });
    let most = match emitter.leaves_empty(plan, of) {
        true => 0,
        false => most,
    };
    let mut room = text::room(plan, of, most);
    let index = emitter.index;
    room.only = allowed;
    room.least = targeted;
    room.filled |= !odd && index.filled.contains(&of);
    room.plain = emitter.is_plain(of).then(|| index.answers.of(of));
    if let Some(bytes) = inside::text(machine, of, room) {
        let length = bytes.len() as u64;
        if length > 0 || !index.filled.contains(&of) {
            machine.visitor_mut().planned.bytes.push((of, bytes));
        }
        return length;
    }
    let emitter = machine.visitor_mut();
    let wanted = emitter.script.as_ref().and_then(|script| script.bytes(of));
    let mut bytes = emitter.choose_text(of, room, odd, wanted);
    if !odd {
        // The field may only store some sizes, such as multiples of a word.
        let whole = scale.up(bytes.len() as i128).map(u64::try_from);
        let whole = whole.and_then(Result::ok).filter(|whole| *whole <= most);
        text::fill(&mut bytes, room.encoding, least.max(whole.unwrap_or(0)));
        let fitted = Fitted {
            encoding: room.encoding,
            bytes: (needed, limit),
            end: &[],
            not: [None; 2],
        };
        if let (Some(lengths), None) = (&lengths, room.only) {
            lengths.fit(&mut bytes, fitted);
        }
        let fits = Fits {
            fitted,
            lengths: lengths.as_ref(),
            only: room.only,
        };
        distinguish(machine, of, &mut bytes, fits);
    }
    let length = bytes.len() as u64;
    // If an empty string means null, the field with the string is omitted.
    if length > 0 || !index.filled.contains(&of) {
        machine.visitor_mut().planned.bytes.push((of, bytes));
    }
    length
}

/// Chooses the number of elements whose count is stored in this field.
fn plan_count<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    (counting, of): (OpId, OpId),
    (least, most): (u64, u64),
) -> u64 {
    let plan = machine.plan();
    let deep = machine.depth() > 3;
    let inside = machine.types_around() > 0;
    let empty = plan.faults[plan.op(of).faults].of(FaultKind::Empty);
    let filled =
        plan.op(of).checks.1 > 0 && empty.is_some_and(|rule| severity::strict(plan, Some(rule)));
    let odd = machine.visitor().options.odd;
    let (needed, most) = if odd {
        (0, most)
    } else {
        lists::bounds(machine, (Some(counting), of), (0, most))
    };
    let least = least.max(needed);
    let least = least.max(machine.visitor_mut().targeted_length(of).min(most));
    let spent = !odd && !inside && described::is_spent(machine);
    let is_plain = machine.visitor().is_plain(of) && machine.visitor().is_plain(counting);
    let hint = if odd || inside {
        None
    } else {
        described::hinted_count(machine, counting, is_plain)
    };
    let emitter = machine.visitor_mut();
    let wanted = emitter.script.as_ref().and_then(|script| script.count(of));
    let mut count = match hint {
        Some(hint) => hint,
        None if is_plain => emitter.plain_length(),
        None => text::length(&mut emitter.choices, odd, wanted),
    };
    if odd {
        count = count.min(emitter.options.longest);
    } else {
        if !emitter.wishes.target.codes.is_empty() && emitter.index.describing.contains(&of) {
            count = count.max(described::targeted(inside));
        }
        count = count.min(most).min(emitter.options.elements);
        if spent {
            count = 0;
        }
        if inside {
            count = count.min(described::MOST_INSIDE);
        }
        count = if deep { 0 } else { count }
            .max(u64::from(filled))
            .max(least);
    }
    emitter.planned.counts.push((of, count));
    if count > 0 && !odd {
        ahead::ask_for_rows(machine, (counting, of));
    }
    count
}
