//! Errors that occur while a trace is generated.

use std::fmt;
use std::io;
use tracegauge_plan::terms::RuleId;

use tracegauge_decoder::tree::NodeId;
use tracegauge_decoder::{Excess, Judgement, Verdict, decode_tree};
use tracegauge_plan::{OpId, Plan};

use crate::unwritable::Unwritable;

/// The error message for a trace that would never end.
pub(crate) const TOO_LONG: &str = "the trace is too long";
pub(crate) const TOO_MANY_STEPS: &str = "generating the trace takes too many steps";

/// The error message for a part whose size cannot be stored.
pub(crate) const DATA_TOO_LARGE: &str =
    "the data is too large: its size does not fit in the size field";

/// An error that prevented a trace from being generated.
#[derive(Debug)]
pub enum GenerateError {
    /// No value was possible for a field.
    Refused {
        /// The path of the field in the description.
        field: String,
        /// The reason.
        why: &'static str,
        /// The location of the field's definition in the description, as `FILE:LINE`.
        described: Option<String>,
        /// The node that could not be written, if the trace was encoded from a tree.
        node: Option<NodeId>,
    },
    /// The generated trace is invalid, because the description has a constraint that the generator
    /// does not know how to satisfy.
    Invalid(Box<InvalidTrace>),
    /// The tree or trace contains a value that no choice can produce.
    OutOfBounds,
    /// A node of a tree cannot be written unchanged.
    Unwritable(Unwritable),
    /// The trace has too many fields and elements.
    TooLarge(Excess),
    /// The trace cannot be written.
    Io(io::Error),
}

/// A generated trace that not every reader accepts.
#[derive(Clone, Debug)]
pub struct InvalidTrace {
    /// The decoder's verdict on the trace.
    pub verdict: Verdict,
    /// The ids of the rules that the trace violates or that let readers treat the trace
    /// differently.
    pub rules: Vec<String>,
    /// The first field that readers may interpret differently, and the position of the field's
    /// first byte, if known.
    pub differs: Option<(String, u64)>,
    /// The location of the faulty field's definition in the description, as `FILE:LINE`.
    pub described: Option<String>,
}

impl InvalidTrace {
    /// Records the first field that readers may interpret differently. `bytes` is the complete
    /// trace.
    pub(crate) fn locate(&mut self, plan: &Plan, bytes: &[u8], name: impl Fn(OpId) -> String) {
        if self.verdict.violation().is_some() {
            return;
        }
        let (verdict, tree) = decode_tree(plan, bytes);
        let Some(shown) = verdict.disputed(plan).next() else {
            return;
        };
        let start = shown.first.start;
        let leaves = tree.nodes.iter().enumerate();
        let mut leaves = leaves.filter(|(at, node)| node.end as usize == at + 1);
        let found = leaves.find(|(_, node)| (node.span.start..node.span.end).contains(&start));
        if let Some((_, node)) = found {
            self.differs = Some((name(node.op), start));
            self.described = described(plan, node.op);
        }
    }

    /// Collects the rules that a verdict refers to, and the location of the faulty field's
    /// definition in the description.
    pub(crate) fn new(plan: &Plan, verdict: Verdict) -> Self {
        let name = |rule: RuleId| plan.rules.get(rule).map(|rule| rule.id.clone());
        let (rules, described) = match &verdict.judgement {
            Judgement::Rejected(violation) => (
                violation.rule.and_then(name).into_iter().collect(),
                described(plan, violation.op),
            ),
            Judgement::Accepted | Judgement::Either { .. } => {
                let disputed = verdict.disputed(plan).map(|shown| shown.rule);
                (disputed.filter_map(name).collect(), None)
            }
        };
        Self {
            verdict,
            rules,
            differs: None,
            described,
        }
    }
}

/// Returns the location of an operation's definition in the description, as `FILE:LINE`.
pub(crate) fn described(plan: &Plan, op: OpId) -> Option<String> {
    let span = plan.infos.get(op.index())?.span;
    let file = plan.description.sources.file(span.source)?;
    let line = plan.description.sources.line_column(span).line;
    Some(format!("{}:{line}", file.name))
}

impl fmt::Display for InvalidTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(violation) = self.verdict.violation() else {
            f.write_str("readers may disagree about whether the generated trace is valid")?;
            if !self.rules.is_empty() {
                write!(f, " ({})", self.rules.join(", "))?;
            }
            if let Some((field, start)) = &self.differs {
                write!(f, ", first in field `{field}` at byte {start}")?;
            }
            return match &self.described {
                Some(at) => write!(f, " (described at {at})"),
                None => Ok(()),
            };
        };
        let (path, start) = (&violation.path, violation.span.start);
        let message = &violation.message;
        write!(
            f,
            "generated trace is invalid: field `{path}` at byte {start}: {message}"
        )?;
        let rule = self.rules.first().map(|rule| format!("rule {rule}"));
        let described = self.described.as_ref();
        let described = described.map(|at| format!("described at {at}"));
        let details: Vec<String> = rule.into_iter().chain(described).collect();
        match details.as_slice() {
            [] => Ok(()),
            details => write!(f, " ({})", details.join(", ")),
        }
    }
}

impl GenerateError {
    /// Returns whether generation stopped because the trace became too large.
    pub fn is_too_large(&self) -> bool {
        match self {
            Self::Refused { why, .. } => [TOO_LONG, TOO_MANY_STEPS].contains(why),
            Self::TooLarge(_) => true,
            _ => false,
        }
    }
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused {
                field,
                why,
                described,
                ..
            } => {
                write!(f, "field `{field}`: {why}")?;
                match described {
                    Some(at) => write!(f, " (described at {at})"),
                    None => Ok(()),
                }
            }
            Self::Invalid(invalid) => invalid.fmt(f),
            Self::OutOfBounds => f.write_str("a value cannot be encoded in the format"),
            Self::Unwritable(unwritable) => unwritable.fmt(f),
            Self::TooLarge(excess) => write!(f, "the generated trace is too large: {excess}"),
            Self::Io(error) => write!(f, "cannot write the trace: {error}"),
        }
    }
}

impl std::error::Error for GenerateError {}

impl From<Unwritable> for GenerateError {
    fn from(unwritable: Unwritable) -> Self {
        Self::Unwritable(unwritable)
    }
}
