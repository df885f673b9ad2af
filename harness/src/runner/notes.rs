//! Notes about a reader that accompany its results: signs that the reader is called incorrectly,
//! and properties that many of its failures share.

use std::cell::LazyCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use tracegauge_corpus::case::{Case, ExpectedVerdict};
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::mutation_score::Passed;
use tracegauge_corpus::place::without_indices;
use tracegauge_judge::compare::Reporting;
use tracegauge_judge::{Judge, Reported, Response};
use tracegauge_protocol::reader_file::Mode;
use tracegauge_protocol::{Answer, Breakdown};
use tracegauge_results::text::{counted, first_of, visible};
use tracegauge_results::{CaseResult, Outcome};

use super::{Material, ReaderRun};
use crate::schedule;
use crate::suggested::with_spec_of;

/// The number of failed cases to rerun, each alone.
const AGAIN: usize = 4;

/// The minimum number of identical answers, or of timeouts, that results in a note.
const TELLING: usize = 20;

/// The maximum number of names that are listed.
const NAMED: usize = 4;

/// The documentation section about the records that a reader prints.
const PROTOCOL: &str = "docs/reader-protocol.md#records";

/// The documentation section about the members that a reader omits.
const LEFT_OUT: &str = "docs/reader-protocol.md#members-that-a-reader-leaves-out";

/// A kind of failure on valid traces that does not reveal its cause.
struct Way {
    does: &'static str,
    outcomes: &'static [Outcome],
}

const WAYS: [Way; 2] = [
    Way {
        does: "the reader rejects",
        outcomes: &[Outcome::WrongReject],
    },
    Way {
        does: "the reader crashes, hangs or runs out of memory on",
        outcomes: &[Outcome::Crash, Outcome::Hang, Outcome::OutOfMemory],
    },
];

/// Returns a message about the cases on which the reader crashed, ran out of memory or printed too much
/// when they ran together with others, but not when they ran alone. Timeouts do not count, because a
/// busy machine may be the reason.
pub(super) fn lost<'c>(
    responses: impl Iterator<Item = (&'c &'c Case, &'c Option<Response>)>,
) -> Option<String> {
    let mut lost =
        responses.filter_map(
            |(case, response)| match response.as_ref()?.unsteady.as_ref()? {
                Breakdown::Hang(_) | Breakdown::Protocol(_) => None,
                breakdown => Some((&case.id, breakdown)),
            },
        );
    let (first, breakdown) = lost.next()?;
    let others = match lost.count() {
        0 => String::new(),
        others => format!(" and {}", counted(others, "other case")),
    };
    Some(format!(
        "{breakdown}, during {first}{others}; in a new process, each of these cases passes alone"
    ))
}

/// The result of running failed cases again, each alone.
pub(super) struct Remembered {
    /// The note for the report.
    pub(super) note: String,
    /// Whether none of the cases failed when run alone.
    pub(super) is_all: bool,
}

impl ReaderRun<'_> {
    /// Detects a reader that carries state over from one trace to the next. Such a reader fails
    /// some cases when they run together with other cases but passes them when they run alone.
    pub(super) fn remembers(
        &self,
        material: &Material<'_>,
        responses: &[Option<Response>],
        reported: &Reported,
    ) -> Option<Remembered> {
        let reader = &self.participant.reader;
        let fails = |index: usize, response: &Response| {
            tracegauge_judge::fails(self.chosen.cases[index], response, &reader.unsupported)
        };
        // Cases without a valid answer (`Broke`) are omitted, because the scheduler itself reruns
        // such cases alone.
        let wrong = responses[..self.chosen.counted].iter().enumerate();
        let wrong: Vec<usize> = wrong
            .filter_map(|(index, response)| Some((index, response.as_ref()?)))
            .filter(|(index, it)| !matches!(it.answer, Answer::Broke(_)) && fails(*index, it))
            .map(|(index, _)| index)
            .collect();
        if material.launch.mode != Mode::Serve || wrong.is_empty() {
            return None;
        }
        let every = wrong.len().div_ceil(AGAIN);
        let some: Vec<usize> = wrong.iter().copied().step_by(every).collect();
        let reporting = Reporting::of(reader);
        let mut alone = schedule::alone(&self.assignment(material, &reporting), &some);
        for (index, response) in &mut alone {
            reported.hold(&self.chosen.cases[*index].format, response);
        }
        let right = alone.iter().filter(|(index, it)| !fails(*index, it));
        let right: Vec<&str> = right
            .map(|(index, _)| self.chosen.cases[*index].id.as_str())
            .collect();
        let first = right.first()?;
        let note = format!(
            "{} ran again in a fresh process after failing, and {} passed (first: {first}): \
             the reader keeps state from one trace to the next, or its answers vary; `mode: once` in the \
             reader file starts a new process for each trace",
            counted(alone.len(), "case"),
            right.len()
        );
        Some(Remembered {
            note,
            is_all: right.len() == alone.len(),
        })
    }

    /// Returns a note if the reader prints lines that are ignored, because its author may think
    /// that these lines are judged.
    fn stray(&self, responses: &[Option<Response>]) -> Option<String> {
        let counted = &responses[..self.chosen.counted];
        let strays = || counted.iter().flatten().filter(|it| it.stray.is_some());
        let first = visible(strays().next()?.stray.as_deref()?);
        let cases = strays().count();
        let answered = counted.iter().flatten().count();
        let compared = counted.iter().flatten().any(|it| it.seen.is_some());
        let judged = if compared {
            "extra lines are ignored; with `reports: records` in the reader file, they would be \
             protocol violations"
        } else {
            "only the verdicts were compared"
        };
        Some(format!(
            "{cases} of {answered} answers contain lines that are not records (the first is \
             `{first}`); {judged}: {PROTOCOL}"
        ))
    }

    /// Returns a note if the reader gives the same answer to every trace.
    fn constant(&self, responses: &[Option<Response>]) -> Option<String> {
        let expected = |wanted: ExpectedVerdict| {
            let mut cases = self.chosen.cases[..self.chosen.counted].iter();
            cases.any(|case| case.expected.verdict == wanted)
        };
        let answers = responses[..self.chosen.counted].iter().flatten();
        let answers: Vec<&Answer> = answers.map(|response| &response.answer).collect();
        let all = |is: fn(&Answer) -> bool| answers.iter().all(|answer| is(answer));
        let said = if answers.len() < TELLING {
            return None;
        } else if all(|it| matches!(it, Answer::Accept)) && expected(ExpectedVerdict::Reject) {
            "accepts even malformed ones"
        } else if all(|it| matches!(it, Answer::Reject(_))) && expected(ExpectedVerdict::Accept) {
            "rejects even valid ones"
        } else {
            return None;
        };
        let plan = self.config.formats.and_then(|it| it.plans().first());
        let spec = plan.map_or_else(String::new, |plan| with_spec_of(plan));
        Some(format!(
            "the reader returns the same answer for all {} traces: it {said}; run `tracegauge \
             reader doctor{spec} FILE` with the reader file to check whether the reader is called \
             correctly",
            answers.len()
        ))
    }

    /// Returns a note if the reader timed out so often that the run took a long time.
    fn hung(&self, responses: &[Option<Response>]) -> Option<String> {
        let counted = responses[..self.chosen.counted].iter().flatten();
        let hangs = counted
            .filter(|it| matches!(it.answer, Answer::Broke(Breakdown::Hang(_))))
            .count();
        (hangs >= TELLING).then(|| {
            format!(
                "the reader hung in {hangs} cases, each for {:?}; to shorten such runs, set a \
                 shorter `timeout` in the reader file",
                self.participant.reader.timeout
            )
        })
    }

    /// Returns the notes about constant answers, ignored output, timeouts, and contradictions
    /// between the reader file and the answers.
    pub(super) fn notes(&self, judge: &Judge<'_>, responses: &[Option<Response>]) -> Vec<String> {
        let reader = &self.participant.reader;
        let left_out = (0..self.chosen.counted).flat_map(|index| judge.left_out(index));
        let never: BTreeSet<&str> = left_out.map(|member| member.name.as_str()).collect();
        let mut notes: Vec<String> = self.constant(responses).into_iter().collect();
        notes.extend(self.stray(responses));
        notes.extend(self.hung(responses));
        if !never.is_empty() {
            let never: Vec<&str> = never.into_iter().collect();
            notes.push(format!(
                "members that the reader never reports are not compared: {}; with `reports: \
                 records` in the reader file, all members are required except those under `omits` \
                 ({LEFT_OUT})",
                first_of(&never, NAMED)
            ));
        }
        if self.config.criteria.filters.is_empty() {
            let unused = reader
                .unsupported
                .iter()
                .filter(|gap| !judge.shows_gap(gap));
            notes.extend(unused.map(|gap| {
                format!(
                    "the reader file declares the feature {gap} as unsupported, but the reader \
                     never reported this feature as unsupported"
                )
            }));
        }
        notes
    }
}

/// Returns a note about cases that were run again because the reader wrote unrequested output, such
/// as a second answer.
pub(super) fn unasked(cases: usize) -> Option<String> {
    (cases > 0).then(|| {
        format!(
            "the reader wrote output without a request, so {} that the same process had already \
             answered were run again, each in a fresh process; print exactly one closing line for \
             each request, and nothing after it",
            counted(cases, "case")
        )
    })
}

/// Finds a property that most failing valid traces but few passing traces have.
///
/// Readers rarely say where they stop, and there may be too many failing traces to examine each of
/// them. If a single rule distinguishes the failing traces, the rule is recorded in the results of
/// these traces.
pub(super) fn failing_alike(
    formats: &Formats,
    cases: &[&Case],
    results: &mut [CaseResult],
) -> Vec<String> {
    let mut notes = Vec::new();
    for plan in formats.plans() {
        let read = valid(cases, results, |it| {
            it.format == plan.format && it.outcome == Outcome::Pass
        });
        // Few runs need the properties of all these traces.
        let passed = LazyCell::new(|| Passed::new(plan, &read));
        for Way { does, outcomes } in WAYS {
            let wanted = |it: &CaseResult| {
                let is_new = it.known.is_none() && it.about_difference().is_empty();
                it.format == plan.format && outcomes.contains(&it.outcome) && is_new
            };
            let failed = valid(cases, results, wanted);
            if failed.is_empty() {
                continue;
            }
            let Some(common) = passed.common(&failed) else {
                continue;
            };
            if let Some(rule) = common.rule {
                set_apart(results, &failed, &plan.rules[rule].id);
            }
            notes.push(format!(
                "{} of the {} valid traces of {} that {does}, and {} of the {} that \
                 it reads correctly, {}",
                common.failed,
                failed.len(),
                plan.format,
                common.passed,
                read.len(),
                common.what
            ));
        }
        for (member, failed) in wrong_members(&plan.format, cases, results) {
            let common = || passed.common(&failed)?.rule;
            if let Some(rule) = passed.replaced_row(&failed, &member).or_else(common) {
                set_apart(results, &failed, &plan.rules[rule].id);
            }
        }
    }
    notes
}

/// Records the rule that distinguishes the failed cases in their results.
fn set_apart(results: &mut [CaseResult], failed: &[&Case], rule: &str) {
    let failed: HashSet<&str> = failed.iter().map(|it| it.id.as_str()).collect();
    let failed = |it: &&mut CaseResult| failed.contains(it.case.as_str());
    for found in results.iter_mut().filter(failed) {
        found.set_apart_by = Some(rule.to_owned());
    }
}

/// The maximum number of members for which the traces with a wrong value are examined.
const MOST_MEMBERS: usize = 8;

/// Returns the valid cases with wrong records, grouped by the path of the first member that differs.
/// The members that differ in the most cases come first.
fn wrong_members<'c>(
    format: &str,
    cases: &[&'c Case],
    results: &[CaseResult],
) -> Vec<(String, Vec<&'c Case>)> {
    let mut members: BTreeMap<String, usize> = BTreeMap::new();
    let member = |it: &CaseResult| {
        let difference = it.detail.as_deref()?.difference.as_ref()?;
        let is_wrong = it.outcome == Outcome::WrongRecords && it.known.is_none();
        (is_wrong && it.format == format).then(|| without_indices(&difference.path))
    };
    for result in results {
        if let Some(member) = member(result) {
            *members.entry(member).or_default() += 1;
        }
    }
    let mut members: Vec<(String, usize)> = members.into_iter().collect();
    members.sort_by_key(|(_, count)| Reverse(*count));
    let members = members.into_iter().take(MOST_MEMBERS);
    members
        .map(|(name, _)| {
            let failed = valid(cases, results, |it| member(it).as_deref() == Some(&*name));
            (name, failed)
        })
        .collect()
}

/// Returns the cases whose traces are valid and whose results satisfy `wanted`.
fn valid<'c>(
    cases: &[&'c Case],
    results: &[CaseResult],
    wanted: impl Fn(&CaseResult) -> bool,
) -> Vec<&'c Case> {
    let wanted = results.iter().filter(|it| wanted(it));
    let wanted: HashSet<&str> = wanted.map(|it| it.case.as_str()).collect();
    let valid = cases.iter().filter(|case| {
        case.expected.verdict == ExpectedVerdict::Accept && wanted.contains(case.id.as_str())
    });
    valid.copied().collect()
}
