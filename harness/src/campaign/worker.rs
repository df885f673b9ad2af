//! A worker, which receives turns (batches of inputs), generates their inputs and runs its own
//! reader on the inputs.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};

use fixedbitset::FixedBitSet;
use tracegauge_decoder::judge;
use tracegauge_generator::mutate::InputKind;
use tracegauge_plan::Plan;
use tracegauge_results::{CaseResult, Outcome};

use super::asker::Inherited;
use super::coverage::{Known, Opened};
use super::input::{InputId, InputMaker};
use super::{Asker, Finding, Turn};
use crate::lock::lock;
use crate::probe::{ProbeError, Signature};

/// A turn, together with the edges that were known when it was planned.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) turn: Turn,
    /// The edges known when the turn was planned, or `None` if coverage feedback is disabled.
    pub(super) known: Option<Arc<Known>>,
}

/// The result of a turn.
#[derive(Debug)]
pub(super) struct TurnReport {
    pub(super) turn: Turn,
    /// The number of inputs tried, which is less than planned if the campaign ended during the
    /// turn.
    pub(super) asked: u64,
    /// The change in the number of inputs with each outcome. The number for an outcome decreases if
    /// inputs of earlier turns turn out to have a different outcome.
    pub(super) outcomes: BTreeMap<Outcome, i64>,
    /// For each wrong behavior, the inputs that triggered it.
    pub(super) failures: BTreeMap<Signature, Shown>,
    /// Inputs that reached unknown edges before any other input of the turn did.
    pub(super) opened: Vec<Opened>,
    /// Edges that an input reached once, but not when it was run again.
    pub(super) fleeting: FixedBitSet,
}

/// The factor that is applied to the size of inputs that are hard to minimize. Valid inputs, and
/// inputs made by planting a fault in a valid trace, are easier to minimize than others.
const HARDER: u64 = 8;

/// The number of recent inputs to remember, because a crash that they cause may be noticed only
/// during a later input.
const MOST_TRIED: usize = 8;

/// An input that a worker tried recently.
struct Tried {
    id: InputId,
    bytes: Vec<u8>,
    outcome: Outcome,
}

/// Inputs that trigger the same behavior.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// The weighted size and the id of the smallest input. Among equally small inputs, the one with
    /// the lowest id is used.
    pub(super) smallest: (u64, InputId),
    /// The reader's behavior on the smallest input.
    pub(super) observed: Box<CaseResult>,
    /// The number of inputs.
    pub(super) count: u64,
}

impl Shown {
    fn once(length: u64, input: InputId, observed: CaseResult) -> Self {
        let size = match input.kind() {
            Some(InputKind::Valid | InputKind::SingleFault) => length,
            _ => length * HARDER,
        };
        Self {
            smallest: (size, input),
            observed: Box::new(observed),
            count: 1,
        }
    }

    /// Adds more inputs that trigger the same behavior.
    pub(super) fn add(&mut self, other: Self) {
        if other.smallest < self.smallest {
            (self.smallest, self.observed) = (other.smallest, other.observed);
        }
        self.count += other.count;
    }
}

/// Runs turns until none are left or `halt` is set.
pub(super) fn work(
    plan: &Plan,
    mut maker: InputMaker<'_>,
    mut asker: Asker<'_>,
    turns: &Mutex<Receiver<Task>>,
    reports: &Sender<Result<TurnReport, ProbeError>>,
    halt: &AtomicBool,
) {
    let mut tried = VecDeque::new();
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
            let asked = asked.and_then(|asked| {
                tried.extend(asked);
                report.inherit(plan, &mut asker, &tried)
            });
            tried.drain(..tried.len().saturating_sub(MOST_TRIED));
            if let Err(error) = asked {
                // The receiver is gone only after another error.
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

    /// Tries one input and records the result. Returns the input.
    fn ask(
        &mut self,
        plan: &Plan,
        maker: &mut InputMaker<'_>,
        asker: &mut Asker<'_>,
        id: InputId,
        known: Option<&mut Known>,
    ) -> Result<Option<Tried>, ProbeError> {
        // Turns derive inputs only from saved traces, so this always succeeds.
        let Some(input) = maker.make(id) else {
            return Ok(None);
        };
        let found = asker.ask(plan, &input.bytes)?;
        self.asked += 1;
        let outcome = found
            .as_ref()
            .map_or(Outcome::Pass, |found| found.signature.outcome);
        self.count(outcome, 1);
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
            self.fail(found, input.bytes.len() as u64, id);
        }
        let bytes = input.bytes;
        Ok(Some(Tried { id, bytes, outcome }))
    }

    fn count(&mut self, outcome: Outcome, change: i64) {
        *self.outcomes.entry(outcome).or_default() += change;
    }

    /// Counts an input under `to` instead of `from`, the outcome of its answer. The input may have been
    /// counted in an earlier turn. The counts of all turns are added up.
    fn moves(&mut self, from: Outcome, to: Outcome) {
        self.count(from, -1);
        self.count(to, 1);
    }

    /// Adds the changes of this turn to the number of inputs with each outcome.
    pub(super) fn add_outcomes(&self, outcomes: &mut BTreeMap<Outcome, u64>) {
        for (outcome, change) in &self.outcomes {
            let count = outcomes.entry(*outcome).or_default();
            *count = count.saturating_add_signed(*change);
        }
    }

    fn fail(&mut self, found: Finding, length: u64, id: InputId) {
        let shown = Shown::once(length, id, found.seen.result);
        match self.failures.entry(found.signature) {
            Entry::Occupied(mut known) => known.get_mut().add(shown),
            Entry::Vacant(place) => {
                place.insert(shown);
            }
        }
    }

    /// Records crashes that an earlier input caused but that were noticed only during a later
    /// input.
    fn inherit(
        &mut self,
        plan: &Plan,
        asker: &mut Asker<'_>,
        tried: &VecDeque<Tried>,
    ) -> Result<(), ProbeError> {
        for Inherited { bytes, found } in asker.inherited(plan)? {
            let Some(cause) = tried.iter().rev().find(|it| *it.bytes == *bytes) else {
                continue;
            };
            self.moves(cause.outcome, found.signature.outcome);
            self.fail(found, bytes.len() as u64, cause.id);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::schedule::Origin;

    #[test]
    fn an_input_of_an_earlier_turn_moves_to_the_outcome_of_its_crash() {
        let turn = Turn {
            epoch: 0,
            place: 0,
            origin: Origin::Made(InputKind::Valid),
            first: 0,
            count: 2,
        };
        let (mut first, mut second) = (TurnReport::new(turn), TurnReport::new(turn));
        first.count(Outcome::Pass, 2);
        second.count(Outcome::Hang, 1);
        second.moves(Outcome::Pass, Outcome::Crash);
        let mut totals = BTreeMap::new();
        first.add_outcomes(&mut totals);
        second.add_outcomes(&mut totals);
        let expected = [(Outcome::Pass, 1), (Outcome::Hang, 1), (Outcome::Crash, 1)];
        assert_eq!(totals, BTreeMap::from(expected));
    }
}
