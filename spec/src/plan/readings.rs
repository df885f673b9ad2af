//! Readings: the ways in which readers may go on where a rule is broken, each of them right.

use super::{Kind, Plan, RulePlan, flags};
use crate::schema::Continuation;

impl RulePlan {
    /// How reading goes on where the rule is broken, if that is one of several right ways: the
    /// first of them.
    pub fn chosen(&self) -> Option<Continuation> {
        match self.continues.as_slice() {
            [first, _, ..] => Some(*first),
            _ => None,
        }
    }

    /// The other right ways to go on that lead to other records. What the rule frees is not
    /// compared, so that one way stands for all.
    pub fn alternatives(&self) -> &[Continuation] {
        match self.continues.as_slice() {
            [_, others @ ..] if self.frees.is_empty() => others,
            _ => &[],
        }
    }
}

impl Plan {
    /// The plan of a reader that goes on by `how` where a rule is broken.
    #[must_use]
    pub fn reading(&self, rule: u32, how: Continuation) -> Self {
        let mut plan = self.clone();
        let ways = &mut plan.rules[rule as usize].continues;
        ways.retain(|way| *way != how);
        ways.insert(0, how);
        match how {
            Continuation::Keep => plan.shows_units(rule),
            Continuation::Skip => plan.skips_padding(rule),
            _ => {}
        }
        plan
    }

    /// Padding of which a rule says that it may be missing is always there.
    fn skips_padding(&mut self, rule: u32) {
        for (op, info) in self.ops.iter_mut().zip(&self.infos) {
            let is_shown = || info.obeys.iter().any(|(shown, _)| *shown == rule);
            if matches!(op.kind, Kind::Align { .. }) && is_shown() {
                op.flags &= !flags::GUARD;
            }
        }
    }

    /// Lists of code units are lists of numbers, where a rule says that they may be texts.
    fn shows_units(&mut self, rule: u32) {
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
