//! Collects the symptoms of one case.

use tracegauge_results::{
    CaseResult, Differences, Expectation, Outcome, Proof, RecordFault, Symptom,
};

use super::symptom::{self, member};

/// A case counts as written for the rules that it tests if it tests at most this many rules.
pub(super) const PURPOSE: usize = 2;

/// A case with its symptoms.
#[derive(Clone, Debug)]
pub(super) struct View<'r> {
    pub(super) case: &'r CaseResult,
    /// The symptoms that the case shows, most important first. Empty if the case passes.
    pub(super) sightings: Vec<Sighting<'r>>,
    /// Whether the reader reported all records of the trace in the right order, as far as the
    /// result shows. If true, every member that does not differ is correct.
    pub(super) is_intact: bool,
}

/// A symptom in a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sighting<'r> {
    pub(super) symptom: Symptom,
    /// The rules for the member that differs, if the symptom is a differing member or record.
    pub(super) about: &'r [String],
    /// The index of the first record that shows the symptom, if the symptom is about records.
    pub(super) record: Option<usize>,
}

impl<'r> View<'r> {
    pub(super) fn of(case: &'r CaseResult) -> Self {
        let sightings = sightings(case);
        let is_whole = match case.outcome {
            Outcome::Pass => case.proof.is_none_or(Proof::is_proven),
            Outcome::WrongRecords => differences(case).is_some_and(|all| all.is_complete),
            _ => false,
        };
        let keeps_places = |it: &Sighting<'_>| it.symptom.is_about_member();
        Self {
            case,
            is_intact: case.expected == Expectation::Accept
                && is_whole
                && sightings.iter().all(keeps_places),
            sightings,
        }
    }

    /// Returns whether the case certainly does not show `symptom`.
    pub(super) fn is_free_of(&self, symptom: &Symptom) -> bool {
        let is_accepted = match symptom {
            Symptom::Records { .. } => self.is_intact,
            // A reader that reports the last records of a trace has neither rejected the trace nor
            // broken down.
            _ => {
                let is_cut = |it: &Sighting<'_>| it.symptom.is_missing_tail();
                self.is_intact
                    || self.case.expected == Expectation::Accept
                        && self.case.outcome == Outcome::WrongRecords
                        && !self.sightings.iter().any(is_cut)
            }
        };
        is_accepted && !self.shows(symptom)
    }

    /// Returns true if the reader accepted a trace and all reported records were compared.
    pub(super) fn is_compared(&self) -> bool {
        let all = differences(self.case);
        self.case.outcome == Outcome::WrongRecords && all.is_some_and(|all| all.is_complete)
    }

    fn shows(&self, symptom: &Symptom) -> bool {
        self.sightings.iter().any(|it| it.symptom == *symptom)
    }
}

pub(super) fn differences(case: &CaseResult) -> Option<&Differences> {
    case.detail.as_deref()?.differences.as_ref()
}

fn sightings(case: &CaseResult) -> Vec<Sighting<'_>> {
    let Some(first) = symptom::of(case) else {
        return Vec::new();
    };
    let mut list = Vec::new();
    match (case.outcome, differences(case)) {
        (Outcome::WrongRecords, Some(_)) => {}
        (Outcome::WrongRecords, None) => list.push(Sighting {
            symptom: first.clone(),
            about: case.about_difference(),
            record: None,
        }),
        _ => list.push(Sighting {
            symptom: first.clone(),
            about: &[],
            record: None,
        }),
    }
    let all = differences(case).map_or(&[][..], |all| &all.list);
    let is_reordered = all.iter().any(|it| it.fault == RecordFault::Order);
    for aligned in all {
        let is_move = !aligned.fault.is_about_member();
        // Records in another order look as if records were missing or replaced.
        if is_move && is_reordered && aligned.fault != RecordFault::Order {
            continue;
        }
        let is_cut = aligned.fault == RecordFault::MissingTail;
        if is_cut && list.iter().any(|it| it.symptom.is_missing_tail()) {
            continue;
        }
        let sighting = Sighting {
            symptom: Symptom::Records {
                fault: aligned.fault,
                member: match is_move {
                    true => aligned.kind.clone(),
                    false => member(&aligned.difference),
                },
            },
            about: &aligned.difference.rules,
            record: Some(aligned.difference.record),
        };
        let is_known = |it: &Sighting<'_>| {
            it.symptom == sighting.symptom && it.about.first() == sighting.about.first()
        };
        if !list.iter().any(is_known) {
            list.push(sighting);
        }
    }
    purpose_first(case, &mut list);
    if list.is_empty() {
        list.push(Sighting {
            symptom: first,
            about: case.about_difference(),
            record: None,
        });
    }
    list
}

/// Moves wrong members that concern a rule that the case was written for ahead of the other wrong
/// members of the same record, which may be wrong as a consequence.
fn purpose_first(case: &CaseResult, list: &mut [Sighting<'_>]) {
    if case.rules.len() > PURPOSE {
        return;
    }
    let is_meant = |it: &Sighting<'_>| {
        it.about
            .first()
            .is_some_and(|rule| case.rules.contains(rule))
    };
    for same in list.chunk_by_mut(|one, other| {
        one.record == other.record
            && one.symptom.is_about_member()
            && other.symptom.is_about_member()
    }) {
        same.sort_by_key(|it| !is_meant(it));
    }
}
