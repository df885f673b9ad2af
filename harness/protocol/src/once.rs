//! `once` mode: each case runs in a process of its own, whose exit status and output are the
//! answer.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::process::{Command, ExitStatus};
use std::sync::Arc;

use tracegauge_contain::{Containment, Input, Limits, Pieces, Scratch, Step};

use super::answer::{Answer, Breach, Breakdown, Death, Rejection};
use super::message::{Closing, Line, Request, parse_line, shown};
use super::reason::reason;
use super::{Process, RecordSink};
use crate::crash::{Sighted, Watch};
use crate::reader_file::{Launch, Reports, StatusMeaning};

/// The maximum length of a closing line in bytes. If a reader reports no records, longer lines are
/// not parsed.
const LONGEST_CLOSING: usize = 1 << 16;

/// Runs the reader on one case and sends the records to `sink`. Returns the answer and the last
/// part of the reader's standard error.
///
/// # Errors
/// Returns an error if the process cannot be started.
pub fn run(
    launch: &Launch,
    containment: &Containment,
    scratch: &Scratch,
    request: &Request<'_>,
    limits: Limits,
    reports: Reports,
    sink: &mut dyn RecordSink,
) -> io::Result<(Answer, String)> {
    let (command, input) = command(launch, request)?;
    let watch = Watch::new(Arc::clone(&launch.crashes));
    let process = Process::start(containment, command, input, scratch, limits, watch)?;
    Ok(heard(process, launch, limits, reports, sink))
}

/// Like [`run`], but feeds the trace to the reader's standard input in pieces.
///
/// # Errors
/// Returns an error if the process cannot be started.
pub fn run_in_pieces(
    launch: &Launch,
    (containment, scratch): (&Containment, &Scratch),
    request: &Request<'_>,
    pieces: Pieces,
    (limits, reports): (Limits, Reports),
    sink: &mut dyn RecordSink,
) -> io::Result<(Answer, String)> {
    let command = fed_command(launch, request);
    let input = Input::Pieces(pieces);
    let watch = Watch::new(Arc::clone(&launch.crashes));
    let process = Process::start(containment, command, input, scratch, limits, watch)?;
    Ok(heard(process, launch, limits, reports, sink))
}

/// Reads all output of a process and interprets it. Returns the answer and the last part of
/// standard error.
fn heard(
    mut process: Process<'_>,
    launch: &Launch,
    limits: Limits,
    reports: Reports,
    sink: &mut dyn RecordSink,
) -> (Answer, String) {
    let mut output = Output::new(reports, sink);
    let answer = loop {
        match process.step() {
            Step::Line => output.line(process.line()),
            Step::Stop(stop) => break Err(stop),
            Step::End => {
                output.line(process.rest());
                break process.finish();
            }
        }
    };
    let errors = process.errors();
    let sighted = process.observer().take();
    match answer {
        Ok(status) => {
            let answer = output.answer(status, &launch.statuses, &errors, sighted);
            (answer, errors)
        }
        Err(stop) => (
            Answer::Broke(Breakdown::of_stop(stop, limits.timeout)),
            errors,
        ),
    }
}

/// Builds the command for a case whose trace is fed to standard input. `{file}` is replaced by `-`.
fn fed_command(launch: &Launch, request: &Request<'_>) -> Command {
    let mut command = launch.command();
    let named = launch
        .arguments
        .iter()
        .any(|text| text == "{stdin}" || text.contains("{file}"));
    for argument in launch.arguments.iter().filter(|text| *text != "{stdin}") {
        command.arg(argument.replace("{file}", "-"));
    }
    if !named {
        command.arg("-");
    }
    tell(&mut command, request);
    command
}

fn tell(command: &mut Command, request: &Request<'_>) {
    command
        .env("TRACEGAUGE_FORMAT", request.format)
        .env("TRACEGAUGE_CASE", request.case);
}

/// Builds the command and the standard input for one case. The path of the trace replaces `{file}`
/// or is appended as the last argument. If the arguments contain `{stdin}`, the trace is fed to
/// standard input instead.
pub fn command(launch: &Launch, request: &Request<'_>) -> io::Result<(Command, Input)> {
    let mut command = launch.command();
    let fed = launch.arguments.iter().any(|text| text == "{stdin}");
    let named = launch.arguments.iter().any(|text| text.contains("{file}"));
    for argument in launch.arguments.iter().filter(|text| *text != "{stdin}") {
        command.arg(argument.replace("{file}", request.file));
    }
    if !fed && !named {
        command.arg(request.file);
    }
    tell(&mut command, request);
    let input = if fed {
        Input::File(File::open(request.file)?)
    } else {
        Input::Nothing
    };
    Ok((command, input))
}

/// The relevant parts of a process's output.
struct Output<'s> {
    reports: Reports,
    sink: &'s mut dyn RecordSink,
    closing: Option<Answer>,
    breach: Option<Breach>,
}

impl<'s> Output<'s> {
    fn new(reports: Reports, sink: &'s mut dyn RecordSink) -> Self {
        Self {
            reports,
            sink,
            closing: None,
            breach: None,
        }
    }

    fn line(&mut self, line: &[u8]) {
        match self.reports {
            Reports::Records => self.record_line(line),
            Reports::Verdict | Reports::Unknown => self.loose_line(line),
        }
    }

    /// Handles a line of a reader that reports records, which must write no other output.
    fn record_line(&mut self, line: &[u8]) {
        if self.breach.is_some() {
            return;
        }
        let parsed = parse_line(line);
        if parsed == Ok(Line::Blank) {
            return;
        }
        if self.closing.is_some() {
            self.breach = Some(Breach::AfterClosing(shown(line)));
            return;
        }
        match parsed {
            Ok(Line::Record(record)) => self.sink.record(&record),
            Ok(Line::Closing(Closing(answer))) => self.closing = Some(answer),
            Ok(Line::Blank) => {}
            Err(breach) => self.breach = Some(breach),
        }
    }

    /// Handles a line of a reader whose output may contain arbitrary lines. Only a closing line at
    /// the end is an answer. If the reader file does not say what the reader reports, records are
    /// collected too.
    fn loose_line(&mut self, line: &[u8]) {
        let line = line.trim_ascii();
        if line.is_empty() {
            return;
        }
        self.closing = None;
        let is_unknown = self.reports == Reports::Unknown;
        let curious = is_unknown || line.len() <= LONGEST_CLOSING;
        let parsed = (curious && line.starts_with(b"{")).then(|| parse_line(line));
        match parsed {
            Some(Ok(Line::Closing(Closing(answer)))) => self.closing = Some(answer),
            Some(Ok(Line::Record(record))) if is_unknown => self.sink.record(&record),
            _ if is_unknown => self.sink.stray(line),
            _ => {}
        }
    }

    fn answer(
        self,
        status: ExitStatus,
        statuses: &BTreeMap<i32, StatusMeaning>,
        errors: &str,
        sighted: Sighted,
    ) -> Answer {
        let Some(code) = status.code() else {
            return Answer::Broke(Breakdown::of_status(status).reporting(sighted));
        };
        // In many languages, uncaught exceptions exit with status 1, so a traceback is what
        // distinguishes them from rejections.
        let is_meant = statuses.contains_key(&code) || matches!(code, 0 | 65 | 69);
        let is_answered = !matches!(self.closing, None | Some(Answer::Accept));
        let is_uncaught = !is_meant && !is_answered && sighted.traceback.is_some();
        if sighted.crash.is_some() || is_uncaught {
            let reported = Breakdown::Crash(Death::Exited(code), None);
            return Answer::Broke(reported.reporting(sighted));
        }
        let said = self.closing;
        let died = || Answer::Broke(Breakdown::Crash(Death::Status(code), None));
        let answer = match (said, statuses.get(&code), code) {
            (Some(said), _, 0 | 65) => said,
            (said, Some(meaning), _) => of_meaning(*meaning, code, said, errors),
            (_, None, 0) => Answer::Accept,
            (said, None, 65) => of_meaning(StatusMeaning::Reject, code, said, errors),
            (said, None, 69) => of_meaning(StatusMeaning::Unsupported, code, said, errors),
            // The process failed after it had accepted the trace, which is not a rejection.
            (Some(Answer::Accept), None, 1) => died(),
            (said, None, 1) => match of_meaning(StatusMeaning::Reject, code, said, errors) {
                Answer::Reject(rejection) => Answer::Reject(Rejection {
                    perhaps_crashed: true,
                    ..rejection
                }),
                other => other,
            },
            (_, None, _) => died(),
        };
        match (answer, self.breach) {
            (Answer::Broke(breakdown), _) => Answer::Broke(breakdown.reporting(sighted)),
            (answer, None) => answer,
            (_, Some(breach)) => Answer::Broke(Breakdown::Protocol(breach)),
        }
    }
}

/// Returns the answer that an exit status with the given meaning stands for, including the details
/// in the closing line if the line agrees with the status.
fn of_meaning(meaning: StatusMeaning, code: i32, said: Option<Answer>, errors: &str) -> Answer {
    match (meaning, said) {
        (StatusMeaning::Accept, _) => Answer::Accept,
        (StatusMeaning::Reject, Some(said @ Answer::Reject(_)))
        | (StatusMeaning::Unsupported, Some(said @ Answer::Unsupported { .. })) => said,
        (StatusMeaning::Reject, _) => Answer::Reject(Rejection {
            why: reason(errors),
            ..Rejection::default()
        }),
        (StatusMeaning::Unsupported, _) => Answer::Unsupported { feature: None },
        (StatusMeaning::Crash, _) => Answer::Broke(Breakdown::Crash(Death::Status(code), None)),
    }
}
