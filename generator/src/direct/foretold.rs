//! Texts that decide what follows, which are chosen before the numbers that must agree with
//! them: a version that stands before the name that it is the version of.

use tracegauge_decoder::{Input, Value};
use tracegauge_spec::plan::{CheckKind, CheckPlan, CodeId, Kind, OpId, Plan, flags};

use super::domain::Domain;
use super::index::{Firm, Index, firm, strict};
use super::{Directed, lists};
use crate::fault::slots_in;
use crate::tape::Choices;

/// A text of which a switch knows all values that it may have.
#[derive(Clone, Debug, Default)]
pub struct Deciding {
    /// The values, as constants of the plan, and what follows each.
    texts: Vec<(u32, OpId)>,
    /// Tests of it that stand further on.
    tests: Vec<CodeId>,
}

/// What tests that stand further on ask of a number.
#[derive(Clone, Debug, Default)]
pub struct Tied {
    /// Texts that they speak of too.
    texts: Vec<OpId>,
    /// The tests.
    tests: Vec<CodeId>,
}

impl Index {
    /// Finds texts that decide, and tests that stand after what they speak of.
    pub(super) fn look_ahead(&mut self, plan: &Plan) {
        let ids = || (0..plan.ops.len()).map(|at| OpId(u32::try_from(at).unwrap_or(u32::MAX)));
        for id in ids() {
            let Kind::Switch(switch) = plan.op(id).kind else {
                continue;
            };
            let switch = &plan.switches[switch as usize];
            let binding = switch.default.is_none() && switch.rule.is_some();
            if binding
                && strict(plan, switch.rule)
                && let Some(text) = read_in(plan, switch.on).last().copied()
                && matches!(plan.op(text).kind, Kind::Text(..))
                && !switch.text_arms.is_empty()
            {
                let texts = switch.text_arms.clone();
                let known = texts.iter().map(|(text, _)| *text as usize);
                let known = known.filter_map(|at| plan.constants.get(at).cloned());
                self.texts.entry(text).or_insert_with(|| known.collect());
                self.deciding.entry(text).or_default().texts = texts;
            }
        }
        for id in ids().filter(|id| matches!(plan.op(*id).kind, Kind::Check)) {
            for check in own_checks(plan, id) {
                self.tie(plan, check);
            }
        }
    }

    /// A test narrows the last number that it speaks of; the texts are chosen by then.
    fn tie(&mut self, plan: &Plan, check: &CheckPlan) {
        let CheckKind::Holds(code) = check.kind else {
            return;
        };
        if check.condition.is_some() || firm(plan, check.rule) == Firm::Not {
            return;
        }
        let read = read_in(plan, code);
        let (texts, numbers): (Vec<OpId>, Vec<OpId>) = read
            .into_iter()
            .partition(|op| self.deciding.contains_key(op));
        let is_number = |op: &OpId| matches!(plan.op(*op).kind, Kind::Integer(_) | Kind::Variable(..));
        if !numbers.iter().all(is_number) {
            return;
        }
        match numbers.last() {
            Some(number) => {
                let tied = self.tied.entry(*number).or_default();
                tied.texts.extend(texts);
                tied.tests.push(code);
            }
            None => {
                for text in texts {
                    self.deciding.entry(text).or_default().tests.push(code);
                }
            }
        }
    }
}

/// The fields whose values an expression reads, in their order.
fn read_in(plan: &Plan, code: CodeId) -> Vec<OpId> {
    let mut slots = std::collections::HashSet::new();
    slots_in(plan, code, &mut slots);
    let ops = plan.ops.iter().enumerate();
    let holders = ops.filter(|(_, op)| op.flags & flags::SLOT != 0 && slots.contains(&op.slot.0));
    holders
        .map(|(at, _)| OpId(u32::try_from(at).unwrap_or(u32::MAX)))
        .collect()
}

fn own_checks(plan: &Plan, op: OpId) -> &[CheckPlan] {
    let (first, count) = plan.op(op).checks;
    let first = first.0 as usize;
    plan.checks
        .get(first..first + usize::from(count))
        .unwrap_or_default()
}

/// Narrows what a number may be by tests that stand after it.
pub fn narrow<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut std::borrow::Cow<'_, Domain>,
) {
    let index = machine.visitor().index;
    let Some(tied) = index.tied.get(&op) else {
        return;
    };
    for text in &tied.texts {
        decide(machine, *text);
    }
    let plan = machine.plan();
    let mut narrowed = domain.as_ref().clone();
    for test in &tied.tests {
        lists::satisfy(plan, op, *test, &mut narrowed, &mut |code| {
            machine.value(code, Value::Absent).integer()
        });
    }
    if !narrowed.is_empty() {
        *domain = std::borrow::Cow::Owned(narrowed);
    }
}

/// Chooses a text that decides, unless it has been chosen.
fn decide<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    text: OpId,
) {
    let index = machine.visitor().index;
    let Some(deciding) = index.deciding.get(&text) else {
        return;
    };
    if machine.visitor().foretold.iter().any(|(op, _)| *op == text) {
        return;
    }
    let slot = machine.plan().op(text).slot;
    let mut possible = Vec::new();
    for (constant, arm) in &deciding.texts {
        machine.set_slot(slot, Value::Constant(*constant));
        if lists::possible(machine, *arm)
            && lists::may_stand(machine, text)
            && deciding
                .tests
                .iter()
                .all(|test| machine.value(*test, Value::Absent).truth())
        {
            possible.push(*constant);
        }
    }
    let Some(last) = (possible.len() as u64).checked_sub(1) else {
        return;
    };
    let chosen = machine.visitor_mut().choices.choose(last, None);
    let Some(constant) = possible.get(usize::try_from(chosen).unwrap_or_default()) else {
        return;
    };
    machine.set_slot(slot, Value::Constant(*constant));
    lists::stands(machine, text);
    machine.visitor_mut().foretold.push((text, *constant));
}

/// The text that was chosen for a field before its turn, or is chosen now.
pub fn take<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    text: OpId,
) -> Option<Vec<u8>> {
    if machine.visitor().options.odd || !machine.visitor().index.deciding.contains_key(&text) {
        return None;
    }
    decide(machine, text);
    let foretold = &mut machine.visitor_mut().foretold;
    let at = foretold.iter().rposition(|(op, _)| *op == text)?;
    let (_, constant) = foretold.swap_remove(at);
    machine.plan().constants.get(constant as usize).cloned()
}
