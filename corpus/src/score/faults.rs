//! Records the coverage of the ways to violate rules, which are derived from the rules'
//! constraints. A file does not show how it was made, so the coverage of faults is not measured
//! from files but recorded while cases are generated from the description.

use std::collections::HashMap;

use tracegauge_generator::fault::{NoCase, Outcome, Site, described};
use tracegauge_plan::Plan;

use super::exclude::{Exclusions, Known, LeftOut};
use super::{Class, ClassScore, Miss, Score};

/// A way to violate a rule at one place in a description, and the result of trying to do so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The id of the format and dialect.
    pub format: String,
    /// A name of the form `RULE/operator/path`, as in the identities of cases. The rule is omitted
    /// if it depends on the trace.
    pub name: String,
    /// The file and line in the description where the rule can be violated.
    pub described: String,
    /// The result of trying to violate the rule.
    pub came: Came,
}

/// The result of trying to violate a rule in a particular way. If a type is used in several places
/// with different results, the variant listed last counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Came {
    /// The description proves that no trace can violate the rule in this way. Contains the reason.
    Impossible(&'static str),
    /// No case was generated, although the description does not prove that a case is impossible.
    /// The text explains why the attempts failed.
    Nothing(&'static str),
    /// The decoder does not confirm the fault that the operator planted in the generated trace.
    Refused,
    /// A case that violates the rule was generated.
    Made,
}

impl Came {
    fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Case | Outcome::Same | Outcome::Alike => Self::Made,
            Outcome::Refused => Self::Refused,
            Outcome::Infeasibility(reason) => Self::Impossible(reason.because()),
            Outcome::Barren { places: 0, .. } => Self::Nothing(NoCase::Lacking.met()),
            Outcome::Barren { why, .. } => Self::Nothing(why.met()),
        }
    }
}

/// Returns the ways to violate rules. All uses of a type count as one way. Sites with the
/// same name are combined too, for example several tests of a value for the same rule.
pub fn ways(plan: &Plan, outcomes: &[(Site, Outcome)]) -> Vec<Way> {
    let (mut known, mut named) = (HashMap::new(), HashMap::new());
    let mut found: Vec<Way> = Vec::new();
    for (site, outcome) in outcomes {
        let came = Came::of(outcome);
        let name = site.name(plan);
        let next = found.len();
        let of_name = *named.entry(name.clone()).or_insert(next);
        let index = *known.entry(described(plan, site)).or_insert(of_name);
        match found.get_mut(index) {
            Some(way) => way.came = way.came.max(came),
            None => {
                let sources = &plan.description.sources;
                let span = plan.info(site.op).span;
                let file = sources.file(span.source).map_or("", |file| &file.name);
                found.push(Way {
                    format: plan.format.clone(),
                    name,
                    described: format!("{file}:{}", sources.line_column(span).line),
                    came,
                });
            }
        }
    }
    found
}

impl Came {
    /// Returns the reason why the attempts failed.
    fn met(self) -> Option<&'static str> {
        match self {
            Self::Nothing(met) => Some(met),
            Self::Refused => Some("the operator and the decoder disagree about the violation"),
            Self::Impossible(_) | Self::Made => None,
        }
    }
}

impl Score {
    /// Adds the coverage of the `ways` that belong to the format of the score.
    pub fn add_faults(&mut self, ways: &[Way], exclusions: &Exclusions) {
        let own = ways.iter().filter(|way| way.format == self.format);
        let (mut hit, mut misses) = (0, Vec::new());
        for way in own {
            let written = exclusions.reason(&way.name);
            let (because, known) = match (way.came, written) {
                (Came::Made, written) => {
                    hit += 1;
                    self.contradicted.extend(written.map(|_| way.name.clone()));
                    continue;
                }
                (Came::Impossible(because), _) => (because, Known::Description),
                (_, Some(because)) => (because, Known::Written),
                (came, None) => {
                    misses.push(Miss {
                        obligation: way.name.clone(),
                        described: way.described.clone(),
                        tried: came.met(),
                    });
                    continue;
                }
            };
            self.excluded.push(LeftOut {
                obligation: way.name.clone(),
                because: because.to_owned(),
                known,
            });
        }
        let class = Class::Faults;
        self.classes.retain(|score| score.class != class);
        self.classes.push(ClassScore {
            class,
            hit,
            feasible: hit + misses.len(),
            misses,
        });
        let written = self.excluded.iter();
        let written = written.filter(|one| one.known == Known::Written);
        let met = self.contradicted.iter();
        let names: Vec<&String> = written.map(|one| &one.obligation).chain(met).collect();
        let unknown = exclusions.patterns();
        let unknown = unknown.filter(|one| !names.iter().any(|name| one.matches(name)));
        self.unknown = unknown.map(ToString::to_string).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::super::exclude::{Exclusion, Named};
    use super::*;

    fn way(name: &str, came: Came) -> Way {
        Way {
            format: "a".to_owned(),
            name: name.to_owned(),
            described: "a.yaml:1".to_owned(),
            came,
        }
    }

    fn scored(ways: &[Way], written: &[&str]) -> Score {
        let mut score = Score {
            format: "a".to_owned(),
            files: 0,
            classes: Vec::new(),
            excluded: Vec::new(),
            departures: None,
            contradicted: Vec::new(),
            unknown: Vec::new(),
        };
        let written = written.iter().map(|obligation| Exclusion {
            obligation: Named::One((*obligation).to_owned()),
            because: "why".to_owned(),
        });
        score.add_faults(ways, &Exclusions::from(written.collect::<Vec<_>>()));
        score
    }

    #[test]
    fn what_has_no_proof_is_missed_with_what_was_met() {
        let ways = [
            way("R/zero/x", Came::Made),
            way("R/one-less/x", Came::Impossible("proven")),
            way("R/one-more/x", Came::Nothing("met")),
            way("R/greatest/x", Came::Refused),
            Way {
                format: "b".to_owned(),
                ..way("R/least/x", Came::Nothing("met"))
            },
        ];
        let score = scored(&ways, &[]);
        let [faults] = score.classes.as_slice() else {
            panic!("{:?}", score.classes);
        };
        assert_eq!((faults.hit, faults.feasible), (1, 3));
        let missed: Vec<&str> = faults.misses.iter().map(|miss| &*miss.obligation).collect();
        assert_eq!(missed, ["R/one-more/x", "R/greatest/x"]);
        assert_eq!(faults.misses[0].tried, Some("met"));
        let left_out = &score.excluded[0];
        assert_eq!(left_out.obligation, "R/one-less/x");
        assert_eq!(left_out.known, Known::Description);
    }

    #[test]
    fn a_reason_by_hand_leaves_out_what_no_trace_allows() {
        let ways = [
            way("R/zero/x", Came::Made),
            way("R/one-more/x", Came::Nothing("met")),
        ];
        let score = scored(&ways, &["R/one-*/x"]);
        assert_eq!((score.classes[0].hit, score.classes[0].feasible), (1, 1));
        assert_eq!(score.excluded[0].because, "why");
        assert_eq!(score.excluded[0].known, Known::Written);
        assert!(score.contradicted.is_empty() && score.unknown.is_empty());
    }

    #[test]
    fn a_reason_that_a_case_contradicts_or_nothing_needs_is_told() {
        let ways = [
            way("R/zero/x", Came::Made),
            way("R/one-more/x", Came::Impossible("proven")),
        ];
        let score = scored(&ways, &["R/zero/*", "R/one-more/x", "S/*"]);
        assert_eq!((score.classes[0].hit, score.classes[0].feasible), (1, 1));
        assert_eq!(score.contradicted, ["R/zero/x"]);
        assert_eq!(score.unknown, ["R/one-more/x", "S/*"]);
    }
}
