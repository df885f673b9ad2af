//! The schedule of inputs. Kinds of inputs that recently made discoveries are chosen more often. A
//! discovery is a new group of findings, or an input that was saved because it reached new edges.
//! Inputs are handed out in turns, which are batches of inputs with the same origin. An epoch
//! consists of the turns that are planned together.

use serde::{Deserialize, Serialize};
use tracegauge_generator::mutate::{InputKind, InputNumber, SHARED};

use super::input::{Grown, InputId};
use super::power_schedule::PowerSchedule;

const KINDS: usize = InputKind::ALL.len();

/// The number of turns in the first epoch. The number is small, so that the first findings are
/// saved early.
const FIRST: u64 = KINDS as u64;
/// The maximum number of turns in an epoch.
const LONGEST: u64 = 512;
/// The maximum number of turns in an epoch with derived inputs. The number is smaller than
/// [`LONGEST`], so that inputs are soon derived from the traces that an epoch saved.
const LONGEST_GROWING: u64 = 64;
/// The weight of a discovery. Each kind of input starts with a weight of 1.
const WEIGHT: u64 = 4;
/// The maximum weight of a kind.
const MOST: u64 = 40;

/// The number of inputs of each kind handed out so far, and the number of recent discoveries of
/// each kind. An epoch is planned without the results of the previous epoch, so that workers need
/// not wait for that epoch to end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// The number of the next epoch.
    epoch: u64,
    /// The number of inputs of each kind that have been handed out.
    issued: [u64; KINDS],
    /// The weighted number of recent discoveries of each kind.
    credit: [u64; KINDS],
    /// The power schedule for derived inputs.
    #[serde(default, skip_serializing_if = "PowerSchedule::is_empty")]
    pub(super) power_schedule: PowerSchedule,
}

/// The source of a turn's inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Generated inputs of this kind. If they are made from a valid trace (their twin), they share
    /// it.
    Made(InputKind),
    /// Inputs derived from the saved trace with this number.
    Grown(u32),
}

/// A batch of inputs with the same origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    /// The number of the epoch.
    pub epoch: u64,
    /// The position of the turn in the epoch.
    pub place: u64,
    /// The source of the inputs.
    pub origin: Origin,
    /// The index of the first input among all inputs with the same origin.
    pub first: u64,
    /// The number of inputs.
    pub count: u64,
}

impl Turn {
    /// Iterates over the ids of the inputs of the turn.
    pub fn inputs(self) -> impl Iterator<Item = InputId> {
        let counts = self.first..self.first + self.count;
        counts.map(move |count| match self.origin {
            Origin::Made(kind) => InputNumber::of(kind, count).into(),
            Origin::Grown(from) => InputId::Grown(Grown { from, count }),
        })
    }
}

impl Schedule {
    /// Returns the number of the next epoch.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Returns the turns of the next epoch, with turns of different kinds interleaved.
    pub fn next_epoch(&mut self) -> Vec<Turn> {
        let longest = if self.power_schedule.is_empty() {
            LONGEST
        } else {
            LONGEST_GROWING
        };
        let length = (FIRST << self.epoch.min(16)).min(longest);
        let weights = self.credit.map(|credit| (1 + credit).min(MOST));
        let total: u64 = weights.iter().sum();
        let mut turns = Vec::new();
        let mut due = [0_u64; KINDS];
        let epoch = self.epoch;
        for place in 0..length {
            let mut push = |origin, first| {
                turns.push(Turn {
                    epoch,
                    place,
                    origin,
                    first,
                    count: SHARED,
                });
            };
            // Every other turn uses derived inputs, if there are saved traces.
            let growing = (place % 2 == 1)
                .then(|| self.power_schedule.next())
                .flatten();
            if let Some((from, grown)) = growing {
                push(Origin::Grown(from), grown * SHARED);
                continue;
            }
            // The amount due to each kind grows by the weight of the kind. The kind with the
            // largest amount is next, and the total of all weights is subtracted from its amount.
            for (due, weight) in due.iter_mut().zip(weights) {
                *due += weight;
            }
            let next = (0..KINDS).max_by_key(|kind| (due[*kind], KINDS - kind));
            let next = next.unwrap_or_default();
            due[next] = due[next].saturating_sub(total);
            push(Origin::Made(InputKind::ALL[next]), self.issued[next]);
            self.issued[next] += SHARED;
        }
        self.epoch += 1;
        turns
    }

    /// Updates the weights with the number of discoveries of each kind in the oldest epoch that has
    /// not been evaluated yet.
    pub fn learn(&mut self, fresh: [u64; KINDS]) {
        for (credit, fresh) in self.credit.iter_mut().zip(fresh) {
            *credit = *credit * 3 / 4 + fresh * WEIGHT;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(turns: &[Turn]) -> [usize; KINDS] {
        let of = |kind| move |turn: &&Turn| turn.origin == Origin::Made(kind);
        InputKind::ALL.map(|kind| turns.iter().filter(of(kind)).count())
    }

    #[test]
    fn at_first_all_kinds_come_alike() {
        let mut schedule = Schedule::default();
        assert_eq!(shares(&schedule.next_epoch()), [1; KINDS]);
        assert_eq!(shares(&schedule.next_epoch()), [2; KINDS]);
    }

    #[test]
    fn what_pays_comes_more_often_and_the_rest_still_comes() {
        let mut schedule = Schedule::default();
        for _ in 0..6 {
            schedule.next_epoch();
        }
        let mut fresh = [0; KINDS];
        fresh[InputKind::Spliced.place()] = 3;
        schedule.learn(fresh);
        let shares = shares(&schedule.next_epoch());
        let others = shares.iter().sum::<usize>() - shares[InputKind::Spliced.place()];
        assert!(shares[InputKind::Spliced.place()] > others, "{shares:?}");
        assert!(shares.iter().all(|share| *share > 0), "{shares:?}");
    }

    #[test]
    fn no_input_comes_twice() {
        let mut schedule = Schedule::default();
        let mut seen = std::collections::HashSet::new();
        for epoch in 0..5 {
            for turn in schedule.next_epoch() {
                assert!(turn.inputs().all(|input| seen.insert(input)), "{turn:?}");
            }
            schedule.learn([epoch, 0, 0, 1, 0, 0]);
            schedule.power_schedule.admit(true);
        }
    }

    #[test]
    fn every_other_turn_grows_from_what_was_kept() {
        let mut schedule = Schedule::default();
        schedule.next_epoch();
        schedule.power_schedule.admit(true);
        let turns = schedule.next_epoch();
        let grown = turns.iter().filter(|turn| turn.origin == Origin::Grown(1));
        assert_eq!(grown.count() * 2, turns.len());
        assert!(shares(&turns).iter().all(|share| *share > 0), "{turns:?}");
    }
}
