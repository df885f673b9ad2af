//! Finds the rules that apply to a value shown in a record.

use super::steps::each_code;
use super::{Code, CodeId, ColumnRef, Kind, OpId, Plan, Slot, flags};
use crate::schema::FaultKind;

/// Faults of the layout of a file, such as a premature end. Nearly every operation can raise them,
/// and their rules say nothing about the value itself.
const OF_LAYOUT: [FaultKind; 7] = [
    FaultKind::Eof,
    FaultKind::Missing,
    FaultKind::Trailing,
    FaultKind::Past,
    FaultKind::Short,
    FaultKind::Rest,
    FaultKind::Negative,
];

impl Plan {
    /// The rules that concern the value of an operation, by index. These are the rules of the
    /// operation itself or, if it has no rules, those of the nearest enclosing operation with
    /// rules. The search stops at `whole`, which is a record, and at the boundary of any other
    /// record or row. Rules that are exercised only under a condition come first if `shown` returns
    /// true for them. Otherwise they are included only if there are no other rules.
    pub fn rules_about(&self, op: OpId, whole: OpId, shown: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let mut around = Some(op);
        while let Some(at) = around {
            let rules = self.rules_at(at, shown);
            if !rules.is_empty() {
                return rules;
            }
            let inside = |around: &OpId| *around != whole && !self.is_whole(at);
            around = self.info(at).parent.filter(inside);
        }
        Vec::new()
    }

    /// The rules of all arms of a switch. Empty if the operation is not a switch.
    pub fn rules_of_arms(&self, op: OpId) -> Vec<usize> {
        let arms = match self.op(op).kind {
            Kind::Switch(_) => Some(self.children(op)),
            _ => None,
        };
        let rules = arms
            .into_iter()
            .flatten()
            .map(|arm| self.rules_at(arm, &|_| true));
        rules.flatten().collect()
    }

    /// The rules that concern the presence of an optional field. An enclosing operation exercises
    /// them on a condition that reads the same values as the condition of the field.
    pub fn rules_about_presence(&self, op: OpId, whole: OpId) -> Vec<usize> {
        if self.op(op).flags & flags::GUARD == 0 {
            return Vec::new();
        }
        let asked = Asked::by(self, self.op(op).guard);
        let parent = self.info(op).parent;
        self.rules_that_ask(parent.filter(|_| op != whole), whole, &asked)
    }

    /// The rule that is broken if the value refers to a row that does not exist. `None` if the
    /// value is not a reference.
    pub fn rule_of_dangling(&self, op: OpId) -> Option<usize> {
        let refs = self.info(op).refs.map(|index| &self.refs[index as usize])?;
        refs.dangling.map(|rule| rule as usize)
    }

    /// The rules that concern a computed record member. The record exercises them on a condition
    /// that reads the same values as the expression of the member.
    pub fn rules_about_computed(&self, code: CodeId, whole: OpId) -> Vec<usize> {
        self.rules_that_ask(Some(whole), whole, &Asked::by(self, code))
    }

    /// The rules that an operation, or an operation that encloses it inside `whole`, exercises on a
    /// condition that reads the slots and columns in `asked`.
    fn rules_that_ask(&self, op: Option<OpId>, whole: OpId, asked: &Asked) -> Vec<usize> {
        let mut rules = Vec::new();
        let mut around = op;
        while let Some(at) = around {
            for (rule, when) in &self.info(at).obeys {
                if when.is_some_and(|when| asked.shares(&Asked::by(self, when))) {
                    add(&mut rules, *rule);
                }
            }
            let ends = at == whole || self.is_whole(at);
            around = self.info(at).parent.filter(|_| !ends);
        }
        rules
    }

    /// Whether the condition is absent or constantly true.
    fn always(&self, when: Option<CodeId>) -> bool {
        when.is_none_or(|when| self.codes[when.index()] == Code::Bool(true))
    }

    /// Whether the operation is a record or defines a row.
    fn is_whole(&self, op: OpId) -> bool {
        let info = self.info(op);
        let effects = info.effects.map(|index| &self.effects[index as usize]);
        info.record.is_some() || effects.is_some_and(|effects| effects.defines.is_some())
    }

    /// The rules of a single operation. These are the rules that the operation exercises, the rules
    /// of its tests, and the rules of its reference to a row and of its carry. If there are none,
    /// the rules of the faults that its value can have are returned. A rule that is exercised
    /// unconditionally says less about a particular value, so it comes after the conditional ones.
    fn rules_at(&self, op: OpId, shown: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let info = self.info(op);
        let mut rules = Vec::new();
        let (always, sometimes): (Vec<_>, Vec<_>) = info
            .obeys
            .iter()
            .copied()
            .partition(|(_, when)| self.always(*when));
        let (seen, unseen): (Vec<_>, Vec<_>) = sometimes
            .into_iter()
            .partition(|(rule, _)| shown(*rule as usize));
        for (rule, _) in seen {
            add(&mut rules, rule);
        }
        let tests = self.tests_of(op).iter();
        let tests = tests.filter_map(|test| test.rule);
        let refs = info.refs.map(|index| &self.refs[index as usize]);
        let refs = refs.map(|refs| [refs.dangling, refs.later]);
        let carry = info.carry.map(|index| &self.carries[index as usize]);
        let carry = carry.and_then(|carry| carry.overflow);
        for rule in tests
            .chain(refs.into_iter().flatten().flatten())
            .chain(carry)
            .chain(always.into_iter().map(|(rule, _)| rule))
        {
            add(&mut rules, rule);
        }
        if rules.is_empty() {
            for (kind, _) in FaultKind::ALL {
                let rule = self
                    .faults
                    .get(self.op(op).faults as usize)
                    .and_then(|faults| faults.of(kind));
                if let Some(rule) = rule
                    && !OF_LAYOUT.contains(&kind)
                    && self.raises(op, kind)
                {
                    add(&mut rules, rule);
                }
            }
        }
        if rules.is_empty() {
            for (rule, _) in unseen {
                add(&mut rules, rule);
            }
        }
        rules
    }
}

fn add(rules: &mut Vec<usize>, rule: u32) {
    let rule = rule as usize;
    if !rules.contains(&rule) {
        rules.push(rule);
    }
}

/// The slots and columns that an expression reads.
#[derive(Default)]
struct Asked {
    columns: Vec<ColumnRef>,
    slots: Vec<Slot>,
}

impl Asked {
    fn by(plan: &Plan, condition: CodeId) -> Self {
        let mut asked = Self::default();
        each_code(plan, condition, &mut |code| match code {
            Code::Column(_, column) => asked.columns.push(*column),
            Code::Slot(slot) => asked.slots.push(*slot),
            _ => {}
        });
        asked
    }

    /// Whether both read a common column, or a common slot if `self` reads no columns.
    fn shares(&self, other: &Self) -> bool {
        if self.columns.is_empty() {
            self.slots.iter().any(|slot| other.slots.contains(slot))
        } else {
            let mut columns = self.columns.iter();
            columns.any(|column| other.columns.contains(column))
        }
    }
}
