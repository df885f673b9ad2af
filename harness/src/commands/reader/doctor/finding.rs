//! The mistakes that authors of adapters make, by name, and where each was seen.

use crate::commands::escaped;

/// The command that shows records, as [`Mistake::words`] have it.
const DOCS: &str = "tracegauge spec docs ID";

/// So much of what was seen is shown.
const SHOWN: usize = 160;

/// A mistake that authors of adapters make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mistake {
    DoesNotStart,
    UnknownFormat,
    BadGreeting,
    SlowStart,
    EchoesInput,
    BuffersUntilExit,
    Noise,
    BadJson,
    BadUtf8,
    BadClosing,
    AfterClosing,
    NoAnswer,
    Dies,
    TooMuch,
    FirstRequestOnly,
    Remembers,
    ExitOne,
    ExitZero,
    ConstantAnswer,
    UndeclaredFormat,
    UndeclaredRecords,
    UnreadyRecords,
    NoRecords,
    UnknownKind,
    UnknownMember,
    OtherShape,
    LostDigits,
    UndeclaredOmission,
    PartialOmission,
    StaleOmission,
}

impl Mistake {
    /// Its name, what it is, and what to change.
    fn words(self) -> [&'static str; 3] {
        match self {
            Self::DoesNotStart => [
                "does-not-start",
                "the program cannot be started",
                "`command` in the reader file names the program, relative to the file's folder",
            ],
            Self::UnknownFormat => [
                "unknown-format",
                "`formats` in the reader file names what is no format",
                "`tracegauge spec list` lists the names",
            ],
            Self::BadGreeting => [
                "bad-greeting",
                "in mode serve, the first line is no answer to the greeting",
                "answer it with {\"tracegauge\":1,\"name\":\"…\",\"version\":\"…\",\"reports\":\"records\"}, \
                 and flush; a program that reads one file and ends needs `mode: once`",
            ],
            Self::SlowStart => [
                "slow-start",
                "it takes longer to start than it may take for a case",
                "load what is slow to load before the greeting and once only, or raise `timeout` in \
                 the reader file",
            ],
            Self::EchoesInput => [
                "echoes-input",
                "it writes what it was given instead of an answer",
                "write records and a closing line such as {\"end\":\"accept\"}, and not the request \
                 or the trace",
            ],
            Self::BuffersUntilExit => [
                "buffers-until-exit",
                "its answer comes only once its standard input is closed",
                "flush standard output after the greeting and after each closing line, and read \
                 requests line by line, not to the end",
            ],
            Self::Noise => [
                "noise-on-stdout",
                "there is something else than JSON on standard output",
                "print messages to standard error; standard output is for the lines of the protocol",
            ],
            Self::BadJson => [
                "bad-json",
                "a line is not well-formed JSON",
                "write lines with a JSON library, or escape \\, \" and all characters below U+0020 in \
                 texts; JSON knows no NaN, no single quotes and no comma at the end",
            ],
            Self::BadUtf8 => [
                "bad-utf-8",
                "a line is not UTF-8",
                "write text as UTF-8, and text of the trace that is not well-formed as \
                 {\"hex\":\"…\"} of its bytes",
            ],
            Self::BadClosing => [
                "bad-closing-line",
                "the last line of an answer is not as the protocol has it",
                "`end` is accept, reject or unsupported; `class` is malformed, incomplete or \
                 unsupported; `offset` is a number of bytes; each but `end` may be left out",
            ],
            Self::AfterClosing => [
                "after-closing-line",
                "there is more output after the closing line",
                "write the closing line last, once for each request, and records before it",
            ],
            Self::NoAnswer => [
                "no-answer",
                "no closing line comes, and the program goes on",
                "in mode serve, end each answer with a closing line; in mode once, end the program \
                 and do not wait for standard input",
            ],
            Self::Dies => [
                "dies",
                "the program ends in a way that is no answer",
                "catch what your reader says no with, and answer {\"end\":\"reject\",\"why\":\"…\"} or \
                 exit with 65; name statuses of your own under `statuses` in the reader file",
            ],
            Self::TooMuch => [
                "too-much",
                "it uses more memory or writes more than it may",
                "a count that a trace claims is no reason to allocate it; raise `memory` in the \
                 reader file where the reader needs it",
            ],
            Self::FirstRequestOnly => [
                "first-request-only",
                "in mode serve, it answers the first request and no other",
                "read requests in a loop until standard input ends, or use `mode: once`",
            ],
            Self::Remembers => [
                "remembers",
                "it answers otherwise among other cases than in a process of its own",
                "begin each request with a new reader: nothing of an earlier trace may stay",
            ],
            Self::ExitOne => [
                "exit-1",
                "it rejects with exit status 1, as an uncaught exception does",
                "exit with 65 where the reader says no, or write `statuses: {1: reject}` into the \
                 reader file if 1 means nothing else",
            ],
            Self::ExitZero => [
                "exit-0-after-rejection",
                "it complains on standard error and exits with 0, which accepts the trace",
                "exit with 65 where the reader says no",
            ],
            Self::ConstantAnswer => [
                "constant-answer",
                "it answers the same to every trace",
                "let the answer come from your reader: accept where it reads to the end, reject \
                 where it says no",
            ],
            Self::UndeclaredFormat => [
                "undeclared-format",
                "it says that it does not support a format that its file names",
                "take the format out of `formats` in the reader file, or compare the names: the \
                 request and TRACEGAUGE_FORMAT name it in full",
            ],
            Self::UndeclaredRecords => [
                "undeclared-records",
                "it writes records, and its file does not say so: they are not compared",
                "write `reports: records` into the reader file",
            ],
            // It would fail cases that it passes now.
            Self::UnreadyRecords => [
                "undeclared-records",
                "it writes records, and its file does not say so: they are not compared, and some are wrong",
                "mend them, and then write `reports: records` into the reader file; `reports: verdict` \
                 says that they are not to be compared",
            ],
            Self::NoRecords => [
                "no-records",
                "it is said to report records, and reports none",
                "report what was read, or write `reports: verdict`",
            ],
            Self::UnknownKind => [
                "unknown-kind",
                "`record` names a kind of record that the description has not",
                "`tracegauge spec docs ID` lists the kinds",
            ],
            Self::UnknownMember => [
                "unknown-member",
                "a record has a member that the description has not",
                "`tracegauge spec docs ID` lists the members of each kind",
            ],
            Self::OtherShape => [
                "other-shape",
                "a member is written in another shape of JSON than the protocol has for it",
                "write it in the shape that is said above; maps, and fields that the trace itself \
                 defines, are [[name, value], …], since names may repeat and their order counts. \
                 `tracegauge spec docs ID` says of each member how it is written",
            ],
            Self::LostDigits => [
                "lost-digits",
                "an integer beyond 2^53 has lost its last digits on the way through a double",
                "keep it as a 64-bit integer, BigInt in JavaScript, and write it as a decimal string",
            ],
            Self::UndeclaredOmission => [
                "undeclared-omission",
                "it leaves out a member, and `omits` in its file does not say so",
                "report it, or write the `omits` below into the reader file if the reader has no way to \
                 tell",
            ],
            Self::PartialOmission => [
                "partial-omission",
                "it leaves out a member that it reports in other records",
                "report it wherever it has a value: a run fails the records that lack it",
            ],
            Self::StaleOmission => [
                "stale-omission",
                "`omits` in its file names what it does report, or what is no member",
                "write the `omits` below into the reader file",
            ],
        }
    }

    /// Whether each thing seen is a finding of its own, or the first stands for all.
    fn is_one_for_each(self) -> bool {
        matches!(
            self,
            Self::UnknownFormat
                | Self::UndeclaredFormat
                | Self::UnknownKind
                | Self::UnknownMember
                | Self::OtherShape
                | Self::UndeclaredOmission
                | Self::PartialOmission
                | Self::StaleOmission
        )
    }
}

/// A mistake, and where it was seen.
#[derive(Clone, Debug)]
struct Finding {
    mistake: Mistake,
    /// What was seen first.
    saw: String,
    /// The first case that shows it; none where no case does.
    case: Option<String>,
    /// How often it was seen.
    times: usize,
}

/// All mistakes that were seen.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    /// Notes that a mistake was seen.
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

    /// Whether this mistake was seen.
    pub(super) fn has(&self, mistake: Mistake) -> bool {
        self.0.iter().any(|finding| finding.mistake == mistake)
    }

    /// Makes of one mistake another, of which nothing but `saw` is to be shown.
    pub(super) fn turn(&mut self, from: Mistake, into: Mistake, saw: &str) {
        for finding in self.0.iter_mut().filter(|it| it.mistake == from) {
            finding.mistake = into;
            finding.saw = saw.to_owned();
        }
    }

    /// How many findings there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// The findings as lines of text, what stands in the way of most first. `spec` is the description
    /// that is in use, where it is not bundled.
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
            Some(file) => change.replace(DOCS, &format!("tracegauge spec docs {}", shown(file))),
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

/// The beginning of what was seen, harmless on a terminal.
fn shown(text: &str) -> String {
    let mut cut: String = text.chars().take(SHOWN).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    escaped(&cut, |_| false)
}
