//! Handles carried sizes: a size field may be omitted if the value that it measures has the same
//! size as in the previous element.

use tracegauge_decoder::Input;
use tracegauge_plan::terms::TableId;
use tracegauge_plan::{Code, Derived, Kind, LayoutSource, Measure, OpId, Plan, Scale, Slot, flags};

use super::Directed;
use crate::tape::Choices;

/// Returns whether the measured value is again `size` bytes long, as in the previous element.
/// Returns true only if the field that refers to a row is also omitted, so that the value uses the
/// same row as before, and all fields described by this row have a fixed size.
pub fn same_size<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    field: OpId,
    size: i128,
) -> bool {
    let plan = machine.plan();
    let Some(Derived::Measured {
        of,
        measure: Measure::Size,
        scale: Scale::SAME,
    }) = plan.info(field).derived
    else {
        return false;
    };
    let Kind::Sized(_) = plan.op(of).kind else {
        return false;
    };
    let Kind::Layout(index) = plan.op(OpId(of.0 + 1)).kind else {
        return false;
    };
    let LayoutSource::Row(_, column) = plan.layouts[index].source else {
        return false;
    };
    let Some((guard, previous)) = naming(plan, field, column.table) else {
        return false;
    };
    if machine.slot(guard).integer() != Some(0) {
        return false;
    }
    let key = machine.slot(previous).integer();
    let table = &machine.state().tables[column.table];
    let place = key.and_then(|key| u64::try_from(key).ok());
    let row = place
        .and_then(|key| table.find(key))
        .and_then(|place| table.row(place));
    let layout = row.and_then(|row| row.layouts.iter().find(|(known, _)| *known == index));
    let Some((_, layout)) = layout else {
        return false;
    };
    let sizes = layout.own().iter().map(|field| {
        let fixed = !field.optional && !field.located;
        field.size.filter(|_| fixed)
    });
    let sum: Option<u64> = sizes.sum();
    sum.is_some_and(|sum| i128::from(sum) == size)
}

/// Finds the carried field next to `field` that refers to a row of `table`. Returns the slot of the
/// flag that controls whether the field is present, and the slot of the field's previous value.
fn naming(plan: &Plan, field: OpId, table: TableId) -> Option<(Slot, Slot)> {
    let around = plan.info(field).parent?;
    plan.children(around).find_map(|sibling| {
        let info = plan.info(sibling);
        let names = info.refs.map(|refs| plan.refs[refs].table) == Some(table);
        let carry = &plan.carries[info.carry.filter(|_| names)?];
        let guarded = plan.op(sibling).flags & flags::GUARD != 0;
        match plan.codes[plan.op(sibling).guard.index()] {
            Code::Slot(guard) if guarded && !carry.add => Some((guard, carry.previous?)),
            _ => None,
        }
    })
}
