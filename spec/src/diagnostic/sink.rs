use super::{Colour, Diagnostic, Severity, render};
use crate::source::Sources;

/// How many mistakes one run keeps. A file that is all wrong should not fill a terminal.
const KEPT: usize = 200;

/// The mistakes of a run, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    errors: usize,
    dropped: usize,
}

impl Diagnostics {
    /// Adds a mistake. The same mistake at the same place counts once.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.kept.contains(&diagnostic) {
            return;
        }
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        }
        if self.kept.len() < KEPT {
            self.kept.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    /// What was found; beyond the first 200 mistakes only their number is kept.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.kept.iter()
    }

    /// Nothing was found.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// How many were kept.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// No more are kept; they are only counted.
    pub fn is_full(&self) -> bool {
        self.kept.len() >= KEPT
    }

    /// How many errors there were, kept or not.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Something makes the description unusable.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many were found beyond those that are kept.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Puts them in the order of the files and of the places in them.
    pub fn sort(&mut self) {
        self.kept
            .sort_by_key(|d| (d.span.source, d.span.start, d.span.end, d.code));
    }

    /// All of them as text, with a closing line that counts them; empty where there are none.
    pub fn render(&self, sources: &Sources, colour: Colour) -> String {
        let mut out = String::new();
        for diagnostic in &self.kept {
            out.push_str(&render(diagnostic, sources, colour));
            out.push_str("\n\n");
        }
        if self.dropped > 0 {
            out.push_str(&format!("{} more were found\n", self.dropped));
        }
        out
    }
}
