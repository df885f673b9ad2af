//! Converts the mistakes in descriptions to SARIF, for code scanning.

use std::path::Path;

use tracegauge_plan::source::{SourceSpan, Sources};
use tracegauge_reports::sarif::{self, Finding, Place};
use tracegauge_results::file::{self, WriteError};
use tracegauge_spec::diagnostic::{Diagnostic, Severity};
use tracegauge_spec::load::Loaded;

/// Returns the mistakes in a description as SARIF findings.
pub(super) fn findings(loaded: &Loaded) -> Vec<Finding> {
    let found = loaded.diagnostics.iter();
    found.map(|one| finding(one, &loaded.sources)).collect()
}

/// Writes the findings to a file.
pub(super) fn write(findings: &[Finding], path: &Path) -> Result<(), WriteError> {
    let version = env!("CARGO_PKG_VERSION");
    file::replace(path, |out| sarif::render(findings, version, out))
}

fn finding(diagnostic: &Diagnostic, sources: &Sources) -> Finding {
    let mut message = diagnostic.message.clone();
    for more in [Some(&diagnostic.label), diagnostic.help.as_ref()] {
        if let Some(more) = more.filter(|more| !more.is_empty()) {
            message.push_str(". ");
            message.push_str(more);
        }
    }
    let related = diagnostic.secondary.iter();
    Finding {
        code: diagnostic.code.name().to_owned(),
        severity: match diagnostic.severity {
            Severity::Warning => sarif::Severity::Warning,
            Severity::Error => sarif::Severity::Error,
        },
        message,
        place: place(diagnostic.span, sources),
        related: related
            .map(|label| (place(label.span, sources), label.text.clone()))
            .collect(),
    }
}

fn place(span: SourceSpan, sources: &Sources) -> Place {
    let start = sources.line_column(span);
    let end = sources.line_column(SourceSpan {
        start: span.end,
        ..span
    });
    Place {
        file: sources
            .file(span.source)
            .map_or_else(String::new, |file| file.name.clone()),
        line: start.line as usize,
        column: start.column as usize,
        end_line: end.line as usize,
        end_column: end.column as usize,
    }
}
