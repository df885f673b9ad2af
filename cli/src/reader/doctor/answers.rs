//! Interprets the answers of an adapter, individually and together. Mistakes that the answers
//! reveal are added to the findings of the doctor.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;

use tracegauge_contain::Stop;
use tracegauge_corpus::case::{Case, ExpectedVerdict};
use tracegauge_protocol::reader_file::StatusMeaning;
use tracegauge_protocol::unfound;
use tracegauge_protocol::{Answer, signal_words};

use super::finding::{Findings, Mistake};
use super::lines::{Lines, lossy};
use super::talk::{End, Heard};

/// The verdict of an adapter on a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Accept,
    Reject,
    Unsupported(String),
}

impl Said {
    fn of(answer: &Answer) -> Option<Self> {
        match answer {
            Answer::Accept => Some(Self::Accept),
            Answer::Reject(_) => Some(Self::Reject),
            Answer::Unsupported { feature } => {
                Some(Self::Unsupported(feature.clone().unwrap_or_default()))
            }
            Answer::Broke(_) => None,
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Unsupported(_) => "unsupported",
        }
    }
}

/// The answer to a case.
#[derive(Clone, Debug)]
pub(super) struct Given<'c> {
    pub(super) case: &'c Case,
    pub(super) said: Option<Said>,
    pub(super) lines: Lines,
    /// In `once` mode: the exit status of the process, and whether it wrote to standard error.
    pub(super) status: Option<(i32, bool)>,
}

/// Interprets an answer in `serve` mode. Adds a finding if there is no answer.
pub(super) fn served<'c>(
    case: &'c Case,
    heard: &Heard,
    lines: Lines,
    findings: &mut Findings,
) -> Given<'c> {
    let said = lines.closing.as_ref().and_then(Said::of);
    if said.is_none() && !lines.is_broken {
        note_end(&heard.end, &heard.stderr, &case.id, findings);
    }
    Given {
        case,
        said,
        lines,
        status: None,
    }
}

/// Interprets an answer in `once` mode. Adds a finding if there is no answer.
pub(super) fn once<'c>(
    case: &'c Case,
    heard: &Heard,
    lines: Lines,
    statuses: &BTreeMap<i32, StatusMeaning>,
    findings: &mut Findings,
) -> Given<'c> {
    let code = match heard.end {
        End::Exited(status) => status.code(),
        End::Closed | End::Stopped(_) => None,
    };
    let closing = lines.closing.as_ref().and_then(Said::of);
    let closing_is_there = closing.is_some();
    let said = match code.map(|code| (code, statuses.get(&code))) {
        Some((0 | 65, _)) if closing.is_some() => closing,
        Some((_, Some(StatusMeaning::Accept)) | (0, None)) => Some(Said::Accept),
        Some((_, Some(StatusMeaning::Reject)) | (1 | 65, None)) => Some(Said::Reject),
        Some((_, Some(StatusMeaning::Unsupported)) | (69, None)) => {
            let said = closing.filter(|said| matches!(said, Said::Unsupported(_)));
            said.or_else(|| Some(Said::Unsupported(String::new())))
        }
        Some((_, Some(StatusMeaning::Crash) | None)) | None => None,
    };
    // Interpreters exit with 1 if they cannot find a module, which is not a rejection.
    let said = said.filter(|_| {
        closing_is_there || code == Some(0) || unfound::module(&heard.stderr).is_none()
    });
    if said.is_none() {
        note_end(&heard.end, &heard.stderr, &case.id, findings);
    }
    let complained = !heard.stderr.trim().is_empty();
    Given {
        case,
        said,
        lines,
        status: code.map(|code| (code, complained)),
    }
}

/// Adds a finding for a process that ended instead of answering.
pub(super) fn note_end(end: &End, stderr: &str, case: &str, findings: &mut Findings) {
    let mistake = match end {
        End::Closed => return,
        End::Exited(status) if status.signal().is_some() => Mistake::Killed,
        End::Exited(_) => Mistake::Dies,
        End::Stopped(Stop::TimeUp) => Mistake::NoAnswer,
        End::Stopped(Stop::OutOfMemory(_) | Stop::Flood(_)) => Mistake::TooMuch,
    };
    let mut saw = how(end);
    if mistake == Mistake::Dies
        && let Some(line) = unfound::file(stderr)
    {
        return findings.note(Mistake::HiddenFile, Some(case), line);
    }
    if let Some(last) = stderr.lines().rev().find(|line| !line.trim().is_empty()) {
        saw += &format!("; on standard error: {}", last.trim());
    }
    findings.note(mistake, Some(case), saw);
}

/// Describes how a section of the output (the part before the first request, or an answer) ended.
pub(super) fn how(end: &End) -> String {
    match end {
        End::Closed => "it gave an answer".to_owned(),
        End::Exited(status) => match (status.signal(), status.code()) {
            (Some(signal), _) => format!("the process was killed by {}", signal_words(signal)),
            (None, code) => format!("the process ended with status {}", code.unwrap_or(-1)),
        },
        End::Stopped(Stop::TimeUp) => {
            "the process wrote nothing more before the timeout".to_owned()
        }
        End::Stopped(Stop::OutOfMemory(bytes)) => format!(
            "the process used {} MiB of resident memory and was killed",
            bytes.div_ceil(1 << 20)
        ),
        End::Stopped(Stop::Flood(_)) => {
            "the process wrote too much output and was killed".to_owned()
        }
    }
}

/// Finds mistakes that become apparent only when all answers to the cases of `format` are compared.
pub(super) fn check(
    given: &[Given<'_>],
    format: &str,
    statuses: &BTreeMap<i32, StatusMeaning>,
    findings: &mut Findings,
) {
    constant(given, format, findings);
    if !statuses.contains_key(&1) {
        for one in given {
            if matches!(one.status, Some((1, _))) && one.said == Some(Said::Reject) {
                findings.note(Mistake::ExitOne, Some(&one.case.id), "");
            }
        }
    }
    silent_rejections(given, findings);
    if !findings.has(Mistake::ExitZero) {
        accepting(given, format, findings);
    }
}

/// Adds a finding if the adapter reports errors on standard error but does not reject the traces
/// that caused these errors.
fn silent_rejections(given: &[Given<'_>], findings: &mut Findings) {
    // If the reader writes to standard error for valid traces too, the output is not an error
    // message.
    let complains = |one: &&Given<'_>| matches!(one.status, Some((_, true)));
    let of = |verdict: ExpectedVerdict| {
        given
            .iter()
            .filter(move |one| one.case.expected.verdict == verdict)
    };
    if of(ExpectedVerdict::Accept).any(|one| complains(&one)) {
        return;
    }
    for one in of(ExpectedVerdict::Reject).filter(complains) {
        if matches!(one.status, Some((0, _))) && one.lines.closing.is_none() {
            findings.note(Mistake::ExitZero, Some(&one.case.id), "");
        }
    }
}

/// Adds a finding if a reader that reports records accepts every malformed trace. The empty file is
/// excluded, because it says little about a reader.
fn accepting(given: &[Given<'_>], format: &str, findings: &mut Findings) {
    let of = |verdict: ExpectedVerdict| {
        let of = move |one: &&Given<'_>| one.case.expected.verdict == verdict;
        given.iter().filter(|one| one.said.is_some()).filter(of)
    };
    let malformed: Vec<_> = of(ExpectedVerdict::Reject)
        .filter(|one| !one.case.bytes.is_empty())
        .collect();
    let accepts = |one: &&Given<'_>| one.said == Some(Said::Accept);
    let reads =
        of(ExpectedVerdict::Accept).any(|one| accepts(&one) && !one.lines.records.is_empty());
    if malformed.len() < 2 || !reads || !malformed.iter().all(accepts) {
        return;
    }
    let saw = format!(
        "the program accepted {} of {} malformed traces of {format}",
        malformed.len(),
        malformed.len()
    );
    let first = malformed.first().map(|one| one.case.id.as_str());
    findings.note(Mistake::AcceptsEverything, first, saw);
}

fn constant(given: &[Given<'_>], format: &str, findings: &mut Findings) {
    let said: Vec<&Said> = given.iter().filter_map(|one| one.said.as_ref()).collect();
    let wants = |verdict| {
        given
            .iter()
            .any(|one| one.said.is_some() && one.case.expected.verdict == verdict)
    };
    let both = wants(ExpectedVerdict::Accept) && wants(ExpectedVerdict::Reject);
    let (Some(first), true) = (said.first(), both) else {
        return;
    };
    // An adapter that always gives the same verdict but reports records does read the traces, so it
    // is not reported as an unfinished adapter.
    let reads = given.iter().any(|one| !one.lines.records.is_empty());
    if reads || said.iter().any(|other| other.word() != first.word()) {
        return;
    }
    let all = format!(
        "{} traces of {format}, valid and malformed: {}",
        said.len(),
        first.word()
    );
    match first {
        Said::Unsupported(feature) if feature.contains(format) => {
            findings.note(
                Mistake::UndeclaredFormat,
                None,
                format!("{format}: {feature}"),
            );
        }
        Said::Unsupported(feature) if !feature.is_empty() => {
            findings.note(Mistake::ConstantAnswer, None, format!("{all}, {feature}"));
        }
        _ => findings.note(Mistake::ConstantAnswer, None, all),
    }
}

/// Compares the answers of processes that read one case each with those of a process that reads all
/// cases, and adds a finding for each difference.
pub(super) fn compare(
    alone: &[Given<'_>],
    together: &[Heard],
    rest: &[Vec<u8>],
    findings: &mut Findings,
) {
    for (index, (given, heard)) in alone.iter().zip(together).enumerate() {
        if given.said.is_none() || given.lines.is_broken {
            continue;
        }
        let case = Some(given.case.id.as_str());
        if heard.end != End::Closed {
            let how = how(&heard.end);
            let mistake = if index == 1 {
                Mistake::FirstRequestOnly
            } else {
                Mistake::Remembers
            };
            return findings.note(mistake, case, how);
        }
        let mut unheard = Findings::default();
        let lines = super::lines::read(heard, &given.case.id, &[], &mut unheard);
        let same = lines.records == given.lines.records && lines.closing == given.lines.closing;
        if !same && !lines.is_broken {
            let last = heard.lines.last().map(|line| lossy(line));
            findings.note(Mistake::Remembers, case, last.unwrap_or_default());
        }
    }
    if let Some(line) = rest.first() {
        findings.note(Mistake::AfterClosing, None, lossy(line));
    }
}
