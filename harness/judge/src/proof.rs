//! Decides whether a pass proves that the reader distinguishes valid from malformed traces.

use tracegauge_corpus::case::ExpectedVerdict;
use tracegauge_protocol::{Answer, Rejection};
use tracegauge_results::{Outcome, Proof, Verdicts};

use super::chance::Rates;
use super::{Judge, Response, verdict};

impl Judge<'_> {
    /// Returns the evidence that the pass at `index` provides, or `None` if both verdicts are
    /// allowed.
    pub(super) fn proof(&self, index: usize, response: &Response) -> Option<Proof> {
        let proof = match self.cases[index].expected.verdict {
            ExpectedVerdict::Either => return None,
            ExpectedVerdict::Reject => self.proof_of_rejection(index, response),
            ExpectedVerdict::Accept => self.proof_of_acceptance(index, response),
        };
        let verdicts = self.chances.verdicts(&self.cases[index].format);
        Some(match (proof, verdicts) {
            (Proof::Proven, Verdicts::NoBetterThanChance) => Proof::NoBetterThanChance,
            _ => proof,
        })
    }

    /// Returns the evidence that a rejection provides. The reader rejected the trace for the right
    /// reason if it accepts the twin, the valid trace that the malformed trace was made from.
    fn proof_of_rejection(&self, index: usize, response: &Response) -> Proof {
        if is_doubtful(&response.answer) {
            return Proof::PerhapsCrashed;
        }
        let Some(twin) = &self.cases[index].twin else {
            return Proof::NoTwin;
        };
        let Some(twin) = self.by_id.get(twin.as_str()).copied() else {
            return Proof::TwinNotAnswered;
        };
        let Some(answer) = self.response(twin) else {
            return Proof::TwinNotAnswered;
        };
        match (
            &answer.answer,
            verdict::outcome(self.cases[twin], answer, self.gaps),
        ) {
            (Answer::Accept, Outcome::Pass) if misreads_before_fault(response) => {
                Proof::WrongRecordsBefore
            }
            (Answer::Accept, Outcome::Pass) => Proof::Proven,
            (Answer::Accept, Outcome::WrongRecords) => Proof::TwinWrongRecords,
            (Answer::Broke(_), _) => Proof::TwinNotAnswered,
            _ => Proof::TwinNotAccepted,
        }
    }

    /// Returns the evidence that an acceptance provides. An acceptance is proven if the reader
    /// reports records or rejects a malformed case made from the same trace.
    fn proof_of_acceptance(&self, index: usize, response: &Response) -> Proof {
        if response
            .seen
            .as_ref()
            .is_some_and(|seen| seen.expected && seen.reported > 0)
        {
            return Proof::Proven;
        }
        let Some(siblings) = self.siblings.get(self.cases[index].id.as_str()) else {
            return Proof::NoTwin;
        };
        let rejected = siblings
            .iter()
            .filter_map(|sibling| self.response(*sibling))
            .any(|response| {
                matches!(response.answer, Answer::Reject(_)) && !is_doubtful(&response.answer)
            });
        if rejected {
            Proof::Proven
        } else {
            Proof::SiblingNotRejected
        }
    }
}

/// Returns whether a member of a record that the reader reported before it rejected the trace is
/// wrong. A reader may report more or fewer records before it notices the fault.
fn misreads_before_fault(response: &Response) -> bool {
    let difference = response
        .seen
        .as_ref()
        .and_then(|seen| seen.before_fault.as_ref());
    difference.is_some_and(|difference| !difference.path.is_empty())
}

impl Judge<'_> {
    /// Returns the probability that the pass at `index` would be proven if the reader gave each
    /// answer just as often, but to randomly chosen cases.
    pub(super) fn by_chance(&self, index: usize) -> f64 {
        let case = self.cases[index];
        let Rates { accepts, rejects } = self.chances.rates(&case.format);
        match case.expected.verdict {
            ExpectedVerdict::Either => 0.0,
            ExpectedVerdict::Reject => {
                let twin = case.twin.as_deref();
                match twin.and_then(|twin| self.by_id.get(twin)) {
                    Some(_) => rejects * accepts,
                    None => 0.0,
                }
            }
            ExpectedVerdict::Accept => {
                let siblings = self.siblings.get(case.id.as_str()).map_or(0, Vec::len);
                let siblings = i32::try_from(siblings).unwrap_or(i32::MAX);
                accepts * (1.0 - (1.0 - rejects).powi(siblings))
            }
        }
    }
}

fn is_doubtful(answer: &Answer) -> bool {
    matches!(
        answer,
        Answer::Reject(Rejection {
            perhaps_crashed: true,
            ..
        })
    )
}
