//! The values that changes give to numbers.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::operator::BinaryOperator;
use tracegauge_plan::{CheckKind, CheckPlan, Code, CodeId, Kind};

use super::{Change, ForbiddenNumber};
use crate::fault::evaluate::{Assumed, Value};
use crate::fault::judged::Judged;
use crate::fault::no_case::NoCase;
use crate::fault::number;
use crate::fault::twin::Twin;

/// Returns the value that a change produces, or `None` if the field cannot represent it.
pub(super) fn candidate(
    twin: &Twin<'_>,
    node: NodeId,
    check: &CheckPlan,
    judged: &Judged,
    ForbiddenNumber { test, change }: ForbiddenNumber,
) -> Result<Option<i128>, NoCase> {
    let old = twin.integer(node).ok_or(NoCase::Lacking)?;
    let bound = match &check.kind {
        CheckKind::Equal(code) | CheckKind::Min(code) | CheckKind::Max(code) => {
            let bound = twin.evaluate(*code, judged.at, &Value::Int(old));
            bound.and_then(|bound| bound.integer())
        }
        _ => Some(old),
    };
    // The test may compare the field with something that this trace lacks.
    let bound = bound.ok_or(NoCase::Lacking)?;
    let range = twin.value_range(node).ok_or(NoCase::Lacking)?;
    let is_own = test.owner == twin.node(node).op;
    let forbidden = |value: &i128| {
        let number = Value::Int(*value);
        let values = [(node, *value)];
        let holds = match is_own {
            true => twin.check_holds(&check.kind, judged.at, &number),
            false => {
                let at = judged.at.assuming(Assumed {
                    values: &values,
                    ..Assumed::default()
                });
                twin.check_holds(&check.kind, at, &Value::Absent)
            }
        };
        holds == Some(false)
    };
    if matches!(check.kind, CheckKind::Holds(_))
        && let Some(value) = first_forbidden(old, range, forbidden, change)
    {
        return Ok(Some(value));
    }
    let value = changed_number(&twin.op(node).kind, range, (old, bound), forbidden, change);
    let value = value.filter(|value| (range.0..=range.1).contains(value));
    if let CheckKind::Holds(code) = check.kind
        && change == Change::Above
        && !value.as_ref().is_some_and(forbidden)
    {
        let mut compared = compared_with(twin, code, judged, old);
        return Ok(compared.find(forbidden).or(value));
    }
    Ok(value)
}

/// Returns the values that a condition compares with others for equality, except constants, which
/// have cases of their own. A condition may forbid a number only because it equals another value of
/// the trace.
fn compared_with<'t>(
    twin: &'t Twin<'_>,
    code: CodeId,
    judged: &'t Judged,
    old: i128,
) -> impl Iterator<Item = i128> + 't {
    let operands = twin.plan.expressions_in(code).flat_map(|code| match code {
        Code::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual, left, right) => {
            vec![*left, *right]
        }
        _ => Vec::new(),
    });
    let operands = operands.filter(|code| !matches!(twin.plan.codes[code.index()], Code::Int(_)));
    let value = move |code| twin.evaluate(code, judged.at, &Value::Int(old))?.integer();
    operands.filter_map(value)
}

/// Returns the number nearest to the old value, above or below it, that a condition forbids, if the
/// condition allows the old value and forbids the last number in this direction.
fn first_forbidden(
    old: i128,
    (least, greatest): (i128, i128),
    forbidden: impl Fn(&i128) -> bool,
    change: Change,
) -> Option<i128> {
    let last = match change {
        Change::Above => greatest,
        Change::Below => least,
        _ => return None,
    };
    if forbidden(&old) || !forbidden(&last) {
        return None;
    }
    let (mut allowed, mut found) = (old, last);
    while allowed.abs_diff(found) > 1 {
        let middle = allowed.midpoint(found);
        match forbidden(&middle) {
            true => found = middle,
            false => allowed = middle,
        }
    }
    Some(found)
}

/// Returns the number that results from changing the old value of a field, or the bound of its
/// test, within the range of the field.
fn changed_number(
    kind: &Kind,
    (least, greatest): (i128, i128),
    (old, bound): (i128, i128),
    forbidden: impl Fn(&i128) -> bool,
    change: Change,
) -> Option<i128> {
    Some(match change {
        Change::Above => bound.checked_add(1)?,
        Change::Below => bound.checked_sub(1)?,
        Change::Zero => 0,
        Change::AllOnes => wrapped(kind, -1),
        Change::Greatest => greatest,
        Change::Least => least,
        Change::Swapped => swapped(kind, bound)?,
        Change::Flipped => {
            let bits = number::bits(kind);
            wrapped(kind, bound ^ 1_i128.checked_shl(bits.checked_sub(1)?)?)
        }
        Change::Undeclared(value) | Change::Elsewhere(value) | Change::Given(value) => value,
        Change::ReservedBits(bits) => old | bits,
        Change::Wraps => {
            let wrap = number::wrap(kind)?;
            // Truncated to fewer bits, one candidate equals the old value, and the other equals the
            // bound.
            let wrapped = [old, bound].map(|value| value.saturating_add(wrap));
            wrapped.into_iter().find(forbidden).unwrap_or(wrapped[0])
        }
    })
}

/// Truncates a value to the width of a field.
pub(super) fn wrapped(kind: &Kind, value: i128) -> i128 {
    let bits = number::bits(kind).clamp(1, 64);
    let value = value & ((1_i128 << bits) - 1);
    match kind.range() {
        Some((least, greatest)) if least < 0 && value > greatest => value - (1_i128 << bits),
        _ => value,
    }
}

pub(super) fn swapped(kind: &Kind, value: i128) -> Option<i128> {
    let Kind::Integer(integer) = kind else {
        return None;
    };
    let mut bytes = number::whole(*integer, value);
    bytes.reverse();
    number::wire(kind, &bytes)
}
