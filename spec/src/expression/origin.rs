use std::ops::Range;

use crate::yaml::{Scalar, Style};
use tracegauge_plan::source::SourceSpan;

/// The location of an expression's text in its file. The locations of the expression's parts are
/// computed from the location of the text.
#[derive(Clone, Debug)]
pub struct Origin {
    span: SourceSpan,
    places: Places,
}

#[derive(Clone, Debug)]
enum Places {
    /// The text occurs in the file unchanged, starting at this offset.
    From(u32),
    /// The file offset of each byte of the text and of its end.
    Each(Vec<u32>),
    /// Only the location of the whole scalar is known.
    Whole,
}

impl Origin {
    /// Creates the origin of a scalar at `span`. `raw` is the text of the scalar in the file,
    /// including quotes and escapes.
    pub fn new(scalar: &Scalar, span: SourceSpan, raw: &str) -> Self {
        let quoted = raw.len() >= 2
            && matches!(scalar.style, Style::SingleQuoted | Style::DoubleQuoted)
            && raw.get(1..raw.len() - 1) == Some(scalar.value.as_str());
        let places = if raw == scalar.value {
            Places::From(span.start)
        } else if quoted {
            Places::From(span.start + 1)
        } else {
            align(scalar, raw, span.start).map_or(Places::Whole, Places::Each)
        };
        Self { span, places }
    }

    /// Returns the location of the whole scalar.
    pub fn whole(&self) -> SourceSpan {
        self.span
    }

    /// Returns the location of a range of bytes in the text.
    pub fn span(&self, range: Range<usize>) -> SourceSpan {
        let place = |at: usize| match &self.places {
            Places::From(start) => u32::try_from(at).ok().and_then(|at| start.checked_add(at)),
            Places::Each(places) => places.get(at).copied(),
            Places::Whole => None,
        };
        match (place(range.start), place(range.end)) {
            (Some(start), Some(end)) if start <= end => SourceSpan {
                source: self.span.source,
                start,
                end,
            },
            _ => self.span,
        }
    }
}

/// Matches the characters of the value against the raw text, which may contain folded lines,
/// escapes and doubled quotes. Returns `None` if the value and the raw text do not match.
fn align(scalar: &Scalar, raw: &str, start: u32) -> Option<Vec<u32>> {
    let mut rest = match scalar.style {
        Style::Plain => 0,
        Style::SingleQuoted | Style::DoubleQuoted => 1,
        Style::Block if raw.starts_with(['|', '>']) => raw.find('\n')? + 1,
        Style::Block => 0,
    };
    let mut places = Vec::with_capacity(scalar.value.len() + 1);
    for character in scalar.value.chars() {
        let (at, next) = step(scalar.style, raw, rest, character)?;
        let at = start.checked_add(u32::try_from(at).ok()?)?;
        places.extend(std::iter::repeat_n(at, character.len_utf8()));
        rest = next;
    }
    places.push(start.checked_add(u32::try_from(rest).ok()?)?);
    Some(places)
}

/// Finds `character` in `raw` at or after the offset `at`. Returns the offset of `character` and
/// the offset to continue from.
fn step(style: Style, raw: &str, at: usize, character: char) -> Option<(usize, usize)> {
    let here = raw.get(at..)?.chars().next()?;
    if character.is_whitespace() {
        if here == character && here != '\n' {
            return Some((at, at + here.len_utf8()));
        }
        let blanks: usize = raw[at..]
            .chars()
            .take_while(|c| c.is_whitespace())
            .map(char::len_utf8)
            .sum();
        return (blanks > 0).then_some((at, at + blanks));
    }
    let blanks: usize = raw[at..]
        .chars()
        .take_while(|c| c.is_whitespace())
        .map(char::len_utf8)
        .sum();
    let at = at + blanks;
    let here = raw.get(at..)?.chars().next()?;
    match (style, here) {
        (Style::SingleQuoted, '\'') if character == '\'' => Some((at, at + 2)),
        (Style::DoubleQuoted, '\\') => escape(raw, at, character),
        _ => (here == character).then_some((at, at + here.len_utf8())),
    }
}

/// Matches an escaped `"`, `\` or `/`. If an expression contains another kind of escape, such as
/// `\n`, diagnostics refer to the whole scalar.
fn escape(raw: &str, at: usize, character: char) -> Option<(usize, usize)> {
    let escaped = raw.get(at + 1..)?.chars().next()?;
    (escaped == character && matches!(character, '"' | '\\' | '/')).then_some((at, at + 2))
}
