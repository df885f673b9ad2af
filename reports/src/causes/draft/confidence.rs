//! How certain a cause is.

use tracegauge_results::{CaseResult, Confidence, Symptom};

use super::{Draft, common};
use crate::causes::choice::{Choice, Reason};
use crate::causes::evidence::Evidence;

/// The maximum number of candidates listed for a cause.
const CANDIDATES: usize = 5;

impl<'r> Draft<'r> {
    pub(super) fn confidence(&self, evidence: &Evidence<'r>) -> Confidence {
        let Choice {
            feature,
            reason,
            is_about_member,
            candidates,
        } = &self.choice;
        let has_feature = |case: &&CaseResult| feature.is_empty() || self.is_in(evidence, case);
        let common = common(evidence, candidates, self.valid_cases().filter(has_feature));
        let is_only = common.len() <= 1;
        match reason {
            Reason::Forced
                if self.valid_cases().all(|case| has_feature(&case))
                    && !self.has_other_reason(evidence) =>
            {
                Confidence::Proven
            }
            Reason::Everywhere if *is_about_member && candidates.len() == 1 => Confidence::Likely,
            Reason::Everywhere if *is_about_member => one_of(&[], candidates),
            Reason::Everywhere => one_of(&[], &common),
            Reason::Forced | Reason::OnlyDeparture | Reason::SetApart => Confidence::Likely,
            Reason::Member if is_only => Confidence::Likely,
            Reason::Coverage if is_only && !self.others.is_empty() => Confidence::Likely,
            Reason::Member | Reason::Coverage => one_of(feature, &common),
            Reason::Words | Reason::Elsewhere => one_of(&[], candidates),
            Reason::Pair if candidates.len() == 2 => Confidence::Likely,
            Reason::Pair => one_of(feature, candidates),
            Reason::Violated => self.violation(evidence, feature, &common),
            Reason::Nothing => one_of(&[], candidates),
        }
    }

    /// Returns true if the reader makes the same mistake in traces without the feature. The mistake
    /// then has another reason, which may be the reason in the traces with the feature, too. A reader
    /// can reject traces for many reasons, so rejections without the feature mean nothing.
    fn has_other_reason(&self, evidence: &Evidence<'r>) -> bool {
        self.symptom != Symptom::Rejects
            && evidence.is_shown_without(&self.symptom, &self.choice.feature)
    }

    /// Returns how certain it is that a malformed case fails because of the rule that it violates.
    fn violation(&self, evidence: &Evidence<'r>, feature: &[&str], common: &[&str]) -> Confidence {
        let is_accepted = matches!(self.symptom, Symptom::Accepts { .. });
        let has_one_rule = self.cases().any(|case| case.rules.len() == 1);
        // A reader that misreads the valid twin may accept the violation for the same reason.
        let is_misread = |case: &CaseResult| {
            let twin = evidence.twin(case);
            twin.is_some_and(|twin| twin.outcome.is_failure())
        };
        match common.len() {
            _ if feature.is_empty() => one_of(&[], &[]),
            _ if self.cases().all(is_misread) => Confidence::Likely,
            _ if is_accepted && has_one_rule => Confidence::Proven,
            0 | 1 => Confidence::Likely,
            _ => one_of(feature, common),
        }
    }

    /// Limits the confidence if the feature is not a rule, but describes other contents of the
    /// trace. If there is a single rule about these contents, the confidence is at most
    /// [`Confidence::Likely`]; if there are several, the results cannot decide between them.
    pub(super) fn about_rules(
        &self,
        evidence: &Evidence<'r>,
        confidence: Confidence,
    ) -> Confidence {
        let feature = self.choice.feature.first();
        let Some(name) = feature.filter(|name| !evidence.is_rule(name)) else {
            return confidence;
        };
        let rules = self.rules_about(evidence, name);
        match (&confidence, rules.as_slice()) {
            (Confidence::OneOf(_), _) | (_, []) => confidence,
            (_, [_]) => Confidence::Likely,
            (_, several) => one_of(&[], several),
        }
    }
}

/// Lists the chosen names and then the other candidates, up to a limit.
fn one_of(chosen: &[&str], candidates: &[&str]) -> Confidence {
    let others = candidates.iter().filter(|name| !chosen.contains(name));
    let names = chosen.iter().chain(others).take(CANDIDATES);
    Confidence::OneOf(names.map(|name| (*name).to_owned()).collect())
}
