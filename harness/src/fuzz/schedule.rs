//! Which inputs are next: the kinds that found something new lately come more often.

use serde::{Deserialize, Serialize};
use tracegauge_generator::mutate::{InputKind, InputNumber, SHARED};

use super::growth::Growth;
use super::input::{Grown, InputId};

const KINDS: usize = InputKind::ALL.len();

/// Turns of the first epoch: findings of the first moments are kept soon.
const FIRST: u64 = KINDS as u64;
/// Turns of a long epoch.
const LONGEST: u64 = 512;
/// Turns of a long epoch where inputs grow from traces that were kept: what such an epoch finds is to
/// be used soon.
const LONGEST_GROWING: u64 = 64;
/// What one new group weighs, where each kind has the weight 1 to begin with.
const WEIGHT: u64 = 4;
/// More than this does no kind weigh.
const MOST: u64 = 40;

/// What has been handed out, and what paid. An epoch is planned from what the epochs but the
/// last one before it found, so that nobody waits for the end of an epoch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// The next epoch.
    epoch: u64,
    /// Inputs of each kind that were handed out.
    issued: [u64; KINDS],
    /// New groups that each kind found lately, weighed.
    credit: [u64; KINDS],
    /// What inputs grow from, and how many did.
    #[serde(default, skip_serializing_if = "Growth::is_empty")]
    pub(super) growth: Growth,
}

/// Where the inputs of a turn come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// They are of this kind, and have a twin in common.
    Made(InputKind),
    /// They grow from the trace of this number.
    Grown(u32),
}

/// Some inputs of one origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    /// The epoch.
    pub epoch: u64,
    /// Its place in the epoch.
    pub place: u64,
    /// Where its inputs come from.
    pub origin: Origin,
    /// The first of them, counted in its origin.
    pub first: u64,
    /// How many.
    pub count: u64,
}

impl Turn {
    /// Its inputs.
    pub fn inputs(self) -> impl Iterator<Item = InputId> {
        let counts = self.first..self.first + self.count;
        counts.map(move |count| match self.origin {
            Origin::Made(kind) => InputNumber::of(kind, count).into(),
            Origin::Grown(from) => InputId::Grown(Grown { from, count }),
        })
    }
}

impl Schedule {
    /// The next epoch.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The turns of the next epoch, the kinds among each other.
    pub fn next_epoch(&mut self) -> Vec<Turn> {
        let longest = if self.growth.is_empty() {
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
            // Every other turn grows from what was kept, where anything was.
            let growing = (place % 2 == 1).then(|| self.growth.next()).flatten();
            if let Some((from, grown)) = growing {
                push(Origin::Grown(from), grown * SHARED);
                continue;
            }
            // Each kind is due in proportion to its weight; the one that waits longest is next.
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

    /// Takes in how many new groups each kind found in the oldest epoch not yet learned from.
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
            schedule.growth.admit(true);
        }
    }

    #[test]
    fn every_other_turn_grows_from_what_was_kept() {
        let mut schedule = Schedule::default();
        schedule.next_epoch();
        schedule.growth.admit(true);
        let turns = schedule.next_epoch();
        let grown = turns.iter().filter(|turn| turn.origin == Origin::Grown(1));
        assert_eq!(grown.count() * 2, turns.len());
        assert!(shares(&turns).iter().all(|share| *share > 0), "{turns:?}");
    }
}
