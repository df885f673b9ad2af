//! One worker: takes turns, makes their inputs and asks its own reader.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};

use fixedbitset::FixedBitSet;
use tracegauge_decoder::judge;
use tracegauge_generator::mutate::InputKind;
use tracegauge_reports::Outcome;
use tracegauge_spec::plan::Plan;

use super::coverage::{Known, Opened};
use super::input::{InputId, InputMaker};
use super::{Asker, Turn};
use crate::lock::lock;
use crate::probe::{ProbeError, Signature};

/// A turn, and what its inputs are held against.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) turn: Turn,
    /// The edges that were reached when it was planned; none where nobody asks for them.
    pub(super) known: Option<Arc<Known>>,
}

/// What came of a turn.
#[derive(Debug)]
pub(super) struct TurnReport {
    pub(super) turn: Turn,
    /// Inputs that were asked about: fewer than planned where the campaign ended.
    pub(super) asked: u64,
    /// How often the reader did what.
    pub(super) outcomes: BTreeMap<Outcome, u64>,
    /// For each thing that it did wrong the inputs that showed it.
    pub(super) failures: BTreeMap<Signature, Shown>,
    /// Inputs that reached edges that were not known, and that no input of the turn before did.
    pub(super) opened: Vec<Opened>,
    /// Edges that were reached once, and not when the reader was asked again.
    pub(super) fleeting: FixedBitSet,
}

/// A trace that is valid, or has a twin that is, becomes small where another does not: that counts
/// as so many times as many bytes.
const HARDER: u64 = 8;

/// Inputs that show the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// The size of the smallest, and its name: of two that are as small, the lower one.
    pub(super) smallest: (u64, InputId),
    /// How many there are.
    pub(super) count: u64,
}

impl Shown {
    fn once(length: u64, input: InputId) -> Self {
        let size = match input.kind() {
            Some(InputKind::Valid | InputKind::SingleFault) => length,
            _ => length * HARDER,
        };
        Self {
            smallest: (size, input),
            count: 1,
        }
    }

    /// Takes in others.
    pub(super) fn add(&mut self, other: Self) {
        self.smallest = self.smallest.min(other.smallest);
        self.count += other.count;
    }
}

/// Works until there are no more turns or `halt` is set.
pub(super) fn work(
    plan: &Plan,
    mut maker: InputMaker<'_>,
    mut asker: Asker<'_>,
    turns: &Mutex<Receiver<Task>>,
    reports: &Sender<Result<TurnReport, ProbeError>>,
    halt: &AtomicBool,
) {
    loop {
        let next = lock(turns).recv();
        let Ok(task) = next else {
            return;
        };
        let mut report = TurnReport::new(task.turn);
        let mut known = task.known.map(|known| known.as_ref().clone());
        for id in task.turn.inputs() {
            if halt.load(Ordering::Relaxed) {
                break;
            }
            let asked = report.ask(plan, &mut maker, &mut asker, id, known.as_mut());
            if let Err(error) = asked {
                // Who listens no more has had another error.
                let _ = reports.send(Err(error));
                return;
            }
        }
        if reports.send(Ok(report)).is_err() {
            return;
        }
    }
}

impl TurnReport {
    fn new(turn: Turn) -> Self {
        Self {
            turn,
            asked: 0,
            outcomes: BTreeMap::new(),
            failures: BTreeMap::new(),
            opened: Vec::new(),
            fleeting: FixedBitSet::new(),
        }
    }

    /// Asks about one input, and takes in what comes of it.
    fn ask(
        &mut self,
        plan: &Plan,
        maker: &mut InputMaker<'_>,
        asker: &mut Asker<'_>,
        id: InputId,
        known: Option<&mut Known>,
    ) -> Result<(), ProbeError> {
        // A turn grows from what has been kept only.
        let Some(input) = maker.make(id) else {
            return Ok(());
        };
        let found = asker.ask(plan, &input.bytes)?;
        self.asked += 1;
        let outcome = found
            .as_ref()
            .map_or(Outcome::Pass, |found| found.signature.outcome);
        *self.outcomes.entry(outcome).or_default() += 1;
        if let Some(known) = known {
            let sighted = asker.sight(plan, &input.bytes, outcome, known.to(outcome))?;
            self.fleeting.union_with(&sighted.fleeting);
            if let Some(edges) = sighted.opened {
                known.add(outcome, &edges);
                self.opened.push(Opened {
                    malformed: !judge(plan, &input.bytes).tolerable(),
                    size: input.bytes.len() as u64,
                    input: id,
                    outcome,
                    edges,
                });
            }
        }
        if let Some(found) = found {
            let shown = Shown::once(input.bytes.len() as u64, id);
            let known = self.failures.entry(found.signature);
            known.and_modify(|known| known.add(shown)).or_insert(shown);
        }
        Ok(())
    }
}
