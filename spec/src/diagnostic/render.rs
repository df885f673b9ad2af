use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Severity};
use tracegauge_plan::source::{SourceId, SourceSpan, Sources};

/// The color support of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Plain,
    /// Text with ANSI escape sequences.
    Ansi,
}

/// Renders a diagnostic in the style of rustc.
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

/// Returns the files that a diagnostic refers to, starting with the file of its primary location.
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
    let here = (diagnostic.span.source == source).then_some((
        AnnotationKind::Primary,
        diagnostic.span,
        diagnostic.label.as_str(),
    ));
    let others = diagnostic.secondary.iter();
    let others = others
        .filter(|label| label.span.source == source)
        .map(|label| (AnnotationKind::Context, label.span, label.text.as_str()));
    let marks: Vec<_> = here
        .into_iter()
        .chain(others)
        .map(|(kind, span, label)| (kind, shown(&file.text, span), label))
        .collect();
    let window = Window::around(&file.text, marks.iter().map(|(_, range, _)| range));
    let snippet = Snippet::source(window.text)
        .line_start(window.line)
        .path(file.name.as_str())
        .fold(true);
    Some(
        marks
            .into_iter()
            .fold(snippet, |snippet, (kind, range, label)| {
                let range = range.start - window.start..range.end - window.start;
                let annotation = kind.span(range);
                snippet.annotation(if label.is_empty() {
                    annotation
                } else {
                    annotation.label(label)
                })
            }),
    )
}

/// The part of a file that contains the annotated lines and the lines between them. Passing only
/// these lines avoids scanning the whole file for each diagnostic.
struct Window<'a> {
    text: &'a str,
    start: usize,
    line: usize,
}

impl<'a> Window<'a> {
    fn around<'r>(text: &'a str, ranges: impl Iterator<Item = &'r Range<usize>> + Clone) -> Self {
        let first = ranges.clone().map(|range| range.start).min().unwrap_or(0);
        let last = ranges.map(|range| range.end).max().unwrap_or(0);
        let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
        let end = text[last..].find('\n').map_or(text.len(), |at| last + at);
        Self {
            text: &text[start..end],
            start,
            line: 1 + text[..start].bytes().filter(|byte| *byte == b'\n').count(),
        }
    }
}

/// Returns the part of a span to annotate, extended to whole characters. A span of several lines is
/// cut to its first line, because annotations next to a long block would make the excerpt hard to
/// read.
fn shown(text: &str, span: SourceSpan) -> Range<usize> {
    let start = floor(text, span.start as usize);
    let end = floor(text, span.end as usize).max(start);
    let first_line = text[start..end]
        .find('\n')
        .map_or(end, |at| start + text[start..start + at].trim_end().len());
    start..first_line.max(start)
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
