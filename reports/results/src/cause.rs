//! A probable bug of a reader.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::symptom::Symptom;

/// A probable bug of a reader, with the failing cases that it explains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// The format of the plainest case. Causes of several formats that are due to the same bug are
    /// joined.
    pub format: String,
    /// The kind of traces that the reader fails on.
    pub impact: Impact,
    /// The symptom that the failures have in common.
    pub symptom: Symptom,
    /// Further symptoms of the same cause, such as other wrong members that the same rule applies
    /// to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Symptom>,
    /// The cause in a few words, for example `rejects valid traces with BLOCK-HEADER-EXTRA`.
    pub headline: String,
    /// The rule that the reader probably violates. `None` if no rule describes the cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The confidence that the bug concerns this rule or, if there is no rule, this feature.
    pub confidence: Confidence,
    /// The departures that a trace must contain, and the rules that it must exercise, to trigger
    /// the bug. The list is empty if nothing distinguishes the failing traces from passing traces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feature: Vec<String>,
    /// The operators (ways of breaking the rule) that produce the violations accepted by the
    /// reader. The list is empty unless the reader rejects the violations produced by other
    /// operators.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operators: Vec<String>,
    /// A description of a known mistake that makes a reader fail most of the cases in exactly the
    /// same way or, if there is no such mistake or other results contradict it, what else all failures
    /// have in common: a hint about a wrong value, or the reader's reason for rejecting the traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
    /// The plainest case: the case whose trace has the fewest departures.
    pub simplest: String,
    /// The departures of the plainest case: how its trace differs from what typical writers write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub departures: Vec<String>,
    /// All cases that the cause explains, starting with those that have the fewest departures.
    pub cases: Vec<String>,
    /// The number of cases that belong to no other cause and do not contain the feature of another
    /// cause. These cases should pass once the bug is fixed.
    pub alone: usize,
}

impl Cause {
    /// Returns the formats of the cases.
    pub fn formats(&self) -> BTreeSet<&str> {
        let cases = self.cases.iter();
        cases.filter_map(|case| case.split('/').next()).collect()
    }

    /// Returns the headline for the rejection of valid traces if nothing distinguishes these traces.
    /// `also` contains the further symptoms.
    pub fn rejection(impact: Impact, also: &[Symptom]) -> String {
        let accepted = also.iter().find_map(|symptom| match symptom {
            Symptom::Accepts { rule } => rule.as_deref(),
            _ => None,
        });
        match (accepted, impact) {
            (Some(rule), _) => format!("rejects valid traces, but accepts what {rule} forbids"),
            (None, Impact::Plain) => "rejects plain traces".to_owned(),
            (None, _) => "rejects valid traces".to_owned(),
        }
    }

    /// Adds the cases of another cause that turned out to be due to the same bug.
    pub fn absorb(&mut self, other: Self) {
        let symptoms = [other.symptom].into_iter().chain(other.also);
        for symptom in symptoms {
            if symptom != self.symptom && !self.also.contains(&symptom) {
                self.also.push(symptom);
            }
        }
        let new = other.cases.into_iter();
        let new: Vec<String> = new.filter(|case| !self.cases.contains(case)).collect();
        self.alone += other.alone.min(new.len());
        self.cases.extend(new);
    }
}

/// The traces that a reader fails on, from the most to the least important.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Impact {
    /// A valid trace without departures.
    Plain,
    /// A valid trace with departures that known writers produce.
    Written,
    /// A valid trace with other departures, or a trace that a reader may accept or reject.
    Legal,
    /// A malformed trace that gets no valid answer from the reader.
    Malformed,
    /// A malformed trace that the reader accepts.
    Accepts,
}

impl fmt::Display for Impact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Plain => "fails on plain traces",
            Self::Written => "fails on traces from known writers",
            Self::Legal => "fails on unusual traces",
            Self::Malformed => "gives no valid answer to malformed traces",
            Self::Accepts => "too lenient",
        })
    }
}

/// The confidence that a cause names the right rule or feature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// The results rule out every other explanation.
    Proven,
    /// The results allow other explanations, but they are less plausible.
    Likely,
    /// The right rule or departure is one of at most five candidates, listed from most to least
    /// plausible.
    OneOf(Vec<String>),
}

impl Confidence {
    /// Returns the words that precede the rules or departures in reports, as in `possibly RULE`.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Likely => "likely",
            Self::OneOf(names) => match names.len() {
                0 => "no rule identified",
                1 => "possibly",
                _ => "one of",
            },
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())?;
        match self {
            Self::OneOf(names) if !names.is_empty() => write!(f, " {}", names.join(", ")),
            _ => Ok(()),
        }
    }
}
