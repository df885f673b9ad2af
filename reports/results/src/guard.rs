//! The final check of all printed text. The check applies even if a report forgets to make a name
//! [visible](crate::text::visible).

use std::io::{self, Write};

use crate::text::is_unseen;

/// The escape sequences that may be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequences {
    /// No sequence at all.
    None,
    /// Sequences that set the color or the weight of text.
    Style,
}

/// Escapes everything that a terminal or the log of a CI service would interpret as a command:
/// control characters other than tabs and line breaks, characters that change the text direction,
/// and the beginnings of workflow commands (`::` at the beginning of a line, `##[` and `##vso[`).
///
/// Characters are escaped as in JSON, so that JSON keeps its meaning.
///
/// ```
/// use tracegauge_results::guard::{Sequences, guarded};
/// assert_eq!(guarded("a\u{1b}[2J\n::error::b", Sequences::None), "a\\u001b[2J\n\\u003a:error::b");
/// assert_eq!(guarded("\u{1b}[1mbold\u{1b}[0m", Sequences::Style), "\u{1b}[1mbold\u{1b}[0m");
/// ```
pub fn guarded(text: &str, allowed: Sequences) -> String {
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let mut rest = line;
        if line[indent..].starts_with("::") {
            shown.push_str(&line[..indent]);
            escape(':', &mut shown);
            rest = &line[indent + 1..];
        }
        while let Some(c) = rest.chars().next() {
            let style = match allowed {
                Sequences::Style => style(rest),
                Sequences::None => None,
            };
            let taken = if let Some(style) = style {
                shown.push_str(style);
                style.len()
            } else if rest.starts_with("##[") || rest.starts_with("##vso[") {
                shown.push('#');
                escape('#', &mut shown);
                2
            } else {
                let stays = matches!(c, '\n' | '\t') || (c == '\r' && rest == "\r\n");
                if is_unseen(c) && !stays {
                    escape(c, &mut shown);
                } else {
                    shown.push(c);
                }
                c.len_utf8()
            };
            rest = &rest[taken..];
        }
    }
    shown
}

/// Returns the sequence at the beginning of `text` if it sets only color or weight. Sequences that
/// conceal text or make it blink are rejected.
fn style(text: &str) -> Option<&str> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let end = numbers.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    let (numbers, after) = numbers.split_at(end);
    let mut each = numbers.split(';');
    let hides = each.any(|number| matches!(number.trim_start_matches('0'), "5" | "6" | "7" | "8"));
    let is_allowed = after.starts_with('m') && (!hides || is_palette(numbers));
    is_allowed.then(|| &text[..2 + end + 1])
}

/// Returns whether the numbers of a sequence select a palette color, as in `38;5;9`.
fn is_palette(numbers: &str) -> bool {
    let color = numbers.strip_prefix("38;5;");
    color.is_some_and(|color| color.len() <= 3 && color.bytes().all(|byte| byte.is_ascii_digit()))
}

fn escape(c: char, shown: &mut String) {
    let mut units = [0; 2];
    for unit in c.encode_utf16(&mut units) {
        shown.push_str(&format!("\\u{unit:04x}"));
    }
}

/// A writer that passes complete lines, [guarded], to another writer.
#[derive(Debug)]
pub struct Guarded<W: Write> {
    out: W,
    allowed: Sequences,
    line: Vec<u8>,
}

impl<W: Write> Guarded<W> {
    /// Creates a writer that writes to `out`.
    pub fn new(out: W, allowed: Sequences) -> Self {
        Self {
            out,
            allowed,
            line: Vec::new(),
        }
    }

    fn write_lines(&mut self, length: usize) -> io::Result<()> {
        let lines: Vec<u8> = self.line.drain(..length).collect();
        let shown = guarded(&String::from_utf8_lossy(&lines), self.allowed);
        self.out.write_all(shown.as_bytes())
    }
}

/// Writes the output of `render` to `out`, [guarded].
///
/// # Errors
/// Returns an error if `render` fails or `out` cannot be written to.
pub fn write(
    out: &mut dyn Write,
    render: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut guarded = Guarded::new(out, Sequences::None);
    render(&mut guarded)?;
    guarded.flush()
}

impl<W: Write> Drop for Guarded<W> {
    fn drop(&mut self) {
        // A caller that must learn about errors calls `flush` first.
        let _ = self.write_lines(self.line.len());
    }
}

impl<W: Write> Write for Guarded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') {
            self.write_lines(self.line.len() - bytes.len() + end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_lines(self.line.len())?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_commands_a_terminal_or_a_log() {
        let foreign = [
            "\u{1b}[2J",
            "\u{1b}]0;title\u{7}",
            "\u{9b}2J",
            "a\rb",
            "\u{7f}",
            "\u{202e}b",
            "\u{1b}[8mhidden",
            "\u{8}",
            "\u{e0041}",
            "\u{61c}",
        ];
        for allowed in [Sequences::None, Sequences::Style] {
            for text in foreign {
                let shown = guarded(text, allowed);
                assert!(!shown.chars().any(is_unseen), "{text:?} became {shown:?}");
            }
            for text in ["::stop-commands::x", "  ::error::x", "a\n::error::x"] {
                let shown = guarded(text, allowed);
                let is_command = |line: &str| line.trim_start().starts_with("::");
                assert!(!shown.lines().any(is_command), "{shown}");
            }
            assert!(!guarded("x ##[error]", allowed).contains("##["));
            assert!(!guarded("##vso[task]", allowed).contains("##vso"));
        }
        // Code points that XML does not allow.
        assert_eq!(guarded("\u{fffe}", Sequences::None), "\\ufffe");
        assert_eq!(
            guarded("std::fmt\tx\n\u{e9}", Sequences::None),
            "std::fmt\tx\n\u{e9}"
        );
    }

    #[test]
    fn json_keeps_its_meaning() {
        let value = serde_json::json!({"name": "\u{9b}2J\u{202e}\u{e0041}##[error]"});
        let shown = guarded(&value.to_string(), Sequences::None);
        assert!(shown.is_ascii(), "{shown}");
        let read: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
        assert_eq!(read, value);
    }

    #[test]
    fn pieces_of_a_line_are_one_line() {
        let mut out = Vec::new();
        let mut guard = Guarded::new(&mut out, Sequences::Style);
        for piece in ["\u{1b}[3", "1mred\u{1b}[0m\n:", ":error::\n", "end"] {
            guard.write_all(piece.as_bytes()).expect("written");
        }
        drop(guard);
        let out = String::from_utf8(out).expect("text");
        assert_eq!(out, "\u{1b}[31mred\u{1b}[0m\n\\u003a:error::\nend");
    }
}
