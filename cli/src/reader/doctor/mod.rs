//! `tracegauge reader doctor`: diagnoses the mistakes of an adapter.
//!
//! The adapter first reads a few cases, each in a separate process. In `serve` mode, it then reads
//! all of these cases in a single process. The adapter's raw output is recorded and checked line by
//! line and as a whole. A survey then runs the adapter on all valid traces, as `tracegauge run`
//! would, to find the members that the adapter omits. The doctor does not look for bugs in the
//! reader itself: `tracegauge run` finds them.
//!
//! Following the doctor's advice must never make more cases fail. Therefore, the doctor does not
//! advise removing an `omits` entry that any format needs, or declaring that the reader reports
//! records if these records are wrong.

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

use tracegauge_contain::Limits;
use tracegauge_corpus::suite::{Suite, SuiteError};
use tracegauge_harness::containment;
use tracegauge_harness::schedule::{Files, Seed};
use tracegauge_harness::suggested::{with_spec, word};
use tracegauge_protocol::reader_file::{LaunchError, ReaderFile, ReaderFileError, names_format};
use tracegauge_results::text::counted;
use tracegauge_spec::bundled::{self, BundledFormat};

use crate::progress::Bar;
use crate::state;
use crate::{Exit, OutputOptions, incomplete, named, tell, usage};
use examine::Examination;
use finding::{Findings, Mistake};
use omits::Advice;
use records::{Names, meant};
use survey::{Extent, Survey};
use talk::Setting;

/// Diagnose an adapter
///
/// The command runs the adapter on a few cases of each format that the adapter supports, reports
/// common mistakes in adapters, and suggests fixes. The command then runs the adapter on all valid
/// traces, and prints the `omits` key that the reader file needs if the adapter does not report all
/// members of the records. Exit status: 0 no findings; 1 findings; 2 usage error; 3 the adapter
/// cannot run on this machine; 4 the corpus has no cases for the formats.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  tracegauge reader doctor my-reader.yaml")]
pub struct Args {
    /// Reader file
    #[arg(value_name = "FILE")]
    pub reader: PathBuf,
    /// Format to check instead of those in the reader file, or a format family, which selects all
    /// versions in that family; may be repeated. Without --format and without `formats` in the reader
    /// file, all bundled formats are checked
    #[arg(long = "format", value_name = "ID")]
    pub formats: Vec<String>,
    /// Description to use instead of a bundled one
    #[arg(long, value_name = "FILE")]
    pub spec: Option<String>,
}

/// The reasons why an adapter cannot be diagnosed.
#[derive(Debug)]
enum DoctorError {
    Reader(ReaderFileError),
    Launch(LaunchError),
    Suite(SuiteError),
    NoCase,
    Io(io::Error),
}

impl fmt::Display for DoctorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reader(error) => error.fmt(f),
            Self::Launch(error) => error.fmt(f),
            Self::Suite(error) => error.fmt(f),
            Self::NoCase => f.write_str("the corpus has no cases for these formats"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl DoctorError {
    fn exit(&self) -> Exit {
        let text = self.to_string();
        match self {
            Self::Reader(_) | Self::Suite(_) => usage(&text),
            Self::Launch(_) | Self::Io(_) => incomplete(&text),
            Self::NoCase => {
                usage(&text);
                Exit::Nothing
            }
        }
    }
}

/// Runs the command.
pub(super) fn execute(args: &Args, output_options: OutputOptions) -> Exit {
    match examined(args, output_options) {
        Ok(Examined {
            reader,
            cases,
            findings,
            omits,
        }) => {
            let name = named(reader.name.as_ref());
            let about = format!("{name}: {}", counted(cases, "case"));
            let file = named(&args.reader);
            tell!("{}", findings.text(args.spec.as_deref()));
            if let Some(omits) = omits {
                tell!(
                    "put this `omits` list into {file}, in place of any existing one:\n\n{omits}\n"
                );
            }
            match findings.count() {
                0 if output_options.quiet => Exit::Ok,
                0 => {
                    let spec = with_spec(args.spec.as_ref());
                    let file = word(&args.reader);
                    tell!("{about}, no findings; next: tracegauge run{spec} --reader {file}\n");
                    Exit::Ok
                }
                count => {
                    let findings = counted(count, "finding");
                    tell!("{about}, {findings}; see docs/reader-protocol.md for the protocol\n");
                    Exit::Finding
                }
            }
        }
        Err(error) => error.exit(),
    }
}

/// The result of an examination.
struct Examined {
    reader: ReaderFile,
    /// The number of cases that were examined one by one.
    cases: usize,
    findings: Findings,
    /// The `omits` entries that the reader needs, if they differ from those in its reader file.
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

fn examined(args: &Args, output_options: OutputOptions) -> Result<Examined, DoctorError> {
    let reader = ReaderFile::load(&args.reader).map_err(DoctorError::Reader)?;
    let mut findings = Findings::default();
    let formats = formats(args, &reader, &mut findings);
    if formats.is_empty() && findings.has(Mistake::UnknownFormat) {
        return Ok(Examined::of(reader, 0, findings));
    }
    let bar = Bar::new(output_options);
    let suite = match &args.spec {
        Some(path) => Suite::of_file(path, &formats, &state::quick_search(), &bar),
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
    let containment = containment::begin().map_err(DoctorError::Io)?;
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
        let folder = Files::new(bytes).map_err(DoctorError::Io)?;
        let desk = folder.desk().map_err(DoctorError::Io)?;
        containment.show(desk.folder());
        let seed = Seed::random();
        let laid = cases
            .iter()
            .map(|case| Ok((case.id.clone(), desk.lay(case, seed)?)));
        let files = laid.collect::<io::Result<_>>().map_err(DoctorError::Io)?;
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
    // Records of an unknown kind may be known records under another name, so no kind is declared as
    // omitted.
    if findings.has(Mistake::UnknownKind) {
        surveys.iter_mut().for_each(Survey::forget_kinds);
    }
    // An `omits` entry that one format does not need may be needed by another.
    let is_surveyed = |name: &String| surveys.iter().any(|it| names_format(name, &it.format));
    let are_surveyed = match reader.formats.as_slice() {
        // The reader supports all bundled formats, too.
        [] => args.spec.is_none(),
        formats => formats.iter().all(is_surveyed),
    };
    let is_whole =
        surveys.len() == suite.formats.plans().len() && args.formats.is_empty() && are_surveyed;
    let advice = Advice::new(&reader.omits, &surveys, is_whole);
    advice.note(&mut findings);
    let omits = advice.block();
    unready(&surveys, &mut findings);
    Ok(Examined {
        omits,
        ..Examined::of(reader, count, findings)
    })
}

/// If some of the reader's records are wrong, replaces the advice to declare that the reader
/// reports records with the advice to correct the records first.
fn unready(surveys: &[Survey], findings: &mut Findings) {
    let wrong: usize = surveys.iter().map(|survey| survey.wrong.len()).sum();
    let asked: usize = surveys.iter().map(|survey| survey.asked).sum();
    let first = surveys.iter().find_map(|survey| survey.wrong.first());
    if let Some(first) = first {
        let saw =
            format!("the records are wrong in {wrong} of {asked} cases, for example in {first}");
        findings.turn(Mistake::UndeclaredRecords, Mistake::UnreadyRecords, &saw);
    }
}

/// Returns the formats to diagnose the adapter with. An empty list means all formats of the
/// description or, without a description, all bundled formats. Adds a finding for each unknown
/// format name.
fn formats(args: &Args, reader: &ReaderFile, findings: &mut Findings) -> Vec<String> {
    if !args.formats.is_empty() {
        return args.formats.clone();
    }
    if args.spec.is_some() {
        return Vec::new();
    }
    let known: Vec<String> = bundled::list()
        .iter()
        .flat_map(BundledFormat::ids)
        .map(str::to_owned)
        .collect();
    let (found, unknown): (Vec<String>, Vec<String>) = reader
        .formats
        .iter()
        .cloned()
        .partition(|name| known.iter().any(|id| names_format(name, id)));
    for name in &unknown {
        findings.note(Mistake::UnknownFormat, None, meant(name, &known));
    }
    found
}
