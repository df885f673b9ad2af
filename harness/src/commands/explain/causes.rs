//! Finds mistakes in readers that would explain their failures.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Display;
use std::io::Write;

use tracegauge_corpus::case::{Case, ExpectedVerdict};
use tracegauge_corpus::commands::CommandError;
use tracegauge_corpus::mutation_score::{Cause, Outcome as Seen, Wrong, causes, common};
use tracegauge_corpus::progress::Messages;
use tracegauge_corpus::suite::Suite;
use tracegauge_reports::model::{CaseResult, ReaderResult, RunResult};
use tracegauge_reports::outcome::Outcome;
use tracegauge_reports::text::{anywhere, counted, first_of};
use tracegauge_spec::bundled::in_checkout;
use tracegauge_spec::plan::Plan;

use super::super::one_line;
use super::leftover::{self, Leftover};
use super::reader_name;
use crate::compare::other_than_pairs;
use crate::judge::{Oracle, parting};

/// The message that replaces all explanations if a reader keeps state between traces.
const REMEMBERS: &str = "  the reader keeps state from one trace to the next: a new process answers \
                         differently. The resulting failures look like other mistakes, so fix this \
                         first, or use `mode: once`, which starts a process for each trace";

/// Maximum number of mistakes named for each reader and format.
const NAMED: usize = 6;
/// Maximum number of cases listed for each mistake.
const CASES: usize = 3;
/// If mistakes in at least this many fields explain the same failures, none of the fields is named.
const MANY: usize = 3;

/// The formats in which a reader of `runs` fails.
pub(super) fn formats(runs: &[RunResult]) -> BTreeSet<String> {
    let readers = runs.iter().flat_map(|run| &run.readers);
    let cases = readers.flat_map(|reader| &reader.cases);
    let failing = cases.filter(|case| case.outcome.is_failure());
    failing.map(|case| case.format.clone()).collect()
}

/// Explains the failures of `runs`. `asked` returns whether the user selected a format.
pub(super) fn explain(
    suite: &Suite,
    runs: &[RunResult],
    asked: &dyn Fn(&str) -> bool,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<(), CommandError> {
    let mut nothing = true;
    let none = HashSet::new();
    for reader in runs.iter().flat_map(|run| &run.readers) {
        for plan in suite.formats.plans() {
            let answers = Answers::of(suite, reader, &plan.format);
            let failing = answers.failing();
            if failing.is_empty() {
                continue;
            }
            if !std::mem::take(&mut nothing) {
                writeln!(out)?;
            }
            let name = reader_name(&reader.reader.name, reader.reader.version.as_deref());
            let count = counted(failing.len(), "case");
            writeln!(out, "{name} fails {count} of {}", plan.format)?;
            if reader.tail.remembers {
                writeln!(out, "{REMEMBERS}")?;
                continue;
            }
            let mut found = causes(plan, &answers.seen, &Oracle, NAMED, messages.progress);
            // A property shared by all wrongly rejected traces, and by none that the reader
            // accepts, is a better explanation than a mutant that rejects only some of them.
            let alike = answers.rejected_alike(plan);
            let rejected = alike.as_ref().map_or(&none, |(ids, _)| ids);
            found.retain(|cause| {
                let is_part = |id: &String| rejected.contains(id.as_str());
                cause.same > 0
                    || cause.explains.len() >= rejected.len()
                    || !cause.explains.iter().all(is_part)
            });
            let common = alike.as_ref().map(|(ids, what)| (ids.len(), what.as_str()));
            write((suite, plan), &answers, (&found, common), out)?;
        }
    }
    let unknown = unknown(suite, runs, asked);
    let formats = || {
        let formats: BTreeSet<&String> = unknown.iter().map(|case| &case.format).collect();
        formats.into_iter().cloned().collect::<Vec<String>>()
    };
    match (nothing, unknown.is_empty()) {
        (true, true) => writeln!(out, "no reader of the results fails a case of this corpus")?,
        (true, false) => return Err(CommandError::OtherCorpus(formats())),
        (false, true) => {}
        (false, false) => {
            let formats = formats().join(", ");
            let count = unknown.len();
            writeln!(
                out,
                "\n{count} more cases of {formats} fail, but this corpus does not contain them or \
                 contains another version of them"
            )?;
        }
    }
    Ok(())
}

fn write(
    (suite, plan): (&Suite, &Plan),
    answers: &Answers<'_>,
    (found, common): (&[Cause], Option<(usize, &str)>),
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let mut left = answers.failing();
    for ((path, wanted, came), cases) in &answers.shapes {
        writeln!(
            out,
            "  {}: as if the reader writes `{path}` as {came} instead of {wanted}",
            counted(cases.len(), "case")
        )?;
        some(cases, CASES, out)?;
        left.retain(|case| !cases.contains(case));
    }
    let explained: BTreeSet<&String> = found.iter().flat_map(|cause| &cause.explains).collect();
    left.retain(|case| !explained.contains(&(*case).to_owned()));
    // Start with the largest group of failures, whether or not a mistake explains it.
    let most = found.iter().map(|cause| cause.explains.len()).max();
    let is_most = most.is_none_or(|most| left.len() > most);
    if is_most {
        write_left((suite, plan), answers, &left, out)?;
    }
    for cause in found {
        let is_all =
            |(rejected, _): &(usize, &str)| cause.same == 0 && cause.explains.len() == *rejected;
        write_cause(cause, common.filter(is_all).map(|(_, what)| what), out)?;
    }
    if !is_most {
        write_left((suite, plan), answers, &left, out)?;
    }
    Ok(())
}

/// Prints a mistake and the failures that it explains.
fn write_cause(
    cause: &Cause,
    common: Option<&str>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let explained = cause.explains.len();
    let count = counted(explained, "case");
    let place = somewhere(cause);
    match &place {
        Some(place) => write!(
            out,
            "  {count}: as if the reader misreads something in {place}"
        )?,
        None => write!(out, "  {count}: as if the reader {}", cause.does)?,
    }
    match cause.same {
        0 => {}
        same if same == explained => write!(out, "; with the same wrong records")?,
        same => write!(out, "; with the same wrong records in {same} of them")?,
    }
    match cause.contradicted.len() {
        0 => writeln!(out)?,
        1 => writeln!(
            out,
            "; only a near match, because the reader passes 1 case that this mistake would fail"
        )?,
        more => writeln!(
            out,
            "; only a near match, because the reader passes {more} cases that this mistake would fail"
        )?,
    }
    match place {
        Some(_) => writeln!(
            out,
            "      for example, it {}: {}",
            cause.does, cause.mutant
        )?,
        None => writeln!(out, "      {}", cause.mutant)?,
    }
    if let Some(common) = common {
        writeln!(
            out,
            "      all of these traces, and no valid trace that the reader passes, {common}"
        )?;
    }
    if !cause.described.is_empty() {
        let places: Vec<String> = cause.described.iter().map(|place| opened(place)).collect();
        writeln!(out, "      {}", first_of(&places, CASES))?;
    }
    for (mutant, does) in cause.as_good.iter().take(CASES) {
        writeln!(out, "      or it {does}: {mutant}")?;
    }
    if cause.as_good.len() > CASES {
        let more = cause.as_good.len() - CASES;
        writeln!(
            out,
            "      or one of {more} more mistakes with the same failures"
        )?;
    }
    some(&cause.explains, CASES, out)
}

/// Prints the failures that no single mistake explains.
fn write_left(
    (suite, plan): (&Suite, &Plan),
    answers: &Answers<'_>,
    left: &[&str],
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    if !left.is_empty() {
        let count = counted(left.len(), "case");
        writeln!(out, "  {count}: not explained by any single known mistake")?;
        let left: Vec<&CaseResult> = left
            .iter()
            .filter_map(|id| answers.found.get(*id))
            .copied()
            .collect();
        let passed = answers.valid_and_passed();
        leftover::write(
            &Leftover {
                plan,
                suite,
                left,
                passed,
            },
            out,
        )?;
    }
    Ok(())
}

/// Prints the first of `cases`, and how many more there are.
pub(super) fn some(
    cases: &[impl Display],
    most: usize,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    for case in cases.iter().take(most) {
        writeln!(out, "      {case}")?;
    }
    if cases.len() > most {
        writeln!(out, "      … and {} more", cases.len() - most)?;
    }
    Ok(())
}

/// The common beginning of the paths of several fields, if mistakes in at least `MANY` fields
/// explain the failures equally well, so that naming one field would be a guess. Any mistake after
/// which a reader decodes the rest of a record at the wrong offset causes the same failures.
fn somewhere(cause: &Cause) -> Option<String> {
    let others = cause.as_good.iter().map(|(mutant, _)| mutant.as_str());
    let places: BTreeSet<&str> = others.chain([cause.mutant.as_str()]).map(place).collect();
    if places.len() < MANY {
        return None;
    }
    let mut places = places.into_iter();
    let first: Vec<&str> = places.next()?.split('.').collect();
    let common = places.fold(first.len(), |common, place| {
        let same = first.iter().zip(place.split('.'));
        common.min(same.take_while(|(one, other)| **one == *other).count())
    });
    (0 < common && common < first.len()).then(|| first[..common].join("."))
}

/// The field of a mutant, whose name has the form `operator@field/detail`.
fn place(mutant: &str) -> &str {
    let field = mutant.split_once('@').map_or(mutant, |(_, field)| field);
    field.split('/').next().unwrap_or(field)
}

/// The file and line of a place. For a bundled description in a checkout, the path can be opened.
pub(super) fn opened(place: &str) -> String {
    let split = place.rsplit_once(':');
    let known = split.and_then(|(file, line)| Some((in_checkout(file)?, line)));
    known.map_or(place.to_owned(), |(file, line)| format!("{file}:{line}"))
}

/// The cases that a reader fails and that the corpus does not contain in the version that the
/// result names.
fn unknown<'r>(
    suite: &Suite,
    runs: &'r [RunResult],
    asked: &dyn Fn(&str) -> bool,
) -> Vec<&'r CaseResult> {
    let readers = runs.iter().flat_map(|run| &run.readers);
    let cases = readers.flat_map(|reader| &reader.cases);
    let failing = cases.filter(|case| case.outcome.is_failure() && asked(&case.format));
    failing.filter(|case| same(suite, case).is_none()).collect()
}

/// The case that a result is about, if the corpus has the same version.
fn same<'s>(suite: &'s Suite, found: &CaseResult) -> Option<&'s Case> {
    let case = suite.case(&found.case)?;
    (case.version == found.version).then_some(case)
}

/// The answers of a reader to the cases of a format.
struct Answers<'s> {
    /// The result of each case.
    found: HashMap<&'s str, &'s CaseResult>,
    /// The outcomes that are compared with those of mutants.
    seen: Vec<Seen<'s>>,
    /// Cases in which a reader writes pairs in another JSON shape, by member, expected shape and
    /// actual shape. The values inside cannot be compared.
    shapes: BTreeMap<(String, String, String), Vec<&'s str>>,
}

impl<'s> Answers<'s> {
    fn of(suite: &'s Suite, reader: &'s ReaderResult, format: &str) -> Self {
        let (mut seen, mut shapes) = (Vec::new(), BTreeMap::<_, Vec<&str>>::new());
        let mut all = HashMap::new();
        for found in reader.cases.iter().filter(|found| found.format == format) {
            let Some(case) = same(suite, found) else {
                continue;
            };
            all.insert(case.id.as_str(), found);
            let difference = found.detail.as_ref().and_then(|it| it.difference.as_ref());
            let records = difference.filter(|_| found.outcome == Outcome::WrongRecords);
            let shape = records.and_then(|it| Some((&it.path, other_than_pairs(it)?)));
            if let Some((path, (wanted, came))) = shape {
                let key = (anywhere(path), wanted.to_owned(), one_line(came));
                shapes.entry(key).or_default().push(&case.id);
                continue;
            }
            let wrong = match found.outcome {
                Outcome::Pass | Outcome::Unsupported => None,
                Outcome::WrongRecords => Some(Wrong::Records),
                Outcome::WrongReject | Outcome::WrongAccept => Some(Wrong::Verdict),
                // No mutant crashes.
                _ => Some(Wrong::Endless),
            };
            seen.push(Seen {
                case,
                wrong,
                parting: difference.map(parting),
            });
        }
        Self {
            found: all,
            seen,
            shapes,
        }
    }

    /// The valid traces that the reader passes.
    fn valid_and_passed(&self) -> Vec<&'s Case> {
        let passed = self.seen.iter().filter(|seen| seen.wrong.is_none());
        let cases = passed.map(|seen| seen.case);
        cases
            .filter(|case| case.expected.verdict == ExpectedVerdict::Accept)
            .collect()
    }

    /// Describes a property of the valid traces that the reader rejects without reporting wrong
    /// records first, if all of them have it and no valid trace that the reader passes does.
    /// Returns the names of these traces as well.
    fn rejected_alike(&self, plan: &Plan) -> Option<(HashSet<&'s str>, String)> {
        let rejected = self.seen.iter().filter(|seen| {
            let found = self.found.get(seen.case.id.as_str());
            found.is_some_and(|it| {
                it.outcome == Outcome::WrongReject && it.about_difference().is_empty()
            })
        });
        let rejected: Vec<&Case> = rejected.map(|seen| seen.case).collect();
        let common = common(plan, &rejected, &self.valid_and_passed())?;
        let is_exact = common.failed == rejected.len() && common.passed == 0;
        let ids = rejected.iter().map(|case| case.id.as_str());
        is_exact.then(|| (ids.collect(), common.what))
    }

    /// The cases that the reader fails.
    fn failing(&self) -> Vec<&'s str> {
        let wrong = self.seen.iter().filter(|seen| seen.wrong.is_some());
        let shapes = self.shapes.values().flatten().copied();
        wrong
            .map(|seen| seen.case.id.as_str())
            .chain(shapes)
            .collect()
    }
}
