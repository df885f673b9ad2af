//! Lowers switches, which select one of several types based on a value.

use super::faults::FaultContext;
use super::scope::{Inner, ScopeId};
use super::{CodeId, Lowering, NameId, OpId};
use crate::expression::Expr;
use crate::schema::{Encoding, FaultKind, RuleId, RuleRef, SwitchCase};
use tracegauge_plan::source::SourceSpan;
use tracegauge_plan::{Code, Extent, Kind, SwitchId, SwitchPlan, flags};

/// The maximum label that a switch looks up in an array.
const GREATEST_DENSE: i128 = 1024;

impl<'s> Lowering<'s> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn switch(
        &mut self,
        rule: Option<&'s RuleRef>,
        on: &'s Expr,
        cases: &'s [SwitchCase],
        name: Option<NameId>,
        label: Option<NameId>,
        scope: ScopeId,
        context: &FaultContext,
        (sized, span): (bool, SourceSpan),
    ) -> (OpId, Inner) {
        let on = self.compile(on, scope, None);
        if let Some(case) = self.known_case(on, cases, scope) {
            return self.target(&case.target, name, label, scope, context, case.span);
        }
        let faults = self.fault_rules(context);
        let rule = rule.and_then(|rule| context.resolve(rule));
        let index = self.new_switch(on, rule);
        let op = self.open(Kind::Switch(index), name, label, faults, span);
        self.plan.ops[op.index()].flags |= flags::VISIBLE;
        let (mut inners, mut ops) = (Vec::new(), Vec::new());
        let encoding = self.text_encoding(on);
        for case in cases {
            if self.folded_out(case, scope) {
                continue;
            }
            let (arm, inner) = self.target(&case.target, None, None, scope, context, case.span);
            self.label(index, case.label.as_ref(), arm, scope, encoding);
            inners.push(inner);
            ops.push(arm);
        }
        if let Some(arm) = self.unmatched_bytes(index, sized, context, span) {
            inners.push(Inner::Leaf);
            ops.push(arm);
        }
        self.close(op);
        self.finish_labels(index);
        (op, Inner::Arms(inners, ops))
    }

    /// Adds the arm for values that no case covers. As in Kaitai Struct, this arm reads all bytes
    /// of the part if the size of the part is known and no rule forbids values without a case.
    fn unmatched_bytes(
        &mut self,
        index: SwitchId,
        sized: bool,
        context: &FaultContext,
        span: SourceSpan,
    ) -> Option<OpId> {
        let switch = &self.plan.switches[index];
        let wrong = switch.rule.is_some() || context.of(FaultKind::Rest).is_some();
        if !sized || wrong || switch.default.is_some() {
            return None;
        }
        let faults = self.fault_rules(context);
        let arm = self.open(Kind::Bytes(Extent::ToEnd), None, None, faults, span);
        self.plan.ops[arm.index()].flags |= flags::VISIBLE;
        self.close(arm);
        self.plan.switches[index].default = Some(arm);
        Some(arm)
    }

    /// Adds a switch without arms to the plan.
    pub(super) fn new_switch(&mut self, on: CodeId, rule: Option<RuleId>) -> SwitchId {
        self.plan.switches.push(SwitchPlan {
            on,
            arms: Vec::new(),
            text_arms: Vec::new(),
            computed: Vec::new(),
            dense: Vec::new(),
            default: None,
            rule,
            required: false,
            described: None,
        })
    }

    /// Returns the case that is always selected, if the value is constant for the dialect.
    fn known_case(
        &mut self,
        on: CodeId,
        cases: &'s [SwitchCase],
        scope: ScopeId,
    ) -> Option<&'s SwitchCase> {
        let value = self.known_int(on)?;
        let mut default = None;
        for case in cases {
            match &case.label {
                None => default = Some(case),
                Some(label) => {
                    let label = self.compile(label, scope, None);
                    match self.known_int(label) {
                        Some(label) if label == value => return Some(case),
                        Some(_) => {}
                        // If this label may match, no later case is certain to be selected.
                        None => return None,
                    }
                }
            }
        }
        default
    }

    fn folded_out(&mut self, case: &SwitchCase, scope: ScopeId) -> bool {
        if let Some(expr) = &case.condition {
            let condition = self.compile(expr, scope, None);
            match self.known_bool(condition) {
                Some(true) => {}
                Some(false) => return true,
                None => {
                    let message = "a condition of a case that depends on the trace is not \
                                   supported yet";
                    self.error(expr.span, message);
                }
            }
        }
        // If the dialect does not have the enumeration member of a label, no value selects the arm.
        let Some(label) = &case.label else {
            return false;
        };
        let label_code = self.compile(label, scope, None);
        let Some(value) = self.known_int(label_code) else {
            return false;
        };
        let crate::expression::ExprKind::EnumMember { path, member } = &label.kind else {
            return false;
        };
        let Some(set) = self.enumeration_in(path, scope) else {
            return false;
        };
        let mut named = self.plan.enums[set].members.iter();
        let known = named.find(|known| known.name == *member && known.value == value);
        known.is_none_or(|known| known.broken.is_some())
    }

    /// Adds the label that selects an arm.
    pub(super) fn label(
        &mut self,
        index: SwitchId,
        label: Option<&Expr>,
        arm: OpId,
        scope: ScopeId,
        encoding: Option<Encoding>,
    ) {
        let Some(label) = label else {
            self.plan.switches[index].default = Some(arm);
            return;
        };
        let code = self.compile(label, scope, None);
        let code = self.as_encoded(code, encoding);
        let constant = match self.plan.codes[code.index()] {
            Code::Text(constant) => Some(constant),
            _ => None,
        };
        let value = self.known_int(code);
        let switch = &mut self.plan.switches[index];
        switch.computed.push((code, arm));
        match (value, constant) {
            (Some(value), _) => switch.arms.push((vec![value], arm)),
            (None, Some(constant)) => switch.text_arms.push((constant, arm)),
            (None, None) => {}
        }
    }

    /// If all labels are constants, discards the ordered list of labels. Constant labels are then
    /// looked up by value instead of being compared one by one.
    pub(super) fn finish_labels(&mut self, index: SwitchId) {
        let switch = &mut self.plan.switches[index];
        if switch.computed.len() == switch.arms.len() + switch.text_arms.len() {
            switch.computed.clear();
            self.make_dense(index);
        }
    }

    pub(super) fn make_dense(&mut self, index: SwitchId) {
        let switch = &mut self.plan.switches[index];
        let labels = || switch.arms.iter().flat_map(|(values, _)| values);
        let Some(greatest) = labels().max().copied() else {
            return;
        };
        if labels().min().is_some_and(|least| *least < 0) || greatest > GREATEST_DENSE {
            return;
        }
        let length = usize::try_from(greatest + 1).unwrap_or_default();
        let default = switch.default.map_or(u32::MAX, |op| op.0);
        let mut dense = vec![default; length];
        for (values, arm) in &switch.arms {
            for value in values {
                if let Some(entry) = usize::try_from(*value)
                    .ok()
                    .and_then(|at| dense.get_mut(at))
                {
                    *entry = arm.0;
                }
            }
        }
        switch.dense = dense;
    }
}
