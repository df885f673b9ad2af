//! Selects the departures (unusual choices) that a generated trace may have.

use std::collections::BTreeSet;

use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{OpId, Plan};

use super::{Answer, Answers, Departure};
use crate::tape::{Choices, Random};

/// A constant that makes the random selection of departures independent of the random contents that
/// are generated from the same seed.
const SWARM: u64 = 0x7377_6172_6d00_0001;

/// The departures that a trace may have. Every other choice is the one that typical writers make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Rules that the trace may exercise, as indexes into the plan.
    pub rules: BTreeSet<RuleId>,
    /// Fields that may have any value.
    pub fields: BTreeSet<OpId>,
}

impl Allowed {
    /// Allows the given departures.
    pub fn only(departures: impl IntoIterator<Item = Departure>) -> Self {
        let mut allowed = Self::default();
        for departure in departures {
            match departure {
                Departure::Rule(rule) => drop(allowed.rules.insert(rule)),
                Departure::Field(op, _) => drop(allowed.fields.insert(op)),
            }
        }
        allowed
    }

    /// Allows every departure that is possible according to the plain answers for a plan.
    pub fn everything(plan: &Plan, answers: &Answers) -> Self {
        let rules = plan.rules.entries();
        let rules = rules.filter(|(_, rule)| rule.duty == ReaderDuty::Accept && !rule.plain);
        let fields = (0..plan.ops.len()).map(OpId::from);
        let fields =
            fields.filter(|op| answers.field(*op) == *op && *answers.of(*op) != Answer::Any);
        Self {
            rules: rules.map(|(id, _)| id).collect(),
            fields: fields.collect(),
        }
    }

    /// Allows a random choice of `count` departures. The choice depends on `seed` alone.
    pub fn swarm(plan: &Plan, answers: &Answers, seed: u64, count: usize) -> Self {
        let all = Self::everything(plan, answers);
        let rules = all.rules.into_iter().map(Departure::Rule);
        let fields = all.fields.into_iter();
        let fields = fields.map(|op| Departure::Field(op, super::Unusual::Other));
        let all: Vec<Departure> = rules.chain(fields).collect();
        let Some(last) = (all.len() as u64).checked_sub(1) else {
            return Self::default();
        };
        let mut random = Random::new(seed ^ SWARM);
        let chosen = (0..count).filter_map(|_| {
            let at = random.choose(last, None);
            all.get(usize::try_from(at).unwrap_or_default()).copied()
        });
        Self::only(chosen)
    }

    /// Returns whether no departure is allowed.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.fields.is_empty()
    }
}
