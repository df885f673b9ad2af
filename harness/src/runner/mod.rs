//! Runs readers one after another and sends the events of the run to a sink.

mod notes;
mod planted;
mod repeat;
mod rules;
mod suspects;

pub use planted::OracleReports;
pub use rules::rule_info;

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tracegauge_contain::{Containment, Limits};
use tracegauge_corpus::case::{Case, Source};
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::pattern::Pattern;
use tracegauge_corpus::store::Store;
use tracegauge_judge::baseline::{Applied, Baseline, Extent};
use tracegauge_judge::compare::{Reporting, Tally};
use tracegauge_judge::{Judge, Reported, Response, Strictness};
use tracegauge_protocol::Greeting;
use tracegauge_protocol::reader_file::{Launch, LaunchError, Mode, ReaderFile, Reports};
use tracegauge_results::{
    CaseResult, Event, NotRun, ReaderInfo, ReaderState, ReaderTail, RuleInfo, RunHead, Selection,
    Sink,
};

use crate::containment;
use crate::journal::{Journal, Journals};
use crate::origin::{locate, locate_rules};
use crate::schedule::{
    Answers, Assignment, Chosen, Criteria, Files, Seed, TimeLimit, choose, more_time,
    run as schedule, sample,
};
use crate::written::written;

/// The configuration of a run.
#[derive(Debug)]
pub struct Config<'c> {
    /// The criteria for selecting cases.
    pub criteria: Criteria,
    /// How strictly violations of recommendations are judged.
    pub strictness: Strictness,
    /// The number of workers.
    pub jobs: usize,
    /// The resource limits for a case. The time and memory limits in the reader file take
    /// precedence.
    pub limits: Limits,
    /// A flag that is set when the run should end early.
    pub stop: &'c AtomicBool,
    /// The time limit for the run, counted from its start.
    pub time: &'c TimeLimit,
    /// The seed for the order of the cases and for the names that readers see. A resumed run uses
    /// the seed in its journal instead.
    pub seed: Seed,
    /// The number of cases to run again, for example in another order or time zone, to find answers
    /// that are not repeatable.
    pub repeat: usize,
    /// The settings for journals, which store answers until the run is complete.
    pub journals: Option<Journals>,
    /// The formats of the cases, which are used to locate wrong records in the trace and to find
    /// the rules that apply to them.
    pub formats: Option<&'c Formats>,
}

/// A reader that takes part in a run, with its list of known failures.
#[derive(Clone, Debug)]
pub struct Participant {
    /// The reader.
    pub reader: ReaderFile,
    /// The list of known failures and its path.
    pub baseline: Option<(PathBuf, Baseline)>,
}

/// An error that prevents a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunError {
    /// Scratch folders cannot be created.
    Contain(io::Error),
    /// The trace files of the cases cannot be written.
    Files(io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Contain(error) => write!(f, "cannot create a scratch folder: {error}"),
            Self::Files(error) => write!(f, "cannot write the cases to files: {error}"),
        }
    }
}

impl std::error::Error for RunError {}

/// Runs each of `participants` on the `cases` selected by `config`.
///
/// # Errors
/// Returns an error if temporary files cannot be written. A reader that cannot run is not an error
/// but is reported to the sink.
pub fn run(
    config: &Config<'_>,
    cases: &[Case],
    rules: &[RuleInfo],
    participants: &[Participant],
    sink: &mut dyn Sink,
) -> Result<(), RunError> {
    let containment = containment::begin().map_err(RunError::Contain)?;
    let files = Files::for_jobs(config.jobs, cases.iter()).map_err(RunError::Files)?;
    let chosen = |it: &Participant| choose(cases, &config.criteria, &it.reader).cases;
    let chosen: Vec<&Case> = participants.iter().flat_map(chosen).collect();
    let more = chosen.iter().map(|case| more_time(case)).sum();
    config.time.begin(chosen.len(), more);
    sink.event(&Event::RunStarted(&head(config, cases, rules)));
    for participant in participants {
        let chosen = choose(cases, &config.criteria, &participant.reader);
        let heat = ReaderRun {
            config,
            rules,
            participant,
            chosen,
            containment: &containment,
        };
        heat.run(&files, sink);
    }
    sink.event(&Event::RunFinished);
    Ok(())
}

fn head(config: &Config<'_>, cases: &[Case], rules: &[RuleInfo]) -> RunHead {
    let criteria = &config.criteria;
    // All rules of the formats are included, because a reader may violate rules that are not the
    // main rule of any case.
    let formats: BTreeSet<&str> = cases.iter().map(|case| case.format.as_str()).collect();
    let named = |rule: &&RuleInfo| {
        let mut formats = formats.iter();
        formats.any(|format| RuleInfo::find(rules, &rule.id, format) == Some(rule))
    };
    RunHead {
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        selection: Selection {
            formats: criteria.formats.clone(),
            filters: texts(&criteria.filters),
            with: texts(&criteria.departures.with),
            without: texts(&criteria.departures.without),
            shard: criteria.shard.map(|shard| shard.to_string()),
            strict: config.strictness == Strictness::Strict,
        },
        rules: rules.iter().filter(named).cloned().collect(),
        corpus: Some(fingerprint(cases)),
        written: written(&Store::nearest(), cases),
    }
}

fn texts(patterns: &[Pattern]) -> Vec<String> {
    patterns.iter().map(ToString::to_string).collect()
}

/// Returns a fingerprint of all cases and their versions, including cases that are not run.
fn fingerprint(cases: &[Case]) -> String {
    let mut hasher = blake3::Hasher::new();
    // Huge cases are made for one run and are no part of the corpus.
    let is_kept = |case: &&Case| case.provenance.source != Source::Huge;
    for case in cases.iter().filter(is_kept) {
        for part in [case.id.as_bytes(), &case.version.to_le_bytes(), &case.bytes] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Closes a journal and returns notes for the report. The journal is deleted if all selected cases
/// were run and it contains no answers to other cases that a later run could reuse.
fn kept(journal: Journal, answers: &Answers, cases: &[&Case]) -> Vec<String> {
    let mut notes = Vec::new();
    if answers.resumed > 0 {
        let resumed = answers.resumed;
        notes.push(format!(
            "{resumed} answers are reused from an earlier, interrupted run"
        ));
    }
    if let Some(error) = journal.failure() {
        notes.push(unsaved(error));
    }
    if answers.responses.iter().all(Option::is_some) && journal.is_about(cases) {
        journal.done();
    }
    notes
}

/// Returns a note saying that the journal could not be written.
fn unsaved(error: &io::Error) -> String {
    format!("the answers of this run are not saved for --resume: {error}")
}

/// The run of one reader.
struct ReaderRun<'h> {
    config: &'h Config<'h>,
    rules: &'h [RuleInfo],
    participant: &'h Participant,
    chosen: Chosen<'h>,
    containment: &'h Containment,
}

/// The parameters for starting a prepared reader and presenting the cases to it.
#[derive(Clone, Copy)]
struct Material<'m> {
    launch: &'m Launch,
    files: &'m Files,
    seed: Seed,
}

impl ReaderRun<'_> {
    fn run(&self, files: &Files, sink: &mut dyn Sink) {
        let reader = self.info(None);
        let launch = match self.prepare() {
            Ok(launch) => launch,
            Err(state) => {
                return sink.event(&Event::ReaderLeftOut {
                    reader: &reader,
                    state: &state,
                });
            }
        };
        let planned = self.chosen.counted;
        let support = self.chosen.cases.len() - planned;
        sink.event(&Event::ReaderStarted {
            reader: &reader,
            planned,
            support,
        });
        let started = Instant::now();
        let journals = self.config.journals.as_ref();
        let opened = journals
            .map(|journals| journals.open(&self.participant.reader, &launch, self.config.seed));
        let (mut journal, unsaved) = match opened {
            Some(Ok(journal)) => (Some(journal), None),
            Some(Err(error)) => (None, Some(unsaved(&error))),
            None => (None, None),
        };
        let seed = journal.as_ref().map_or(self.config.seed, Journal::seed);
        let material = Material {
            launch: &launch,
            files,
            seed,
        };
        let mut answers = self.ask(&material, journal.as_mut(), sink);
        let reported = self.reported(&answers.responses);
        for (case, response) in self.chosen.cases.iter().zip(&mut answers.responses) {
            response
                .iter_mut()
                .for_each(|it| reported.hold(&case.format, it));
        }
        let reader = self.info(answers.greeting.as_ref());
        let (results, mut tail) = self.judge(&answers.responses);
        let remembers = self.remembers(&material, &answers.responses, &reported);
        tail.seed = Some(seed.number());
        tail.repeated = self.repeat(&material, &answers.responses, (&reported, &results));
        tail.remembers = remembers.as_ref().is_some_and(|it| it.is_all);
        tail.notes.extend(remembers.map(|it| it.note));
        tail.notes.extend(unsaved);
        if let Some(journal) = journal {
            tail.notes
                .extend(kept(journal, &answers, &self.chosen.cases));
        }
        tail.crashes = answers.loose.iter().map(ToString::to_string).collect();
        let cases = &self.chosen.cases;
        tail.crashes
            .extend(notes::lost(cases.iter().zip(&answers.responses)));
        tail.notes.extend(answers.believed);
        tail.notes.extend(notes::unasked(answers.unasked));
        tail.not_run.why = answers.gave_up.filter(|_| tail.not_run.cases > 0);
        tail.seconds = started.elapsed().as_secs_f64();
        let state = match (&tail.not_run.why, answers.started) {
            (Some(why), false) => ReaderState::Failed(why.clone()),
            _ => ReaderState::Ran,
        };
        for result in &results {
            sink.event(&Event::CaseJudged(result));
        }
        sink.event(&Event::ReaderFinished {
            reader: &reader,
            state: &state,
            tail: &tail,
        });
    }

    /// Prepares the reader, or returns the reason why it cannot run.
    fn prepare(&self) -> Result<Launch, ReaderState> {
        if self.chosen.counted == 0 {
            let why = ReaderState::NOTHING_FOR_IT.to_owned();
            return Err(ReaderState::Skipped(why));
        }
        self.participant
            .reader
            .prepare()
            .map_err(|error| match error {
                LaunchError::Requires(_) => ReaderState::Skipped(error.to_string()),
                _ => ReaderState::Failed(error.to_string()),
            })
    }

    fn ask(
        &self,
        material: &Material<'_>,
        journal: Option<&mut Journal>,
        sink: &mut dyn Sink,
    ) -> Answers {
        let reader = &self.participant.reader;
        let reporting = Reporting::of(reader);
        let assignment = self.assignment(material, &reporting);
        schedule(&assignment, journal, &mut |case, response| {
            let fails = tracegauge_judge::fails(case, response, &reader.unsupported);
            sink.event(&Event::CaseAnswered { fails });
        })
    }

    fn assignment<'a>(
        &'a self,
        material: &Material<'a>,
        reporting: &'a Reporting,
    ) -> Assignment<'a> {
        Assignment {
            launch: material.launch,
            reports: self.participant.reader.reports,
            reporting,
            containment: self.containment,
            limits: self.limits(),
            cases: &self.chosen.cases,
            files: material.files,
            seed: material.seed,
            jobs: self.config.jobs,
            stop: self.config.stop,
            time: self.config.time,
        }
    }

    /// Finds out which members the reader reports, if its reader file does not declare them. The
    /// members are collected from the answers to a fixed sample of cases, which run even if the
    /// user selects other cases.
    fn reported(&self, responses: &[Option<Response>]) -> Reported {
        let mut reported = Reported::default();
        if self.participant.reader.reports != Reports::Unknown {
            return reported;
        }
        let cases = &self.chosen.cases;
        let sample = sample(cases.iter().copied());
        let sample: HashSet<&str> = sample.iter().map(|case| case.id.as_str()).collect();
        for (case, response) in cases.iter().zip(responses) {
            if let Some(response) = response
                .as_ref()
                .filter(|_| sample.contains(case.id.as_str()))
            {
                reported.take_in(&case.format, response);
            }
        }
        reported
    }

    fn limits(&self) -> Limits {
        let ReaderFile {
            timeout, memory, ..
        } = self.participant.reader;
        Limits {
            timeout,
            memory,
            ..self.config.limits
        }
    }

    fn info(&self, greeting: Option<&Greeting>) -> ReaderInfo {
        let baseline = self.participant.baseline.as_ref();
        let baseline = baseline.map(|(path, _)| path.as_path());
        reader_info(&self.participant.reader, baseline, greeting)
    }

    /// Returns the judge of the responses to all cases.
    fn judge_of<'r>(&'r self, responses: &'r [Option<Response>]) -> Judge<'r> {
        let cases = &self.chosen.cases;
        let unsupported = &self.participant.reader.unsupported;
        let strictness = self.config.strictness;
        Judge::new(cases, responses, self.rules, unsupported, strictness)
            .knowing(self.config.formats)
    }

    fn judge(&self, responses: &[Option<Response>]) -> (Vec<CaseResult>, ReaderTail) {
        let cases = &self.chosen.cases;
        let judge = self.judge_of(responses);
        let counted = 0..self.chosen.counted;
        let mut results: Vec<CaseResult> = counted
            .clone()
            .filter_map(|index| judge.result(index))
            .collect();
        let mut tally = Tally::default();
        counted
            .clone()
            .for_each(|index| tally.add(&judge.tally(index)));
        if let Some(formats) = self.config.formats {
            locate(&mut results, cases, formats);
        }
        let listed = match &self.participant.baseline {
            Some((_, baseline)) => baseline.apply(&mut results, self.extent(responses)),
            None => Applied::default(),
        };
        let is_part = self.config.criteria.is_part_of_formats();
        let formats = judge.formats(counted, &results, is_part);
        let mut notes = self.notes(&judge, responses);
        if let Some(formats) = self.config.formats {
            let counted = &cases[..self.chosen.counted];
            notes.extend(notes::failing_alike(formats, counted, &mut results));
            suspects::suspect(formats, counted, &mut results);
            locate_rules(&mut results, cases, formats);
        }
        let tail = ReaderTail {
            containment: containment::measures(self.containment, &self.limits()),
            observed: tally.into(),
            not_run: NotRun {
                cases: responses[..self.chosen.counted]
                    .iter()
                    .filter(|r| r.is_none())
                    .count(),
                why: None,
            },
            support: cases.len() - self.chosen.counted,
            baseline_problems: listed.problems,
            unexplained: listed.unexplained,
            remembers: false,
            crashes: Vec::new(),
            formats,
            notes,
            repeated: None,
            seed: None,
            seconds: 0.0,
        };
        (results, tail)
    }

    fn extent(&self, responses: &[Option<Response>]) -> Extent {
        let Criteria {
            formats,
            filters,
            departures,
            shard,
        } = &self.config.criteria;
        let is_whole =
            formats.is_empty() && filters.is_empty() && departures.is_empty() && shard.is_none();
        if is_whole && responses.iter().all(Option::is_some) {
            Extent::Whole
        } else {
            Extent::Part
        }
    }
}

/// Returns information about a reader from its reader file and from its answer to the greeting, the
/// first message that a reader receives in serve mode.
pub fn reader_info(
    reader: &ReaderFile,
    baseline: Option<&Path>,
    greeting: Option<&Greeting>,
) -> ReaderInfo {
    let mode = match reader.mode {
        Mode::Once => "once",
        Mode::Serve => "serve",
    };
    let reports = match reader.reports {
        Reports::Verdict => Some("verdict".to_owned()),
        Reports::Records => Some("records".to_owned()),
        Reports::Unknown => None,
    };
    let greeting = greeting.cloned().unwrap_or_default();
    ReaderInfo {
        name: reader.name.clone(),
        version: greeting.version.or_else(|| reader.version.clone()),
        mode: mode.to_owned(),
        reports: match reader.reports {
            Reports::Verdict => reports,
            _ => greeting.reports.or(reports),
        },
        baseline: baseline.map(|path| path.to_string_lossy().into_owned()),
    }
}
