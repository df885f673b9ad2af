//! Which slots are read by whom.

use std::collections::HashSet;

use super::super::{Kind, MemberPlan, MemberSource, Plan, RowSource, Slot};
use super::pure::{each_code, slots_of};
use crate::plan::{LayoutSource, OpId};
use crate::schema::ReaderDuty;

/// How often each slot is read.
#[derive(Debug, Default)]
pub struct Uses {
    /// By members of records.
    records: Vec<u32>,
    /// By anything else that a verdict depends on.
    others: Vec<u32>,
    /// Operations whose bytes a test blames that stands elsewhere.
    blamed: HashSet<OpId>,
}

impl Uses {
    /// Looks through `plan`. What only coverage asks for does not count: it runs operations.
    pub fn new(plan: &Plan) -> Self {
        let mut all = vec![0; plan.slots as usize];
        for code in &plan.codes {
            for slot in slots_of(code) {
                count(&mut all, slot);
            }
        }
        for carry in &plan.carries {
            carry
                .previous
                .iter()
                .for_each(|slot| count(&mut all, *slot));
        }
        for layout in &plan.layouts {
            if let LayoutSource::Row(RowSource::Slot(slot), _) = layout.source {
                count(&mut all, slot);
            }
            if let Some((_, presence)) = &layout.optional {
                count(&mut all, plan.op(*presence).slot);
            }
        }
        let mut records = vec![0; all.len()];
        for record in &plan.records {
            each_member(plan, &record.members, &mut records);
        }
        let mut unwanted = vec![0; all.len()];
        for (rule, when) in plan.infos.iter().flat_map(|info| &info.obeys) {
            if let (false, Some(when)) = (matters(plan, *rule), when) {
                each_code(plan, *when, &mut |code| {
                    slots_of(code).for_each(|slot| count(&mut unwanted, slot));
                });
            }
        }
        let others = all.iter().zip(records.iter().zip(&unwanted));
        let others = others.map(|(all, (records, unwanted))| {
            let all: &u32 = all;
            all.saturating_sub(records + unwanted)
        });
        let endings = plan.effects.iter().flat_map(|effects| &effects.checks);
        let tests = endings.chain(&plan.checks);
        Self {
            others: others.collect(),
            records,
            blamed: tests.filter_map(|test| test.blame).collect(),
        }
    }

    /// Someone may ask where an operation begins and ends.
    pub fn spans(&self, plan: &Plan, op: OpId) -> Option<(Slot, Slot)> {
        let slots = plan.info(op).span_slots?;
        let asks = |slot: Slot| self.others(slot) + self.records(slot) > 0;
        let asked = asks(slots.0) || asks(slots.1) || self.blamed.contains(&op);
        asked.then_some(slots)
    }

    /// How often a verdict depends on the slot.
    pub fn others(&self, slot: Slot) -> u32 {
        self.others.get(slot.index()).copied().unwrap_or(0)
    }

    /// How often members of records read it.
    pub fn records(&self, slot: Slot) -> u32 {
        self.records.get(slot.index()).copied().unwrap_or(0)
    }
}

/// Whether it makes a difference to a verdict that a rule is shown where it is obeyed.
pub fn matters(plan: &Plan, rule: u32) -> bool {
    let rule = &plan.rules[rule as usize];
    rule.duty == ReaderDuty::Either || !rule.frees.is_empty()
}

fn count(uses: &mut [u32], slot: Slot) {
    if let Some(uses) = uses.get_mut(slot.index()) {
        *uses += 1;
    }
}

fn each_member(plan: &Plan, members: &[MemberPlan], uses: &mut [u32]) {
    for member in members {
        match &member.source {
            MemberSource::Object(inner) => each_member(plan, inner, uses),
            MemberSource::Value(code, _) => each_code(plan, *code, &mut |code| {
                slots_of(code).for_each(|slot| count(uses, slot));
            }),
        }
    }
}

/// Whether anything inside an operation changes tables or registers when it ends. What the
/// operation itself changes then comes after its record.
pub fn changes_inside(plan: &Plan, op: OpId) -> bool {
    (op.index() + 1..plan.op(op).end as usize).any(|index| {
        let defines = match plan.ops[index].kind {
            Kind::Repeat(repeat) => plan.repeats[repeat as usize].defines.is_some(),
            _ => false,
        };
        let effects = plan.infos[index].effects;
        let effects = effects.map(|effects| &plan.effects[effects as usize]);
        defines
            || effects.is_some_and(|effects| {
                effects.defines.is_some()
                    || effects.removes.is_some()
                    || !effects.clears.is_empty()
                    || !effects.sets.is_empty()
            })
    })
}
