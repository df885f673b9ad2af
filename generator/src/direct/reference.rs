//! Chooses numbers that refer to table rows, and keys for new rows.

use tracegauge_decoder::{Input, Machine, Refused, Value};
use tracegauge_plan::terms::TableId;
use tracegauge_plan::{CarryId, CodeId, OpId, Plan, RefsPlan, RowKindId};

use super::severity::strict;
use super::stored::whole_range;
use super::{Directed, Emitter, hooks, lists, solve};
use crate::tape::Choices;

/// Sets the share of dangling references: on average, one in `DANGLING + 1` references refers to no
/// row, provided that readers tolerate such references.
const DANGLING: u64 = 15;

/// The maximum number of rows among which a row is searched that satisfies the tests of the field.
const MOST_TESTED: usize = 64;

/// Returns the condition of a reference, if it depends on the value of the field: some values refer
/// to a row, and others do not.
pub fn own_condition(plan: &Plan, op: OpId) -> Option<CodeId> {
    let refs = plan.info(op).refs.map(|index| &plan.refs[index])?;
    let slot = plan.op(op).slot;
    refs.condition
        .filter(|condition| solve::mentions(plan, *condition, slot))
}

/// Chooses the key of an existing row. Returns `Ok(None)` if the field may have any value, because
/// it is not a reference at the current position or because it may refer to an unknown key.
pub fn reference<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    wanted: Option<i128>,
) -> Result<Option<i128>, Refused> {
    let plan = machine.plan();
    if let Some(table) = machine.visitor().index.removed.get(&op).copied() {
        return removal(machine, op, table, wanted);
    }
    let Some(refs) = plan.info(op).refs.map(|index| &plan.refs[index]) else {
        return Ok(None);
    };
    let sums = |carry: CarryId| plan.carries[carry].add;
    let own = own_condition(plan, op);
    let unwanted = refs
        .condition
        .filter(|_| own.is_none())
        .is_some_and(|condition| !machine.value(condition, Value::Absent).truth());
    if unwanted || plan.info(op).carry.is_some_and(sums) {
        return Ok(None);
    }
    let none = refs
        .none
        .and_then(|none| machine.value(none, Value::Absent).integer());
    let table = &machine.state().tables[refs.table];
    let (places, live) = (table.places() as u64, !table.is_empty());
    if let Some(own) = own.filter(|_| !machine.visitor().options.odd) {
        let refers = wanted.map(|key| machine.value(own, Value::Int(key)).truth());
        let possible = live || none.is_some();
        let choices = &mut machine.visitor_mut().choices;
        if !possible || choices.choose(1, refers.map(|refers| u64::from(!refers))) == 1 {
            return Ok(None);
        }
    }
    let table = &machine.state().tables[refs.table];
    let place = wanted.map(|key| {
        let row = u64::try_from(key).ok().and_then(|key| table.find(key));
        row.map(u64::from).or((Some(key) == none).then_some(places))
    });
    let tolerated =
        !strict(plan, refs.dangling) && refs.later.is_none_or(|later| !strict(plan, Some(later)));
    let emitter = machine.visitor_mut();
    let permitted = emitter.permits(plan, refs.dangling) || emitter.permits(plan, refs.later);
    if (tolerated && (permitted || !emitter.is_plain(op))) || emitter.options.odd {
        let dangles = place.map(|place| if place.is_none() { DANGLING } else { 0 });
        if emitter.choices.choose(DANGLING, dangles) == DANGLING {
            return Ok(None);
        }
    }
    // In a plain trace, a field refers to no row only if the table is empty, unless references to
    // no row are usual.
    let none = none.filter(|_| !live || emitter.permits_all(plan, op) || !emitter.is_plain(op));
    let total = if live { places } else { 0 } + u64::from(none.is_some());
    if total == 0 {
        let why = "the table has no row to which the field could refer";
        return if tolerated {
            Ok(None)
        } else {
            Err(emitter.refuse(op, why))
        };
    }
    let first = if live { 0 } else { places };
    let wanted = place.flatten().map(|place| place - first);
    let chosen = first + emitter.choices.choose(total - 1, wanted);
    let chosen = usize::try_from(chosen).unwrap_or_default();
    if let Some(none) = none
        && chosen as u64 >= places
    {
        return Ok(Some(none));
    }
    // A key may be too large for a narrower field.
    let (low, high) = whole_range(machine, op);
    let table = &machine.state().tables[refs.table];
    let odd = machine.visitor().options.odd;
    let taken = hooks::taken(machine.visitor(), op);
    let keys = table
        .rows_from(chosen)
        .filter(|row| odd || kind_possible(machine, refs, row.kind))
        .map(|row| i128::from(row.key))
        .filter(|key| (low..=high).contains(key) && !taken.contains(key));
    let is_tested = !odd && (own.is_some() || !plan.tests_of(op).is_empty());
    let keys: Vec<i128> = keys.take(if is_tested { MOST_TESTED } else { 1 }).collect();
    let mut tested = keys.iter().copied().filter(|_| is_tested);
    let passing = tested.find(|key| {
        let value = Value::Int(*key);
        machine.holds(op, value) && own.is_none_or(|own| machine.value(own, value).truth())
    });
    if passing.is_none() && own.is_some() {
        return Ok(None);
    }
    let key = passing.or(keys.first().copied());
    match key {
        None if !tolerated && !machine.visitor().options.odd => {
            let why = "no row of the table has a key that fits in the field";
            Err(machine.visitor_mut().refuse(op, why))
        }
        key => Ok(key),
    }
}

/// Returns whether the alternative selected by a row's kind can be written at the current position.
fn kind_possible<I: Input, C: Choices, const TREE: bool>(
    machine: &Machine<'_, I, Emitter<'_, C, TREE>>,
    refs: &RefsPlan,
    kind: Option<RowKindId>,
) -> bool {
    let decided = refs.row_slot;
    let decided = decided.and_then(|slot| machine.visitor().index.kinds.get(&slot));
    let (Some(switch), Some(kind)) = (decided, kind) else {
        return true;
    };
    let arms = machine.plan().switches[*switch].arms.iter();
    let mut taken = arms.filter(|(labels, _)| labels.contains(&i128::from(kind.0)));
    taken.all(|(_, arm)| lists::possible(machine, *arm))
}

/// Chooses the key of an existing row to be removed.
fn removal<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    table: TableId,
    wanted: Option<i128>,
) -> Result<Option<i128>, Refused> {
    let rows = &machine.state().tables[table];
    let (places, live) = (rows.places() as u64, !rows.is_empty());
    let place = wanted.map(|key| {
        let row = u64::try_from(key).ok().and_then(|key| rows.find(key));
        row.map(u64::from)
    });
    let emitter = machine.visitor_mut();
    if emitter.options.odd {
        let dangles = place.map(|place| if place.is_none() { DANGLING } else { 0 });
        if emitter.choices.choose(DANGLING, dangles) == DANGLING {
            return Ok(None);
        }
    }
    if !live {
        return Err(emitter.refuse(op, "the table has no row that could be removed"));
    }
    let chosen = emitter.choices.choose(places - 1, place.flatten());
    let chosen = usize::try_from(chosen).unwrap_or_default();
    let rows = &machine.state().tables[table];
    Ok(rows.row_from(chosen).map(|row| i128::from(row.key)))
}
