//! Tests the values that steps, the fast path, read, and records the rules that these values
//! exercise. A function that returns `None` gives up, and the plan's operations, which handle every
//! case, then run instead of the steps.

use tracegauge_plan::formula::number;
use tracegauge_plan::terms::{Continuation, EnumId, FaultKind, ReaderDuty, RuleId};
use tracegauge_plan::{CheckKind, EffectsId, Leaf, OpId, Plan, RefsId, StepTestsId, Tests};

use super::Change;
use crate::input::Input;
use crate::machine::Machine;
use crate::machine::leaf::widen;
use crate::machine::row::bits_of;
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::Visitor;

impl<I: Input, V: Visitor> Machine<'_, I, V> {
    /// Runs the tests of a number, given its bits, and the number as formulas use it. Returns the row
    /// that the number refers to, unless the record needs to look it up again.
    #[inline(always)]
    pub(super) fn tested_plainly(
        &mut self,
        leaf: &Leaf,
        start: u64,
        bits: u64,
        number: i64,
        signed: bool,
    ) -> Option<Option<u32>> {
        match leaf.tests {
            Tests::None => {}
            Tests::Member(set) => {
                if !self.is_member(set, widen(bits, signed)) {
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
            Tests::Listed(tests) => {
                if !self.passes_all(tests, number) {
                    self.passes(leaf.op, start, Value::Int(widen(bits, signed)))?;
                }
                if let Some(refs) = self.plan.step_tests[tests].refs {
                    return self.names_row(refs, bits);
                }
            }
            Tests::Any | Tests::Shows(_) => {
                self.passes(leaf.op, start, Value::Int(widen(bits, signed)))?;
                if let Some(refs) = self.plan.info(leaf.op).refs {
                    self.names_row(refs, bits)?;
                }
            }
        }
        Some(None)
    }

    /// Runs every test of a value.
    pub(super) fn passes(&mut self, id: OpId, start: u64, value: Value) -> Option<()> {
        let plan = self.plan;
        for check in plan.tests_of(id) {
            let unwanted = check
                .condition
                .is_some_and(|condition| !self.evaluate(condition, value).truth());
            let holds = unwanted
                || match check.kind {
                    CheckKind::InEnum(set) => value
                        .integer()
                        .is_none_or(|number| self.is_member(set, number)),
                    _ => self.holds_check(&check.kind, value),
                };
            if !holds {
                // A member of an enumeration may have its own rule, which the operations handle.
                let plain = !matches!(check.kind, CheckKind::InEnum(_));
                plain.then_some(())?;
                self.tolerated(id, check.rule, start)?;
            }
        }
        Some(())
    }

    #[inline(always)]
    pub(super) fn is_member(&self, set: EnumId, number: i128) -> bool {
        let members = &self.plan.enums[set];
        match u8::try_from(number) {
            Ok(small) => members.small[usize::from(small / 64)] >> (small % 64) & 1 != 0,
            Err(_) => members
                .members
                .iter()
                .any(|member| member.value == number && member.broken.is_none()),
        }
    }

    /// Resolves a reference to a row. A value that means "no row" is also valid.
    #[inline(always)]
    pub(super) fn names_row(&mut self, refs: RefsId, key: u64) -> Option<Option<u32>> {
        let refs = &self.plan.refs[refs];
        let place = self.state.tables[refs.table].find(key);
        if let Some(slot) = refs.row_slot {
            self.memory
                .set(slot, place.map_or(Value::Absent, Value::Row));
        }
        if place.is_none() {
            let none = self.evaluate(refs.none?, Value::Absent).integer()?;
            (bits_of(none) == key).then_some(())?;
        }
        Some(place)
    }

    /// Records the rules that a value exercises and that affect the verdict.
    pub(super) fn shows(&mut self, id: OpId, start: u64, value: Value) -> Option<()> {
        let plan = self.plan;
        for (rule, when) in &plan.info(id).obeys {
            let described = &plan.rules[*rule];
            let either = described.duty == ReaderDuty::Either;
            let matters = either || !described.frees.is_empty();
            let noted = V::NOTES && described.writer_habit && self.visitor.wants(*rule);
            if !(matters || noted) || when.is_some_and(|when| !self.evaluate(when, value).truth()) {
                continue;
            }
            if noted || (either && when.is_some()) {
                return None;
            }
            let span = Span {
                start,
                end: self.position,
            };
            self.show(id, *rule, span);
            self.tolerated += 1;
            self.undone.push(Change::Shown(*rule));
        }
        Some(())
    }

    /// Runs the tests at the end of a structure.
    pub(super) fn ends_well(&mut self, effects: EffectsId, tests: StepTestsId) -> Option<()> {
        let plan = self.plan;
        let is_listed = !plan.step_tests[tests].tests.is_empty();
        if is_listed && self.passes_all(tests, number::ABSENT) {
            return Some(());
        }
        for check in &plan.effects[effects].checks {
            let unwanted = check
                .condition
                .is_some_and(|condition| !self.truth(condition));
            (unwanted || self.holds_check(&check.kind, Value::Absent)).then_some(())?;
        }
        Some(())
    }

    /// Skips the rest of a part, which no field reads, if every reader tolerates that.
    #[inline(never)]
    pub(super) fn unclaimed(&mut self, id: OpId, end: u64) -> Option<()> {
        let plan = self.plan;
        let rule = plan.faults[plan.op(id).faults].of(FaultKind::Rest);
        let start = std::mem::replace(&mut self.position, end);
        if rule.is_none() {
            return Some(());
        }
        // Unclaimed bytes say nothing about the values that the next element takes over.
        let tolerated = self.tolerated;
        let done = self.tolerated(id, rule, start);
        self.tolerated = tolerated;
        done
    }

    /// Records a violation that every reader tolerates. Returns `None` if the operations have to
    /// handle the violation.
    #[cold]
    pub(super) fn tolerated(&mut self, id: OpId, rule: Option<RuleId>, start: u64) -> Option<()> {
        let rule = rule?;
        let described = &self.plan.rules[rule];
        let tolerated = matches!(described.duty, ReaderDuty::Accept | ReaderDuty::None);
        let goes_on = !described.continues.iter().any(|how| {
            use Continuation as C;
            matches!(how, C::Open | C::Stop | C::Absent)
        });
        let noted = V::NOTES && self.visitor.wants(rule);
        (tolerated && goes_on && !noted).then_some(())?;
        let span = Span {
            start,
            end: self.position,
        };
        self.show(id, rule, span);
        self.tolerated += 1;
        self.undone.push(Change::Shown(rule));
        Some(())
    }
}

/// Returns the rule of an operation's only test. The outer `Option` is `None` if the plan has no
/// such test, and the inner `Option` is `None` if the test has no rule.
fn plan_check(plan: &Plan, op: OpId) -> Option<Option<RuleId>> {
    let first = plan.op(op).checks.0.index();
    plan.checks.get(first).map(|check| check.rule)
}
