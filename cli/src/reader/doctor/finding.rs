//! The typical mistakes of adapters, and where they were observed.

use tracegauge_protocol::unfound;
use tracegauge_results::text::visible;

use tracegauge_harness::suggested::word;

/// The command that shows the records of a format, as spelled in [`Mistake::words`].
const DOCS: &str = "tracegauge spec docs FORMAT";

/// Maximum number of characters of an observation.
const SHOWN: usize = 160;

/// A typical mistake of adapters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mistake {
    DoesNotStart,
    UnknownFormat,
    HiddenFile,
    BadGreeting,
    NoGreeting,
    SlowStart,
    EchoesInput,
    BuffersUntilExit,
    Noise,
    BadJson,
    BadUtf8,
    UnknownLine,
    BadRecord,
    BadClosing,
    AfterClosing,
    NoAnswer,
    Killed,
    Dies,
    TooMuch,
    FirstRequestOnly,
    Remembers,
    ExitOne,
    ExitZero,
    ConstantAnswer,
    AcceptsEverything,
    UndeclaredFormat,
    UndeclaredRecords,
    UnreadyRecords,
    NoRecords,
    UnknownKind,
    UnknownMember,
    SurplusRecords,
    OtherShape,
    LostDigits,
    UnreportedKind,
    UndeclaredOmission,
    PartialOmission,
    StaleOmission,
}

impl Mistake {
    /// Returns the name of the mistake, its meaning, and what to change.
    fn words(self) -> [&'static str; 3] {
        match self {
            Self::DoesNotStart => [
                "does-not-start",
                "the program cannot be started",
                "`command` in the reader file must name the program, relative to the folder of the file",
            ],
            Self::UnknownFormat => [
                "unknown-format",
                "`formats` in the reader file contains an unknown format name",
                "`tracegauge spec list` lists the known formats",
            ],
            Self::HiddenFile => [
                "file-not-found",
                "the program cannot find a file that it needs",
                unfound::ADVICE,
            ],
            Self::BadGreeting => [
                "bad-greeting",
                "in serve mode, the first line is not a valid answer to the greeting",
                "answer the greeting with \
                 {\"tracegauge\":1,\"name\":\"…\",\"version\":\"…\",\"reports\":\"records\"}, \
                 and flush standard output; a program that reads one file and exits needs \
                 `mode: once`",
            ],
            Self::NoGreeting => [
                "no-greeting",
                "in serve mode, the program does not answer the greeting",
                "answer the greeting with \
                 {\"tracegauge\":1,\"name\":\"…\",\"version\":\"…\",\"reports\":\"records\"}, \
                 and flush standard output; a program that reads one file and exits needs \
                 `mode: once`",
            ],
            Self::SlowStart => [
                "slow-start",
                "the program takes longer to start than the time limit for a case",
                "do slow initialization once, before the greeting, or raise `timeout` in the reader file",
            ],
            Self::EchoesInput => [
                "echoes-input",
                "the program echoes its input instead of answering",
                "write records and a closing line such as {\"end\":\"accept\"}, not the request or the \
                 trace",
            ],
            Self::BuffersUntilExit => [
                "buffers-until-exit",
                "the program answers only after its standard input is closed",
                "flush standard output after the greeting and after each closing line, and read \
                 requests line by line instead of to the end of the input",
            ],
            Self::Noise => [
                "noise-on-stdout",
                "standard output contains lines that are not JSON",
                "print messages to standard error; standard output is reserved for the protocol",
            ],
            Self::BadJson => [
                "bad-json",
                "a line is not well-formed JSON",
                "write lines with a JSON library, or escape \\, \" and all characters below U+0020 in \
                 strings; JSON has no NaN, no single quotes and no trailing commas",
            ],
            Self::BadUtf8 => [
                "bad-utf-8",
                "a line is not UTF-8",
                "write text as UTF-8, and ill-formed text in the trace as {\"hex\":\"…\"} with \
                 its bytes",
            ],
            Self::UnknownLine => [
                "unknown-line",
                "a line is neither a record nor a closing line",
                "a record has the member `record` with its kind, and a closing line has the member \
                 `end`, such as {\"end\":\"accept\"}; print other text on standard error",
            ],
            Self::BadRecord => [
                "bad-record-line",
                "a line has the member `record`, but its value is not a string",
                "`record` must be a string with the kind of the record; `tracegauge spec docs \
                 FORMAT` lists the kinds of records",
            ],
            Self::BadClosing => [
                "bad-closing-line",
                "the closing line of an answer is not valid",
                "`end` must be accept, reject or unsupported; `class` must be malformed, incomplete or \
                 unsupported; `offset` must be a number of bytes; only `end` is required",
            ],
            Self::AfterClosing => [
                "after-closing-line",
                "there is output after the closing line",
                "write exactly one closing line for each request, after all records",
            ],
            Self::NoAnswer => [
                "no-answer",
                "the program writes no closing line and does not exit",
                "in serve mode, end each answer with a closing line; in once mode, exit without \
                 waiting for standard input",
            ],
            Self::Killed => [
                "killed",
                "the program was killed by a signal",
                "find out why your reader crashes: run its command in a debugger, or build it with \
                 sanitizers; SIGKILL usually means that the machine ran out of memory",
            ],
            Self::Dies => [
                "dies",
                "the program exits without an answer",
                "catch your reader's errors, and answer {\"end\":\"reject\",\"why\":\"…\"} or \
                 exit with status 65; declare other statuses under `statuses` in the reader file",
            ],
            Self::TooMuch => [
                "too-much",
                "the program uses too much memory or writes too much output",
                "do not allocate memory for a count before checking that the trace has that many \
                 elements; raise `memory` in the reader file if the reader needs more",
            ],
            Self::FirstRequestOnly => [
                "first-request-only",
                "in serve mode, the program answers only the first request",
                "read requests in a loop until standard input ends, or use `mode: once`",
            ],
            Self::Remembers => [
                "remembers",
                "the answer to a case depends on earlier cases in the same process",
                "create a new reader for each request, so that no state from an earlier trace \
                 remains",
            ],
            Self::ExitOne => [
                "exit-1",
                "the program rejects traces with exit status 1, which an uncaught exception also \
                 causes",
                "exit with status 65 if the reader rejects the trace, or add `statuses: {1: \
                 reject}` to the reader file if status 1 has no other meaning",
            ],
            Self::ExitZero => [
                "exit-0-after-rejection",
                "the program reports an error on standard error but exits with 0, which means \
                 `accept`",
                "exit with status 65 if the reader rejects the trace",
            ],
            Self::ConstantAnswer => [
                "constant-answer",
                "the program gives the same answer for every trace",
                "take the answer from your reader: accept if it reads the trace to the end, reject if it \
                 reports an error",
            ],
            Self::AcceptsEverything => [
                "accepts-everything",
                "the program accepts valid traces, but also every malformed trace that it was given",
                "if your reader reports an error, answer {\"end\":\"reject\",\"why\":\"…\"} or \
                 exit with status 65, instead of accepting the records before the error; if your \
                 reader reports no error, add the missing checks to it; `tracegauge run` lists the \
                 malformed traces that your reader accepts",
            ],
            Self::UndeclaredFormat => [
                "undeclared-format",
                "the program does not support a format of its reader file; without `formats`, these \
                 are all formats",
                "list only supported formats under `formats` in the reader file, or compare the \
                 format names: the request and TRACEGAUGE_FORMAT contain the full name",
            ],
            Self::UndeclaredRecords => [
                "undeclared-records",
                "the program writes records, but the reader file does not declare them, so they are not \
                 compared",
                "add `reports: records` to the reader file",
            ],
            // Declaring the records would make cases fail that pass now.
            Self::UnreadyRecords => [
                "undeclared-records",
                "the program writes records, but the reader file does not declare them, so they \
                 are not compared; some of the records are wrong",
                "fix the records, then add `reports: records` to the reader file; or add \
                 `reports: verdict` if they should not be compared",
            ],
            Self::NoRecords => [
                "no-records",
                "the reader file declares records, but the program reports none",
                "report the records that the reader reads, or declare `reports: verdict`",
            ],
            Self::UnknownKind => [
                "unknown-kind",
                "`record` names a kind of record that the description of the format does not \
                 define",
                "`tracegauge spec docs FORMAT` lists the kinds of records",
            ],
            Self::UnknownMember => [
                "unknown-member",
                "a record has a member that the description of the format does not define",
                "`tracegauge spec docs FORMAT` lists the members of each kind of record",
            ],
            Self::SurplusRecords => [
                "surplus-records",
                "the program reports more records than a trace contains",
                "report each record exactly once, and only kinds of records that `tracegauge spec \
                 docs FORMAT` lists; for example, definitions that exist only to be referenced \
                 later in the trace are not records",
            ],
            Self::OtherShape => [
                "other-shape",
                "the JSON shape of a member differs from the shape that the protocol requires",
                "write the member in the shape given above; maps, and fields that the trace itself \
                 defines, are [[name, value], …], because names may repeat and order matters. \
                 `tracegauge spec docs FORMAT` shows the shape of each member",
            ],
            Self::LostDigits => [
                "lost-digits",
                "an integer above 2^53 lost its last digits because it was converted to a double",
                "keep such integers as 64-bit integers (BigInt in JavaScript) and write them as \
                 decimal strings",
            ],
            Self::UnreportedKind => [
                "unreported-kind",
                "accepted traces contain a kind of record that the program never reports",
                "report these records, or put the `omits` list below into the reader file if the \
                 reader cannot provide them, and run `tracegauge reader doctor` again",
            ],
            Self::UndeclaredOmission => [
                "undeclared-omission",
                "the program omits a member that `omits` in the reader file does not list",
                "report the member, or put the `omits` list below into the reader file if the \
                 reader cannot provide it",
            ],
            Self::PartialOmission => [
                "partial-omission",
                "the program omits a member that it reports in other records",
                "report the member in every record where it has a value; otherwise, the affected \
                 cases fail",
            ],
            Self::StaleOmission => [
                "stale-omission",
                "`omits` in the reader file lists a member that the program reports, or an unknown name",
                "put the `omits` list below into the reader file",
            ],
        }
    }

    /// Returns true if each observation of the mistake is a separate finding, or false if one
    /// finding covers all observations.
    fn is_one_for_each(self) -> bool {
        matches!(
            self,
            Self::UnknownFormat
                | Self::UndeclaredFormat
                | Self::UnknownKind
                | Self::UnknownMember
                | Self::OtherShape
                | Self::UnreportedKind
                | Self::UndeclaredOmission
                | Self::PartialOmission
                | Self::StaleOmission
        )
    }
}

/// A mistake, and where it was observed.
#[derive(Clone, Debug)]
struct Finding {
    mistake: Mistake,
    /// The first observation.
    saw: String,
    /// The first case in which the mistake was observed, if any.
    case: Option<String>,
    /// The number of times that the mistake was observed.
    times: usize,
}

/// All mistakes that were observed.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    /// Adds an observation of a mistake.
    pub(super) fn note(&mut self, mistake: Mistake, case: Option<&str>, saw: impl Into<String>) {
        let saw = saw.into();
        let same = |finding: &&mut Finding| {
            finding.mistake == mistake && (!mistake.is_one_for_each() || finding.saw == saw)
        };
        match self.0.iter_mut().find(same) {
            Some(finding) => finding.times += 1,
            None => self.0.push(Finding {
                mistake,
                saw,
                case: case.map(str::to_owned),
                times: 1,
            }),
        }
    }

    /// Returns true if this mistake was observed.
    pub(super) fn has(&self, mistake: Mistake) -> bool {
        self.0.iter().any(|finding| finding.mistake == mistake)
    }

    /// Turns each finding of the mistake `from` into a finding of the mistake `into`, with the
    /// observation `saw`.
    pub(super) fn turn(&mut self, from: Mistake, into: Mistake, saw: &str) {
        for finding in self.0.iter_mut().filter(|it| it.mistake == from) {
            finding.mistake = into;
            finding.saw = saw.to_owned();
        }
    }

    /// Returns the number of findings.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the findings as text, the most serious ones first. `spec` is the path of the
    /// description, if it is not bundled.
    pub(super) fn text(&self, spec: Option<&str>) -> String {
        let mut sorted: Vec<&Finding> = self.0.iter().collect();
        sorted.sort_by_key(|finding| finding.mistake);
        sorted.iter().map(|finding| finding.text(spec)).collect()
    }
}

impl Finding {
    fn text(&self, spec: Option<&str>) -> String {
        let [name, means, change] = self.mistake.words();
        let change = match spec {
            Some(file) => {
                let file = word(file.as_ref());
                change.replace(DOCS, &format!("tracegauge spec docs {file}"))
            }
            None => change.to_owned(),
        };
        let mut text = format!("{name}: {means}\n");
        if let Some(case) = &self.case {
            let more = match self.times - 1 {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            text += &format!("  case    {}{more}\n", shown(case));
        }
        if !self.saw.is_empty() {
            text += &format!("  saw     {}\n", shown(&self.saw));
        }
        text + &format!("  change  {change}\n\n")
    }
}

/// Returns the beginning of an observation, with control characters escaped.
fn shown(text: &str) -> String {
    let mut cut: String = text.chars().take(SHOWN).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    visible(&cut).into_owned()
}
