//! Recognizes kinds of records that a reader never reports.
//!
//! A trace often contains such a record among others, so each kind of missing record, and the records
//! reported in its place, would otherwise look like a mistake about the contents of the record.

use std::collections::BTreeSet;

use tracegauge_results::{FormatSummary, ReaderResult, RecordFault, Symptom};

use super::sighting::{Sighting, View};

/// The kinds of records that valid traces contain but the reader never reports.
pub(super) struct NeverReported<'r> {
    kinds: BTreeSet<&'r str>,
    /// Whether the reader reports records of any kind.
    others: bool,
}

impl<'r> NeverReported<'r> {
    pub(super) fn of(reader: &'r ReaderResult, format: &str) -> Self {
        let mut summaries = reader.tail.formats.iter();
        let summary = summaries.find(|it| it.format == format);
        let kinds = summary.into_iter().flat_map(FormatSummary::never_reported);
        let counts = summary.map_or(&[][..], |summary| &summary.kinds);
        Self {
            kinds: kinds.map(|it| it.kind.as_str()).collect(),
            others: counts.iter().any(|it| it.reported > 0),
        }
    }

    /// Retains the kinds whose records are missing in at least one of the `views`. The reader does
    /// not have to report the others.
    pub(super) fn owed(mut self, views: &[View<'_>]) -> Self {
        let missing: BTreeSet<&str> = views
            .iter()
            .flat_map(|view| &view.sightings)
            .filter_map(missing_kind)
            .collect();
        self.kinds.retain(|kind| missing.contains(kind));
        self
    }

    /// Replaces the symptoms of missing records of these kinds by a single one, which comes first.
    pub(super) fn generalize(&self, view: &mut View<'_>) {
        let is_never =
            |it: &Sighting<'_>| missing_kind(it).is_some_and(|it| self.kinds.contains(it));
        let Some(at) = view.sightings.iter().position(is_never) else {
            return;
        };
        let record = view.sightings[at].record;
        view.sightings.retain(|it| !is_never(it));
        let member = match self.others {
            true => listed(&self.kinds),
            false => String::new(),
        };
        let sighting = Sighting {
            symptom: Symptom::Records {
                fault: RecordFault::NeverReported,
                member,
            },
            about: &[],
            record,
        };
        view.sightings.insert(0, sighting);
    }
}

/// Returns whether a symptom is a record of a kind that, according to the symptom `never`, is never
/// reported.
pub(super) fn covers(never: &Symptom, symptom: &Symptom) -> bool {
    let Symptom::Records { member: kinds, .. } = never else {
        return false;
    };
    let is_listed = |kind: &str| kinds.is_empty() || kinds.contains(&format!("`{kind}`"));
    never.is_never_reported() && missing(symptom).is_some_and(is_listed)
}

/// Returns what a reader developer can do about records that are never reported, or about members
/// that the format does not have.
pub(super) fn advice(symptom: &Symptom) -> Option<&'static str> {
    match symptom {
        Symptom::Records { member, .. } if symptom.is_never_reported() => {
            Some(match member.as_str() {
                "" => {
                    "declare `reports: verdict` in the reader file if the reader reports no records"
                }
                _ => {
                    "list the kinds under `omits` in the reader file if the reader does not support \
                     them; `tracegauge reader doctor` proposes the entries"
                }
            })
        }
        _ if symptom.is_not_in_format() => Some(
            "use the names that `tracegauge spec docs` lists, which leaves out fields that only give \
             the size or number of something; `tracegauge reader doctor` suggests similar names",
        ),
        _ => None,
    }
}

/// Returns the kind of the record that is missing, or in whose place another record is reported.
fn missing_kind<'v>(sighting: &'v Sighting<'_>) -> Option<&'v str> {
    missing(&sighting.symptom)
}

fn missing(symptom: &Symptom) -> Option<&str> {
    match symptom {
        Symptom::Records {
            fault: RecordFault::Missing | RecordFault::MissingTail | RecordFault::Displaced,
            member,
        } => Some(member.as_str()),
        _ => None,
    }
}

/// Lists names in words.
fn listed(names: &BTreeSet<&str>) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
