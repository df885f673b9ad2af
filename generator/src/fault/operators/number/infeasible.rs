//! Why no trace can have a number that a test forbids.

use tracegauge_plan::evaluate::interval::Interval;
use tracegauge_plan::{CheckKind, CheckPlan, Derived, OpId};

use super::Change;
use super::value::{swapped, wrapped};
use crate::fault::infeasible::{Infeasibility, Known, Reasons};
use crate::fault::judged::{Test, broken_rule, test_of};
use crate::fault::number;
use crate::fault::operator::Site;

impl Reasons<'_> {
    pub(super) fn number(&self, site: &Site, test: Test, change: Change) -> Option<Infeasibility> {
        let own = test.owner == site.op;
        let info = self.plan.info(site.op);
        let measures = matches!(info.derived, Some(Derived::Measured { .. }));
        // A field that only marks the following contents as null or present may do so with several
        // values, so a different value does not necessarily change what is read.
        if !own && self.slots.steers(self.plan, site.op) && (info.null.is_none() || measures) {
            return Some(Infeasibility::Steers);
        }
        if change == Change::Wraps
            && let Some(reason) = self.wraps(site.op)
        {
            return Some(reason);
        }
        let (least, greatest) = self.range(site.op)?;
        let check = test_of(self.plan, test)?;
        let Some(value) = self.value(site.op, check, change) else {
            let values = self.values(site.op, check, change)?;
            let known = Known {
                at: site.op,
                this: own.then_some(values),
                field: None,
                fields: own,
            };
            return self
                .never_fails(check, known)
                .then_some(Infeasibility::Holds);
        };
        if !(least..=greatest).contains(&value) {
            return Some(Infeasibility::OutOfRange);
        }
        let known = Known {
            at: if own { site.op } else { test.owner },
            this: own.then_some(Interval::only(value)),
            field: Some((site.op, value)),
            fields: true,
        };
        if self.never_fails(check, known) {
            return Some(Infeasibility::Holds);
        }
        if !own {
            return self.stopped(site.op, value, usize::MAX);
        }
        if broken_rule(self.plan, check, Some(value)) != site.rule {
            return Some(Infeasibility::OtherRule);
        }
        self.stopped(site.op, value, test.number as usize)
    }

    fn never_fails(&self, check: &CheckPlan, known: Known) -> bool {
        self.asked(check.condition, known) == Some(false)
            || self.holds(&check.kind, known) == Some(true)
    }

    /// Returns the possible results of a change that depends on a value in the trace.
    fn values(&self, op: OpId, check: &CheckPlan, change: Change) -> Option<Interval> {
        let (least, greatest) = self.range(op)?;
        let bound = matches!(
            check.kind,
            CheckKind::Equal(_) | CheckKind::Min(_) | CheckKind::Max(_)
        );
        match change {
            Change::Above if !bound => Interval::checked(least.checked_add(1)?, greatest),
            Change::Below if !bound => Interval::checked(least, greatest.checked_sub(1)?),
            Change::Wraps if !bound => {
                let wrap = number::wrap(&self.plan.op(op).kind)?;
                Interval::checked(least + wrap, greatest)
            }
            _ => None,
        }
    }

    /// Returns the result of a change if it is the same in every trace.
    fn value(&self, op: OpId, check: &CheckPlan, change: Change) -> Option<i128> {
        let kind = &self.plan.op(op).kind;
        let bound = || match &check.kind {
            CheckKind::Equal(code) | CheckKind::Min(code) | CheckKind::Max(code) => {
                self.constant(*code)
            }
            _ => None,
        };
        match change {
            Change::Above => bound()?.checked_add(1),
            Change::Below => bound()?.checked_sub(1),
            Change::Zero => Some(0),
            Change::AllOnes => Some(wrapped(kind, -1)),
            Change::Greatest => Some(self.range(op)?.1),
            Change::Least => Some(self.range(op)?.0),
            Change::Swapped => swapped(kind, bound()?),
            Change::Flipped => {
                let highest = number::bits(kind).checked_sub(1)?;
                Some(wrapped(kind, bound()? ^ 1_i128.checked_shl(highest)?))
            }
            Change::Undeclared(value) | Change::Elsewhere(value) | Change::Given(value) => {
                Some(value)
            }
            Change::ReservedBits(_) | Change::Wraps => None,
        }
    }
}
