//! Uses the reference decoder to find out how a conforming reader handles a trace.
//!
//! If a rule allows readers to continue in several ways, the decoder reads the trace once in each
//! way, and the records of each of these *readings* count as correct. The first set of records
//! comes from the decoder's default reading.

mod dont_care;
mod readings;

pub use self::readings::accepting;

use std::io;

use tracegauge_decoder::record::Record;
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{
    Findings, Judgement, Note, Observer, StreamFindings, Verdict, Violation, observe,
    observe_stream,
};
use tracegauge_plan::Plan;
use tracegauge_plan::terms::{Continuation, RuleId};

use crate::case::{Expected, ExpectedVerdict, ExpectedViolation, FaultClass};
use dont_care::Freed;

/// The stack size, which suffices for values nested as deeply as any format allows.
const STACK: usize = 64 << 20;

/// Decodes a trace from a stream and derives the expectation from the result. Unlike with
/// [`examine`], rules that allow readers to continue in several ways are not taken into account.
///
/// # Errors
/// Returns an error if the stream cannot be read, or if the format needs all bytes at once.
pub fn examine_stream(plan: &Plan, stream: &mut dyn io::Read) -> io::Result<Examined> {
    stacker::maybe_grow(STACK, STACK, || {
        let mut witness = Witness::new(plan);
        let observed = observe_stream(plan, stream, StreamFindings::Records, &mut witness);
        match observed.failure {
            Some(error) => Err(error),
            None => Ok(derived(plan, witness.read(observed.verdict), Vec::new())),
        }
    })
}

/// The result of decoding a trace with the reference decoder.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The expected behavior of a conforming reader.
    pub expected: Expected,
    /// The decoder's verdict.
    pub verdict: Verdict,
    /// The ids of the rules that the trace triggers without being rejected, in the order of their
    /// first occurrence.
    pub shown: Vec<String>,
}

/// Returns what a conforming reader does with `bytes`.
pub fn expected(plan: &Plan, bytes: &[u8]) -> Expected {
    examine(plan, bytes).expected
}

/// Decodes `bytes` and derives the expectation from the result.
pub fn examine(plan: &Plan, bytes: &[u8]) -> Examined {
    stacker::maybe_grow(STACK, STACK, || examined(plan, bytes))
}

fn examined(plan: &Plan, bytes: &[u8]) -> Examined {
    let own = read(plan, bytes);
    let others = readings::others(plan, &own.verdict, bytes);
    derived(plan, own, others)
}

/// Derives the expectation from the decoder's default reading of a trace and from the `others`.
fn derived(plan: &Plan, own: Read, others: Vec<Read>) -> Examined {
    let violation = own.verdict.violation().map(|found| violation(plan, found));
    let due = cut(plan, violation.as_ref()).then_some(own.due.min(own.records.len()));
    let shown = own.verdict.shown.iter();
    let shown = shown.map(|shown| plan.rules[shown.rule].id.clone());
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

/// The verdict and the records according to one reading of a trace.
struct Read {
    verdict: Verdict,
    /// The records to compare. Values that rules exempt from comparison are marked as don't-care.
    records: Vec<Record>,
    /// The number of records that a reader must report even though the trace is truncated.
    due: usize,
    /// True if any further records are not compared.
    open: bool,
}

fn read(plan: &Plan, bytes: &[u8]) -> Read {
    let mut witness = Witness::new(plan);
    let verdict = observe(plan, bytes, Findings::Notes, &mut witness).verdict;
    witness.read(verdict)
}

/// Returns true if the trace is truncated and the description specifies which records a reader must
/// still report.
fn cut(plan: &Plan, violation: Option<&ExpectedViolation>) -> bool {
    let incomplete = violation.is_some_and(|found| found.class == FaultClass::Incomplete);
    incomplete && plan.effects.iter().any(|effects| effects.due)
}

/// Returns the offset of the fault if records may come after it. Only records that end at or before
/// this offset count as read before the fault.
///
/// The offset matters only for a table row that is referenced but never defined. The decoder
/// detects this fault at the end of the file, when it has already read records after the reference.
/// For all other faults the result is `None`, because no record was read after the fault.
pub fn fault_start(plan: &Plan, verdict: &Verdict) -> Option<u64> {
    let awaited = verdict.violation().filter(|violation| {
        let refs = plan.info(violation.op).refs.map(|refs| &plan.refs[refs]);
        refs.is_some_and(|refs| refs.later.is_some() && refs.dangling == violation.rule)
    });
    awaited.map(|violation| violation.span.start)
}

/// Returns the records that end before the fault.
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
    let rule = found.rule.and_then(|rule| plan.rules.get(rule));
    ExpectedViolation {
        rules: rule.map(|rule| rule.id.clone()).into_iter().collect(),
        class: rule.map_or(FaultClass::Malformed, |rule| rule.class.into()),
        path: found.path.clone(),
        start: found.span.start,
        end: found.span.end,
    }
}

/// Collects the records that all conforming readers report, up to the point where their records may
/// differ.
struct Witness<'p> {
    plan: &'p Plan,
    /// The records, each with its end offset.
    records: Vec<(u64, Record)>,
    /// The number of records that a reader must report even though the trace is truncated.
    due: usize,
    parted: bool,
}

impl<'p> Witness<'p> {
    fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            records: Vec::new(),
            due: 0,
            parted: false,
        }
    }

    /// Returns the reading whose records were collected.
    fn read(self, verdict: Verdict) -> Read {
        let plan = self.plan;
        let mut open = self.parted;
        let mut records = before_fault(plan, &verdict, self.records);
        // A rule that records trigger themselves exempts only members of those records from
        // comparison, and `Witness::record` has already marked those members.
        let alone = |rule: RuleId| {
            let mut records = plan.records.iter().flat_map(|record| &record.frees);
            records.any(|(freeing, _)| *freeing == rule)
        };
        for shown in verdict.shown.iter().filter(|shown| !alone(shown.rule)) {
            for freed in &plan.rules[shown.rule].frees {
                open |= Freed::parse(freed).apply(&mut records);
            }
        }
        Read {
            verdict,
            records,
            due: self.due,
            open,
        }
    }
}

impl Observer for Witness<'_> {
    fn record(&mut self, record: &RecordView<'_>) {
        if self.parted {
            return;
        }
        let mut owed = vec![record.to_record()];
        for rule in record.freed {
            for freed in &self.plan.rules[*rule].frees {
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
        let rule = &self.plan.rules[note.rule];
        self.parted |= rule.continues.contains(&Continuation::Open);
    }
}
