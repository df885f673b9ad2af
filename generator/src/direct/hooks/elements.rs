//! Where lists, their elements and their rows begin, and whether there is another.

use tracegauge_decoder::Input;
use tracegauge_spec::plan::{Kind, OpId};

use super::super::{Directed, Director, domain, inside, lists};
use super::texts::exact_room;
use crate::tape::{Choices, TapeSpan};

/// One in so many elements ends a list that an element of its own ends.
const ELEMENTS: u64 = 23;

/// Whether the list around ends here, which a field with this value brings about.
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
    // Only the outermost list goes on until there is enough.
    if options.fill && director.lists.len() <= 1 {
        return false;
    }
    let wanted = wanted.map(|wanted| u64::from(wanted != ending));
    director.choices.choose(ELEMENTS, wanted) == 0
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
pub(in crate::direct) const MOST_ROWS: u64 = 1024;

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

/// Whether a list breaks off before the element that would end it. No trace that is made from a
/// seed has such a list, but one that is recorded may.
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
        // Whatever follows in the part has no bytes left.
        part.to_end = true;
    }
    breaks_off
}

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
