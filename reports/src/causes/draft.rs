//! The assignment of failing cases to causes.

use std::collections::{BTreeSet, HashMap};

use super::cause::{Cause, Confidence, Impact};
use super::choice::{Choice, Reason, choose};
use super::evidence::{Evidence, is_malformed};
use super::symptom::{Symptom, reason};
use super::words::headline;
use crate::model::CaseResult;
use crate::outcome::{Expectation, Outcome};

/// The maximum number of candidates that a cause lists.
const CANDIDATES: usize = 5;

/// The causes of one format that have been found so far.
pub(super) struct Drafts<'e, 'r> {
    evidence: &'e Evidence<'r>,
    list: Vec<Draft<'r>>,
}

/// A cause to which cases are still added.
struct Draft<'r> {
    symptom: Symptom,
    choice: Choice<'r>,
    /// The cases, the plainest first.
    simplest: &'r CaseResult,
    others: Vec<&'r CaseResult>,
}

/// A failing case that has no cause yet.
type Open<'r> = (&'r CaseResult, Symptom);

impl<'e, 'r> Drafts<'e, 'r> {
    /// Assigns `cases`, which are sorted from plain to unusual, to causes.
    pub(super) fn of(evidence: &'e Evidence<'r>, cases: &[&'r CaseResult]) -> Self {
        let mut drafts = Self {
            evidence,
            list: Vec::new(),
        };
        let open = cases
            .iter()
            .filter_map(|case| Some((*case, Symptom::of(case)?)));
        let (malformed, valid): (Vec<Open<'r>>, Vec<Open<'r>>) =
            open.partition(|(case, _)| is_malformed(case));
        drafts.assign(valid);
        let unexplained = malformed.into_iter().filter(|(case, symptom)| {
            let mut list = drafts.list.iter_mut();
            let found = list.find(|draft| draft.explains(evidence, case, symptom));
            found.map(|draft| draft.others.push(case)).is_none()
        });
        let unexplained: Vec<Open<'r>> = unexplained.collect();
        drafts.assign(unexplained);
        drafts
    }

    /// Makes a cause of the plainest case, adds all cases that it explains, and goes on with the
    /// rest.
    fn assign(&mut self, mut open: Vec<Open<'r>>) {
        while let Some((simplest, symptom)) = open.first().cloned() {
            let alike = open.iter().filter(|(_, other)| *other == symptom);
            let alike: Vec<&CaseResult> = alike.map(|(case, _)| *case).collect();
            let choice = choose(self.evidence, simplest, &symptom, &alike);
            open.remove(0);
            let is_alike =
                |draft: &&mut Draft<'_>| draft.is_undistinguished_from(simplest, &symptom);
            if choice.reason == Reason::Nothing
                && let Some(draft) = self.list.iter_mut().find(is_alike)
            {
                draft.others.push(simplest);
                continue;
            }
            let mut draft = Draft {
                symptom,
                choice,
                simplest,
                others: Vec::new(),
            };
            open.retain(|(case, symptom)| {
                let is_explained = draft.explains(self.evidence, case, symptom);
                if is_explained {
                    draft.others.push(case);
                }
                !is_explained
            });
            self.list.push(draft);
        }
    }

    /// Returns the causes.
    pub(super) fn finish(mut self) -> Vec<Cause> {
        for draft in &mut self.list {
            draft.settle(self.evidence);
        }
        // Causes of valid traces by the first name of their feature.
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, draft) in self.list.iter().enumerate() {
            let first = draft.choice.feature.first();
            if let Some(name) = first.filter(|_| draft.is_about_valid_traces()) {
                by_name.entry(name).or_default().push(index);
            }
        }
        let causes = self.list.iter().enumerate();
        causes
            .map(|(index, draft)| Cause {
                alone: self.alone(index, &by_name),
                ..draft.cause(self.evidence)
            })
            .collect()
    }

    /// Counts the cases of a cause that contain the feature of no other cause.
    fn alone(&self, index: usize, by_name: &HashMap<&str, Vec<usize>>) -> usize {
        let is_another = |case: &CaseResult, other: &usize| {
            *other != index && self.list[*other].is_in(self.evidence, case)
        };
        let is_everywhere = |draft: &Draft<'_>| draft.choice.reason == Reason::Everywhere;
        let everywhere = self.list.iter().position(is_everywhere);
        let is_alone = |case: &&'r CaseResult| {
            // The reader reads a trace that it accepts to its end, so nothing else hides there.
            let names = self.evidence.contained(case);
            let mut others = names.filter_map(|name| by_name.get(name)).flatten();
            let hides = everywhere.is_some_and(|other| other != index)
                || others.any(|other| is_another(case, other));
            case.outcome == Outcome::WrongAccept || !hides
        };
        self.list[index].cases().filter(is_alone).count()
    }
}

impl<'r> Draft<'r> {
    fn cases(&self) -> impl Iterator<Item = &'r CaseResult> {
        [self.simplest]
            .into_iter()
            .chain(self.others.iter().copied())
    }

    fn is_about_valid_traces(&self) -> bool {
        !is_malformed(self.simplest)
    }

    /// Returns whether `case` contains the feature, if there is one.
    fn is_in(&self, evidence: &Evidence<'r>, case: &CaseResult) -> bool {
        let feature = &self.choice.feature;
        !feature.is_empty() && feature.iter().all(|name| evidence.contains(case, name))
    }

    fn explains(&self, evidence: &Evidence<'r>, case: &CaseResult, symptom: &Symptom) -> bool {
        if let (Symptom::Accepts { rule: Some(rule) }, Symptom::Accepts { .. }) =
            (&self.symptom, symptom)
        {
            return case.rules.contains(rule);
        }
        if self.symptom != *symptom {
            return false;
        }
        if symptom.is_telling() {
            return true;
        }
        match (self.is_about_valid_traces(), is_malformed(case)) {
            (true, true) => {
                let twin = evidence.twin(case);
                let has_twin = twin.is_some_and(|twin| self.cases().any(|it| it.case == twin.case));
                symptom.is_records() || has_twin || self.is_in(evidence, case)
            }
            // The member goes wrong without anything that could be the reason.
            (true, false) if self.choice.feature.is_empty() && symptom.is_records() => {
                is_about_same_rule(self.simplest, case)
            }
            (true, false) if self.choice.reason == Reason::Everywhere => true,
            (true, false) if self.choice.is_about_member => {
                self.is_about_same(evidence, case, symptom)
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

    /// Returns whether the rule about the wrong member is also about what is wrong in `case`. One
    /// path may lead to values of many types, each with rules of its own.
    fn is_about_same(&self, evidence: &Evidence<'r>, case: &CaseResult, symptom: &Symptom) -> bool {
        let has_difference = !case.about_difference().is_empty();
        if symptom.is_records() && has_difference {
            let mut feature = self.choice.feature.iter();
            return feature.all(|name| case.about_difference().iter().any(|rule| rule == name));
        }
        self.is_in(evidence, case)
    }

    /// Returns whether a case without any candidate for a feature belongs to this cause, because
    /// they share all that is known: the symptom, and the rule about the wrong member or the words
    /// of the rejection. The case may well contain the feature, as a hand-written case does not
    /// list all that its trace contains.
    fn is_undistinguished_from(&self, case: &CaseResult, symptom: &Symptom) -> bool {
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
                Symptom::Records { .. } => is_about_same_rule(self.simplest, case),
                _ => !has_feature,
            }
    }

    /// Replaces a feature that not every case contains. Cases can be added for another reason than
    /// the feature if their symptom is telling.
    fn settle(&mut self, evidence: &Evidence<'r>) {
        if !self.symptom.is_telling() || self.choice.feature.is_empty() {
            return;
        }
        if self.valid_cases().all(|case| self.is_in(evidence, case)) {
            return;
        }
        let mut common = common(evidence, &self.choice.candidates, self.valid_cases());
        common.retain(|name| !evidence.is_innocent(name));
        self.choice.feature = common.first().copied().into_iter().collect();
        self.choice.reason = match common.is_empty() {
            true => Reason::Nothing,
            false => Reason::Coverage,
        };
    }

    /// Returns the cases that say what the cause depends on. Malformed cases are explained by a
    /// cause of valid ones even if they do not contain its feature.
    fn valid_cases(&self) -> impl Iterator<Item = &'r CaseResult> {
        let is_valid = self.is_about_valid_traces();
        self.cases()
            .filter(move |case| !is_valid || !is_malformed(case))
    }

    fn confidence(&self, evidence: &Evidence<'r>) -> Confidence {
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
            Reason::Forced if self.valid_cases().all(|case| has_feature(&case)) => {
                Confidence::Proven
            }
            Reason::Everywhere if *is_about_member && candidates.len() == 1 => Confidence::Likely,
            Reason::Everywhere if *is_about_member => one_of(&[], candidates),
            Reason::Everywhere => one_of(&[], &common),
            Reason::Forced | Reason::OnlyDeparture | Reason::SetApart => Confidence::Likely,
            Reason::Member if is_only => Confidence::Likely,
            Reason::Coverage if is_only && !self.others.is_empty() => Confidence::Likely,
            Reason::Member | Reason::Coverage => one_of(feature, &common),
            Reason::Pair if candidates.len() == 2 => Confidence::Likely,
            Reason::Pair => one_of(feature, candidates),
            Reason::Violated => self.violation(feature, &common),
            Reason::Nothing => one_of(&[], candidates),
        }
    }

    /// Returns how certain it is that a malformed case fails because of the rule that it violates.
    fn violation(&self, feature: &[&str], common: &[&str]) -> Confidence {
        let is_accepted = matches!(self.symptom, Symptom::Accepts { .. });
        let has_one_rule = self.cases().any(|case| case.rules.len() == 1);
        match common.len() {
            _ if feature.is_empty() => one_of(&[], &[]),
            _ if is_accepted && has_one_rule => Confidence::Proven,
            0 | 1 => Confidence::Likely,
            _ => one_of(feature, common),
        }
    }

    fn cause(&self, evidence: &Evidence<'r>) -> Cause {
        let confidence = self.confidence(evidence);
        let Choice {
            feature,
            candidates,
            reason,
            ..
        } = &self.choice;
        let names = match reason {
            Reason::Nothing | Reason::Everywhere => candidates,
            _ => feature,
        };
        let rule = names.iter().find(|name| evidence.is_rule(name));
        let impact = self.impact(evidence);
        Cause {
            format: evidence.format.to_owned(),
            impact,
            headline: headline(&self.symptom, impact, self.simplest, feature, &confidence),
            symptom: self.symptom.clone(),
            rule: rule.map(|rule| (*rule).to_owned()),
            confidence,
            feature: feature.iter().map(|name| (*name).to_owned()).collect(),
            operators: self.operators(evidence),
            simplest: self.simplest.case.clone(),
            departures: self.simplest.departures.clone(),
            cases: self.cases().map(|case| case.case.clone()).collect(),
            alone: 0,
        }
    }

    fn impact(&self, evidence: &Evidence<'r>) -> Impact {
        let case = self.simplest;
        match (case.expected, case.outcome) {
            (Expectation::Reject, Outcome::WrongAccept) => Impact::Accepts,
            (Expectation::Reject, _) => Impact::Malformed,
            (Expectation::Either, _) => Impact::Legal,
            (Expectation::Accept, _) if case.departures.is_empty() => Impact::Plain,
            (Expectation::Accept, _) if evidence.are_written(&case.departures) => Impact::Written,
            (Expectation::Accept, _) => Impact::Legal,
        }
    }

    /// Returns the operators whose violations of the rule the reader accepts, if it rejects those
    /// of other operators.
    fn operators(&self, evidence: &Evidence<'r>) -> Vec<String> {
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

/// Returns whether the rule about the wrong member is the same in both cases.
fn is_about_same_rule(one: &CaseResult, other: &CaseResult) -> bool {
    one.about_difference().first() == other.about_difference().first()
}

/// Returns the names that all `cases` contain.
fn common<'r>(
    evidence: &Evidence<'r>,
    names: &[&'r str],
    cases: impl Iterator<Item = &'r CaseResult>,
) -> Vec<&'r str> {
    let mut common = names.to_vec();
    for case in cases {
        common.retain(|name| evidence.contains(case, name));
    }
    common
}

/// Lists the chosen names and then the other candidates, up to a limit.
fn one_of(chosen: &[&str], candidates: &[&str]) -> Confidence {
    let others = candidates.iter().filter(|name| !chosen.contains(name));
    let names = chosen.iter().chain(others).take(CANDIDATES);
    Confidence::OneOf(names.map(|name| (*name).to_owned()).collect())
}
