//! `serve` mode: one process answers many cases.

use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use tracegauge_contain::{Containment, Input, Limits, Scratch, Step, Stop};
use tracegauge_results::Crash;

use super::answer::{Answer, Breach, Breakdown, Death};
use super::message::{Closing, Greeting, Line, Request, hello, parse_line, shown};
use super::unfound;
use super::{Process, RecordSink};
use crate::crash::{Sighted, Watch};
use crate::reader_file::{Launch, Reports};

/// The minimum time limit for the answer to the greeting, because interpreters start slowly.
const START: Duration = Duration::from_secs(10);
/// How long a process may take to exit after its standard input is closed or after it closes its
/// standard output.
const GRACE: Duration = Duration::from_secs(1);
/// How long a process may take to exit after it begins to write a fatal error to its standard
/// output.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// How long a process may take to exit after it prints a message that counts as a crash only if the
/// process exits.
const DYING: Duration = Duration::from_secs(1);
/// The interval at which to check whether a process has exited during [`DYING`].
const GLANCE: Duration = Duration::from_millis(1);
/// How often a process may print what looks like the last message of an aborting process and still
/// continue, before the harness stops waiting for the process to exit.
const MOST_SURVIVED: u32 = 4;

/// A running reader process that answers requests.
#[derive(Debug)]
pub struct Session<'c> {
    process: Process<'c>,
    greeting: Greeting,
    /// A crash that was reported while the process was not handling a case.
    late: Option<Breakdown>,
    /// A report, printed since the last request, that counts as a crash only if the process exits.
    dying: Option<Crash>,
    /// The number of times that the process has continued after a report that counts as a crash
    /// only if the process exits.
    survived: u32,
}

/// An error that occurred while a session was started.
#[derive(Debug)]
pub enum StartError {
    /// The process could not be started.
    Spawn(io::Error),
    /// The process started but did not answer the greeting correctly. The strings are the reason
    /// and the last part of the process's standard error.
    Greeting(String, String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spawn(error) => {
                write!(f, "cannot start the reader: {error}")?;
                f.write_str(match Errno::from_io_error(error) {
                    Some(Errno::NOEXEC) => {
                        "; the program is neither an executable for this machine nor a script with \
                         a `#!` line"
                    }
                    Some(Errno::NOENT) => {
                        "; the interpreter in the program's `#!` line or its dynamic loader does \
                         not exist"
                    }
                    _ => "",
                })
            }
            Self::Greeting(why, stderr) => {
                write!(f, "{why}")?;
                stderr
                    .lines()
                    .try_for_each(|line| write!(f, "\n    {line}"))?;
                match unfound::file(stderr) {
                    Some(_) => write!(f, "\n{}", unfound::ADVICE),
                    None => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for StartError {}

/// How a process ended after its standard input was closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The process exited without reporting a failure, or was still running when its time was up.
    Quiet,
    /// The process exited with a status other than 0 but reported no crash. It may have failed
    /// because of a request that it had not read yet when its answer seemed to arrive.
    Failed,
    /// The process reported a crash outside any case, or a signal ended it.
    Crashed(Breakdown),
}

/// The process wrote output without a request, so its answers may belong to other requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfStep(pub String);

impl<'c> Session<'c> {
    /// Starts a process and exchanges greetings with it.
    ///
    /// # Errors
    /// Returns an error if the process cannot be started or does not answer the greeting correctly.
    pub fn start(
        launch: &Launch,
        containment: &'c Containment,
        scratch: &Scratch,
        limits: Limits,
    ) -> Result<Self, StartError> {
        let mut command = launch.command();
        command.args(&launch.arguments);
        let patient = Limits {
            timeout: limits.timeout.max(START),
            ..limits
        };
        let watch = Watch::new(Arc::clone(&launch.crashes));
        let input = Input::Requests;
        let mut process = Process::start(containment, command, input, scratch, patient, watch)
            .map_err(StartError::Spawn)?;
        match greet(&mut process, patient.timeout) {
            Ok(greeting) => Ok(Self {
                process,
                greeting,
                late: None,
                dying: None,
                survived: 0,
            }),
            Err(why) => {
                process.kill();
                Err(StartError::Greeting(why, process.errors()))
            }
        }
    }

    /// Returns the reader's answer to the greeting.
    pub fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    /// Returns what the reader's answers contain. If the reader file (`in_file`) declares that the
    /// reader reports only verdicts, the reader file takes precedence over the greeting, because
    /// the greeting of the kits always declares records. In all other cases, the greeting takes
    /// precedence if it says what the reader reports.
    pub fn reports(&self, in_file: Reports) -> Reports {
        match (in_file, self.greeting.reports.as_deref()) {
            (Reports::Verdict, _) => Reports::Verdict,
            (_, Some("records")) => Reports::Records,
            (_, Some(_)) => Reports::Verdict,
            (_, None) => in_file,
        }
    }

    /// Sends one request and waits for the answer. Records go to `sink`.
    ///
    /// # Errors
    /// Returns an error, without sending the request, if the process has already written
    /// unrequested output.
    pub fn ask(
        &mut self,
        request: &Request<'_>,
        limits: Limits,
        sink: &mut dyn RecordSink,
    ) -> Result<Answer, OutOfStep> {
        self.late();
        self.forget_survived();
        self.process.begin(limits);
        // A flood of output is noticed in the first step of reading the answer.
        let _ = self.process.glance();
        self.in_step()?;
        let answer = match self.process.send(&request.line()) {
            Ok(()) => self.listen(limits.timeout, sink),
            Err(stop) => Answer::Broke(Breakdown::of_stop(stop, limits.timeout)),
        };
        Ok(match answer {
            Answer::Broke(breakdown) => {
                let sighted = self.process.observer().take();
                let dying = self.dying.take();
                Answer::Broke(breakdown.reporting(sighted.or(dying)))
            }
            answer => {
                self.dying = None;
                let crash = self.sighted();
                answer.unless(crash, Death::Answered)
            }
        })
    }

    /// Records a crash that was reported since the last answer and is therefore not attributed to
    /// any case.
    fn late(&mut self) {
        if let Some(crash) = self.sighted() {
            self.late
                .get_or_insert(Breakdown::Crash(Death::AtExit, Some(Box::new(crash))));
        }
    }

    /// Returns the crash that the process has reported since the last call. Reports that count as a
    /// crash only if the process exits are remembered, because the process may still exit.
    fn sighted(&mut self) -> Option<Crash> {
        let sighted = self.process.observer().take();
        if sighted.crash == sighted.continuing {
            self.dying = sighted.traceback.or(self.dying.take());
            return sighted.crash;
        }
        self.process.settle();
        let mut exited = self.process.exited();
        // A process that appears idle may have died without having been reaped yet.
        if exited.is_none() && self.survived < MOST_SURVIVED {
            let began = Instant::now();
            while exited.is_none() && began.elapsed() < DYING {
                thread::sleep(GLANCE);
                exited = self.process.exited();
            }
            self.survived += u32::from(exited.is_none());
        }
        if exited.is_some_and(|it| !it.success()) {
            return sighted.crash;
        }
        self.dying = sighted.crash;
        sighted.continuing
    }

    /// If the process is still running, discards the reports that count as a crash only if the
    /// process exits.
    fn forget_survived(&mut self) {
        if self.dying.is_some() && self.process.exited().is_none() {
            self.dying = None;
        }
    }

    /// Returns the crash of a process that exited with `status` after its last answer. Only signals
    /// and failures that the process reported are crashes, because in serve mode the exit status of
    /// a process is not an answer.
    fn crash_of(&mut self, status: ExitStatus) -> Option<Breakdown> {
        let report = self.dying.take();
        match status.signal() {
            Some(_) => Some(Breakdown::of_status(status).reporting(Sighted::default().or(report))),
            None if status.success() => None,
            None => Some(Breakdown::Crash(Death::AtExit, Some(Box::new(report?)))),
        }
    }

    fn listen(&mut self, timeout: Duration, sink: &mut dyn RecordSink) -> Answer {
        loop {
            match self.process.step() {
                Step::Line => match parse_line(self.process.line()) {
                    Ok(Line::Record(record)) => sink.record(&record),
                    Ok(Line::Closing(Closing(answer))) => return answer,
                    Ok(Line::Blank) => {}
                    Err(breach) => return Answer::Broke(self.after_text(breach)),
                },
                Step::End => return Answer::Broke(self.death()),
                Step::Stop(stop) => return Answer::Broke(Breakdown::of_stop(stop, timeout)),
            }
        }
    }

    /// Returns the failure of a process that wrote other text in place of an answer. The text may
    /// be a crash report, because the Java virtual machine writes its fatal errors to standard
    /// output.
    fn after_text(&mut self, breach: Breach) -> Breakdown {
        let mut watch = Watch::default();
        if self.process.line().starts_with(b"#") {
            self.process.allow(LAST_WORDS);
            loop {
                watch.push(self.process.line());
                watch.push(b"\n");
                match self.process.step() {
                    Step::Line if self.process.line().starts_with(b"#") => {}
                    Step::Line => break,
                    Step::End => {
                        // A process that aborts closes its output shortly before it exits.
                        let _ = self.process.finish();
                        break;
                    }
                    Step::Stop(_) => return Breakdown::Protocol(breach),
                }
            }
        }
        self.process.settle();
        let sighted = watch.take();
        match self.process.exited() {
            Some(status) if status.signal().is_some() || sighted.crash.is_some() => {
                Breakdown::of_status(status).reporting(sighted)
            }
            _ => Breakdown::Protocol(breach),
        }
    }

    /// Returns the failure of a process that closed its output.
    fn death(&mut self) -> Breakdown {
        self.process.allow(GRACE);
        match self.process.finish() {
            Ok(status) => Breakdown::of_status(status),
            Err(Stop::TimeUp) => Breakdown::Crash(Death::ClosedOutput, None),
            Err(stop) => Breakdown::of_stop(stop, GRACE),
        }
    }

    /// Checks that the process has written no unrequested output.
    ///
    /// # Errors
    /// Returns an error if there is unrequested output.
    pub fn in_step(&mut self) -> Result<(), OutOfStep> {
        let rest = self.process.rest();
        if rest.trim_ascii().is_empty() {
            return Ok(());
        }
        let first = rest.trim_ascii_start().split(|byte| *byte == b'\n').next();
        Err(OutOfStep(shown(first.unwrap_or_default())))
    }

    /// Waits briefly until the process has finished all work for the last answer.
    pub fn settle(&self) {
        self.process.settle();
    }

    /// Returns the crash of the process since its last answer, if it reported one or was killed by
    /// a signal. Waits until the process is idle, so that the crash is not attributed to the next
    /// case.
    pub fn aftermath(&mut self) -> Option<Breakdown> {
        self.process.settle();
        self.late();
        self.late.take().or_else(|| {
            let status = self.process.exited()?;
            self.crash_of(status)
        })
    }

    /// Returns the last part of the text that the process wrote to standard error during the last
    /// case.
    pub fn errors(&mut self) -> String {
        self.process.errors()
    }

    /// Closes the process's standard input, waits for it to exit, and checks for unrequested
    /// output. Returns how the process ended.
    ///
    /// # Errors
    /// Returns an error if there is unrequested output.
    pub fn finish(mut self) -> Result<Ending, OutOfStep> {
        self.process.settle();
        self.late();
        self.forget_survived();
        self.process.close_input();
        self.process.allow(GRACE);
        loop {
            self.in_step()?;
            match self.process.step() {
                Step::Line if self.process.line().trim_ascii().is_empty() => {}
                Step::Line => return Err(OutOfStep(shown(self.process.line()))),
                Step::End => break,
                Step::Stop(Stop::Flood(_)) => {
                    return Err(OutOfStep(shown(self.process.rest())));
                }
                Step::Stop(_) => {
                    self.in_step()?;
                    return Ok(self.late.map_or(Ending::Quiet, Ending::Crashed));
                }
            }
        }
        self.in_step()?;
        let status = self.process.finish().ok();
        self.late();
        let died = status.and_then(|status| self.crash_of(status));
        let died = died.map(|died| match died {
            Breakdown::Crash(_, report) => Breakdown::Crash(Death::AtExit, report),
            other => other,
        });
        Ok(match self.late.or(died) {
            Some(crash) => Ending::Crashed(crash),
            None if status.is_some_and(|status| !status.success()) => Ending::Failed,
            None => Ending::Quiet,
        })
    }
}

impl OutOfStep {
    /// Converts the error to an answer that reports a protocol violation.
    pub fn breach(self) -> Answer {
        Answer::Broke(Breakdown::Protocol(Breach::AfterClosing(self.0)))
    }
}

fn greet(process: &mut Process<'_>, patience: Duration) -> Result<Greeting, String> {
    let stopped = |stop| match Breakdown::of_stop(stop, patience) {
        Breakdown::Hang(_) => format!("the reader did not answer the greeting within {patience:?}"),
        other => format!("the reader did not answer the greeting: {other}"),
    };
    process.send(&hello()).map_err(stopped)?;
    loop {
        match process.step() {
            Step::Line if process.line().trim_ascii().is_empty() => {}
            Step::Line => return Greeting::parse(process.line()),
            Step::Stop(stop) => return Err(stopped(stop)),
            Step::End => {
                process.allow(GRACE);
                let end = match process.finish() {
                    Ok(status) => Breakdown::of_status(status),
                    Err(_) => Breakdown::Crash(Death::ClosedOutput, None),
                };
                let end = end.reporting(process.observer().take());
                return Err(format!("the reader did not answer the greeting: {end}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_misses_a_module_is_told_of_reads() {
        let told = |stderr: &str| {
            StartError::Greeting("did not answer".to_owned(), stderr.to_owned()).to_string()
        };
        assert!(told("ModuleNotFoundError: No module named 'mine'").contains("under `reads`"));
        assert!(told("Error: Cannot find module './mine.js'").contains("under `reads`"));
        assert!(!told("out of patience").contains("`reads`"));
    }
}
