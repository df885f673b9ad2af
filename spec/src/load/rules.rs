//! Parses rules, and sentences of the specification that cannot be tested.

use super::context::Context;
use super::keys::Keys;
use crate::diagnostic::{Code, Diagnostic};
use crate::schema::{Continuation, FaultClass, Level, ReaderDuty, Rule, Untestable};
use crate::yaml::{Entry, Node};

const LEVELS: [(&str, Level); 6] = [
    ("must", Level::Must),
    ("should", Level::Should),
    ("may", Level::May),
    ("states", Level::States),
    ("silent", Level::Silent),
    ("contradicted", Level::Contradicted),
];

const DUTIES: [(&str, ReaderDuty); 4] = [
    ("reject", ReaderDuty::Reject),
    ("accept", ReaderDuty::Accept),
    ("either", ReaderDuty::Either),
    ("none", ReaderDuty::None),
];

const CONTINUATIONS: [(&str, Continuation); 9] = [
    ("keep", Continuation::Keep),
    ("skip", Continuation::Skip),
    ("absent", Continuation::Absent),
    ("replace", Continuation::Replace),
    ("stop", Continuation::Stop),
    ("open", Continuation::Open),
    ("text", Continuation::Text),
    ("empty", Continuation::Empty),
    ("whole", Continuation::Whole),
];

const CLASSES: [(&str, FaultClass); 3] = [
    ("malformed", FaultClass::Malformed),
    ("incomplete", FaultClass::Incomplete),
    ("unsupported", FaultClass::Unsupported),
];

impl<'n> Context<'n> {
    /// Parses an entry of `rules`.
    pub(super) fn rule_entry(&mut self, entry: &'n Entry, dialects: &[String]) -> Rule {
        self.check_file_name(entry, "the id of a rule");
        let mut rule = Rule {
            id: entry.key.clone(),
            sections: Vec::new(),
            level: Level::States,
            says: String::new(),
            reader: Vec::new(),
            open: None,
            wording: None,
            because: None,
            continues: Vec::new(),
            frees: Vec::new(),
            writer_fault: false,
            writer_habit: false,
            plain: None,
            class: FaultClass::Malformed,
            strict: false,
            through: None,
            span: entry.key_span,
        };
        let Some(mut keys) = Keys::of(&entry.value, "a rule", self) else {
            return rule;
        };
        let level = keys
            .need("level", self)
            .and_then(|node| self.word(node, &LEVELS));
        rule.level = level.unwrap_or(Level::States);
        let says = keys.need("says", self).and_then(|node| self.prose(node));
        rule.says = says.unwrap_or_default();
        rule.sections = keys
            .take("section")
            .map(|node| self.texts(node))
            .unwrap_or_default();
        if let Some(node) = keys.need("reader", self) {
            rule.reader = self.duties(node, dialects);
        }
        self.settling(&mut rule, &mut keys);
        rule.because = keys.take("because").and_then(|node| self.prose(node));
        self.check_because(&rule, &keys);
        if let Some(node) = keys.take("continues") {
            let nodes = self.one_or_more(node).into_iter();
            rule.continues = nodes
                .filter_map(|node| self.word(node, &CONTINUATIONS))
                .collect();
        }
        rule.frees = keys
            .take("frees")
            .map(|node| self.texts(node))
            .unwrap_or_default();
        let writer = keys
            .take("writer")
            .and_then(|node| self.word(node, &[("fault", true), ("habit", false)]));
        rule.writer_fault = writer == Some(true);
        rule.writer_habit = writer == Some(false);
        rule.plain = keys.take("plain").and_then(|node| self.boolean(node));
        let class = keys
            .take("class")
            .and_then(|node| self.word(node, &CLASSES));
        rule.class = class.unwrap_or(FaultClass::Malformed);
        let strict = keys
            .take("profile")
            .and_then(|node| self.word(node, &[("strict", true)]));
        rule.strict = strict.unwrap_or(false);
        if let Some(node) = keys.take("through") {
            let name = self.text(node, "the id of a rule");
            rule.through = name.map(|name| self.rule_named(name, node.span));
        }
        keys.finish(self);
        rule
    }

    /// Parses `open` and `wording`, which apply to rules about questions that the specification
    /// leaves open.
    fn settling(&mut self, rule: &mut Rule, keys: &mut Keys<'n>) {
        let settled = !matches!(rule.level, Level::Silent | Level::Contradicted);
        for (key, place) in [("open", &mut rule.open), ("wording", &mut rule.wording)] {
            let Some(node) = keys.take(key) else {
                continue;
            };
            if settled {
                let message =
                    format!("`{key}` applies only to rules that the specification leaves open");
                self.push(
                    Diagnostic::error(Code::ConflictingKeys, node.span, message)
                        .help("use this key with `level: silent` or `level: contradicted`"),
                );
            }
            *place = self.prose(node);
        }
    }

    /// Parses a string or a list of strings.
    pub(super) fn texts(&mut self, node: &'n Node) -> Vec<String> {
        let nodes = self.one_or_more(node).into_iter();
        nodes.filter_map(|node| self.prose(node)).collect()
    }

    fn duties(&mut self, node: &'n Node, dialects: &[String]) -> Vec<(String, ReaderDuty)> {
        if node.as_mapping().is_none() {
            let duty = self.word(node, &DUTIES);
            return duty.map(|duty| (String::new(), duty)).into_iter().collect();
        }
        let Some(mut keys) = Keys::of(node, "`reader`", self) else {
            return Vec::new();
        };
        let mut duties = Vec::new();
        for entry in keys.others() {
            let any = entry.key == "_";
            if !any && !dialects.contains(&entry.key) {
                let names = dialects.iter().map(String::as_str);
                self.unknown(
                    Code::UnknownDialect,
                    entry.key_span,
                    "dialect",
                    &entry.key,
                    names,
                );
                continue;
            }
            if let Some(duty) = self.word(&entry.value, &DUTIES) {
                let dialect = if any {
                    String::new()
                } else {
                    entry.key.clone()
                };
                duties.push((dialect, duty));
            }
        }
        let all = duties.iter().any(|(dialect, _)| dialect.is_empty());
        if let Some(missing) = dialects
            .iter()
            .find(|d| duties.iter().all(|(known, _)| known != *d))
            && !all
        {
            let message = format!("no behavior is given for readers of the dialect `{missing}`");
            self.push(
                Diagnostic::error(Code::MissingKey, node.span, message)
                    .help("`_` covers every dialect that is not listed"),
            );
        }
        duties
    }

    /// Reports an error if a rule lacks `because` although no file can violate or exercise it.
    fn check_because(&mut self, rule: &Rule, keys: &Keys<'n>) {
        let silent = rule
            .reader
            .iter()
            .any(|(_, duty)| *duty == ReaderDuty::None);
        if silent && rule.because.is_none() {
            self.push(
                Diagnostic::error(
                    Code::MissingKey,
                    keys.span(),
                    "`reader: none` requires `because`",
                )
                .help("explain why no file can exercise the rule"),
            );
        }
    }

    /// Parses the entries of `untestable`.
    pub(super) fn untestable(&mut self, node: &'n Node) -> Vec<Untestable> {
        let nodes = self.sequence(node, "sentences").iter();
        nodes.filter_map(|node| self.sentence(node)).collect()
    }

    fn sentence(&mut self, node: &'n Node) -> Option<Untestable> {
        let mut keys = Keys::of(node, "an untestable sentence", self)?;
        let section = keys.take("section").map(|node| self.texts(node).join(", "));
        let says = keys.need("says", self).and_then(|node| self.prose(node));
        let why = keys.need("why", self).and_then(|node| self.prose(node));
        keys.finish(self);
        Some(Untestable {
            section: section.unwrap_or_default(),
            says: says?,
            why: why?,
        })
    }
}
