//! The parts of a cause that all reports show. The strings may contain control characters.

use std::collections::BTreeSet;
use std::slice;

use tracegauge_results::text::{counted, folded};
use tracegauge_results::{Cause, Confidence, ReaderResult, RuleInfo, RunHead};

use super::never;

/// A cause as shown in reports.
pub(crate) struct Told<'r> {
    /// The impact and the headline.
    pub(crate) title: String,
    /// The number of cases.
    pub(crate) cases: String,
    /// The rules and departures that are blamed: the rule or the feature of the cause if it is at
    /// least likely, and otherwise the candidates that the results do not rule out.
    pub(crate) reasons: Vec<Blamed<'r>>,
    /// The operators that produce the violations accepted by the reader, if it rejects the
    /// violations produced by other operators.
    pub(crate) operators: Option<String>,
    /// A known mistake that has the same effect, in words.
    pub(crate) like: Option<String>,
    /// The plainest case, which has the fewest departures.
    pub(crate) simplest: String,
    /// The departures of the plainest case.
    pub(crate) departures: Option<String>,
    /// Words that precede the reasons and express how certain they are, or that the only reason is
    /// advice.
    pub(crate) confidence: &'static str,
}

/// A rule or departure that is blamed for failures.
pub(crate) struct Blamed<'r> {
    /// The rule or departure.
    pub(crate) name: &'r str,
    /// The rule. `None` for a departure.
    pub(crate) rule: Option<&'r RuleInfo>,
}

impl<'r> Told<'r> {
    /// Describes the causes of `reader`'s failures, in order.
    pub(crate) fn all(run: &'r RunHead, reader: &'r ReaderResult) -> Vec<Self> {
        let causes = &reader.causes;
        let all: BTreeSet<&str> = causes.iter().flat_map(Cause::formats).collect();
        causes
            .iter()
            .map(|cause| Self::of(run, cause, &all))
            .collect()
    }

    /// `all` contains the formats of all causes. A cause that affects only some of them names these.
    fn of(run: &'r RunHead, cause: &'r Cause, all: &BTreeSet<&str>) -> Self {
        let formats = cause.formats();
        let format = match formats == *all {
            true => String::new(),
            false => {
                let names: Vec<&str> = formats.into_iter().collect();
                format!("{} ", names.join(", "))
            }
        };
        let names = match (&cause.confidence, &cause.rule) {
            (Confidence::OneOf(names), _) => names.as_slice(),
            (_, Some(rule)) => slice::from_ref(rule),
            (_, None) => &cause.feature,
        };
        let reasons = names.iter().map(|name| Blamed {
            name,
            rule: RuleInfo::find(&run.rules, name, &cause.format),
        });
        let advice = never::advice(&cause.symptom);
        let advised = advice.map(|name| Blamed { name, rule: None });
        let count = cause.cases.len();
        let alone = match cause.alone {
            alone if alone == count => String::new(),
            0 => ", all with further causes".to_owned(),
            alone => format!(", {} with further causes", count - alone),
        };
        let departures = cause.departures.join(", ");
        Self {
            title: format!("{format}{}: {}", cause.impact, folded(&cause.headline)),
            cases: format!("{}{alone}", counted(count, "case")),
            reasons: reasons.chain(advised).collect(),
            operators: (!cause.operators.is_empty()).then(|| cause.operators.join(", ")),
            like: cause.like.clone(),
            simplest: cause.simplest.clone(),
            departures: (!departures.is_empty()).then_some(departures),
            confidence: match advice {
                Some(_) => "advice:",
                None => cause.confidence.words(),
            },
        }
    }
}
