//! The boundaries of lists, elements and rows, and the decision whether another element follows.

use tracegauge_decoder::Input;
use tracegauge_spec::plan::{Kind, OpId};

use super::super::{Directed, Director, domain, inside, lists};
use super::texts::exact_room;
use crate::tape::{Choices, TapeSpan};

/// A list that ends with a particular element ends after one in `ELEMENTS + 1` elements on average.
const ELEMENTS: u64 = 23;

/// Decides whether the list ends here, which happens if a field has the value `ending`.
pub(super) fn ends<I: Input, C: Choices, const TREE: bool>(
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
    // Only the outermost list continues until the trace is large enough.
    if options.fill && director.lists.len() <= 1 {
        return false;
    }
    let wanted = wanted.map(|wanted| u64::from(wanted != ending));
    director.choices.choose(ELEMENTS, wanted) == 0
}

/// Starts a structure or list.
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

/// The maximum number of live rows.
pub(in crate::direct) const MOST_ROWS: u64 = 1024;

/// Occasionally repeats an existing row unchanged.
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
    // Limit the number of rows in endless traces.
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

/// Completes a list.
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

/// Records the range of the tape that an element consumed.
fn end_element<C: Choices, const TREE: bool>(director: &mut Director<'_, C, TREE>, op: OpId) {
    if let Some(at) = director.starts.iter().rposition(|(known, _)| *known == op) {
        let (_, start) = director.starts.swap_remove(at);
        let end = director.choices.position();
        director.spans.push(TapeSpan { op, start, end });
    }
}

/// The maximum number of elements written to make a list end at an aligned position.
const MOST_TO_ALIGN: u64 = 200;

/// The number of elements after which a list ends at the first aligned position.
const ENOUGH_TO_ALIGN: u64 = 6;

/// Decides whether a list ends without its final element. Traces generated from a seed never
/// contain such a list, but recorded traces may.
pub fn breaks_off<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    number: u64,
) -> bool {
    let director = machine.visitor_mut();
    if !director.options.odd {
        return false;
    }
    let script = director.script.as_mut();
    let wanted = script.map(|script| u64::from(!script.another(number)));
    let breaks_off = director.choices.choose(1, wanted) == 1;
    if breaks_off && let Some(part) = director.parts.last_mut() {
        // No bytes are left for later fields of the part.
        part.to_end = true;
    }
    breaks_off
}

/// Decides whether a list that extends to the end has another element.
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
        // Elements vary in size, so sooner or later one of them ends at an aligned position.
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
    // Few elements end the list, so most tapes lead to traces of some length. Nested lists are
    // short; otherwise, a trace would consist of little more than its first element.
    let many = if director.lists.len() > 1 { 3 } else { 127 };
    director.choices.choose(many, wanted) != 0
}

/// Returns the size of a field that extends to the end, which is the number of bytes written.
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
