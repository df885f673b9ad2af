use std::ops::Range;

use crate::source::SourceSpan;
use crate::yaml::{Scalar, Style};

/// Where the text of an expression stands in its file, so that its parts do too.
#[derive(Clone, Debug)]
pub struct Origin {
    span: SourceSpan,
    places: Places,
}

#[derive(Clone, Debug)]
enum Places {
    /// As in the file, from here on.
    From(u32),
    /// The place of each byte and of the end.
    Each(Vec<u32>),
    /// Only the scalar is known.
    Whole,
}

impl Origin {
    /// The origin of a scalar at `span`, whose text in the file is `raw`.
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

    /// The whole scalar.
    pub fn whole(&self) -> SourceSpan {
        self.span
    }

    /// The place of a range of bytes of the text.
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

/// Walks the text and what stands in the file side by side. Folding, escapes and doubled
/// quotes differ; where they cannot be matched there is no answer.
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

/// Where `character` of the value stands in `raw` from `at` on, and where the next may.
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

/// The simple escapes; the rest is rare enough in expressions to point at the scalar only.
fn escape(raw: &str, at: usize, character: char) -> Option<(usize, usize)> {
    let escaped = raw.get(at + 1..)?.chars().next()?;
    (escaped == character && matches!(character, '"' | '\\' | '/')).then_some((at, at + 2))
}
