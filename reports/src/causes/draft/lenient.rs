//! Joins the acceptance of all kinds of malformed traces.

use std::collections::BTreeSet;

use tracegauge_results::{CaseResult, Outcome, Symptom};

use super::{Draft, Drafts};
use crate::causes::choice::Reason;
use crate::causes::evidence::is_malformed;

/// The number of rules from which a single mistake is assumed.
const MANY: usize = 5;

/// At most one in this many malformed traces may be rejected.
const NEARLY_ALL: usize = 10;

impl Drafts<'_, '_> {
    /// If the reader accepts nearly all malformed traces, whatever is wrong with them, joins the causes.
    /// It is more likely that the reader ignores its own errors than that it lacks all checks.
    pub(super) fn join_lenient(&mut self) {
        let all = self.evidence.cases().filter(|case| is_malformed(case));
        let (accepted, others): (Vec<&CaseResult>, Vec<&CaseResult>) =
            all.partition(|case| case.outcome == Outcome::WrongAccept);
        let rules: BTreeSet<_> = accepted.iter().map(|case| case.rules.first()).collect();
        let count = accepted.len() + others.len();
        if rules.len() < MANY || NEARLY_ALL * others.len() > count {
            return;
        }
        let accepts = |draft: &Draft<'_>| matches!(draft.symptom, Symptom::Accepts { .. });
        let (mut mine, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.list)
            .into_iter()
            .partition(accepts);
        self.list = others;
        if mine.len() < 2 {
            self.list.append(&mut mine);
            return;
        }
        let mut first = mine.remove(0);
        mine.into_iter().for_each(|draft| first.absorb(draft));
        first.symptom = Symptom::Accepts { rule: None };
        first.also.clear();
        first.choice.feature.clear();
        first.choice.candidates.clear();
        first.choice.reason = Reason::Nothing;
        first.told = Some(
            "it accepts nearly all malformed traces, as a reader does that ignores its own errors"
                .to_owned(),
        );
        self.list.push(first);
    }
}
