//! A worker, which owns a scratch folder and, in serve mode, a reader process.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use tracegauge_contain::{Limits, Origin, Pieces, Scratch};
use tracegauge_corpus::case::Case;
use tracegauge_corpus::huge::is_huge_id;
use tracegauge_judge::compare::{Matcher, Seen};
use tracegauge_judge::{Response, response};
use tracegauge_protocol::reader_file::Mode;
use tracegauge_protocol::serve::{Ending, OutOfStep, Session, StartError};
use tracegauge_protocol::{Answer, Breach, Breakdown, Request, once};
use tracegauge_results::text::counted;
use tracegauge_results::{Crash, Difference};

use super::Assignment;
use super::files::{Desk, Laid};
use super::shared::{Shared, Task};

/// Number of responses that are sent to the main thread together, so that many small cases do not
/// wake it individually.
const BATCH: usize = 64;
const BATCH_TIME: Duration = Duration::from_millis(50);
/// The number of additional bytes of output allowed per byte of the trace.
const OUTPUT_PER_BYTE: u64 = 16;

/// The sizes in bytes of the pieces that traces are split into when they are written to a reader's
/// standard input: single bytes, an odd size, and a size typical of file systems and sockets.
const PIECES: [usize; 3] = [1, 7, 4096];
/// The maximum size in bytes of a trace that is written to standard input byte by byte.
const BYTE_BY_BYTE: usize = 4096;

/// The number of earlier cases that are suspected of having caused a crash during a later case, or
/// a failure at the end of the process.
const MOST_BEFORE: usize = 3;

/// The number of bytes of a huge trace for which a reader gets one more second. Slower readers, such
/// as those that process each byte in an interpreter, could not read real traces of this size.
const BYTES_PER_SECOND: u64 = 32 << 20;

/// Returns the time that a case adds to a reader's time limit, which is zero unless its trace is
/// huge.
pub(crate) fn more_time(case: &Case) -> Duration {
    match case.is_huge() {
        true => Duration::from_secs(case.trace().length() / BYTES_PER_SECOND),
        false => Duration::ZERO,
    }
}

/// A message from a worker to the main thread.
pub(super) enum Answered {
    /// Responses to cases.
    Cases(Vec<(usize, Response)>),
    /// The cases of a process that wrote more answers than there were requests.
    OutOfStep(Vec<usize>),
    /// The last cases that a process answered before it exited with a failure that it did not
    /// report. The answers may have been late answers to earlier cases, and the process may have
    /// failed when it read the request for a case that already counted as answered.
    Doubtful(Vec<usize>),
    /// A crash that cannot be attributed to a case.
    Loose(Loose),
    /// A crash during a case that an earlier case may have caused.
    Inherited(Inherited),
}

/// A crash of a process that had already answered other cases. If a process dies right after an
/// answer, its death is noticed only when the next case is sent.
#[derive(Debug)]
pub(super) struct Inherited {
    /// The case that was running when the crash was noticed.
    pub(super) during: usize,
    /// The cases that the process answered most recently before `during`, most recent first.
    pub(super) before: Vec<usize>,
}

/// A crash of a process outside any case.
#[derive(Debug)]
pub(super) struct Loose {
    pub(super) breakdown: Breakdown,
    /// The cases that the process had answered, any of which may have caused the crash.
    pub(super) cases: Vec<usize>,
}

pub(super) struct Worker<'s, 'r> {
    shared: &'s Shared<'r>,
    task: Task,
    cases: &'s [usize],
    sender: Sender<Answered>,
    scratch: Scratch,
    desk: Desk,
    session: Option<Session<'r>>,
    /// The cases that the session has answered.
    answered: Vec<usize>,
    batch: Vec<(usize, Response)>,
    handed_over: Instant,
}

impl<'s, 'r> Worker<'s, 'r> {
    pub(super) fn new(
        shared: &'s Shared<'r>,
        task: Task,
        cases: &'s [usize],
        sender: Sender<Answered>,
    ) -> io::Result<Self> {
        let assignment = &shared.assignment;
        let desk = assignment.files.desk()?;
        let mut origin: Origin = assignment.launch.origin.clone();
        origin.files.push(desk.folder().to_path_buf());
        Ok(Self {
            scratch: assignment.containment.scratch(&origin)?,
            desk,
            shared,
            task,
            cases,
            sender,
            session: None,
            answered: Vec::new(),
            batch: Vec::new(),
            handed_over: Instant::now(),
        })
    }

    /// Runs cases until none are left.
    pub(super) fn work(mut self) {
        while let Some(position) = self.shared.claim(self.cases.len()) {
            let index = self.cases[position];
            let response = self.respond(index);
            if self.shared.assignment.containment.is_halted() {
                // The reader may have been stopped during this case.
                self.session = None;
                break;
            }
            match response {
                Ok(response) => {
                    self.shared.count(&response);
                    self.batch.push((index, response));
                }
                Err(why) => {
                    self.shared.give_up(why);
                    break;
                }
            }
            if self.batch.len() >= BATCH || self.handed_over.elapsed() > BATCH_TIME {
                self.hand_over();
            }
        }
        self.end_session();
        self.hand_over();
    }

    /// Runs a case. The trace file of the case exists only until the reader has answered.
    fn respond(&mut self, index: usize) -> Result<Response, String> {
        let assignment = &self.shared.assignment;
        let laid = self.desk.lay(assignment.cases[index], assignment.seed);
        let laid = laid.map_err(|error| format!("cannot write a case to a file: {error}"))?;
        match (assignment.launch.mode, self.task) {
            (Mode::Once, _) => self.once(index, &laid),
            (Mode::Serve, Task::Among) => self.serve(index, &laid),
            (Mode::Serve, Task::Alone) => self.serve_alone(index, &laid),
        }
    }

    fn hand_over(&mut self) {
        self.handed_over = Instant::now();
        // The receiver outlives all workers, so sending cannot fail.
        let _ = self
            .sender
            .send(Answered::Cases(std::mem::take(&mut self.batch)));
    }

    fn limits(&self, index: usize) -> Limits {
        let assignment = &self.shared.assignment;
        let case = assignment.cases[index];
        let size = case.trace().length();
        let limits = assignment.limits;
        let more_memory = if case.is_huge() { size } else { 0 };
        Limits {
            timeout: limits.timeout + more_time(case),
            memory: limits.memory.saturating_add(more_memory),
            output: limits.output + OUTPUT_PER_BYTE * size,
            lines: limits.lines + size,
            ..limits
        }
    }

    fn once(&mut self, index: usize, laid: &Laid) -> Result<Response, String> {
        let limits = self.limits(index);
        let assignment = &self.shared.assignment;
        self.scratch.empty().map_err(|error| no_scratch(&error))?;
        let mut matcher = matcher(assignment, index);
        let began = Instant::now();
        let (answer, stderr) = once::run(
            assignment.launch,
            assignment.containment,
            &self.scratch,
            &request(self.shared, index, laid),
            limits,
            assignment.reports,
            &mut matcher,
        )
        .map_err(|error| StartError::Spawn(error).to_string())?;
        let seconds = seconds(began);
        self.shared.started(None);
        let whole = Response {
            seconds,
            ..response(answer, matcher.finish(), assignment.reports, stderr)
        };
        // Thousands of pieces take longer than the time limit.
        let is_huge = is_huge_id(&assignment.cases[index].id);
        if assignment.launch.stdin && !is_huge && !matches!(whole.answer, Answer::Broke(_)) {
            return self.in_pieces(index, laid, whole);
        }
        Ok(whole)
    }

    /// Runs the reader on the trace in pieces, and returns the response to the whole trace if all
    /// responses agree with it. If a response differs, returns a response that reports a protocol
    /// violation.
    fn in_pieces(
        &mut self,
        index: usize,
        laid: &Laid,
        whole: Response,
    ) -> Result<Response, String> {
        let limits = self.limits(index);
        let assignment = &self.shared.assignment;
        let case = assignment.cases[index];
        for size in PIECES {
            if size == 1 && case.bytes.len() > BYTE_BY_BYTE {
                continue;
            }
            self.scratch.empty().map_err(|error| no_scratch(&error))?;
            let mut matcher = matcher(assignment, index);
            let pieces = Pieces {
                bytes: Arc::clone(&case.bytes),
                size,
            };
            let (answer, stderr) = once::run_in_pieces(
                assignment.launch,
                (assignment.containment, &self.scratch),
                &request(self.shared, index, laid),
                pieces,
                (limits, assignment.reports),
                &mut matcher,
            )
            .map_err(|error| StartError::Spawn(error).to_string())?;
            let other = response(answer, matcher.finish(), assignment.reports, stderr);
            if !is_alike(&whole, &other) {
                let breach = Breach::Pieces {
                    size,
                    whole: in_short(&whole),
                    pieces: in_short(&other),
                };
                return Ok(Response {
                    answer: Answer::Broke(Breakdown::Protocol(breach)),
                    seconds: whole.seconds,
                    ..other
                });
            }
        }
        Ok(whole)
    }

    fn serve(&mut self, index: usize, laid: &Laid) -> Result<Response, String> {
        for _ in 0..2 {
            if self.session.is_none() {
                self.session = Some(self.start()?);
            }
            let limits = self.limits(index);
            let Some(session) = &mut self.session else {
                continue;
            };
            match ask(self.shared, session, (index, laid), limits) {
                Ok(response) => {
                    if matches!(response.answer, Answer::Broke(_)) {
                        // Later output of this process could not be attributed to a case, so the
                        // process is killed.
                        self.session = None;
                        self.inherit(index, &response);
                    } else {
                        self.answered.push(index);
                    }
                    return Ok(response);
                }
                Err(OutOfStep(_)) => {
                    self.session = None;
                    self.suspect();
                }
            }
        }
        Err("the reader wrote output before it received a request".to_owned())
    }

    /// Reports the cases that may have caused a crash during case `during`, and forgets all cases
    /// that the process has answered.
    fn inherit(&mut self, during: usize, response: &Response) {
        let answered = std::mem::take(&mut self.answered);
        let is_crash = matches!(response.answer, Answer::Broke(Breakdown::Crash(..)));
        if !is_crash || self.task != Task::Among || answered.is_empty() {
            return;
        }
        let before = answered.into_iter().rev().take(MOST_BEFORE).collect();
        let _ = self
            .sender
            .send(Answered::Inherited(Inherited { during, before }));
    }

    /// Runs a single case in a process of its own and reads all its output.
    fn serve_alone(&mut self, index: usize, laid: &Laid) -> Result<Response, String> {
        let mut session = self.start()?;
        let limits = self.limits(index);
        let mut response = match ask(self.shared, &mut session, (index, laid), limits) {
            Ok(response) => response,
            Err(out_of_step) => broken(out_of_step),
        };
        if !matches!(response.answer, Answer::Broke(_)) {
            match session.finish() {
                Ok(Ending::Quiet | Ending::Failed) => {}
                Ok(Ending::Crashed(breakdown)) => response.answer = Answer::Broke(breakdown),
                Err(out_of_step) => response.answer = out_of_step.breach(),
            }
        }
        Ok(response)
    }

    fn start(&mut self) -> Result<Session<'r>, String> {
        let assignment = &self.shared.assignment;
        let mut tries = 0;
        loop {
            tries += 1;
            self.scratch.empty().map_err(|error| no_scratch(&error))?;
            let (launch, containment) = (assignment.launch, assignment.containment);
            match Session::start(launch, containment, &self.scratch, assignment.limits) {
                Ok(session) => {
                    self.shared.started(Some(session.greeting()));
                    return Ok(session);
                }
                // A reader that has started before may fail temporarily, so try again once.
                Err(_) if tries == 1 && self.shared.was_started() => {}
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    fn end_session(&mut self) {
        let Some(session) = self.session.take() else {
            return;
        };
        match session.finish() {
            Ok(Ending::Quiet) => {}
            Ok(_) if self.shared.assignment.containment.is_halted() => {}
            Ok(Ending::Failed) => {
                let last = std::mem::take(&mut self.answered);
                let last = last.into_iter().rev().take(MOST_BEFORE).collect();
                self.hand_over();
                let _ = self.sender.send(Answered::Doubtful(last));
            }
            Ok(Ending::Crashed(breakdown)) => {
                let cases = std::mem::take(&mut self.answered);
                self.hand_over();
                let _ = self
                    .sender
                    .send(Answered::Loose(Loose { breakdown, cases }));
            }
            Err(_) => self.suspect(),
        }
    }

    /// Reports the cases of a process that wrote unrequested output, because its answers may belong
    /// to other requests.
    fn suspect(&mut self) {
        let cases = std::mem::take(&mut self.answered);
        // Answers from the same process may still be waiting in the batch.
        self.hand_over();
        let _ = self.sender.send(Answered::OutOfStep(cases));
    }
}

/// Returns whether two responses are equivalent. The wording of rejections may differ.
pub(crate) fn is_alike(one: &Response, other: &Response) -> bool {
    let same = match (&one.answer, &other.answer) {
        (Answer::Reject(one), Answer::Reject(other)) => {
            (one.class, one.offset) == (other.class, other.offset)
        }
        // The stack trace of a crash can depend on what the process did before.
        (
            Answer::Broke(Breakdown::Crash(one, first)),
            Answer::Broke(Breakdown::Crash(other, second)),
        ) => {
            let kind = |crash: &Option<Box<Crash>>| {
                let crash = crash.as_ref();
                crash.map(|it| (it.runtime.clone(), it.kind.clone()))
            };
            one == other && kind(first) == kind(second)
        }
        (one, other) => one == other,
    };
    let seen = |response: &Response| {
        let seen = response.seen.as_ref();
        let parts = |seen: &Seen| {
            let Seen {
                reported,
                whole,
                before_fault,
                left_out,
                ..
            } = seen.clone();
            (reported, whole, before_fault, left_out)
        };
        seen.map(parts)
    };
    same && seen(one) == seen(other)
}

/// Describes an answer, the number of records that came with it, and the first of them that differs from
/// what a reader must report.
pub(crate) fn in_short(response: &Response) -> String {
    let Some(seen) = &response.seen else {
        return response.answer.to_string();
    };
    let records = counted(seen.reported, "record");
    let shown = format!("{} after {records}", response.answer);
    let is_rejection = matches!(response.answer, Answer::Reject(_));
    let difference = match is_rejection {
        true => &seen.before_fault,
        false => &seen.whole,
    };
    match difference {
        Some(found) => {
            let Difference {
                record,
                path,
                expected,
                actual,
                ..
            } = found;
            let member = match path.as_str() {
                "" => String::new(),
                path => format!(", {path}"),
            };
            format!("{shown}; record {record}{member}: {actual} instead of {expected}")
        }
        None => shown,
    }
}

fn matcher<'r>(assignment: &Assignment<'r>, index: usize) -> Matcher<'r> {
    let case = assignment.cases[index];
    Matcher::new(&case.expected, &case.format, assignment.reporting).whole()
}

pub(super) fn no_scratch(error: &io::Error) -> String {
    format!("cannot create a scratch folder: {error}")
}

fn request<'r>(shared: &Shared<'r>, index: usize, laid: &'r Laid) -> Request<'r> {
    Request {
        case: laid.name(),
        format: &shared.assignment.cases[index].format,
        file: laid.path(),
    }
}

fn ask(
    shared: &Shared<'_>,
    session: &mut Session<'_>,
    (index, laid): (usize, &Laid),
    limits: Limits,
) -> Result<Response, OutOfStep> {
    let assignment = &shared.assignment;
    let mut matcher = matcher(assignment, index);
    let began = Instant::now();
    let answer = session.ask(&request(shared, index, laid), limits, &mut matcher)?;
    let seconds = seconds(began);
    let reports = session.reports(assignment.reports);
    let stderr = session.errors();
    Ok(Response {
        seconds,
        ..response(answer, matcher.finish(), reports, stderr)
    })
}

/// Returns the elapsed time in seconds, rounded down to microseconds.
fn seconds(began: Instant) -> Option<f64> {
    let microseconds = u64::try_from(began.elapsed().as_micros()).ok()?;
    Some(Duration::from_micros(microseconds).as_secs_f64())
}

fn broken(out_of_step: OutOfStep) -> Response {
    Response {
        answer: out_of_step.breach(),
        seen: None,
        stderr: String::new(),
        unsteady: None,
        stray: None,
        seconds: None,
    }
}

#[cfg(test)]
mod tests {
    use tracegauge_results::{Crash, Severity};

    use super::*;
    use tracegauge_protocol::Death;

    fn crashed(kind: &str, frame: &str) -> Response {
        let crash = Crash {
            runtime: "Python".to_owned(),
            kind: kind.to_owned(),
            access: None,
            near_null: false,
            severity: Severity::NotExploitable,
            frames: vec![frame.to_owned()],
        };
        let crash = Breakdown::Crash(Death::Status(1), Some(Box::new(crash)));
        Response {
            answer: Answer::Broke(crash),
            seen: None,
            stderr: String::new(),
            unsteady: None,
            stray: None,
            seconds: None,
        }
    }

    #[test]
    fn crashes_are_alike_even_if_their_stacks_differ() {
        let one = crashed("KeyError", "reader.py:read");
        assert!(is_alike(&one, &crashed("KeyError", "reader.py:next")));
        assert!(!is_alike(&one, &crashed("ValueError", "reader.py:read")));
    }
}
