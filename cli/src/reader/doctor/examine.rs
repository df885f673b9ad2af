//! Examines an adapter on the cases of one format.

use std::collections::HashMap;
use std::io;
use std::os::unix::process::ExitStatusExt as _;

use tracegauge_contain::Stop;
use tracegauge_corpus::case::{Case, ExpectedVerdict};
use tracegauge_harness::schedule::Laid;
use tracegauge_judge::compare::{Matcher, Reporting};
use tracegauge_plan::Plan;
use tracegauge_protocol::reader_file::{Mode, ReaderFile, Reports};
use tracegauge_protocol::unfound;
use tracegauge_protocol::{Greeting, Line, Request, hello, parse_line};

use super::answers::{self, Given, note_end};
use super::finding::{Findings, Mistake};
use super::lines::{self, lossy, not_json, repeats};
use super::records::surplus;
use super::records::{Names, lost_digits};
use super::shapes::other_shapes;
use super::talk::{End, Heard, Setting, Talk};

/// Number of unanswered cases after which the examination ends. The remaining cases would take a
/// long time and reveal nothing new.
const PATIENCE: usize = 2;

/// The examination of an adapter on the cases of one format.
#[derive(Debug)]
pub(super) struct Examination<'e> {
    pub(super) reader: &'e ReaderFile,
    pub(super) setting: &'e Setting<'e>,
    pub(super) plan: &'e Plan,
    /// The trace file of each case, by case name.
    pub(super) files: &'e HashMap<String, Laid>,
}

impl Examination<'_> {
    /// Examines how the adapter handles `cases`. Returns whether the adapter reports records for
    /// valid traces.
    ///
    /// # Errors
    /// Returns an error if the adapter cannot be started.
    pub(super) fn perform(&self, cases: &[Case], findings: &mut Findings) -> io::Result<bool> {
        let given = match self.reader.mode {
            Mode::Serve => self.serve(cases, findings)?,
            Mode::Once => self.once(cases, findings)?,
        };
        let statuses = &self.reader.statuses;
        answers::check(&given, &self.plan.format, statuses, findings);
        Ok(self.records(&given, findings))
    }

    fn request<'r>(&'r self, case: &'r Case) -> Request<'r> {
        let laid = self.files.get(&case.id);
        Request {
            case: laid.map_or("", Laid::name),
            format: &case.format,
            file: laid.map_or("", Laid::path),
        }
    }

    fn serve<'c>(&self, cases: &'c [Case], findings: &mut Findings) -> io::Result<Vec<Given<'c>>> {
        let mut given = Vec::new();
        let mut silent = 0;
        for case in cases {
            let request = self.request(case);
            let talk = self.setting.talk(&[request])?;
            self.greeting(&talk, findings);
            let Some(heard) = talk.answers.first() else {
                // The adapter did not answer the greeting, so no request was sent.
                self.unheard(&talk, None, &request, findings)?;
                return Ok(given);
            };
            let line = request.line();
            let lines = lines::read(heard, &case.id, &[&line], findings);
            if let Some(more) = talk.rest.first() {
                findings.note(Mistake::AfterClosing, Some(&case.id), lossy(more));
            }
            if heard.end == End::Stopped(Stop::TimeUp) {
                silent += 1;
                self.unheard(&talk, Some(case), &request, findings)?;
            } else {
                given.push(answers::served(case, heard, lines, findings));
            }
            if silent >= PATIENCE {
                return Ok(given);
            }
        }
        // If one of these mistakes occurred with one case per process, it would occur here as well
        // and hide other mistakes.
        let is_known = [
            Mistake::Killed,
            Mistake::Dies,
            Mistake::HiddenFile,
            Mistake::EchoesInput,
            Mistake::AfterClosing,
        ];
        if silent == 0 && !is_known.iter().any(|mistake| findings.has(*mistake)) {
            let requests: Vec<Request<'_>> = cases.iter().map(|case| self.request(case)).collect();
            let talk = self.setting.talk(&requests)?;
            answers::compare(&given, &talk.answers, &talk.rest, findings);
        }
        Ok(given)
    }

    /// Finds mistakes in the adapter's output before the first request.
    fn greeting(&self, talk: &Talk, findings: &mut Findings) {
        let heard = &talk.greeting;
        if heard.end == End::Closed && talk.start > self.reader.timeout {
            let saw = format!("more than {:?}", self.reader.timeout);
            findings.note(Mistake::SlowStart, None, saw);
        }
        for line in &heard.lines {
            if repeats(line, &[&hello()]) {
                findings.note(Mistake::EchoesInput, None, lossy(line));
                continue;
            }
            match (parse_line(line), Greeting::parse(line)) {
                (Err(tracegauge_protocol::Breach::NotJson(_, why)), _) => {
                    let (mistake, saw) = not_json(line, &why);
                    findings.note(mistake, None, saw);
                }
                (_, Ok(greeting)) => self.declared(&greeting, findings),
                (Ok(Line::Blank), _) => {}
                (_, Err(why)) => findings.note(Mistake::BadGreeting, None, why),
            }
        }
    }

    /// Adds a finding if, according to the greeting, the reader reports less than its reader file
    /// declares.
    fn declared(&self, greeting: &Greeting, findings: &mut Findings) {
        let said = greeting.reports.as_deref();
        if let Some(said) = said.filter(|said| *said != "records")
            && self.reader.reports == Reports::Records
        {
            let saw = format!(
                "the greeting says `reports: {said}`, but the reader file says \
                 `reports: records`"
            );
            findings.note(Mistake::BadGreeting, None, saw);
        }
    }

    /// Finds out why the adapter did not answer. An adapter that buffers its output does not answer
    /// until standard input is closed.
    fn unheard(
        &self,
        talk: &Talk,
        case: Option<&Case>,
        request: &Request<'_>,
        findings: &mut Findings,
    ) -> io::Result<()> {
        if findings.has(Mistake::BuffersUntilExit) {
            return Ok(());
        }
        let id = case.map(|case| case.id.as_str());
        let heard = talk.answers.first().unwrap_or(&talk.greeting);
        let before = talk.greeting.lines.len() + talk.answers.first().map_or(0, |a| a.lines.len());
        let is_silent = heard.end == End::Stopped(Stop::TimeUp);
        if is_silent {
            let late = self.setting.blurt(request)?;
            if let Some(line) = late.lines.get(before) {
                let saw = lossy(line);
                findings.note(Mistake::BuffersUntilExit, id, saw);
                return Ok(());
            }
        }
        match id {
            Some(id) => note_end(&heard.end, &heard.stderr, id, findings),
            None => self.no_greeting(heard, findings),
        }
        Ok(())
    }

    fn no_greeting(&self, heard: &Heard, findings: &mut Findings) {
        if let Some(line) = unfound::file(&heard.stderr) {
            return findings.note(Mistake::HiddenFile, None, line);
        }
        let mistake = match heard.end {
            End::Exited(status) if status.signal().is_some() => Mistake::Killed,
            End::Stopped(Stop::OutOfMemory(_) | Stop::Flood(_)) => Mistake::TooMuch,
            _ if heard.lines.is_empty() => Mistake::NoGreeting,
            _ => Mistake::BadGreeting,
        };
        let saw = format!(
            "the program did not answer the greeting: {}",
            answers::how(&heard.end)
        );
        let last = heard.stderr.lines().last().map(str::trim);
        let saw = match last.filter(|line| !line.is_empty()) {
            Some(line) => format!("{saw}; on standard error: {line}"),
            None => saw,
        };
        findings.note(mistake, None, saw);
    }

    fn once<'c>(&self, cases: &'c [Case], findings: &mut Findings) -> io::Result<Vec<Given<'c>>> {
        let mut given = Vec::new();
        let mut silent = 0;
        for case in cases {
            let heard = self.setting.once(&self.request(case))?;
            let lines = self.once_lines(case, &heard, findings);
            if heard.end == End::Stopped(Stop::TimeUp) {
                silent += 1;
            }
            let statuses = &self.reader.statuses;
            given.push(answers::once(case, &heard, lines, statuses, findings));
            if silent >= PATIENCE {
                break;
            }
        }
        Ok(given)
    }

    /// Parses the output in `once` mode. A reader that reports only verdicts may print other output
    /// first, so only the last line is checked for an answer.
    fn once_lines(&self, case: &Case, heard: &Heard, findings: &mut Findings) -> lines::Lines {
        if self.reader.reports == Reports::Records {
            return lines::read(heard, &case.id, &[&case.bytes], findings);
        }
        let is_record = |line: &&Vec<u8>| matches!(parse_line(line), Ok(Line::Record(_)));
        if let Some(record) = heard.lines.iter().find(is_record) {
            findings.note(Mistake::UndeclaredRecords, Some(&case.id), lossy(record));
        }
        let mut last = heard.clone();
        last.lines.drain(..last.lines.len().saturating_sub(1));
        lines::read(&last, &case.id, &[], &mut Findings::default())
    }

    /// Examines the records in all answers. Returns true if the reader reports records for valid
    /// traces.
    fn records(&self, given: &[Given<'_>], findings: &mut Findings) -> bool {
        let accepted = given.iter().filter(|one| {
            let is_right = one.case.expected.verdict == ExpectedVerdict::Accept;
            is_right && one.said == Some(answers::Said::Accept) && !one.lines.is_broken
        });
        let accepted: Vec<&Given<'_>> = accepted.collect();
        let any = accepted.iter().any(|one| !one.lines.records.is_empty());
        let reports = match self.reader.reports {
            Reports::Verdict => false,
            Reports::Records => true,
            Reports::Unknown => any,
        };
        // An adapter that gives the same answer to every trace has no meaningful records.
        if !reports || findings.has(Mistake::ConstantAnswer) {
            return false;
        }
        let names = Names::of(self.plan);
        for one in given {
            for record in &one.lines.records {
                names.check(record, &one.case.id, findings);
            }
            // After a surplus record, every later record would be compared with the wrong expected
            // record.
            let is_surplus = surplus(one.case, &one.lines.records, findings);
            if self.reader.order == tracegauge_protocol::reader_file::Order::File && !is_surplus {
                lost_digits(one.case, &one.lines.records, findings);
                other_shapes(one.case, &one.lines.records, findings);
            }
        }
        let reporting = Reporting::of(self.reader);
        let owes = |one: &&&Given<'_>| {
            let expected = &one.case.expected;
            let matcher = Matcher::new(expected, &one.case.format, &reporting);
            matcher.finish().expected
        };
        if !any && accepted.iter().filter(owes).count() > 0 {
            findings.note(Mistake::NoRecords, None, "");
        }
        any
    }
}
