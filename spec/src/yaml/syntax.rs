//! Guesses the cause of a syntax error from the surrounding text. The YAML parser often reports an
//! error at a location after the actual mistake, and its message does not mention the description
//! language.

/// The likely cause of a syntax error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// A tab at this offset.
    Tab(usize),
    /// An unquoted string that contains a colon followed by a space.
    Colon,
    /// An opening bracket at this offset that is never closed.
    Unclosed(usize, Bracket),
    /// An unquoted expression.
    Expression,
}

/// The kind of an opening bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    /// `{`
    Mapping,
    /// `[`
    List,
}

impl Cause {
    /// Guesses the cause of an error at the byte offset `at` in `text`.
    pub(super) fn of(text: &str, at: usize) -> Option<Self> {
        let before = text.get(..at)?;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text.get(start..)?.lines().next().unwrap_or_default();
        if let Some(tab) = misplaced_tab(text, start) {
            Some(Self::Tab(tab))
        } else if is_colon_in_text(&before[start..], line) {
            Some(Self::Colon)
        } else if let Some((open, bracket)) = innermost(before)
            && (open < start && begins_anew(line) || text[at..].starts_with(bracket.other_end()))
        {
            Some(Self::Unclosed(open, bracket))
        } else {
            looks_mangled(line).then_some(Self::Expression)
        }
    }

    /// Returns advice on how to fix the mistake.
    pub(super) fn help(self) -> &'static str {
        match self {
            Self::Tab(_) => "replace the tab with spaces",
            Self::Colon => {
                "quote text that contains `: `; otherwise YAML reads the part before it as a key"
            }
            Self::Unclosed(_, Bracket::Mapping) => "add the closing `}`",
            Self::Unclosed(_, Bracket::List) => "add the closing `]`",
            Self::Expression => {
                "if this is an expression, quote it: `&`, `*`, `!`, `? :`, `: `, `[` and ` #` have \
                 a special meaning in YAML"
            }
        }
    }
}

impl Bracket {
    /// Returns the closing bracket of the other kind.
    fn other_end(self) -> char {
        match self {
            Self::Mapping => ']',
            Self::List => '}',
        }
    }
}

/// Returns the innermost bracket that is still open at the end of `text`. The function scans the
/// text itself, because the parser looks ahead and its state might not match this position.
fn innermost(text: &str) -> Option<(usize, Bracket)> {
    let mut open: Vec<(usize, Bracket)> = Vec::new();
    // A value that begins with a bracket or a quote is not a plain scalar, so track whether a value
    // begins here.
    let mut begins = true;
    let mut quote = None;
    let mut comment = false;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (_, '\n') => {
                begins |= quote.is_none() && open.is_empty();
                comment = false;
            }
            _ if comment => {}
            (Some(end), _) if c == end && !(end == '"' && before == '\\') => quote = None,
            (None, '"' | '\'') if begins => quote = Some(c),
            // A single quote within single quotes is escaped by doubling it.
            (None, '\'') if before == '\'' => quote = Some(c),
            (None, '#') if before.is_whitespace() => comment = true,
            (None, '{') if begins || !open.is_empty() => open.push((at, Bracket::Mapping)),
            (None, '[') if begins || !open.is_empty() => open.push((at, Bracket::List)),
            (None, '}' | ']') => {
                open.pop();
            }
            _ => {}
        }
        let is_blank = c.is_whitespace();
        if quote.is_none() && !comment && !is_blank {
            begins = matches!(c, '{' | '[' | ',' | ':') || c == '-' && begins;
        }
        before = c;
    }
    open.pop()
}

/// Returns `true` if a colon after a value caused the error. `before` is the part of the line
/// before the colon.
fn is_colon_in_text(before: &str, line: &str) -> bool {
    let rest = &line[before.len().min(line.len())..];
    let part = before.rsplit(['{', '[', ',']).next().unwrap_or(before);
    let Some((_, value)) = part.split_once(": ") else {
        return false;
    };
    let value = value.trim_start();
    let is_plain = !value.starts_with(['"', '\'', '&', '*', '!', '|', '>', '%', '@', '`']);
    rest.starts_with(':') && !value.is_empty() && is_plain && !value.contains(" ? ")
}

/// Returns `true` if the line is a key with a value, or an element of a list, which means that the
/// previous value has ended.
fn begins_anew(line: &str) -> bool {
    let line = line.trim();
    let key = line.split_once(':').map(|(key, _)| key);
    let is_key = |key: &str| {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@');
        !key.is_empty() && key.chars().all(plain)
    };
    line.is_empty() || line.starts_with("- ") || key.is_some_and(is_key)
}

/// Returns `true` if the value contains expression syntax that has a different meaning in YAML.
fn looks_mangled(line: &str) -> bool {
    let value = line.split_once(": ").map_or(line, |(_, value)| value);
    value.contains(" ? ")
        || value.contains(": ")
        || value.contains('[')
        || [": &", ": *", ": !", ": %", ": @", ": `"]
            .iter()
            .any(|start| line.contains(start))
}

/// Finds the tab that caused the error, which is in the indentation or after the colon of a key.
/// Searches the line of the error, which begins at `start`, and the following line, because a value
/// may continue there.
fn misplaced_tab(text: &str, start: usize) -> Option<usize> {
    let mut line_start = start;
    for line in text.get(start..)?.split_inclusive('\n').take(2) {
        let indented = line.len() - line.trim_start_matches([' ', '\t', '-']).len();
        let in_front = line[..indented].find('\t');
        let after_key = line.find(":\t").map(|colon| colon + 1);
        if let Some(tab) = in_front.or(after_key) {
            return Some(line_start + tab);
        }
        line_start += line.len();
    }
    None
}
