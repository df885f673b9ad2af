//! One reader, asked about any bytes: what it does with them, beside what it should do.

mod coverage;
mod signature;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fixedbitset::FixedBitSet;
use tracegauge_corpus::case::{Case, ExpectedVerdict, Provenance, Source, State};
use tracegauge_corpus::expected::examine;
use tracegauge_generator::{Generator, Options, Spare};
use tracegauge_reports::{CaseResult, RuleInfo};
use tracegauge_spec::plan::Plan;

use coverage::{CoverageFile, VARIABLE};
pub use signature::Signature;

use crate::compare::{Matcher, Reporting};
use crate::contain::{Containment, Limits, Scratch};
use crate::judge::{Judge, Reported, Response, Strictness, response};
use crate::origin::read_by;
use crate::protocol::serve::{OutOfStep, Session};
use crate::protocol::{Answer, Request, once};
use crate::reader_file::{Launch, Mode, ReaderFile, Reports};
use crate::temporary::Temporary;

/// Of the traces that a reader is asked about there is one at a time, and none is larger by far.
const LARGEST: u64 = 64 << 20;

/// Files that are written in turn.
const FILES: u64 = 16;

/// A reader that is asked about one trace after the other.
#[derive(Debug)]
pub struct Probe<'c> {
    reader: &'c ReaderFile,
    launch: Launch,
    reporting: Reporting,
    containment: &'c Containment,
    scratch: Scratch,
    session: Option<Session<'c>>,
    folder: Temporary,
    rules: Vec<RuleInfo>,
    asked: u64,
    /// For how long an answer is waited for, where that is less than its file says.
    patience: Option<Duration>,
    coverage: Option<CoverageFile>,
    /// What the reader turns out to report, where it does not say so.
    reported: Reported,
}

/// Of the time that its file gives a reader, what a hasty answer may take.
const FRACTION: u32 = 8;
/// What it may take at least.
const SHORTEST: Duration = Duration::from_millis(200);

/// So many traces show which members a reader reports.
const LEARNED_FROM: u64 = 32;
/// Small ones will do.
const LEARNED_OF: Options = Options {
    bytes: 2000,
    elements: 16,
    fill: false,
    odd: false,
    mended: false,
    spare: Spare::Anything,
    longest: u64::MAX,
    steps: 1 << 20,
    most: 1 << 20,
};

/// What a reader did with some bytes.
#[derive(Clone, Debug)]
pub struct Observation {
    /// What it did, judged.
    pub result: CaseResult,
    /// What tells this from other things that it does.
    pub signature: Signature,
}

/// Why a reader cannot be asked.
#[derive(Debug)]
pub enum ProbeError {
    /// It cannot be started, or does not greet as it should.
    Start(String),
    /// Files for it cannot be written.
    Files(io::Error),
    /// It writes without being asked.
    OutOfStep(String),
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(why) => write!(f, "the reader cannot run: {why}"),
            Self::Files(error) => write!(f, "files for the reader cannot be written: {error}"),
            Self::OutOfStep(text) => {
                write!(f, "the reader writes without being asked: {text}")
            }
        }
    }
}

impl std::error::Error for ProbeError {}

impl<'c> Probe<'c> {
    /// Makes `reader` ready; it is started when it is first asked.
    ///
    /// # Errors
    /// It cannot be made ready here.
    pub fn new(reader: &'c ReaderFile, containment: &'c Containment) -> Result<Self, ProbeError> {
        let launch = reader
            .prepare()
            .map_err(|error| ProbeError::Start(error.to_string()))?;
        let folder = Temporary::for_bytes("probe-", LARGEST).map_err(ProbeError::Files)?;
        containment.show(folder.path());
        let scratch = containment.scratch(&launch.origin);
        Ok(Self {
            reader,
            launch,
            reporting: Reporting::of(reader),
            containment,
            scratch: scratch.map_err(ProbeError::Files)?,
            session: None,
            folder,
            rules: Vec::new(),
            asked: 0,
            patience: None,
            coverage: None,
            reported: Reported::default(),
        })
    }

    /// The same where the reader marks which of its edges it reaches.
    ///
    /// # Errors
    /// The file that it marks them in cannot be made.
    pub fn with_coverage(mut self) -> Result<Self, ProbeError> {
        // What the reader works in lies in what it may write to.
        let work = self.scratch.path();
        let folder = work.parent().unwrap_or(work);
        let file = CoverageFile::make(folder).map_err(ProbeError::Files)?;
        let environment = &mut self.launch.environment;
        environment.insert(VARIABLE, file.path().as_os_str().to_owned());
        self.coverage = Some(file);
        Ok(self)
    }

    /// The edges that it reached with the last trace; none where it does not mark them.
    ///
    /// # Errors
    /// The file that it marks them in cannot be read.
    pub fn reached(&mut self) -> Result<FixedBitSet, ProbeError> {
        if let Some(session) = &self.session {
            session.settle();
        }
        let file = self.coverage.as_mut();
        let reached = file.map(CoverageFile::reached).transpose();
        Ok(reached.map_err(ProbeError::Files)?.unwrap_or_default())
    }

    /// How many edges it has; 0 until it has said so.
    pub fn edges(&self) -> usize {
        self.coverage.as_ref().map_or(0, CoverageFile::edges)
    }

    /// Its program, and where in it each edge is: 0 where that is not known.
    ///
    /// # Errors
    /// The file that it marks them in cannot be read.
    pub fn places(&self) -> Result<(&Path, Vec<u64>), ProbeError> {
        let places = self.coverage.as_ref().map(CoverageFile::places).transpose();
        let places = places.map_err(ProbeError::Files)?.unwrap_or_default();
        Ok((&self.launch.program, places))
    }

    /// What it reaches from now on belongs to the next trace.
    fn begin(&mut self) -> Result<(), ProbeError> {
        let file = self.coverage.as_mut();
        let cleared = file.map_or(Ok(()), CoverageFile::clear);
        cleared.map_err(ProbeError::Files)
    }

    /// The same where `rules` say which of them are recommendations, and which are not judged.
    pub fn judging_by(self, rules: &[RuleInfo]) -> Self {
        Self {
            rules: rules.to_vec(),
            ..self
        }
    }

    /// Waits a fraction of the time for its answers from now on, or all of it again. Whoever seeks
    /// a smaller trace at which a reader hangs waits out each of them, and has the last say with
    /// all the time.
    pub fn wait_briefly(&mut self, briefly: bool) {
        let whole = self.reader.timeout;
        let patience = (whole / FRACTION).max(SHORTEST).min(whole);
        self.patience = briefly.then_some(patience);
    }

    /// What the reader does with `bytes`, of the format of `plan`.
    ///
    /// # Errors
    /// It cannot be asked.
    pub fn ask(&mut self, plan: &Plan, bytes: &[u8]) -> Result<Observation, ProbeError> {
        let case = case(plan, bytes);
        if self.reporting.learned && !self.reported.knows(&case.format) {
            self.learn(plan)?;
        }
        let mut response = self.answer(&case)?;
        self.reported.hold(&case.format, &mut response);
        let signature_parts = response.clone();
        let responses = [Some(response)];
        let cases = [&case];
        let judge = Judge::new(
            &cases,
            &responses,
            &self.rules,
            &self.reader.unsupported,
            Strictness::Ordinary,
        );
        // There is one case, and it was answered.
        let result = judge
            .result(0)
            .ok_or_else(|| ProbeError::Start("it gave no answer".to_owned()))?;
        let signature = Signature::of(&result, &signature_parts, |difference| {
            read_by(plan, bytes, difference)
        });
        Ok(Observation { result, signature })
    }

    /// Finds out which members the reader reports, from generated traces that are always the same. One
    /// that says itself what it owes need not be asked on, nor one that breaks down: it may do so at
    /// each, and take all its time.
    fn learn(&mut self, plan: &Plan) -> Result<(), ProbeError> {
        self.reported.begin(&plan.format);
        let generator = Generator::new(Arc::new(plan.clone()));
        for seed in 0..LEARNED_FROM {
            let Ok(generated) = generator.from_seed(seed, LEARNED_OF) else {
                continue;
            };
            let response = self.answer(&case(plan, &generated.bytes))?;
            self.reported.take_in(&plan.format, &response);
            let session = self.session.as_ref();
            let is_said =
                session.is_some_and(|it| it.reports(Reports::Unknown) != Reports::Unknown);
            if is_said || matches!(response.answer, Answer::Broke(_)) {
                break;
            }
        }
        Ok(())
    }

    fn answer(&mut self, case: &Case) -> Result<Response, ProbeError> {
        let file = self.write(&case.bytes)?;
        let path = file.to_string_lossy().into_owned();
        let request = Request {
            case: "probe",
            format: &case.format,
            file: &path,
        };
        match self.launch.mode {
            Mode::Once => self.once(case, &request),
            Mode::Serve => self.serve(case, &request),
        }
    }

    /// Another file than the last times: a reader may still look at those. It goes with the folder;
    /// making and removing one each time costs more than writing over an old one.
    fn write(&mut self, bytes: &[u8]) -> Result<PathBuf, ProbeError> {
        self.asked += 1;
        let name = format!("trace-{}", self.asked % FILES);
        let file = self.folder.path().join(name);
        std::fs::write(&file, bytes).map_err(ProbeError::Files)?;
        Ok(file)
    }

    fn limits(&self) -> Limits {
        Limits {
            timeout: self.patience.unwrap_or(self.reader.timeout),
            memory: self.reader.memory,
            ..Limits::default()
        }
    }

    fn once(&mut self, case: &Case, request: &Request<'_>) -> Result<Response, ProbeError> {
        self.scratch.empty().map_err(ProbeError::Files)?;
        self.begin()?;
        let mut matcher = Matcher::new(&case.expected, &case.format, &self.reporting);
        let reports = self.reader.reports;
        let (answer, stderr) = once::run(
            &self.launch,
            self.containment,
            &self.scratch,
            request,
            self.limits(),
            reports,
            &mut matcher,
        )
        .map_err(|error| ProbeError::Start(error.to_string()))?;
        Ok(response(answer, matcher.finish(), reports, stderr))
    }

    fn serve(&mut self, case: &Case, request: &Request<'_>) -> Result<Response, ProbeError> {
        let limits = self.limits();
        let mut session = match self.session.take() {
            Some(session) => session,
            None => {
                self.scratch.empty().map_err(ProbeError::Files)?;
                // It may take all its time to start.
                let limits = Limits {
                    timeout: self.reader.timeout,
                    ..limits
                };
                Session::start(&self.launch, self.containment, &self.scratch, limits)
                    .map_err(|error| ProbeError::Start(error.to_string()))?
            }
        };
        self.begin()?;
        let mut matcher = Matcher::new(&case.expected, &case.format, &self.reporting);
        let answer = session
            .ask(request, limits, &mut matcher)
            .map_err(|OutOfStep(text)| ProbeError::OutOfStep(text))?;
        let reports = session.reports(self.reader.reports);
        let stderr = session.errors();
        let broke = matches!(answer, Answer::Broke(_));
        if !broke {
            self.session = Some(session);
        }
        Ok(response(answer, matcher.finish(), reports, stderr))
    }
}

/// The case that `bytes` are, as the reference decoder reads them.
fn case(plan: &Plan, bytes: &[u8]) -> Case {
    let examined = examine(plan, bytes);
    let source = match examined.expected.verdict {
        ExpectedVerdict::Reject => Source::Malformed,
        ExpectedVerdict::Accept | ExpectedVerdict::Either => Source::Valid,
    };
    Case {
        id: "probe".to_owned(),
        format: plan.format.clone(),
        bytes: Arc::from(bytes),
        expected: examined.expected,
        twin: None,
        provenance: Provenance {
            source,
            rules: examined.shown,
            operator: None,
            why: String::new(),
        },
        state: State::Active,
        version: 1,
    }
}
