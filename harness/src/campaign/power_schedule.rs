//! The power schedule, which selects the saved traces from which to derive further inputs. Each
//! trace gets turns, which are batches of inputs derived from it, and traces whose derived inputs
//! reached new edges get additional turns.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

/// The initial number of additional turns for a new trace.
const HEADSTART: u64 = 3;

/// The state of the power schedule for each saved trace, in order of their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct PowerSchedule {
    roots: Vec<Root>,
}

/// The state of a saved trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Root {
    /// The number of turns that the trace has been given.
    issued: u64,
    /// The priority of the trace: the trace with the smallest value gets the next turn. The value
    /// grows by one with each turn and is halved whenever an input derived from the trace is saved.
    spent: u64,
    /// Whether inputs are derived from the saved trace.
    grows: bool,
}

impl PowerSchedule {
    /// Returns whether there are no traces.
    pub(super) fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Returns the number of traces.
    pub(super) fn len(&self) -> usize {
        self.roots.len()
    }

    /// Adds a saved trace. Inputs are derived from the trace only if `grows` is true.
    pub(super) fn admit(&mut self, grows: bool) {
        let others = self.roots.iter().filter(|root| root.grows);
        let least = others.map(|root| root.spent).min().unwrap_or_default();
        self.roots.push(Root {
            issued: 0,
            spent: least.saturating_sub(HEADSTART),
            grows,
        });
    }

    /// Rewards the trace with this number because an input derived from it was saved.
    pub(super) fn reward(&mut self, number: u32) {
        let place = (number as usize).checked_sub(1);
        if let Some(root) = place.and_then(|place| self.roots.get_mut(place)) {
            root.spent /= 2;
        }
    }

    /// Returns the number of the next trace and the number of turns that this trace has been given
    /// before, or `None` if no inputs can be derived from any trace.
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

    fn numbers(power_schedule: &mut PowerSchedule, count: usize) -> Vec<u32> {
        (0..count)
            .filter_map(|_| power_schedule.next())
            .map(|(number, _)| number)
            .collect()
    }

    #[test]
    fn each_has_its_turn_and_what_breaks_has_none() {
        let mut power_schedule = PowerSchedule::default();
        assert_eq!(power_schedule.next(), None);
        for grows in [true, false, true] {
            power_schedule.admit(grows);
        }
        assert_eq!(numbers(&mut power_schedule, 4), [3, 1, 3, 1]);
        assert_eq!(power_schedule.next(), Some((3, 2)));
    }

    #[test]
    fn a_new_one_comes_first_for_a_while_and_what_pays_comes_again() {
        let mut power_schedule = PowerSchedule::default();
        power_schedule.admit(true);
        numbers(&mut power_schedule, 10);
        power_schedule.admit(true);
        assert_eq!(numbers(&mut power_schedule, 6), [2, 2, 2, 2, 1, 2]);
        power_schedule.reward(1);
        assert_eq!(numbers(&mut power_schedule, 3), [1, 1, 1]);
        power_schedule.reward(9);
    }
}
