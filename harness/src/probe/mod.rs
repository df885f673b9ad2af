//! Runs a single reader on arbitrary bytes and compares its behavior with that of the reference
//! decoder.

mod coverage;
mod signature;

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fixedbitset::FixedBitSet;
use tracegauge_contain::{Containment, Limits, Scratch, Temporary};
use tracegauge_corpus::case::{Case, ExpectedVerdict, Provenance, Source, State};
use tracegauge_corpus::expected::examine;
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::Plan;
use tracegauge_results::{CaseResult, RuleInfo};

use coverage::{CoverageFile, VARIABLE};
pub use signature::Signature;

use tracegauge_judge::compare::{Matcher, Reporting};
use tracegauge_judge::{Judge, Reported, Response, Strictness, response};
use tracegauge_protocol::reader_file::{Launch, Mode, ReaderFile, Reports};
use tracegauge_protocol::serve::{Ending, OutOfStep, Session};
use tracegauge_protocol::{Answer, Breakdown, Request, once};

use crate::origin::read_by;

/// The expected maximum total size in bytes of the traces stored at the same time, used to choose a
/// folder with enough space. At most [`FILES`] traces are stored.
const LARGEST: u64 = 64 << 20;

/// The number of files that traces are written to in rotation.
const FILES: u64 = 16;

/// The maximum number of earlier traces that are suspected of having caused a crash during a later
/// trace.
const MOST_BEFORE: usize = 3;

/// A reader that is run on one trace after another.
#[derive(Debug)]
pub struct Probe<'c> {
    reader: &'c ReaderFile,
    launch: Launch,
    reporting: Reporting,
    containment: &'c Containment,
    scratch: Scratch,
    session: Option<Session<'c>>,
    /// The traces that the session answered most recently, oldest first.
    recent: VecDeque<Arc<[u8]>>,
    /// Earlier traces that turned out to have crashed the reader after its answer.
    inherited: Vec<(Arc<[u8]>, Observation)>,
    /// Whether each trace is given to a new process, which is then watched until it exits.
    until_exit: bool,
    folder: Temporary,
    rules: Vec<RuleInfo>,
    asked: u64,
    /// The time limit for answers, if it is shorter than the one in the reader file.
    patience: Option<Duration>,
    coverage: Option<CoverageFile>,
    /// The members that the reader has been observed to report, if its reader file does not declare
    /// them.
    reported: Reported,
}

/// The divisor used to shorten the reader's time limit.
const FRACTION: u32 = 8;
/// The minimum time limit after shortening.
const SHORTEST: Duration = Duration::from_millis(200);

/// The number of traces used to learn which members a reader reports.
const LEARNED_FROM: u64 = 32;
/// The options for generating the small traces that show which members a reader reports.
const LEARNED_OF: Options = Options {
    bytes: 2000,
    elements: 16,
    fill: false,
    odd: false,
    mended: false,
    longest: u64::MAX,
    steps: 1 << 20,
    most: 1 << 20,
    choices: 1 << 20,
};

/// A reader's behavior on some bytes.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The judged result.
    pub result: CaseResult,
    /// The signature that distinguishes this behavior from others.
    pub signature: Signature,
}

/// The reason why a reader cannot be run.
#[derive(Debug)]
pub enum ProbeError {
    /// The reader cannot be started or does not answer the greeting correctly.
    Start(String),
    /// Files for the reader cannot be written.
    Files(io::Error),
    /// The reader wrote output without a request.
    OutOfStep(String),
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(why) => write!(f, "cannot run the reader: {why}"),
            Self::Files(error) => write!(f, "cannot write files for the reader: {error}"),
            Self::OutOfStep(text) => {
                write!(f, "the reader wrote output without a request: {text}")
            }
        }
    }
}

impl std::error::Error for ProbeError {}

impl<'c> Probe<'c> {
    /// Prepares `reader`, which is started on first use.
    ///
    /// # Errors
    /// Returns an error if the reader cannot be prepared.
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
            recent: VecDeque::new(),
            inherited: Vec::new(),
            until_exit: false,
            folder,
            rules: Vec::new(),
            asked: 0,
            patience: None,
            coverage: None,
            reported: Reported::default(),
        })
    }

    /// Enables the collection of edge coverage from the reader.
    ///
    /// # Errors
    /// Returns an error if the coverage file cannot be created.
    pub fn with_coverage(mut self) -> Result<Self, ProbeError> {
        let folder = self.scratch.shared_folder();
        let file = CoverageFile::make(folder).map_err(ProbeError::Files)?;
        self.scratch.share(file.path().to_owned());
        let environment = &mut self.launch.environment;
        environment.insert(VARIABLE, file.path().as_os_str().to_owned());
        self.coverage = Some(file);
        Ok(self)
    }

    /// Returns the edges that the reader reached on the last trace, or none if the reader is not
    /// instrumented.
    ///
    /// # Errors
    /// Returns an error if the coverage file cannot be read.
    pub fn reached(&mut self) -> Result<FixedBitSet, ProbeError> {
        if let Some(session) = &self.session {
            session.settle();
        }
        let file = self.coverage.as_mut();
        let reached = file.map(CoverageFile::reached).transpose();
        Ok(reached.map_err(ProbeError::Files)?.unwrap_or_default())
    }

    /// Returns the number of edges in the reader, or 0 if the reader has not reported the number
    /// yet.
    pub fn edges(&self) -> usize {
        self.coverage.as_ref().map_or(0, CoverageFile::edges)
    }

    /// Returns the reader's program and the address of each edge in it, or 0 for unknown addresses.
    ///
    /// # Errors
    /// Returns an error if the coverage file cannot be read.
    pub fn places(&self) -> Result<(&Path, Vec<u64>), ProbeError> {
        let places = self.coverage.as_ref().map(CoverageFile::places).transpose();
        let places = places.map_err(ProbeError::Files)?.unwrap_or_default();
        Ok((&self.launch.program, places))
    }

    /// Clears the coverage, so that edges reached from now on are attributed to the next trace.
    fn begin(&mut self) -> Result<(), ProbeError> {
        let file = self.coverage.as_mut();
        let cleared = file.map_or(Ok(()), CoverageFile::clear);
        cleared.map_err(ProbeError::Files)
    }

    /// Sets the rules of the format, which say which violations break only recommendations and
    /// which are not judged.
    pub fn judging_by(self, rules: &[RuleInfo]) -> Self {
        Self {
            rules: rules.to_vec(),
            ..self
        }
    }

    /// Shortens the time limit for all later answers if `briefly` is true, and restores it
    /// otherwise. When a trace that makes the reader hang is minimized, every candidate takes up
    /// the whole time limit. Callers must confirm the final trace with the full limit.
    pub fn wait_briefly(&mut self, briefly: bool) {
        let whole = self.reader.timeout;
        let patience = (whole / FRACTION).max(SHORTEST).min(whole);
        self.patience = briefly.then_some(patience);
    }

    /// Runs the reader on `bytes`, a trace of the format of `plan`, and judges its behavior.
    ///
    /// # Errors
    /// Returns an error if the reader cannot be run.
    pub fn ask(&mut self, plan: &Plan, bytes: &[u8]) -> Result<Observation, ProbeError> {
        let case = case(plan, bytes);
        if self.reporting.learned && !self.reported.knows(&case.format) {
            self.learn(plan)?;
        }
        let mut response = self.answer(&case)?;
        if is_crash(&response) && !self.recent.is_empty() {
            response = self.recheck(plan, &case, response)?;
        }
        self.observe(plan, &case, response)
    }

    /// Judges the response to a case.
    fn observe(
        &self,
        plan: &Plan,
        case: &Case,
        mut response: Response,
    ) -> Result<Observation, ProbeError> {
        self.reported.hold(&case.format, &mut response);
        let signature_parts = response.clone();
        let responses = [Some(response)];
        let cases = [case];
        let judge = Judge::new(
            &cases,
            &responses,
            &self.rules,
            &self.reader.unsupported,
            Strictness::Ordinary,
        );
        // There is exactly one case, and it has been answered.
        let result = judge
            .result(0)
            .ok_or_else(|| ProbeError::Start("no answer".to_owned()))?;
        let signature = Signature::of(&result, &signature_parts, |difference| {
            read_by(plan, &case.bytes, difference)
        });
        Ok(Observation { result, signature })
    }

    /// Sets whether each later trace is read by a separate process that is watched until it exits,
    /// to find crashes after the answer. The setting has an effect only in serve mode.
    pub fn watch_until_exit(&mut self, until_exit: bool) {
        self.until_exit = until_exit;
    }

    /// Returns the earlier traces that crashed the reader after its answer, if such a crash was
    /// noticed since the last call.
    pub fn take_inherited(&mut self) -> Vec<(Arc<[u8]>, Observation)> {
        std::mem::take(&mut self.inherited)
    }

    /// Finds out whether an earlier trace caused the crash that was noticed during `case`, and
    /// returns the response to `case`. If a process dies right after an answer, its death is
    /// noticed when the next trace is sent. If no trace reproduces the crash alone, the crash is
    /// attributed to `case`.
    fn recheck(
        &mut self,
        plan: &Plan,
        case: &Case,
        response: Response,
    ) -> Result<Response, ProbeError> {
        let before = std::mem::take(&mut self.recent);
        let alone = self.answer_until_exit(case)?;
        if is_crash(&alone) {
            return Ok(alone);
        }
        for bytes in before.into_iter().rev() {
            let earlier = self::case(plan, &bytes);
            let its = self.answer_until_exit(&earlier)?;
            if is_crash(&its) {
                let seen = self.observe(plan, &earlier, its)?;
                self.inherited.push((bytes, seen));
                return self.answer(case);
            }
        }
        Ok(response)
    }

    /// Runs the reader on a fixed set of generated traces to learn which members it reports. Stops
    /// early if the greeting declares what the reader reports. Also stops if the reader fails to
    /// answer, because the reader might use up the whole time limit on every trace.
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
        if self.launch.mode == Mode::Serve && self.until_exit {
            return self.answer_until_exit(case);
        }
        let path = self.write(&case.bytes)?.to_string_lossy().into_owned();
        let request = request(case, &path);
        match self.launch.mode {
            Mode::Once => self.once(case, &request),
            Mode::Serve => self.serve(case, &request),
        }
    }

    /// Runs the reader in serve mode on a single case, and watches the process until it exits.
    fn answer_until_exit(&mut self, case: &Case) -> Result<Response, ProbeError> {
        let path = self.write(&case.bytes)?.to_string_lossy().into_owned();
        self.session = None;
        self.recent.clear();
        let mut response = self.serve(case, &request(case, &path))?;
        self.recent.clear();
        if let Some(session) = self.session.take() {
            match session.finish() {
                Ok(Ending::Quiet | Ending::Failed) => {}
                Ok(Ending::Crashed(breakdown)) => response.answer = Answer::Broke(breakdown),
                Err(out_of_step) => response.answer = out_of_step.breach(),
            }
        }
        Ok(response)
    }

    /// Writes a trace to a file other than the most recent ones, which a reader may still have
    /// open. Overwriting an old file is cheaper than creating and deleting one each time.
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
                self.recent.clear();
                self.scratch.empty().map_err(ProbeError::Files)?;
                // Starting the reader may take the full time limit.
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
        let answer = match (answer, session.aftermath()) {
            (answer @ Answer::Broke(_), _) | (answer, None) => answer,
            (_, Some(crash)) => Answer::Broke(crash),
        };
        let reports = session.reports(self.reader.reports);
        let stderr = session.errors();
        let broke = matches!(answer, Answer::Broke(_));
        if !broke {
            self.session = Some(session);
            if self.recent.len() == MOST_BEFORE {
                self.recent.pop_front();
            }
            self.recent.push_back(Arc::clone(&case.bytes));
        }
        Ok(response(answer, matcher.finish(), reports, stderr))
    }
}

fn request<'r>(case: &'r Case, file: &'r str) -> Request<'r> {
    Request {
        case: "probe",
        format: &case.format,
        file,
    }
}

fn is_crash(response: &Response) -> bool {
    matches!(response.answer, Answer::Broke(Breakdown::Crash(..)))
}

/// Creates a case from `bytes`, with the expected verdict and records from the reference decoder.
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
        repeated: None,
        expected: examined.expected,
        twin: None,
        provenance: Provenance {
            source,
            rules: examined.shown,
            operator: None,
            why: String::new(),
        },
        departures: Vec::new(),
        state: State::Active,
        version: 1,
    }
}
