//! Assigns failing cases to causes.

mod inverted;
mod join;
mod reconsider;
mod rejections;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use tracegauge_results::{CaseResult, Cause, Confidence, Expectation, Impact, Outcome, Symptom};

use super::choice::{Choice, Reason, choose};
use super::evidence::{Evidence, is_malformed, plainness};
use super::sighting::{Sighting, View};
use super::symptom::reason;
use super::words::headline;

/// The maximum number of candidates listed for a cause.
const CANDIDATES: usize = 5;

/// A symptom counts as a consequence of a more important symptom only if at least one in this many
/// cases with the more important symptom shows both.
const COINCIDENCE: usize = 20;

/// A rule is preferred to another rule if it applies to at least this many times as many
/// differences.
const CLEARLY_MORE: [usize; 2] = [11, 10];

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

    fn explains(
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
    fn is_undistinguished_from(&self, case: &CaseResult, sighting: &Sighting<'_>) -> bool {
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

    /// Returns the rule that the reader probably breaks.
    fn rule(&self, evidence: &Evidence<'r>) -> Option<&'r str> {
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
    fn rules_about(&self, evidence: &Evidence<'r>, name: &'r str) -> Vec<&'r str> {
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
    fn order_pair(&mut self, evidence: &Evidence<'r>) {
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
    fn order_about(&mut self, evidence: &Evidence<'r>) {
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
    fn settle(&mut self, evidence: &Evidence<'r>) {
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

    /// Returns the cases that determine the feature of the cause. If the cause is about valid
    /// traces, malformed cases are omitted, because the cause may explain them even if they do not
    /// contain its feature.
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
            like: None,
            simplest: self.simplest.case.clone(),
            departures: self.simplest.departures.clone(),
            cases: self.cases().map(|case| case.case.clone()).collect(),
            alone: 0,
        }
    }

    /// Limits the confidence if the feature is not a rule, but describes other contents of the
    /// trace. If there is a single rule about these contents, the confidence is at most
    /// [`Confidence::Likely`]; if there are several, the results cannot decide between them.
    fn about_rules(&self, evidence: &Evidence<'r>, confidence: Confidence) -> Confidence {
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

/// Lists the chosen names and then the other candidates, up to a limit.
fn one_of(chosen: &[&str], candidates: &[&str]) -> Confidence {
    let others = candidates.iter().filter(|name| !chosen.contains(name));
    let names = chosen.iter().chain(others).take(CANDIDATES);
    Confidence::OneOf(names.map(|name| (*name).to_owned()).collect())
}
