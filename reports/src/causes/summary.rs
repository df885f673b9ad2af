//! The parts of a cause that all reports show. The texts can contain control characters.

use super::cause::{Cause, Confidence};
use crate::model::{ReaderResult, RunHead};
use crate::rule::RuleInfo;
use crate::text::{counted, folded};

/// A cause as reports show it.
pub(crate) struct Told<'r> {
    /// The impact and the headline.
    pub(crate) title: String,
    /// The number of cases.
    pub(crate) cases: String,
    /// The rule, if it is at least likely.
    pub(crate) rule: Option<&'r RuleInfo>,
    /// The operators that distinguish the accepted violations from those that are rejected.
    pub(crate) operators: Option<String>,
    /// The plainest case.
    pub(crate) simplest: String,
    /// The departures of the plainest case.
    pub(crate) unusual: Option<String>,
    /// How certain the cause is.
    pub(crate) confidence: String,
}

impl<'r> Told<'r> {
    /// Describes the causes of `reader` in order.
    pub(crate) fn all(run: &'r RunHead, reader: &'r ReaderResult) -> Vec<Self> {
        let causes = &reader.causes;
        let several = causes.iter().any(|it| it.format != causes[0].format);
        causes
            .iter()
            .map(|cause| Self::of(run, cause, several))
            .collect()
    }

    fn of(run: &'r RunHead, cause: &'r Cause, names_format: bool) -> Self {
        let format = match names_format {
            true => format!("{} ", cause.format),
            false => String::new(),
        };
        let is_certain = !matches!(cause.confidence, Confidence::OneOf(_));
        let rule = cause.rule.as_deref().filter(|_| is_certain);
        let count = cause.cases.len();
        let alone = match cause.alone {
            alone if alone == count => String::new(),
            0 => ", all with further causes".to_owned(),
            alone => format!(", {} with further causes", count - alone),
        };
        let unusual = cause.departures.join(", ");
        Self {
            title: format!("{format}{}: {}", cause.impact, folded(&cause.headline)),
            cases: format!("{}{alone}", counted(count, "case")),
            rule: rule.and_then(|id| RuleInfo::find(&run.rules, id, &cause.format)),
            operators: (!cause.operators.is_empty()).then(|| cause.operators.join(", ")),
            simplest: cause.simplest.clone(),
            unusual: (!unusual.is_empty()).then_some(unusual),
            confidence: cause.confidence.to_string(),
        }
    }
}
