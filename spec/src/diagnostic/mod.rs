//! What is wrong with a description, and how it is shown: file, line, column, the
//! offending excerpt, the reason and what to do about it.

mod code;
mod render;
mod sink;

use crate::source::SourceSpan;

pub use code::Code;
pub use render::{Colour, render};
pub use sink::Diagnostics;

/// One mistake, or one thing to think about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of mistake.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub span: SourceSpan,
    /// What to say at that place; may be empty.
    pub label: String,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// What to do.
    pub help: Option<String>,
}

/// A place that helps to understand a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: SourceSpan,
    /// What is there.
    pub text: String,
}

/// How bad a mistake is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The description can be used; someone should look at it.
    Warning,
    /// The description cannot be used.
    Error,
}

impl Diagnostic {
    /// An error at a place.
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

    /// A warning at a place.
    pub fn warning(code: Code, span: SourceSpan, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, span, message)
        }
    }

    /// Says something at the place.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Points at another place.
    pub fn also(mut self, span: SourceSpan, text: impl Into<String>) -> Self {
        self.secondary.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says what to do, where something can be said.
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }
}
