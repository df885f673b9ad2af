//! What the director does when the machine asks.

use std::borrow::Cow;

use tracegauge_decoder::tree::Payload;
use tracegauge_decoder::{Input, Refused, Value};
use tracegauge_spec::plan::{Derived, Kind, OpId};

use super::derived::Late;
use super::index::{KeyOf, Written};
use super::{
    Directed, Director, cut, domain, ending, float, foresight, inside, lists, nested, number, text,
    wire,
};
use crate::tape::{Choices, TapeSpan};

/// One in so many elements ends a list that an element of its own ends.
const ELEMENTS: u64 = 23;

/// Puts the bytes of the value that is read next.
pub fn put<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> Result<(), Refused> {
    if machine.position() < machine.visitor().replayed {
        return Ok(());
    }
    if cut::is_cut(machine, op) {
        return Err(Refused);
    }
    let plan = machine.plan();
    let kind = &plan.op(op).kind;
    let mut scratch = std::mem::take(&mut machine.visitor_mut().scratch);
    scratch.clear();
    let result = match kind {
        Kind::Integer(_) | Kind::Variable(..) | Kind::Float { .. } => {
            put_number(machine, op, &mut scratch)
        }
        Kind::BitRun { width, order } => put_bits(machine, op, *width).map(|run| {
            wire::integer(run, wire::run_integer(*width, *order), &mut scratch);
        }),
        Kind::Contents(constant) => {
            let taken = follow_bytes(machine, op);
            scratch.extend_from_slice(
                &taken.unwrap_or_else(|| plan.constants[*constant as usize].clone()),
            );
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
            let taken = follow_bytes(machine, op);
            let director = machine.visitor_mut();
            for at in 0..16 {
                let wanted = taken
                    .as_ref()
                    .and_then(|t| t.get(at))
                    .map(|b| u64::from(*b));
                let byte = director.choices.choose(255, wanted);
                scratch.push(u8::try_from(byte).unwrap_or_default());
            }
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
            let director = machine.visitor_mut();
            let other = taken.as_ref().is_some_and(|taken| *taken != fill);
            if director.options.odd
                && !fill.is_empty()
                && director.choices.choose(1, Some(u64::from(other))) == 1
            {
                let room = text::bytes_up_to(length);
                let mut bytes = text::raw(&mut director.choices, room, true, taken.as_deref());
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
    machine.input_mut().append(&scratch);
    machine.visitor_mut().scratch = scratch;
    result
}

/// The bytes of the next node, where a tree is followed.
pub(super) fn follow_bytes<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> Option<Vec<u8>> {
    let script = machine.visitor_mut().script.as_mut()?;
    let bytes = script.bytes(op).map(<[u8]>::to_vec);
    script.take(op);
    bytes
}

/// The bytes and spelling of the next node, where a tree is followed.
pub fn follow<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> Option<(Vec<u8>, u8)> {
    let script = machine.visitor_mut().script.as_mut()?;
    let bytes = script.bytes(op).map(<[u8]>::to_vec);
    let spelling = script.take(op).map_or(0, |node| node.spelling);
    bytes.map(|bytes| (bytes, spelling))
}

/// A number: computed, or chosen.
fn put_number<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    out: &mut Vec<u8>,
) -> Result<(), Refused> {
    let plan = machine.plan();
    let index = machine.visitor().index;
    if let Some(written) = index.written.get(&op) {
        let node = u32::try_from(machine.tree().nodes.len()).unwrap_or(u32::MAX);
        let (value, spelling) = computed(machine, op, *written, node)?;
        encode(plan, op, value, spelling, out);
        if let Some(late) = machine.visitor_mut().late.last_mut()
            && late.op == op
            && late.node == TREE.then_some(node)
        {
            late.length = out.len() as u64;
        }
        return Ok(());
    }
    if let Some(value) = planned(machine, op) {
        encode(plan, op, value, 0, out);
        return Ok(());
    }
    let mut spelling = 0;
    let mut wanted = None;
    if let Some(script) = &mut machine.visitor_mut().script {
        let Some(node) = script.take(op) else {
            return Err(machine
                .visitor_mut()
                .refuse(op, "the tree has no such value here"));
        };
        if let Payload::Bits(bits) = node.payload {
            wanted = Some(bits);
        }
        spelling = node.spelling;
    }
    let wanted = wanted.map(|bits| signed(machine.plan(), op, bits));
    let key = index.keys.get(&op).copied();
    let mut value = chosen(machine, op, wanted, key)?;
    if wanted.is_none() && !machine.visitor().options.odd {
        let bits = u64::try_from(value).unwrap_or_default();
        if matches!(plan.op(op).kind, Kind::Float { .. }) {
            value = i128::from(float::fitting(machine, op, bits));
        }
    }
    nested::put(machine, op, value);
    let Some(value) = on_the_wire(machine, op, value) else {
        return Err(machine
            .visitor_mut()
            .refuse(op, "the value is out of reach from the last"));
    };
    let spelling = spelled(machine, op, value, spelling);
    encode(plan, op, value, spelling, out);
    Ok(())
}

/// A number that was chosen before, or is known only later: that of elements, or where some
/// stand.
fn planned<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> Option<i128> {
    let director = machine.visitor_mut();
    if director.options.odd {
        return None;
    }
    if director.index.words.contains(&op) {
        return Some(0);
    }
    let planned = &mut director.planned_numbers;
    let at = planned.iter().rposition(|(planned, _)| *planned == op)?;
    Some(planned.swap_remove(at).1)
}

/// The number that bits are.
fn signed(plan: &tracegauge_spec::plan::Plan, op: OpId, bits: u64) -> i128 {
    let (low, _) = domain::wire_range(&plan.op(op).kind);
    if low < 0 && plan.info(op).carry.is_none() {
        i128::from(bits.cast_signed())
    } else {
        i128::from(bits)
    }
}

/// What stands on the wire for a value.
pub(super) fn on_the_wire<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    value: i128,
) -> Option<i128> {
    let plan = machine.plan();
    let Some(carry) = plan.info(op).carry else {
        return Some(value);
    };
    let (low, high) = domain::wire_range(&plan.op(op).kind);
    let mut wire = value - domain::carry_offset(machine, op);
    if let Some(bits) = plan.carries[carry as usize].wraps {
        wire &= (1_i128 << bits) - 1;
    }
    (low..=high).contains(&wire).then_some(wire)
}

/// A number from its domain.
fn chosen<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    wanted: Option<i128>,
    key: Option<KeyOf>,
) -> Result<i128, Refused> {
    if let Some(key) = domain::reference(machine, op, wanted)? {
        return Ok(key);
    }
    foresight::plan_texts(machine, op);
    let wire = domain::whole_range(machine, op);
    let index = machine.visitor().index;
    let mut domain = domain::domain(machine, index, op);
    if !machine.visitor().options.odd {
        nested::restrict(machine, op, &mut domain);
        let limit = key.and_then(|key| index.key_limits.get(&key.table).copied());
        if let Some(limit) = limit.filter(|limit| *limit < domain.high) {
            // What refers to the row may be narrower than its key.
            let domain = domain.to_mut();
            domain.high = limit.max(domain.low);
        }
    }
    let ending = index.endings.get(&op).copied();
    if let Some(ending) = ending {
        if ends(machine, ending, &domain, wanted) {
            if let Some(list) = machine.visitor_mut().lists.last_mut() {
                list.last = true;
            }
            return Ok(ending);
        }
        rule_out(domain.to_mut(), ending);
    }
    let odd = machine.visitor().options.odd;
    differing(machine, op, &mut domain);
    let director = machine.visitor_mut();
    if let Some(narrowed) = director.aimed_number(op, &domain) {
        domain = Cow::Owned(narrowed);
    }
    let chosen = number::choose(&mut director.choices, &domain, wire, odd, wanted);
    let Some(value) = chosen else {
        return Err(director.refuse(op, "no value is possible here"));
    };
    lists::occurs(machine, op, value);
    differs(machine, op, value);
    let Some(KeyOf {
        table,
        again: false,
    }) = key.filter(|_| wanted.is_none() && !odd)
    else {
        return Ok(value);
    };
    // A key that is live would define its row anew.
    let start = u64::try_from(value).unwrap_or_default();
    let greatest = u64::try_from(domain.high).unwrap_or(u64::MAX);
    let least = u64::try_from(domain.low).unwrap_or(0);
    match Director::free_key(machine, table, start, (least, greatest)) {
        Some(key) => Ok(i128::from(key)),
        None => Err(machine.visitor_mut().refuse(op, "every key is in use")),
    }
}

/// A value is not to be chosen.
fn rule_out(domain: &mut domain::Domain, value: i128) {
    domain.not.push(value);
    if let Some(only) = &mut domain.only {
        only.retain(|(known, _)| *known != value);
    }
}

/// The mark of a number among the values that are in use in a list.
fn in_use(op: OpId, value: i128) -> Vec<u8> {
    let mut key = vec![0xff];
    key.extend_from_slice(&op.0.to_le_bytes());
    key.extend_from_slice(&value.to_le_bytes());
    key
}

/// Elements differ in a field: what others have is not to be chosen.
fn differing<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut Cow<'_, domain::Domain>,
) {
    let director = machine.visitor();
    let Some(list) = director
        .index
        .unique
        .get(&op)
        .filter(|_| !director.options.odd)
    else {
        return;
    };
    let Some(used) = director.used.get(list) else {
        return;
    };
    let mine = in_use(op, 0);
    let values: Vec<i128> = used
        .iter()
        .filter_map(|key| {
            let value = key.strip_prefix(&mine[..5])?;
            value.try_into().ok().map(i128::from_le_bytes)
        })
        .collect();
    for value in values {
        rule_out(domain.to_mut(), value);
    }
}

/// Elements differ in a field: this value is in use, unless it may come again.
fn differs<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    value: i128,
) {
    let index = machine.visitor().index;
    let Some(list) = index.unique.get(&op).copied() else {
        return;
    };
    let excepted = index.excepted.get(&op).into_iter().flatten();
    for except in excepted {
        if machine.value(*except, Value::Absent).integer() == Some(value) {
            return;
        }
    }
    let used = machine.visitor_mut().used.entry(list).or_default();
    used.insert(in_use(op, value));
}

/// Whether the list around ends here, which a field with this value brings about.
fn ends<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    ending: i128,
    domain: &domain::Domain,
    wanted: Option<i128>,
) -> bool {
    let position = machine.position();
    let director = machine.visitor_mut();
    let options = &director.options;
    if !options.odd && !domain.contains(ending) {
        return false;
    }
    if !options.odd && position >= options.bytes {
        return true;
    }
    // Only the outermost list goes on until there is enough.
    if options.fill && director.lists.len() <= 1 {
        return false;
    }
    let wanted = wanted.map(|wanted| u64::from(wanted != ending));
    director.choices.choose(ELEMENTS, wanted) == 0
}

/// The number of bytes of a variable-length integer, where it is spelt with more than it needs.
fn spelled<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    value: i128,
    spelling: u8,
) -> u8 {
    let Kind::Variable(kind, bits) = machine.plan().op(op).kind else {
        return 0;
    };
    let director = machine.visitor_mut();
    if !director.options.odd {
        return 0;
    }
    let bits_of = u64::try_from(value)
        .unwrap_or_else(|_| i64::try_from(value).unwrap_or_default().cast_unsigned());
    let least = tracegauge_decoder::least_length(kind, bits_of);
    let most = bits.div_ceil(7).max(least);
    let extra = (spelling > 0).then(|| u64::from(spelling.saturating_sub(least)));
    let extra = director
        .choices
        .choose(u64::from(most - least), extra.or(Some(0)));
    least + u8::try_from(extra).unwrap_or_default()
}

/// How many bytes more than it needs a variable-length integer has whose value is not known yet.
fn padded<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    known: Option<i128>,
    spelling: u8,
) -> u8 {
    let Kind::Variable(kind, bits) = machine.plan().op(op).kind else {
        return 0;
    };
    let wire = known.and_then(|known| on_the_wire(machine, op, known));
    let director = machine.visitor_mut();
    if !director.options.odd {
        return 0;
    }
    let least = wire.map_or(spelling, |wire| {
        tracegauge_decoder::least_length(kind, bits_of(wire))
    });
    let most = u64::from(bits.div_ceil(7).saturating_sub(1));
    let extra = spelling.saturating_sub(least);
    u8::try_from(director.choices.choose(most, Some(u64::from(extra)))).unwrap_or_default()
}

/// A number as bits.
pub(crate) fn bits_of(value: i128) -> u64 {
    match u64::try_from(value) {
        Ok(bits) => bits,
        Err(_) => i64::try_from(value).unwrap_or_default().cast_unsigned(),
    }
}

fn encode(
    plan: &tracegauge_spec::plan::Plan,
    op: OpId,
    value: i128,
    spelling: u8,
    out: &mut Vec<u8>,
) {
    let bits = match u64::try_from(value) {
        Ok(bits) => bits,
        Err(_) => i64::try_from(value).unwrap_or_default().cast_unsigned(),
    };
    match &plan.op(op).kind {
        Kind::Variable(kind, _) => wire::variable(bits, *kind, spelling, out),
        kind => {
            if let Some(described) = wire::fixed(kind) {
                wire::integer(bits, described, out);
            }
        }
    }
}

/// A field that a writer computes: what it measures is chosen here, or it is left open.
fn computed<I: Input, C: Choices, const TREE: bool>(
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
    let (factor, add) = match derived {
        Derived::Measured { factor, add, .. } => (*factor, *add),
        Derived::Computed(_) => (1, 0),
    };
    let (_, widest) = domain::wire_range(&plan.op(op).kind);
    // What is measured is planned within the bounds of the field that measures it.
    let high = if machine.visitor().options.odd {
        widest
    } else {
        let index = machine.visitor().index;
        domain::domain(machine, index, op).greatest()
    };
    let most = u64::try_from((high - add) / factor.max(1)).unwrap_or(u64::MAX);
    let least = if machine.visitor().options.odd {
        0
    } else {
        let index = machine.visitor().index;
        domain::domain(machine, index, op).low
    };
    let least = u64::try_from((least - add) / factor.max(1)).unwrap_or(0);
    let (of, measure) = match written {
        Written::Bytes(of) => (of, plan_bytes(machine, of, (least, most))),
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
            // Until it is known something stands there that holds its tests.
            let allowed = domain::domain(machine, machine.visitor().index, op);
            let lowest = allowed.low.min(allowed.high);
            let held = 0.clamp(lowest, allowed.high.max(lowest));
            let value = now.or(known).unwrap_or(held);
            // What is not null must not look as if it were.
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
        return Err(machine
            .visitor_mut()
            .refuse(op, "what it measures does not fit"));
    }
    let value = factor * i128::from(measure) + add;
    let value = cut::departing(machine, op, known, (value, of, measure));
    match on_the_wire(machine, op, value) {
        Some(wire) => {
            let spelling = spelled(machine, op, wire, spelling);
            Ok((wire, spelling))
        }
        None => Err(machine
            .visitor_mut()
            .refuse(op, "what it measures is out of reach")),
    }
}

/// Chooses the text or bytes that a length is of.
fn plan_bytes<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    of: OpId,
    (least, most): (u64, u64),
) -> u64 {
    let plan = machine.plan();
    if foresight::plan_text(machine, of, of) {
        let planned = machine.visitor().planned_bytes.iter().rev();
        let mut planned = planned.filter(|(planned, _)| *planned == of);
        return planned.next().map_or(0, |(_, bytes)| bytes.len() as u64);
    }
    let director = machine.visitor_mut();
    // What is one of a few texts is as long as it is.
    let fixed = director.index.texts.contains_key(&of);
    let aimed = if fixed { 0 } else { director.aimed_length(of) };
    let least = match director.index.inside.contains_key(&of) {
        true => least,
        false => least.max(aimed),
    };
    let odd = director.options.odd;
    let most = most.min(if odd {
        director.options.longest
    } else {
        director.options.elements
    });
    let mut room = text::room(plan, of, most);
    let index = director.index;
    room.only = index.texts.get(&of).map(Vec::as_slice);
    room.least = aimed;
    room.filled |= !odd && index.filled.contains(&of);
    if let Some(bytes) = inside::text(machine, of, room) {
        let length = bytes.len() as u64;
        if length > 0 || !index.filled.contains(&of) {
            machine.visitor_mut().planned_bytes.push((of, bytes));
        }
        return length;
    }
    let director = machine.visitor_mut();
    let wanted = director.script.as_ref().and_then(|script| script.bytes(of));
    let mut bytes = text::choose(&mut director.choices, room, odd, wanted);
    if !odd {
        text::fill(&mut bytes, room.encoding, least);
    }
    if !odd && let Some(list) = director.index.unique.get(&of).copied() {
        distinguish(machine, of, list, &mut bytes);
    }
    let length = bytes.len() as u64;
    // A text of nothing is left out.
    if length > 0 || !index.filled.contains(&of) {
        machine.visitor_mut().planned_bytes.push((of, bytes));
    }
    length
}

/// Makes a text differ from those that are in use.
fn distinguish<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    of: OpId,
    list: OpId,
    bytes: &mut Vec<u8>,
) {
    let _ = of;
    let base = bytes.len();
    let used = machine.visitor_mut().used.entry(list).or_default();
    let mut number = used.len();
    while used.contains(bytes.as_slice()) {
        number += 1;
        bytes.truncate(base);
        bytes.extend_from_slice(number.to_string().as_bytes());
    }
    used.insert(bytes.clone());
}

/// Chooses how many elements a count is of.
fn plan_count<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    (counting, of): (OpId, OpId),
    (least, most): (u64, u64),
) -> u64 {
    let plan = machine.plan();
    let deep = machine.depth() > 3;
    let inside = machine.types_around() > 0;
    let empty =
        plan.faults[plan.op(of).faults as usize].of(tracegauge_spec::schema::FaultKind::Empty);
    let filled = plan.op(of).checks.1 > 0
        && empty.is_some_and(|rule| super::index::strict(plan, Some(rule)));
    let odd = machine.visitor().options.odd;
    let (needed, most) = if odd {
        (0, most)
    } else {
        lists::bounds(machine, of, most)
    };
    let least = least.max(needed);
    let least = least.max(machine.visitor_mut().aimed_length(of).min(most));
    let spent = !odd && !inside && nested::is_spent(machine);
    let hint = if odd || inside {
        None
    } else {
        nested::hinted_count(machine, counting)
    };
    let director = machine.visitor_mut();
    let wanted = director.script.as_ref().and_then(|script| script.count(of));
    let mut count = match hint {
        Some(hint) => hint,
        None => text::length(&mut director.choices, odd, wanted),
    };
    if odd {
        count = count.min(director.options.longest);
    } else {
        if !director.aim.codes.is_empty() && director.index.describing.contains(&of) {
            count = count.max(nested::aimed(inside));
        }
        count = count.min(most).min(director.options.elements);
        if spent {
            count = 0;
        }
        if inside {
            count = count.min(nested::MOST_INSIDE);
        }
        count = if deep { 0 } else { count }
            .max(u64::from(filled))
            .max(least);
    }
    director.planned_counts.push((of, count));
    count
}

/// Text or bytes: those that were chosen with their length, or as many as are wanted.
fn put_text<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    out: &mut Vec<u8>,
) {
    let plan = machine.plan();
    let director = machine.visitor_mut();
    if let Some(at) = director
        .planned_bytes
        .iter()
        .rposition(|(planned, _)| *planned == op)
    {
        let (_, bytes) = director.planned_bytes.swap_remove(at);
        if let Some(script) = &mut director.script {
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
        tracegauge_spec::plan::Extent::Fixed(size) => Some(size),
        tracegauge_spec::plan::Extent::Computed(code) => {
            let size = machine.value(code, Value::Absent).integer();
            Some(size.and_then(|size| u64::try_from(size).ok()).unwrap_or(0))
        }
        tracegauge_spec::plan::Extent::ToEnd => exact_room(machine),
    };
    let left = machine.room().unwrap_or(u64::MAX);
    let taken = follow_bytes(machine, op);
    let director = machine.visitor_mut();
    let odd = director.options.odd;
    let most = if odd {
        director.options.longest
    } else {
        director.options.elements.min(left)
    };
    // What claims more is cut short, and rejected for it.
    let size = size.map(|size| size.min(director.options.longest));
    let mut room = text::room(plan, op, size.unwrap_or(most));
    let index = director.index;
    room.only = index.texts.get(&op).map(Vec::as_slice);
    if !odd && size.is_none() && room.only.is_none() {
        room.least = director.aimed_length(op).min(left);
    }
    let held = inside::text(machine, op, room);
    let director = machine.visitor_mut();
    let mut bytes = match held {
        Some(held) => held,
        None => {
            let mut chosen = text::choose(&mut director.choices, room, odd, taken.as_deref());
            text::fill(&mut chosen, room.encoding, room.least);
            chosen
        }
    };
    if let Some(size) = size {
        // A text of a size that is given from elsewhere is filled up.
        bytes.resize(usize::try_from(size).unwrap_or_default(), b' ');
    }
    if matches!(extent, tracegauge_spec::plan::Extent::ToEnd) {
        director.planned_counts.push((op, bytes.len() as u64));
    }
    out.extend_from_slice(&bytes);
}

/// What is left of a part whose size is given from elsewhere.
fn exact_room<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
) -> Option<u64> {
    let exact = machine
        .visitor()
        .parts
        .last()
        .is_some_and(|part| part.exact);
    machine.room().filter(|_| exact)
}

/// Bit fields, each chosen, as one integer.
fn put_bits<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    _width: u8,
) -> Result<u64, Refused> {
    let plan = machine.plan();
    let index = machine.visitor().index;
    let mut run = 0;
    machine.visitor_mut().bits.clear();
    // The run's own node comes first.
    let mut node = u32::try_from(machine.tree().nodes.len()).unwrap_or(u32::MAX);
    for field in plan.children(op) {
        let Kind::Bits { shift, width } = plan.op(field).kind else {
            continue;
        };
        node = node.saturating_add(1);
        let mask = u64::MAX >> (64 - u32::from(width));
        if let Some(written) = index.written.get(&field) {
            let (value, _) = computed(machine, field, *written, node)?;
            run |= (u64::try_from(value).unwrap_or_default() & mask) << shift;
            continue;
        }
        let wanted = match &mut machine.visitor_mut().script {
            None => None,
            Some(script) => match script.take(field).map(|node| node.payload) {
                Some(Payload::Bits(bits)) => Some(i128::from(bits)),
                _ => None,
            },
        };
        let value = chosen(machine, field, wanted, None)?;
        machine
            .visitor_mut()
            .bits
            .push((plan.op(field).slot, value));
        run |= (u64::try_from(value).unwrap_or_default() & mask) << shift;
    }
    Ok(run)
}

/// A structure or repetition begins.
pub fn begin<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) {
    let plan = machine.plan();
    if let Kind::Repeat(repeat) = plan.op(op).kind {
        lists::open(machine, op, repeat);
        let director = machine.visitor_mut();
        if let Some(script) = &mut director.script {
            script.open_list(op);
        }
        if let Some(used) = director.used.get_mut(&op) {
            used.clear();
        }
        return;
    }
    if plan.info(op).effects.is_some() && machine.types_around() == 0 {
        machine.visitor_mut().row_bytes = 0;
    }
    let index = machine.visitor().index;
    if let Some(table) = index.repeatable.get(&op) {
        repeat_row(machine, *table);
    }
    if let Some(table) = index.samples.get(&op) {
        inside::sample(machine, op, *table);
    }
}

/// No more rows than these are live at once.
pub(super) const MOST_ROWS: u64 = 1024;

/// Now and then a row is put once more, unchanged.
fn repeat_row<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    table: u32,
) {
    if machine.position() < machine.visitor().replayed {
        return;
    }
    let places = machine.state().tables[table as usize].places() as u64;
    if places == 0 {
        return;
    }
    let director = machine.visitor_mut();
    // Endless traces would otherwise have endless rows.
    let full = !director.options.odd && places >= MOST_ROWS;
    if director.choices.choose(15, Some(0)) != 15 && !full {
        return;
    }
    let chosen = director.choices.choose(places - 1, None);
    let chosen = usize::try_from(chosen).unwrap_or(0);
    let row = machine.state().tables[table as usize].row_from(chosen);
    let bytes = row.map(|row| row.bytes.to_vec()).unwrap_or_default();
    let end = machine.position() + bytes.len() as u64;
    machine.input_mut().append(&bytes);
    machine.visitor_mut().replayed = end;
}

/// A list is complete.
pub fn end_list<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) {
    let director = machine.visitor_mut();
    director.lists.pop();
    director.aimed_length(op);
    if let Some(script) = &mut director.script {
        script.close_list();
    }
    if let Some(at) = director
        .planned_counts
        .iter()
        .rposition(|(planned, _)| *planned == op)
    {
        director.planned_counts.swap_remove(at);
    }
    end_element(director, op);
}

/// Elements of the list that begins last took so much of the tape.
fn end_element<C: Choices, const TREE: bool>(director: &mut Director<'_, C, TREE>, op: OpId) {
    if let Some(at) = director.starts.iter().rposition(|(known, _)| *known == op) {
        let (_, start) = director.starts.swap_remove(at);
        let end = director.choices.position();
        director.spans.push(TapeSpan { op, start, end });
    }
}

/// So many elements at most are put for a list to end at a multiple.
const MOST_TO_ALIGN: u64 = 200;

/// A list that has to end at a multiple ends at the first chance after so many elements.
const ENOUGH_TO_ALIGN: u64 = 6;

/// Whether a list up to the end has another element.
pub fn another<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    number: u64,
) -> bool {
    let position = machine.position();
    let room = machine.room();
    let exact = exact_room(machine).is_some();
    let size = machine.plan().info(OpId(op.0 + 1)).least;
    let odd = machine.visitor().options.odd;
    let (least, most) = if odd {
        (0, u64::MAX)
    } else {
        lists::bounds(machine, op, u64::MAX)
    };
    let director = machine.visitor_mut();
    if TREE {
        end_element(director, op);
        let start = director.choices.position();
        director.starts.push((op, start));
    }
    let wanted = director
        .script
        .as_mut()
        .map(|script| u64::from(script.another(number)));
    let (mut missing, mut aligned) = (0, false);
    if let Some(part) = director.parts.last_mut() {
        part.to_end = true;
        missing = part.missing(position);
        aligned = part.aligned.is_some();
    }
    if room == Some(0) || (!director.options.odd && !exact && room.is_some_and(|room| room < size))
    {
        return false;
    }
    if wanted.is_none() {
        if exact && !odd {
            return true;
        }
        if number >= most {
            return false;
        }
        if director.is_aimed_longer(op, number) {
            return true;
        }
        // Elements of all sizes come by where the list may end.
        if number < least || missing > 0 && number < MOST_TO_ALIGN {
            return true;
        }
        if aligned && number >= ENOUGH_TO_ALIGN {
            return false;
        }
        if !director.options.odd && position >= director.options.bytes {
            return false;
        }
        if director.options.fill && director.lists.len() <= 1 {
            return true;
        }
    }
    // One in many ends the list, so that tapes make traces of some length; lists in lists are
    // short, or a trace would be little more than its first element.
    let many = if director.lists.len() > 1 { 3 } else { 127 };
    director.choices.choose(many, wanted) != 0
}

/// How many bytes a part up to the end has: as many as were put.
pub fn to_end<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> u64 {
    let director = machine.visitor_mut();
    if let Some(part) = director.parts.last_mut() {
        part.to_end = true;
    }
    let at = director
        .planned_counts
        .iter()
        .rposition(|(planned, _)| *planned == op);
    at.map_or(0, |at| director.planned_counts.swap_remove(at).1)
}
