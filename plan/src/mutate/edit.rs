//! Helpers for small changes to plans, used by several mutation operators.

use crate::terms::{Continuation, FaultClass, FaultKind, Level, ReaderDuty, RuleId};
use crate::{CheckKind, Code, CodeId, EffectsPlan, OpId, Plan, RulePlan, Slot, flags};

impl Plan {
    /// Adds an expression to the plan.
    pub(super) fn new_code(&mut self, code: Code) -> CodeId {
        let id = CodeId::from(self.codes.len());
        self.codes.push(code);
        id
    }

    /// Adds a slot.
    pub(super) fn new_slot(&mut self) -> Slot {
        let slot = Slot(self.slots);
        self.slots += 1;
        slot
    }

    /// Returns whether readers must reject a violation of the rule.
    pub(super) fn rejects(&self, rule: Option<RuleId>) -> bool {
        rule.is_none_or(|rule| self.rules[rule].duty == ReaderDuty::Reject)
    }

    /// Returns whether readers must accept a violation of the rule.
    pub(super) fn accepts(&self, rule: Option<RuleId>) -> bool {
        rule.is_some_and(|rule| self.rules[rule].duty == ReaderDuty::Accept)
    }

    /// Returns whether a violation of the rule affects what a reader does next: it must reject the
    /// trace, or must accept it but may skip data or stop reading.
    pub(super) fn matters(&self, rule: Option<RuleId>) -> bool {
        let moves = |rule: RuleId| {
            let ways = &self.rules[rule].continues;
            let moves = |way| matches!(way, &Continuation::Stop | &Continuation::Skip);
            ways.iter().any(moves)
        };
        self.rejects(rule) || self.accepts(rule) && rule.is_some_and(moves)
    }

    /// Returns the permitted values of an operation, if its tests restrict the value to a list.
    pub(super) fn allowed(&self, op: OpId) -> Option<Vec<i128>> {
        let described = self.op(op);
        if described.flags & flags::CHECKS == 0 {
            return None;
        }
        let asked = self.tests_of(op).iter();
        let mut asked = asked.filter(|check| check.condition.is_none() && self.rejects(check.rule));
        let number = |code: &CodeId| match self.codes[code.index()] {
            Code::Int(value) => Some(value),
            _ => None,
        };
        asked.find_map(|check| match &check.kind {
            CheckKind::Equal(code) => Some(vec![number(code)?]),
            CheckKind::AnyOf(codes) => codes.iter().map(number).collect(),
            CheckKind::InEnum(index) => {
                let members = &self.enums[*index].members;
                Some(members.iter().map(|member| member.value).collect())
            }
            _ => None,
        })
    }

    /// Adds a rule that readers must not enforce.
    pub(super) fn tolerant_rule(&mut self) -> RuleId {
        self.new_rule(ReaderDuty::Accept)
    }

    /// Adds a rule that readers must enforce.
    pub(super) fn strict_rule(&mut self) -> RuleId {
        self.new_rule(ReaderDuty::Reject)
    }

    fn new_rule(&mut self, duty: ReaderDuty) -> RuleId {
        self.rules.push(RulePlan {
            id: String::new(),
            duty,
            continues: Vec::new(),
            class: FaultClass::Malformed,
            level: Level::Silent,
            frees: Vec::new(),
            strict: false,
            writer_fault: false,
            writer_habit: false,
            plain: false,
        })
    }

    /// Makes an operation accept a fault.
    pub(super) fn tolerate(&mut self, op: OpId, kind: FaultKind) {
        let rule = self.tolerant_rule();
        self.map_fault(op, kind, rule);
    }

    /// Makes an operation reject a fault.
    pub(super) fn refuse(&mut self, op: OpId, kind: FaultKind) {
        let rule = self.strict_rule();
        self.map_fault(op, kind, rule);
    }

    fn map_fault(&mut self, op: OpId, kind: FaultKind, rule: RuleId) {
        let mut faults = self.faults[self.ops[op.index()].faults].clone();
        faults.rules[kind as usize] = Some(rule);
        self.ops[op.index()].faults = self.faults.push(faults);
    }

    /// Returns the effects of a structure, creating them if necessary, so that a mutant can add to
    /// them.
    pub(super) fn effects_of(&mut self, op: OpId) -> &mut EffectsPlan {
        let known = self.infos[op.index()].effects;
        let place = known.unwrap_or_else(|| self.effects.push(EffectsPlan::default()));
        self.infos[op.index()].effects = Some(place);
        let described = &mut self.ops[op.index()];
        described.flags |= flags::ENDING;
        described.flags &= !(flags::QUIET | flags::LIGHT);
        &mut self.effects[place]
    }
}
