//! Extracts crash reports from standard error as it arrives.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use tracegauge_contain::Observer;
use tracegauge_corpus::pattern::Pattern;
use tracegauge_results::Crash;

use super::table::{Mark, RUNTIMES, Runtime, Weight};
use super::{Report, without_values};

/// The maximum number of bytes to examine in a line.
const LINE: usize = 4096;
/// The number of lines to keep at the start and at the end of a report. A stack overflow report can
/// have thousands of lines in between.
const LINES: usize = 200;
/// The number of lines to keep for reports that are identified by their last line.
const BEFORE: usize = 64;

/// Finds crash reports in a process's standard error.
#[derive(Debug, Default)]
pub struct Watch {
    /// Patterns for the reader's own crash messages.
    patterns: Arc<[Pattern]>,
    /// The beginning of an incomplete line.
    partial: Vec<u8>,
    open: Option<Open>,
    recent: VecDeque<String>,
    found: Found,
}

/// A report whose first line has been found.
#[derive(Debug)]
struct Open {
    runtime: &'static Runtime,
    lines: Vec<String>,
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

#[derive(Debug, Default)]
struct Found {
    crash: Option<(Weight, Crash)>,
    /// The crash with the highest weight, not counting the last messages of aborting processes.
    continuing: Option<(Weight, Crash)>,
    traceback: Option<Crash>,
}

/// The crashes that a process reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sighted {
    /// The crash that counts if the process exits, whether or not it answers.
    pub crash: Option<Crash>,
    /// The crash that counts if the process continues to run. Some reports are always followed by
    /// the end of the process, so a process that continues has only echoed the text of such a
    /// report.
    pub continuing: Option<Crash>,
    /// The traceback of a language runtime, which counts as a crash only if the process does not
    /// answer.
    pub traceback: Option<Crash>,
}

impl Sighted {
    /// Adds a crash that the process reported earlier. It explains the end of the process only if no
    /// later report does.
    pub fn or(self, earlier: Option<Crash>) -> Self {
        Self {
            traceback: self.traceback.or(earlier),
            ..self
        }
    }

    /// Returns the crash that explains why the process ended without an answer.
    pub fn any(self) -> Option<Crash> {
        self.crash.or(self.traceback)
    }
}

impl Watch {
    /// Creates a watch for which lines that match one of `patterns` count as crash reports, in
    /// addition to the reports of known runtimes.
    pub fn new(patterns: Arc<[Pattern]>) -> Self {
        Self {
            patterns,
            ..Self::default()
        }
    }

    /// Processes the next piece of output.
    pub fn push(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (line, rest) = bytes.split_at(end);
            bytes = &rest[1..];
            if self.partial.is_empty() {
                self.line(line);
            } else {
                self.keep(line);
                let line = std::mem::take(&mut self.partial);
                self.line(&line);
            }
        }
        self.keep(bytes);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LINE.saturating_sub(self.partial.len());
        self.partial
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// Returns the crashes reported since the last call. An incomplete report is returned by a
    /// later call.
    pub fn take(&mut self) -> Sighted {
        let line = std::mem::take(&mut self.partial);
        if !line.is_empty() {
            self.line(&line);
        }
        if let Some(Open { runtime, lines }) = &self.open
            && let report @ Some(_) = (runtime.read)(lines)
        {
            self.found.add(runtime.weight, runtime.name, report);
            self.open = None;
        }
        self.recent.clear();
        let found = std::mem::take(&mut self.found);
        Sighted {
            crash: found.crash.map(|(_, crash)| crash),
            continuing: found.continuing.map(|(_, crash)| crash),
            traceback: found.traceback,
        }
    }

    fn line(&mut self, line: &[u8]) {
        let line = &line[..line.len().min(LINE)];
        let line = String::from_utf8_lossy(line);
        let line = without_colors(line.strip_suffix('\r').unwrap_or(&line));
        let line = &*line;
        for runtime in &RUNTIMES {
            match runtime.mark {
                Mark::First(is_first) if is_first(line) => {
                    self.close();
                    self.open = Some(Open {
                        runtime,
                        lines: Vec::new(),
                    });
                    break;
                }
                Mark::Last(is_last) if is_last(line) => {
                    self.recent.make_contiguous();
                    let report = (runtime.read)(self.recent.as_slices().0);
                    self.found.add(runtime.weight, runtime.name, report);
                }
                Mark::First(_) | Mark::Last(_) => {}
            }
        }
        self.own(line);
        if let Some(open) = &mut self.open {
            open.push(line);
        }
        if self.recent.len() == BEFORE {
            self.recent.pop_front();
        }
        self.recent.push_back(line.to_owned());
    }

    /// Checks a line against the reader's own patterns.
    fn own(&mut self, line: &str) {
        if self.patterns.iter().any(|pattern| pattern.matches(line)) {
            let report = Report {
                kind: without_values(line),
                ..Report::default()
            };
            self.found.add(Weight::Declared, "reader", Some(report));
        }
    }

    fn close(&mut self) {
        if let Some(Open { runtime, lines }) = self.open.take() {
            let report = (runtime.read)(&lines);
            self.found.add(runtime.weight, runtime.name, report);
        }
    }
}

impl Observer for Watch {
    fn push(&mut self, bytes: &[u8]) {
        Self::push(self, bytes);
    }
}

/// Removes the escape sequences that sanitizers and Python use to color their reports.
fn without_colors(line: &str) -> Cow<'_, str> {
    const BEGIN: &str = "\x1b[";
    if !line.contains(BEGIN) {
        return Cow::Borrowed(line);
    }
    let mut plain = String::with_capacity(line.len());
    let mut pieces = line.split(BEGIN);
    plain.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let is_color = |c: char| c.is_ascii_digit() || c == ';';
        let end = piece.trim_start_matches(is_color);
        match end.strip_prefix(['m', 'K']) {
            Some(rest) => plain.push_str(rest),
            None => {
                plain.push_str(BEGIN);
                plain.push_str(piece);
            }
        }
    }
    Cow::Owned(plain)
}

impl Open {
    fn push(&mut self, line: &str) {
        if self.lines.len() == 2 * LINES {
            self.lines.remove(LINES);
        }
        self.lines.push(line.to_owned());
    }
}

impl Found {
    /// Adds a report. Among crashes, the first one with the highest weight wins. Among tracebacks,
    /// the last one wins, because exceptions may be chained.
    fn add(&mut self, weight: Weight, runtime: &str, report: Option<Report>) {
        let Some(crash) = report.map(|report| report.crash(runtime)) else {
            return;
        };
        if weight == Weight::Unanswered {
            self.traceback = Some(crash);
            return;
        }
        let is_heavier =
            |known: &Option<(Weight, Crash)>| known.as_ref().is_none_or(|(it, _)| *it < weight);
        if weight != Weight::LastWords && is_heavier(&self.continuing) {
            self.continuing = Some((weight, crash.clone()));
        }
        if is_heavier(&self.crash) {
            self.crash = Some((weight, crash));
        }
    }
}
