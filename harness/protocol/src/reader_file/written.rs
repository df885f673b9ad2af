//! Parses the YAML of a reader file, continuing after errors.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use tracegauge_contain::environment;
use tracegauge_corpus::pattern::Pattern;
use tracegauge_plan::source::{SourceSpan, Sources};
use tracegauge_spec::diagnostic::Diagnostics;
use tracegauge_spec::load::closest;
use tracegauge_spec::yaml::{self, Budget, Entry, Mapping, Node};

use super::mistakes::Mistake;
use super::placeholders;
use super::{Mode, Omission, Order, Reports, StatusMeaning, When, parse_duration, parse_size};

/// All keys of a reader file.
const KEYS: [&str; 19] = [
    "name",
    "version",
    "build",
    "requires",
    "command",
    "mode",
    "formats",
    "reports",
    "order",
    "omits",
    "unsupported",
    "statuses",
    "crashes",
    "stdin",
    "timeout",
    "memory",
    "reads",
    "env",
    "baseline",
];

/// The hint for a missing command.
const COMMAND: &str = "list the program and its arguments, as in `command: [./my-reader, --json]`";

/// The hint for entries of `omits`.
const OMISSION: &str = "members such as `event.timestamp` or `{member: event.fields, when: empty}`, or kinds of \
     records";

/// The content of a reader file as written, before defaults are applied.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) name: Option<String>,
    pub(super) version: Option<String>,
    pub(super) build: Option<String>,
    pub(super) requires: Vec<String>,
    pub(super) command: Vec<String>,
    pub(super) mode: Mode,
    /// The names of formats, each with its position.
    pub(super) formats: Vec<(String, SourceSpan)>,
    pub(super) reports: Option<Reports>,
    pub(super) order: Order,
    pub(super) omits: Vec<Omission>,
    /// The formats named under `omits`, each with its position.
    pub(super) omitted_formats: Vec<(String, SourceSpan)>,
    pub(super) unsupported: Vec<String>,
    pub(super) statuses: BTreeMap<i32, StatusMeaning>,
    pub(super) crashes: Vec<Pattern>,
    pub(super) stdin: bool,
    pub(super) timeout: Option<Duration>,
    pub(super) memory: Option<u64>,
    pub(super) reads: Vec<PathBuf>,
    pub(super) env: Vec<String>,
    pub(super) baseline: Option<PathBuf>,
}

/// The text of a reader file and the errors in it.
pub(super) struct Reading {
    sources: Sources,
    mistakes: Vec<(SourceSpan, String)>,
    /// Whether the file is empty or contains at least one key that a reader file can have.
    is_reader_file: bool,
}

impl Reading {
    /// Parses `text`. Invalid parts are skipped and recorded as errors.
    pub(super) fn of(text: &str) -> (Written, Self) {
        let mut reading = Self {
            sources: Sources::default(),
            mistakes: Vec::new(),
            is_reader_file: has_key(text),
        };
        let source = reading.sources.add("", text);
        let mut found = Diagnostics::default();
        let root = yaml::parse(text, source, &Budget::default(), &mut found);
        let start = SourceSpan {
            source,
            start: 0,
            end: 0,
        };
        let mut written = Written::default();
        match root {
            Some(root) => written.take(&root, &mut reading),
            // If the file is not YAML at all, an error about the missing command would be useless.
            None if found.has_errors() && !text.trim().is_empty() => {}
            None => reading.note(start, format!("missing key `command`; {COMMAND}")),
        }
        if !text.trim().is_empty() {
            for diagnostic in found.iter() {
                let help = diagnostic.help.iter().map(|help| format!("; {help}"));
                let help: String = help.collect();
                reading.note(diagnostic.span, format!("{}{help}", diagnostic.message));
            }
        }
        (written, reading)
    }

    /// Returns true if the file has errors and contains no key of a reader file. Such a file is
    /// probably not a reader file, so its errors are meaningless.
    pub(super) fn is_other(&self) -> bool {
        !self.is_reader_file && !self.mistakes.is_empty()
    }

    /// Records an error.
    pub(super) fn note(&mut self, span: SourceSpan, message: impl Into<String>) {
        self.mistakes.push((span, message.into()));
    }

    /// Returns all errors in file order.
    pub(super) fn mistakes(mut self) -> Vec<Mistake> {
        self.mistakes.sort_by_key(|(span, _)| span.start);
        let places = self.mistakes.into_iter();
        places
            .map(|(span, message)| Mistake {
                place: self.sources.line_column(span),
                message,
            })
            .collect()
    }

    fn wrong(&mut self, entry: &Entry, wanted: impl Display) {
        let found = match entry.value.as_text() {
            Some(text) => format!("`{text}`"),
            None => entry.value.describe().to_owned(),
        };
        let message = format!("`{}` must be {wanted}, found {found}", entry.key);
        self.note(entry.value.span, message);
    }

    fn text(&mut self, entry: &Entry) -> Option<String> {
        let text = entry.value.as_text().map(str::to_owned);
        if text.is_none() {
            self.wrong(entry, "a string");
        }
        text
    }

    fn texts(&mut self, entry: &Entry) -> Vec<(String, SourceSpan)> {
        let Some(nodes) = entry.value.as_sequence() else {
            let example = entry.value.as_text().unwrap_or("a");
            self.wrong(entry, format_args!("a list, as in `[{example}]`"));
            return Vec::new();
        };
        let mut texts = Vec::new();
        for node in nodes {
            match node.as_text() {
                Some(text) => texts.push((text.to_owned(), node.span)),
                None => {
                    let found = node.describe();
                    let message =
                        format!("`{}` must be a list of strings, found {found}", entry.key);
                    self.note(node.span, message);
                }
            }
        }
        texts
    }

    fn plain_texts(&mut self, entry: &Entry) -> Vec<String> {
        self.texts(entry)
            .into_iter()
            .map(|(text, _)| text)
            .collect()
    }

    fn variables(&mut self, entry: &Entry) -> Vec<String> {
        let mut names = Vec::new();
        for (name, span) in self.texts(entry) {
            if environment::is_name(&name) {
                names.push(name);
            } else {
                let message = format!("`env`: `{name}` is not the name of an environment variable");
                self.note(span, message);
            }
        }
        names
    }

    fn patterns(&mut self, entry: &Entry) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        for (text, span) in self.texts(entry) {
            let is_all = text.chars().all(|c| c == '*' || c == '?');
            if is_all {
                let message = format!("`{}`: `{text}` matches every line", entry.key);
                self.note(span, message);
            } else {
                patterns.push(Pattern::new(text));
            }
        }
        patterns
    }

    fn choice<T: Copy>(&mut self, entry: &Entry, choices: &[(&str, T)]) -> Option<T> {
        let written = entry.value.as_text().unwrap_or_default();
        let found = choices.iter().find(|(name, _)| *name == written);
        if found.is_none() {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            self.wrong(entry, format_args!("one of {}", names.join(", ")));
        }
        found.map(|(_, meaning)| *meaning)
    }

    fn unit<T, E: Display>(
        &mut self,
        entry: &Entry,
        wanted: &str,
        parse: fn(&str) -> Result<T, E>,
    ) -> Option<T> {
        let Some(text) = entry.value.as_text() else {
            self.wrong(entry, wanted);
            return None;
        };
        parse(text)
            .map_err(|error| self.note(entry.value.span, format!("`{}`: {error}", entry.key)))
            .ok()
    }

    fn statuses(&mut self, entry: &Entry) -> BTreeMap<i32, StatusMeaning> {
        let mut statuses = BTreeMap::new();
        let Some(mapping) = entry.value.as_mapping() else {
            self.wrong(entry, "a mapping, as in `{1: reject}`");
            return statuses;
        };
        for entry in &mapping.entries {
            let meaning = self.choice(entry, &MEANINGS);
            match entry.key.parse() {
                Ok(status) => statuses.extend(meaning.map(|meaning| (status, meaning))),
                Err(_) => {
                    let message = format!("`statuses`: invalid exit status `{}`", entry.key);
                    self.note(entry.key_span, message);
                }
            }
        }
        statuses
    }
}

/// Returns true if the text is empty or contains at least one key that a reader file can have. The
/// text need not be valid YAML, because a reader file with a mistake is still a reader file.
fn has_key(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || "{,'\"".contains(c));
    let is_key = |word: &str| {
        let key = word.split_once(':').map(|(key, _)| key);
        key.is_some_and(|key| KEYS.contains(&key))
    };
    text.trim().is_empty() || words.any(is_key)
}

const MEANINGS: [(&str, StatusMeaning); 4] = [
    ("accept", StatusMeaning::Accept),
    ("reject", StatusMeaning::Reject),
    ("unsupported", StatusMeaning::Unsupported),
    ("crash", StatusMeaning::Crash),
];

impl Written {
    fn take(&mut self, root: &Node, reading: &mut Reading) {
        let Some(mapping) = root.as_mapping() else {
            let found = root.describe();
            let message = format!("a reader file must be a mapping, found {found}");
            return reading.note(root.span, message);
        };
        for entry in &mapping.entries {
            self.entry(entry, reading);
        }
        if mapping.get("command").is_none() {
            let start = SourceSpan {
                end: root.span.start,
                ..root.span
            };
            reading.note(start, format!("missing key `command`; {COMMAND}"));
        }
    }

    fn entry(&mut self, entry: &Entry, reading: &mut Reading) {
        // A key without a value is treated like a missing key.
        if entry.value.is_null() && KEYS.contains(&entry.key.as_str()) && entry.key != "command" {
            return;
        }
        match entry.key.as_str() {
            "name" => self.name = reading.text(entry),
            "version" => self.version = reading.text(entry),
            "build" => self.build = reading.text(entry),
            "requires" => self.requires = reading.plain_texts(entry),
            "command" => self.command(entry, reading),
            "mode" => {
                let modes = [("once", Mode::Once), ("serve", Mode::Serve)];
                self.mode = reading.choice(entry, &modes).unwrap_or_default();
            }
            "formats" => self.formats = reading.texts(entry),
            "reports" => {
                let kinds = [("verdict", Reports::Verdict), ("records", Reports::Records)];
                self.reports = reading.choice(entry, &kinds);
            }
            "order" => {
                let orders = [("file", Order::File), ("time", Order::Time)];
                self.order = reading.choice(entry, &orders).unwrap_or_default();
            }
            "omits" => self.omits(entry, reading),
            "unsupported" => self.unsupported = reading.plain_texts(entry),
            "statuses" => self.statuses = reading.statuses(entry),
            "crashes" => self.crashes = reading.patterns(entry),
            "stdin" => {
                let truths = [("true", true), ("false", false)];
                self.stdin = reading.choice(entry, &truths).unwrap_or_default();
            }
            "timeout" => {
                let wanted = "a time with its unit, as in `5s`";
                self.timeout = reading.unit(entry, wanted, parse_duration);
            }
            "memory" => {
                let wanted = "a size with its unit, as in `1GiB`";
                self.memory = reading.unit(entry, wanted, parse_size);
            }
            "reads" => {
                let paths = reading.plain_texts(entry).into_iter();
                self.reads = paths.map(PathBuf::from).collect();
            }
            "env" => self.env = reading.variables(entry),
            "baseline" => self.baseline = reading.text(entry).map(PathBuf::from),
            unknown => {
                let message = match closest(unknown, KEYS) {
                    Some(near) => format!("unknown key `{unknown}`; did you mean `{near}`?"),
                    None => format!(
                        "unknown key `{unknown}`; valid keys are {}",
                        KEYS.join(", ")
                    ),
                };
                reading.note(entry.key_span, message);
            }
        }
    }

    fn omits(&mut self, entry: &Entry, reading: &mut Reading) {
        let Some(nodes) = entry.value.as_sequence() else {
            let example = entry.value.as_text().unwrap_or("event.timestamp");
            return reading.wrong(entry, format_args!("a list, as in `[{example}]`"));
        };
        for node in nodes {
            match (node.as_text(), node.as_mapping()) {
                (Some(name), _) => self.omits.push(Omission::always(name)),
                (None, Some(mapping)) => self.omission(node, mapping, reading),
                (None, None) => {
                    let found = node.describe();
                    reading.note(
                        node.span,
                        format!("`omits` must list {OMISSION}, found {found}"),
                    );
                }
            }
        }
    }

    /// Parses an omission that is written as a mapping.
    fn omission(&mut self, node: &Node, mapping: &Mapping, reading: &mut Reading) {
        let mut omission = Omission::always("");
        for entry in &mapping.entries {
            match entry.key.as_str() {
                "member" => omission.name = reading.text(entry).unwrap_or_default(),
                "when" => {
                    let choices = [("always", When::Always), ("empty", When::Empty)];
                    omission.when = reading.choice(entry, &choices).unwrap_or_default();
                }
                "formats" => {
                    let formats = reading.texts(entry);
                    omission.formats = formats.iter().map(|(name, _)| name.clone()).collect();
                    self.omitted_formats.extend(formats);
                }
                unknown => {
                    let keys = ["member", "when", "formats"];
                    let message = match closest(unknown, keys) {
                        Some(near) => {
                            format!("`omits`: unknown key `{unknown}`; did you mean `{near}`?")
                        }
                        None => format!(
                            "`omits`: unknown key `{unknown}`; valid keys are member, when, formats"
                        ),
                    };
                    reading.note(entry.key_span, message);
                }
            }
        }
        if mapping.get("member").is_none() {
            reading.note(
                node.span,
                format!("`omits`: missing key `member`; list {OMISSION}"),
            );
        } else if omission.when == When::Empty && omission.is_kind() {
            let message = format!(
                "`omits`: `when: empty` applies only to a member, such as `event.fields`, but {} \
                 is a kind of record",
                omission.name
            );
            reading.note(node.span, message);
        } else {
            self.omits.push(omission);
        }
    }

    fn command(&mut self, entry: &Entry, reading: &mut Reading) {
        let is_empty = entry.value.as_sequence().is_some_and(<[Node]>::is_empty);
        if is_empty || entry.value.is_null() {
            return reading.note(entry.key_span, format!("`command` is empty; {COMMAND}"));
        }
        let command = reading.texts(entry);
        let texts = command.iter().map(|(text, _)| text.as_str());
        if let Some((place, message)) = placeholders::unknown(texts) {
            reading.note(command[place].1, format!("`command`: {message}"));
        }
        self.command = command.into_iter().map(|(text, _)| text).collect();
    }
}
