//! Proves that readers stop at a value before they notice the fault, because the value fails another
//! test.

use tracegauge_plan::evaluate::interval::Interval;
use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{CheckKind, CheckPlan, OpId};

use super::interval::Known;
use super::{Infeasibility, Reasons};
use crate::fault::apply::duty;
use crate::fault::judged::broken_rule;
use crate::fault::number;

impl Reasons<'_> {
    /// Returns the reason if no two values within the range of the field are equal after truncation
    /// to fewer bits.
    pub(in crate::fault) fn wraps(&self, op: OpId) -> Option<Infeasibility> {
        let (least, greatest) = self.range(op)?;
        let wrap = number::wrap(&self.plan.op(op).kind);
        let fits = wrap.is_some_and(|wrap| least + wrap <= greatest);
        (!fits).then_some(Infeasibility::OutOfRange)
    }

    /// Returns the reason if, in every trace, one of the first `before` tests of the field makes a
    /// reader reject the value.
    pub(in crate::fault) fn stopped(
        &self,
        op: OpId,
        value: i128,
        before: usize,
    ) -> Option<Infeasibility> {
        let mut tests = self.plan.tests_of(op).iter().take(before);
        let stopped = tests.any(|check| self.fails(op, check, value).is_some());
        stopped.then_some(Infeasibility::OtherTest)
    }

    /// Returns the rules that the value violates in every trace and that may make a reader stop at
    /// the value.
    pub(in crate::fault) fn stopping(
        &self,
        op: OpId,
        value: i128,
    ) -> impl Iterator<Item = Option<RuleId>> {
        let tests = self.plan.tests_of(op).iter();
        tests.filter_map(move |check| self.fails(op, check, value))
    }

    /// Returns the rule that the value violates in every trace by failing a test of its field, if
    /// the violation may stop a reader.
    fn fails(&self, op: OpId, check: &CheckPlan, value: i128) -> Option<Option<RuleId>> {
        let known = Known {
            at: op,
            this: Some(Interval::only(value)),
            field: None,
            fields: false,
        };
        let rule = broken_rule(self.plan, check, Some(value));
        let counts = rule.is_some() || !matches!(check.kind, CheckKind::InEnum(_));
        let stops = matches!(
            duty(self.plan, rule),
            ReaderDuty::Reject | ReaderDuty::Either
        );
        let fails = counts
            && stops
            && self.asked(check.condition, known) == Some(true)
            && self.holds(&check.kind, known) == Some(false);
        fails.then_some(rule)
    }
}
