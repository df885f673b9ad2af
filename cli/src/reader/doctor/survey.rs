//! Surveys which members a reader reports and omits in all valid traces of a format. A sample of
//! the traces would not show whether an entry under `omits` in the reader file is needed.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::atomic::AtomicBool;

use tracegauge_corpus::case::{Case, ExpectedVerdict};
use tracegauge_harness::schedule::{self, Assignment, Files, Seed, TimeLimit};
use tracegauge_judge::compare::{Reporting, Seen, Sighting};
use tracegauge_judge::{Response, kinds_due};
use tracegauge_protocol::reader_file::{Omission, ReaderFile, Reports, When};
use tracegauge_protocol::{Answer, Breakdown};

use super::records::Names;
use super::talk::Setting;

/// The members of one format that a reader reports and omits.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) format: String,
    pub(super) names: Names,
    /// The members that the reader reports in at least one record, each with a flag that says
    /// whether the value is empty.
    reported: BTreeSet<Sighting>,
    /// The members that the reader omits in at least one record, each with the first case in which
    /// it is omitted.
    pub(super) left_out: BTreeMap<Sighting, String>,
    kinds_left_out: BTreeSet<String>,
    kinds_reported: BTreeSet<String>,
    /// The kinds of records that accepted traces contain, each with the first case that contains
    /// such a record.
    kinds_due: BTreeMap<String, String>,
    /// The number of cases in the survey.
    pub(super) asked: usize,
    /// The cases in which the reader's output violates the protocol, or in which its records would
    /// be wrong if they were compared.
    pub(super) wrong: Vec<String>,
}

/// The cases included in a survey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Only valid traces, which show what the reader omits.
    Valid,
    /// All cases, which show whether any case would fail if the records were compared.
    All,
}

impl Survey {
    /// Runs `reader` on the cases of `format`.
    ///
    /// # Errors
    /// Returns an error if files cannot be written.
    pub(super) fn of(
        reader: &ReaderFile,
        setting: &Setting<'_>,
        (format, names): (&str, Names),
        cases: &[Case],
        extent: Extent,
    ) -> io::Result<Self> {
        let is_asked = |case: &&Case| {
            let is_valid = case.expected.verdict == ExpectedVerdict::Accept;
            case.format == format && case.state.runs() && (is_valid || extent == Extent::All)
        };
        let asked: Vec<&Case> = cases.iter().filter(is_asked).collect();
        let responses = ask(reader, setting, &asked)?;
        let mut survey = Self {
            format: format.to_owned(),
            names,
            reported: BTreeSet::new(),
            left_out: BTreeMap::new(),
            kinds_left_out: BTreeSet::new(),
            kinds_reported: BTreeSet::new(),
            kinds_due: BTreeMap::new(),
            asked: asked.len(),
            wrong: Vec::new(),
        };
        for (case, response) in asked.iter().zip(&responses) {
            response.iter().for_each(|it| survey.take_in(case, it));
        }
        Ok(survey)
    }

    fn take_in(&mut self, case: &Case, response: &Response) {
        if matches!(response.answer, Answer::Broke(Breakdown::Protocol(_))) {
            return self.wrong.push(case.id.clone());
        }
        let accepts =
            case.expected.verdict == ExpectedVerdict::Accept && response.answer == Answer::Accept;
        let Some(seen) = response.seen.as_ref().filter(|_| accepts) else {
            return;
        };
        self.kinds_reported.extend(seen.kinds.iter().cloned());
        for kind in kinds_due(&case.expected) {
            let first = self.kinds_due.entry(kind.to_owned());
            first.or_insert_with(|| case.id.clone());
        }
        if !is_right_but_for_what_is_left_out(seen) {
            return self.wrong.push(case.id.clone());
        }
        self.reported
            .extend(seen.tally.reported.iter().flatten().cloned());
        self.kinds_left_out
            .extend(seen.tally.kinds_left_out.iter().cloned());
        for sighting in seen.tally.absent.iter().flatten() {
            if !self.left_out.contains_key(sighting) {
                self.left_out.insert(sighting.clone(), case.id.clone());
            }
        }
    }

    /// Returns true if, in this format, the reader omits a member or a kind of record that
    /// `omission` covers.
    pub(super) fn needs(&self, omission: &Omission) -> bool {
        let mut left_out = self.left_out.keys();
        self.kinds_left_out.contains(&omission.name)
            || left_out.any(|(name, is_empty)| omission.excuses(name, *is_empty))
    }

    /// Returns true if the reader reports everything that `omission` covers. If no trace contains
    /// the member, both this method and [`Self::needs`] return false.
    pub(super) fn refutes(&self, omission: &Omission) -> bool {
        let is_shown = |(name, is_empty): &Sighting| match omission.when {
            When::Always => omission.excuses(name, *is_empty),
            When::Empty => *name == omission.name && *is_empty,
        };
        !self.needs(omission) && self.reported.iter().any(is_shown)
    }

    /// Returns the kinds of records that accepted traces contain but the reader never reports, each
    /// with the first case that contains such a record.
    pub(super) fn unreported_kinds(&self) -> impl Iterator<Item = (&str, &str)> {
        let due = self.kinds_due.iter();
        due.filter(|(kind, _)| !self.kinds_reported.contains(*kind))
            .map(|(kind, case)| (kind.as_str(), case.as_str()))
    }

    /// Discards the kinds of records in accepted traces, so that no kind counts as unreported.
    pub(super) fn forget_kinds(&mut self) {
        self.kinds_due.clear();
    }

    /// Returns true if the member `name` is reported in some record.
    pub(super) fn reports(&self, name: &str) -> bool {
        self.reported.iter().any(|(reported, _)| reported == name)
    }

    /// Returns true if the reader omits the member `name` from a record where it has a nonempty
    /// value.
    pub(super) fn leaves_out_full(&self, name: &str) -> bool {
        self.left_out.contains_key(&(name.to_owned(), false))
    }
}

/// Runs the reader on `cases` as if its reader file declared that it reports records, and returns
/// the responses.
fn ask(
    reader: &ReaderFile,
    setting: &Setting<'_>,
    cases: &[&Case],
) -> io::Result<Vec<Option<Response>>> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let files = Files::for_jobs(jobs, cases.iter().copied())?;
    let reporting = Reporting {
        learned: true,
        ..Reporting::of(reader)
    };
    let assignment = Assignment {
        launch: setting.launch,
        reports: Reports::Records,
        reporting: &reporting,
        containment: setting.containment,
        limits: setting.limits,
        cases,
        files: &files,
        seed: Seed::random(),
        jobs,
        stop: &AtomicBool::new(false),
        time: &TimeLimit::default(),
    };
    let answers = schedule::run(&assignment, None, &mut |_, _| {});
    Ok(answers.responses)
}

/// Returns true if the reported records differ from the expected ones at most in omitted members.
fn is_right_but_for_what_is_left_out(seen: &Seen) -> bool {
    let first = seen.left_out.first().map(|member| &member.difference);
    seen.whole.is_none() || seen.whole.as_ref() == first
}

#[cfg(test)]
impl Survey {
    /// Creates a survey with the given omitted and reported members.
    pub(super) fn seen(
        format: &str,
        names: &[&str],
        (left_out, reported): (BTreeSet<Sighting>, BTreeSet<Sighting>),
        kinds_left_out: impl IntoIterator<Item = String>,
    ) -> Self {
        Self {
            format: format.to_owned(),
            names: Names::made_of(names),
            reported,
            left_out: left_out
                .into_iter()
                .map(|one| (one, "a-case".to_owned()))
                .collect(),
            kinds_left_out: kinds_left_out.into_iter().collect(),
            kinds_reported: BTreeSet::new(),
            kinds_due: BTreeMap::new(),
            asked: 1,
            wrong: Vec::new(),
        }
    }
    /// Returns the survey with `reported` as the kinds of records that the reader reports, and
    /// `due` as the kinds that accepted traces contain.
    pub(super) fn with_kinds(mut self, reported: &[&str], due: &[&str]) -> Self {
        self.kinds_reported = reported.iter().map(|&kind| kind.to_owned()).collect();
        let due = due
            .iter()
            .map(|&kind| (kind.to_owned(), "a-case".to_owned()));
        self.kinds_due = due.collect();
        self
    }
}
