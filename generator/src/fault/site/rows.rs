//! Finds the operations in lists, switches, layouts and rows where a rule can be violated.

use tracegauge_plan::terms::{FaultKind, TableId};
use tracegauge_plan::{
    CodeExtent, Count, DefinePlan, Kind, LayoutUseId, NestedForm, NestedId, OpId, Plan, RepeatId,
    RepeatPlan, SwitchId,
};

use super::{Finder, gaps};
use crate::fault::number;
use crate::fault::operator::{Missing, Operator, OrderChange, Repetition, Site, WordChange};
use crate::fault::row::rule_of_change;

impl Finder<'_> {
    /// Returns the ways in which a row of a table can be removed before a field refers to it.
    fn endings_of(&self, table: TableId) -> Vec<Missing> {
        let effects = self.plan.effects.iter();
        let removed = effects.clone().any(|e| {
            e.removes
                .as_ref()
                .is_some_and(|remove| remove.table == table)
        });
        let cleared = effects
            .flat_map(|e| &e.clears)
            .any(|clear| clear.table.is_none_or(|of| of == table));
        let removed = removed.then_some(Missing::Removed);
        removed
            .into_iter()
            .chain(cleared.then_some(Missing::Cleared))
            .collect()
    }

    pub(super) fn repeat(&mut self, id: OpId, index: RepeatId) {
        let repeat = &self.plan.repeats[index];
        if matches!(repeat.count, Count::Until(_)) {
            self.sites.push(Site {
                rule: None,
                op: id,
                operator: Operator::EndMissing,
            });
        }
        if let Some((least, rule)) = repeat.at_least {
            if least > 1 {
                self.add(rule, id, Operator::TooFew { none: false });
            }
            self.add(rule, id, Operator::TooFew { none: true });
        }
        for (key, unique) in repeat.unique.iter().enumerate() {
            self.add(unique.rule, id, Operator::Duplicate { key });
        }
        self.arranged(id, repeat);
        if let Some(define) = &repeat.defines {
            let element = OpId(id.0 + 1);
            self.defined(element, define);
            let first = define
                .first_key(self.plan)
                .and_then(|key| self.field_of(id, key));
            let again = define.again.as_ref().and_then(|again| again.other);
            if let (Some(first), Some(rule)) = (first, again) {
                let overlap = Operator::Again(Repetition::Overlapping);
                self.add(Some(rule), first, overlap);
            }
        }
    }

    /// Adds sites for elements in invalid positions.
    fn arranged(&mut self, id: OpId, repeat: &RepeatPlan) {
        use OrderChange as O;
        for (test, check) in repeat.first.iter().enumerate() {
            let changes = [O::First(test), O::FirstMissing(test)];
            self.add_all(check.rule, id, changes.map(Operator::Order));
        }
        for (test, check) in repeat.last.iter().enumerate() {
            self.add(check.rule, id, Operator::Order(O::Last(test)));
        }
        for (which, once) in repeat.once.iter().enumerate() {
            let changes = [O::Twice(which), O::TwiceLate(which)];
            self.add_all(once.rule, id, changes.map(Operator::Order));
        }
    }

    pub(super) fn layout(&mut self, id: OpId, index: LayoutUseId) {
        let plan = self.plan;
        let layout = &plan.layouts[index];
        let described = plan
            .infos
            .iter()
            .position(|info| info.code_of == Some(layout.layout));
        let range = described.and_then(|op| number::range(&plan.ops[op].kind));
        let codes = layout.codes.iter().map(|code| code.code).collect();
        let unknown = layout.unknown;
        let values = gaps(codes, range);
        self.add_all(unknown, id, values.into_iter().map(Operator::UnknownCode));
    }

    /// Adds sites for words (fields that encode the location of a value) that point to invalid
    /// positions.
    pub(super) fn located(&mut self, id: OpId, index: NestedId) {
        use WordChange as W;
        let NestedForm::Located(located) = &self.plan.nested[index].form else {
            return;
        };
        let past = [W::Past, W::PastEnd].map(Operator::Word);
        self.mapped(FaultKind::Past, id, past);
        self.add(located.multiple, id, Operator::Word(W::Multiple));
    }

    /// Adds sites for types that must have a fixed size.
    pub(super) fn types(&mut self, id: OpId) {
        let plan = self.plan;
        let Some(describes) = plan.info(id).describes else {
            return;
        };
        let codes = &plan.describes[describes].codes;
        let Some(rule) = codes.iter().find_map(|code| code.fixed) else {
            return;
        };
        let variable = |code: &&tracegauge_plan::DescribedCode| {
            code.extent == CodeExtent::Variable && !code.holds
        };
        let variable = codes.iter().filter(variable);
        let changes: Vec<Operator> = variable.map(|code| Operator::Variable(code.code)).collect();
        self.add_all(rule, id, changes);
    }

    /// Adds sites for operations that refer to, define or remove rows, and for values that are
    /// derived from earlier values (`carry`).
    pub(super) fn rows(&mut self, id: OpId) {
        use Missing as M;
        let plan = self.plan;
        let info = plan.info(id);
        if let Some(refs) = info.refs.map(|refs| &plan.refs[refs]) {
            let never = [
                M::NeverDefined,
                M::NeverDefinedGreatest,
                M::NeverDefinedWraps,
            ];
            self.add_all(refs.dangling, id, never.map(Operator::Dangling));
            if plan.tables[refs.table].by_offset {
                let beside = [M::NeverDefinedLeast, M::OtherElement];
                self.add_all(refs.dangling, id, beside.map(Operator::Dangling));
            }
            let later = refs.later.or(refs.dangling);
            self.add(later, id, Operator::Dangling(M::DefinedLater));
            for gone in self.endings_of(refs.table) {
                self.add(refs.dangling, id, Operator::Dangling(gone));
            }
        }
        if let Some(carry) = info.carry.map(|carry| &plan.carries[carry])
            && carry.add
            && carry.wraps.is_none()
        {
            let over = [true, false].map(|by_one| Operator::Overflow { by_one });
            self.add_all(carry.overflow, id, over);
        }
        let Some(effects) = info.effects.map(|index| &plan.effects[index]) else {
            return;
        };
        if let Some(remove) = &effects.removes
            && let Some(rule) = remove.dangling
            && let Some(key) = self.field_of(id, remove.key)
        {
            let never = [
                M::NeverDefined,
                M::NeverDefinedGreatest,
                M::NeverDefinedWraps,
            ];
            self.add_all(Some(rule), key, never.map(Operator::Dangling));
        }
        if let Some(define) = &effects.defines {
            self.defined(id, define);
        }
    }

    /// Adds sites for rows that structure or element `id` defines.
    fn defined(&mut self, id: OpId, define: &DefinePlan) {
        let plan = self.plan;
        for (index, unique) in define.unique.iter().enumerate() {
            let same = Operator::Again(Repetition::SameColumn(index));
            self.add(unique.rule, id, same);
        }
        let before = &plan.tables[define.table].initial;
        for (row, initial) in before.iter().enumerate() {
            if let Some(again) = &initial.again {
                self.add(again.same, id, Operator::Before { row, same: true });
                self.add(again.other, id, Operator::Before { row, same: false });
            }
        }
        let Some(again) = &define.again else {
            return;
        };
        if again.same.is_some() {
            self.add(again.same, id, Operator::Again(Repetition::Same));
        }
        let key = define.key.and_then(|key| self.field_of(id, key));
        if again.other.is_some() || again.alike.is_some() {
            for field in id.0 + 1..plan.op(id).end {
                let different = Operator::Again(Repetition::Different(id));
                if can_differ(plan, OpId(field)) && Some(OpId(field)) != key {
                    let rule = rule_of_change(plan, define, again, OpId(field));
                    self.add(rule, OpId(field), different);
                }
            }
        }
    }

    pub(super) fn switch(&mut self, id: OpId, index: SwitchId) {
        let plan = self.plan;
        let switch = &plan.switches[index];
        let on = self.field_of(id, switch.on);
        let (Some(rule), None, Some(field)) = (switch.rule, switch.default, on) else {
            return;
        };
        let labels = switch.arms.iter().flat_map(|(values, _)| values).copied();
        let Some(range) = number::range(&plan.op(field).kind) else {
            return;
        };
        let values = gaps(labels.collect(), Some(range));
        self.add_all(Some(rule), field, values.into_iter().map(Operator::NoArm));
    }
}

/// Returns whether a field can have a different value when its row is repeated.
fn can_differ(plan: &Plan, op: OpId) -> bool {
    let computed = plan.info(op).derived.is_some();
    !computed
        && matches!(
            plan.op(op).kind,
            Kind::Integer(_)
                | Kind::Variable(..)
                | Kind::Bits { .. }
                | Kind::Float { .. }
                | Kind::Guid(_)
                | Kind::Text(..)
                | Kind::Bytes(_)
                | Kind::Terminated(_)
                | Kind::Repeat(_)
        )
}
