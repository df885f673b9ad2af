//! `tracegauge reader doctor`: the mistakes of an adapter, explained.
//!
//! Each of a handful of cases is given to a process of its own, then all of them to one; what
//! the processes write is kept as it was, and looked at line by line and all together. What members
//! are left out is surveyed over all valid traces, as a run asks about them. What is wrong with the
//! *reader* is the business of `run`.
//!
//! Whoever follows the advice has no more failures than before: nothing is said to be needless in
//! `omits` that excuses something in some format, and records that are wrong are not to be announced.

mod answers;
mod choose;
mod examine;
mod finding;
mod lines;
mod omits;
mod records;
mod shapes;
mod survey;
mod talk;

use std::fmt;
use std::io;
use std::path::PathBuf;

use tracegauge_corpus::suite::{Suite, SuiteError};
use tracegauge_spec::bundled;

use crate::commands::progress::Bar;
use crate::commands::suggested::with_spec;
use crate::commands::{Exit, Voice, incomplete, named, tell, usage};
use crate::contain::{Containment, Limits};
use crate::reader_file::{LaunchError, ReaderFile, ReaderFileError, names_format};
use crate::schedule::Files;
use examine::Examination;
use finding::{Findings, Mistake};
use omits::Advice;
use records::{Names, meant};
use survey::{Extent, Survey};
use talk::Setting;

/// Explain what is wrong with an adapter
///
/// Runs the adapter on a handful of cases of each of its formats and names the mistakes that
/// authors of adapters make, with what to change. Asks it about all valid traces, too, and prints
/// the `omits` that its file needs. Exit status: 0 nothing was found; 1 something
/// was; 3 the adapter cannot be tried here.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  tracegauge reader doctor my-reader.yaml")]
pub struct Args {
    /// The reader file
    #[arg(value_name = "FILE")]
    pub reader: PathBuf,
    /// A format, or a family for all its versions, instead of those that the file names; may be
    /// given several times
    #[arg(long = "format", value_name = "ID")]
    pub formats: Vec<String>,
    /// A description that is not bundled
    #[arg(long, value_name = "FILE")]
    pub spec: Option<String>,
}

/// Why an adapter is not looked at.
#[derive(Debug)]
enum DoctorError {
    Reader(ReaderFileError),
    Launch(LaunchError),
    Suite(SuiteError),
    NoFormat(PathBuf),
    NoCase,
    Io(io::Error),
}

impl fmt::Display for DoctorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reader(error) => error.fmt(f),
            Self::Launch(error) => error.fmt(f),
            Self::Suite(error) => error.fmt(f),
            Self::NoFormat(path) => write!(
                f,
                "{} names no `formats`; name there what it reads, or here with --format",
                named(path)
            ),
            Self::NoCase => f.write_str("there is no case of these formats"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl DoctorError {
    fn exit(&self) -> Exit {
        let text = self.to_string();
        match self {
            Self::Reader(_) | Self::Suite(_) | Self::NoFormat(_) => usage(&text),
            Self::Launch(_) | Self::Io(_) => incomplete(&text),
            Self::NoCase => {
                usage(&text);
                Exit::Nothing
            }
        }
    }
}

/// Runs the command.
pub(super) fn execute(args: &Args, voice: Voice) -> Exit {
    match examined(args, voice) {
        Ok(Examined {
            reader,
            cases,
            findings,
            omits,
        }) => {
            let about = format!("{}: {} cases", named(reader.name.as_ref()), cases);
            let file = named(&args.reader);
            tell!("{}", findings.text(args.spec.as_deref()));
            if let Some(omits) = omits {
                tell!("paste this into {file}, in place of any `omits` there:\n\n{omits}\n");
            }
            match findings.count() {
                0 if voice.quiet => Exit::Ok,
                0 => {
                    let spec = with_spec(args.spec.as_ref());
                    tell!("{about}, nothing found; next: tracegauge run{spec} --reader {file}\n");
                    Exit::Ok
                }
                count => {
                    let findings = if count == 1 { "finding" } else { "findings" };
                    tell!(
                        "{about}, {count} {findings}; docs/reader-protocol.md has the protocol\n"
                    );
                    Exit::Finding
                }
            }
        }
        Err(error) => error.exit(),
    }
}

/// What an examination comes to.
struct Examined {
    reader: ReaderFile,
    /// How many cases were looked at one by one.
    cases: usize,
    findings: Findings,
    /// The `omits` that the reader needs, where its file has others.
    omits: Option<String>,
}

impl Examined {
    fn of(reader: ReaderFile, cases: usize, findings: Findings) -> Self {
        Self {
            reader,
            cases,
            findings,
            omits: None,
        }
    }
}

fn examined(args: &Args, voice: Voice) -> Result<Examined, DoctorError> {
    let reader = ReaderFile::load(&args.reader).map_err(DoctorError::Reader)?;
    let mut findings = Findings::default();
    let formats = formats(args, &reader, &mut findings)?;
    if formats.is_empty() && args.spec.is_none() {
        return Ok(Examined::of(reader, 0, findings));
    }
    let bar = Bar::new(voice);
    let suite = match &args.spec {
        Some(path) => Suite::of_file(path, &formats, &bar),
        None => Suite::load(&formats, |_| true, &bar),
    };
    let suite = suite.map_err(DoctorError::Suite)?;
    let launch = match reader.prepare() {
        Ok(launch) => launch,
        Err(
            error @ (LaunchError::NoProgram(_)
            | LaunchError::Folder(_)
            | LaunchError::NotExecutable(_)),
        ) => {
            findings.note(Mistake::DoesNotStart, None, error.to_string());
            return Ok(Examined::of(reader, 0, findings));
        }
        Err(error) => return Err(DoctorError::Launch(error)),
    };
    let containment = Containment::begin().map_err(DoctorError::Io)?;
    let setting = Setting {
        launch: &launch,
        containment: &containment,
        limits: Limits {
            timeout: reader.timeout,
            memory: reader.memory,
            ..Limits::default()
        },
    };
    let mut count = 0;
    let mut surveys = Vec::new();
    for plan in suite.formats.plans() {
        let cases = choose::choose(plan, &suite.cases);
        let bytes = cases.iter().map(|case| case.bytes.len() as u64).sum();
        let mut files = Files::new(bytes).map_err(DoctorError::Io)?;
        containment.show(files.folder());
        let all: Vec<_> = cases.iter().collect();
        files.write(&all).map_err(DoctorError::Io)?;
        let examination = Examination {
            reader: &reader,
            setting: &setting,
            plan,
            files: &files,
        };
        let reports = match examination.perform(&cases, &mut findings) {
            Ok(reports) => reports,
            Err(error) => {
                findings.note(Mistake::DoesNotStart, None, error.to_string());
                break;
            }
        };
        count += cases.len();
        let is_undeclared = findings.has(Mistake::UndeclaredRecords);
        if (reports || is_undeclared) && !findings.has(Mistake::NoAnswer) {
            let extent = if is_undeclared {
                Extent::All
            } else {
                Extent::Valid
            };
            let about = (plan.format.as_str(), Names::of(plan));
            let survey = Survey::of(&reader, &setting, about, &suite.cases, extent);
            surveys.push(survey.map_err(DoctorError::Io)?);
        }
    }
    if count == 0 && findings.count() == 0 {
        return Err(DoctorError::NoCase);
    }
    // What one format does not need another may.
    let is_surveyed = |name: &String| surveys.iter().any(|it| names_format(name, &it.format));
    let is_whole = surveys.len() == suite.formats.plans().len()
        && args.formats.is_empty()
        && !reader.formats.is_empty()
        && reader.formats.iter().all(is_surveyed);
    let advice = Advice::new(&reader.omits, &surveys, is_whole);
    advice.note(&mut findings);
    let omits = advice.block();
    unready(&surveys, &mut findings);
    Ok(Examined {
        omits,
        ..Examined::of(reader, count, findings)
    })
}

/// Records that are not announced are to be so only where none would be wrong by it.
fn unready(surveys: &[Survey], findings: &mut Findings) {
    let wrong: usize = surveys.iter().map(|survey| survey.wrong.len()).sum();
    let asked: usize = surveys.iter().map(|survey| survey.asked).sum();
    let first = surveys.iter().find_map(|survey| survey.wrong.first());
    if let Some(first) = first {
        let saw = format!("wrong in {wrong} of {asked} cases, first {first}");
        findings.turn(Mistake::UndeclaredRecords, Mistake::UnreadyRecords, &saw);
    }
}

/// The formats that the adapter is tried on; names that mean none are noted.
fn formats(
    args: &Args,
    reader: &ReaderFile,
    findings: &mut Findings,
) -> Result<Vec<String>, DoctorError> {
    if !args.formats.is_empty() {
        return Ok(args.formats.clone());
    }
    if args.spec.is_some() {
        // All that the description has.
        return Ok(Vec::new());
    }
    if reader.formats.is_empty() {
        return Err(DoctorError::NoFormat(args.reader.clone()));
    }
    let known: Vec<String> = bundled::list()
        .iter()
        .flat_map(|format| &format.dialects)
        .cloned()
        .collect();
    let (found, unknown): (Vec<String>, Vec<String>) = reader
        .formats
        .iter()
        .cloned()
        .partition(|name| known.iter().any(|id| names_format(name, id)));
    for name in &unknown {
        findings.note(Mistake::UnknownFormat, None, meant(name, &known));
    }
    Ok(found)
}
