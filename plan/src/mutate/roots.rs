//! Finds the expressions of a plan.

use super::live::Live;
use crate::terms::{ColumnId, RegisterId, RuleId, TableId};
use crate::{
    CheckKind, CheckPlan, Code, CodeId, Count, DefinePlan, EffectsPlan, Extent, FoldPlan, Kind,
    LayoutSource, MemberPlan, MemberSource, OpId, Pick, Plan, RepeatPlan, SetPlan, SetTargetPlan,
    Slot, UniquePlan, flags,
};

/// The purpose of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Decides whether a field is present, or whether a test, reference, record or other effect
    /// applies.
    Condition,
    /// Takes part in a test, as a bound, a permitted value, a key that must be unique or a
    /// condition that must hold, or ends a list.
    Test,
    /// Computes a number of bytes or elements.
    Number,
    /// Computes the key of a row.
    Key,
    /// Computes a value that is stored, compared with another value, or used to compute a later
    /// value.
    Value,
    /// Computes a value that a record contains.
    Shown,
    /// Selects an arm.
    Choice,
}

/// An expression that an operation uses.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) op: OpId,
    pub(super) role: Role,
    /// A short description of the purpose, which is part of the mutant's name.
    pub(super) word: String,
    pub(super) code: CodeId,
    /// The rule of the test that the expression belongs to.
    pub(super) rule: Option<RuleId>,
    /// The place of the value, if it is stored and only other expressions read it.
    pub(super) stored: Option<Stored>,
}

/// A place from which expressions read a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Stored {
    Slot(Slot),
    Register(RegisterId),
    Column(TableId, ColumnId),
}

impl Stored {
    /// Returns the place that an effect sets.
    pub(super) fn by(set: &SetPlan) -> Self {
        match set.target {
            SetTargetPlan::Register(register) => Self::Register(register),
            SetTargetPlan::Column { table, column, .. } => Self::Column(table, column),
        }
    }
}

/// Finds all expressions that affect the behavior of a reader. An expression for a stored value is
/// included only if that value is read.
pub(super) fn roots(plan: &Plan, live: &Live) -> Vec<Root> {
    let count = plan.ops.len();
    let mut found = Roots {
        plan,
        live,
        op: OpId(0),
        rule: None,
        stored: None,
        found: Vec::new(),
    };
    for id in (0..u32::MAX).map(OpId).take(count) {
        found.op = id;
        found.operation(id);
    }
    found.found
}

/// Returns whether the result of a query over a list is read.
pub(super) fn fold_is_read(fold: &FoldPlan, live: &Live) -> bool {
    let other = match fold.pick {
        Pick::First(slot) => live.has_slot(slot),
        _ => false,
    };
    other || live.has_slot(fold.slot)
}

/// Returns whether the assigned register or column is read.
pub(super) fn set_is_read(set: &SetPlan, live: &Live) -> bool {
    match set.target {
        SetTargetPlan::Register(register) => live.has_register(register),
        SetTargetPlan::Column { table, column, .. } => live.has_column(table, column),
    }
}

struct Roots<'p> {
    plan: &'p Plan,
    live: &'p Live,
    op: OpId,
    /// The rule of the current test.
    rule: Option<RuleId>,
    /// The place in which the value of the current expression is stored.
    stored: Option<Stored>,
    found: Vec<Root>,
}

impl Roots<'_> {
    fn add(&mut self, role: Role, word: impl Into<String>, code: CodeId) {
        if code != CodeId::NONE {
            self.found.push(Root {
                op: self.op,
                role,
                word: word.into(),
                code,
                rule: self.rule,
                stored: self.stored,
            });
        }
    }

    /// Runs `work`, which adds the expressions that determine what is stored in a place.
    fn storing(&mut self, place: Stored, work: impl FnOnce(&mut Self)) {
        self.stored = Some(place);
        work(self);
        self.stored = None;
    }

    fn some(&mut self, role: Role, word: &str, code: Option<CodeId>) {
        if let Some(code) = code {
            self.add(role, word, code);
        }
    }

    fn operation(&mut self, id: OpId) {
        let plan = self.plan;
        let (op, info) = (plan.op(id), plan.info(id));
        if op.flags & flags::GUARD != 0 {
            self.add(Role::Condition, "if", op.guard);
        }
        let read = op.flags & flags::VISIBLE != 0 || self.live.has_slot(op.slot);
        if read || !matches!(op.kind, Kind::Bind(_)) {
            match op.kind {
                Kind::Bind(code) if op.flags & flags::VISIBLE == 0 => {
                    self.storing(Stored::Slot(op.slot), |roots| {
                        roots.add(Role::Value, "argument", code);
                    });
                }
                _ => self.kind(&op.kind),
            }
        }
        if op.flags & flags::CHECKS != 0 {
            self.checks("", plan.tests_of(id));
        }
        if let Some(refs) = info.refs {
            let refs = &plan.refs[refs];
            self.some(Role::Condition, "refs", refs.condition);
            self.some(Role::Value, "none", refs.none);
        }
        if let Some(carry) = info.carry {
            self.some(Role::Value, "then", plan.carries[carry].then);
        }
        if let Some(effects) = info.effects {
            self.effects(&plan.effects[effects]);
        }
        if let Some(record) = info.record {
            let record = &plan.records[record];
            self.some(Role::Condition, "record", record.condition);
            self.members("", &record.members);
        }
        self.some(Role::Shown, "shows", info.presentation.shows);
    }

    fn kind(&mut self, kind: &Kind) {
        let plan = self.plan;
        match kind {
            Kind::Bytes(Extent::Computed(code))
            | Kind::Text(Extent::Computed(code), _)
            | Kind::Sized(Extent::Computed(code)) => self.add(Role::Number, "size", *code),
            Kind::Bind(code) => self.add(Role::Value, "argument", *code),
            Kind::At(location) => {
                let offset = plan.locations[*location].offset;
                self.some(Role::Number, "offset", offset);
            }
            Kind::Repeat(repeat) => self.list(&plan.repeats[*repeat]),
            Kind::Switch(switch) => {
                let switch = &plan.switches[*switch];
                self.add(Role::Choice, "on", switch.on);
                for (number, (label, _)) in switch.computed.iter().enumerate() {
                    self.add(Role::Value, format!("label {number}"), *label);
                }
            }
            Kind::Layout(layout) => {
                if let LayoutSource::Code(code) = plan.layouts[*layout].source {
                    self.add(Role::Choice, "code", code);
                }
            }
            _ => {}
        }
    }

    fn checks(&mut self, place: &str, checks: &[CheckPlan]) {
        for check in checks {
            if !self.plan.matters(check.rule) {
                continue;
            }
            self.rule = check.rule;
            let rule = check.rule.and_then(|rule| self.plan.rules.get(rule));
            let rule = rule.map_or("test", |rule| rule.id.as_str());
            let word = format!("{place}{rule}");
            self.some(Role::Condition, &format!("{word} if"), check.condition);
            match &check.kind {
                CheckKind::Equal(code) => self.add(Role::Value, word, *code),
                // Another operator covers constant bounds.
                CheckKind::Min(code) | CheckKind::Max(code)
                    if matches!(self.plan.codes[code.index()], Code::Int(_)) => {}
                CheckKind::Min(code) | CheckKind::Max(code) => self.add(Role::Test, word, *code),
                CheckKind::AnyOf(codes) => {
                    for code in codes {
                        self.add(Role::Test, word.as_str(), *code);
                    }
                }
                CheckKind::Holds(code) => self.add(Role::Test, word, *code),
                _ => {}
            }
        }
        self.rule = None;
    }

    fn list(&mut self, list: &RepeatPlan) {
        match list.count {
            Count::Computed(code) => self.add(Role::Number, "count", code),
            Count::Until(code) => self.add(Role::Test, "until", code),
            Count::ToEnd => {}
        }
        self.checks("first ", &list.first);
        self.checks("last ", &list.last);
        for once in &list.once {
            if !self.plan.rejects(once.rule) {
                continue;
            }
            self.rule = once.rule;
            self.add(Role::Test, "once", once.by);
            self.add(Role::Value, "once value", once.equal);
            self.rule = None;
        }
        self.unique(&list.unique);
        for (_, initial) in &list.carried {
            self.add(Role::Value, "carried", *initial);
        }
        if let Some(define) = &list.defines {
            self.define(define);
        }
        for fold in &list.folds {
            if !fold_is_read(fold, self.live) {
                continue;
            }
            self.storing(Stored::Slot(fold.slot), |roots| {
                roots.some(Role::Condition, "asked if", fold.when);
                roots.add(Role::Value, "asked", fold.value);
            });
        }
        let previous = list.previous.iter();
        for previous in previous.filter(|known| self.live.has_slot(known.slot)) {
            self.storing(Stored::Slot(previous.slot), |roots| {
                roots.add(Role::Value, "before", previous.value);
                roots.add(Role::Value, "before the first", previous.initial);
            });
        }
    }

    fn unique(&mut self, unique: &[UniquePlan]) {
        for unique in unique {
            if !self.plan.rejects(unique.rule) {
                continue;
            }
            self.rule = unique.rule;
            self.add(Role::Test, "unique", unique.by);
            for except in &unique.except {
                self.add(Role::Value, "except", *except);
            }
            self.rule = None;
        }
    }

    fn define(&mut self, define: &DefinePlan) {
        self.some(Role::Condition, "defines if", define.condition);
        self.some(Role::Key, "key", define.key);
        for (id, column) in define.columns.entries() {
            if !self.live.has_column(define.table, id) {
                continue;
            }
            self.storing(Stored::Column(define.table, id), |roots| {
                roots.add(Role::Value, "column", *column);
            });
        }
        self.unique(&define.unique);
        for kind in &define.kinds {
            self.add(Role::Condition, "kind", kind.when);
        }
    }

    fn effects(&mut self, effects: &EffectsPlan) {
        self.checks("end ", &effects.checks);
        if let Some(define) = &effects.defines {
            self.define(define);
        }
        if let Some(remove) = &effects.removes {
            self.add(Role::Key, "removes", remove.key);
        }
        for clear in &effects.clears {
            self.rule = clear.rule;
            self.some(Role::Condition, "clears if", clear.condition);
        }
        self.rule = None;
        let sets = effects.sets.iter();
        for set in sets.filter(|set| set_is_read(set, self.live)) {
            self.storing(Stored::by(set), |roots| {
                roots.some(Role::Condition, "sets if", set.condition);
                roots.add(Role::Value, "sets", set.value);
                if let SetTargetPlan::Column { key, .. } = set.target {
                    roots.add(Role::Key, "sets key", key);
                }
            });
        }
    }

    fn members(&mut self, place: &str, members: &[MemberPlan]) {
        for member in members {
            let word = format!("{place}{}", member.name);
            match &member.source {
                MemberSource::Value(code, _) | MemberSource::Named(code, _) => {
                    self.add(Role::Shown, word, *code);
                }
                MemberSource::Object(members) => self.members(&format!("{word}."), members),
            }
        }
    }
}
