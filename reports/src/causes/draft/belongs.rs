//! Whether a failing case belongs to a cause.

use tracegauge_results::{CaseResult, Symptom};

use super::Draft;
use crate::causes::choice::Reason;
use crate::causes::evidence::{Evidence, is_malformed};
use crate::causes::sighting::Sighting;
use crate::causes::symptom::reason;

impl<'r> Draft<'r> {
    pub(super) fn explains(
        &self,
        evidence: &Evidence<'r>,
        case: &'r CaseResult,
        sighting: &Sighting<'r>,
    ) -> bool {
        let symptom = &sighting.symptom;
        if let (Symptom::Accepts { rule: Some(rule) }, Symptom::Accepts { .. }) =
            (&self.symptom, symptom)
        {
            return case.rules.contains(rule);
        }
        if self.symptom != *symptom {
            return false;
        }
        if symptom.is_telling() {
            return self.has_same_reason(evidence, case);
        }
        // If the reader already fails on the trace that an operator changed, the change is not the
        // reason.
        if let Some(original) = evidence.original(case) {
            let view = evidence.view(original);
            let mut same = view.sightings.iter().filter(|it| it.symptom == *symptom);
            let is_own = self.cases().any(|own| own.case == original.case);
            if same.any(|it| is_own || self.explains(evidence, original, it)) {
                return true;
            }
        }
        match (self.is_about_valid_traces(), is_malformed(case)) {
            (true, true) => {
                let twin = evidence.twin(case);
                let has_twin = twin.is_some_and(|twin| self.cases().any(|it| it.case == twin.case));
                symptom.is_records() || has_twin || self.is_in(evidence, case)
            }
            (true, false) if symptom.is_everywhere() => true,
            // The member is wrong although the trace contains nothing that could be the reason.
            (true, false) if self.choice.feature.is_empty() && symptom.is_records() => {
                self.about.first() == sighting.about.first()
            }
            (true, false) if self.choice.reason == Reason::Everywhere => true,
            (true, false) if self.choice.reason == Reason::Words => {
                reason(self.simplest) == reason(case)
            }
            (true, false) if self.choice.is_about_member => {
                self.is_about_same(evidence, case, sighting)
            }
            (true, false) => self.is_in(evidence, case),
            (false, _) => match self.choice.feature.as_slice() {
                [] => case.rules.is_empty(),
                feature => {
                    let mut feature = feature.iter();
                    feature.all(|name| case.rules.iter().any(|rule| rule == name))
                }
            },
        }
    }

    /// Returns false if a malformed case fails at the same place as the valid traces of this cause,
    /// but for a different reason: its valid twin is read correctly, and its trace does not contain
    /// the feature of this cause. For example, a lookup may fail in one
    /// case because the reader does not support definitions that follow their uses, and in another
    /// case because the reader does not check for missing definitions.
    fn has_same_reason(&self, evidence: &Evidence<'r>, case: &'r CaseResult) -> bool {
        if !self.is_about_valid_traces() || !is_malformed(case) || self.choice.feature.is_empty() {
            return true;
        }
        let twin = evidence.twin(case);
        self.is_in(evidence, case) || twin.is_none_or(|twin| twin.outcome.is_failure())
    }

    /// Returns true if the rule for the wrong member of this cause also applies to the wrong member
    /// in `case`. The same path may lead to values of many types, each with its own rules.
    fn is_about_same(
        &self,
        evidence: &Evidence<'r>,
        case: &CaseResult,
        sighting: &Sighting<'_>,
    ) -> bool {
        if sighting.symptom.is_records() && !sighting.about.is_empty() {
            let mut feature = self.choice.feature.iter();
            return feature.all(|name| sighting.about.iter().any(|rule| rule == name));
        }
        self.is_in(evidence, case)
    }

    /// Returns true if a case without any candidate for a feature belongs to this cause, because
    /// all known properties of the case and the cause are the same: the symptom, and the rule for
    /// the wrong member or the reason that the reader gives for the rejection. The case may contain
    /// the feature, because a handwritten case does not list all contents of its trace.
    pub(super) fn is_undistinguished_from(
        &self,
        case: &CaseResult,
        sighting: &Sighting<'_>,
    ) -> bool {
        let symptom = &sighting.symptom;
        let is_plain = |case: &CaseResult| case.departures.is_empty();
        let has_feature = !self.choice.feature.is_empty();
        self.symptom == *symptom
            && self.is_about_valid_traces()
            && !is_malformed(case)
            && match symptom {
                Symptom::Rejects => {
                    let words = reason(case);
                    reason(self.simplest) == words
                        && is_plain(self.simplest) == is_plain(case)
                        && !(has_feature && words.is_empty())
                }
                Symptom::Records { .. } => self.about.first() == sighting.about.first(),
                _ => !has_feature,
            }
    }
}
