//! Runs switches, which select one of several operations (*arms*) based on a value.

use tracegauge_plan::{Op, OpId, SwitchId, flags};

use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::Visitor;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Runs the arm of a switch that a value selects.
    #[inline]
    pub(super) fn switch(&mut self, id: OpId, op: &'p Op, index: SwitchId) -> Flow {
        let plan = self.plan;
        let start = self.position;
        let switch = &plan.switches[index];
        let on = self.evaluate(switch.on, Value::Absent);
        let arm = match on {
            on if !switch.computed.is_empty() => self.computed_arm(index, on),
            Value::Int(value) => match usize::try_from(value)
                .ok()
                .and_then(|v| switch.dense.get(v))
            {
                Some(arm) => (*arm != u32::MAX).then_some(OpId(*arm)),
                None => switch
                    .arms
                    .iter()
                    .find(|(values, _)| values.contains(&value))
                    .map(|(_, arm)| *arm)
                    .or(switch.default),
            },
            other => self.text_arm(index, other).or(switch.default),
        };
        let Some(arm) = arm else {
            self.no_arm(id, index)?;
            return self.after_arm(id, op, start);
        };
        self.begin_span(id, op, start);
        let flow = self.node(id, op, |machine| {
            if let Some((row, column, layout)) = switch.described
                && Some(arm) != switch.default
            {
                machine.keep_described(row, column, layout);
            }
            machine.operation(arm, &plan.ops[arm.index()])
        });
        match flow {
            Ok(()) => self.after_arm(id, op, start),
            // The bytes before the end of the enclosing part were read.
            Err(Stop::Part) if op.flags & flags::SPAN != 0 && self.position > start => {
                self.set_span(id, start);
                flow
            }
            stopped => stopped,
        }
    }

    /// Finishes a switch. The size and the position of a switch are those of the arm that was read.
    #[inline]
    fn after_arm(&mut self, id: OpId, op: &'p Op, start: u64) -> Flow {
        match V::DIRECTS || op.flags & (flags::SPAN | Self::OBEYS) != 0 {
            true => self.after(id, op, start),
            false => Ok(()),
        }
    }

    /// Returns the first arm of a switch whose label equals a value, or the default arm if no label
    /// does.
    fn computed_arm(&mut self, index: SwitchId, value: Value) -> Option<OpId> {
        let switch = &self.plan.switches[index];
        for (label, arm) in &switch.computed {
            let label = self.evaluate(*label, Value::Absent);
            if self.equal(value, label) {
                return Some(*arm);
            }
        }
        switch.default
    }

    fn text_arm(&self, index: SwitchId, value: Value) -> Option<OpId> {
        let switch = &self.plan.switches[index];
        if let Some(number) = value.integer() {
            return switch
                .arms
                .iter()
                .find(|(values, _)| values.contains(&number))
                .map(|(_, arm)| *arm);
        }
        let text = self.text_of(value)?;
        let constants = &self.plan.constants;
        switch
            .text_arms
            .iter()
            .find(|(constant, _)| constants[*constant] == text)
            .map(|(_, arm)| *arm)
    }

    /// Handles a value that selects no arm of a switch. Reports the value if a rule forbids it.
    /// Otherwise, the switch reads nothing.
    #[cold]
    fn no_arm(&mut self, id: OpId, index: SwitchId) -> Flow {
        let span = Span {
            start: self.position,
            end: self.position,
        };
        match self.plan.switches[index].rule {
            Some(rule) => self.breach(
                id,
                Some(rule),
                span,
                format_args!("the description has no case for this value"),
            ),
            None if self.plan.switches[index].required => self.breach(
                id,
                None,
                span,
                format_args!("no byte order is defined for this value"),
            ),
            None => Ok(()),
        }
    }
}
