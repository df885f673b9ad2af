//! Counts how often each slot is read, and for what purpose.

use std::collections::{HashMap, HashSet};

use super::pure::{each_code, slots_of};
use crate::terms::{ReaderDuty, RuleId};
use crate::{
    CodeId, Count, Kind, LayoutSource, MemberPlan, MemberSource, OpId, Plan, RecordUseId,
    RowSource, Slot, flags,
};

/// The number of times that each slot is read.
#[derive(Debug, Default)]
pub struct Uses {
    /// The number of times that record members read each slot.
    records: Vec<u32>,
    /// The number of reads of each slot that affect a verdict, excluding reads by record members.
    others: Vec<u32>,
    /// The record that reads each slot, or `None` for a slot that several records read.
    readers: HashMap<Slot, Option<RecordUseId>>,
    /// Operations that a later test reports as the location of a violation.
    blamed: HashSet<OpId>,
}

impl Uses {
    /// Counts the reads in `plan`. Reads that serve only coverage are not counted, because coverage
    /// is measured on operations rather than steps.
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
        let mut members = HashSet::new();
        let mut readers = HashMap::new();
        for (id, record) in plan.records.entries() {
            let mut own = HashSet::new();
            each_member(plan, &record.members, &mut own);
            for slot in own
                .iter()
                .flat_map(|code| slots_of(&plan.codes[code.index()]))
            {
                let reader = readers.entry(slot).or_insert(Some(id));
                *reader = reader.filter(|known| *known == id);
            }
            members.extend(own);
        }
        // An expression may be part of several expressions, only some of which belong to records.
        let shared = shared(plan, &members);
        let mut records = vec![0; all.len()];
        for code in members.difference(&shared) {
            slots_of(&plan.codes[code.index()]).for_each(|slot| count(&mut records, slot));
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
        let late = plan.effects.iter().flat_map(|effects| &effects.checks);
        let tests = plan.checks.iter().chain(late);
        Self {
            others: others.collect(),
            records,
            readers,
            blamed: tests.filter_map(|test| test.blame).collect(),
        }
    }

    /// Returns the slots with the start and end positions of an operation, or `None` if nothing
    /// reads these positions.
    pub fn spans(&self, plan: &Plan, op: OpId) -> Option<(Slot, Slot)> {
        let slots = plan.info(op).span_slots?;
        let asks = |slot: Slot| self.others(slot) + self.records(slot) > 0;
        let asked = asks(slots.0) || asks(slots.1) || self.blamed.contains(&op);
        asked.then_some(slots)
    }

    /// Returns the number of reads of the slot by expressions that affect a verdict.
    pub fn others(&self, slot: Slot) -> u32 {
        self.others.get(slot.index()).copied().unwrap_or(0)
    }

    /// Returns the only record whose members read the slot.
    pub fn reader(&self, slot: Slot) -> Option<RecordUseId> {
        self.readers.get(&slot).copied().flatten()
    }

    /// Returns the number of times that record members read the slot.
    pub fn records(&self, slot: Slot) -> u32 {
        self.records.get(slot.index()).copied().unwrap_or(0)
    }
}

/// Returns whether exercising this rule can change the verdict or exclude record members from
/// comparison, or is worth a note.
pub fn matters(plan: &Plan, rule: RuleId) -> bool {
    let rule = &plan.rules[rule];
    rule.duty == ReaderDuty::Either || !rule.frees.is_empty() || rule.writer_habit
}

fn count(uses: &mut [u32], slot: Slot) {
    if let Some(uses) = uses.get_mut(slot.index()) {
        *uses += 1;
    }
}

/// Collects the expressions in the values of record members.
fn each_member(plan: &Plan, members: &[MemberPlan], found: &mut HashSet<CodeId>) {
    for member in members {
        match &member.source {
            MemberSource::Object(inner) => each_member(plan, inner, found),
            MemberSource::Value(code, _) | MemberSource::Named(code, _) => {
                collect(plan, *code, found);
            }
        }
    }
}

/// Collects an expression and the expressions inside it.
fn collect(plan: &Plan, code: CodeId, found: &mut HashSet<CodeId>) {
    if let Some(described) = plan.codes.get(code.index())
        && found.insert(code)
    {
        for operand in described.operands() {
            collect(plan, operand, found);
        }
    }
}

/// Returns those of the expressions `members` that something other than a record evaluates, too.
fn shared(plan: &Plan, members: &HashSet<CodeId>) -> HashSet<CodeId> {
    let others = (0..plan.codes.len()).map(CodeId::from);
    let others = others.filter(|code| !members.contains(code));
    let operands = others.flat_map(|code| plan.codes[code.index()].operands());
    let mut shared = HashSet::new();
    for code in operands
        .chain(roots(plan))
        .filter(|code| members.contains(code))
    {
        collect(plan, code, &mut shared);
    }
    shared
}

/// Returns the expressions that control how a trace is read, or that tests evaluate.
fn roots(plan: &Plan) -> Vec<CodeId> {
    let guarded = plan.ops.iter().filter(|op| op.flags & flags::GUARD != 0);
    let mut found: Vec<CodeId> = guarded.map(|op| op.guard).collect();
    found.extend(plan.ops.iter().filter_map(|op| plan.measure(op)));
    found.extend(plan.ops.iter().filter_map(|op| match op.kind {
        Kind::Bind(code) => Some(code),
        Kind::Switch(switch) => Some(plan.switches[switch].on),
        Kind::At(location) => plan.locations[location].offset,
        Kind::Repeat(repeat) => match plan.repeats[repeat].count {
            Count::Until(code) => Some(code),
            Count::Computed(_) | Count::ToEnd => None,
        },
        _ => None,
    }));
    let late = plan.effects.iter().flat_map(|effects| &effects.checks);
    for test in plan.checks.iter().chain(late) {
        found.extend(test.codes());
    }
    found
}

/// Returns whether any operation inside `op` changes tables or registers when that operation ends.
/// Changes made by `op` itself are not considered, because they happen after its record is
/// complete.
pub fn changes_inside(plan: &Plan, op: OpId) -> bool {
    (op.index() + 1..plan.op(op).end as usize).any(|index| {
        let defines = match plan.ops[index].kind {
            Kind::Repeat(repeat) => plan.repeats[repeat].defines.is_some(),
            _ => false,
        };
        let effects = plan.infos[index].effects;
        let effects = effects.map(|effects| &plan.effects[effects]);
        defines
            || effects.is_some_and(|effects| {
                effects.defines.is_some()
                    || effects.removes.is_some()
                    || !effects.clears.is_empty()
                    || !effects.sets.is_empty()
            })
    })
}
