//! Finds the rules that apply to a value in a record.
//!
//! An operation exercises the rules in its `obeys` list, either always or under a condition. A
//! condition reads slots, which store the values of fields, and columns of table rows. The
//! parameter `shown` of several functions returns true for the rules that the trace in question
//! exercises; without a trace, it accepts every rule.

use std::collections::BTreeSet;

use super::steps::each_code;
use super::{
    Code, CodeId, ColumnRef, Derived, Kind, MemberPlan, MemberSource, OpId, Plan, Slot, flags,
};
use crate::terms::{EnumId, FaultKind, RuleId, TableId};

/// Faults in the layout of a file, such as a premature end. Nearly every operation can raise these
/// faults, and the rules for them say nothing about a particular value.
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
    /// Returns the rules about the value of an operation. The result contains the rules of the
    /// operation itself or, if the operation has no rules, those of the nearest enclosing operation
    /// with rules. The search stops at `whole`, which is a record or the root, and at the boundary
    /// of any other record or table row. Rules that are exercised only under a condition come first
    /// if `shown` accepts them. Conditional rules that `shown` does not accept are included only if
    /// there are no other rules.
    ///
    /// The rules of a field that contains the size or the element count of an operation also apply
    /// to this operation. If the condition of an enclosing structure's rule reads only the values
    /// of unrelated fields, the rule is included only if there are no other rules.
    pub fn rules_about(
        &self,
        op: OpId,
        whole: OpId,
        shown: &dyn Fn(RuleId) -> bool,
    ) -> Vec<RuleId> {
        // A field that represents a structure is inside it.
        let op = match self.op(op).kind {
            Kind::Structure => {
                let inner = self.presented(op);
                if self.info(inner).obeys.is_empty() {
                    op
                } else {
                    inner
                }
            }
            _ => op,
        };
        let related = self.related_to(op);
        let mut around = Some(op);
        while let Some(at) = around {
            let mut rules = self.rules_at(at, shown);
            if at != op {
                let others = self.rules_about_others(at, &related);
                if rules.iter().any(|rule| !others.contains(rule)) {
                    rules.retain(|rule| !others.contains(rule));
                }
            }
            if rules.is_empty() {
                rules = self.rules_of_measures(at, shown);
            }
            if !rules.is_empty() {
                return rules;
            }
            let inside = |around: &OpId| *around != whole && !self.is_whole(at);
            around = self.info(at).parent.filter(inside);
        }
        Vec::new()
    }

    /// Returns the rules of all arms of a switch, or no rules if the operation is not a switch.
    pub fn rules_of_arms(&self, op: OpId) -> Vec<RuleId> {
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

    /// Returns the rules of a single field, regardless of the contents of a trace. Rules that a trace
    /// exercises only under a condition are omitted.
    pub fn rules_of_field(&self, op: OpId) -> Vec<RuleId> {
        self.rules_at(op, &|_| false)
    }

    /// Returns the rules that require a name for each field that an operation reads, if text in the
    /// file describes these fields.
    pub fn rules_about_names(&self, op: OpId) -> Vec<RuleId> {
        let inside = (op.0..self.op(op).end).map(OpId);
        let texts = inside.filter_map(|op| match self.op(op).kind {
            Kind::Layout(index) => self.layouts[index].text,
            _ => None,
        });
        let signatures =
            texts.flat_map(|text| self.signatures.iter().filter(move |it| it.text == text));
        signatures
            .filter_map(|signature| signature.missing)
            .collect()
    }

    /// Returns the rules about the presence of an optional field. An enclosing operation exercises
    /// these rules under a condition that reads at least one of the values that the condition of
    /// the field reads.
    pub fn rules_about_presence(&self, op: OpId, whole: OpId) -> Vec<RuleId> {
        if self.op(op).flags & flags::GUARD == 0 {
            return Vec::new();
        }
        let asked = Asked::by(self, self.op(op).guard);
        let parent = self.info(op).parent;
        self.rules_that_ask(parent.filter(|_| op != whole), whole, |it| asked.shares(it))
    }

    /// Returns the rules about how the value of an operation follows from an earlier value, or no
    /// rules if the value does not depend on an earlier value.
    ///
    /// The rules about the increment come first. The increment is an amount that is added to the
    /// value whether or not the file contains a number. The conditions of the rules about the
    /// increment read only values that affect the increment or, if the increment is constant,
    /// values that decide whether the file contains the number. If there are rules about the
    /// increment but `shown` accepts none of them, the result consists of these rules. Otherwise,
    /// the result consists of those rules about the increment, the operation and the contents of
    /// the enclosing structure that `shown` accepts.
    pub fn rules_about_carry(
        &self,
        op: OpId,
        whole: OpId,
        shown: &dyn Fn(RuleId) -> bool,
    ) -> Vec<RuleId> {
        let Some(carry) = self.info(op).carry else {
            return Vec::new();
        };
        let parent = self.info(op).parent.filter(|_| op != whole);
        let then = self.carries[carry].then;
        let mut rules = then.map_or_else(Vec::new, |then| {
            let asked = Asked::by(self, then);
            let asked = match self.guard(op).filter(|_| asked.is_nothing()) {
                Some(guard) => Asked::by(self, guard),
                None => asked,
            };
            self.rules_that_ask(parent, whole, |it| asked.shares(it) && it.is_within(&asked))
        });
        if !rules.is_empty() && !rules.iter().any(|rule| shown(*rule)) {
            return rules;
        }
        let own = self.info(op).obeys.iter();
        for (rule, when) in own.filter(|(rule, _)| shown(*rule)) {
            if !self.always(*when) {
                add(&mut rules, *rule);
            }
        }
        if let Some(parent) = parent {
            let others = self.rules_about_others(parent, &self.related_to(op));
            for (rule, when) in &self.info(parent).obeys {
                if !self.always(*when) && shown(*rule) && !others.contains(rule) {
                    add(&mut rules, *rule);
                }
            }
        }
        rules.retain(|rule| shown(*rule));
        rules
    }

    /// Returns the rules about one member of an enumeration: the rules of the switch arms and
    /// described types that the member selects, the rules about the presence of parts that depend
    /// on the member, and the rules of fields that use the enumeration.
    pub fn rules_about_member(&self, set: EnumId, member: u32) -> Vec<RuleId> {
        let set_plan = &self.enums[set];
        let member = &set_plan.members[member as usize];
        let ops = || (0..u32::MAX).map(OpId).take(self.ops.len());
        let is_field = |op: &OpId| self.info(*op).presentation.enumeration == Some(set);
        let is_meant = |name: &str| name.eq_ignore_ascii_case(&member.name.replace('_', ""));
        let codes = self.layouts.iter().flat_map(|layout| &layout.codes);
        let codes = codes.filter(|it| it.code == member.value && is_meant(&it.name));
        let mut chosen: Vec<OpId> = codes.map(|it| it.op).collect();
        let mut present = Vec::new();
        for field in ops().filter(is_field) {
            let slot = self.op(field).slot;
            if self.op(field).flags & flags::SLOT == 0 {
                continue;
            }
            let on_field =
                |on: CodeId| matches!(self.codes[on.index()], Code::Slot(it) if it == slot);
            let switches = self.switches.iter().filter(|switch| on_field(switch.on));
            let arms = switches.flat_map(|switch| &switch.arms);
            let arms = arms.filter(|(labels, _)| labels.contains(&member.value));
            chosen.extend(arms.map(|(_, op)| *op));
            let parent = self.info(field).parent.into_iter();
            for sibling in parent.flat_map(|parent| self.children(parent)) {
                let guard = self.guard(sibling).map(|guard| Asked::by(self, guard));
                if guard.is_some_and(|asked| asked.slots.contains(&slot)) {
                    present.extend(self.rules_about_presence(sibling, OpId(0)));
                }
            }
        }
        let mut rules: Vec<RuleId> = Vec::new();
        let of_choices = chosen
            .into_iter()
            .flat_map(|op| self.rules_at(op, &|_| true));
        let of_fields = ops()
            .filter(is_field)
            .flat_map(|op| self.rules_at(op, &|_| true));
        for rule in of_choices.chain(present).chain(of_fields) {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        rules
    }

    /// Returns the tables whose rows contain the values of a record member. `path` consists of the
    /// names of the member and of the objects that contain it, outermost first; names of parts of
    /// its value may follow. If records of several kinds have the member, returns the tables of all.
    pub fn tables_of_member(&self, path: &[&str]) -> BTreeSet<TableId> {
        let mut tables = BTreeSet::new();
        for record in &self.records {
            self.add_tables(&record.members, path, &mut tables);
        }
        tables
    }

    fn add_tables(&self, members: &[MemberPlan], path: &[&str], tables: &mut BTreeSet<TableId>) {
        let Some((name, rest)) = path.split_first() else {
            return;
        };
        for member in members.iter().filter(|member| member.name == *name) {
            match &member.source {
                MemberSource::Object(members) => self.add_tables(members, rest, tables),
                MemberSource::Value(code, _) | MemberSource::Named(code, _) => {
                    let asked = Asked::by(self, *code);
                    tables.extend(asked.columns.iter().map(|column| column.table));
                }
            }
        }
    }

    /// Returns the rule that a reference to a missing row breaks, or `None` if the value is not a
    /// reference.
    pub fn rule_of_dangling(&self, op: OpId) -> Option<RuleId> {
        let refs = self.info(op).refs.map(|index| &self.refs[index])?;
        refs.dangling
    }

    /// Returns the rules about a computed record member. The record exercises these rules under a
    /// condition that reads at least one of the values that the expression of the member reads.
    pub fn rules_about_computed(&self, code: CodeId, whole: OpId) -> Vec<RuleId> {
        let asked = Asked::by(self, code);
        self.rules_that_ask(Some(whole), whole, |it| asked.shares(it))
    }

    /// Returns conditional rules of an operation and of the operations that enclose it, up to
    /// `whole`. A rule is included if `is_meant` accepts the slots and columns that its condition
    /// reads.
    fn rules_that_ask(
        &self,
        op: Option<OpId>,
        whole: OpId,
        is_meant: impl Fn(&Asked) -> bool,
    ) -> Vec<RuleId> {
        let mut rules = Vec::new();
        let mut around = op;
        while let Some(at) = around {
            for (rule, when) in &self.info(at).obeys {
                if when.is_some_and(|when| is_meant(&Asked::by(self, when))) {
                    add(&mut rules, *rule);
                }
            }
            let ends = at == whole || self.is_whole(at);
            around = self.info(at).parent.filter(|_| !ends);
        }
        rules
    }

    /// Returns the slots whose values control the presence, size or value of an operation.
    fn related_to(&self, op: OpId) -> Vec<Slot> {
        let mut slots = vec![self.op(op).slot];
        slots.extend(
            self.guard(op)
                .into_iter()
                .flat_map(|it| Asked::by(self, it).slots),
        );
        let carry = self.info(op).carry;
        if let Some(then) = carry.and_then(|carry| self.carries[carry].then) {
            slots.extend(Asked::by(self, then).slots);
        }
        slots.extend(self.measures(op).map(|field| self.op(field).slot));
        slots.retain(|slot| *slot != Slot::NONE);
        slots
    }

    /// Returns the condition under which an operation is present, or `None` if the operation is
    /// always present.
    fn guard(&self, op: OpId) -> Option<CodeId> {
        let op = self.op(op);
        (op.flags & flags::GUARD != 0).then_some(op.guard)
    }

    /// Returns the conditional rules of a structure that are only about fields other than the
    /// `related` fields. A rule whose condition reads only fields that control the presence of
    /// other fields is about the whole structure and is not included.
    fn rules_about_others(&self, structure: OpId, related: &[Slot]) -> Vec<RuleId> {
        let guards = self
            .children(structure)
            .filter_map(|child| self.guard(child));
        let decisive: Vec<Slot> = guards
            .flat_map(|guard| Asked::by(self, guard).slots)
            .collect();
        let own: Vec<Slot> = self
            .children(structure)
            .map(|child| self.op(child).slot)
            .filter(|slot| *slot != Slot::NONE)
            .collect();
        let is_about_others = |when: CodeId| {
            let asked = Asked::by(self, when);
            let mut slots = asked.slots.iter();
            let reads_another = slots.any(|slot| own.contains(slot) && !decisive.contains(slot));
            reads_another && !asked.slots.iter().any(|slot| related.contains(slot))
        };
        let obeys = self.info(structure).obeys.iter();
        let others = obeys.filter(|(_, when)| when.is_some_and(is_about_others));
        others.map(|(rule, _)| *rule).collect()
    }

    /// Returns the sibling fields that contain the size or the number of elements of an operation.
    fn measures(&self, op: OpId) -> impl Iterator<Item = OpId> {
        let parent = self.info(op).parent.into_iter();
        let siblings = parent.flat_map(|parent| self.children(parent));
        siblings.filter(move |sibling| {
            matches!(
                self.info(*sibling).derived,
                Some(Derived::Measured { of, .. }) if of == op
            )
        })
    }

    /// Returns the conditional rules exercised by the fields that contain the size or the number of
    /// elements of an operation.
    fn rules_of_measures(&self, op: OpId, shown: &dyn Fn(RuleId) -> bool) -> Vec<RuleId> {
        let mut rules = Vec::new();
        for field in self.measures(op) {
            for (rule, when) in &self.info(field).obeys {
                if !self.always(*when) && shown(*rule) {
                    add(&mut rules, *rule);
                }
            }
        }
        rules
    }

    /// Returns whether the condition is absent or always true.
    fn always(&self, when: Option<CodeId>) -> bool {
        when.is_none_or(|when| self.codes[when.index()] == Code::Bool(true))
    }

    /// Returns whether the operation is a record or defines a row.
    fn is_whole(&self, op: OpId) -> bool {
        let info = self.info(op);
        let effects = info.effects.map(|index| &self.effects[index]);
        info.record.is_some() || effects.is_some_and(|effects| effects.defines.is_some())
    }

    /// Returns the rules of a single operation. The result contains the rules that the operation
    /// exercises, the rules of its tests, the rules of its reference to a row, and the rules about
    /// how its value follows from an earlier value. If an operation has none of these rules, the
    /// result contains the rules for the faults that reading its value can raise. A rule that is
    /// exercised unconditionally says less about a particular value, so it comes after the
    /// conditional rules.
    fn rules_at(&self, op: OpId, shown: &dyn Fn(RuleId) -> bool) -> Vec<RuleId> {
        let info = self.info(op);
        let mut rules = Vec::new();
        let (always, sometimes): (Vec<_>, Vec<_>) = info
            .obeys
            .iter()
            .copied()
            .partition(|(_, when)| self.always(*when));
        let (seen, unseen): (Vec<_>, Vec<_>) =
            sometimes.into_iter().partition(|(rule, _)| shown(*rule));
        for (rule, _) in seen {
            add(&mut rules, rule);
        }
        let tests = self.tests_of(op).iter();
        let tests = tests.filter_map(|test| test.rule);
        let refs = info.refs.map(|index| &self.refs[index]);
        let refs = refs.map(|refs| [refs.dangling, refs.later]);
        let carry = info.carry.map(|index| &self.carries[index]);
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
                let faults = self.faults.get(self.op(op).faults);
                let rule = faults.and_then(|faults| faults.of(kind));
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

fn add(rules: &mut Vec<RuleId>, rule: RuleId) {
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

    fn is_nothing(&self) -> bool {
        self.columns.is_empty() && self.slots.is_empty()
    }

    /// Returns whether `other` reads all slots that `self` reads.
    fn is_within(&self, other: &Self) -> bool {
        self.slots.iter().all(|slot| other.slots.contains(slot))
    }

    /// Returns whether `self` and `other` have a column in common or, if `self` reads no columns, a
    /// slot in common.
    fn shares(&self, other: &Self) -> bool {
        if self.columns.is_empty() {
            self.slots.iter().any(|slot| other.slots.contains(slot))
        } else {
            let mut columns = self.columns.iter();
            columns.any(|column| other.columns.contains(column))
        }
    }
}
