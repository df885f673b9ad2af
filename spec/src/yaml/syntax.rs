//! What a syntax error comes of, as far as the text around it tells: the parser stumbles behind the
//! mistake, and speaks of YAML.

/// The likely cause of a syntax error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The tab at this place.
    Tab(usize),
    /// A text with a colon and a blank in it, which is not quoted.
    Colon,
    /// The bracket at this place, which nothing closes.
    Unclosed(usize, Bracket),
    /// An expression that is not quoted.
    Expression,
}

/// What holds a part on lines of its own, or on one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    /// `{`
    Mapping,
    /// `[`
    List,
}

impl Cause {
    /// The cause of an error at the byte `at` of `text`.
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

    /// What to do about it.
    pub(super) fn help(self) -> &'static str {
        match self {
            Self::Tab(_) => "write blanks instead of the tab",
            Self::Colon => {
                "a text with `: ` in it must be quoted, or YAML takes what stands before for a key"
            }
            Self::Unclosed(_, Bracket::Mapping) => "write the `}` that closes it",
            Self::Unclosed(_, Bracket::List) => "write the `]` that closes it",
            Self::Expression => {
                "if this is an expression, quote it: YAML gives `&`, `*`, `!`, `? :`, `: `, `[` and \
                 ` #` a meaning of its own"
            }
        }
    }
}

impl Bracket {
    /// The end of the other kind.
    fn other_end(self) -> char {
        match self {
            Self::Mapping => ']',
            Self::List => '}',
        }
    }
}

/// The innermost bracket that is open at the end of `text`. The parser looks ahead, and may not
/// have come to it.
fn innermost(text: &str) -> Option<(usize, Bracket)> {
    let mut open: Vec<(usize, Bracket)> = Vec::new();
    // What begins with a bracket or a quote is no plain text.
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
            // A quote within quotes is written twice.
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

/// Whether the error is about the colon behind what is a value already: `before` is the line up to
/// it.
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

/// Whether a line is a key with a value, or an element of a list: what stood before has an end.
fn begins_anew(line: &str) -> bool {
    let line = line.trim();
    let key = line.split_once(':').map(|(key, _)| key);
    let is_key = |key: &str| {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@');
        !key.is_empty() && key.chars().all(plain)
    };
    line.is_empty() || line.starts_with("- ") || key.is_some_and(is_key)
}

/// What YAML spoils in expressions.
fn looks_mangled(line: &str) -> bool {
    let value = line.split_once(": ").map_or(line, |(_, value)| value);
    value.contains(" ? ")
        || value.contains(": ")
        || value.contains('[')
        || [": &", ": *", ": !", ": %", ": @", ": `"]
            .iter()
            .any(|start| line.contains(start))
}

/// The tab that the parser stumbled over: one in the indentation or after the colon of a key, in the
/// line of the error, which begins at `start`, or in the next, which a value that goes on is read
/// into.
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
