//! Conversations with an adapter, recorded in full. Unlike a run, which ends a conversation at the
//! first protocol violation, the doctor continues, so that it can explain all mistakes.
//!
//! In serve mode, one process answers many requests. In once mode, each case has a process of its
//! own.

use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use tracegauge_contain::{Containment, Input, Limits, Process, Scratch, Step, Stop};
use tracegauge_protocol::reader_file::Launch;
use tracegauge_protocol::{Request, hello, once};

/// Minimum time limit for the answer to the greeting, the same as in a run.
const START: Duration = Duration::from_secs(10);
/// Time limit for the adapter to exit after standard input is closed.
const GRACE: Duration = Duration::from_secs(1);
/// Maximum number of lines of an answer that are recorded.
const MOST_LINES: usize = 100_000;

/// How a section of an adapter's output ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The expected last line arrived.
    Closed,
    /// The process ended.
    Exited(ExitStatus),
    /// The process exceeded a limit and was killed.
    Stopped(Stop),
}

/// A section of the output of a process.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    /// The lines that are not blank.
    pub(super) lines: Vec<Vec<u8>>,
    /// How the section ended.
    pub(super) end: End,
    /// The output on standard error.
    pub(super) stderr: String,
}

/// A conversation in serve mode.
#[derive(Clone, Debug)]
pub(super) struct Talk {
    /// The output before the first request.
    pub(super) greeting: Heard,
    /// The time until the greeting was complete.
    pub(super) start: Duration,
    /// The answer to each request, up to the first answer without a closing line.
    pub(super) answers: Vec<Heard>,
    /// The output after standard input was closed.
    pub(super) rest: Vec<Vec<u8>>,
}

/// The parameters for starting the adapter.
#[derive(Debug)]
pub(super) struct Setting<'s> {
    pub(super) launch: &'s Launch,
    pub(super) containment: &'s Containment,
    pub(super) limits: Limits,
}

impl Setting<'_> {
    /// Conducts a conversation in serve mode: sends the greeting, and then each request after the
    /// previous one has been answered.
    pub(super) fn talk(&self, requests: &[Request<'_>]) -> io::Result<Talk> {
        let scratch = self.containment.scratch(&self.launch.origin)?;
        let mut process = self.start(&scratch)?;
        let patient = Limits {
            timeout: self.limits.timeout.max(START),
            ..self.limits
        };
        let began = Instant::now();
        let greeting = ask(&mut process, &hello(), patient, is_object);
        let start = began.elapsed();
        let mut answers = Vec::new();
        if greeting.end == End::Closed {
            for request in requests {
                let heard = ask(&mut process, &request.line(), self.limits, is_closing);
                let is_over = heard.end != End::Closed;
                answers.push(heard);
                if is_over {
                    break;
                }
            }
        }
        process.close_input();
        process.begin(Limits {
            timeout: GRACE,
            ..self.limits
        });
        let rest = listen(&mut process, |_| false).lines;
        Ok(Talk {
            greeting,
            start,
            answers,
            rest,
        })
    }

    /// Sends the greeting and a request together in serve mode, and closes standard input.
    pub(super) fn blurt(&self, request: &Request<'_>) -> io::Result<Heard> {
        let scratch = self.containment.scratch(&self.launch.origin)?;
        let mut process = self.start(&scratch)?;
        let lines = [hello(), request.line()].concat();
        // If the process does not read its input, its output will show that.
        let _ = process.send(&lines);
        process.close_input();
        Ok(listen(&mut process, |_| false))
    }

    /// Runs one case in once mode, in a process of its own.
    pub(super) fn once(&self, request: &Request<'_>) -> io::Result<Heard> {
        let scratch = self.containment.scratch(&self.launch.origin)?;
        let (command, input) = once::command(self.launch, request)?;
        let mut process =
            Process::start(self.containment, command, input, &scratch, self.limits, ())?;
        Ok(listen(&mut process, |_| false))
    }

    fn start(&self, scratch: &Scratch) -> io::Result<Process<'_, ()>> {
        let mut command = self.launch.command();
        command.args(&self.launch.arguments);
        let input = Input::Requests;
        Process::start(self.containment, command, input, scratch, self.limits, ())
    }
}

fn ask(
    process: &mut Process<'_, ()>,
    line: &[u8],
    limits: Limits,
    is_last: fn(&Json) -> bool,
) -> Heard {
    process.begin(limits);
    match process.send(line) {
        Ok(()) => listen(process, is_last),
        Err(stop) => Heard {
            lines: Vec::new(),
            end: End::Stopped(stop),
            stderr: process.errors(),
        },
    }
}

/// Collects output up to the last expected line, or to the end of the output.
fn listen(process: &mut Process<'_, ()>, is_last: fn(&Json) -> bool) -> Heard {
    let mut lines = Vec::new();
    let end = loop {
        match process.step() {
            Step::Line => {
                let line = process.line().trim_ascii().to_vec();
                let closes = serde_json::from_slice(&line).is_ok_and(|json| is_last(&json));
                if !line.is_empty() && lines.len() < MOST_LINES {
                    lines.push(line);
                }
                if closes {
                    break End::Closed;
                }
            }
            Step::Stop(stop) => break End::Stopped(stop),
            Step::End => {
                let rest = process.rest().trim_ascii();
                if !rest.is_empty() {
                    lines.push(rest.to_vec());
                }
                break match process.finish() {
                    Ok(status) => End::Exited(status),
                    Err(stop) => End::Stopped(stop),
                };
            }
        }
    };
    Heard {
        lines,
        end,
        stderr: process.errors(),
    }
}

/// Returns true if a line is a JSON object. The first object is the answer to the greeting,
/// regardless of its content.
fn is_object(json: &Json) -> bool {
    json.is_object()
}

/// Returns true if a line ends an answer: a closing line, which has the member `end` but is not a
/// record, or an echo of the request.
fn is_closing(json: &Json) -> bool {
    let has = |name: &str| json.get(name).is_some();
    (has("end") && !has("record")) || (has("case") && has("file"))
}
