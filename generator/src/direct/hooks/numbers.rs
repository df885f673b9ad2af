//! Writes numbers: computed numbers, numbers that were chosen in advance, and numbers that are
//! chosen now.

use std::borrow::Cow;

use tracegauge_decoder::tree::Payload;
use tracegauge_decoder::{Input, Refused};
use tracegauge_plan::{Kind, OpId};

use super::super::allowed;
use super::super::domain::Domain;
use super::super::index::KeyOf;
use super::super::stored;
use super::super::stored::on_the_wire;
use super::super::stored::signed;
use super::super::wire;
use super::super::{
    Directed, described, domain, float, lists, lookahead, number, plain, reference,
};
use super::computed::computed;
use super::differing::{differing, differs, rule_out};
use super::elements::ends;
use super::encoding_form::spelled;
use crate::tape::Choices;

/// Writes a number.
pub(super) fn put_number<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    out: &mut Vec<u8>,
) -> Result<(), Refused> {
    let plan = machine.plan();
    let index = machine.visitor().index;
    if let Some(written) = index.written.get(&op) {
        let node = u32::try_from(machine.tree().nodes.len()).unwrap_or(u32::MAX);
        let (value, spelling) = computed(machine, op, *written, node)?;
        wire::number(plan, op, value, spelling, out);
        if let Some(late) = machine.visitor_mut().late.last_mut()
            && late.op == op
            && late.node == TREE.then_some(node)
        {
            late.length = out.len() as u64;
        }
        return Ok(());
    }
    if let Some(value) = planned(machine, op) {
        wire::number(plan, op, value, 0, out);
        return Ok(());
    }
    let mut spelling = 0;
    let mut wanted = None;
    if let Some(script) = &mut machine.visitor_mut().script {
        let Some(node) = script.take(op) else {
            return Err(machine
                .visitor_mut()
                .refuse(op, "the tree has no value for this field"));
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
        if let Kind::Float { width, .. } = plan.op(op).kind {
            let is_plain = machine.visitor().is_plain(op);
            let bits = if is_plain {
                float::plain(bits, width)
            } else {
                bits
            };
            value = i128::from(float::fitting(machine, op, bits));
        }
    }
    if machine.visitor().options.odd {
        value = stored::nearest(machine, op, value);
    }
    described::put(machine, op, value);
    let Some(value) = on_the_wire(machine, op, value) else {
        return Err(machine.visitor_mut().refuse(
            op,
            "the difference from the previous value is out of range for the field",
        ));
    };
    let spelling = spelled(machine, op, value, spelling);
    wire::number(plan, op, value, spelling, out);
    Ok(())
}

/// Returns a number that was chosen earlier, or a placeholder for a position that is not known yet.
fn planned<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> Option<i128> {
    let emitter = machine.visitor_mut();
    if emitter.options.odd {
        return None;
    }
    if emitter.index.words.contains(&op) {
        return Some(0);
    }
    let planned = &mut emitter.planned.numbers;
    let at = planned.iter().rposition(|(planned, _)| *planned == op)?;
    Some(planned.swap_remove(at).1)
}

/// The maximum number of attempts to find values of a field with which its list continues.
const MOST_ALTERNATIVES: usize = 16;

/// Returns the values that the field may contain. If a test allows several alternatives, chooses
/// one of them.
fn possible<'a, I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, 'a, I, C, TREE>,
    op: OpId,
    key: Option<KeyOf>,
) -> Cow<'a, Domain> {
    let index = machine.visitor().index;
    let mut domain = allowed::domain(machine, index, op);
    if !machine.visitor().options.odd {
        described::restrict(machine, op, &mut domain);
        let limit = key.and_then(|key| index.key_limits.get(&key.table).copied());
        if let Some(limit) = limit.filter(|limit| *limit < domain.high) {
            // A field that refers to the row may be narrower than the key.
            let domain = domain.to_mut();
            domain.high = limit.max(domain.low);
        }
    }
    domain
}

/// Chooses a number that the field may contain.
pub(super) fn chosen<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    wanted: Option<i128>,
    key: Option<KeyOf>,
) -> Result<i128, Refused> {
    if let Some(key) = reference::reference(machine, op, wanted)? {
        differs(machine, op, key);
        return Ok(key);
    }
    lookahead::plan_texts(machine, op);
    let plan = machine.plan();
    let wire = stored::whole_range(machine, op);
    let index = machine.visitor().index;
    let mut domain = possible(machine, op, key);
    if let Some(ending) = index.endings.get(&op).copied() {
        let mut attempts = 0;
        loop {
            if ends(machine, (op, ending), &domain, wanted) {
                if let Some(list) = machine.visitor_mut().enclosing.lists.last_mut() {
                    list.last = true;
                }
                return Ok(ending);
            }
            rule_out(domain.to_mut(), ending);
            attempts += 1;
            if !domain.is_empty() || attempts == MOST_ALTERNATIVES {
                break;
            }
            // Of the alternatives that a test allows, the one that ends the list was chosen.
            domain = possible(machine, op, key);
        }
    }
    let odd = machine.visitor().options.odd;
    differing(machine, op, &mut domain);
    let room = machine.room();
    let emitter = machine.visitor_mut();
    let narrowed = emitter.targeted_number(op, &domain);
    let is_targeted = narrowed.is_some();
    if let Some(narrowed) = narrowed.or_else(|| emitter.affordable(plan.op(op), &domain, room)) {
        domain = Cow::Owned(narrowed);
    } else if emitter.leaves_empty(plan, op) && domain.contains(0) {
        domain::restrict(domain.to_mut(), vec![(0, 1)]);
    }
    let is_plain = machine.visitor().is_plain(op) && !is_targeted;
    let whole = key.filter(|_| is_plain).map(|_| domain.clone());
    if !is_targeted {
        plain::narrow(machine, op, &mut domain);
    }
    let emitter = machine.visitor_mut();
    let chosen = number::choose(&mut emitter.choices, &domain, wire, odd, wanted);
    let Some(value) = chosen else {
        return Err(emitter.refuse(op, "no value satisfies the constraints of the field"));
    };
    lists::occurs(machine, op, value);
    differs(machine, op, value);
    let key = key.filter(|key| wanted.is_none() && !odd && (!key.again || is_plain));
    let Some(KeyOf { table, .. }) = key else {
        return Ok(value);
    };
    // A key that is in use would redefine its row. In a plain trace, keys count up from 1.
    let start = if is_plain { domain.low.max(1) } else { value };
    let start = u64::try_from(start).unwrap_or_default();
    let greatest = u64::try_from(domain.high).unwrap_or(u64::MAX);
    let least = u64::try_from(domain.low).unwrap_or(0);
    let rows = &machine.state().tables[table];
    let free = |start: u64, range: (u64, u64)| rows.free_key(start, range);
    // If typical writers do not use enough keys, other keys are next.
    let other = |whole: &Domain| {
        let high = u64::try_from(whole.high).unwrap_or(u64::MAX);
        let next = greatest.checked_add(1).filter(|next| *next <= high)?;
        let key = free(next, (next, high))?;
        whole.contains(i128::from(key)).then_some(key)
    };
    let found = free(start, (least, greatest));
    let found = found.filter(|key| domain.pattern.contains(i128::from(*key)));
    let found = found.or_else(|| {
        let is_free = |key: u64| rows.find(key).is_none();
        free_in((is_free, rows.len()), &domain, i128::from(start))
    });
    match found.or_else(|| other(whole.as_deref()?)) {
        Some(key) => Ok(i128::from(key)),
        None => Err(machine
            .visitor_mut()
            .refuse(op, "every possible key of the table is in use")),
    }
}

/// The maximum number of keys that are tried beyond those in use.
const MOST_KEYS: usize = 256;

/// Returns the first unused key of a domain from `start` on. After the last key of the domain, the
/// search continues with the first. `used` is the number of keys in use.
fn free_in(
    (is_free, used): (impl Fn(u64) -> bool, usize),
    domain: &Domain,
    start: i128,
) -> Option<u64> {
    let is_free = |key: &u64| domain.contains(i128::from(*key)) && is_free(*key);
    if let Some(only) = &domain.only {
        let mut keys = only.iter().filter_map(|(key, _)| u64::try_from(*key).ok());
        return keys.find(is_free);
    }
    let range = (domain.low, domain.high);
    let mut at = start;
    for _ in 0..used.saturating_add(MOST_KEYS) {
        let key = domain.pattern.fit(at, range)?;
        if let Some(key) = u64::try_from(key).ok().filter(is_free) {
            return Some(key);
        }
        at = if key < domain.high {
            key + 1
        } else {
            domain.low
        };
    }
    None
}
