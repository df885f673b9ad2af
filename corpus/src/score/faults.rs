//! Each rule broken in each way that its constraint suggests. No file says how it was made: this
//! is known of the cases that are made from the description, as they are made.

use std::collections::HashMap;

use tracegauge_generator::fault::{Outcome, Site, described};
use tracegauge_spec::plan::Plan;

use super::exclude::{Exclusion, Exclusions};
use super::{Class, ClassScore, Miss, Score};

/// A way to break what a description says in one place, and whether that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The format with its dialect.
    pub format: String,
    /// `RULE/operator/path`, the identity of a case in the corpus of its format; without the rule
    /// where that depends on the trace.
    pub name: String,
    /// File and line of the description.
    pub described: String,
    /// What came of it.
    pub came: Came,
}

/// What came of a way to break a rule; the greatest of what came of all uses of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Came {
    /// No trace has what it takes, for all that is known.
    Nothing,
    /// Wherever it was tried it cannot be done, or breaks no rule that a reader would find: why.
    Impossible(&'static str),
    /// Operator and decoder do not agree about it.
    Refused,
    /// There is a case that breaks it so.
    Made,
}

impl Came {
    fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Case | Outcome::Same | Outcome::Alike => Self::Made,
            Outcome::Refused => Self::Refused,
            Outcome::Barren { places: 0, .. } => Self::Nothing,
            Outcome::Barren { why, .. } => why.because().map_or(Self::Nothing, Self::Impossible),
        }
    }
}

/// The ways to break rules: those of a type once, of all of its uses.
pub fn ways(plan: &Plan, outcomes: &[(Site, Outcome)]) -> Vec<Way> {
    let mut known = HashMap::new();
    let mut found: Vec<Way> = Vec::new();
    for (site, outcome) in outcomes {
        let came = Came::of(outcome);
        let index = *known.entry(described(plan, site)).or_insert(found.len());
        match found.get_mut(index) {
            Some(way) => way.came = way.came.max(came),
            None => {
                let sources = &plan.schema.sources;
                let span = plan.info(site.op).span;
                let file = sources.file(span.source).map_or("", |file| &file.name);
                found.push(Way {
                    format: plan.format.clone(),
                    name: site.name(plan),
                    described: format!("{file}:{}", sources.line_column(span).line),
                    came,
                });
            }
        }
    }
    found
}

impl Score {
    /// Counts the ways to break the rules of the format, those of `ways` that are of it.
    pub fn add_faults(&mut self, ways: &[Way], exclusions: &Exclusions) {
        let own = ways.iter().filter(|way| way.format == self.format);
        let (mut hit, mut misses) = (0, Vec::new());
        for way in own {
            let impossible = match way.came {
                Came::Made => {
                    hit += 1;
                    continue;
                }
                Came::Impossible(because) => Some(because),
                Came::Nothing | Came::Refused => None,
            };
            match exclusions.reason(&way.name).or(impossible) {
                Some(because) => {
                    self.impossible.push(way.name.clone());
                    self.excluded.push(Exclusion {
                        obligation: way.name.clone(),
                        because: because.to_owned(),
                    });
                }
                None => misses.push(Miss {
                    obligation: way.name.clone(),
                    described: way.described.clone(),
                }),
            }
        }
        let class = Class::Faults;
        self.classes.retain(|score| score.class != class);
        self.classes.push(ClassScore {
            class,
            hit,
            feasible: hit + misses.len(),
            misses,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(name: &str, came: Came) -> Way {
        Way {
            format: "a".to_owned(),
            name: name.to_owned(),
            described: "a.yaml:1".to_owned(),
            came,
        }
    }

    fn scored(ways: &[Way], exclusions: &Exclusions) -> Score {
        let mut score = Score {
            format: "a".to_owned(),
            files: 0,
            classes: Vec::new(),
            excluded: Vec::new(),
            impossible: Vec::new(),
        };
        score.add_faults(ways, exclusions);
        score
    }

    #[test]
    fn what_nobody_gives_a_reason_for_is_missed() {
        let ways = [
            way("R/zero/x", Came::Made),
            way(
                "R/one-less/x",
                Came::Impossible("the field can say no such thing"),
            ),
            way("R/one-more/x", Came::Nothing),
            way("R/greatest/x", Came::Refused),
            Way {
                format: "b".to_owned(),
                ..way("R/least/x", Came::Nothing)
            },
        ];
        let score = scored(&ways, &Exclusions::default());
        let [faults] = score.classes.as_slice() else {
            panic!("{:?}", score.classes);
        };
        assert_eq!((faults.hit, faults.feasible), (1, 3));
        let missed: Vec<&str> = faults.misses.iter().map(|miss| &*miss.obligation).collect();
        assert_eq!(missed, ["R/one-more/x", "R/greatest/x"]);
        assert_eq!(score.impossible, ["R/one-less/x"]);
    }

    #[test]
    fn a_reason_by_hand_leaves_out_what_no_trace_allows() {
        let exclusions = Exclusions::from(vec![Exclusion {
            obligation: "R/*/x".to_owned(),
            because: "why".to_owned(),
        }]);
        let ways = [
            way("R/zero/x", Came::Made),
            way("R/one-more/x", Came::Nothing),
        ];
        let score = scored(&ways, &exclusions);
        assert_eq!((score.classes[0].hit, score.classes[0].feasible), (1, 1));
        assert_eq!(score.excluded[0].because, "why");
    }
}
