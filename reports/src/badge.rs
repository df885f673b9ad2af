//! A status badge for a project's web page.

use tracegauge_results::ReaderResult;
use tracegauge_results::text::{shortened, visible};

use crate::headline::{Headline, Tone};
use crate::html::markup;

/// The maximum number of characters in the left half.
const LABEL: usize = 40;

/// Renders an SVG image that shows `label` and the status of `reader`. The image can be understood
/// without color and is accessible to screen readers.
pub fn badge(label: &str, reader: &ReaderResult) -> String {
    let headline = Headline::of(reader);
    let label = visible(&shortened(label, LABEL)).into_owned();
    let message = format!("{} {headline}", headline.tone().mark());
    let colour = match headline.tone() {
        Tone::Good => "#1d6b57",
        Tone::Listed => "#653a87",
        Tone::Bad => "#9c2f00",
        Tone::Absent => "#5b6270",
    };
    let (left, right) = (half(&label), half(&message));
    let whole = left + right;
    let (label_at, message_at) = (left / 2, left + right / 2);
    let (label, message) = (markup(&label), markup(&message));
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" aria-label="{label}: {message}">
<title>{label}: {message}</title>
<clipPath id="round"><rect width="{whole}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="{left}" height="20" fill="#3a3f47"/><rect x="{left}" width="{right}" height="20" fill="{colour}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="{label_at}" y="14" textLength="{label_width}">{label}</text><text x="{message_at}" y="14" textLength="{message_width}">{message}</text></g>
</svg>
"##,
        label_width = left - 12,
        message_width = right - 12,
    )
}

/// Returns the width of half a badge that contains `text`, in pixels.
fn half(text: &str) -> usize {
    12 + text.chars().map(width).sum::<usize>().div_ceil(10)
}

/// Returns the width of a character in Verdana at eleven pixels, in tenths of a pixel.
fn width(c: char) -> usize {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | ' ' => 36,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' => 46,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '✓' | '✗' | '◆' => 104,
        'A'..='Z' => 77,
        c if c.is_ascii() => 67,
        _ => 110,
    }
}
