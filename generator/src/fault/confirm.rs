//! Confirms malformed traces with the reference decoder, which does not know about the planted
//! fault.

use tracegauge_decoder::verdict::{Judgement, Note, Verdict};
use tracegauge_decoder::{Findings, Observer, observe};
use tracegauge_plan::Plan;
use tracegauge_plan::terms::ReaderDuty;

use super::apply::{Expected, Malformed};

/// The violations that the decoder found in a malformed trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The violation that makes the decoder reject the trace, with the decoder's message.
    Violation(Expected, String),
    /// Only tolerated violations, if any. Readers do not reject the trace.
    Tolerated(Vec<Expected>),
}

/// A malformed trace in which the decoder does not find exactly the violations that the operator
/// predicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The malformed trace.
    pub malformed: Malformed,
    /// The violations that the decoder found in the trace.
    pub found: Found,
}

impl Refusal {
    /// Formats the name of the case and the reason.
    pub fn shown(&self, plan: &Plan) -> String {
        format!("{}: {}", self.malformed.id, self.reason(plan))
    }

    /// Formats the expected and the actual violations as a human-readable string.
    pub fn reason(&self, plan: &Plan) -> String {
        let found = match &self.found {
            Found::Violation(found, message) => format!("{}: {message}", found.shown(plan)),
            Found::Tolerated(shown) if shown.is_empty() => "nothing".to_owned(),
            Found::Tolerated(shown) => {
                let shown: Vec<String> = shown.iter().map(|it| it.shown(plan)).collect();
                format!("only tolerated violations: {}", shown.join(", "))
            }
        };
        let expected = self.malformed.expected.iter();
        let expected: Vec<String> = expected.map(|it| it.shown(plan)).collect();
        format!(
            "expected a violation of {}, but the decoder finds {found}",
            expected.join(" or ")
        )
    }
}

/// Collects the tolerated violations in a trace.
#[derive(Default)]
struct Listener {
    notes: Vec<Note>,
}

impl Observer for Listener {
    fn note(&mut self, note: Note) {
        self.notes.push(note);
    }
}

/// Decodes the trace and compares the violations with the expected ones.
///
/// # Errors
/// Returns the actual violations if they differ.
pub fn confirm(plan: &Plan, malformed: &Malformed) -> Result<(), Box<Refusal>> {
    let mut listener = Listener::default();
    let verdict = observe(plan, &malformed.bytes, Findings::Notes, &mut listener).verdict;
    let notes = listener.notes;
    let agrees = match malformed.duty {
        ReaderDuty::Reject | ReaderDuty::None => {
            violation(&verdict).is_some_and(|found| malformed.expected.contains(&found))
        }
        ReaderDuty::Accept | ReaderDuty::Either => {
            let shown = notes.iter().map(noted);
            let mut shown = shown.filter(|found| malformed.expected.contains(found));
            let either = matches!(verdict.judgement, Judgement::Either { .. });
            verdict.tolerable()
                && shown.next().is_some()
                && (malformed.duty == ReaderDuty::Accept || either)
        }
    };
    if agrees {
        return Ok(());
    }
    let found = match (violation(&verdict), verdict.violation()) {
        (Some(found), Some(violation)) => Found::Violation(found, violation.message.clone()),
        _ => Found::Tolerated(notes.iter().map(noted).collect()),
    };
    Err(Box::new(Refusal {
        malformed: malformed.clone(),
        found,
    }))
}

fn violation(verdict: &Verdict) -> Option<Expected> {
    let violation = verdict.violation()?;
    Some(Expected {
        rule: violation.rule,
        path: violation.path.clone(),
        start: violation.span.start,
    })
}

fn noted(note: &Note) -> Expected {
    Expected {
        rule: Some(note.rule),
        path: note.path.clone(),
        start: note.span.start,
    }
}
