//! The rules and other contents that a cause names.

use std::cmp::Reverse;

use tracegauge_results::CaseResult;

use super::{Draft, common};
use crate::causes::choice::Reason;
use crate::causes::evidence::Evidence;

/// A rule is preferred to another rule if it applies to at least this many times as many
/// differences.
const CLEARLY_MORE: [usize; 2] = [11, 10];

impl<'r> Draft<'r> {
    /// Returns the rule that the reader probably breaks.
    pub(super) fn rule(&self, evidence: &Evidence<'r>) -> Option<&'r str> {
        let names = match self.choice.reason {
            Reason::Nothing | Reason::Everywhere | Reason::Words | Reason::Elsewhere => {
                &self.choice.candidates
            }
            _ => &self.choice.feature,
        };
        let first_about = |name: &&'r str| self.rules_about(evidence, name).first().copied();
        // If the results do not decide between a rule and an unusual value, the rule is more
        // informative than the rules about the field of the value.
        let is_unusual = |name: &str| self.simplest.departures.iter().any(|own| own == name);
        let mut telling = names
            .iter()
            .filter(|name| evidence.is_rule(name) || !is_unusual(name));
        let telling = telling.find_map(first_about);
        telling.or_else(|| names.iter().find_map(first_about))
    }

    /// Returns the rules that a name refers to. Rules that the simplest case exercises but that no
    /// trace without the symptom exercises come first.
    pub(super) fn rules_about(&self, evidence: &Evidence<'r>, name: &'r str) -> Vec<&'r str> {
        let mut rules = evidence.rules_of(name);
        if rules.len() > 1 {
            let free = evidence.free_of(&self.symptom);
            let is_suspect =
                |rule: &str| !free.is_innocent(rule) && evidence.contains(self.simplest, rule);
            rules.sort_by_key(|rule| !is_suspect(rule));
        }
        rules
    }

    /// Orders the two names if the feature is a pair. A name that applies to the member that
    /// differs comes first; otherwise, the name that more cases contain comes first.
    pub(super) fn order_pair(&mut self, evidence: &Evidence<'r>) {
        if self.choice.reason != Reason::Pair {
            return;
        }
        let cases: Vec<&CaseResult> = self.valid_cases().collect();
        let count = |name: &&str| {
            cases
                .iter()
                .filter(|it| evidence.contains(it, name))
                .count()
        };
        let about = self.about;
        let is_about = |name: &&str| about.iter().any(|rule| rule == name);
        let feature = &mut self.choice.feature;
        feature.sort_by_key(|name| (!is_about(name), Reverse(count(name))));
    }

    /// If nothing else decides between the rules for the member that differs, moves the rule that
    /// applies to the most differences to the front, provided that it applies to significantly more
    /// differences than the first rule. A case that was written for one of these rules names only
    /// that rule, although the other rules apply too.
    pub(super) fn order_about(&mut self, evidence: &Evidence<'r>) {
        let is_undecided = matches!(self.choice.reason, Reason::Nothing | Reason::Everywhere);
        let candidates = &self.choice.candidates;
        let is_about = |rule: &&str| self.about.iter().any(|own| own == rule);
        if !is_undecided || !self.symptom.is_about_member() || !candidates.iter().all(is_about) {
            return;
        }
        let mut counts: Vec<(&str, usize)> = candidates.iter().map(|rule| (*rule, 0)).collect();
        for case in self.valid_cases() {
            let view = evidence.view(case);
            let same = view
                .sightings
                .iter()
                .filter(|it| it.symptom == self.symptom);
            for rule in same.flat_map(|it| evidence.about(case, it)) {
                match counts.iter_mut().find(|(known, _)| *known == rule) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((rule, 1)),
                }
            }
        }
        let of_first = counts.first().map_or(0, |(_, count)| *count);
        let best = counts.into_iter().rev().max_by_key(|(_, count)| *count);
        if let Some((rule, count)) = best
            && count * CLEARLY_MORE[1] >= of_first * CLEARLY_MORE[0]
        {
            self.choice.candidates.retain(|other| *other != rule);
            self.choice.candidates.insert(0, rule);
        }
    }

    /// If some of the cases lack the chosen feature, replaces it with a candidate that all of them
    /// have, or removes it if there is none. A case may lack the feature if all cases with its
    /// symptom almost certainly have the same cause, because such a case is added to the cause
    /// regardless of the feature.
    pub(super) fn settle(&mut self, evidence: &Evidence<'r>) {
        if !self.symptom.is_telling() || self.choice.feature.is_empty() {
            return;
        }
        if self.valid_cases().all(|case| self.is_in(evidence, case)) {
            return;
        }
        let mut common = common(evidence, &self.choice.candidates, self.valid_cases());
        let free = evidence.free_of(&self.symptom);
        common.retain(|name| !free.is_innocent(name));
        self.choice.feature = common.first().copied().into_iter().collect();
        self.choice.reason = match common.is_empty() {
            true => Reason::Nothing,
            false => Reason::Coverage,
        };
    }
}
