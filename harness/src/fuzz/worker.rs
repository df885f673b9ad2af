//! One worker: takes turns, makes their inputs and asks its own reader.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};

use tracegauge_generator::mutate::{InputKind, InputNumber, Supply};
use tracegauge_reports::Outcome;

use super::{Asker, Turn};
use crate::lock::lock;
use crate::probe::{ProbeError, Signature};

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
}

/// A trace that is valid, or has a twin that is, becomes small where another does not: that counts
/// as so many times as many bytes.
const HARDER: u64 = 8;

/// Inputs that show the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// The size of the smallest, and its number: of two that are as small, the lower one.
    pub(super) smallest: (u64, InputNumber),
    /// How many there are.
    pub(super) count: u64,
}

impl Shown {
    fn once(length: u64, number: InputNumber) -> Self {
        let size = match number.kind() {
            InputKind::Valid | InputKind::SingleFault => length,
            _ => length * HARDER,
        };
        Self {
            smallest: (size, number),
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
    supply: &Supply,
    mut asker: Asker<'_>,
    turns: &Mutex<Receiver<Turn>>,
    reports: &Sender<Result<TurnReport, ProbeError>>,
    halt: &AtomicBool,
) {
    let mut maker = supply.maker();
    let plan = supply.generator().plan();
    loop {
        let next = lock(turns).recv();
        let Ok(turn) = next else {
            return;
        };
        let mut report = TurnReport {
            turn,
            asked: 0,
            outcomes: BTreeMap::new(),
            failures: BTreeMap::new(),
        };
        for number in turn.numbers() {
            if halt.load(Ordering::Relaxed) {
                break;
            }
            let input = maker.make(number);
            let found = match asker.ask(plan, &input.bytes) {
                Ok(found) => found,
                Err(error) => {
                    // Who listens no more has had another error.
                    let _ = reports.send(Err(error));
                    return;
                }
            };
            report.asked += 1;
            let outcome = found
                .as_ref()
                .map_or(Outcome::Pass, |found| found.signature.outcome);
            *report.outcomes.entry(outcome).or_default() += 1;
            if let Some(found) = found {
                let shown = Shown::once(input.bytes.len() as u64, number);
                let known = report.failures.entry(found.signature);
                known.and_modify(|known| known.add(shown)).or_insert(shown);
            }
        }
        if reports.send(Ok(report)).is_err() {
            return;
        }
    }
}
