use super::names::Names;
use super::suggest::did_you_mean;
use super::vocabulary::Vocabulary;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expression::{self, Expr, ExprKind, Origin};
use crate::schema::TypeId;
use crate::yaml::{Node, NodeKind, Scalar, Style};
use tracegauge_plan::source::{SourceSpan, Sources};

/// The state kept while a description is converted.
pub(super) struct Context<'n> {
    pub(super) sources: &'n Sources,
    pub(super) diagnostics: Diagnostics,
    pub(super) names: Names,
    /// The type whose scope is searched for names first.
    pub(super) scope: TypeId,
    /// The keys that were looked up, if they are wanted.
    pub(super) vocabulary: Option<Vocabulary>,
}

impl<'n> Context<'n> {
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn error(&mut self, code: Code, span: SourceSpan, message: impl Into<String>) {
        self.push(Diagnostic::error(code, span, message));
    }

    /// Reports that `node` has an unexpected shape.
    pub(super) fn shape(&mut self, node: &Node, wanted: &str) {
        let message = format!("expected {wanted}, found {}", node.describe());
        self.error(Code::WrongShape, node.span, message);
    }

    /// Reports an error for a value that is not valid for its key.
    pub(super) fn bad_value(
        &mut self,
        node: &Node,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        let diagnostic = Diagnostic::error(Code::BadValue, node.span, message);
        self.push(diagnostic.maybe_help(help));
    }

    /// Reports an error for an unknown name and suggests similar or known names.
    pub(super) fn unknown<'a>(
        &mut self,
        code: Code,
        span: SourceSpan,
        what: &str,
        written: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        if self.names.incomplete {
            return;
        }
        let full = self.diagnostics.is_full();
        let known: Vec<&str> = known.into_iter().collect();
        let help = || did_you_mean(written, known.iter().copied()).or_else(|| listed(&known));
        let help = (!full).then(help).flatten();
        let message = format!("unknown {what} `{written}`");
        self.push(Diagnostic::error(code, span, message).maybe_help(help));
    }

    /// Returns the text of a scalar, and reports an error if it is empty or not a scalar.
    pub(super) fn text<'a>(&mut self, node: &'a Node, wanted: &str) -> Option<&'a str> {
        match node.as_text() {
            Some(text) if !node.is_null() => Some(text),
            _ => {
                self.shape(node, wanted);
                None
            }
        }
    }

    /// Parses a human-readable string, such as documentation.
    pub(super) fn prose(&mut self, node: &Node) -> Option<String> {
        self.text(node, "a string")
            .map(|text| text.trim_end().to_owned())
    }

    /// Parses a declared name and reports an error if the name is not valid.
    pub(super) fn declared_name(&mut self, node: &Node) -> Option<String> {
        let name = self.text(node, "a name")?;
        self.check_name(name, node.span);
        Some(name.to_owned())
    }

    /// Reports an error for a name that expressions cannot refer to.
    pub(super) fn check_name(&mut self, name: &str, span: SourceSpan) {
        let mut characters = name.chars();
        let starts = characters.next().is_some_and(|c| c.is_ascii_alphabetic());
        if !starts || !characters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
            let message = format!("invalid name `{name}`");
            let help = "a name consists of a letter followed by letters, digits and underscores";
            self.push(Diagnostic::error(Code::BadName, span, message).help(help));
        }
    }

    /// Parses `true` or `false`.
    pub(super) fn boolean(&mut self, node: &Node) -> Option<bool> {
        match node.as_text() {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => {
                self.shape(node, "`true` or `false`");
                None
            }
        }
    }

    /// Parses an integer literal.
    pub(super) fn integer(&mut self, node: &Node) -> Option<i128> {
        let found = node.as_text().and_then(parse_integer);
        if found.is_none() {
            self.shape(node, "an integer");
        }
        found
    }

    /// Parses an integer within the range of `T`.
    pub(super) fn number<T: TryFrom<i128>>(&mut self, node: &Node) -> Option<T> {
        let value = self.integer(node)?;
        let found = T::try_from(value).ok();
        if found.is_none() {
            self.bad_value(node, format!("{value} is out of range"), None);
        }
        found
    }

    /// Returns the elements of a list.
    pub(super) fn sequence<'a>(&mut self, node: &'a Node, wanted: &str) -> &'a [Node] {
        match &node.kind {
            NodeKind::Sequence(nodes) => nodes,
            _ => {
                self.shape(node, &format!("a list of {wanted}"));
                &[]
            }
        }
    }

    /// Returns the elements of a list. A single node counts as a list with one element.
    pub(super) fn one_or_more<'a>(&mut self, node: &'a Node) -> Vec<&'a Node> {
        match &node.kind {
            NodeKind::Sequence(nodes) => nodes.iter().collect(),
            _ => vec![node],
        }
    }

    /// Parses a word that must be one of `words`, and returns the value associated with the word.
    pub(super) fn word<T: Copy>(&mut self, node: &Node, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(node, "a single word")?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
            return Some(*value);
        }
        let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let help = did_you_mean(text, all.iter().copied())
            .unwrap_or_else(|| format!("expected one of `{}`", all.join("`, `")));
        self.bad_value(node, format!("invalid value `{text}`"), Some(help));
        None
    }

    /// Returns the origin of a scalar, which maps offsets in the scalar's text to locations in the
    /// file.
    pub(super) fn origin(&self, scalar: &Scalar, span: SourceSpan) -> Origin {
        Origin::new(scalar, span, self.sources.excerpt(span))
    }

    /// Parses an expression. An invalid expression is reported and replaced by [`poison`].
    pub(super) fn expression(&mut self, node: &Node) -> Expr {
        match &node.kind {
            NodeKind::Scalar(scalar) if !node.is_null() => self.expression_text(scalar, node.span),
            NodeKind::Scalar(_) => {
                self.shape(node, "an expression");
                poison(node.span)
            }
            NodeKind::Sequence(_) | NodeKind::Mapping(_) => {
                let message = format!(
                    "expected an expression, but YAML reads this as {}",
                    node.describe()
                );
                self.push(
                    Diagnostic::error(Code::UnquotedExpression, node.span, message)
                        .help("quote this expression"),
                );
                poison(node.span)
            }
        }
    }

    /// Parses the expression in a scalar, for example in the key of a mapping.
    pub(super) fn expression_text(&mut self, scalar: &Scalar, span: SourceSpan) -> Expr {
        let origin = self.origin(scalar, span);
        match expression::parse(&scalar.value, &origin) {
            Ok(expression) => expression,
            Err(mut diagnostic) => {
                if scalar.style == Style::Plain && self.comment_follows(span) {
                    diagnostic.code = Code::UnquotedExpression;
                    diagnostic.help = Some(
                        "quote this expression: YAML reads text after ` #` as a comment".to_owned(),
                    );
                }
                self.push(*diagnostic);
                poison(span)
            }
        }
    }

    fn comment_follows(&self, span: SourceSpan) -> bool {
        let text = self.sources.file(span.source).map_or("", |file| &file.text);
        let after = text.get(span.end as usize..).unwrap_or_default();
        let line = after.lines().next().unwrap_or_default();
        line.trim_start().starts_with('#')
    }
}

/// Returns the placeholder for an invalid expression. Later steps do not report errors for this
/// placeholder.
pub(super) fn poison(span: SourceSpan) -> Expr {
    Expr {
        kind: ExprKind::Name(String::new()),
        span,
    }
}

/// Parses an integer such as `12`, `-1`, `0x0c`, `0b1100`, `0o14` or `1_000`.
pub(super) fn parse_integer(text: &str) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (radix, digits) = match digits.get(..2) {
        Some("0x" | "0X") => (16, &digits[2..]),
        Some("0b" | "0B") => (2, &digits[2..]),
        Some("0o" | "0O") => (8, &digits[2..]),
        _ => (10, digits),
    };
    let plain: String = digits.chars().filter(|c| *c != '_').collect();
    if !plain.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    i128::from_str_radix(&plain, radix)
        .ok()
        .map(|value| sign * value)
}

/// The maximum number of names to list in a help text.
const LISTED: usize = 32;

/// Returns a help message with the known names, unless there are too many.
fn listed(known: &[&str]) -> Option<String> {
    let few = !known.is_empty() && known.len() <= LISTED;
    few.then(|| format!("known names: `{}`", known.join("`, `")))
}
