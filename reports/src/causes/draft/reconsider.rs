//! Names a more specific rule for a cause, once the features of all causes are chosen.

use std::collections::BTreeSet;

use tracegauge_results::{CaseResult, Fault, Symptom};

use super::Draft;
use crate::causes::choice::{Reason, purpose_first};
use crate::causes::evidence::Evidence;

/// The operator that makes traces refer to a definition that an earlier record has cleared.
const CLEARED: &str = "cleared-before";

/// The operator that ends a part before one of its fields.
const ENDS_BEFORE: &str = "part-ends-before";

/// The operators that make a part too small for its fields.
const TOO_SMALL: [&str; 4] = [ENDS_BEFORE, "part-ends-inside", "part-empty", "claims-none"];

impl<'r> Draft<'r> {
    /// Considers the rules that the simplest case was written for, if nothing distinguishes the
    /// cases and the rules for the member that differs do not explain them.
    pub(super) fn consider_purpose(&mut self, evidence: &Evidence<'r>) {
        if self.choice.reason != Reason::Nothing || !self.symptom.is_records() {
            return;
        }
        let cases: Vec<&CaseResult> = self.valid_cases().collect();
        let about = &self.choice.candidates;
        if self.about.iter().any(|rule| about.contains(&rule.as_str())) {
            self.choice.candidates =
                purpose_first(evidence, &self.symptom, self.simplest, &cases, about);
        }
    }

    /// Names the rule about clearing definitions if the only invalid references that the reader
    /// accepts are references to cleared definitions. Such a reader checks references, but does not
    /// clear definitions.
    pub(super) fn consider_clearing(&mut self, evidence: &Evidence<'r>) {
        let operators = self.operators(evidence);
        let is_clearing = !operators.is_empty() && operators.iter().all(|it| it == CLEARED);
        let Symptom::Accepts { rule: Some(rule) } = &mut self.symptom else {
            return;
        };
        if let Some(through) = evidence.rule_through(rule).filter(|_| is_clearing) {
            through.clone_into(rule);
            self.choice.feature = vec![through];
            self.choice.candidates.insert(0, through);
        }
    }

    /// Names a rule of the missing field if all accepted violations are parts that end before this
    /// field, and the violated rule is not only about parts that are too small. Such a reader checks
    /// the sizes of parts, but does not require the field.
    pub(super) fn consider_field(&mut self, evidence: &Evidence<'r>) {
        let operators = self.operators(evidence);
        let [rule] = self.choice.feature.as_slice() else {
            return;
        };
        let mut rejected = evidence.rejected_operators(rule).iter();
        let is_missing = !operators.is_empty()
            && operators.iter().all(|it| it == ENDS_BEFORE)
            && rejected.any(|it| !TOO_SMALL.contains(it));
        let faults = self
            .cases()
            .map(|case| case.detail.as_deref()?.fault.as_ref());
        let faults: Option<Vec<&Fault>> = faults.collect();
        let Some([first, others @ ..]) = faults.as_deref().filter(|_| is_missing) else {
            return;
        };
        let is_same = |fault: &&Fault| fault.about == first.about;
        if let Some(rule) = first.about.first().filter(|_| others.iter().all(is_same)) {
            self.choice.candidates.insert(0, rule);
            self.choice.feature = vec![rule];
            self.choice.reason = Reason::Nothing;
        }
    }

    /// Returns the operators that produce those violations of the rule that the reader accepts,
    /// provided that the reader rejects the violations produced by other operators.
    pub(super) fn operators(&self, evidence: &Evidence<'r>) -> Vec<String> {
        let Symptom::Accepts { rule: Some(rule) } = &self.symptom else {
            return Vec::new();
        };
        let accepted = self.cases().filter_map(|case| case.operator.as_deref());
        let accepted: BTreeSet<&str> = accepted.collect();
        let mut rejected = evidence.rejected_operators(rule).iter();
        if rejected.any(|operator| !accepted.contains(operator)) {
            accepted.into_iter().map(str::to_owned).collect()
        } else {
            Vec::new()
        }
    }
}
