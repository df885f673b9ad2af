//! Diagnostics for descriptions. Each diagnostic has a message, a source location with an excerpt,
//! and usually advice on how to fix the mistake.

mod code;
mod render;
mod sink;

use tracegauge_plan::source::SourceSpan;

pub use code::Code;
pub use render::{Colour, render};
pub use sink::Diagnostics;

/// An error or warning about a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of mistake.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// A one-line summary of the problem.
    pub message: String,
    /// The location of the problem.
    pub span: SourceSpan,
    /// A note to show at the location, possibly empty.
    pub label: String,
    /// Other locations that help to explain the problem.
    pub secondary: Vec<Label>,
    /// Advice on how to fix the problem.
    pub help: Option<String>,
}

/// A note at another location that helps to explain a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The location.
    pub span: SourceSpan,
    /// The text of the note.
    pub text: String,
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The description is usable but should be reviewed.
    Warning,
    /// The description cannot be used.
    Error,
}

impl Diagnostic {
    /// Creates an error.
    pub fn error(code: Code, span: SourceSpan, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            secondary: Vec::new(),
            help: None,
        }
    }

    /// Creates a warning.
    pub fn warning(code: Code, span: SourceSpan, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, span, message)
        }
    }

    /// Sets the note to show at the location.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds a note at another location.
    pub fn also(mut self, span: SourceSpan, text: impl Into<String>) -> Self {
        self.secondary.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Sets the advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the advice unless `help` is `None`.
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }
}
