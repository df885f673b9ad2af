//! Coverage of carried values, which a reader derives from an earlier value of the same field:
//! whether the traces test that a reader remembers the previous value, adds to it, wraps around at
//! the limit, and resets the value when the specification requires this.

use std::collections::{BTreeSet, HashMap};

use tracegauge_decoder::CarryMark;
use tracegauge_plan::terms::RegisterId;
use tracegauge_plan::{CarryId, Kind, OpId, Plan, SetTargetPlan, flags};

use super::Obligation;

/// How a carried value differs from the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CarryStep {
    /// The value is the same.
    Same,
    /// The value is greater.
    Greater,
    /// The value is smaller but did not wrap.
    Lesser,
    /// The value wrapped around.
    Wrapped,
    /// The value is present and was computed from a starting point other than the previous value.
    Restarted,
    /// The value is absent, and readers compute it from a starting point other than the previous
    /// value.
    AbsentRestarted,
}

impl CarryStep {
    /// Describes the change in words that follow the path of the field.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "the same as before",
            Self::Greater => "greater than before",
            Self::Lesser => "less than before",
            Self::Wrapped => "wrapped around",
            Self::Restarted => "from a new start",
            Self::AbsentRestarted => "left out after a new start",
        }
    }
}

/// Returns the changes that carried values can undergo, as far as they can be derived from the
/// plan.
pub(super) fn carried(plan: &Plan) -> Vec<Obligation> {
    let mut found = Vec::new();
    for (op, info) in (0..).map(OpId).zip(&plan.infos) {
        let is_number = matches!(
            plan.op(op).kind,
            Kind::Integer(_) | Kind::Variable(..) | Kind::Bits { .. }
        );
        let Some(index) = info.carry.filter(|_| is_number) else {
            continue;
        };
        let carry = &plan.carries[index];
        let mut steps = vec![CarryStep::Greater];
        // If something is always added, the next value is never the same.
        if carry.then.is_none() {
            steps.push(CarryStep::Same);
        }
        if !carry.add {
            steps.push(CarryStep::Lesser);
        }
        if carry.wraps.is_some() {
            steps.push(CarryStep::Wrapped);
        }
        // Without addition, a value that is present replaces the previous one, so a new starting
        // point has no effect on it.
        if restarts(plan, op, index) {
            if carry.add {
                steps.push(CarryStep::Restarted);
            }
            if carry.previous.is_some() && plan.op(op).flags & flags::GUARD != 0 {
                steps.push(CarryStep::AbsentRestarted);
            }
        }
        found.extend(steps.into_iter().map(|step| Obligation::Carry(op, step)));
    }
    found
}

/// Returns true if anything other than the field itself can change the starting point for computing
/// the field's value.
fn restarts(plan: &Plan, op: OpId, index: CarryId) -> bool {
    let carry = &plan.carries[index];
    let cleared = || {
        let mut effects = plan.effects.iter();
        effects.any(|effects| effects.clears.iter().any(|clear| clear.table.is_none()))
    };
    let set = |register: RegisterId| {
        let mut effects = plan.effects.iter();
        effects.any(|effects| {
            let mut sets = effects.sets.iter();
            sets.any(|set| matches!(set.target, SetTargetPlan::Register(to) if to == register))
        })
    };
    match carry.register {
        Some(register) => cleared() || set(register),
        None => lists_around(plan, op) > 1,
    }
}

/// Returns the number of repetitions that enclose an operation. Values are carried from each
/// element of the innermost repetition to the next element.
fn lists_around(plan: &Plan, op: OpId) -> usize {
    let outer = |op: &OpId| plan.info(*op).parent;
    let around = std::iter::successors(Some(op), outer);
    around
        .filter(|op| matches!(plan.op(*op).kind, Kind::Repeat(_)))
        .count()
}

/// Tracks the carried values of a trace.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// The last value at each location where carried values are stored.
    last: HashMap<Kept, i128>,
    pub(super) met: BTreeSet<Obligation>,
}

/// The location where a carried value is stored until the next field needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kept {
    Register(RegisterId),
    Field(OpId),
}

impl Carried {
    pub(super) fn mark(&mut self, plan: &Plan, op: OpId, mark: CarryMark) {
        let Some(index) = plan.info(op).carry else {
            return;
        };
        let kept = match plan.carries[index].register {
            Some(register) => Kept::Register(register),
            None => Kept::Field(op),
        };
        let to = i128::from(mark.to);
        let last = self.last.insert(kept, to);
        let mut met = |step| {
            self.met.insert(Obligation::Carry(op, step));
        };
        let Some(last) = last else {
            return;
        };
        match (last == mark.from, mark.there) {
            (false, true) => met(CarryStep::Restarted),
            (false, false) => met(CarryStep::AbsentRestarted),
            (true, false) => {}
            (true, true) if mark.wrapped => met(CarryStep::Wrapped),
            (true, true) => met(match to.cmp(&mark.from) {
                std::cmp::Ordering::Equal => CarryStep::Same,
                std::cmp::Ordering::Greater => CarryStep::Greater,
                std::cmp::Ordering::Less => CarryStep::Lesser,
            }),
        }
    }
}
