//! Finds the parts of a format that a trace is the first to contain.

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;
use tracegauge_corpus::score::{Class, Meter, Names, Obligation, feasible};
use tracegauge_decoder::judge;
use tracegauge_plan::Plan;

/// The classes of obligations, starting with those that say the most about what a reader must
/// handle. A violated rule comes before all of these classes, because it says more than a rule that
/// a trace merely exercises.
const TELLING: [Class; Class::ALL.len()] = [
    Class::Codes,
    Class::Arms,
    Class::Members,
    Class::Nesting,
    Class::Repeats,
    Class::Tables,
    Class::Carries,
    Class::Guards,
    Class::Boundaries,
    Class::Places,
    Class::Rules,
    Class::Operations,
    Class::Edges,
    Class::Sequences,
    Class::Pairs,
    Class::Faults,
];

/// The obligations met by the traces examined so far.
#[derive(Debug)]
pub(in crate::campaign) struct NewFeatures<'p> {
    plan: &'p Plan,
    names: Names<'p>,
    meter: Meter<'p>,
    feasible: HashSet<Obligation>,
    met: BTreeSet<Obligation>,
}

/// The description of an obligation (a part or property of the format that traces must exercise).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Named {
    /// The class of the obligation.
    pub(super) class: Class,
    /// The obligation, as its path in the description.
    pub(super) obligation: String,
    /// The file and line in the description.
    pub(super) described: String,
}

/// A rule that a trace violates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Broken {
    /// The id of the rule.
    pub(super) rule: String,
    /// The location of the violation, as a path in the description.
    pub(super) at: String,
}

impl<'p> NewFeatures<'p> {
    /// Creates a state in which no obligation has been met.
    pub(in crate::campaign) fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            names: Names::new(plan),
            meter: Meter::new(plan),
            feasible: feasible(plan).obligations.into_iter().collect(),
            met: BTreeSet::new(),
        }
    }

    /// Records the obligations that this trace meets.
    pub(in crate::campaign) fn know(&mut self, bytes: &[u8]) {
        self.met.append(&mut self.meter.measure(bytes));
    }

    /// Returns the obligations that this trace is the first to meet, violated rules first and the
    /// others in the order of `TELLING`, and marks them as met.
    pub(super) fn first(&mut self, bytes: &[u8]) -> Vec<Named> {
        let met = self.meter.measure(bytes);
        let new = met.difference(&self.met);
        let mut new: Vec<Obligation> = new
            .filter(|obligation| self.feasible.contains(obligation))
            .copied()
            .collect();
        let rank = |obligation: &Obligation| {
            let class = obligation.class();
            let is_broken = matches!(obligation, Obligation::Broken(_));
            let place = TELLING.iter().position(|telling| *telling == class);
            (!is_broken, place)
        };
        new.sort_by_key(|obligation| (rank(obligation), *obligation));
        self.met.extend(met);
        new.into_iter().map(|it| self.named(it)).collect()
    }

    /// Returns the rule that a trace violates and the location of the violation.
    pub(super) fn broken(&self, bytes: &[u8]) -> Option<Broken> {
        let verdict = judge(self.plan, bytes);
        let violation = verdict.violation()?;
        let rule = self.plan.rules.get(violation.rule?)?;
        Some(Broken {
            rule: rule.id.clone(),
            at: self.names.path(violation.op).to_owned(),
        })
    }

    fn named(&self, obligation: Obligation) -> Named {
        Named {
            class: obligation.class(),
            obligation: self.names.obligation(obligation),
            described: self.names.described(obligation),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tracegauge_spec::load::{Memory, load};
    use tracegauge_spec::lower::lower;

    use super::*;

    const TAGS: &str = "
meta: { id: tags, endian: le }
seq: [{ id: frames, type: frame, repeat: eos }]
types:
  frame:
    seq:
      - { id: tag, type: u1, valid: { any-of: [1, 2] } }
      - { id: body, type: { switch-on: tag, cases: { 1: u1, 2: u2 } } }
";

    #[test]
    fn what_was_had_before_is_not_new() {
        let loaded = load(&Memory::new().with("format.yaml", TAGS), "format.yaml");
        let schema = loaded.schema.expect("a description");
        let plan = lower(&Arc::new(schema), "tags").expect("a plan");
        let mut new_features = NewFeatures::new(&plan);
        new_features.know(&[1, 7]);
        let both = [1, 7, 2, 0, 7];
        let new = new_features.first(&both);
        assert_eq!(new[0].class, Class::Arms, "{new:?}");
        assert!(new[0].described.contains("format.yaml"), "{new:?}");
        assert_eq!(new_features.first(&both), []);
    }
}
