//! Makes the choices of typical writers (*plain answers*) wherever a trace must not depart from
//! them.

use std::borrow::Cow;

use tracegauge_decoder::{Input, Value};
use tracegauge_plan::terms::{FaultKind, RuleId};
use tracegauge_plan::{FaultRules, OpId, PlainPlan, Plan};

use super::domain::{Domain, restrict};
use super::stored::carry_offset;
use super::{Directed, Emitter, solve};
use crate::plain::{Allowed, Answer};
use crate::tape::Choices;

/// The maximum number of elements after the first in a plain list.
const MORE: u64 = 1;

impl<C: Choices, const TREE: bool> Emitter<'_, C, TREE> {
    /// Makes every choice plain, except for the departures in `allowed`.
    pub(crate) fn plainly(mut self, allowed: Allowed) -> Self {
        self.wishes.allowed = Some(allowed);
        self
    }

    /// Returns whether a field must have a value that typical writers write.
    pub(super) fn is_plain(&self, op: OpId) -> bool {
        let allowed = self.wishes.allowed.as_ref();
        let field = self.index.answers.field(op);
        let is_restricted = !self.options.odd && !self.wishes.is_overlong;
        is_restricted && allowed.is_some_and(|allowed| !allowed.fields.contains(&field))
    }

    /// Returns whether the trace may exercise a rule. If `rule` is `None`, returns `false` for a
    /// trace that is restricted to plain choices.
    pub(super) fn permits(&self, plan: &Plan, rule: Option<RuleId>) -> bool {
        let (Some(allowed), false) = (&self.wishes.allowed, self.options.odd) else {
            return true;
        };
        rule.is_some_and(|rule| plan.rules[rule].plain || allowed.rules.contains(&rule))
    }

    /// Returns whether the trace may contain a tolerated fault.
    pub(super) fn permits_fault(&self, plan: &Plan, op: OpId, kind: FaultKind) -> bool {
        let faults: &FaultRules = &plan.faults[plan.op(op).faults];
        self.permits(plan, faults.of(kind)) || !self.is_plain(op)
    }

    /// Returns whether the trace may exercise all rules of a field.
    pub(super) fn permits_all(&self, plan: &Plan, op: OpId) -> bool {
        let obeys = plan.info(op).obeys.iter();
        let mut rules = obeys.map(|(rule, _)| *rule);
        rules.all(|rule| self.permits(plan, Some(rule)))
    }

    /// Chooses the length of a plain list or byte string.
    pub(super) fn plain_length(&mut self) -> u64 {
        1 + self.choices.choose(MORE, None)
    }
}

/// The greatest number that plain traces add to an earlier value, if the description states no usual
/// values.
const MOST_ADDED: i128 = 20_000;

/// Restricts a domain to plain values, if at least one of them is possible at the current position.
/// Values that exercise a forbidden rule are excluded first.
pub fn narrow<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut Cow<'_, Domain>,
) {
    if machine.visitor().wishes.allowed.is_none() || machine.visitor().options.odd {
        return;
    }
    let plan = machine.plan();
    for (rule, condition) in &plan.info(op).obeys {
        let Some(condition) = condition else { continue };
        if machine.visitor().permits(plan, Some(*rule)) {
            continue;
        }
        let mut without = domain.as_ref().clone();
        solve::avoid(plan, op, *condition, &mut without, &mut |code| {
            machine.value(code, Value::Absent).integer()
        });
        if has_value(&without) {
            *domain = Cow::Owned(without);
        }
    }
    for (value, rule) in machine.visitor().index.answers.selects(op) {
        if domain.contains(*value) && !machine.visitor().permits(plan, Some(*rule)) {
            let mut without = domain.as_ref().clone();
            without.not.push(*value);
            if has_value(&without) {
                *domain = Cow::Owned(without);
            }
        }
    }
    if !machine.visitor().is_plain(op) {
        return;
    }
    if let Some(PlainPlan::Moving(low, high)) = plan.info(op).hints.plain {
        let mut end = |code| machine.value(code, Value::Absent).integer();
        if let Some(range) = end(low).zip(end(high))
            && let Some(narrowed) = machine.visitor_mut().preferred(domain, &[range])
        {
            *domain = Cow::Owned(narrowed);
        }
        return;
    }
    if adds_a_free_number(plan, op) {
        let offset = carry_offset(machine, op);
        let range = (offset.saturating_add(1), offset.saturating_add(MOST_ADDED));
        if let Some(narrowed) = machine.visitor_mut().preferred(domain, &[range]) {
            *domain = Cow::Owned(narrowed);
        }
        return;
    }
    let emitter = machine.visitor_mut();
    match emitter.index.answers.of(op) {
        Answer::Nothing if domain.contains(0) => restrict(domain.to_mut(), vec![(0, 1)]),
        Answer::Number { plain, preferred } => {
            let within = emitter.preferred(domain, preferred);
            if let Some(narrowed) = within.or_else(|| emitter.preferred(domain, plain)) {
                *domain = Cow::Owned(narrowed);
            }
        }
        _ => {}
    }
}

/// Returns whether a field stores the difference from an earlier value, and the description states
/// no usual values.
fn adds_a_free_number(plan: &Plan, op: OpId) -> bool {
    let info = plan.info(op);
    let hints = &info.hints;
    let is_free = hints.range.is_none()
        && hints.moving.is_none()
        && hints.construct.is_none()
        && hints.weights.is_empty()
        && hints.integers.is_empty();
    let follows = info.derived.is_some() || info.refs.is_some() || info.code_of.is_some();
    is_free && !follows && info.carry.is_some_and(|carry| plan.carries[carry].add)
}

impl<C: Choices, const TREE: bool> Emitter<'_, C, TREE> {
    /// Restricts a domain to one of several ranges, chosen among the ranges that contain a possible
    /// value.
    fn preferred(&mut self, domain: &Domain, ranges: &[(i128, i128)]) -> Option<Domain> {
        if domain.only.is_some() {
            let mut narrowed = domain.clone();
            narrowed.only.as_mut()?.retain(|(value, _)| {
                let mut ranges = ranges.iter();
                ranges.any(|(low, high)| (low..=high).contains(&value))
            });
            return has_value(&narrowed).then_some(narrowed);
        }
        if let Some(weighted) = weighted(domain, ranges) {
            return Some(weighted);
        }
        let possible: Vec<Domain> = ranges
            .iter()
            .filter_map(|(low, high)| {
                let narrowed = Domain {
                    low: domain.low.max(*low),
                    high: domain.high.min(*high),
                    liked: Vec::new(),
                    ..domain.clone()
                };
                has_value(&narrowed).then_some(narrowed)
            })
            .collect();
        let last = (possible.len() as u64).checked_sub(1)?;
        let chosen = usize::try_from(self.choices.choose(last, None)).unwrap_or_default();
        let mut chosen = possible.into_iter().nth(chosen)?;
        // Within the range, all values are equally good.
        chosen.usual = Some((chosen.low, chosen.high));
        chosen.clock = true;
        Some(chosen)
    }
}

/// Restricts a domain to single values, with higher weights for values that the description
/// prefers. Returns `None` if a range contains several values or no value is preferred.
fn weighted(domain: &Domain, ranges: &[(i128, i128)]) -> Option<Domain> {
    let is_single = ranges.iter().all(|(low, high)| low == high);
    let is_preferred = |value: i128| domain.liked.contains(&value);
    if !is_single || !ranges.iter().any(|(value, _)| is_preferred(*value)) {
        return None;
    }
    let weight = |value: i128| domain.liked.iter().filter(|liked| **liked == value).count() as u64;
    let values = ranges
        .iter()
        .map(|(value, _)| (*value, weight(*value).max(1)));
    let narrowed = Domain {
        only: Some(
            values
                .filter(|(value, _)| domain.contains(*value))
                .collect(),
        ),
        ..domain.clone()
    };
    has_value(&narrowed).then_some(narrowed)
}

/// Returns whether a domain contains a value. Searches only small ranges, and assumes that every
/// larger range contains a value.
fn has_value(domain: &Domain) -> bool {
    const FEW: i128 = 64;
    if let Some(only) = &domain.only {
        return only.iter().any(|(value, _)| domain.contains(*value));
    }
    if domain.is_empty() {
        return false;
    }
    domain.high.saturating_sub(domain.low) >= FEW
        || (domain.low..=domain.high).any(|value| domain.contains(value))
}
