//! Finds expressions that depend only on values and not on the reading position. Such an expression
//! can be evaluated at any position.

use crate::{CheckKind, CheckPlan, Code, CodeId, Plan, RowSource, Slot, StreamRef};

/// Calls `each` with an expression and all expressions nested in it.
pub fn each_code(plan: &Plan, id: CodeId, each: &mut impl FnMut(&Code)) {
    let Some(code) = plan.codes.get(id.index()) else {
        return;
    };
    each(code);
    for operand in code.operands() {
        each_code(plan, operand, each);
    }
}

/// Returns the slots that an expression reads directly, excluding nested expressions.
pub fn slots_of(code: &Code) -> impl Iterator<Item = Slot> {
    let slots = match code {
        Code::Slot(slot)
        | Code::Column(RowSource::Slot(slot), _)
        | Code::HasRow(RowSource::Slot(slot))
        | Code::Row(RowSource::Slot(slot))
        | Code::RowKind(_, RowSource::Slot(slot)) => [Some(*slot), None],
        Code::Between(start, end) | Code::Stream(StreamRef::Part(start, end), _) => {
            [Some(*start), Some(*end)]
        }
        _ => [None, None],
    };
    slots.into_iter().flatten()
}

/// Returns whether an expression depends only on values and not on the reading position. `index_known`
/// says whether it may also depend on the index of the current element.
pub fn pure(plan: &Plan, id: CodeId, index_known: bool) -> bool {
    let mut pure = true;
    each_code(plan, id, &mut |code| {
        pure &= match code {
            Code::Index(_) => index_known,
            code => is_value(code),
        };
    });
    pure
}

/// Returns whether an expression without its operands depends only on values.
fn is_value(code: &Code) -> bool {
    matches!(
        code,
        Code::Int(_)
            | Code::Float(_)
            | Code::Bool(_)
            | Code::Text(_)
            | Code::Absent
            | Code::This
            | Code::Slot(_)
            | Code::Register(_)
            | Code::Column(..)
            | Code::HasRow(_)
            | Code::Between(..)
            | Code::Row(_)
            | Code::RowKind(..)
            | Code::Unary(..)
            | Code::Binary(..)
            | Code::Conditional(..)
            | Code::Else(..)
            | Code::IsPresent(_)
            | Code::Extreme { .. }
            | Code::HasBits(..)
            | Code::OfText(..)
            | Code::ContainsByte(..)
            | Code::IsDecimal(_)
            | Code::IsDate(_)
    )
}

/// Returns whether a test depends only on values and not on the reading position.
pub fn pure_test(plan: &Plan, test: &CheckPlan, index_known: bool) -> bool {
    // These tests parse the contents of a string, which steps do not support.
    let looks_inside = matches!(test.kind, CheckKind::Json(_) | CheckKind::Signature(_));
    !looks_inside && test.codes().all(|code| pure(plan, code, index_known))
}

/// Returns whether an expression reads only the value in `slot` and values of table rows.
pub fn asks_only(plan: &Plan, id: CodeId, slot: Slot) -> bool {
    let mut only = pure(plan, id, false);
    each_code(plan, id, &mut |code| {
        only &= !matches!(code, Code::Register(_) | Code::This);
        only &= slots_of(code).all(|asked| asked == slot);
        only &= !matches!(
            code,
            Code::Column(RowSource::Register(_), _)
                | Code::HasRow(RowSource::Register(_))
                | Code::Row(RowSource::Register(_))
                | Code::RowKind(_, RowSource::Register(_))
        );
    });
    only
}
