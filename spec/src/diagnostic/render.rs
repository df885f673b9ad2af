use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Severity};
use crate::source::{SourceId, SourceSpan, Sources};

/// Whether text is for a terminal that knows colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Plain,
    /// With ANSI escapes.
    Ansi,
}

/// One mistake as text, the way rustc shows it.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: Colour) -> String {
    let renderer = match colour {
        Colour::Plain => Renderer::plain(),
        Colour::Ansi => Renderer::styled(),
    };
    renderer.render(&[group(diagnostic, sources)])
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(
        level
            .primary_title(&diagnostic.message)
            .id(diagnostic.code.name()),
    );
    for source in files_of(diagnostic) {
        if let Some(snippet) = snippet(diagnostic, sources, source) {
            group = group.element(snippet);
        }
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    group
}

/// The files that a mistake points into; the one of the mistake itself first.
fn files_of(diagnostic: &Diagnostic) -> Vec<SourceId> {
    let mut files = vec![diagnostic.span.source];
    for label in &diagnostic.secondary {
        if !files.contains(&label.span.source) {
            files.push(label.span.source);
        }
    }
    files
}

fn snippet<'a>(
    diagnostic: &'a Diagnostic,
    sources: &'a Sources,
    source: SourceId,
) -> Option<Snippet<'a, Annotation<'a>>> {
    let file = sources.file(source)?;
    let text: &str = &file.text;
    let mut snippet = Snippet::source(text).path(file.name.as_str()).fold(true);
    if diagnostic.span.source == source {
        snippet = snippet.annotation(annotation(
            AnnotationKind::Primary,
            text,
            diagnostic.span,
            &diagnostic.label,
        ));
    }
    for label in diagnostic
        .secondary
        .iter()
        .filter(|label| label.span.source == source)
    {
        snippet = snippet.annotation(annotation(
            AnnotationKind::Context,
            text,
            label.span,
            &label.text,
        ));
    }
    Some(snippet)
}

fn annotation<'a>(
    kind: AnnotationKind,
    text: &str,
    span: SourceSpan,
    label: &'a str,
) -> Annotation<'a> {
    let (start, end) = shown(text, span);
    let annotation = kind.span(start..end);
    if label.is_empty() {
        annotation
    } else {
        annotation.label(label)
    }
}

/// The part of a span that is marked: whole characters, and of several lines the first
/// only, since the marks beside a block of forty lines hide it.
fn shown(text: &str, span: SourceSpan) -> (usize, usize) {
    let start = floor(text, span.start as usize);
    let end = floor(text, span.end as usize).max(start);
    let first_line = text[start..end]
        .find('\n')
        .map_or(end, |at| start + text[start..start + at].trim_end().len());
    (start, first_line.max(start))
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
