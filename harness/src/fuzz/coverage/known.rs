//! Which edges are known.

use fixedbitset::FixedBitSet;
use tracegauge_reports::Outcome;

/// The edges that were reached, and those that were reached by a trace that says why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::fuzz) struct Known {
    /// All of them.
    pub(super) all: FixedBitSet,
    /// Those that a sound trace reached.
    sound: FixedBitSet,
}

/// Whether what a trace has of the format says what the reader did: not where it broke down, or read
/// on where nothing is to be read. Such a trace is kept where it reaches something new, too; but
/// nothing grows from it, and a sound one that reaches the same is kept besides.
pub(in crate::fuzz) fn is_sound(outcome: Outcome) -> bool {
    !matches!(
        outcome,
        Outcome::WrongAccept
            | Outcome::Crash
            | Outcome::Hang
            | Outcome::OutOfMemory
            | Outcome::Flood
            | Outcome::Protocol
    )
}

impl Known {
    /// What is known for a trace of this outcome.
    pub(in crate::fuzz) fn to(&self, outcome: Outcome) -> &FixedBitSet {
        if is_sound(outcome) {
            &self.sound
        } else {
            &self.all
        }
    }

    /// A trace of this outcome has reached these.
    pub(in crate::fuzz) fn add(&mut self, outcome: Outcome, edges: &FixedBitSet) {
        self.all.union_with(edges);
        if is_sound(outcome) {
            self.sound.union_with(edges);
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.all.count_ones(..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_mistake_reached_is_new_to_a_sound_trace() {
        let edges = |ones: &[usize]| ones.iter().copied().collect::<FixedBitSet>();
        let mut known = Known::default();
        known.add(Outcome::WrongAccept, &edges(&[1, 2]));
        assert!(edges(&[1]).is_subset(known.to(Outcome::Crash)));
        assert!(!edges(&[1]).is_subset(known.to(Outcome::Pass)));
        known.add(Outcome::Pass, &edges(&[2, 3]));
        assert!(edges(&[2, 3]).is_subset(known.to(Outcome::Pass)));
        assert!(edges(&[1, 2, 3]).is_subset(known.to(Outcome::WrongAccept)));
        assert_eq!(known.count(), 3);
    }
}
