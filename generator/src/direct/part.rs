//! Writes sized parts, including the bytes after the last field of a part.

use tracegauge_decoder::Input;
use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{FaultKind, RuleId};
use tracegauge_plan::{Derived, Extent, Kind, OpId, Plan, Scale};

use super::derived::Late;
use super::severity::strict;
use super::text;
use super::{Directed, Emitter};
use crate::tape::Choices;

/// A sized part that is being written.
#[derive(Clone, Debug)]
pub struct OpenPart {
    /// Whether the size was fixed before the part was opened.
    pub exact: bool,
    /// Whether a field extends to the end of the part, so that nothing can follow it.
    pub to_end: bool,
    /// The bytes that pad the part, if any.
    pub fill: Option<Vec<u8>>,
    /// The node after the part, if a tree is being encoded.
    pub node_end: Option<NodeId>,
    /// The number of lists around the part.
    lists: usize,
    /// The number of elements around the part.
    starts: usize,
    /// The alignment of the part's end, and the position that the alignment is relative to. `None`
    /// unless readers may reject the padding after an unaligned part, or the size is stored in words.
    /// If it is set, the part is filled up to the alignment.
    pub aligned: Option<(u64, u64)>,
}

impl OpenPart {
    /// Returns the number of bytes that must be added at `position` to align the part's end.
    pub fn missing(&self, position: u64) -> u64 {
        let Some((to, base)) = self.aligned else {
            return 0;
        };
        match position.saturating_sub(base) % to.max(1) {
            0 => 0,
            over => to - over,
        }
    }
}

/// Sets the share of parts with unclaimed bytes: on average, one in `RARELY + 1` parts has such
/// bytes, provided that every reader skips them.
const RARELY: u64 = 31;

/// The maximum number of unclaimed bytes.
const FEW: u64 = 16;

/// Opens a sized part.
pub fn begin<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    size: Option<u64>,
) {
    let start = machine.position();
    let end = start.saturating_add(size.unwrap_or_default());
    if end > machine.visitor().options.most {
        machine.visitor_mut().give_up(op);
    }
    let kind = &machine.plan().op(op).kind;
    let to_end = matches!(kind, Kind::Sized(Extent::ToEnd));
    let around = machine.part_start();
    let emitter = machine.visitor_mut();
    let script = emitter.script.as_mut();
    let node_end = script.map(|script| script.open_part(op));
    let mut exact = size.is_some();
    if to_end && let Some(around) = emitter.enclosing.parts.last_mut() {
        // This part ends where the enclosing part ends, so nothing can follow it there.
        around.to_end = true;
        exact = around.exact;
    }
    let free = !exact && !emitter.options.odd;
    let aligned = emitter.index.aligned.get(&op).copied().filter(|_| free);
    let whole = emitter.index.whole_words.get(&op).filter(|_| free);
    let (lists, starts) = (
        emitter.enclosing.lists.len(),
        emitter.enclosing.starts.len(),
    );
    emitter.enclosing.parts.push(OpenPart {
        exact,
        to_end: false,
        fill: None,
        node_end,
        lists,
        starts,
        aligned: aligned
            .map(|(to, from_file)| (to, if from_file { 0 } else { around }))
            .or_else(|| whole.and_then(|scale| word_end(*scale, start))),
    });
}

/// Returns the alignment of a part's end, and the position that it is relative to, if a field stores
/// the size of the part in words.
fn word_end(scale: Scale, start: u64) -> Option<(u64, u64)> {
    let to = u64::try_from(scale.divisor).ok()?;
    let before = u64::try_from(scale.add.rem_euclid(scale.divisor)).ok()?;
    // The part may start before the first such position.
    Some((to, (start + to - before) % to))
}

/// Writes the rest of a sized part after its fields and closes the part.
pub fn end<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) {
    let plan = machine.plan();
    let (room, position) = (machine.room(), machine.position());
    let emitter = machine.visitor_mut();
    let Some(part) = emitter.enclosing.parts.pop() else {
        return;
    };
    // If reading stopped inside the part, it also stopped inside these lists and elements.
    emitter.enclosing.lists.truncate(part.lists);
    emitter.enclosing.starts.truncate(part.starts);
    if let Some(script) = &mut emitter.script {
        script.leave_lists(part.lists);
    }
    let odd = emitter.options.odd;
    let wanted = match (emitter.script.as_mut(), part.node_end) {
        (Some(script), Some(end)) => script.close_part(op, end),
        _ => None,
    };
    let carried = !odd && is_carried(emitter, plan, op);
    let longest = emitter.options.longest;
    let extra = emitter.permits_fault(plan, op, FaultKind::Rest);
    let choices = &mut emitter.choices;
    let bytes = if let (Some(fill), false) = (&part.fill, odd) {
        let room = if part.exact { room.unwrap_or(0) } else { 0 };
        let room = room.min(longest);
        let room = usize::try_from(room).unwrap_or_default();
        fill.iter().copied().cycle().take(room).collect()
    } else if part.exact {
        filled(choices, room.unwrap_or(0).min(longest), wanted)
    } else if part.to_end || carried {
        return;
    } else if odd {
        match choices.choose(1, Some(u64::from(wanted.is_some()))) {
            0 => return,
            _ => text::raw(choices, text::bytes_up_to(longest), true, wanted),
        }
    } else if part.aligned.is_some() && tolerated(plan, op) {
        filled(choices, part.missing(position), None)
    } else if extra && tolerated(plan, op) && choices.choose(RARELY, None) == RARELY {
        let most = FEW.min(room.unwrap_or(FEW));
        text::raw(choices, text::bytes_up_to(most), false, None)
    } else {
        return;
    };
    machine.input_mut().append(&bytes);
}

/// Returns true if `length` more bytes would make the innermost part larger than its size field can
/// represent. The size of the part is not stored yet, so the part's current end is only an upper
/// limit.
pub fn is_overfull<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    length: u64,
) -> bool {
    let emitter = machine.visitor();
    let is_open = emitter
        .enclosing
        .parts
        .last()
        .is_some_and(|part| !part.exact);
    let is_free = emitter.script.is_none() && !emitter.options.odd;
    is_open && is_free && machine.room().is_some_and(|room| length > room)
}

/// Decides whether a sized part that may end before its next field continues with that field.
pub fn goes_on<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> bool {
    let (full, position) = (machine.room() == Some(0), machine.position());
    let emitter = machine.visitor_mut();
    if emitter
        .enclosing
        .parts
        .last()
        .is_some_and(|part| part.missing(position) > 0)
        && !full
    {
        return true;
    }
    let node_end = emitter
        .enclosing
        .parts
        .last()
        .and_then(|part| part.node_end);
    let script = emitter.script.as_ref();
    let wanted = script.map(|script| u64::from(script.has(op, node_end)));
    let is_whole = emitter.is_plain(op);
    let goes_on = !full && (is_whole || emitter.choices.choose(1, wanted) == 1);
    if let (false, Some(part)) = (goes_on, emitter.enclosing.parts.last_mut()) {
        part.to_end = true;
    }
    goes_on
}

/// Returns whether the trace omits the size of a part here, so that readers use the size of the
/// previous part.
fn is_carried<C: Choices, const TREE: bool>(
    emitter: &Emitter<'_, C, TREE>,
    plan: &Plan,
    op: OpId,
) -> bool {
    let measures = |late: &Late| {
        let derived = &plan.info(late.op).derived;
        matches!(derived, Some(Derived::Measured { of, .. }) if *of == op)
    };
    emitter.index.measured.contains(&op) && !emitter.late.iter().any(measures)
}

/// Chooses exactly `count` bytes.
fn filled<C: Choices>(choices: &mut C, count: u64, wanted: Option<&[u8]>) -> Vec<u8> {
    let byte = |at: u64| {
        let wanted = wanted.and_then(|wanted| wanted.get(usize::try_from(at).ok()?));
        let chosen = choices.choose(255, wanted.map(|byte| u64::from(*byte)));
        u8::try_from(chosen).unwrap_or_default()
    };
    (0..count).map(byte).collect()
}

/// Returns whether every reader skips the bytes after the fields of a sized part, and a writer may
/// write such bytes.
fn tolerated(plan: &Plan, op: OpId) -> bool {
    let rule = plan.faults[plan.op(op).faults].of(FaultKind::Rest);
    let blameless = |rule: RuleId| !plan.rules[rule].writer_fault;
    !strict(plan, rule) && rule.is_some_and(blameless)
}
