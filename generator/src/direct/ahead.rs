//! Rows of tables that are defined between the count of a list and the list, whose elements need
//! them. When the count is chosen, the tables are still empty.

use tracegauge_decoder::{Input, Machine};
use tracegauge_plan::terms::TableId;
use tracegauge_plan::{Kind, OpId, Plan, flags};

use super::{Directed, Emitter};
use crate::tape::Choices;

/// Returns whether the tables that the elements of `list` refer to have rows, or will have rows when
/// the list is written. `counting` is the field that stores the count of the list.
pub fn will_have_rows<I: Input, C: Choices, const TREE: bool>(
    machine: &Machine<'_, I, Emitter<'_, C, TREE>>,
    (counting, list): (OpId, OpId),
) -> bool {
    empty_tables(machine, list).all(|table| {
        let mut defining = defining(machine.plan(), (counting, list), table);
        defining.any(|earlier| planned(machine, earlier) != Some(0))
    })
}

/// Makes sure that the tables that the elements of `list` refer to will have rows.
pub fn ask_for_rows<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    (counting, list): (OpId, OpId),
) {
    let tables: Vec<TableId> = empty_tables(machine, list).collect();
    for table in tables {
        let mut defining = defining(machine.plan(), (counting, list), table);
        let is_open = |earlier: &OpId| planned(machine, *earlier).is_none();
        if let Some(earlier) = defining.find(is_open) {
            machine.visitor_mut().wishes.filled.insert(earlier);
        }
    }
}

/// Returns the tables without rows that the elements of `list` refer to.
fn empty_tables<I: Input, C: Choices, const TREE: bool>(
    machine: &Machine<'_, I, Emitter<'_, C, TREE>>,
    list: OpId,
) -> impl Iterator<Item = TableId> {
    let needs = machine.visitor().index.needs.get(&OpId(list.0 + 1));
    let needs = needs.into_iter().flatten().copied();
    needs.filter(|table| machine.state().tables[*table].is_empty())
}

/// Returns the number of elements that was chosen for a list before the list is written.
fn planned<I: Input, C: Choices, const TREE: bool>(
    machine: &Machine<'_, I, Emitter<'_, C, TREE>>,
    list: OpId,
) -> Option<u64> {
    let mut planned = machine.visitor().planned.counts.iter().rev();
    planned
        .find(|(known, _)| *known == list)
        .map(|(_, count)| *count)
}

/// Returns the lists between two operations whose elements all define rows of a table.
fn defining(
    plan: &Plan,
    (after, before): (OpId, OpId),
    table: TableId,
) -> impl Iterator<Item = OpId> {
    let between = (after.0 + 1..before.0).map(OpId);
    between.filter(move |list| {
        let Kind::Repeat(repeat) = plan.op(*list).kind else {
            return false;
        };
        let element = plan.info(OpId(list.0 + 1)).effects;
        let element = element.and_then(|effects| plan.effects[effects].defines.as_ref());
        let listed = plan.repeats[repeat].defines.as_deref();
        let mut defines = element.into_iter().chain(listed);
        defines.any(|define| define.table == table && define.condition.is_none())
            && is_always_there(plan, *list, after)
    })
}

/// Returns whether a list is always part of the trace, once the operation `after` is.
fn is_always_there(plan: &Plan, list: OpId, after: OpId) -> bool {
    let mut at = list;
    loop {
        if plan.op(at).flags & flags::GUARD != 0 {
            return false;
        }
        let Some(around) = plan.info(at).parent else {
            return true;
        };
        if around <= after && after.0 < plan.op(around).end {
            return true;
        }
        if matches!(plan.op(around).kind, Kind::Repeat(_) | Kind::Switch(_)) {
            return false;
        }
        at = around;
    }
}
