//! From which of the traces that were kept further inputs grow: from each in turn, and from those
//! more often whose offspring reached something new.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

/// So many turns more than the others a new trace gets at first.
const HEADSTART: u64 = 3;

/// What grows from the traces that were kept, in the order of their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Growth {
    roots: Vec<Root>,
}

/// What grows from one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Root {
    /// Turns that were handed out.
    issued: u64,
    /// The same, less where it paid.
    spent: u64,
    /// Whether anything grows from it.
    grows: bool,
}

impl Growth {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.roots.len()
    }

    /// One more trace was kept; nothing grows from it unless it `grows`.
    pub(super) fn admit(&mut self, grows: bool) {
        let others = self.roots.iter().filter(|root| root.grows);
        let least = others.map(|root| root.spent).min().unwrap_or_default();
        self.roots.push(Root {
            issued: 0,
            spent: least.saturating_sub(HEADSTART),
            grows,
        });
    }

    /// What grew from the trace of this number was kept, too.
    pub(super) fn reward(&mut self, number: u32) {
        let place = (number as usize).checked_sub(1);
        if let Some(root) = place.and_then(|place| self.roots.get_mut(place)) {
            root.spent /= 2;
        }
    }

    /// The number of the trace that is next, and how many turns it had; nothing where none grows.
    pub(super) fn next(&mut self) -> Option<(u32, u64)> {
        let roots = self.roots.iter_mut().enumerate();
        let growing = roots.filter(|(_, root)| root.grows);
        let (place, root) = growing.min_by_key(|(place, root)| (root.spent, Reverse(*place)))?;
        let turns = root.issued;
        root.issued += 1;
        root.spent += 1;
        Some((u32::try_from(place + 1).ok()?, turns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(growth: &mut Growth, count: usize) -> Vec<u32> {
        (0..count)
            .filter_map(|_| growth.next())
            .map(|(number, _)| number)
            .collect()
    }

    #[test]
    fn each_has_its_turn_and_what_breaks_has_none() {
        let mut growth = Growth::default();
        assert_eq!(growth.next(), None);
        for grows in [true, false, true] {
            growth.admit(grows);
        }
        assert_eq!(numbers(&mut growth, 4), [3, 1, 3, 1]);
        assert_eq!(growth.next(), Some((3, 2)));
    }

    #[test]
    fn a_new_one_comes_first_for_a_while_and_what_pays_comes_again() {
        let mut growth = Growth::default();
        growth.admit(true);
        numbers(&mut growth, 10);
        growth.admit(true);
        assert_eq!(numbers(&mut growth, 6), [2, 2, 2, 2, 1, 2]);
        growth.reward(1);
        assert_eq!(numbers(&mut growth, 3), [1, 1, 1]);
        growth.reward(9);
    }
}
