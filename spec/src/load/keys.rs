use super::context::Context;
use super::suggest::did_you_mean;
use crate::diagnostic::{Code, Diagnostic};
use crate::yaml::{Entry, Mapping, Node};
use tracegauge_plan::source::SourceSpan;

/// A mapping that records which keys the loader looks up. The loader looks up every key that the
/// language defines, so any other key in a description is an error. The recorded keys also serve as
/// suggestions for misspelled keys.
pub(super) struct Keys<'n> {
    what: &'static str,
    mapping: &'n Mapping,
    span: SourceSpan,
    taken: Vec<bool>,
    /// The keys that were looked up, in order. A key that was looked up twice occurs twice.
    known: Vec<&'static str>,
}

impl<'n> Keys<'n> {
    /// Creates a value that records which keys of `node` are looked up. Messages refer to the
    /// mapping as `what`, for example "a field". Reports an error if `node` is not a mapping.
    pub(super) fn of(
        node: &'n Node,
        what: &'static str,
        context: &mut Context<'_>,
    ) -> Option<Self> {
        let Some(mapping) = node.as_mapping() else {
            context.shape(node, &format!("{what}, which must be a mapping"));
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

    /// Returns the location of the mapping.
    pub(super) fn span(&self) -> SourceSpan {
        self.span
    }

    /// Returns `true` if `key` is present. The call does not count as a lookup of `key`.
    pub(super) fn has(&self, key: &str) -> bool {
        self.mapping.get(key).is_some()
    }

    /// Looks up the entry of `key`.
    pub(super) fn entry(&mut self, key: &'static str) -> Option<&'n Entry> {
        self.known.push(key);
        let index = self.mapping.entries.iter().position(|e| e.key == key)?;
        self.taken[index] = true;
        Some(&self.mapping.entries[index])
    }

    /// Looks up the value of `key`.
    pub(super) fn take(&mut self, key: &'static str) -> Option<&'n Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// Looks up the value of a required key.
    pub(super) fn need(
        &mut self,
        key: &'static str,
        context: &mut Context<'_>,
    ) -> Option<&'n Node> {
        let found = self.take(key);
        if found.is_none() {
            let message = format!("{} requires the key `{key}`", self.what);
            context.push(Diagnostic::error(Code::MissingKey, self.span, message));
        }
        found
    }

    /// Returns the entries that have not been looked up, for mappings whose keys the author
    /// chooses.
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

    /// Returns the entries of a mapping whose keys are numbers. In other mappings, a key that
    /// begins with `-` is ignored; in a mapping with numeric keys, it may be a negative number.
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

    /// Reports an error for each key that has not been looked up.
    pub(super) fn finish(self, context: &mut Context<'_>) {
        if let Some(vocabulary) = &mut context.vocabulary {
            vocabulary.add(self.what, &self.known);
        }
        for (taken, entry) in self.taken.iter().zip(&self.mapping.entries) {
            if *taken || entry.key.starts_with('-') {
                continue;
            }
            let message = format!("{} has no key `{}`", self.what, entry.key);
            // Once the limit on diagnostics is reached, this one will not be kept, so there is no
            // need to search for a suggestion.
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

/// Returns a help message with the known keys, unless there are too many.
fn listed(looked_up: &[&str]) -> Option<String> {
    let mut known: Vec<&str> = Vec::new();
    for key in looked_up {
        if !known.contains(key) {
            known.push(key);
        }
    }
    (known.len() <= 12).then(|| format!("valid keys are `{}`", known.join("`, `")))
}
