//! Small changes that several operators make.

use crate::plan::{Code, CodeId, EffectsPlan, OpId, Plan, RulePlan, flags};
use crate::schema::{FaultClass, FaultKind, Level, ReaderDuty};

/// A number as an index.
pub(super) fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl Plan {
    /// A new expression.
    pub(super) fn new_code(&mut self, code: Code) -> CodeId {
        let id = CodeId(index(self.codes.len()));
        self.codes.push(code);
        id
    }

    /// A rule whose breach is no fault.
    pub(super) fn tolerant_rule(&mut self) -> u32 {
        let rule = index(self.rules.len());
        self.rules.push(RulePlan {
            id: String::new(),
            duty: ReaderDuty::Accept,
            continues: Vec::new(),
            class: FaultClass::Malformed,
            level: Level::Silent,
            frees: Vec::new(),
            strict: false,
            writer_fault: false,
            writer_habit: false,
        });
        rule
    }

    /// An operation does not mind a fault.
    pub(super) fn tolerate(&mut self, op: OpId, kind: FaultKind) {
        let rule = self.tolerant_rule();
        let mut faults = self.faults[self.ops[op.index()].faults as usize].clone();
        faults.rules[kind as usize] = Some(rule);
        self.ops[op.index()].faults = index(self.faults.len());
        self.faults.push(faults);
    }

    /// What a structure does when it ends, where it may do more from now on.
    pub(super) fn effects_of(&mut self, op: OpId) -> &mut EffectsPlan {
        let known = self.infos[op.index()].effects;
        let place = known.unwrap_or_else(|| {
            self.effects.push(EffectsPlan::default());
            index(self.effects.len() - 1)
        });
        self.infos[op.index()].effects = Some(place);
        let described = &mut self.ops[op.index()];
        described.flags |= flags::ENDING;
        described.flags &= !(flags::QUIET | flags::LIGHT);
        &mut self.effects[place as usize]
    }
}
