use super::context::Context;
use super::suggest::did_you_mean;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::SourceSpan;
use crate::yaml::{Entry, Mapping, Node};

/// A mapping whose keys are asked for one by one. What was asked for is what the language
/// has there, so the keys left over are mistakes, and the suggestions come by themselves.
pub(super) struct Keys<'n> {
    what: &'static str,
    mapping: &'n Mapping,
    span: SourceSpan,
    taken: Vec<bool>,
    known: Vec<&'static str>,
}

impl<'n> Keys<'n> {
    /// The keys of `node`, which is `what` ("a field", say). Anything but a mapping is
    /// reported.
    pub(super) fn of(
        node: &'n Node,
        what: &'static str,
        context: &mut Context<'_>,
    ) -> Option<Self> {
        let Some(mapping) = node.as_mapping() else {
            context.shape(node, &format!("{what}, which is a mapping"));
            return None;
        };
        Some(Self {
            what,
            mapping,
            span: node.span,
            taken: vec![false; mapping.entries.len()],
            known: Vec::with_capacity(32),
        })
    }

    /// Where the mapping stands.
    pub(super) fn span(&self) -> SourceSpan {
        self.span
    }

    /// Whether `key` is there; it still has to be taken.
    pub(super) fn has(&self, key: &str) -> bool {
        self.mapping.get(key).is_some()
    }

    /// The entry of `key`.
    pub(super) fn entry(&mut self, key: &'static str) -> Option<&'n Entry> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        let index = self.mapping.entries.iter().position(|e| e.key == key)?;
        self.taken[index] = true;
        Some(&self.mapping.entries[index])
    }

    /// The value of `key`.
    pub(super) fn take(&mut self, key: &'static str) -> Option<&'n Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The value of `key`, which must be there.
    pub(super) fn need(
        &mut self,
        key: &'static str,
        context: &mut Context<'_>,
    ) -> Option<&'n Node> {
        let found = self.take(key);
        if found.is_none() {
            let message = format!("{} needs the key `{key}`", self.what);
            context.push(Diagnostic::error(Code::MissingKey, self.span, message));
        }
        found
    }

    /// Entries that nobody has asked for yet, for mappings with names of the author's own.
    pub(super) fn others(&mut self) -> Vec<&'n Entry> {
        let mut others = Vec::new();
        for (taken, entry) in self.taken.iter_mut().zip(&self.mapping.entries) {
            if !*taken && !entry.key.starts_with('-') {
                *taken = true;
                others.push(entry);
            }
        }
        others
    }

    /// Entries of a mapping whose keys are numbers: one that starts with `-` and goes on as a
    /// number is negative, and not an entry to ignore.
    pub(super) fn numbered(&mut self) -> Vec<&'n Entry> {
        let negative = |key: &str| {
            let digits = key.strip_prefix('-').map(str::trim_start);
            digits.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
        };
        let mut numbered = Vec::new();
        for (taken, entry) in self.taken.iter_mut().zip(&self.mapping.entries) {
            if !*taken && (!entry.key.starts_with('-') || negative(&entry.key)) {
                *taken = true;
                numbered.push(entry);
            }
        }
        numbered
    }

    /// Reports the keys that nobody asked for.
    pub(super) fn finish(self, context: &mut Context<'_>) {
        context.vocabulary.add(self.what, &self.known);
        for (taken, entry) in self.taken.iter().zip(&self.mapping.entries) {
            if *taken || entry.key.starts_with('-') {
                continue;
            }
            let message = format!("{} has no key `{}`", self.what, entry.key);
            // Past what is kept, a suggestion would be work for nobody.
            let help = (!context.diagnostics.is_full())
                .then(|| {
                    did_you_mean(&entry.key, self.known.iter().copied())
                        .or_else(|| listed(&self.known))
                })
                .flatten();
            context.push(
                Diagnostic::error(Code::UnknownKey, entry.key_span, message).maybe_help(help),
            );
        }
    }
}

/// The keys there are, where they are few enough to list.
fn listed(known: &[&str]) -> Option<String> {
    (known.len() <= 12).then(|| format!("the keys here are `{}`", known.join("`, `")))
}
