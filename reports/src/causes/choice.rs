//! The choice of a feature: what a trace must contain for the reader to fail as it does.

use std::cmp::Reverse;

use super::evidence::{Evidence, is_malformed};
use super::symptom::Symptom;
use crate::model::CaseResult;

/// The feature of a cause, and how it was chosen.
#[derive(Clone, Debug)]
pub(super) struct Choice<'r> {
    /// One departure or rule, or two that must occur together. Empty if nothing distinguishes the
    /// case from those that pass.
    pub(super) feature: Vec<&'r str>,
    pub(super) reason: Reason,
    /// Whether the candidates are rules about the member that differs.
    pub(super) is_about_member: bool,
    /// All departures and rules that come into question, including the chosen one.
    pub(super) candidates: Vec<&'r str>,
}

/// Why a feature was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The results leave no other choice.
    Forced,
    /// There is no feature, because the reader demonstrably reads no valid trace at all.
    Everywhere,
    /// It is the only departure of a case whose rules come into question too.
    OnlyDeparture,
    /// It is a rule about the member that differs.
    Member,
    /// It distinguishes all failing traces from those that the reader reads.
    SetApart,
    /// It is contained in the most cases with the same symptom.
    Coverage,
    /// Neither of the two comes into question by itself.
    Pair,
    /// It is the rule that the malformed trace violates.
    Violated,
    /// There is no candidate.
    Nothing,
}

/// Chooses the feature of a new cause. `case` is its plainest case, and `alike` are all unexplained
/// cases with the same symptom, including `case`.
pub(super) fn choose<'r>(
    evidence: &Evidence<'r>,
    case: &'r CaseResult,
    symptom: &Symptom,
    alike: &[&'r CaseResult],
) -> Choice<'r> {
    if is_malformed(case) {
        return violated(case);
    }
    let names = evidence.names(case);
    let about = evidence.about(case, symptom);
    let suspects = suspects(evidence, &names);
    if !evidence.reads_any() && case.departures.is_empty() {
        return Choice {
            feature: Vec::new(),
            reason: Reason::Everywhere,
            is_about_member: !about.is_empty(),
            candidates: if about.is_empty() { names } else { about },
        };
    }
    let widest = |names: &[&'r str]| {
        widest(names, |name| {
            let has = |case: &&&CaseResult| evidence.contains(case, name);
            alike.iter().filter(has).count()
        })
    };
    // A hand-written case names only some of the rules that it exercises, so a single candidate
    // proves nothing by itself.
    let is_compelling = |reason| match reason {
        Reason::OnlyDeparture => evidence.reads_any(),
        Reason::Member => about.len() == 1,
        _ => false,
    };
    let choice = |feature: &'r str, reason, candidates: &[&'r str]| Choice {
        feature: vec![feature],
        reason: match suspects.as_slice() {
            [only] if *only == feature && is_compelling(reason) => Reason::Forced,
            _ => reason,
        },
        is_about_member: reason == Reason::Member,
        candidates: candidates.to_vec(),
    };
    // A trace with one departure differs from plain traces in nothing else.
    if let [departure] = case.departures.as_slice()
        && suspects.contains(&departure.as_str())
    {
        return choice(departure, Reason::OnlyDeparture, &suspects);
    }
    let named = named(evidence, &names, &about);
    if let Some(rule) = widest(&named) {
        return choice(rule, Reason::Member, &named);
    }
    let apart = case.set_apart_by.as_deref();
    if let Some(rule) = apart.filter(|rule| suspects.contains(rule)) {
        return choice(rule, Reason::SetApart, &suspects);
    }
    if let Some(name) = widest(&suspects) {
        // The member that differs points elsewhere, so even a single candidate is uncertain.
        let others = about.iter().filter(|rule| !suspects.contains(rule));
        let all: Vec<&str> = suspects.iter().chain(others).copied().collect();
        return choice(name, Reason::Coverage, &all);
    }
    pair(evidence, case, symptom, &names).unwrap_or_else(|| Choice {
        feature: Vec::new(),
        reason: Reason::Nothing,
        is_about_member: false,
        candidates: match (about.is_empty(), case.set_apart_by.as_deref()) {
            (false, _) => about,
            (true, Some(rule)) => vec![rule],
            (true, None) if symptom.is_records() || !case.departures.is_empty() => {
                strs(&case.departures)
            }
            (true, None) => names.into_iter().take(1).collect(),
        },
    })
}

fn violated(case: &CaseResult) -> Choice<'_> {
    let rules = strs(&case.rules);
    Choice {
        feature: rules.first().copied().into_iter().collect(),
        reason: Reason::Violated,
        is_about_member: false,
        candidates: rules,
    }
}

/// Returns the names that occur in no valid case that demonstrably passes.
fn suspects<'r>(evidence: &Evidence<'r>, names: &[&'r str]) -> Vec<&'r str> {
    let names = names.iter().copied();
    names.filter(|name| !evidence.is_innocent(name)).collect()
}

/// Returns the rules about the member that come into question. Rules that the trace exercises take
/// precedence over rules that apply to every value, which no trace exercises in particular.
fn named<'r>(evidence: &Evidence<'r>, names: &[&str], about: &[&'r str]) -> Vec<&'r str> {
    let exercised = about.iter().copied().filter(|rule| names.contains(rule));
    let exercised: Vec<&str> = exercised.collect();
    let rules = if exercised.is_empty() {
        about
    } else {
        &exercised
    };
    suspects(evidence, rules)
}

/// Chooses two names that occur in passing cases, but never together. The first is a departure.
fn pair<'r>(
    evidence: &Evidence<'r>,
    case: &'r CaseResult,
    symptom: &Symptom,
    names: &[&'r str],
) -> Option<Choice<'r>> {
    let departures = strs(&case.departures);
    let pairs = |others: &[&'r str]| -> Vec<Vec<&'r str>> {
        let all = departures.iter().enumerate().flat_map(|(at, one)| {
            let rest = others.iter().skip(at + 1);
            rest.map(|other| vec![*one, *other]).collect::<Vec<_>>()
        });
        all.filter(|pair| !evidence.are_innocent(pair[0], pair[1]))
            .collect()
    };
    let mut found = pairs(&departures);
    // Among many rules, one that never meets the departure is found by chance. The member that
    // differs says more.
    if found.is_empty() && !symptom.is_records() {
        found = pairs(names);
    }
    let feature = found.first()?.clone();
    let mut candidates = feature.clone();
    for name in found.into_iter().flatten() {
        if !candidates.contains(&name) {
            candidates.push(name);
        }
    }
    Some(Choice {
        feature,
        reason: Reason::Pair,
        is_about_member: false,
        candidates,
    })
}

/// Returns the name with the highest count, and of several the first.
fn widest<'r>(names: &[&'r str], count: impl Fn(&str) -> usize) -> Option<&'r str> {
    if let [name] = names {
        return Some(name);
    }
    let best = names.iter().enumerate();
    let best = best.max_by_key(|(index, name)| (count(name), Reverse(*index)));
    best.map(|(_, name)| *name)
}

fn strs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}
