//! The edges that are already known.

use fixedbitset::FixedBitSet;
use tracegauge_results::Outcome;

/// The edges reached by any trace, and those reached by a trace with a sound outcome (see
/// [`is_sound`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::campaign) struct Known {
    /// All reached edges.
    pub(super) all: FixedBitSet,
    /// The edges reached by traces with sound outcomes.
    sound: FixedBitSet,
}

/// Returns true if `outcome` is sound, which means that the contents of the trace explain the
/// reader's behavior.
///
/// The contents of the trace do not explain the behavior of a reader that crashed, hung, or
/// continued reading past the point where it should have rejected the trace. A trace whose outcome
/// is not sound is also saved if it reaches new edges, but no inputs are derived from that trace.
/// If a trace with a sound outcome later reaches the same edges, it is saved too.
pub(in crate::campaign) fn is_sound(outcome: Outcome) -> bool {
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
    /// Returns the edges that are already known for a trace whose outcome is `outcome`.
    pub(in crate::campaign) fn to(&self, outcome: Outcome) -> &FixedBitSet {
        if is_sound(outcome) {
            &self.sound
        } else {
            &self.all
        }
    }

    /// Adds the edges reached by a trace whose outcome is `outcome`.
    pub(in crate::campaign) fn add(&mut self, outcome: Outcome, edges: &FixedBitSet) {
        self.all.union_with(edges);
        if is_sound(outcome) {
            self.sound.union_with(edges);
        }
    }

    /// Returns the number of known edges.
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
