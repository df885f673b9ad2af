//! Defines the decoder's verdict on a trace.

use tracegauge_plan::terms::{Continuation, ReaderDuty, RuleId};
use tracegauge_plan::{OpId, Plan};

/// A range of bytes of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    /// The position of the first byte.
    pub start: u64,
    /// The position after the last byte.
    pub end: u64,
}

/// The decoder's verdict on a trace, with the deviations that it tolerated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether readers must accept the trace, must reject it, or may do either.
    pub judgement: Judgement,
    /// The exercised rules that the trace does not violate, in order of first occurrence.
    pub shown: Vec<Shown>,
    /// The number of bytes that were read.
    pub length: u64,
    /// Whether values are missing from the records because the trace is nested more deeply than the
    /// decoder reads.
    pub too_deep: bool,
}

/// Whether readers must accept a trace, must reject it, or may do either.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Every reader must accept the trace.
    Accepted,
    /// Readers may accept or reject the trace. Readers that accept the trace may also report
    /// different records if `open` is set.
    Either {
        /// Whether readers may interpret the trace differently from some place on. The records
        /// after this place are excluded from comparison.
        open: bool,
    },
    /// Every reader must reject the trace.
    Rejected(Violation),
}

/// The violation that caused the decoder to reject a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The index of the rule in the plan, or `None` if the description names no rule.
    pub rule: Option<RuleId>,
    /// The operation that detected the violation.
    pub op: OpId,
    /// The path of the field.
    pub path: String,
    /// The bytes that violate the rule.
    pub span: Span,
    /// A message with the actual and the expected value.
    pub message: String,
}

/// A rule that a trace exercises without violating it, or whose violation readers may tolerate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The index of the rule in the plan.
    pub rule: RuleId,
    /// The number of times that the trace exercises the rule.
    pub count: u64,
    /// The bytes that first exercise the rule.
    pub first: Span,
}

/// A tolerated deviation from the specification at one field of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The index of the rule in the plan.
    pub rule: RuleId,
    /// The path of the field.
    pub path: String,
    /// The bytes that deviate.
    pub span: Span,
    /// A message with the actual and the expected value.
    pub message: String,
}

impl Verdict {
    /// Returns the violation if the trace is rejected.
    pub fn violation(&self) -> Option<&Violation> {
        match &self.judgement {
            Judgement::Rejected(violation) => Some(violation),
            Judgement::Accepted | Judgement::Either { .. } => None,
        }
    }

    /// Returns the rules that allow conforming readers to treat this trace differently: rules that
    /// let readers either accept or reject the trace, and rules that let accepting readers
    /// interpret the rest of the trace in different ways.
    pub fn disputed<'v>(&'v self, plan: &'v Plan) -> impl Iterator<Item = &'v Shown> {
        let open = matches!(self.judgement, Judgement::Either { open: true });
        self.shown.iter().filter(move |shown| {
            let rule = plan.rules.get(shown.rule);
            rule.is_some_and(|rule| {
                let parts = open && rule.continues.contains(&Continuation::Open);
                rule.duty == ReaderDuty::Either || parts
            })
        })
    }

    /// Returns whether the trace was rejected but exercises a rule that lets readers interpret it
    /// in several ways, so that another interpretation may accept the trace.
    pub fn may_be_read_differently(&self, plan: &Plan) -> bool {
        let rules = self.shown.iter().map(|shown| shown.rule);
        let mut rules = rules.filter_map(|rule| plan.rules.get(rule));
        self.violation().is_some() && rules.any(|rule| !rule.alternatives().is_empty())
    }

    /// Returns whether both verdicts reject the trace because of the same rule at the same field.
    pub fn same_fault(&self, other: &Self) -> bool {
        match (self.violation(), other.violation()) {
            (Some(one), Some(other)) => (one.op, one.rule) == (other.op, other.rule),
            _ => false,
        }
    }

    /// Returns whether readers may accept the trace.
    pub fn tolerable(&self) -> bool {
        self.violation().is_none()
    }
}
