//! Handles faults: finds the rule that a fault breaks, and decides how reading continues. Here, a
//! fault is a failed built-in check, for example that the trace does not end inside a field.
//! [`FaultKind`] lists the kinds of faults.

use std::fmt::Arguments;

use tracegauge_plan::terms::{Continuation, FaultKind, ReaderDuty, RuleId};
use tracegauge_plan::{Op, OpId};

use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::value::Value;
use crate::verdict::{Note, Shown, Span, Violation};
use crate::visitor::{Mark, Visitor};

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Reports a fault with a default message for its kind.
    #[cold]
    pub(crate) fn fault_at(&mut self, id: OpId, op: &Op, kind: FaultKind, span: Span) -> Flow {
        let mut fault = |message: Arguments<'_>| self.fault_with(id, op, kind, span, message);
        match (kind, span.end - span.start) {
            (FaultKind::Trailing | FaultKind::Rest, 1) => {
                fault(format_args!("1 byte that no field uses"))
            }
            (FaultKind::Trailing | FaultKind::Rest, count) => {
                fault(format_args!("{count} bytes that no field uses"))
            }
            (FaultKind::Empty, _) => fault(format_args!(
                "the list is empty, expected at least one element"
            )),
            _ => fault(format_args!("fault `{}`", kind.name())),
        }
    }

    /// Reports a fault as a violation of the rule that the operation specifies for this kind of
    /// fault. The message is formatted only if something receives it.
    #[cold]
    pub(crate) fn fault_with(
        &mut self,
        id: OpId,
        op: &Op,
        kind: FaultKind,
        span: Span,
        message: Arguments<'_>,
    ) -> Flow {
        let rule = self.plan.faults[op.faults].of(kind);
        if rule.is_none() && tolerated_unnamed(kind) {
            return Ok(());
        }
        self.breach(id, rule, span, message)
            .map_err(|stop| self.settle_fault(id, kind, stop))
    }

    /// Returns whether readers tolerate this kind of fault at the operation.
    pub(crate) fn tolerates(&self, kind: FaultKind, op: &Op) -> bool {
        let rule = self.plan.faults[op.faults].of(kind);
        rule.map_or(tolerated_unnamed(kind), |rule| {
            self.plan.rules[rule].duty != ReaderDuty::Reject
        })
    }

    /// Reports a broken rule. Returns `Ok` if readers tolerate the violation and continue.
    #[cold]
    pub(crate) fn breach(
        &mut self,
        id: OpId,
        rule: Option<RuleId>,
        span: Span,
        message: Arguments<'_>,
    ) -> Flow {
        self.breach_at(id, rule, span, None, message)
    }

    /// Reports a broken rule at a given path instead of the path of the current operation.
    #[cold]
    pub(crate) fn breach_at(
        &mut self,
        id: OpId,
        rule: Option<RuleId>,
        span: Span,
        path: Option<String>,
        message: Arguments<'_>,
    ) -> Flow {
        let plan = self.plan;
        let Some(number) = rule else {
            return self.violate(id, None, span, path, message);
        };
        let described = &plan.rules[number];
        match described.duty {
            ReaderDuty::Reject => return self.violate(id, rule, span, path, message),
            ReaderDuty::Accept | ReaderDuty::None => {}
            ReaderDuty::Either => self.outcome.either = true,
        }
        if described.continues.contains(&Continuation::Open) {
            self.part_ways(id);
        }
        if described.chosen() == Some(Continuation::Absent) {
            self.outcome.no_values.insert((id, span.start));
        }
        self.show(id, number, span);
        if V::NOTES && self.visitor.wants(number) {
            let path = path.unwrap_or_else(|| self.path(id));
            self.visitor.note(Note {
                rule: number,
                path,
                span,
                message: message.to_string(),
            });
        }
        if described.continues.first() == Some(&Continuation::Stop) {
            return Err(Stop::End);
        }
        Ok(())
    }

    /// Rejects the trace because of a violation.
    #[cold]
    fn violate(
        &mut self,
        id: OpId,
        rule: Option<RuleId>,
        span: Span,
        path: Option<String>,
        message: Arguments<'_>,
    ) -> Flow {
        let path = path.unwrap_or_else(|| self.path(id));
        self.outcome.violation = Some(Violation {
            rule,
            op: id,
            path,
            span,
            message: message.to_string(),
        });
        Err(Stop::Rejected)
    }

    /// Records that a rule was exercised: increments its count, and keeps the bytes that first
    /// exercised it.
    pub(crate) fn show(&mut self, id: OpId, rule: RuleId, span: Span) {
        if V::MARKS {
            self.visitor.mark(id, Mark::Shows(rule, span));
        }
        self.count_shown(rule, span);
    }

    /// Increments the count of a rule that was exercised, without telling the visitor.
    pub(super) fn count_shown(&mut self, rule: RuleId, span: Span) {
        match &mut self.outcome.shown[rule] {
            Some(shown) => shown.count += 1,
            none => {
                *none = Some(Shown {
                    rule,
                    count: 1,
                    first: span,
                });
                self.outcome.shown_order.push(rule);
            }
        }
    }

    /// Records the rules that the value or structure read by the operation `id` exercises.
    pub(crate) fn obeyed(&mut self, id: OpId, start: u64, value: Value) -> Flow {
        let plan = self.plan;
        for (rule, when) in &plan.info(id).obeys {
            let described = &plan.rules[*rule];
            let either = described.duty == ReaderDuty::Either;
            let noted = V::NOTES && described.writer_habit && self.visitor.wants(*rule);
            if !Self::ALL_RULES && !noted && !either && described.frees.is_empty() {
                continue;
            }
            if when.is_some_and(|when| !self.evaluate(when, value).truth()) {
                continue;
            }
            let span = Span {
                start,
                end: self.position,
            };
            if either && when.is_some() {
                let message = self.met(*when, value);
                self.breach(id, Some(*rule), span, format_args!("{message}"))?;
            } else {
                self.show(id, *rule, span);
                if noted {
                    let path = self.path(id);
                    let message = self.met(*when, value);
                    self.visitor.note(Note {
                        rule: *rule,
                        path,
                        span,
                        message,
                    });
                }
            }
        }
        Ok(())
    }

    /// Reports references to rows that were never defined.
    pub(super) fn unresolved(&mut self) -> Flow {
        let mut left: Vec<_> = self
            .state
            .tables
            .iter_mut()
            .flat_map(|table| table.pending.drain().map(|(_, pending)| pending))
            .collect();
        left.sort_by_key(|pending| pending.span.start);
        for pending in left {
            self.never_came(pending)?;
        }
        Ok(())
    }

    /// Reports a reference to a row that was never defined.
    pub(super) fn never_came(&mut self, pending: crate::state::Pending) -> Flow {
        let Some(rule) = pending.dangling else {
            return Ok(());
        };
        // The path must be that of the reference, which was read long before this point.
        let path = Some(pending.path);
        self.breach_at(
            pending.op,
            Some(rule),
            pending.span,
            path,
            format_args!("the value refers to a table row that is never defined"),
        )
    }
}

/// Returns whether readers tolerate this kind of fault if the description names no rule for it. The
/// results match the behavior of Kaitai Struct.
fn tolerated_unnamed(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::Trailing
            | FaultKind::Rest
            | FaultKind::Enum
            | FaultKind::Flags
            | FaultKind::Empty
            | FaultKind::Overlong
            | FaultKind::Encoding
            | FaultKind::Half
    )
}
