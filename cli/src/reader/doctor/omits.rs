//! Derives the `omits` entries that a reader needs from the members that it omits in valid traces.
//!
//! `omits` is the key of a reader file that lists the members and kinds of records that the reader
//! does not report. A [`Survey`] says which members the reader reports and omits in one format. A
//! member is empty if its expected value is empty, zero or false; an entry with `when: empty`
//! declares that the reader omits the member only then.

use std::collections::BTreeSet;

use tracegauge_protocol::reader_file::{Omission, When};

use super::finding::{Findings, Mistake};
use super::records::meant;
use super::survey::Survey;

/// Advice about the `omits` entries in a reader file.
///
/// The advice is to remove an entry only if the traces show that the reader reports what the entry
/// covers, and to add entries only for members that the reader omits. Following the advice
/// therefore never makes a case fail.
#[derive(Debug)]
pub(super) struct Advice<'a> {
    declared: &'a [Omission],
    surveys: &'a [Survey],
    /// Whether the survey covers all formats of the reader.
    is_whole: bool,
}

impl<'a> Advice<'a> {
    pub(super) fn new(declared: &'a [Omission], surveys: &'a [Survey], is_whole: bool) -> Self {
        Self {
            declared,
            surveys,
            is_whole,
        }
    }

    /// Adds a finding for each undeclared omission in each format, and for each declared omission
    /// that is not needed.
    pub(super) fn note(&self, findings: &mut Findings) {
        for survey in self.surveys {
            for (kind, case) in self.unreported_kinds(survey) {
                let saw = format!("{kind} of {}", survey.format);
                findings.note(Mistake::UnreportedKind, Some(case), saw);
            }
            for (name, when) in self.advised(survey) {
                let how = match when {
                    Some(When::Always) => "the program never reports this member",
                    Some(When::Empty) => {
                        "the program omits this member if it is empty, zero or false"
                    }
                    None => "the program reports this member in other records",
                };
                let mistake = match when {
                    Some(_) => Mistake::UndeclaredOmission,
                    None => Mistake::PartialOmission,
                };
                let is_full = survey.leaves_out_full(name);
                let first = survey
                    .left_out
                    .iter()
                    .find(|((it, is_empty), _)| *is_empty != is_full && is_inside(it, name));
                let case = first.map(|(_, case)| case);
                let saw = format!("{name} of {}: {how}", survey.format);
                findings.note(mistake, case.map(String::as_str), saw);
            }
        }
        // Stale entries are reported only if all formats were surveyed, because an entry that is not
        // needed for some formats may be needed for others.
        let declared = if self.is_whole { self.declared } else { &[] };
        for omission in declared {
            let name = &omission.name;
            if !self.surveys.iter().any(|survey| survey.names.has(name)) {
                let all: BTreeSet<String> =
                    self.surveys.iter().flat_map(|it| it.names.all()).collect();
                findings.note(Mistake::StaleOmission, None, meant(name, &all));
            }
            for survey in self.in_scope(omission).filter(|it| it.refutes(omission)) {
                let how = match omission.when {
                    When::Always => "the program always reports this member",
                    When::Empty => "the program reports this member even if it is empty",
                };
                let saw = format!("{name} of {}: {how}", survey.format);
                findings.note(Mistake::StaleOmission, None, saw);
            }
        }
    }

    /// Returns the `omits` block for the reader file, or `None` if the block in the file is
    /// correct.
    pub(super) fn block(&self) -> Option<String> {
        let needed = self.needed();
        if needed == self.declared {
            return None;
        }
        let lines: String = needed.iter().map(|it| format!("  - {it}\n")).collect();
        Some(match needed.is_empty() {
            true => "omits: []\n".to_owned(),
            false => format!("omits:\n{lines}"),
        })
    }

    /// Returns the `omits` entries that the reader needs.
    fn needed(&self) -> Vec<Omission> {
        let mut needed: Vec<Omission> = self
            .declared
            .iter()
            .filter_map(|it| self.kept(it))
            .collect();
        let mut added: Vec<Omission> = Vec::new();
        for survey in self.surveys {
            let kinds = self.unreported_kinds(survey);
            let kinds = kinds.map(|(kind, _)| (kind, Some(When::Always)));
            for (name, when) in kinds.chain(self.advised(survey)) {
                let Some(when) = when else { continue };
                let known = added
                    .iter_mut()
                    .find(|it| it.name == name && it.when == when);
                match known {
                    Some(known) => known.formats.push(survey.format.clone()),
                    None => added.push(Omission {
                        when,
                        formats: vec![survey.format.clone()],
                        ..Omission::always(name)
                    }),
                }
            }
        }
        for omission in &mut added {
            let having = self
                .surveys
                .iter()
                .filter(|it| it.names.has(&omission.name));
            if self.is_whole && having.count() == omission.formats.len() {
                omission.formats.clear();
            }
        }
        added.sort_by(|one, other| one.name.cmp(&other.name));
        needed.extend(added);
        needed
    }

    /// Returns the declared `omission`, restricted to the formats in which the reader's answers do
    /// not contradict it, or `None` if there is no such format. If the survey does not cover all
    /// formats of the reader, the omission is returned unchanged.
    fn kept(&self, omission: &'a Omission) -> Option<Omission> {
        let is_kept = |survey: &&Survey| !survey.refutes(omission);
        let scope: Vec<&Survey> = self.in_scope(omission).collect();
        let kept: Vec<&&Survey> = scope.iter().filter(|it| is_kept(it)).collect();
        if !self.is_whole || (kept.len() == scope.len() && !scope.is_empty()) {
            return Some(omission.clone());
        }
        let formats = kept.iter().map(|survey| survey.format.clone()).collect();
        (!kept.is_empty()).then(|| Omission {
            formats,
            ..omission.clone()
        })
    }

    /// Returns the surveys of the formats that `omission` applies to and that define the omitted
    /// member or kind of record.
    fn in_scope(&self, omission: &'a Omission) -> impl Iterator<Item = &'a Survey> {
        let surveys = self.surveys.iter();
        surveys.filter(|it| omission.is_of(&it.format) && it.names.has(&omission.name))
    }

    /// Returns the undeclared kinds of records that the reader never reports in a format, each with
    /// the first case that contains a record of this kind.
    fn unreported_kinds(&self, survey: &'a Survey) -> impl Iterator<Item = (&'a str, &'a str)> {
        let declared = self.declared.iter();
        let declared: Vec<&str> = declared
            .filter(|it| it.is_of(&survey.format))
            .map(|it| it.name.as_str())
            .collect();
        let kinds = survey.unreported_kinds();
        kinds.filter(move |(kind, _)| !declared.contains(kind))
    }

    /// Returns the undeclared omissions in a format. If more than [`MANY`] members inside the same
    /// member are omitted only when empty, one entry covers all of them, because a structure that
    /// contains itself has members at any depth.
    fn advised(&self, survey: &'a Survey) -> Vec<(&'a str, Option<When>)> {
        let all = self.undeclared(survey);
        let is_empty = |(_, when): &&(&str, Option<When>)| *when == Some(When::Empty);
        let is_many = |member: &str| {
            let inside = all.iter().filter(is_empty);
            inside.filter(|(name, _)| is_inside(name, member)).count() > MANY
        };
        let mut advised: Vec<(&'a str, Option<When>)> = Vec::new();
        for (name, when) in &all {
            let member = member_of(name);
            let name = match *when == Some(When::Empty) && is_many(member) {
                true => member,
                false => name,
            };
            if !advised.contains(&(name, *when)) {
                advised.push((name, *when));
            }
        }
        advised
    }

    /// Returns the undeclared omissions in a format, each with the `when` condition to declare, or
    /// `None` if the omission must not be declared. A member that is reported in some records must
    /// not be declared as omitted if it has a value in a record that omits it.
    fn undeclared(&self, survey: &'a Survey) -> Vec<(&'a str, Option<When>)> {
        let is_declared = |name: &str, is_empty: bool| {
            let mut declared = self.declared.iter().filter(|it| it.is_of(&survey.format));
            declared.any(|it| it.excuses(name, is_empty))
        };
        let left_out = survey.left_out.keys();
        let open = left_out.filter(|(name, is_empty)| !is_declared(name, *is_empty));
        let names: BTreeSet<&str> = open.map(|(name, _)| name.as_str()).collect();
        let how = |name: &str| match (survey.leaves_out_full(name), survey.reports(name)) {
            (false, _) => Some(When::Empty),
            (true, false) => Some(When::Always),
            (true, true) => None,
        };
        names.into_iter().map(|name| (name, how(name))).collect()
    }
}

/// The maximum number of omitted members inside the same member that are listed individually.
const MANY: usize = 8;

/// Returns the top-level member that contains a nested member: `event.parts` for
/// `event.parts[].size`.
fn member_of(name: &str) -> &str {
    let kind = name.find('.').map_or(name.len(), |dot| dot + 1);
    let end = name[kind..].find(['.', '[']);
    end.map_or(name, |end| &name[..kind + end])
}

fn is_inside(name: &str, member: &str) -> bool {
    let rest = name.strip_prefix(member);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use tracegauge_judge::compare::Sighting;
    use tracegauge_protocol::reader_file::ReaderFile;

    const FORMATS: [&str; 2] = ["boxes-v1", "boxes-v2"];
    const NAMES: [&str; 3] = ["event.at", "event.fields", "event.parts[].size"];

    fn omission() -> impl Strategy<Value = Omission> {
        let names = prop::sample::select(vec![
            "event.at",
            "event.fields",
            "event.parts",
            "event",
            "event.no",
        ]);
        let formats = prop::sample::select(vec![vec![], vec!["boxes"], vec!["boxes-v1"]]);
        (names, any::<bool>(), formats).prop_map(|(name, is_empty, formats)| Omission {
            when: match is_empty && name != "event" {
                true => When::Empty,
                false => When::Always,
            },
            formats: formats.into_iter().map(str::to_owned).collect(),
            ..Omission::always(name)
        })
    }

    fn sightings() -> impl Strategy<Value = BTreeSet<Sighting>> {
        let name = prop::sample::select(NAMES.to_vec());
        prop::collection::btree_set((name.prop_map(str::to_owned), any::<bool>()), 0..5)
    }

    fn surveys() -> impl Strategy<Value = Vec<Survey>> {
        let one = (sightings(), sightings(), any::<bool>());
        prop::collection::vec(one, FORMATS.len()).prop_map(|parts| {
            let survey = |(format, (left_out, reported, kind)): (&&str, (_, _, bool))| {
                let kinds = kind.then(|| "event".to_owned());
                Survey::seen(format, NAMES.as_slice(), (left_out, reported), kinds)
            };
            FORMATS.iter().zip(parts).map(survey).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        /// Checks that the advice keeps every entry that some format needs, that it covers every
        /// omission that may be declared, and that following it leads to no further advice.
        #[test]
        fn advice_takes_no_excuse_away_that_is_needed(
            declared in prop::collection::vec(omission(), 0..4),
            surveys in surveys(),
            is_whole in any::<bool>(),
        ) {
            let needed = Advice::new(&declared, &surveys, is_whole).needed();
            for survey in &surveys {
                let excuses = |omits: &[Omission], (name, is_empty): &Sighting| {
                    let mut omits = omits.iter().filter(|it| it.is_of(&survey.format));
                    omits.any(|it| it.excuses(name, *is_empty))
                };
                for sighting in survey.left_out.keys() {
                    let is_partial = survey.leaves_out_full(&sighting.0) && survey.reports(&sighting.0);
                    let was = excuses(&declared, sighting);
                    prop_assert!(excuses(&needed, sighting) || (!was && is_partial), "{sighting:?}");
                }
                let omits_kind = |omits: &[Omission]| {
                    omits.iter().any(|it| it.name == "event" && it.is_of(&survey.format))
                };
                if survey.needs(&Omission::always("event")) {
                    prop_assert!(omits_kind(&needed) || !omits_kind(&declared));
                }
            }
            let again = Advice::new(&needed, &surveys, is_whole).needed();
            prop_assert_eq!(&again, &needed);
            if let Some(block) = Advice::new(&declared, &surveys, is_whole).block() {
                let text = format!("command: [a]\n{block}");
                let read = ReaderFile::parse(&text, Path::new("a.yaml"), Path::new("/"));
                prop_assert_eq!(read.expect("a reader file").omits, needed);
            }
        }
    }

    /// Checks that a recursive structure needs one entry, not one for each depth.
    #[test]
    fn many_omissions_inside_one_member_are_one_entry() {
        let mut left_out = BTreeSet::new();
        let mut name = "event.parts".to_owned();
        for _ in 0..20 {
            name.push_str("[].parts");
            left_out.insert((name.clone(), true));
        }
        left_out.insert(("event.at".to_owned(), true));
        let surveys = [Survey::seen(
            FORMATS[0],
            NAMES.as_slice(),
            (left_out, BTreeSet::new()),
            None,
        )];
        let advice = Advice::new(&[], &surveys, true);
        let expected =
            "omits:\n  - {member: event.at, when: empty}\n  - {member: event.parts, when: empty}\n";
        assert_eq!(advice.block().as_deref(), Some(expected));
        let mut findings = Findings::default();
        advice.note(&mut findings);
        assert_eq!(findings.count(), 2);
        let followed = advice.needed();
        assert_eq!(Advice::new(&followed, &surveys, true).block(), None);
    }

    /// Checks that a kind of record that is never reported leads to exactly one finding, and to no
    /// further advice once it is declared as omitted.
    #[test]
    fn kinds_that_are_never_reported_are_named() {
        let survey = |kinds: [&str; 1]| {
            let seen = (BTreeSet::new(), BTreeSet::new());
            Survey::seen(FORMATS[0], NAMES.as_slice(), seen, None).with_kinds(&kinds, &["event"])
        };
        let surveys = [survey(["stack"])];
        let advice = Advice::new(&[], &surveys, true);
        assert_eq!(advice.block().as_deref(), Some("omits:\n  - event\n"));
        let mut findings = Findings::default();
        advice.note(&mut findings);
        assert!(findings.has(Mistake::UnreportedKind) && findings.count() == 1);
        let followed = advice.needed();
        assert_eq!(Advice::new(&followed, &surveys, true).block(), None);
        assert_eq!(
            Advice::new(&[], &[survey(["event"])], true).block(),
            None,
            "all kinds are reported"
        );
    }

    /// Checks that an entry needed for only one of two formats is kept for that format.
    #[test]
    fn what_is_stale_in_one_format_stays_for_another() {
        let full = |name: &str| BTreeSet::from([(name.to_owned(), false)]);
        let survey = |format, left_out, reported| {
            Survey::seen(format, NAMES.as_slice(), (left_out, reported), None)
        };
        let surveys = [
            survey(FORMATS[0], full("event.at"), BTreeSet::new()),
            survey(FORMATS[1], BTreeSet::new(), full("event.at")),
        ];
        let declared = [
            Omission::always("event.at"),
            Omission::always("event.fields"),
        ];
        let advice = Advice::new(&declared, &surveys, true);
        let expected = "omits:\n  - {member: event.at, formats: [boxes-v1]}\n  - event.fields\n";
        assert_eq!(advice.block().as_deref(), Some(expected));
        assert_eq!(Advice::new(&declared, &surveys, false).block(), None);
        assert_eq!(
            Advice::new(&[], &surveys, false).block().as_deref(),
            Some("omits:\n  - {member: event.at, formats: [boxes-v1]}\n")
        );
    }
}
