//! Conversations with an adapter, kept as they were: what the harness would break off at the
//! first mistake goes on here, so that all of it can be explained.

use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::contain::{Containment, Input, Limits, Process, Scratch, Step, Stop};
use crate::protocol::{Request, hello, once};
use crate::reader_file::Launch;

/// Least time for the answer to the greeting, as the harness gives it.
const START: Duration = Duration::from_secs(10);
/// Time to end after standard input was closed.
const GRACE: Duration = Duration::from_secs(1);
/// An answer has no more lines than this that need explaining.
const MOST_LINES: usize = 100_000;

/// How what was heard ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With the line that was waited for.
    Closed,
    /// The process ended.
    Exited(ExitStatus),
    /// The process went too far, and is dead.
    Stopped(Stop),
}

/// What was heard from a process.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    /// Its lines, blank ones left out.
    pub(super) lines: Vec<Vec<u8>>,
    /// How it ended.
    pub(super) end: End,
    /// What it wrote to standard error.
    pub(super) stderr: String,
}

/// A conversation in mode serve.
#[derive(Clone, Debug)]
pub(super) struct Talk {
    /// What came before the first request.
    pub(super) greeting: Heard,
    /// How long it took to come.
    pub(super) start: Duration,
    /// What came to each request, up to the first that was not answered to its end.
    pub(super) answers: Vec<Heard>,
    /// What came after standard input was closed.
    pub(super) rest: Vec<Vec<u8>>,
}

/// What is needed to start the adapter.
#[derive(Debug)]
pub(super) struct Setting<'s> {
    pub(super) launch: &'s Launch,
    pub(super) containment: &'s Containment,
    pub(super) limits: Limits,
}

impl Setting<'_> {
    /// Mode serve: greets, and asks each request once the one before is answered.
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

    /// Mode serve: writes the greeting and a request at once, and closes standard input.
    pub(super) fn blurt(&self, request: &Request<'_>) -> io::Result<Heard> {
        let scratch = self.containment.scratch(&self.launch.origin)?;
        let mut process = self.start(&scratch)?;
        let lines = [hello(), request.line()].concat();
        // What it does instead of reading shows when it is listened to.
        let _ = process.send(&lines);
        process.close_input();
        Ok(listen(&mut process, |_| false))
    }

    /// Mode once: one process for one case.
    pub(super) fn once(&self, request: &Request<'_>) -> io::Result<Heard> {
        let scratch = self.containment.scratch(&self.launch.origin)?;
        let (command, input) = once::command(self.launch, request)?;
        let mut process = Process::start(self.containment, command, input, &scratch, self.limits)?;
        Ok(listen(&mut process, |_| false))
    }

    fn start(&self, scratch: &Scratch) -> io::Result<Process<'_>> {
        let mut command = std::process::Command::new(&self.launch.program);
        command.args(&self.launch.arguments);
        let input = Input::Requests;
        Process::start(self.containment, command, input, scratch, self.limits)
    }
}

fn ask(
    process: &mut Process<'_>,
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

/// Listens up to the last line, or to the end.
fn listen(process: &mut Process<'_>, is_last: fn(&Json) -> bool) -> Heard {
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

/// The answer to the greeting is the first object, whatever is in it.
fn is_object(json: &Json) -> bool {
    json.is_object()
}

/// A closing line, or the request as it was.
fn is_closing(json: &Json) -> bool {
    let has = |name: &str| json.get(name).is_some();
    (has("end") && !has("record")) || (has("case") && has("file"))
}
