//! Readings: the ways that conforming readers may continue after a violation.

use super::{Kind, Plan, RulePlan, flags};
use crate::terms::{Continuation, RuleId};

impl RulePlan {
    /// Returns the continuation that the decoder uses after a violation, if the rule permits more
    /// than one.
    pub fn chosen(&self) -> Option<Continuation> {
        match self.continues.as_slice() {
            [first, _, ..] => Some(*first),
            _ => None,
        }
    }

    /// Returns the permitted continuations that the decoder does not use, which can lead to
    /// different records. Returns no continuations if the rule excludes members from comparison,
    /// because in that case one continuation represents all others.
    pub fn alternatives(&self) -> &[Continuation] {
        match self.continues.as_slice() {
            [_, others @ ..] if self.frees.is_empty() => others,
            _ => &[],
        }
    }
}

impl Plan {
    /// Returns the plan of a reader that uses the continuation `how` after a violation of `rule`.
    #[must_use]
    pub fn reading(&self, rule: RuleId, how: Continuation) -> Self {
        let mut plan = self.clone();
        let ways = &mut plan.rules[rule].continues;
        ways.retain(|way| *way != how);
        ways.insert(0, how);
        match how {
            Continuation::Keep => plan.shows_units(rule),
            Continuation::Skip => plan.skips_padding(rule),
            _ => {}
        }
        plan
    }

    /// Makes padding mandatory where the rule permits omitting it.
    fn skips_padding(&mut self, rule: RuleId) {
        for (op, info) in self.ops.iter_mut().zip(&self.infos) {
            let is_shown = || info.obeys.iter().any(|(shown, _)| *shown == rule);
            if matches!(op.kind, Kind::Align { .. }) && is_shown() {
                op.flags &= !flags::GUARD;
            }
        }
    }

    /// Makes lists of code units appear as lists of numbers where the rule permits strings.
    fn shows_units(&mut self, rule: RuleId) {
        let infos = &self.infos;
        let is_free = |units: &super::OpId| {
            let mut shown = infos[units.index()].obeys.iter();
            shown.any(|(shown, _)| *shown == rule)
        };
        for code in self.layouts.iter_mut().flat_map(|set| &mut set.codes) {
            code.units = code.units.filter(|units| !is_free(units));
        }
    }
}
