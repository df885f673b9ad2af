//! Handles container type codes, whose values contain other values: chooses their element counts, and
//! the positions of located values. A located value is stored elsewhere than its field, which contains
//! only the position of the value.

use tracegauge_decoder::tree::{NodeId, Payload};
use tracegauge_decoder::{Input, Placed, Word, text as encodings};
use tracegauge_plan::codec;
use tracegauge_plan::{Kind, OpId, Plan};

use super::Directed;
use super::allowed;
use super::described::SOME;
use super::text::{self, TextRoom};
use crate::tape::Choices;

/// The maximum total size in bytes of the lists of one layout.
const MOST_LISTS: u64 = 1024;

/// A layout whose values are being written.
#[derive(Clone, Debug, Default)]
pub struct OpenLayout {
    /// The number of bytes still available to lists.
    left: u64,
    /// The located values that have been written: described type, position of the first byte, and
    /// size in bytes.
    placed: Vec<(usize, u64, u64)>,
    /// The node after the layout, if a tree is being encoded.
    pub(super) node_end: Option<NodeId>,
}

/// Opens a layout whose values are about to be written.
pub fn begin<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    layout: OpId,
) {
    let room = machine.room().unwrap_or(u64::MAX);
    let emitter = machine.visitor_mut();
    let left = MOST_LISTS.min(emitter.options.elements).min(room);
    let script = emitter.script.as_mut();
    let node_end = script.map(|script| script.open_part(layout));
    emitter.described.layouts.push(OpenLayout {
        left,
        placed: Vec::new(),
        node_end,
    });
}

/// Chooses a number of elements. If the elements are the code units of a string, also chooses the
/// string.
pub fn counted<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    count: OpId,
    units: Option<(OpId, u64)>,
    each: Option<u64>,
    none: Option<i128>,
) {
    if machine.visitor().options.odd {
        return;
    }
    let high = allowed::domain(machine, machine.visitor().index, count).high;
    let high = u64::try_from(high).unwrap_or(u64::MAX);
    let plan = machine.plan();
    let emitter = machine.visitor_mut();
    let left = emitter
        .described
        .layouts
        .last()
        .map_or(0, |layout| layout.left);
    let is_plain = emitter.is_plain(count);
    if none.is_some() && !is_plain && emitter.choices.choose(7, None) == 7 {
        emitter
            .planned
            .numbers
            .extend(none.map(|none| (count, none)));
        return;
    }
    let number = if let Some((op, size)) = units {
        let most = left.min(high.saturating_mul(size));
        let mut room = text_room(plan, op, most);
        room.plain = emitter.is_plain(op).then(|| emitter.index.answers.of(op));
        let bytes = text::choose(&mut emitter.choices, room, false, None);
        let number = bytes.len() as u64 / size.max(1);
        emitter.planned.bytes.push((op, bytes));
        number
    } else {
        let most = high.min(left / each.unwrap_or(SOME).max(1));
        let filled = u64::from(emitter.fills());
        let length = match is_plain {
            true => emitter.plain_length(),
            false => text::length(&mut emitter.choices, false, None),
        };
        length.max(filled).min(most)
    };
    if let Some(layout) = emitter.described.layouts.last_mut() {
        let size = number.saturating_mul(each.unwrap_or(SOME));
        layout.left = layout.left.saturating_sub(size);
    }
    emitter.planned.numbers.push((count, i128::from(number)));
}

fn text_room(plan: &Plan, op: OpId, most: u64) -> TextRoom<'_> {
    TextRoom {
        most,
        ..text::room(plan, op, most)
    }
}

/// Writes a string of `size` bytes.
pub fn put_units<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    size: u64,
) {
    if super::cut::is_cut(machine, op) {
        return;
    }
    let plan = machine.plan();
    let taken = super::script::follow_bytes(machine, op);
    let emitter = machine.visitor_mut();
    let planned = emitter
        .planned
        .bytes
        .iter()
        .rposition(|(planned, _)| *planned == op);
    let bytes = match planned {
        Some(at) => emitter.planned.bytes.swap_remove(at).1,
        None => {
            let odd = emitter.options.odd;
            let mut room = text_room(plan, op, size);
            room.plain = emitter.is_plain(op).then(|| emitter.index.answers.of(op));
            let mut bytes = emitter.choose_text(op, room, odd, taken.as_deref());
            let blank = match plan.op(op).kind {
                Kind::Text(_, encoding) => encodings::encode(" ", encoding),
                _ => None,
            };
            let blank = blank.unwrap_or_else(|| vec![b' ']);
            let size = usize::try_from(size).unwrap_or_default();
            while bytes.len() + blank.len() <= size {
                bytes.extend_from_slice(&blank);
            }
            bytes.resize(size, 0);
            bytes
        }
    };
    machine.input_mut().append(&bytes);
}

/// Writes the area after the fields of a layout, which contains the located values. Normally, the
/// located values are written one by one. When a recorded trace is generated again, the whole area
/// is written as raw bytes instead.
pub fn put_area<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    layout: OpId,
    words: bool,
) {
    let emitter = machine.visitor_mut();
    let open = emitter.described.layouts.last_mut();
    let end = open.and_then(|open| open.node_end);
    let script = emitter.script.as_mut();
    let wanted = match (script, end) {
        (Some(script), Some(end)) => {
            let wanted = script.close_part(layout, end);
            script.pass(end);
            wanted
        }
        _ => None,
    };
    if !emitter.options.odd || !words {
        return;
    }
    if emitter.choices.choose(1, Some(u64::from(wanted.is_some()))) == 0 {
        return;
    }
    let bytes = text::raw(
        &mut emitter.choices,
        TextRoom {
            encoding: None,
            samples: &[],
            only: None,
            most: emitter.options.longest,
            least: 0,
            filled: false,
            decimal: false,
            plain: None,
        },
        true,
        wanted,
    );
    machine.input_mut().append(&bytes);
}

/// Closes a layout.
pub fn end<I: Input, C: Choices, const TREE: bool>(machine: Directed<'_, '_, '_, I, C, TREE>) {
    machine.visitor_mut().described.layouts.pop();
}

/// The maximum value of the choice that decides where to place a located value. Renumbering the
/// alternatives would change the traces generated from all seeds.
const WAYS: u64 = 7;
/// The value is not placed because it has no elements.
const EMPTY: u64 = 0;
/// The value is placed after everything else.
const FRESH: u64 = 1;
/// The value is placed after everything else, with a few bytes in between.
const GAP: u64 = 5;
/// The value is placed at the location of another value of the same type.
const SHARED: u64 = 6;
/// The value is placed at the location of some elements of another value.
const PART: u64 = 7;

/// Places a located value and writes its position.
pub fn place<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    word: &Word,
) -> Option<Placed> {
    if machine.visitor().options.odd {
        return None;
    }
    let placed = placement(machine, word);
    let value = word
        .plan
        .join(placed.start.checked_sub(word.base)?, placed.size)?;
    let plan = machine.plan();
    let mut bytes = Vec::with_capacity(8);
    codec::store(
        value,
        codec::stored_as(&plan.op(word.plan.word).kind)?,
        &mut bytes,
    );
    machine.input_mut().patch(word.start, &bytes);
    if let Some(node) = word.node
        && let Some(node) = machine.tree_mut().nodes.get_mut(node as usize)
    {
        node.payload = Payload::Bits(value);
    }
    if let Some(layout) = machine.visitor_mut().described.layouts.last_mut() {
        layout
            .placed
            .push((word.described, placed.start, placed.size));
    }
    Some(placed)
}

fn placement<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    word: &Word,
) -> Placed {
    let nowhere = Placed {
        start: word.base,
        size: 0,
        fresh: false,
    };
    let seen = machine.input().seen();
    let room = machine.room().map_or(u64::MAX, |room| {
        room.saturating_sub(seen.saturating_sub(machine.position()))
    });
    let (far, most) = word.plan.greatest();
    let emitter = machine.visitor_mut();
    let is_plain = emitter.wishes.allowed.is_some();
    let way = match is_plain {
        true => FRESH,
        false => emitter.choices.choose(WAYS, None),
    };
    let (Some(each @ 1..), Some(layout)) = (word.element, emitter.described.layouts.last()) else {
        return nowhere;
    };
    let filled = emitter.fills();
    if way == EMPTY && !filled {
        return nowhere;
    }
    let reached = |start: u64| start >= word.base && start - word.base <= far;
    // Values that contain words (fields that encode the location of a value) cannot be shared,
    // because the located values would be placed twice.
    if way >= SHARED && !word.words {
        let same = layout.placed.iter().filter(|(described, start, size)| {
            *described == word.described && reached(*start) && *size <= most
        });
        let same: Vec<_> = same.copied().collect();
        if let Some(last) = same.len().checked_sub(1) {
            let chosen = emitter.choices.choose(last as u64, None);
            let chosen = same.get(usize::try_from(chosen).unwrap_or_default());
            let (_, start, size) = chosen.copied().unwrap_or_default();
            let skipped = match way {
                // A part of a string could start inside a character.
                PART if !word.text => emitter.choices.choose(size / each, None) * each,
                _ => 0,
            };
            let start = start + skipped;
            if reached(start) {
                let size = size - skipped;
                return Placed {
                    start,
                    size,
                    fresh: false,
                };
            }
        }
    }
    let gap = match way {
        GAP => emitter.choices.choose(3, None) + 1,
        _ => 0,
    };
    let most = most.min(layout.left).min(room.saturating_sub(gap)) / each;
    let length = match is_plain {
        true => emitter.plain_length(),
        false => text::length(&mut emitter.choices, false, None),
    };
    let count = length.max(u64::from(filled)).min(most);
    let start = seen + gap;
    if count == 0 || !reached(start) {
        return nowhere;
    }
    if let Some(layout) = emitter.described.layouts.last_mut() {
        layout.left = layout.left.saturating_sub(count * each + gap);
    }
    let between: Vec<u8> = (0..gap)
        .map(|_| u8::try_from(emitter.choices.choose(255, None)).unwrap_or_default())
        .collect();
    machine.input_mut().append(&between);
    Placed {
        start,
        size: count * each,
        fresh: true,
    }
}
