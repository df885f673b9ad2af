//! What the decoder says of a trace.

use tracegauge_spec::plan::{OpId, Plan};
use tracegauge_spec::schema::{Continuation, ReaderDuty};

/// A range of bytes of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    /// First byte.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
}

/// What the decoder says of a trace, with what it tolerated on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The judgement.
    pub judgement: Judgement,
    /// Rules that the trace shows and readers tolerate, in the order of first appearance.
    pub shown: Vec<Shown>,
    /// Bytes that were read.
    pub length: u64,
}

/// The judgement over a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Every reader accepts it.
    Accepted,
    /// Readers may accept or reject it. `open`: what they read after that may differ.
    Either {
        /// Records after the first such place are not compared.
        open: bool,
    },
    /// Every reader rejects it.
    Rejected(Violation),
}

/// The first breach for which a trace is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Index of the rule in the plan; none where the description names none.
    pub rule: Option<u32>,
    /// The operation that was running.
    pub op: OpId,
    /// Path of the field.
    pub path: String,
    /// The bytes at fault.
    pub span: Span,
    /// What was found and what was expected.
    pub message: String,
}

/// A tolerated rule that a trace shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Index of the rule in the plan.
    pub rule: u32,
    /// How often.
    pub count: u64,
    /// The bytes where it is first shown.
    pub first: Span,
}

/// One place where a trace departs from the letter and is read on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Index of the rule in the plan.
    pub rule: u32,
    /// Path of the field.
    pub path: String,
    /// The bytes.
    pub span: Span,
    /// What was found and what was expected.
    pub message: String,
}

impl Verdict {
    /// The violation, where the trace is rejected.
    pub fn violation(&self) -> Option<&Violation> {
        match &self.judgement {
            Judgement::Rejected(violation) => Some(violation),
            Judgement::Accepted | Judgement::Either { .. } => None,
        }
    }

    /// The rules because of which readers may differ over the trace: those on which they may accept or
    /// reject, and those after which they read on in different ways.
    pub fn disputed<'v>(&'v self, plan: &'v Plan) -> impl Iterator<Item = &'v Shown> {
        let open = matches!(self.judgement, Judgement::Either { open: true });
        self.shown.iter().filter(move |shown| {
            let rule = plan.rules.get(shown.rule as usize);
            rule.is_some_and(|rule| {
                let parts = open && rule.continues.contains(&Continuation::Open);
                rule.duty == ReaderDuty::Either || parts
            })
        })
    }

    /// Both verdicts are rejections because of the same field and rule.
    pub fn same_fault(&self, other: &Self) -> bool {
        match (self.violation(), other.violation()) {
            (Some(one), Some(other)) => (one.op, one.rule) == (other.op, other.rule),
            _ => false,
        }
    }

    /// The trace is accepted by every reader, or by some.
    pub fn tolerable(&self) -> bool {
        self.violation().is_none()
    }
}
