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
        parted: false,
    };
    let finished = Machine::new(plan, SliceInput::new(bytes), witness).run();
    let (verdict, mut records) = (finished.verdict, finished.visitor.records);
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
    let expected = Expected {
        verdict: verdict_of(&verdict.judgement),
        records: vec![records],
        open,
        violation: verdict.violation().map(|found| violation(plan, found)),
    };
    Examined {
        expected,
        verdict,
        shown,
    }
}

fn verdict_of(judgement: &Judgement) -> ExpectedVerdict {
    match judgement {
        Judgement::Accepted => ExpectedVerdict::Accept,
        Judgement::Either { .. } => ExpectedVerdict::Either,
        Judgement::Rejected(_) => ExpectedVerdict::Reject,
    }
}

fn violation(plan: &Plan, found: &Violation) -> ExpectedViolation {
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
    records: Vec<Record>,
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
        self.records.append(&mut owed);
    }

    fn note(&mut self, note: Note) {
        let rule = &self.plan.rules[note.rule as usize];
        self.parted |= rule.continues.contains(&Continuation::Open);
    }
}
