//! Measures the coverage of a trace from the *marks* that the decoder emits, which are events such
//! as the execution of an operation.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::verdict::Judgement;
use tracegauge_decoder::{Findings, Mark, Observer, observe};
use tracegauge_generator::plain::{Answers, Decoded, Departure};
use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{Kind, OpId, Plan};

use super::boundaries::{self, Reported, Values};
use super::carried::Carried;
use super::pairs::Pairs;
use super::places::Places;
use super::rows::Rows;
use super::sequences::Sequences;
use super::{Obligation, Times, texts};

/// The coverage marks collected from one trace.
struct Marks<'p> {
    plan: &'p Plan,
    rows: Rows,
    carried: Carried,
    sequences: Sequences,
    entered: Vec<bool>,
    skipped: Vec<bool>,
    /// The rules that the trace exercises, each with the operation that exercises it and the number
    /// of times that it does so.
    shown: BTreeMap<(RuleId, OpId), u64>,
    times: HashSet<(OpId, Times)>,
    edges: HashSet<(OpId, OpId)>,
    inside: HashSet<(OpId, OpId)>,
    /// The fields whose value equals the limit of a test, with the index of the test in the plan.
    limits: HashSet<(OpId, u32)>,
    last: Option<OpId>,
    reported: Reported,
}

impl Observer for Marks<'_> {
    fn record(&mut self, record: &RecordView<'_>) {
        // Only conditional records have to be tracked, because all other records are always
        // reported.
        if record.record.condition.is_some() {
            let kind = record.record.kind.clone();
            self.reported.insert((kind, record.end));
        }
    }

    fn mark(&mut self, op: OpId, mark: Mark) {
        match mark {
            Mark::Enter => {
                self.entered[op.index()] = true;
                self.sequences.enter(op);
                if let Some(last) = self.last.replace(op) {
                    self.edges.insert((last, op));
                }
            }
            Mark::Skip => self.skipped[op.index()] = true,
            Mark::Count(count) => {
                self.times.insert((op, Times::of(count)));
            }
            Mark::Inside(holder) => {
                self.inside.insert((holder, op));
            }
            Mark::Shows(rule, _) => {
                *self.shown.entry((rule, op)).or_default() += 1;
            }
            Mark::Holds(_) | Mark::Computes(_) => {}
            Mark::Reached(test) => {
                self.limits.insert((op, test));
            }
            Mark::Row(what, table, key) => self.rows.mark(op, what, table, key),
            Mark::Restart => self.rows.restart(),
            Mark::Carried(mark) => self.carried.mark(self.plan, op, mark),
        }
    }
}

/// Measures which parts of a description files exercise.
#[derive(Debug)]
pub struct Meter<'p> {
    plan: &'p Plan,
    values: Values,
    pairs: Pairs,
    places: Places,
    rows: Rows,
    sequences: Sequences,
    answers: Answers,
}

/// The coverage of a trace.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The obligations that the trace meets.
    pub met: BTreeSet<Obligation>,
    /// The departures of the trace from what typical writers produce.
    pub departures: BTreeSet<Departure>,
    /// The number of places where the trace departs from what typical writers produce.
    pub places: u64,
    /// True if every conforming reader accepts the trace.
    pub accepted: bool,
}

impl<'p> Meter<'p> {
    /// Creates a meter for `plan`.
    pub fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            values: Values::new(plan),
            pairs: Pairs::new(plan),
            places: Places::new(plan),
            sequences: Sequences::new(plan),
            rows: Rows::new(plan),
            answers: Answers::new(plan),
        }
    }

    /// Returns the plain answers for the plan: what typical writers do where the format leaves a
    /// choice.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// Returns the obligations that `bytes` meets.
    pub fn measure(&self, bytes: &[u8]) -> BTreeSet<Obligation> {
        measure(self, bytes).met
    }

    /// Returns the obligations that the trace `bytes` meets, and the departures of the trace.
    pub fn measure_whole(&self, bytes: &[u8]) -> Measured {
        measure(self, bytes)
    }
}

fn measure(meter: &Meter<'_>, bytes: &[u8]) -> Measured {
    let plan = meter.plan;
    let mut marks = Marks {
        plan,
        rows: meter.rows.clone(),
        carried: Carried::default(),
        sequences: meter.sequences.clone(),
        entered: vec![false; plan.ops.len()],
        skipped: vec![false; plan.ops.len()],
        shown: BTreeMap::new(),
        times: HashSet::new(),
        edges: HashSet::new(),
        inside: HashSet::new(),
        limits: HashSet::new(),
        last: None,
        reported: Reported::new(),
    };
    let observed = observe(plan, bytes, Findings::Marks, &mut marks);
    let rejected = observed.verdict.violation().is_some();
    let broken = observed.verdict.violation();
    let broken = broken.and_then(|found| Some((found.rule?, found.op)));
    let decoded = Decoded {
        plan,
        answers: &meter.answers,
        bytes,
        tree: &observed.tree,
        shown: marks
            .shown
            .iter()
            .map(|((rule, op), times)| (*rule, *op, *times))
            .collect(),
        fault: observed.verdict.violation().map(|found| found.op),
    };
    let departures = decoded.departures();
    let places = departures.values().sum();
    let departures = departures.into_keys().collect();
    let reported = marks.reported;
    let mut met = BTreeSet::new();
    met.extend(broken.map(|(rule, _)| Obligation::Broken(rule)));
    met.extend(broken.and_then(|(rule, op)| meter.places.met(rule, op)));
    // A rule that readers must tolerate counts only if they must accept the trace as a whole. Any
    // other triggered rule counts unless the trace is rejected.
    let accepted = observed.verdict.judgement == Judgement::Accepted;
    let taken = |rule: RuleId| match plan.rules[rule].duty {
        ReaderDuty::Accept => accepted,
        _ => !rejected,
    };
    for (rule, op) in marks.shown.keys().filter(|(rule, _)| taken(*rule)) {
        met.insert(Obligation::Shown(*rule));
        met.extend(meter.places.met(*rule, *op));
    }
    let ids = |flags: &[bool]| -> Vec<OpId> {
        let set = flags.iter().enumerate().filter(|(_, flag)| **flag);
        set.map(|(index, _)| OpId::from(index)).collect()
    };
    met.extend(ids(&marks.skipped).into_iter().map(Obligation::False));
    for op in ids(&marks.entered) {
        met.insert(Obligation::Operation(op));
        met.insert(Obligation::True(op));
        match plan.info(op).parent.map(|parent| &plan.op(parent).kind) {
            Some(Kind::Switch(_)) => met.insert(Obligation::Arm(op)),
            Some(Kind::Layout(_)) => met.insert(Obligation::Code(op)),
            _ => false,
        };
    }
    let times = marks.times.into_iter();
    met.extend(times.map(|(op, times)| Obligation::Times(op, times)));
    let inside = marks.inside.into_iter();
    met.extend(inside.map(|(holder, op)| Obligation::Inside(holder, op)));
    let edges = marks.edges.into_iter();
    met.extend(edges.map(|(from, to)| Obligation::Edge(from, to)));
    // Values in a rejected trace do not count, because they may be the reason for the rejection.
    if !rejected {
        boundaries::met(plan, &observed.tree, &meter.values, &reported, &mut met);
        let limits = marks.limits.into_iter();
        met.extend(limits.filter_map(|(op, test)| boundaries::limit(plan, op, test)));
        texts::met(plan, &observed.tree, &mut met);
        meter.pairs.met(&observed.tree, &meter.values, &mut met);
        met.append(&mut marks.rows.met);
        met.append(&mut marks.carried.met);
        met.append(&mut marks.sequences.met);
    }
    Measured {
        met,
        departures,
        places,
        accepted,
    }
}
