//! Bugs in the handling of faults: a fault is accepted, or a tolerated fault is rejected.

use super::Collector;
use super::words::{Operator, operators};
use crate::terms::FaultKind;
use crate::{Code, CodeId, Count, Extent, Kind, OpId, Plan, flags};

/// The operators for built-in checks.
pub(super) const OPERATORS: &[Operator] = &operators! {
    "fault-taken" / "eof" => "accepts a trace that ends inside the field",
    "fault-taken" / "missing" => "accepts a trace that ends before the last element of a list",
    "fault-taken" / "trailing" => "accepts extra bytes after the end of the data",
    "fault-taken" / "past" => "accepts a size or position past the end of the enclosing part",
    "fault-taken" / "short" => "accepts a part that is too small for its fields",
    "fault-taken" / "rest" => "accepts a part that is larger than its fields",
    "fault-taken" / "negative" => "accepts a negative size or count",
    "fault-taken" / "half" => "accepts half a surrogate pair",
    "fault-taken" / "terminator" => "accepts text without a terminator",
    "fault-taken" / "overlong" => "accepts a number with redundant bytes",
    "fault-taken" / "long" => "accepts a number with more bytes than its width allows",
    "fault-taken" / "wide" => "accepts a number that does not fit in its width",
    "fault-taken" / "depth" => "accepts data that is nested too deeply",
    "fault-taken" => "accepts a fault: {}",
    "tolerance-refused" / "eof" =>
        "rejects a trace that ends early even where traces may end early",
    "tolerance-refused" / "missing" =>
        "rejects a trace that ends early even where traces may end early",
    "tolerance-refused" / "short" =>
        "rejects a size that does not match the fields, even where a mismatch is allowed",
    "tolerance-refused" / "rest" =>
        "rejects a size that does not match the fields, even where a mismatch is allowed",
    "tolerance-refused" / "trailing" =>
        "rejects a size that does not match the fields, even where a mismatch is allowed",
    "tolerance-refused" => "rejects a trace because of a violation that readers must tolerate ({})",
};

pub(super) fn mutate(out: &mut Collector<'_>) {
    let around = out.plan.surroundings();
    for id in out.ops() {
        for (kind, name) in FaultKind::ALL {
            // Other modules mutate the handling of these kinds, for example `text` for encodings
            // and `check` for enumerations.
            let tested = matches!(
                kind,
                FaultKind::Encoding
                    | FaultKind::Enum
                    | FaultKind::Flags
                    | FaultKind::Range
                    | FaultKind::Absent
                    | FaultKind::Empty
                    | FaultKind::Code
            );
            let possible = around[id.index()].may_end(kind);
            if tested || !possible || !out.plan.raises(id, kind) || !reads(out, id, kind) {
                continue;
            }
            let faults = &out.plan.faults[out.plan.op(id).faults];
            let rule = faults.of(kind);
            out.under(rule, |out| {
                if out.plan.accepts(rule) {
                    out.add("tolerance-refused", id, name, move |plan: &mut Plan| {
                        plan.refuse(id, kind);
                    });
                }
                if rule.is_some() && out.plan.rejects(rule) {
                    out.add("fault-taken", id, name, move |plan: &mut Plan| {
                        plan.tolerate(id, kind);
                    });
                }
            });
        }
    }
}

/// Returns whether the operation itself raises the fault, as opposed to an operation inside it. A
/// list itself raises the fault for an early end only if the list must continue until a condition
/// holds.
fn reads(out: &Collector<'_>, id: OpId, kind: FaultKind) -> bool {
    let plan = out.plan;
    let ends = matches!(kind, FaultKind::Eof | FaultKind::Short);
    let faults = &plan.faults[plan.op(id).faults];
    match plan.op(id).kind {
        // The operation takes all remaining bytes, so it can neither end early nor extend past the
        // end.
        Kind::Sized(Extent::ToEnd) | Kind::Bytes(Extent::ToEnd) | Kind::Text(Extent::ToEnd, _)
            if ends || kind == FaultKind::Past =>
        {
            return false;
        }
        // A size that does not fit into the enclosing part raises the fault `past` instead.
        Kind::Sized(_) | Kind::Bytes(_) | Kind::Text(..)
            if kind == FaultKind::Short && faults.of(FaultKind::Past).is_some() =>
        {
            return false;
        }
        _ if ends && begins_element(plan, id) => return false,
        _ => {}
    }
    if kind == FaultKind::Negative
        && let Some(code) = plan.measure(plan.op(id))
        && never_negative(out, code)
    {
        return false;
    }
    match plan.op(id).kind {
        Kind::Repeat(repeat) => {
            let until = matches!(plan.repeats[repeat].count, Count::Until(_));
            let missing = plan.faults[plan.op(id).faults].of(FaultKind::Missing);
            match kind {
                FaultKind::Missing => until,
                _ if ends => until && missing.is_none(),
                _ => true,
            }
        }
        Kind::Structure
        | Kind::Call(_)
        | Kind::Switch(_)
        | Kind::Layout(_)
        | Kind::Nested(_)
        | Kind::Check
        | Kind::Bind(_)
        | Kind::Bits { .. } => !ends,
        _ => true,
    }
}

/// Returns whether a size or count is the value of a field whose tests do not allow negative
/// values.
fn never_negative(out: &Collector<'_>, code: CodeId) -> bool {
    let Code::Slot(slot) = out.plan.codes[code.index()] else {
        return false;
    };
    let mut written = out.ops().filter(|op| {
        let op = out.plan.op(*op);
        op.slot == slot && op.flags & flags::SLOT != 0
    });
    written.all(|field| {
        let allowed = out.allowed.get(&field);
        allowed.is_some_and(|allowed| allowed.low.is_some_and(|low| low >= 0))
    })
}

/// Returns whether the operation reads exactly the first byte of each element of a list that
/// extends to the end of its part. An element is read only if at least one byte is left, so this
/// byte is never missing.
fn begins_element(plan: &Plan, id: OpId) -> bool {
    let one_byte = match plan.op(id).kind {
        Kind::Integer(integer) => integer.width == 1,
        Kind::BitRun { width, .. } => width == 1,
        _ => false,
    };
    let mut inner = id;
    while let Some(around) = plan.info(inner).parent.filter(|_| one_byte) {
        match plan.op(around).kind {
            Kind::Repeat(repeat) => {
                return plan.repeats[repeat].count == Count::ToEnd;
            }
            Kind::Structure if plan.children(around).next() == Some(inner) => inner = around,
            Kind::Switch(_) => inner = around,
            _ => return false,
        }
    }
    false
}
