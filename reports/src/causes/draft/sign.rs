//! Finds the sign that all failures of a cause bear: the same hint about a wrong value, the same
//! violation of the reader protocol, or the same reason for rejecting valid traces. Joins causes with
//! the same sign, if a single mistake is more likely than several.

use tracegauge_results::{CaseResult, Outcome, Symptom};

use super::{Draft, Drafts};
use crate::causes::choice::Reason;
use crate::causes::symptom::reason;

/// The beginning of hints that describe how a wrong value came about.
const ABOUT_VALUE: &str = "the value was ";

/// The beginning of hints about values that were read correctly but then converted incorrectly.
const CONVERTED: &str = "the value was rounded to ";

/// The number of causes that miss the same kind of records from which a single mistake is assumed.
const MANY: usize = 3;

impl<'r> Drafts<'_, 'r> {
    /// Joins causes with the same sign. Nothing else that their traces have in common matters then.
    pub(super) fn join_by_sign(&mut self) {
        let mut joined: Vec<Draft<'r>> = Vec::new();
        for draft in std::mem::take(&mut self.list) {
            let sign = draft.sign();
            let is_same = |other: &&mut Draft<'r>| {
                let is_about_valid = draft.is_about_valid_traces() == other.is_about_valid_traces();
                // Two fields may be read incorrectly in the same way, but values of all fields are
                // converted and written by the same code.
                let is_one = match &sign {
                    Some(Sign::Value(hint)) => {
                        hint.starts_with(CONVERTED) || other.symptom == draft.symptom
                    }
                    // Different checks of a reader may give the same reason.
                    Some(Sign::Reason(_)) | None => false,
                    Some(Sign::Protocol(_)) => true,
                };
                is_one && is_about_valid && other.sign() == sign
            };
            match joined.iter_mut().find(is_same) {
                Some(same) => same.absorb_sign(draft),
                None => joined.push(draft),
            }
        }
        self.list = joined;
        self.join_missing();
    }

    /// Joins causes that miss the same kind of records, if there are several. It is more likely that a
    /// single mistake loses records for a reason that no name describes, than that several mistakes
    /// do the same.
    fn join_missing(&mut self) {
        let list = &self.list;
        let is_one_of_many = |draft: &Draft<'r>| {
            let alike = list.iter().filter(|other| draft.misses_kind_like(other));
            alike.count() >= MANY
        };
        let many: Vec<bool> = list.iter().map(is_one_of_many).collect();
        let mut joined: Vec<(bool, Draft<'r>)> = Vec::new();
        for (draft, is_many) in std::mem::take(&mut self.list).into_iter().zip(many) {
            let is_same = |(many, other): &&mut (bool, Draft<'r>)| {
                is_many && *many && draft.misses_kind_like(other)
            };
            match joined.iter_mut().find(is_same) {
                Some((_, same)) => same.absorb_sign(draft),
                None => joined.push((is_many, draft)),
            }
        }
        self.list = joined.into_iter().map(|(_, draft)| draft).collect();
    }
}

impl<'r> Draft<'r> {
    /// Returns the sign that most failures of the cause bear, if no failure bears another. Hints about
    /// small values are ambiguous, so these values have none.
    fn sign(&self) -> Option<Sign> {
        let mut signs = self.cases().filter_map(sign);
        let first = signs.next()?;
        let mut count = 1;
        for other in signs {
            if other != first {
                return None;
            }
            count += 1;
        }
        let is_enough = match first {
            Sign::Value(_) => 2 * count > self.size(),
            Sign::Reason(_) | Sign::Protocol(_) => count == self.size(),
        };
        is_enough.then_some(first)
    }

    /// Describes the sign in a sentence of the report, unless the headline contains it.
    pub(super) fn shown_sign(&self) -> Option<String> {
        if self.told.is_some() {
            return self.told.clone();
        }
        match self.sign()? {
            Sign::Value(hint) => {
                let count = self.cases().filter_map(sign).count();
                Some(match count == self.size() {
                    true => format!("in each failure, {hint}"),
                    false => format!("in {count} of {} failures, {hint}", self.size()),
                })
            }
            Sign::Reason(words) => Some(format!("the reader says: {words}")),
            Sign::Protocol(_) => None,
        }
    }

    pub(super) fn absorb_sign(&mut self, other: Self) {
        let has_same_feature = self.choice.feature == other.choice.feature;
        self.absorb(other);
        let is_about_value = match self.symptom {
            Symptom::Records { fault, .. } => fault.is_about_member(),
            _ => false,
        };
        if !has_same_feature {
            // The feature of neither cause is in all traces. The rules for the member may apply.
            self.choice.feature.clear();
            self.choice.reason = Reason::Nothing;
            self.choice.candidates.clear();
            if is_about_value {
                self.choice.candidates = self.about.iter().map(String::as_str).collect();
            }
        }
    }
}

/// A feature of a failure that other failures with the same cause share.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sign {
    /// A hint about a wrong value.
    Value(String),
    /// The reason that the reader gives for rejecting a valid trace, without numbers.
    Reason(String),
    /// A violation of the reader protocol.
    Protocol(String),
}

fn sign(case: &CaseResult) -> Option<Sign> {
    let detail = case.detail.as_deref()?;
    match case.outcome {
        Outcome::WrongRecords => {
            let hint = detail.hint.as_ref();
            hint.filter(|hint| hint.starts_with(ABOUT_VALUE))
                .cloned()
                .map(Sign::Value)
        }
        Outcome::WrongReject => Some(reason(case))
            .filter(|it| !it.is_empty())
            .map(Sign::Reason),
        Outcome::Protocol => Some(Sign::Protocol(detail.actual.clone())),
        _ => None,
    }
}
