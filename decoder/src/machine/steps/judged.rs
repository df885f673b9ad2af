//! What is asked of values that steps have read, and what they show.

use tracegauge_spec::plan::{CheckKind, Leaf, OpId, Plan, Tests};
use tracegauge_spec::schema::{Continuation, ReaderDuty};

use super::Change;
use crate::input::Input;
use crate::machine::Machine;
use crate::machine::row::bits_of;
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::Visitor;

impl<I: Input, V: Visitor> Machine<'_, I, V> {
    /// What is asked of a number holds. The row that it names, if that is all.
    #[inline(always)]
    pub(super) fn tested_plainly(
        &mut self,
        leaf: &Leaf,
        start: u64,
        value: Value,
        bits: u64,
    ) -> Option<Option<u32>> {
        match leaf.tests {
            Tests::None => {}
            Tests::Member(set) => {
                if !self.is_member(set, value.integer()?) {
                    return None;
                }
            }
            Tests::Among(known) => {
                if bits >= 32 || known >> bits & 1 == 0 {
                    let first = plan_check(self.plan, leaf.op)?;
                    self.tolerated(leaf.op, first, start)?;
                }
            }
            Tests::Reference(refs) => return self.names_row(refs, bits),
            Tests::Any => self.passes(leaf.op, start, value, bits)?,
        }
        Some(None)
    }

    /// Every test of a value holds, and what it names is there.
    pub(super) fn passes(&mut self, id: OpId, start: u64, value: Value, bits: u64) -> Option<()> {
        let plan = self.plan;
        for check in plan.tests_of(id) {
            let unwanted = check
                .condition
                .is_some_and(|condition| !self.truth(condition));
            let holds = unwanted
                || match check.kind {
                    CheckKind::InEnum(set) => value
                        .integer()
                        .is_none_or(|number| self.is_member(set, number)),
                    _ => self.holds_check(&check.kind, value),
                };
            if !holds {
                // A member of an enumeration may have a rule of its own.
                let plain = !matches!(check.kind, CheckKind::InEnum(_));
                plain.then_some(())?;
                self.tolerated(id, check.rule, start)?;
            }
        }
        match plan.info(id).refs {
            Some(refs) => self.names_row(refs, bits).map(|_| ()),
            None => Some(()),
        }
    }

    #[inline(always)]
    fn is_member(&self, set: u32, number: i128) -> bool {
        let members = &self.plan.enums[set as usize];
        match u8::try_from(number) {
            Ok(small) => members.small[usize::from(small / 64)] >> (small % 64) & 1 != 0,
            Err(_) => members
                .members
                .iter()
                .any(|member| member.value == number && member.broken.is_none()),
        }
    }

    /// The row that a value names is there, or the value says that there is none.
    #[inline(always)]
    fn names_row(&mut self, refs: u32, key: u64) -> Option<Option<u32>> {
        let refs = &self.plan.refs[refs as usize];
        let place = self.state.tables[refs.table as usize].find(key);
        if let Some(slot) = refs.row_slot {
            self.slots[slot.index()] = place.map_or(Value::Absent, Value::Row);
        }
        if place.is_none() {
            let none = self.evaluate(refs.none?, Value::Absent).integer()?;
            (bits_of(none) == key).then_some(())?;
        }
        Some(place)
    }

    /// Rules that a value shows and that make a difference.
    pub(super) fn shows(&mut self, id: OpId, start: u64, value: Value) -> Option<()> {
        let plan = self.plan;
        for (rule, when) in &plan.info(id).obeys {
            let described = &plan.rules[*rule as usize];
            let either = described.duty == ReaderDuty::Either;
            let matters = either || !described.frees.is_empty();
            if !matters || when.is_some_and(|when| !self.evaluate(when, value).truth()) {
                continue;
            }
            if either && when.is_some() {
                return None;
            }
            let span = Span {
                start,
                end: self.position,
            };
            self.show(id, *rule, span);
            self.undone.push(Change::Shown(*rule));
        }
        Some(())
    }

    /// The tests at the end of a structure hold.
    pub(super) fn ends_well(&mut self, effects: u32) -> Option<()> {
        let plan = self.plan;
        for check in &plan.effects[effects as usize].checks {
            let unwanted = check
                .condition
                .is_some_and(|condition| !self.truth(condition));
            (unwanted || self.holds_check(&check.kind, Value::Absent)).then_some(())?;
        }
        Some(())
    }

    /// A rule is broken that every reader tolerates; `None` where there is more to it.
    #[cold]
    pub(super) fn tolerated(&mut self, id: OpId, rule: Option<u32>, start: u64) -> Option<()> {
        let rule = rule?;
        let described = &self.plan.rules[rule as usize];
        let tolerated = matches!(described.duty, ReaderDuty::Accept | ReaderDuty::None);
        let goes_on = !described
            .continues
            .iter()
            .any(|how| matches!(how, Continuation::Open | Continuation::Stop));
        (tolerated && goes_on).then_some(())?;
        let span = Span {
            start,
            end: self.position,
        };
        self.show(id, rule, span);
        self.undone.push(Change::Shown(rule));
        Some(())
    }
}

/// The rule of an operation's only test.
fn plan_check(plan: &Plan, op: OpId) -> Option<Option<u32>> {
    let first = plan.op(op).checks.0.0 as usize;
    plan.checks.get(first).map(|check| check.rule)
}
