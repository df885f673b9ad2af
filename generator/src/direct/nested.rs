//! Handles container type codes, whose values contain other values: chooses the types that a trace
//! describes, their element counts, and the positions of located values. A located value is stored
//! elsewhere than its field, which contains only the position of the value.

use std::borrow::Cow;

use tracegauge_decoder::tree::{NodeId, Payload};
use tracegauge_decoder::{Input, Placed, Word, text as encodings};
use tracegauge_plan::codec;
use tracegauge_plan::{CodeExtent, DescribedCode, Kind, NestedForm, OpId, PlainPlan, Plan};

use super::Directed;
use super::allowed;
use super::domain::{self, Domain};
use super::form::Form;
use super::index::Index;
use super::text::{self, TextRoom};
use crate::tape::Choices;

/// The maximum nesting depth of described container types.
const DEEP: usize = 4;

/// The maximum size in bytes of a list whose type description specifies the element count, assuming
/// that every element is as small as possible.
const MOST_FIXED: u64 = 256;

/// A size that does not fit in 16 bits.
const LARGE: u64 = 1 << 16;

/// The maximum total size in bytes of the lists of one layout.
const MOST_LISTS: u64 = 1024;

/// The assumed size in bytes of a value that has no fixed size.
const SOME: u64 = 16;

/// The maximum size in bytes of a row's values, assuming that every value is as small as possible.
/// Above this size, no further container types are described.
const MOST_ROW: u64 = 2048;

/// The maximum number of fields of a structure inside a described type.
pub const MOST_INSIDE: u64 = 4;

/// The size in bytes above which the generator adds as little as possible to a recursive structure.
/// Without this limit, nested lists could make the structure grow exponentially.
const MOST_NESTED: u64 = 16 * 1024;

/// Sets the share of unusual counts: on average, one in `UNUSUAL + 1` counts ignores the hints.
const UNUSUAL: u64 = 15;

/// Returns whether a recursive structure has reached its size limit.
pub fn is_spent<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
) -> bool {
    let position = machine.position();
    if machine.depth() < 2 {
        machine.visitor_mut().described.nested_from = position;
        return false;
    }
    position.saturating_sub(machine.visitor().described.nested_from) > MOST_NESTED
}

/// Chooses a usual number of elements according to the hints in the description. Without hints, a
/// recursive structure would grow with each level, and one long list would leave no room for the
/// contents after it.
pub fn hinted_count<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    counting: OpId,
    is_plain: bool,
) -> Option<u64> {
    let hints = &machine.plan().info(counting).hints;
    if is_plain {
        return plain_count(machine, counting);
    }
    let choices = &mut machine.visitor_mut().choices;
    if hints.weights.is_empty() && hints.range.is_none() {
        return None;
    }
    if choices.choose(UNUSUAL, None) == UNUSUAL {
        return None;
    }
    if let Some((low, high)) = hints.range {
        let (low, high) = (u64::try_from(low).ok()?, u64::try_from(high).ok()?);
        return Some(low + choices.choose(high.checked_sub(low)?, None));
    }
    let total: u64 = hints
        .weights
        .iter()
        .map(|(_, weight)| u64::from(*weight))
        .sum();
    let chosen = choices.choose(total.checked_sub(1)?, None);
    let mut before = 0;
    let hint = hints.weights.iter().find(|(_, weight)| {
        before += u64::from(*weight);
        chosen < before
    });
    hint.and_then(|(count, _)| u64::try_from(*count).ok())
}

/// Chooses a plain number of elements according to the hints in the description. From a range of
/// counts, chooses one or two, or the count in the range that is closest to this. Returns `None` if
/// the description contains no hints.
fn plain_count<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    counting: OpId,
) -> Option<u64> {
    let hints = &machine.plan().info(counting).hints;
    let emitter = machine.visitor_mut();
    let few = emitter.plain_length();
    let (low, high) = match (&hints.plain, hints.range) {
        (Some(PlainPlan::Range(low, high)), _) => (*low, *high),
        (Some(PlainPlan::Integers(counts)), _) => {
            let last = (counts.len() as u64).checked_sub(1)?;
            let chosen = usize::try_from(emitter.choices.choose(last, None)).unwrap_or_default();
            return counts
                .get(chosen)
                .and_then(|count| u64::try_from(*count).ok());
        }
        (_, Some(range)) => range,
        _ if hints.weights.is_empty() => return None,
        _ => {
            let most = hints.weights.iter().map(|(_, weight)| *weight).max()?;
            let usual = hints
                .weights
                .iter()
                .filter(|(_, weight)| weight * 4 >= most);
            let usual: Vec<i128> = usual.map(|(count, _)| *count).collect();
            let chosen = emitter.choices.choose(usual.len() as u64 - 1, None);
            let chosen = usize::try_from(chosen).unwrap_or_default();
            return usual
                .get(chosen)
                .and_then(|count| u64::try_from(*count).ok());
        }
    };
    u64::try_from(i128::from(few).clamp(low, high.max(low))).ok()
}

/// A type that is being described.
#[derive(Clone, Copy, Debug)]
pub struct OpenType {
    /// The number of enclosing types, including this type.
    depth: usize,
    structure: OpId,
    code: i128,
    /// Whether the type must have a fixed size.
    fixed: bool,
    /// The total size of the types that the type contains, in bytes.
    inside: u64,
    /// The number of elements that the type's description specifies.
    count: u64,
}

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

/// Returns the description of a type code.
fn code_of(plan: &Plan, structure: OpId, code: i128) -> Option<&DescribedCode> {
    let describes = plan.info(structure).describes?;
    plan.describes[describes].code(code)
}

/// Returns the structure whose type code is field `op`, if the structure describes types.
fn described_by(plan: &Plan, op: OpId) -> Option<OpId> {
    plan.info(op).code_of?;
    let parent = plan.info(op).parent?;
    plan.info(parent).describes.map(|_| parent)
}

/// Restricts the domain of a type code, or of an element count, to values that are possible at the
/// current position.
pub fn restrict<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut Cow<'_, Domain>,
) {
    let plan = machine.plan();
    if machine.visitor().index.counts.contains(&op) {
        // The element type is described before the count, so its size is known.
        let each = machine
            .visitor()
            .described
            .types
            .last()
            .map_or(0, |open| open.inside);
        let most = i128::from(MOST_FIXED / each.max(1));
        let emitter = machine.visitor_mut();
        let outermost = emitter.described.types.len() == 1;
        let filled = i128::from(emitter.fills());
        let domain = domain.to_mut();
        if outermost && std::mem::take(&mut emitter.wishes.target.large) {
            let number = domain.high.min(i128::from(LARGE / each.max(1) + 1));
            return domain::restrict(domain, vec![(number, 1)]);
        }
        domain.low = domain.low.max(filled.min(domain.high));
        domain.high = domain.high.min(most.max(domain.low));
        domain.usual = domain
            .usual
            .map(|(low, high)| (low.min(most), high.min(most)));
        return;
    }
    let Some(structure) = described_by(plan, op) else {
        // Target type codes are used only at the top level. Below it, the number of container types
        // would multiply with each level.
        if plan.info(op).code_of.is_some() && machine.depth() == 0 {
            let wanted = machine
                .visitor_mut()
                .next_targeted_code(|code| domain.contains(code));
            if let Some(wanted) = wanted {
                domain::restrict(domain.to_mut(), vec![(wanted, 1)]);
            }
        }
        return;
    };
    let depth = machine.types_around();
    let fixed = must_be_fixed(machine, depth);
    let describes = plan.info(structure).describes;
    let Some(describes) = describes.map(|index| &plan.describes[index]) else {
        return;
    };
    let full = machine.visitor().described.row_bytes > MOST_ROW;
    // A type inside this one nests the structure once more.
    let may_nest = match plan.info(structure).depth {
        Some((promised, enforced, _)) => {
            let most = if promised == 0 { enforced } else { promised };
            (machine.depth() as u64) < most
        }
        None => true,
    };
    let possible = |code: &&DescribedCode| {
        let extent = !fixed || code.extent != CodeExtent::Variable;
        extent && (depth < DEEP && may_nest && !full || !code.holds)
    };
    let codes = describes.codes.iter().filter(possible);
    let mut codes: Vec<(i128, u64)> = codes.map(|code| (code.code, 1)).collect();
    let listed = |wanted: i128| codes.iter().any(|(code, _)| *code == wanted);
    if let Some(wanted) = machine.visitor_mut().next_targeted_code(listed) {
        codes.retain(|(code, _)| *code == wanted);
    }
    domain::restrict(domain.to_mut(), codes);
}

/// Returns whether the type that encloses the type at `depth` requires a fixed size.
fn must_be_fixed<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    depth: usize,
) -> bool {
    let plan = machine.plan();
    let types = &machine.visitor().described.types;
    let around = types.iter().rfind(|open| open.depth < depth);
    around.is_some_and(|open| {
        let code = code_of(plan, open.structure, open.code);
        code.is_some_and(|code| {
            code.fixed.is_some() || (open.fixed && code.extent == CodeExtent::Inherited)
        })
    })
}

/// Records a number just written if it is a type code or the element count of a type.
pub fn put<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    value: i128,
) {
    let plan = machine.plan();
    if machine.visitor().index.counts.contains(&op) {
        if let Some(open) = machine.visitor_mut().described.types.last_mut() {
            open.count = u64::try_from(value).unwrap_or(0);
        }
        return;
    }
    let Some(structure) = described_by(plan, op) else {
        return;
    };
    let depth = machine.types_around();
    let fixed = must_be_fixed(machine, depth);
    let types = &mut machine.visitor_mut().described.types;
    while types.last().is_some_and(|open| open.depth >= depth) {
        types.pop();
    }
    types.push(OpenType {
        depth,
        structure,
        code: value,
        fixed,
        inside: 0,
        count: 0,
    });
}

/// Completes a structure that describes a type, and adds the size of the type to the enclosing type
/// or row.
pub fn described<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) {
    let plan = machine.plan();
    if plan.info(op).describes.is_none() {
        return;
    }
    let depth = machine.types_around() + 1;
    let index = machine.visitor().index;
    let types = &mut machine.visitor_mut().described.types;
    let Some(open) = types.pop_if(|open| open.depth == depth) else {
        return;
    };
    let size = match index.forms.get(&(open.structure, open.code)) {
        None => SOME,
        Some(Form::Plain(size)) => *size,
        Some(Form::Inside) => open.inside,
        Some(Form::Times) => open.inside.saturating_mul(open.count),
    };
    match types.last_mut() {
        Some(around) => around.inside = around.inside.saturating_add(size),
        None => {
            let row = &mut machine.visitor_mut().described.row_bytes;
            *row = row.saturating_add(size);
        }
    }
}

impl Index {
    /// Collects the properties of described types.
    pub(super) fn look_at_types(&mut self, plan: &Plan) {
        for nested in &plan.nested {
            match &nested.form {
                NestedForm::Located(located) => {
                    self.words.insert(located.word);
                }
                NestedForm::Described(path) => {
                    let structures = plan.infos.iter().enumerate();
                    let structures = structures.filter(|(_, info)| info.describes.is_some());
                    for (structure, _) in structures {
                        let id = OpId::from(structure);
                        let named = |child: &OpId| plan.info(*child).label == path.first().copied();
                        self.counts.extend(plan.children(id).find(named));
                    }
                }
                NestedForm::Fields | NestedForm::Counted(_) => {}
            }
        }
        let lists = plan.ops.iter().enumerate();
        let lists = lists.filter(|(_, op)| matches!(op.kind, Kind::Repeat(_)));
        for (list, _) in lists {
            let list = OpId::from(list);
            if holds_types(plan, list) {
                self.describing.insert(list);
            }
        }
        for (number, info) in plan.infos.iter().enumerate() {
            let Some(describes) = info.describes else {
                continue;
            };
            let structure = OpId::from(number);
            let field = plan.info(plan.describes[describes].code);
            let used = plan
                .layouts
                .iter()
                .find(|used| field.code_of == Some(used.layout));
            for code in used.map_or(&[][..], |used| &used.codes) {
                let form = match plan.op(code.op).kind {
                    Kind::Nested(nested) => match plan.nested[nested].form {
                        NestedForm::Fields => Form::Inside,
                        NestedForm::Described(_) => Form::Times,
                        NestedForm::Counted(_) | NestedForm::Located(_) => Form::Plain(SOME),
                    },
                    _ => Form::Plain(code.size.unwrap_or(SOME)),
                };
                self.forms.insert((structure, code.code), form);
            }
        }
    }
}

/// Returns whether the elements of a list contain described types.
fn holds_types(plan: &Plan, list: OpId) -> bool {
    (list.0 + 1..plan.op(list).end).any(|op| {
        let called = match plan.op(OpId(op)).kind {
            Kind::Call(target) => plan.info(target).describes.is_some(),
            _ => false,
        };
        called || plan.info(OpId(op)).describes.is_some()
    })
}

/// Returns the minimum number of types that a list describes if the trace has target type codes.
pub fn targeted(inside: bool) -> u64 {
    if inside { 1 } else { 5 }
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
