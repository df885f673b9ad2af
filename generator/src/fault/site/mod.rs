//! Finds every operation of a plan where a rule can be violated, and the operators that apply to
//! the operation.

mod early;
mod tests;

pub(super) use tests::Subject;

use tracegauge_plan::terms::{FaultKind, ReaderDuty, RuleId};
use tracegauge_plan::{Around, Code, CodeId, DefinePlan, Kind, OpId, Plan};

use super::apply::{duty, fault};
use super::operator::Site;
use super::operators::Operator;
use super::slots::SlotIndex;

/// The maximum number of undeclared values to try between declared values, in addition to the
/// minimum and the maximum value.
const MOST_GAPS: usize = 16;

/// Returns every fault site of a plan, in the order of its operations.
pub fn sites(plan: &Plan) -> Vec<Site> {
    let mut finder = Finder::new(plan);
    for index in 0..plan.ops.len() {
        let id = OpId::from(index);
        // An instance at a position has no bytes of its own to change.
        if !finder.early.is_inside(id) {
            Operator::sites(&mut finder, id);
        }
    }
    finder.sites
}

/// Collects the sites of a plan.
pub(super) struct Finder<'p> {
    pub(super) plan: &'p Plan,
    pub(super) slots: SlotIndex,
    pub(super) early: early::Early,
    pub(super) around: Vec<Around>,
    pub(super) sites: Vec<Site>,
}

impl<'p> Finder<'p> {
    /// Analyzes `plan`. No sites have been found yet.
    pub(super) fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            slots: SlotIndex::new(plan),
            early: early::Early::new(plan),
            around: plan.surroundings(),
            sites: Vec::new(),
        }
    }

    /// Adds a site at which `rule` is violated, unless the rule requires nothing of readers. If the
    /// description has any rules, violations without a rule are ignored, because a description must
    /// name a rule for everything that it forbids.
    pub(super) fn add(&mut self, rule: Option<RuleId>, op: OpId, operator: impl Into<Operator>) {
        let unnamed = rule.is_none() && !self.plan.rules.is_empty();
        if !unnamed && duty(self.plan, rule) != ReaderDuty::None {
            let operator = operator.into();
            self.sites.push(Site { rule, op, operator });
        }
    }

    pub(super) fn add_all(
        &mut self,
        rule: Option<RuleId>,
        op: OpId,
        operators: impl IntoIterator<Item: Into<Operator>>,
    ) {
        for operator in operators {
            self.add(rule, op, operator);
        }
    }

    /// Adds sites for the rule that a kind of fault violates, if there is such a rule.
    pub(super) fn mapped(
        &mut self,
        kind: FaultKind,
        op: OpId,
        operators: impl IntoIterator<Item: Into<Operator>>,
    ) {
        if let Some(rule) = fault(self.plan, op, kind) {
            self.add_all(rule, op, operators);
        }
    }

    /// Adds a site whose violated rule depends on the trace.
    pub(super) fn add_undetermined(&mut self, op: OpId, operator: impl Into<Operator>) {
        self.sites.push(Site {
            rule: None,
            op,
            operator: operator.into(),
        });
    }

    /// Returns the field that an expression of operation `id` refers to, if the expression consists
    /// of a single field.
    pub(super) fn field_of(&self, id: OpId, code: CodeId) -> Option<OpId> {
        match self.plan.codes[code.index()] {
            Code::Slot(slot) => self.slots.field(self.plan, slot, id),
            _ => None,
        }
    }

    pub(super) fn first_rule(&self, id: OpId) -> Option<RuleId> {
        self.plan.tests_of(id).first()?.rule
    }

    /// Returns whether an operation reads bytes by itself, and not only through the operations inside
    /// it.
    pub(super) fn reads_bytes(&self, id: OpId) -> bool {
        !matches!(
            self.plan.op(id).kind,
            Kind::Structure
                | Kind::Call(_)
                | Kind::Repeat(_)
                | Kind::Switch(_)
                | Kind::Layout(_)
                | Kind::Nested(_)
                | Kind::Sized(_)
                | Kind::Check
                | Kind::Bits { .. }
        )
    }

    /// Returns the rows that an operation defines: the elements of a list, or a structure when it
    /// ends. Each definition is preceded by the operation that reads the row.
    pub(super) fn definitions(&self, id: OpId) -> Vec<(OpId, &'p DefinePlan)> {
        let plan = self.plan;
        let elements = match plan.op(id).kind {
            Kind::Repeat(repeat) => plan.repeats[repeat].defines.as_deref(),
            _ => None,
        };
        let effects = plan.info(id).effects.map(|effects| &plan.effects[effects]);
        let ending = effects.and_then(|effects| effects.defines.as_ref());
        let elements = elements.map(|define| (OpId(id.0 + 1), define));
        let ending = ending.map(|define| (id, define));
        elements.into_iter().chain(ending).collect()
    }
}

/// Returns undeclared values: the first value in each gap between declared values, and the minimum
/// and maximum.
pub(super) fn gaps(mut declared: Vec<i128>, range: Option<(i128, i128)>) -> Vec<i128> {
    let (least, greatest) = range.unwrap_or((0, i128::from(u32::MAX)));
    declared.sort_unstable();
    declared.dedup();
    let is_free = |value: i128| {
        (least..=greatest).contains(&value) && declared.binary_search(&value).is_err()
    };
    let after = declared
        .iter()
        .filter_map(|value| value.checked_add(1))
        .filter(|v| is_free(*v));
    let mut found: Vec<i128> = after.take(MOST_GAPS).collect();
    found.extend([least, greatest].into_iter().filter(|v| is_free(*v)));
    found.sort_unstable();
    found.dedup();
    found
}
