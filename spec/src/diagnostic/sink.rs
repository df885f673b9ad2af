use super::{Colour, Diagnostic, Severity, render};
use tracegauge_plan::source::Sources;

/// The maximum number of diagnostics to store, so that a thoroughly broken file does not flood the
/// terminal.
const KEPT: usize = 200;

/// The diagnostics collected while a description is loaded and checked.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    errors: usize,
    dropped: usize,
}

impl Diagnostics {
    /// Adds a diagnostic. Identical diagnostics at the same location are counted once.
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

    /// Iterates over the stored diagnostics. Only the first 200 diagnostics are stored. Further
    /// diagnostics are only counted.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.kept.iter()
    }

    /// Returns `true` if there are no diagnostics.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns the number of stored diagnostics.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Returns `true` if further diagnostics will be counted but not stored.
    pub fn is_full(&self) -> bool {
        self.kept.len() >= KEPT
    }

    /// Returns the number of errors, including those that were only counted.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Returns `true` if an error makes the description unusable.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Returns the number of diagnostics that were counted but not stored.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Sorts the diagnostics by file and location.
    pub fn sort(&mut self) {
        self.kept
            .sort_by_key(|d| (d.span.source, d.span.start, d.span.end, d.code));
    }

    /// Renders all diagnostics. If some diagnostics were counted but not stored, a final line says
    /// how many. The result is empty if there are no diagnostics.
    pub fn render(&self, sources: &Sources, colour: Colour) -> String {
        let mut out = String::new();
        for diagnostic in &self.kept {
            out.push_str(&render(diagnostic, sources, colour));
            out.push_str("\n\n");
        }
        if self.dropped > 0 {
            out.push_str(&format!(
                "{} more diagnostics are not shown\n",
                self.dropped
            ));
        }
        out
    }
}
