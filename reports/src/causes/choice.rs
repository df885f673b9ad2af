//! Chooses the feature of a cause: the departures that a trace must contain, or the rules that it
//! must exercise, to trigger the bug. In this module, departures and rules are both called names,
//! and a trace is said to contain the rules that it exercises.

use std::cmp::Reverse;

use tracegauge_results::{CaseResult, Symptom};

use super::evidence::{Evidence, Free, is_malformed};
use super::sighting::{PURPOSE, Sighting};
use super::symptom::reason;

/// The minimum number of failures that must share a property for the property to be significant.
pub(super) const SEVERAL: usize = 3;

/// A feature may be a pair of departures only if the case has at most this many departures.
const IN_PAIR: usize = 3;

/// A rule counts as common if more than this share of the traces exercise it.
const COMMON: [usize; 2] = [3, 4];

/// The feature of a cause, and the reason for choosing it.
#[derive(Clone, Debug)]
pub(super) struct Choice<'r> {
    /// One departure or rule, or two that must occur together. Empty if nothing distinguishes the
    /// case from passing cases.
    pub(super) feature: Vec<&'r str>,
    pub(super) reason: Reason,
    /// Whether the candidates are rules for the member that differs.
    pub(super) is_about_member: bool,
    /// All departures and rules that are possible features, including the chosen one.
    pub(super) candidates: Vec<&'r str>,
}

/// The reason why a feature was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The results leave no other choice.
    Forced,
    /// There is no feature, because the reader demonstrably reads no valid trace at all, or because
    /// whole records are wrong in nearly every trace.
    Everywhere,
    /// The feature is the case's only departure, but the results do not rule out other
    /// explanations.
    OnlyDeparture,
    /// The feature is a rule for the member that differs.
    Member,
    /// The feature distinguishes all failing traces from those that the reader reads correctly.
    SetApart,
    /// More cases with the same symptom contain the feature than any other candidate.
    Coverage,
    /// More cases with the same symptom contain the feature than any other candidate, but other
    /// rules apply to the member that differs. Those rules come first among the candidates.
    Elsewhere,
    /// The feature is a pair of departures, and neither departure is a candidate by itself.
    Pair,
    /// There is no candidate, but the reader gives the same reason for rejecting several traces.
    Words,
    /// The feature is the rule that the malformed trace violates.
    Violated,
    /// There is no candidate.
    Nothing,
}

/// Chooses the feature of a new cause. `case` is the plainest case of the cause, `sighting`
/// describes the symptom in that case, and `alike` contains all cases where the same symptom is
/// unexplained, including `case`.
pub(super) fn choose<'r>(
    evidence: &Evidence<'r>,
    case: &'r CaseResult,
    sighting: &Sighting<'r>,
    alike: &[&'r CaseResult],
) -> Choice<'r> {
    if is_malformed(case) {
        return violated(case);
    }
    let symptom = &sighting.symptom;
    if symptom.is_everywhere() {
        return Choice {
            feature: Vec::new(),
            reason: Reason::Everywhere,
            is_about_member: false,
            candidates: Vec::new(),
        };
    }
    let free = evidence.free_of(symptom);
    let names = evidence.names(case, symptom);
    let about = evidence.about(case, sighting);
    let suspects = suspects(&free, &names);
    // If no other rules apply, rules for unusual values of the member still show which member is
    // wrong.
    let pointed: Vec<&str> = match about.is_empty() && symptom.is_about_member() {
        true => strs(sighting.about),
        false => about.clone(),
    };
    if !free.is_any() && case.departures.is_empty() {
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
        Reason::OnlyDeparture => free.is_any(),
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
    // All traces that are rejected for the same reason fail the same check of the reader, and a
    // wrong member is due to a single mistake. A name that fewer than half of these traces contain
    // is therefore not the feature.
    let has_words = *symptom == Symptom::Rejects && !reason(case).is_empty();
    let is_scattered = |name: &str| {
        let has = |case: &&&CaseResult| evidence.contains(case, name);
        alike.len() >= SEVERAL && 2 * alike.iter().filter(has).count() < alike.len()
    };
    let named = named(&free, &names, &about);
    // A rule that all failing traces exercise, and no correctly read trace does, is more informative
    // than rules that other traces exercise too.
    let is_exact = |rule: &str| {
        evidence.is_rule(rule)
            && alike.len() >= SEVERAL
            && alike.iter().all(|case| evidence.contains(case, rule))
    };
    let purpose = case.rules.first().map(String::as_str);
    let purpose = purpose
        .filter(|rule| case.rules.len() <= PURPOSE && suspects.contains(rule) && is_exact(rule));
    if let Some(rule) = purpose
        && symptom.is_records()
        && !named.iter().any(|rule| names.contains(rule))
    {
        let all: Vec<&str> = [rule].into_iter().chain(named).collect();
        return choice(rule, Reason::Coverage, &all);
    }
    if let Some(rule) = widest(&named).filter(|rule| !(has_words && is_scattered(rule))) {
        return choice(rule, Reason::Member, &named);
    }
    let apart = case.set_apart_by.as_deref();
    if let Some(rule) = apart.filter(|rule| suspects.contains(rule)) {
        return choice(rule, Reason::SetApart, &suspects);
    }
    let is_one_fault = has_words || symptom.is_about_member() && !about.is_empty();
    let is_unlikely = |name: &&str| is_one_fault && is_scattered(name);
    if let Some(name) = widest(&suspects).filter(|name| !is_unlikely(name)) {
        // The rules for the member that differs do not include this name, so even a single
        // candidate is uncertain. The rules for the member show what is wrong, and the name shows
        // in which traces.
        if symptom.is_records() && is_exact(name) && !pointed.contains(&name) {
            let all: Vec<&str> = [name].into_iter().chain(pointed.iter().copied()).collect();
            return choice(name, Reason::Coverage, &all);
        }
        let others = suspects.iter().filter(|name| !pointed.contains(name));
        let all: Vec<&str> = pointed.iter().chain(others).copied().collect();
        let reason = match symptom.is_records() && !pointed.is_empty() {
            true => Reason::Elsewhere,
            false => Reason::Coverage,
        };
        let all = if reason == Reason::Elsewhere {
            &all
        } else {
            &suspects
        };
        return choice(name, reason, all);
    }
    let unclear = |reason| Choice {
        feature: Vec::new(),
        reason,
        is_about_member: false,
        candidates: match (pointed.is_empty(), apart) {
            (false, Some(rule)) if !pointed.contains(&rule) => {
                [rule].into_iter().chain(pointed.iter().copied()).collect()
            }
            (false, _) => pointed.clone(),
            (true, Some(rule)) => vec![rule],
            (true, None) => place_of_stop_first(alike, ranked(evidence, &free, symptom, alike)),
        },
    };
    if alike.len() > 1 && has_words {
        return unclear(Reason::Words);
    }
    // If a case has many departures, some pairs of them are unique to this case merely by chance.
    let is_plain = case.departures.len() <= IN_PAIR;
    let pair = is_plain.then(|| pair(&free, case));
    pair.flatten().unwrap_or_else(|| unclear(Reason::Nothing))
}

/// Moves the rules that `case` was written for ahead of `about`, the rules for the member that
/// differs, if they distinguish the failing cases better. The order changes only if each rule in
/// `about` occurs in a trace that the reader reads correctly, or in no valid trace: a rule that
/// occurs almost exclusively in failing traces is then the better explanation.
pub(super) fn purpose_first<'r>(
    evidence: &Evidence<'r>,
    symptom: &Symptom,
    case: &'r CaseResult,
    alike: &[&'r CaseResult],
    about: &[&'r str],
) -> Vec<&'r str> {
    let free = evidence.free_of(symptom);
    let is_purpose = case.rules.len() <= PURPOSE;
    // A trace with one departure was made for that departure.
    let only = match case.departures.as_slice() {
        [only] if alike.iter().all(|it| evidence.contains(it, only)) => Some(only.as_str()),
        _ => None,
    };
    // Rules that no valid trace exercises concern malformed traces, so they cannot explain a
    // failure on a valid trace.
    let is_suspect = |rule: &&str| !free.is_innocent(rule) && evidence.is_exercised(rule);
    if !is_purpose && only.is_none() || about.iter().any(is_suspect) {
        return about.to_vec();
    }
    // A rule that most traces exercise, whether they fail or not, says nothing about the failures.
    let all = alike.len() + free.len();
    let is_common = |name: &str| {
        let failing = alike.iter().filter(|case| evidence.contains(case, name));
        COMMON[1] * (failing.count() + free.count(name)) > COMMON[0] * all
    };
    let ranked = ranked(evidence, &free, symptom, alike);
    let ahead = ranked.iter().take_while(|name| !about.contains(name));
    let own = ahead.filter(|name| {
        (only == Some(**name) || is_purpose && case.rules.iter().any(|rule| rule == *name))
            && !is_common(name)
    });
    let own: Vec<&str> = own.copied().collect();
    own.into_iter().chain(about.iter().copied()).collect()
}

/// If the reader reports the byte where it stops, moves the names that all rejected traces exercise
/// at that byte to the front.
fn place_of_stop_first<'r>(alike: &[&'r CaseResult], names: Vec<&'r str>) -> Vec<&'r str> {
    let mut stops = alike.iter().filter_map(|case| {
        let stop = case.detail.as_deref()?.look_at.as_ref()?;
        (!stop.near.is_empty()).then_some(&stop.near)
    });
    let Some(first) = stops.next() else {
        return names;
    };
    let mut near: Vec<&str> = first.iter().map(String::as_str).collect();
    for stop in stops {
        near.retain(|rule| stop.iter().any(|it| it == rule));
    }
    let (there, elsewhere): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| near.contains(name));
    there.into_iter().chain(elsewhere).collect()
}

/// Returns all names that occur in the failing cases, starting with those that best distinguish
/// these cases from the cases without the symptom. A name may occur in both kinds of cases.
///
/// The score is the Ochiai coefficient: the number of failing cases that contain the name, divided
/// by the geometric mean of the number of failing cases and the number of cases that contain the
/// name.
fn ranked<'r>(
    evidence: &Evidence<'r>,
    free: &Free<'_>,
    symptom: &Symptom,
    alike: &[&'r CaseResult],
) -> Vec<&'r str> {
    let mut names: Vec<&str> = Vec::new();
    for name in alike.iter().flat_map(|case| evidence.names(case, symptom)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut scored: Vec<(&str, u64)> = names
        .iter()
        .map(|name| {
            let has = |case: &&&CaseResult| evidence.contains(case, name);
            let failing = alike.iter().filter(has).count();
            let all = alike.len() * (failing + free.count(name));
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_precision_loss,
                clippy::cast_sign_loss,
                reason = "a share in thousandths"
            )]
            let score = (1000.0 * failing as f64 / (all as f64).sqrt()).round() as u64;
            (*name, score)
        })
        .collect();
    scored.sort_by_key(|(_, score)| Reverse(*score));
    scored.into_iter().map(|(name, _)| name).collect()
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

/// Returns the names that do not occur in any valid case without the symptom.
fn suspects<'r>(free: &Free<'_>, names: &[&'r str]) -> Vec<&'r str> {
    let names = names.iter().copied();
    names.filter(|name| !free.is_innocent(name)).collect()
}

/// Returns the candidates among the rules for the member. Rules that the trace exercises take
/// precedence over rules that apply to every value, because the latter do not distinguish traces.
fn named<'r>(free: &Free<'_>, names: &[&str], about: &[&'r str]) -> Vec<&'r str> {
    let exercised = about.iter().copied().filter(|rule| names.contains(rule));
    let exercised: Vec<&str> = exercised.collect();
    let rules = if exercised.is_empty() {
        about
    } else {
        &exercised
    };
    suspects(free, rules)
}

/// Chooses two departures that occur in passing cases, but never together.
fn pair<'r>(free: &Free<'_>, case: &'r CaseResult) -> Option<Choice<'r>> {
    let departures = strs(&case.departures);
    let pairs = departures.iter().enumerate().flat_map(|(at, one)| {
        let others = departures.iter().skip(at + 1);
        others.map(|other| [*one, *other]).collect::<Vec<_>>()
    });
    let found: Vec<[&str; 2]> = pairs
        .filter(|[one, other]| !free.are_innocent(one, other))
        .collect();
    let feature = found.first()?.to_vec();
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

/// Returns the name with the highest count, or the first such name if there are several.
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
