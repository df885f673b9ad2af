//! Assigns failing cases to causes.

mod belongs;
mod confidence;
mod inverted;
mod join;
mod lenient;
mod reconsider;
mod rejections;
mod rules;
mod sign;
mod swapped;

use std::collections::{HashMap, HashSet};

use tracegauge_results::{CaseResult, Cause, Confidence, Expectation, Impact, Outcome, Symptom};

use super::choice::{Choice, Reason, choose};
use super::evidence::{Evidence, is_malformed, plainness};
use super::sighting::{Sighting, View};
use super::symptom::reason;
use super::words::headline;

/// A symptom counts as a consequence of a more important symptom only if at least one in this many
/// cases with the more important symptom shows both.
const COINCIDENCE: usize = 20;

/// The causes that have been found so far in one format.
pub(super) struct Drafts<'e, 'r> {
    evidence: &'e Evidence<'r>,
    list: Vec<Draft<'r>>,
}

/// A cause that cases are still being added to.
struct Draft<'r> {
    symptom: Symptom,
    /// Further symptoms of the same cause.
    also: Vec<Symptom>,
    /// The rules that apply to the wrong member or record in the simplest case.
    about: &'r [String],
    choice: Choice<'r>,
    /// The plainest case.
    simplest: &'r CaseResult,
    others: Vec<&'r CaseResult>,
    /// A sentence for the report about what all failures have in common, if the cause was joined because
    /// of it.
    told: Option<String>,
}

/// A failing case, with the symptoms that no cause explains yet.
struct Open<'r> {
    view: View<'r>,
    unexplained: Vec<bool>,
}

impl<'r> Open<'r> {
    fn new(view: View<'r>) -> Self {
        Self {
            unexplained: vec![true; view.sightings.len()],
            view,
        }
    }

    fn sightings(&self) -> impl Iterator<Item = (usize, &Sighting<'r>)> {
        self.view.sightings.iter().enumerate()
    }

    /// Returns whether no cause explains the most important symptom.
    fn is_unexplained(&self) -> bool {
        self.unexplained.first() == Some(&true)
    }
}

/// Returns true if the later of two symptoms accompanies the earlier one so rarely that it is
/// unlikely to be a consequence.
fn is_coincidence(open: &[Open<'_>], [earlier, later]: [&Sighting<'_>; 2]) -> bool {
    let shows = |open: &Open<'_>, symptom: &Symptom| {
        let mut sightings = open.view.sightings.iter();
        sightings.any(|it| it.symptom == *symptom)
    };
    let all = || open.iter().filter(|it| shows(it, &earlier.symptom));
    let both = all().filter(|it| shows(it, &later.symptom)).count();
    both * COINCIDENCE < all().count()
}

impl<'e, 'r> Drafts<'e, 'r> {
    /// Assigns `cases`, which are sorted from plain to unusual, to causes.
    pub(super) fn of(evidence: &'e Evidence<'r>, cases: &[&'r CaseResult]) -> Self {
        let mut drafts = Self {
            evidence,
            list: Vec::new(),
        };
        let open = cases.iter().map(|case| Open::new(evidence.view(case)));
        let open = open.filter(|open| !open.view.sightings.is_empty());
        let (mut malformed, mut valid): (Vec<Open<'r>>, Vec<Open<'r>>) =
            open.partition(|open| is_malformed(open.view.case));
        drafts.assign(&mut valid);
        drafts.assign_further(&mut valid);
        for open in &mut malformed {
            let sighting = &open.view.sightings[0];
            let case = open.view.case;
            let mut list = drafts.list.iter_mut();
            let found = list.find(|draft| draft.explains(evidence, case, sighting));
            if let Some(draft) = found {
                draft.others.push(case);
                open.unexplained.fill(false);
            }
        }
        drafts.assign(&mut malformed);
        drafts
    }

    /// Creates a cause from the plainest case whose most important symptom is unexplained, adds all
    /// cases that the cause explains, and continues with the remaining cases.
    fn assign(&mut self, open: &mut [Open<'r>]) {
        while let Some(at) = open.iter().position(Open::is_unexplained) {
            self.found(open, at, 0);
        }
    }

    /// Creates causes from the remaining symptoms, which are accompanied by a more important
    /// symptom in every case. Only wrong members of correctly placed records are considered: if
    /// records are missing or displaced, other wrong values have no cause of their own.
    fn assign_further(&mut self, open: &mut [Open<'r>]) {
        for at in 0..open.len() {
            for number in 1..open[at].view.sightings.len() {
                let is_hidden = open[at].view.is_intact && open[at].unexplained[number];
                if is_hidden && !self.is_consequence(open, at, number) {
                    self.found(open, at, number);
                }
            }
        }
    }

    /// Returns true if a symptom is probably a consequence of a more important symptom of the same
    /// case: either the same rules apply to both, or it occurs in the same record and nothing else
    /// in the trace can be the reason.
    fn is_consequence(&self, open: &[Open<'r>], at: usize, number: usize) -> bool {
        let view = &open[at].view;
        let sighting = &view.sightings[number];
        let earlier = &view.sightings[..number];
        // An earlier symptom that has its own cause, with other rules, is no evidence for a
        // consequence.
        let is_explained_otherwise = |it: &Sighting<'_>| {
            let mut drafts = self.list.iter().filter(|draft| draft.symptom == it.symptom);
            drafts.any(|draft| {
                draft.about.first() != it.about.first()
                    && draft.cases().any(|case| case.case == view.case.case)
            })
        };
        let is_about_same = |it: &Sighting<'_>| {
            it.about.first() == sighting.about.first() && !is_explained_otherwise(it)
        };
        if !sighting.about.is_empty() && earlier.iter().any(is_about_same) {
            return true;
        }
        let free = self.evidence.free_of(&sighting.symptom);
        let names = self.evidence.names(view.case, &sighting.symptom);
        let is_explicable = !free.is_any() || names.iter().any(|name| !free.is_innocent(name));
        !is_explicable
            && earlier
                .iter()
                .any(|it| it.record == sighting.record && !is_coincidence(open, [it, sighting]))
    }

    /// Creates a cause from a symptom of the case at `at`, and adds all cases that it explains.
    fn found(&mut self, open: &mut [Open<'r>], at: usize, number: usize) {
        let evidence = self.evidence;
        let sighting = open[at].view.sightings[number].clone();
        let simplest = open[at].view.case;
        // Rejections with the same reason come from the same check.
        let words = match sighting.symptom {
            Symptom::Rejects => reason(simplest),
            _ => String::new(),
        };
        let is_alike = |open: &&Open<'r>| {
            let mut sightings = open.sightings();
            (words.is_empty() || reason(open.view.case) == words)
                && sightings.any(|(at, it)| open.unexplained[at] && it.symptom == sighting.symptom)
        };
        let alike = open.iter().filter(is_alike);
        let alike: Vec<&CaseResult> = alike.map(|open| open.view.case).collect();
        let choice = choose(evidence, simplest, &sighting, &alike);
        open[at].unexplained[number] = false;
        let is_alike = |draft: &&mut Draft<'_>| draft.is_undistinguished_from(simplest, &sighting);
        if choice.reason == Reason::Nothing
            && let Some(draft) = self.list.iter_mut().find(is_alike)
        {
            if draft.cases().all(|case| case.case != simplest.case) {
                draft.others.push(simplest);
            }
            return;
        }
        let mut draft = Draft {
            symptom: sighting.symptom,
            also: Vec::new(),
            about: sighting.about,
            choice,
            simplest,
            others: Vec::new(),
            told: None,
        };
        for (other, open) in open.iter_mut().enumerate() {
            let case = open.view.case;
            let explained: Vec<usize> = open
                .sightings()
                .filter(|(_, it)| draft.explains(evidence, case, it))
                .map(|(number, _)| number)
                .collect();
            // A crash on a malformed trace has a single cause. Other failures on malformed traces,
            // and all failures on valid traces, can have several causes.
            let is_done = draft.symptom.is_telling()
                && is_malformed(case)
                && !open.unexplained.contains(&true);
            if other != at && !explained.is_empty() && !is_done {
                draft.others.push(case);
            }
            for number in explained {
                open.unexplained[number] = false;
            }
        }
        self.list.push(draft);
    }

    /// Returns the causes.
    pub(super) fn finish(mut self) -> Vec<Cause> {
        for draft in &mut self.list {
            draft.sort();
            draft.settle(self.evidence);
            draft.order_pair(self.evidence);
            draft.order_about(self.evidence);
        }
        self.merge();
        self.join_by_member();
        self.join_rejections();
        self.join_inverted();
        for draft in &mut self.list {
            draft.consider_purpose(self.evidence);
            draft.consider_clearing(self.evidence);
            draft.consider_field(self.evidence);
        }
        // Causes may only now name the same rule.
        self.merge();
        self.join_by_sign();
        self.join_swapped();
        self.join_lenient();
        // The causes of failures on valid traces, by the first name of their feature.
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

    /// Counts the cases of a cause that do not contain the feature of any other cause.
    fn alone(&self, index: usize, by_name: &HashMap<&str, Vec<usize>>) -> usize {
        let is_another = |case: &CaseResult, other: &usize| {
            *other != index && self.list[*other].is_in(self.evidence, case)
        };
        let is_everywhere = |draft: &Draft<'_>| draft.choice.reason == Reason::Everywhere;
        let everywhere = self.list.iter().position(is_everywhere);
        let others = self.list.iter().enumerate().filter(|(at, _)| *at != index);
        let in_others: HashSet<&str> = others
            .flat_map(|(_, draft)| draft.cases())
            .map(|case| case.case.as_str())
            .collect();
        let is_alone = |case: &&'r CaseResult| {
            // A reader that accepts a trace has read it to its end, so no other failure can be
            // hidden in it.
            let names = self.evidence.contained(case);
            let mut others = names.filter_map(|name| by_name.get(name)).flatten();
            let hides = everywhere.is_some_and(|other| other != index)
                || others.any(|other| is_another(case, other));
            case.outcome == Outcome::WrongAccept || !hides && !in_others.contains(&*case.case)
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

    /// Returns whether there is a feature and `case` contains it.
    fn is_in(&self, evidence: &Evidence<'r>, case: &CaseResult) -> bool {
        let feature = &self.choice.feature;
        !feature.is_empty() && feature.iter().all(|name| evidence.contains(case, name))
    }

    /// Sorts the cases from plain to unusual. Among equally plain cases, the simplest case stays
    /// first.
    fn sort(&mut self) {
        self.others.sort_by_key(|case| plainness(case));
        if let Some(first) = self.others.first_mut()
            && (is_malformed(first), first.departures.len())
                < (is_malformed(self.simplest), self.simplest.departures.len())
        {
            std::mem::swap(first, &mut self.simplest);
            self.others.sort_by_key(|case| plainness(case));
        }
    }

    /// Returns the cases that determine the feature of the cause. If the cause is about valid
    /// traces, malformed cases are omitted, because the cause may explain them even if they do not
    /// contain its feature.
    fn valid_cases(&self) -> impl Iterator<Item = &'r CaseResult> {
        let is_valid = self.is_about_valid_traces();
        self.cases()
            .filter(move |case| !is_valid || !is_malformed(case))
    }

    fn cause(&self, evidence: &Evidence<'r>) -> Cause {
        let confidence = self.confidence(evidence);
        let Choice { feature, .. } = &self.choice;
        let is_named = !matches!(confidence, Confidence::OneOf(_));
        let confidence = self.about_rules(evidence, confidence);
        let rule = self.rule(evidence);
        let impact = self.impact(evidence);
        Cause {
            format: evidence.format.to_owned(),
            impact,
            headline: headline(
                (&self.symptom, &self.also),
                impact,
                self.simplest,
                if is_named { feature } else { &[] },
            ),
            symptom: self.symptom.clone(),
            also: self.also.clone(),
            rule: rule.map(str::to_owned),
            confidence,
            feature: feature.iter().map(|name| (*name).to_owned()).collect(),
            operators: self.operators(evidence),
            like: self.shown_sign(),
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
}

/// Returns the names that occur in all `cases`.
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
