//! Makes text from readers and traces safe to display.

use std::borrow::Cow;

/// Escapes every character of `text` that is invisible or that affects other characters: control
/// characters, and characters that change the text direction or have no width.
///
/// ```
/// use tracegauge_results::text::visible;
/// assert_eq!(visible("a\u{1b}[31m\n\u{202e}b"), "a\\u{1b}[31m\\n\\u{202e}b");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    written_out(text, is_unseen)
}

/// Like [`visible`], but does not escape line breaks.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    written_out(text, |c| c != '\n' && is_unseen(c))
}

/// Returns whether `c` is invisible or affects how other characters are shown.
pub(crate) fn is_unseen(c: char) -> bool {
    let turns = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    let is_empty = matches!(
        c,
        '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    );
    // Unicode defines these code points as noncharacters, which XML forbids or discourages.
    let is_none = matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe;
    c.is_control() || turns || is_empty || is_none
}

fn written_out(text: &str, unseen: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&unseen) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if unseen(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Returns the first `most` characters of `text`, followed by an ellipsis if it was truncated.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
    }
}

/// Collapses path components in `text` that repeat many times in a row into one component and a
/// count, so that a path into a value that is nested a thousand levels deep remains short.
///
/// ```
/// use tracegauge_results::text::folded;
/// let path = "inner[0].inner[0].inner[0].inner[0].inner[0].kind";
/// assert_eq!(folded(path), "inner[0]×5.kind");
/// assert_eq!(folded("a.b.b.b.c ... and more"), "a.b.b.b.c ... and more");
/// ```
pub fn folded(text: &str) -> Cow<'_, str> {
    let steps: Vec<&str> = text.split('.').collect();
    let runs: Vec<&[&str]> = steps.chunk_by(|one, next| one == next).collect();
    let is_folded = |run: &[&str]| run.len() >= FOLDED && run.first().is_some_and(|it| is_step(it));
    if !runs.iter().any(|run| is_folded(run)) {
        return Cow::Borrowed(text);
    }
    let told = runs.iter().map(|run| match run.first() {
        Some(step) if is_folded(run) => format!("{step}×{}", run.len()),
        _ => run.join("."),
    });
    Cow::Owned(told.collect::<Vec<String>>().join("."))
}

fn is_step(text: &str) -> bool {
    let of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '[' | ']' | ':');
    !text.is_empty() && text.chars().all(of_name)
}

/// The minimum number of equal path components in a row that are collapsed.
const FOLDED: usize = 4;

/// Removes the indexes from a path, so that it matches all elements of a list.
///
/// ```
/// use tracegauge_results::text::anywhere;
/// assert_eq!(anywhere("frames[12].names[3]"), "frames[].names[]");
/// ```
pub fn anywhere(path: &str) -> String {
    let mut digits = false;
    let kept = path.chars().filter(|next| {
        digits = *next == '[' || (digits && next.is_ascii_digit());
        !digits || *next == '['
    });
    kept.collect()
}

/// Joins the first `most` names, followed by the number of remaining names.
///
/// ```
/// use tracegauge_results::text::first_of;
/// assert_eq!(first_of(&["a", "b"], 2), "a, b");
/// assert_eq!(first_of(&["a", "b", "c"], 1), "a and 2 more");
/// ```
pub fn first_of(names: &[impl AsRef<str>], most: usize) -> String {
    let first = names.iter().take(most).map(AsRef::as_ref);
    let first = first.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(most) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Formats a range of bytes of a trace.
///
/// ```
/// use tracegauge_results::text::byte_range;
/// assert_eq!(byte_range(5, 9), "bytes 5..9");
/// assert_eq!(byte_range(5, 6), "byte 5");
/// assert_eq!(byte_range(5, 5), "before byte 5");
/// ```
pub fn byte_range(start: u64, end: u64) -> String {
    match end.saturating_sub(start) {
        0 => format!("before byte {start}"),
        1 => format!("byte {start}"),
        _ => format!("bytes {start}..{end}"),
    }
}

/// Formats a number with a noun: `1 failure`, `2 failures`.
pub fn counted(number: usize, what: &str) -> String {
    let many = if number == 1 { "" } else { "s" };
    format!("{number} {what}{many}")
}

/// Quotes text as a single word for a shell, if necessary.
///
/// ```
/// use tracegauge_results::text::shell_word;
/// assert_eq!(shell_word("my/reader.yaml"), "my/reader.yaml");
/// assert_eq!(shell_word("it's my reader"), r"'it'\''s my reader'");
/// assert_eq!(shell_word(""), "''");
/// ```
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+@%:,".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
