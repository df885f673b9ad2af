//! Finds the rule that a stored value serves. A bug in the computation of a value that only one rule
//! compares is a bug in how a reader enforces this rule.

use std::collections::{HashMap, HashSet};

use super::live::Live;
use super::roots::{Stored, roots};
use crate::Plan;
use crate::terms::RuleId;

/// The rules that stored values serve.
#[derive(Clone, Debug, Default)]
pub(super) struct Serves {
    /// The uses of each value.
    uses: HashMap<Stored, HashSet<Use>>,
}

/// How an expression uses the values that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Use {
    /// To enforce a rule.
    Rule(RuleId),
    /// To compute another stored value.
    Stored(Stored),
    Other,
}

impl Serves {
    /// Finds the uses of all values.
    pub(super) fn of(plan: &Plan, live: &Live) -> Self {
        let mut uses: HashMap<Stored, HashSet<Use>> = HashMap::new();
        for value in Live::of_choices(plan).stored() {
            uses.entry(value).or_default().insert(Use::Other);
        }
        for root in roots(plan, live) {
            let of = match (root.rule, root.stored) {
                (Some(rule), _) => Use::Rule(rule),
                (None, Some(stored)) => Use::Stored(stored),
                (None, None) => Use::Other,
            };
            for value in Live::of_code(plan, root.code).stored() {
                uses.entry(value).or_default().insert(of);
            }
        }
        Self { uses }
    }

    /// Returns the rule that `value` serves, directly or through other values, if it is the only use.
    pub(super) fn rule(&self, value: Stored) -> Option<RuleId> {
        let mut rules = HashSet::new();
        let mut seen = HashSet::from([value]);
        let mut next = vec![value];
        while let Some(value) = next.pop() {
            for known in self.uses.get(&value).into_iter().flatten() {
                match known {
                    Use::Rule(rule) => {
                        rules.insert(*rule);
                    }
                    Use::Stored(other) => next.extend(seen.insert(*other).then_some(*other)),
                    Use::Other => return None,
                }
            }
        }
        let mut rules = rules.into_iter();
        rules.next().filter(|_| rules.next().is_none())
    }
}
