//! Lookahead: restricts the current value so that later values remain possible. There are two
//! cases: strings that select which fields follow, and tests that refer to earlier fields.
//!
//! A string that selects an alternative of a switch is chosen so that the alternative can be
//! written. If a test relates the string to an earlier field, the string is chosen together with
//! that field, so that the field gets a matching value.

use hashbrown::{HashMap, HashSet};
use tracegauge_decoder::{Input, Value};
use tracegauge_plan::operator::BinaryOperator as B;
use tracegauge_plan::{
    CheckKind, Code, CodeId, ConstantId, Kind, OpId, Plan, Slot, SwitchId, each_code, flags,
};

use super::allowed::either;
use super::dense::DenseMap;
use super::domain::Domain;
use super::severity::strict;
use super::{Directed, lists, solve};
use crate::tape::Choices;

/// The lookahead data of a plan.
#[derive(Debug, Default)]
pub struct Lookahead {
    /// For each field that accepts only certain strings in a valid trace, those strings, as indexes
    /// of constants.
    texts: HashMap<OpId, Vec<ConstantId>>,
    /// Maps the slot of each field to the standalone tests that read the field later.
    tests: HashMap<Slot, Vec<OpId>>,
    /// Maps each number to the later text fields whose values are chosen together with it.
    early: DenseMap<OpId, Vec<OpId>>,
    /// Maps each slot to its field, or to the last operation after which its value is known.
    owners: HashMap<Slot, OpId>,
}

impl Lookahead {
    /// Analyzes `plan`.
    pub fn new(plan: &Plan) -> Self {
        let mut seen = Self::default();
        let ids = || (0..plan.ops.len()).map(OpId::from);
        for id in ids() {
            let op = plan.op(id);
            if op.flags & flags::SLOT != 0 {
                seen.owners.entry(op.slot).or_insert(id);
            }
            if let Kind::Repeat(repeat) = op.kind {
                let list = &plan.repeats[repeat];
                // The values of the previous element are known in the list, and results of queries
                // after it.
                for previous in &list.previous {
                    seen.owners.entry(previous.slot).or_insert(id);
                }
                let results = list.folds.iter().map(|fold| fold.slot);
                for slot in results.chain(list.length_slot) {
                    let last = OpId(op.end.saturating_sub(1));
                    seen.owners.entry(slot).or_insert(last);
                }
            }
        }
        for id in ids() {
            let op = plan.op(id);
            if let Kind::Switch(switch) = op.kind {
                seen.deciding(plan, switch);
            }
            // The tests at the end of a structure follow its fields.
            let at = match op.kind {
                Kind::Check => id,
                _ => OpId(op.end),
            };
            seen.testing(plan, id, at);
        }
        seen.pair(plan);
        seen
    }

    /// Returns whether later tests read a slot.
    pub fn bounds(&self, slot: Slot) -> bool {
        self.tests.contains_key(&slot)
    }

    /// Returns whether a string accepts only certain values, all of which have `size` bytes.
    pub fn selects_with(&self, plan: &Plan, text: OpId, size: u64) -> bool {
        let labels = self.texts.get(&text);
        labels.is_some_and(|labels| {
            let mut labels = labels.iter();
            labels.all(|label| plan.constants[*label].len() as u64 == size)
        })
    }

    fn deciding(&mut self, plan: &Plan, switch: SwitchId) {
        let described = &plan.switches[switch];
        let Code::Slot(slot) = plan.codes[described.on.index()] else {
            return;
        };
        if described.default.is_some() || described.text_arms.is_empty() {
            return;
        }
        if let Some(text) = self.owners.get(&slot) {
            let labels = described.text_arms.iter().map(|(label, _)| *label);
            self.texts.entry(*text).or_insert_with(|| labels.collect());
        }
    }

    /// Adds the tests of an operation, which are made before the operation `at`.
    fn testing(&mut self, plan: &Plan, id: OpId, at: OpId) {
        for code in predicates(plan, id) {
            for slot in slots(plan, code) {
                let before = self.owners.get(&slot).is_some_and(|owner| *owner < at);
                let known = self.tests.entry(slot).or_default();
                if before && !known.contains(&id) {
                    known.push(id);
                }
            }
            for (slot, constant) in equal_texts(plan, code) {
                if let Some(text) = self.owners.get(&slot) {
                    self.texts.insert(*text, vec![constant]);
                }
            }
        }
    }

    /// Finds the text fields that are tested together with earlier numbers.
    fn pair(&mut self, plan: &Plan) {
        let tests: HashSet<OpId> = self.tests.values().flatten().copied().collect();
        for test in tests {
            let slots = predicates(plan, test).flat_map(|code| slots(plan, code));
            let fields: Vec<OpId> = slots
                .filter_map(|slot| self.owners.get(&slot).copied())
                .collect();
            for text in fields
                .iter()
                .filter(|field| self.texts.contains_key(*field))
            {
                for number in fields.iter().filter(|field| *field < text) {
                    let known = self.early.get_or_insert(*number, Vec::new());
                    if !known.contains(text) {
                        known.push(*text);
                        known.sort_unstable();
                    }
                }
            }
        }
    }
}

/// Returns the predicates of a standalone test, or of the end of a structure. Omits predicates that no
/// reader enforces.
fn predicates(plan: &Plan, id: OpId) -> impl Iterator<Item = CodeId> {
    let alone = match plan.op(id).kind {
        Kind::Check => plan.tests_of(id),
        _ => &[],
    };
    let effects = plan.info(id).effects.map(|effects| &plan.effects[effects]);
    let ending = effects.map_or(&[][..], |effects| &effects.checks);
    let checks = alone.iter().chain(ending);
    checks.filter_map(|check| match check.kind {
        CheckKind::Holds(code) => {
            let is_firm = strict(plan, check.rule) && check.condition.is_none();
            (is_firm && !reads_itself(plan, code)).then_some(code)
        }
        _ => None,
    })
}

/// Returns whether a predicate reads the value under test, which is not that of a field here.
fn reads_itself(plan: &Plan, code: CodeId) -> bool {
    let mut found = false;
    each_code(plan, code, &mut |code| found |= matches!(code, Code::This));
    found
}

fn slots(plan: &Plan, code: CodeId) -> Vec<Slot> {
    let mut slots = Vec::new();
    each_code(plan, code, &mut |code| {
        if let Code::Slot(slot) = code {
            slots.push(*slot);
        }
    });
    slots
}

/// Returns the text fields that must equal a constant for a predicate to hold, as pairs of slot and
/// constant.
fn equal_texts(plan: &Plan, code: CodeId) -> Vec<(Slot, ConstantId)> {
    let Code::Binary(operator, left, right) = &plan.codes[code.index()] else {
        return Vec::new();
    };
    match (
        operator,
        &plan.codes[left.index()],
        &plan.codes[right.index()],
    ) {
        (B::And, ..) => [left, right]
            .into_iter()
            .flat_map(|code| equal_texts(plan, *code))
            .collect(),
        (B::Equal, Code::Slot(slot), Code::Text(text))
        | (B::Equal, Code::Text(text), Code::Slot(slot)) => vec![(*slot, *text)],
        _ => Vec::new(),
    }
}

/// Chooses the strings that tests relate to a number that is about to be written.
pub fn plan_texts<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    number: OpId,
) {
    let index = machine.visitor().index;
    for text in index.lookahead.early.get(&number).into_iter().flatten() {
        plan_text(machine, *text, number);
    }
}

/// Chooses a string that selects which fields follow, before field `here` is written. Returns
/// whether a string was chosen.
pub fn plan_text<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    text: OpId,
    here: OpId,
) -> bool {
    if is_planned(machine, text) {
        return true;
    }
    let plan = machine.plan();
    let index = machine.visitor().index;
    let Some(labels) = index.lookahead.texts.get(&text) else {
        return false;
    };
    let odd = machine.visitor().options.odd;
    let wanted = machine
        .visitor()
        .script
        .as_ref()
        .and_then(|script| script.bytes(text));
    let place = |candidates: &[ConstantId]| {
        wanted.map(|wanted| {
            let mut known = candidates.iter().map(|label| &plan.constants[*label]);
            known.position(|known| known == wanted)
        })
    };
    let slot = plan.op(text).slot;
    let before = machine.slot(slot);
    let mut fitting = Vec::new();
    for label in labels {
        machine.set_slot(slot, Value::Constant(*label));
        if odd || fits(machine, (text, here), *label) {
            let crowd = crowd(machine, text, *label);
            fitting.push((*label, often(plan, text, *label), crowd));
        }
    }
    machine.set_slot(slot, before);
    // Labels that add rows to full tables keep their weight; the weights of all others are
    // increased.
    let most = fitting.iter().map(|(.., crowd)| *crowd).max();
    let most = most.unwrap_or_default();
    let mut candidates = Vec::new();
    for (label, often, crowd) in fitting {
        candidates.extend(std::iter::repeat_n(label, often << (most - crowd)));
    }
    let place = place(&candidates);
    let emitter = machine.visitor_mut();
    if odd {
        let other = place.map(|place| u64::from(place.is_none()));
        if emitter.choices.choose(1, other) == 1 {
            return false;
        }
    }
    let Some(last) = (candidates.len() as u64).checked_sub(1) else {
        return false;
    };
    let chosen = emitter
        .choices
        .choose(last, place.flatten().map(|place| place as u64));
    let Some(label) = candidates.get(usize::try_from(chosen).unwrap_or_default()) else {
        return false;
    };
    let bytes = plan.constants[*label].clone();
    emitter.planned.bytes.push((text, bytes));
    machine.set_slot(slot, Value::Constant(*label));
    lists::text_occurs(machine, text);
    true
}

fn is_planned<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    text: OpId,
) -> bool {
    let planned = &machine.visitor().planned.bytes;
    planned.iter().any(|(planned, _)| *planned == text)
}

/// Returns the weight of the string `label`: one more than the number of samples equal to it.
fn often(plan: &Plan, text: OpId, label: ConstantId) -> usize {
    let bytes = &plan.constants[label];
    let samples = plan.info(text).hints.texts.iter();
    1 + samples.filter(|sample| sample.as_bytes() == bytes).count()
}

/// Returns the fill level of the table that the switch arm of `label` adds rows to: the number of
/// rows divided by the usual number, rounded down. If there are several tables, returns the
/// maximum.
fn crowd<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    text: OpId,
    label: ConstantId,
) -> u32 {
    let plan = machine.plan();
    let index = machine.visitor().index;
    let switches = index.decides.get(&plan.op(text).slot);
    let arms = switches.into_iter().flatten();
    let arms = arms.filter_map(|switch| text_arm(plan, *switch, label));
    let tables = arms.filter_map(|arm| index.grows.get(&arm)).flatten();
    let full = tables.map(|table| {
        let rows = machine.state().tables[*table].len() as u64;
        let usual = plan.tables[*table].usual;
        usual.map_or(0, |usual| rows / usual.max(1))
    });
    full.max().unwrap_or_default().min(GREATEST_CROWD) as u32
}

/// The maximum result of [`crowd`]. Tables that are even fuller are treated alike.
const GREATEST_CROWD: u64 = 8;

/// Returns the arm that a label selects in a switch over strings.
fn text_arm(plan: &Plan, switch: OpId, label: ConstantId) -> Option<OpId> {
    let Kind::Switch(number) = plan.op(switch).kind else {
        return None;
    };
    let text = |label: ConstantId| &plan.constants[label];
    let mut arms = plan.switches[number].text_arms.iter();
    let arm = arms.find(|(known, _)| text(*known) == text(label));
    arm.map(|(_, arm)| *arm)
}

/// Returns whether the string in the field's slot selects an alternative that can be written and
/// satisfies every test that reads only known values.
fn fits<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    (text, here): (OpId, OpId),
    label: ConstantId,
) -> bool {
    let plan = machine.plan();
    let index = machine.visitor().index;
    let slot = plan.op(text).slot;
    for switch in index.decides.get(&slot).into_iter().flatten() {
        if text_arm(plan, *switch, label).is_some_and(|arm| !lists::possible(machine, arm)) {
            return false;
        }
    }
    lists::may_stand(machine, text) && {
        let tests = index.lookahead.tests.get(&slot);
        tests.into_iter().flatten().all(|test| {
            predicates(plan, *test).all(|code| {
                !is_known(machine, code, (text, here)) || machine.value(code, Value::Absent).truth()
            })
        })
    }
}

/// Returns whether every field that an expression reads is known before field `here` is written.
/// Strings already chosen count as known, and so does field `but`.
fn is_known<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    code: CodeId,
    (but, here): (OpId, OpId),
) -> bool {
    let plan = machine.plan();
    let index = machine.visitor().index;
    slots(plan, code).into_iter().all(|slot| {
        let owner = index.lookahead.owners.get(&slot);
        owner.is_some_and(|owner| {
            *owner == but
                || *owner < here
                || is_alternative(plan, *owner, here)
                || is_planned(machine, *owner)
        })
    })
}

/// Returns whether an expression reads a computed field. At the end of a structure, its value may have
/// been computed from later fields.
fn reads_computed<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    code: CodeId,
) -> bool {
    let index = machine.visitor().index;
    slots(machine.plan(), code).into_iter().any(|slot| {
        let owner = index.lookahead.owners.get(&slot);
        owner.is_some_and(|owner| index.written.contains_key(owner))
    })
}

/// Returns whether two fields are in different alternatives of the same switch, of which only one is
/// present.
fn is_alternative(plan: &Plan, one: OpId, other: OpId) -> bool {
    let around = |op: OpId| std::iter::successors(Some(op), |at| plan.info(*at).parent);
    let arm = around(other).find(|op| {
        let parent = plan.info(*op).parent;
        parent.is_some_and(|parent| matches!(plan.op(parent).kind, Kind::Switch(_)))
    });
    let Some(arm) = arm else {
        return false;
    };
    let switch = plan.info(arm).parent;
    around(one).any(|op| op != arm && plan.info(op).parent == switch)
}

/// Restricts the domain of a number to the values that later tests allow.
pub fn narrow<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    number: OpId,
    domain: &mut Domain,
) {
    let plan = machine.plan();
    let index = machine.visitor().index;
    let slot = plan.op(number).slot;
    for test in index.lookahead.tests.get(&slot).into_iter().flatten() {
        for code in predicates(plan, *test) {
            if is_known(machine, code, (number, number))
                && (plan.op(*test).kind == Kind::Check || !reads_computed(machine, code))
            {
                solve::satisfy(plan, number, code, domain, &mut |code| {
                    machine.value(code, Value::Absent).integer()
                });
            }
        }
    }
    either(machine, number, domain);
}
