//! What a conforming reader does with some bytes, as the reference decoder reads them.
//!
//! One set of records comes of it, the decoder's own reading: where a rule has several right
//! continuations, the first. The other right answers would be further sets of
//! [`Expected::records`]; the decoder does not yet read them.

mod frees;

use tracegauge_decoder::record::Record;
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{Judgement, Machine, Note, SliceInput, Verdict, Violation, Visitor};
use tracegauge_spec::plan::Plan;
use tracegauge_spec::schema::Continuation;

use crate::case::{Expected, ExpectedVerdict, ExpectedViolation, FaultClass};
use frees::Freed;

/// What the reference decoder says of some bytes.
#[derive(Clone, Debug)]
pub struct Examined {
    /// What a conforming reader does with them.
    pub expected: Expected,
    /// The decoder's verdict.
    pub verdict: Verdict,
    /// Ids of the rules that the bytes show and readers tolerate, in the order of first
    /// appearance.
    pub shown: Vec<String>,
}

/// What a conforming reader does with `bytes`.
pub fn expected(plan: &Plan, bytes: &[u8]) -> Expected {
    examine(plan, bytes).expected
}

/// Decodes `bytes`; what comes of it as an expectation.
pub fn examine(plan: &Plan, bytes: &[u8]) -> Examined {
    let witness = Witness {
        plan,
        records: Vec::new(),
        due: 0,
        parted: false,
    };
    let finished = Machine::new(plan, SliceInput::new(bytes), witness).run();
    let (verdict, witness) = (finished.verdict, finished.visitor);
    let due = witness.due;
    let mut records = before_fault(plan, &verdict, witness.records);
    let mut open = matches!(verdict.judgement, Judgement::Either { open: true });
    // What a record frees is freed in it alone.
    let alone = |rule: u32| {
        let mut records = plan.records.iter().flat_map(|record| &record.frees);
        records.any(|(freeing, _)| *freeing == rule)
    };
    for shown in verdict.shown.iter().filter(|shown| !alone(shown.rule)) {
        for freed in &plan.rules[shown.rule as usize].frees {
            open |= Freed::parse(freed).apply(&mut records);
        }
    }
    let shown = verdict
        .shown
        .iter()
        .map(|shown| plan.rules[shown.rule as usize].id.clone())
        .collect();
    let violation = verdict.violation().map(|found| violation(plan, found));
    let expected = Expected {
        verdict: verdict_of(&verdict.judgement),
        due: cut(plan, violation.as_ref()).then_some(due.min(records.len())),
        records: vec![records],
        open,
        violation,
    };
    Examined {
        expected,
        verdict,
        shown,
    }
}

/// The trace is cut, and the description says when records are owed.
fn cut(plan: &Plan, violation: Option<&ExpectedViolation>) -> bool {
    let incomplete = violation.is_some_and(|found| found.class == FaultClass::Incomplete);
    incomplete && plan.effects.iter().any(|effects| effects.due)
}

/// Where the records end that stand before the fault. A row that is awaited and never comes is
/// missed at the end of the file only, when records after the place that named it have been
/// read; nothing where no record was read too many.
pub fn fault_start(plan: &Plan, verdict: &Verdict) -> Option<u64> {
    let awaited = verdict.violation().filter(|violation| {
        let mut refs = plan.refs.iter();
        refs.any(|refs| refs.later.is_some() && refs.dangling == violation.rule)
    });
    awaited.map(|violation| violation.span.start)
}

/// The records before the fault.
pub(crate) fn before_fault(
    plan: &Plan,
    verdict: &Verdict,
    found: Vec<(u64, Record)>,
) -> Vec<Record> {
    let start = fault_start(plan, verdict);
    let whole = |end: &u64| start.is_none_or(|start| *end <= start);
    let before = found.into_iter().take_while(|(end, _)| whole(end));
    before.map(|(_, record)| record).collect()
}

pub(crate) fn verdict_of(judgement: &Judgement) -> ExpectedVerdict {
    match judgement {
        Judgement::Accepted => ExpectedVerdict::Accept,
        Judgement::Either { .. } => ExpectedVerdict::Either,
        Judgement::Rejected(_) => ExpectedVerdict::Reject,
    }
}

pub(crate) fn violation(plan: &Plan, found: &Violation) -> ExpectedViolation {
    let rule = found.rule.and_then(|rule| plan.rules.get(rule as usize));
    ExpectedViolation {
        rules: rule.map(|rule| rule.id.clone()).into_iter().collect(),
        class: rule.map_or(FaultClass::Malformed, |rule| rule.class.into()),
        path: found.path.clone(),
        start: found.span.start,
        end: found.span.end,
    }
}

/// Collects the records up to where readers part ways.
struct Witness<'p> {
    plan: &'p Plan,
    /// Each with where it ends.
    records: Vec<(u64, Record)>,
    /// How many of them are owed though the trace is cut.
    due: usize,
    parted: bool,
}

impl Visitor for Witness<'_> {
    const RECORDS: bool = true;
    const NOTES: bool = true;

    fn record(&mut self, record: &RecordView<'_>) {
        if self.parted {
            return;
        }
        let mut owed = vec![record.to_record()];
        for rule in record.freed {
            for freed in &self.plan.rules[*rule as usize].frees {
                Freed::parse(freed).apply(&mut owed);
            }
        }
        let owed = owed.into_iter().map(|owed| (record.end, owed));
        self.records.extend(owed);
    }

    fn due(&mut self) {
        self.due = self.records.len();
    }

    fn note(&mut self, note: Note) {
        let rule = &self.plan.rules[note.rule as usize];
        self.parted |= rule.continues.contains(&Continuation::Open);
    }
}
