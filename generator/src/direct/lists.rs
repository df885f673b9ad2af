//! Tracks the lists that the emitter (which writes the values of a trace) is writing, and applies
//! the constraints that follow from the position of the current element.

use tracegauge_decoder::{Input, Machine, Value};
use tracegauge_plan::operator::BinaryOperator as B;
use tracegauge_plan::terms::TableId;
use tracegauge_plan::{
    CheckKind, CheckPlan, Code, CodeId, Count, Kind, OncePlan, OpId, Plan, RepeatId, Slot,
    each_code,
};

use super::domain::{Domain, wire_range};
use super::list_end::ending;
use super::severity::{Severity, firm, strict};
use super::solve::satisfy;
use super::{Directed, Emitter, ahead, hooks};
use crate::tape::{Choices, TapeSpan};

/// A list being written.
#[derive(Clone, Debug)]
pub struct OpenList {
    /// The list's operation.
    pub op: OpId,
    /// The index of the list in the machine's trail, which contains the current element number of
    /// each enclosing list.
    depth: usize,
    /// For each value that may occur only once, whether it has occurred.
    occurred: Vec<bool>,
    /// Whether the current element is the last.
    pub last: bool,
    /// The index of the innermost list, from this one outward, whose elements are restricted by
    /// their position in the list.
    arranging: Option<usize>,
    /// The index of the innermost list, from this one outward, that ends only on a condition that
    /// the emitter cannot control.
    waiting: Option<usize>,
}

/// The length at which a list that ends on a condition may begin to contain arbitrary values, even
/// in a trace restricted to values that typical writers use. Without arbitrary values, the
/// condition might never hold.
const LONG: u64 = 64;

impl OpenList {
    /// Returns the index of the list in the machine's trail.
    pub fn depth(&self) -> usize {
        self.depth
    }
}

/// Opens a list.
pub fn open<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    repeat: RepeatId,
) {
    let depth = machine.trail().len();
    let plan = machine.plan();
    let planned = &plan.repeats[repeat];
    let is_conditional = matches!(planned.count, Count::Until(_));
    let waits = is_conditional && ending(plan, op, repeat).is_none();
    let lists = &mut machine.visitor_mut().enclosing.lists;
    let own = lists.len();
    let around = lists.last();
    let (arranging, waiting) = around.map_or((None, None), |list| (list.arranging, list.waiting));
    lists.push(OpenList {
        op,
        depth,
        occurred: vec![false; planned.once.len()],
        last: false,
        arranging: if planned.is_arranged() {
            Some(own)
        } else {
            arranging
        },
        waiting: if waits { Some(own) } else { waiting },
    });
}

/// Returns the index of the innermost list among the `outer` outermost ones whose elements are
/// restricted by their position in the list. Lists can be nested a thousand levels deep, and most
/// have no such restrictions.
fn arranging(lists: &[OpenList], outer: usize) -> Option<usize> {
    lists[..outer].last().and_then(|list| list.arranging)
}

/// Returns whether an enclosing list is already long and ends only on a condition that the emitter
/// cannot control.
pub fn is_overlong<I: Input, C: Choices, const TREE: bool>(
    machine: &Machine<'_, I, Emitter<'_, C, TREE>>,
) -> bool {
    let lists = &machine.visitor().enclosing.lists;
    let waiting = |outer: usize| lists[..outer].last().and_then(|list| list.waiting);
    let mut waiting = std::iter::successors(waiting(lists.len()), |at| waiting(*at));
    waiting.any(|at| {
        let number = machine.trail().get(lists[at].depth);
        number.is_some_and(|number| *number >= LONG)
    })
}

/// Restricts the domain of a field according to the position of the enclosing elements in their
/// lists.
pub fn arranged<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut Domain,
) {
    let plan = machine.plan();
    let mut outer = machine.visitor().enclosing.lists.len();
    while let Some(at) = arranging(&machine.visitor().enclosing.lists, outer) {
        outer = at;
        let list = &machine.visitor().enclosing.lists[at];
        let (list_op, depth, last) = (list.op, list.depth, list.last);
        let Kind::Repeat(index) = plan.op(list_op).kind else {
            continue;
        };
        if op < list_op || op.0 >= plan.op(list_op).end {
            continue;
        }
        let repeat = &plan.repeats[index];
        let number = machine.trail().get(depth).copied().unwrap_or(0);
        if number == 0 {
            placed(machine, op, &repeat.first, domain);
        }
        if !repeat.last.is_empty() && (last || is_counted_last(machine, list_op, number)) {
            placed(machine, op, &repeat.last, domain);
        }
        for (number, once) in repeat.once.iter().enumerate() {
            let occurred =
                machine.visitor().enclosing.lists[at].occurred.get(number) == Some(&true);
            let here = plan.codes[once.by.index()] == Code::Slot(plan.op(op).slot);
            if occurred
                && here
                && strict(plan, once.rule)
                && let Some(value) = machine.value(once.equal, Value::Absent).integer()
            {
                domain.not.push(value);
            }
        }
    }
}

fn placed<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    checks: &[CheckPlan],
    domain: &mut Domain,
) {
    for check in checks {
        if firm(machine.plan(), check.rule) == Severity::Not {
            continue;
        }
        if let CheckKind::Holds(code) = check.kind {
            let plan = machine.plan();
            satisfy(plan, op, code, domain, &mut |code| {
                machine.value(code, Value::Absent).integer()
            });
        }
    }
}

/// Returns whether an element is the last of a list whose length is stored in the trace.
pub fn is_counted_last<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    list: OpId,
    number: u64,
) -> bool {
    let plan = machine.plan();
    let Kind::Repeat(index) = plan.op(list).kind else {
        return false;
    };
    let Count::Computed(count) = plan.repeats[index].count else {
        return false;
    };
    machine.value(count, Value::Absent).integer() == Some(i128::from(number) + 1)
}

/// Records a chosen number if the number may occur only once.
pub fn occurs<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    value: i128,
) {
    let plan = machine.plan();
    let mut outer = machine.visitor().enclosing.lists.len();
    while let Some(at) = arranging(&machine.visitor().enclosing.lists, outer) {
        outer = at;
        let Kind::Repeat(index) = plan.op(machine.visitor().enclosing.lists[at].op).kind else {
            continue;
        };
        for (number, once) in plan.repeats[index].once.iter().enumerate() {
            let here = plan.codes[once.by.index()] == Code::Slot(plan.op(op).slot);
            if here && machine.value(once.equal, Value::Absent).integer() == Some(value) {
                machine.visitor_mut().enclosing.lists[at].occurred[number] = true;
            }
        }
    }
}

/// Returns whether the string in the field's slot is allowed at the position of the enclosing
/// elements in their lists.
pub fn may_stand<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    text: OpId,
) -> bool {
    let plan = machine.plan();
    let slot = plan.op(text).slot;
    let mut outer = machine.visitor().enclosing.lists.len();
    while let Some(at) = arranging(&machine.visitor().enclosing.lists, outer) {
        outer = at;
        let list = &machine.visitor().enclosing.lists[at];
        let (list_op, depth) = (list.op, list.depth);
        let Kind::Repeat(index) = plan.op(list_op).kind else {
            continue;
        };
        if text < list_op || text.0 >= plan.op(list_op).end {
            continue;
        }
        let repeat = &plan.repeats[index];
        if machine.trail().get(depth) == Some(&0) {
            for check in &repeat.first {
                if let CheckKind::Holds(code) = check.kind
                    && firm(plan, check.rule) != Severity::Not
                    && speaks_of(plan, code, slot)
                    && !machine.value(code, Value::Absent).truth()
                {
                    return false;
                }
            }
        }
        for (number, once) in repeat.once.iter().enumerate() {
            let occurred =
                machine.visitor().enclosing.lists[at].occurred.get(number) == Some(&true);
            if occurred && strict(plan, once.rule) && is_now(machine, once, slot) {
                return false;
            }
        }
    }
    true
}

/// Returns whether an expression reads `slot` and no other slot.
fn speaks_of(plan: &Plan, code: CodeId, slot: Slot) -> bool {
    let (mut found, mut others) = (false, false);
    each_code(plan, code, &mut |code| {
        if let Code::Slot(known) = code {
            found |= *known == slot;
            others |= *known != slot;
        }
    });
    found && !others
}

/// Returns whether a slot contains the value that a list may contain only once.
fn is_now<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    once: &OncePlan,
    slot: Slot,
) -> bool {
    if machine.plan().codes[once.by.index()] != Code::Slot(slot) {
        return false;
    }
    let wanted = machine.value(once.equal, Value::Absent);
    let wanted = machine.bytes_of(wanted).map(<[u8]>::to_vec);
    let value = machine.slot(slot);
    wanted.is_some() && machine.bytes_of(value) == wanted.as_deref()
}

/// Records a chosen string if the string may occur only once.
pub fn text_occurs<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    text: OpId,
) {
    let plan = machine.plan();
    let slot = plan.op(text).slot;
    let mut outer = machine.visitor().enclosing.lists.len();
    while let Some(at) = arranging(&machine.visitor().enclosing.lists, outer) {
        outer = at;
        let Kind::Repeat(index) = plan.op(machine.visitor().enclosing.lists[at].op).kind else {
            continue;
        };
        for (number, once) in plan.repeats[index].once.iter().enumerate() {
            if is_now(machine, once, slot) {
                machine.visitor_mut().enclosing.lists[at].occurred[number] = true;
            }
        }
    }
}

/// Returns whether the tables contain the rows that an operation needs, whatever values are chosen.
pub fn possible<I: Input, C: Choices, const TREE: bool>(
    machine: &Machine<'_, I, Emitter<'_, C, TREE>>,
    op: OpId,
) -> bool {
    let needs = machine.visitor().index.needs.get(&op);
    needs.is_none_or(|tables| {
        let live = |table: &TableId| !machine.state().tables[*table].is_empty();
        tables.iter().all(live)
    })
}

/// Returns the minimum and maximum number of elements of a list that has `written` elements so far.
/// The maximum depends on the rows that the elements define or need. `counting` is the field that
/// stores the count, if the list itself has not been reached.
pub fn bounds<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    (counting, list): (Option<OpId>, OpId),
    (written, most): (u64, u64),
) -> (u64, u64) {
    let plan = machine.plan();
    let Kind::Repeat(index) = plan.op(list).kind else {
        return (0, most);
    };
    let repeat = &plan.repeats[index];
    let mut least = match repeat.at_least {
        Some((least, rule)) if strict(plan, rule) => least,
        _ => 0,
    };
    // The enclosing recursive structure may require this list to be non-empty.
    if let Some(call) = machine.calls().last()
        && let Some(effects) = plan.info(*call).effects
        && let Some(length) = repeat.length_slot
    {
        for check in &plan.effects[effects].checks {
            if let CheckKind::Holds(code) = check.kind
                && strict(plan, check.rule)
                && let Code::Binary(B::Greater, left, right) = plan.codes[code.index()]
                && let (Code::Slot(slot), Code::Int(0)) =
                    (&plan.codes[left.index()], &plan.codes[right.index()])
                && plan.info(*call).exports.iter().any(|(value, to)| {
                    to == slot && plan.codes[value.index()] == Code::Slot(length)
                })
            {
                least = least.max(1);
            }
        }
    }
    if machine.visitor().wishes.filled.contains(&list) {
        least = least.max(1);
    }
    let mut distinct = distinct(machine, list);
    if !possible(machine, OpId(list.0 + 1)) {
        if !counting.is_some_and(|counting| ahead::will_have_rows(machine, (counting, list))) {
            return (least, 0);
        }
        // At least one row will be defined.
        distinct = distinct.max(1);
    }
    let most = most.min(distinct);
    let most = most.min(written.saturating_add(free_keys(machine, list)));
    let Some(define) = &repeat.defines else {
        return (least, most);
    };
    let again = define.again.as_ref();
    let Some(Code::Binary(B::Add, first, _)) = define.key.map(|key| &plan.codes[key.index()])
    else {
        return (least, most);
    };
    if again.is_none_or(|again| !strict(plan, again.other)) {
        return (least, most);
    }
    let first = machine.value(*first, Value::Absent).integer();
    let Some(first) = first.and_then(|first| u64::try_from(first).ok()) else {
        return (least, most);
    };
    let table = &machine.state().tables[define.table];
    let bits = u32::from(plan.tables[define.table].key_bits);
    let free = |offset: &u64| {
        let key = first.checked_add(*offset);
        key.is_some_and(|key| (bits >= 64 || key >> bits == 0) && table.find(key).is_none())
    };
    // The elements so far have defined the first rows.
    let run = (written..most.min(1 << 16)).take_while(free).count() as u64;
    (least, written + run)
}

/// Returns the number of elements that a list can still get if each defines a row with a key of its
/// own.
fn free_keys<I: Input, C: Choices, const TREE: bool>(
    machine: &Machine<'_, I, Emitter<'_, C, TREE>>,
    list: OpId,
) -> u64 {
    let plan = machine.plan();
    let index = machine.visitor().index;
    let element = OpId(list.0 + 1);
    let effects = plan.info(element).effects.map(|it| &plan.effects[it]);
    let define = effects.and_then(|effects| effects.defines.as_ref());
    let key = define.filter(|define| define.condition.is_none());
    let key = key.and_then(|define| plan.field_of(element, define.key?));
    let (Some(define), Some(key)) = (define, key) else {
        return u64::MAX;
    };
    if index.keys.get(&key).is_none_or(|key| key.again) {
        return u64::MAX;
    }
    let (low, high) = match index.fixed.get(key.index()) {
        Some(Some(domain)) => (domain.low, domain.high),
        _ => wire_range(&plan.op(key).kind),
    };
    let all = u64::try_from(high.saturating_sub(low).saturating_add(1)).unwrap_or(u64::MAX);
    all.saturating_sub(machine.state().tables[define.table].len() as u64)
}

/// Returns the number of elements that a list can have if each must refer to another row.
fn distinct<I: Input, C: Choices, const TREE: bool>(
    machine: &Machine<'_, I, Emitter<'_, C, TREE>>,
    list: OpId,
) -> u64 {
    let plan = machine.plan();
    let emitter = machine.visitor();
    let inside = (list.0..plan.op(list).end).map(OpId);
    let rows = inside.filter_map(|op| {
        let refs = &plan.refs[plan.info(op).refs?];
        let unique = emitter.index.unique.get(&op)?;
        // An inner list whose elements must differ does not limit the number of such lists.
        if *unique > list {
            return None;
        }
        let rows = machine.state().tables[refs.table].len() as u64;
        let taken = if *unique == list {
            0
        } else {
            hooks::taken(emitter, op).len() as u64
        };
        (strict(plan, refs.dangling) && refs.none.is_none()).then(|| rows.saturating_sub(taken))
    });
    rows.min().unwrap_or(u64::MAX)
}

/// Closes a list, which is complete.
pub fn close<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) {
    let emitter = machine.visitor_mut();
    emitter.enclosing.lists.pop();
    emitter.targeted_length(op);
    if let Some(script) = &mut emitter.script {
        script.close_list();
    }
    if let Some(at) = emitter
        .planned
        .counts
        .iter()
        .rposition(|(planned, _)| *planned == op)
    {
        emitter.planned.counts.swap_remove(at);
    }
    end_element(emitter, op);
}

/// Records which part of the tape (the sequence of choices) an element consumed.
pub fn end_element<C: Choices, const TREE: bool>(emitter: &mut Emitter<'_, C, TREE>, op: OpId) {
    if let Some(at) = emitter
        .enclosing
        .starts
        .iter()
        .rposition(|(known, _)| *known == op)
    {
        let (_, start) = emitter.enclosing.starts.swap_remove(at);
        let end = emitter.choices.position();
        emitter.spans.push(TapeSpan { op, start, end });
    }
}
