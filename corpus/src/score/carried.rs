//! How carried values go on: where a reader shows that it keeps the value before, adds to it, lets
//! it wrap, and forgets it when the document says so.

use std::collections::{BTreeSet, HashMap};

use tracegauge_decoder::CarryMark;
use tracegauge_spec::plan::{Kind, OpId, Plan, SetTargetPlan, flags};

use super::Obligation;

/// How a value goes on from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CarryStep {
    /// With the same value.
    Same,
    /// With a greater one.
    Greater,
    /// With a lesser one, that did not wrap.
    Lesser,
    /// With one that wrapped.
    Wrapped,
    /// From a start that is not the value before.
    Restarted,
    /// Left out, from a start that is not the value before.
    AbsentRestarted,
}

impl CarryStep {
    /// It in words, after the path of the field.
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

/// How carried values can go on, as far as the plan alone says.
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
        let carry = &plan.carries[index as usize];
        let mut steps = vec![CarryStep::Greater];
        // Where something is always added the next is never the same.
        if carry.then.is_none() {
            steps.push(CarryStep::Same);
        }
        if !carry.add {
            steps.push(CarryStep::Lesser);
        }
        if carry.wraps.is_some() {
            steps.push(CarryStep::Wrapped);
        }
        // A value that is there replaces what was before, whatever it was.
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

/// Something else than the field itself says what it starts from.
fn restarts(plan: &Plan, op: OpId, index: u32) -> bool {
    let carry = &plan.carries[index as usize];
    let cleared = || {
        let mut effects = plan.effects.iter();
        effects.any(|effects| effects.clears.iter().any(|clear| clear.table.is_none()))
    };
    let set = |register: u32| {
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

/// The number of repetitions that an operation is in: in the inner one values are carried.
fn lists_around(plan: &Plan, op: OpId) -> usize {
    let outer = |op: &OpId| plan.info(*op).parent;
    let around = std::iter::successors(Some(op), outer);
    around
        .filter(|op| matches!(plan.op(*op).kind, Kind::Repeat(_)))
        .count()
}

/// Follows the carried values of a trace.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// What each was last, by what it is kept in.
    last: HashMap<Kept, i128>,
    pub(super) met: BTreeSet<Obligation>,
}

/// Where a carried value is kept between two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kept {
    Register(u32),
    Field(OpId),
}

impl Carried {
    pub(super) fn mark(&mut self, plan: &Plan, op: OpId, mark: CarryMark) {
        let Some(index) = plan.info(op).carry else {
            return;
        };
        let kept = match plan.carries[index as usize].register {
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
