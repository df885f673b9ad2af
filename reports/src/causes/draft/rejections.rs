//! Joins rejections of valid traces that a single departure or rule explains.

use std::collections::BTreeMap;

use super::{Draft, Drafts};
use crate::causes::choice::Reason;
use crate::causes::evidence::Evidence;

/// The minimum ratio of rejected traces that contain a name to correctly read traces that contain
/// it.
const EXCEPTIONS: usize = 6;

impl<'r> Drafts<'_, 'r> {
    /// Joins rejections that a single name (a departure or a rule) explains: all of the rejected
    /// traces contain it, and hardly any trace that the reader reads correctly does. A single
    /// mistake is more likely than several that happen to occur in the same traces.
    pub(super) fn join_rejections(&mut self) {
        while let Some((name, at)) = self.most_shared() {
            let mut joined: Vec<Draft<'r>> = Vec::new();
            for index in at.into_iter().rev() {
                joined.push(self.list.remove(index));
            }
            // The largest cause determines the symptom of the joined cause.
            joined.sort_by_key(Draft::size);
            let Some(mut largest) = joined.pop() else {
                return;
            };
            for draft in joined.into_iter().rev() {
                largest.absorb(draft);
            }
            largest.name_after(name);
            self.list.push(largest);
        }
    }

    /// Returns the name that explains the most causes, and these causes, or `None` if no name
    /// explains more than one.
    fn most_shared(&self) -> Option<(&'r str, Vec<usize>)> {
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, draft) in self.list.iter().enumerate() {
            for name in draft.explanations(self.evidence) {
                by_name.entry(name).or_default().push(index);
            }
        }
        by_name.retain(|_, at| at.len() > 1);
        let cases = |at: &[usize]| at.iter().map(|at| self.list[*at].size()).sum::<usize>();
        let is_chosen =
            |name: &str, at: &[usize]| at.iter().any(|at| self.list[*at].choice.feature == [name]);
        by_name
            .into_iter()
            .max_by_key(|(name, at)| (at.len(), cases(at), is_chosen(name, at)))
    }
}

impl<'r> Draft<'r> {
    /// Returns the names that all traces of this cause contain, but that hardly any correctly read
    /// trace contains.
    fn explanations(&self, evidence: &Evidence<'r>) -> Vec<&'r str> {
        let free = evidence.free_of(&self.symptom);
        let is_everywhere = self.choice.reason == Reason::Everywhere;
        if !self.rejects_valid() || is_everywhere || !free.is_any() {
            return Vec::new();
        }
        if self.choice.reason == Reason::Forced {
            return self.choice.feature.clone();
        }
        let mut names = evidence.names(self.simplest, &self.symptom);
        names.retain(|name| {
            free.count(name) * EXCEPTIONS <= evidence.rejected_with(name)
                && self.valid_cases().all(|it| evidence.contains(it, name))
        });
        names
    }

    /// Makes `name` the feature of the cause.
    pub(super) fn name_after(&mut self, name: &'r str) {
        if self.choice.feature == [name] {
            return;
        }
        self.choice.feature = vec![name];
        self.choice.reason = Reason::Coverage;
        self.choice.is_about_member = false;
        self.choice.candidates.retain(|it| *it != name);
        self.choice.candidates.insert(0, name);
    }
}
