//! Joins the rejection of valid traces with the acceptance of malformed ones.

use tracegauge_results::Symptom;

use super::{Draft, Drafts};
use crate::causes::choice::Reason;

impl<'r> Drafts<'_, 'r> {
    /// If the reader rejects every valid trace with contents, but accepts traces that violate one
    /// rule, names this rule as the reason for both. The reader then requires a value that the rule
    /// forbids, for example because it computes a checksum incorrectly.
    pub(super) fn join_inverted(&mut self) {
        if self.evidence.free_of(&Symptom::Rejects).is_any() {
            return;
        }
        let accepting = |draft: &Draft<'_>| matches!(draft.symptom, Symptom::Accepts { .. });
        let mut accepted = self.list.iter().enumerate().filter(|(_, it)| accepting(it));
        let (Some((at, draft)), None) = (accepted.next(), accepted.next()) else {
            return;
        };
        let Some(rule) = draft.choice.feature.first().copied() else {
            return;
        };
        let is_unexplained = |draft: &Draft<'_>| {
            draft.rejects_valid()
                && draft.choice.feature.is_empty()
                && draft.choice.reason != Reason::Words
        };
        if !self.list.iter().any(is_unexplained) {
            return;
        }
        let draft = self.list.remove(at);
        if let Some(rejecting) = self.list.iter_mut().find(|draft| is_unexplained(draft)) {
            rejecting.absorb(draft);
            rejecting.choice.candidates.clear();
            rejecting.name_after(rule);
        }
    }
}
