//! The probable causes of a reader's failures, in the form that the script reads.

use serde::Serialize;
use tracegauge_results::CaseResult;

use super::data::Text;
use super::texts::Texts;
use crate::causes::{self, Blamed, Told};
use crate::columns::Column;

/// The maximum number of listed causes.
const NAMED: usize = 30;

/// The causes of one reader's failures, starting with those that affect the plainest traces.
#[derive(Serialize, Default)]
pub(super) struct Causes {
    list: Vec<Cause>,
    /// The number of causes that are not listed.
    more: usize,
    /// The results of the valid cases by the number of their departures.
    levels: String,
}

#[derive(Serialize)]
struct Cause {
    title: Text,
    /// The number of cases, as text.
    cases: Text,
    /// The index of the simplest case.
    simplest: usize,
    confidence: Text,
    /// The blamed rules and departures, with the text of the rules.
    reasons: Vec<Vec<Text>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operators: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    like: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    departures: Option<Text>,
}

impl Causes {
    /// Describes the causes of a reader's failures. `place` returns the index of a case.
    pub(super) fn of(
        column: &Column<'_>,
        place: impl Fn(&CaseResult) -> Option<usize>,
        texts: &mut Texts,
    ) -> Self {
        let reader = column.reader;
        if reader.causes.is_empty() {
            return Self::default();
        }
        let told = Told::all(&column.result.run, reader);
        let list = told.iter().take(NAMED).filter_map(|cause| {
            let mut cases = reader.cases.iter();
            let simplest = cases.find(|case| case.case == cause.simplest);
            Some(Cause {
                title: texts.add(&cause.title),
                cases: texts.add(&cause.cases),
                simplest: place(simplest?)?,
                confidence: texts.add(cause.confidence),
                reasons: cause.reasons.iter().map(|it| blamed(it, texts)).collect(),
                operators: texts.maybe(cause.operators.as_deref()),
                like: texts.maybe(cause.like.as_deref()),
                departures: texts.maybe(cause.departures.as_deref()),
            })
        });
        Self {
            list: list.collect(),
            more: told.len().saturating_sub(NAMED),
            levels: causes::levels(reader).to_string(),
        }
    }
}

fn blamed(reason: &Blamed<'_>, texts: &mut Texts) -> Vec<Text> {
    let says = reason.rule.map(|rule| rule.says.as_str());
    let parts = [reason.name].into_iter().chain(says);
    parts.map(|part| texts.add(part)).collect()
}
