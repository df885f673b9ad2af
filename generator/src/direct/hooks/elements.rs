//! Handles the start and end of lists, elements and rows, and decides whether another element
//! follows.

use tracegauge_decoder::Input;
use tracegauge_plan::terms::{RuleId, TableId};
use tracegauge_plan::{Kind, OpId, Plan};

use super::super::MOST_ROWS;
use super::super::lists::end_element;
use super::super::{Directed, Emitter, domain, inside, lists};
use super::texts::exact_room;
use crate::tape::Choices;

/// The average number of elements before the terminating element in a list that ends with such an
/// element. This average applies if the description does not say how often the terminating element
/// occurs.
const ELEMENTS: u64 = 23;

/// The equivalent of [`ELEMENTS`] for plain traces.
const PLAIN_ELEMENTS: u64 = 1;

impl<C: Choices, const TREE: bool> Emitter<'_, C, TREE> {
    /// Returns whether the current list continues until the trace is large enough.
    fn is_in_main_list(&self) -> bool {
        match self.enclosing.lists.as_slice() {
            [list] => self.index.main_lists.contains(&list.op),
            _ => false,
        }
    }
}

/// Returns the weight of the element that ends a list, and the total weight of all other elements.
/// The description may declare these weights.
fn weights(plan: &Plan, op: OpId, ending: i128, is_plain: bool) -> (u64, u64) {
    let declared = &plan.info(op).hints.weights;
    let of = |is_ending: bool| {
        let weights = declared.iter();
        let weights = weights.filter(|(value, _)| (*value == ending) == is_ending);
        weights.map(|(_, weight)| u64::from(*weight)).sum::<u64>()
    };
    match (of(true), of(false)) {
        (0, _) | (_, 0) if is_plain => (1, PLAIN_ELEMENTS),
        (0, _) | (_, 0) => (1, ELEMENTS),
        declared => declared,
    }
}

/// Decides whether the list ends here. If the list ends, the field `op` gets the value `ending`.
pub(super) fn ends<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    (op, ending): (OpId, i128),
    domain: &domain::Domain,
    wanted: Option<i128>,
) -> bool {
    let plan = machine.plan();
    let position = machine.position();
    let depth = machine
        .visitor()
        .enclosing
        .lists
        .last()
        .map(lists::OpenList::depth);
    let number = depth.and_then(|depth| machine.trail().get(depth).copied());
    let is_first = number == Some(0);
    let emitter = machine.visitor_mut();
    let options = &emitter.options;
    if !options.odd && !domain.contains(ending) {
        return false;
    }
    if !options.odd && position >= options.bytes {
        return true;
    }
    if options.fill && emitter.is_in_main_list() {
        return false;
    }
    let is_plain = emitter.wishes.allowed.is_some();
    // In a plain trace, a list has at least one element before the element that ends it.
    if is_first && is_plain && wanted.is_none() {
        return false;
    }
    let (last, others) = weights(plan, op, ending, is_plain);
    let wanted = wanted.map(|wanted| if wanted == ending { 0 } else { last });
    emitter.choices.choose(last + others - 1, wanted) < last
}

/// Starts a structure or list.
pub fn begin<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) {
    let plan = machine.plan();
    if let Kind::Repeat(repeat) = plan.op(op).kind {
        lists::open(machine, op, repeat);
        let emitter = machine.visitor_mut();
        if let Some(script) = &mut emitter.script {
            script.open_list(op);
        }
        if let Some(used) = emitter.used.get_mut(&op) {
            used.clear();
        }
        return;
    }
    if machine.visitor().placement.is_reading() {
        return;
    }
    if plan.info(op).effects.is_some() && machine.types_around() == 0 {
        machine.visitor_mut().described.row_bytes = 0;
    }
    let index = machine.visitor().index;
    if let Some((table, same)) = index.repeatable.get(&op) {
        repeat_row(machine, (*table, *same));
    }
    if let Some(table) = index.samples.get(&op) {
        inside::sample(machine, op, *table);
    }
}

/// Occasionally repeats an existing row unchanged.
fn repeat_row<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    (table, same): (TableId, Option<RuleId>),
) {
    if machine.visitor().replays_at(machine.position()) {
        return;
    }
    let plan = machine.plan();
    let places = machine.state().tables[table].places() as u64;
    if places == 0 {
        return;
    }
    let emitter = machine.visitor_mut();
    // Limit the number of rows in endless traces.
    let full = !emitter.options.odd && places >= MOST_ROWS;
    if !full && !emitter.permits(plan, same) {
        return;
    }
    if emitter.choices.choose(15, Some(0)) != 15 && !full {
        return;
    }
    let chosen = emitter.choices.choose(places - 1, None);
    let chosen = usize::try_from(chosen).unwrap_or(0);
    let row = machine.state().tables[table].row_from(chosen);
    let bytes = row.map(|row| row.bytes.to_vec()).unwrap_or_default();
    let end = machine.position() + bytes.len() as u64;
    machine.input_mut().append(&bytes);
    machine.visitor_mut().replayed = end;
}

/// The maximum number of elements written to make a list end at an aligned position.
const MOST_TO_ALIGN: u64 = 200;

/// The number of elements that a list must contain before it ends at the next aligned position.
const ENOUGH_TO_ALIGN: u64 = 6;

/// Decides whether a list ends without its final element. Traces generated from a seed never
/// contain such a list, but a trace that is recorded as a tape may.
pub fn breaks_off<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    number: u64,
) -> bool {
    let emitter = machine.visitor_mut();
    if !emitter.options.odd {
        return false;
    }
    let script = emitter.script.as_mut();
    let wanted = script.map(|script| u64::from(!script.another(number)));
    let breaks_off = emitter.choices.choose(1, wanted) == 1;
    if breaks_off && let Some(part) = emitter.enclosing.parts.last_mut() {
        // No bytes are left for later fields of the part.
        part.to_end = true;
    }
    breaks_off
}

/// Decides whether a list that extends to the end of the enclosing sized part or of the file has
/// another element.
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
        lists::bounds(machine, (None, op), (number, u64::MAX))
    };
    let deepest = machine.visitor().index.recursive.get(&op).copied();
    let is_deep = !odd && deepest.is_some_and(|deepest| machine.depth() as u64 >= deepest);
    let emitter = machine.visitor_mut();
    if TREE {
        end_element(emitter, op);
        let start = emitter.choices.position();
        emitter.enclosing.starts.push((op, start));
    }
    let wanted = emitter
        .script
        .as_mut()
        .map(|script| u64::from(script.another(number)));
    let (mut missing, mut aligned) = (0, false);
    if let Some(part) = emitter.enclosing.parts.last_mut() {
        part.to_end = true;
        missing = part.missing(position);
        aligned = part.aligned.is_some();
    }
    if room == Some(0) || (!emitter.options.odd && !exact && room.is_some_and(|room| room < size)) {
        return false;
    }
    if wanted.is_none() {
        if exact && !odd {
            return true;
        }
        if number >= most {
            return false;
        }
        if is_deep && number >= least {
            return false;
        }
        if emitter.is_targeted_longer(op, number) {
            return true;
        }
        // Elements vary in size, so sooner or later one of them ends at an aligned position.
        if number < least || missing > 0 && number < MOST_TO_ALIGN {
            return true;
        }
        if aligned && number >= ENOUGH_TO_ALIGN {
            return false;
        }
        // In a plain trace, a list is not empty.
        if number == 0 && emitter.wishes.allowed.is_some() {
            return true;
        }
        if !emitter.options.odd && position >= emitter.options.bytes {
            return false;
        }
        if emitter.options.fill && emitter.is_in_main_list() {
            return true;
        }
    }
    // The choice that ends the list is rare, so most seeds lead to traces with many elements.
    // Nested lists are short; otherwise, a trace would consist of little more than its first
    // element.
    let many = match (emitter.is_in_main_list(), emitter.wishes.allowed.is_some()) {
        (false, true) => PLAIN_ELEMENTS,
        (false, false) => 3,
        (true, true) => 7,
        (true, false) => 127,
    };
    emitter.choices.choose(many, wanted) != 0
}

/// Returns the size of a field that extends to the end of the enclosing sized part: the number of
/// bytes just written.
pub fn to_end<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> u64 {
    let emitter = machine.visitor_mut();
    if let Some(part) = emitter.enclosing.parts.last_mut() {
        part.to_end = true;
    }
    let at = emitter
        .planned
        .counts
        .iter()
        .rposition(|(planned, _)| *planned == op);
    at.map_or(0, |at| emitter.planned.counts.swap_remove(at).1)
}
