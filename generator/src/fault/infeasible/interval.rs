//! Evaluates expressions on the intervals of the fields that they read.

use tracegauge_plan::evaluate::interval::{Interval, Intervals, Knowledge};
use tracegauge_plan::evaluate::{self, Domain};
use tracegauge_plan::{CheckKind, CodeId, OpId, Slot};

use super::Reasons;
use crate::fault::slots::Holder;

/// The assumptions about the fields that an expression reads.
#[derive(Clone, Copy, Debug)]
pub(in crate::fault) struct Known {
    /// The operation that the expression belongs to.
    pub at: OpId,
    /// The value under test.
    pub this: Option<Interval>,
    /// A field, and the number that it is assumed to contain.
    pub field: Option<(OpId, i128)>,
    /// Whether all fields except `field` are assumed to be present with arbitrary values that fit
    /// in their width. If unset, the values of these fields are unknown. A test of an absent field
    /// is not performed, so this assumption can prove that no test fails, but not that a test does
    /// fail.
    pub fields: bool,
}

impl Reasons<'_> {
    /// Returns the value of an expression that reads no fields.
    pub(in crate::fault) fn constant(&self, code: CodeId) -> Option<i128> {
        let known = Known {
            at: OpId(0),
            this: None,
            field: None,
            fields: false,
        };
        self.interval(code, known)?.single()
    }

    /// Returns whether a test holds, or `None` if the result depends on the trace.
    pub(in crate::fault) fn holds(&self, kind: &CheckKind, known: Known) -> Option<bool> {
        evaluate::holds(&mut self.intervals(known), kind, &known.this)
    }

    /// Returns whether a condition holds, or `None` if the result depends on the trace.
    pub(in crate::fault) fn asked(&self, condition: Option<CodeId>, known: Known) -> Option<bool> {
        match condition {
            Some(code) => self.interval(code, known)?.truth(),
            None => Some(true),
        }
    }

    fn interval(&self, code: CodeId, known: Known) -> Option<Interval> {
        self.intervals(known).evaluate(code)
    }

    fn intervals(&self, known: Known) -> Intervals<'_, Assumed<'_>> {
        Intervals {
            plan: self.plan,
            known: Assumed {
                reasons: self,
                known,
            },
        }
    }

    /// Returns the combined range of all fields that can fill a slot.
    fn slot(&self, slot: Slot, known: Known) -> Option<Interval> {
        let holders = self.slots.holders(self.plan, slot, known.at);
        if let (Some((field, value)), [Holder::Value(only)]) = (known.field, holders.as_slice())
            && *only == field
        {
            return Some(Interval::only(value));
        }
        if !known.fields {
            return None;
        }
        let mut all: Option<Interval> = None;
        for holder in holders {
            let own = match holder {
                Holder::Value(op) => {
                    let (low, high) = self.range(op)?;
                    Interval::checked(low, high)?
                }
                Holder::Length(_) => Interval::new(0, i128::from(u64::MAX)),
                _ => return None,
            };
            all = Some(all.map_or(own, |all| all.join(own)));
        }
        all
    }

    /// Returns the range of a field. Returns `None` if readers add an earlier value to the stored
    /// number.
    pub(in crate::fault) fn range(&self, op: OpId) -> Option<(i128, i128)> {
        let carry = self.plan.info(op).carry;
        let carry = carry.map(|carry| &self.plan.carries[carry]);
        if carry.is_some_and(|carry| carry.add || carry.then.is_some()) {
            return None;
        }
        self.plan.op(op).kind.range()
    }
}

/// The fields of a plan, with assumptions about them.
struct Assumed<'r> {
    reasons: &'r Reasons<'r>,
    known: Known,
}

impl Knowledge for Assumed<'_> {
    fn slot(&self, slot: Slot) -> Option<Interval> {
        self.reasons.slot(slot, self.known)
    }

    fn this(&self) -> Option<Interval> {
        self.known.this
    }
}
