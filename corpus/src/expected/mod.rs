//! What a conforming reader does with some bytes, as the reference decoder reads them.
//!
//! Where a rule has several right continuations, the decoder reads the bytes by each of them, and
//! the records of every reading are right. The first set is the decoder's own reading.

mod frees;
mod readings;

use tracegauge_decoder::record::Record;
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{Judgement, Machine, Note, SliceInput, Verdict, Violation, Visitor};
use tracegauge_spec::plan::Plan;
use tracegauge_spec::schema::Continuation;

use crate::case::{Expected, ExpectedVerdict, ExpectedViolation, FaultClass};
use frees::Freed;

/// Stack for values that nest as deep as any format allows.
const STACK: usize = 64 << 20;

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
    stacker::maybe_grow(STACK, STACK, || examined(plan, bytes))
}

fn examined(plan: &Plan, bytes: &[u8]) -> Examined {
    let own = read(plan, bytes);
    let others = readings::others(plan, &own.verdict, bytes);
    let violation = own.verdict.violation().map(|found| violation(plan, found));
    let due = cut(plan, violation.as_ref()).then_some(own.due.min(own.records.len()));
    let shown = own.verdict.shown.iter();
    let shown = shown.map(|shown| plan.rules[shown.rule as usize].id.clone());
    let expected = Expected {
        verdict: verdict_of(&own.verdict.judgement),
        due,
        records: vec![own.records],
        open: own.open,
        violation,
    };
    Examined {
        shown: shown.collect(),
        expected: readings::together(expected, others),
        verdict: own.verdict,
    }
}

/// The verdict and the records that one reading of a trace gives.
struct Read {
    verdict: Verdict,
    /// The records that are compared, without what rules free.
    records: Vec<Record>,
    /// How many of them are owed though the trace is cut.
    due: usize,
    /// What follows them is not compared.
    open: bool,
}

fn read(plan: &Plan, bytes: &[u8]) -> Read {
    let witness = Witness {
        plan,
        records: Vec::new(),
        due: 0,
        parted: false,
    };
    let finished = Machine::new(plan, SliceInput::new(bytes), witness).run();
    let (verdict, witness) = (finished.verdict, finished.visitor);
    let (due, mut open) = (witness.due, witness.parted);
    let mut records = before_fault(plan, &verdict, witness.records);
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
    Read {
        verdict,
        records,
        due,
        open,
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
