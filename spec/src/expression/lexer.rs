use std::ops::Range;

use super::token::{Symbol, Token};

/// A lexical or syntax error in an expression.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) range: Range<usize>,
    pub(super) help: Option<&'static str>,
}

impl Fault {
    pub(super) fn new(message: impl Into<String>, range: Range<usize>) -> Self {
        Self {
            message: message.into(),
            range,
            help: None,
        }
    }

    pub(super) fn help(mut self, help: &'static str) -> Self {
        self.help = Some(help);
        self
    }
}

/// A lexer that splits a string into tokens on demand.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the offset from which the next token is read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Reads `<name>`, as it occurs after `as` and `sizeof`, and returns the name.
    pub(super) fn type_argument(&mut self) -> Option<&'a str> {
        let inside = self.rest().strip_prefix('<')?;
        let end = inside.find('>')?;
        let name = &inside[..end];
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '[' | ']');
        if name.is_empty() || !name.chars().all(fits) {
            return None;
        }
        self.at += end + 2;
        Some(name)
    }

    pub(super) fn next(&mut self) -> Result<(Token, Range<usize>), Fault> {
        let blanks = self.rest().len() - self.rest().trim_start().len();
        self.at += blanks;
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok((Token::End, start..start));
        };
        let token = match first {
            '0'..='9' => self.number()?,
            '\'' => self.raw_text()?,
            '"' => self.escaped_text()?,
            'a'..='z' | 'A'..='Z' | '_' => self.name()?,
            _ => self.symbol(first)?,
        };
        Ok((token, start..self.at))
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn name(&mut self) -> Result<Token, Fault> {
        let start = self.at;
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if name == "f" && self.rest().starts_with('"') {
            return Err(
                Fault::new("formatted strings are not supported", start..self.at + 1)
                    .help("join the parts with `+` and `.to_s`"),
            );
        }
        Ok(Token::Name(name.to_owned()))
    }

    fn symbol(&mut self, first: char) -> Result<Token, Fault> {
        let rest = self.rest();
        if let Some((symbol, text)) = Symbol::ALL.iter().find(|(_, text)| rest.starts_with(text)) {
            self.at += text.len();
            return Ok(Token::Symbol(*symbol));
        }
        let range = self.at..self.at + first.len_utf8();
        let fault = Fault::new(format!("unexpected `{first}` in an expression"), range);
        Err(match first {
            '!' => fault.help("write `not x` to negate a condition"),
            '=' => fault.help("`==` compares"),
            _ => fault,
        })
    }

    fn number(&mut self) -> Result<Token, Fault> {
        let start = self.at;
        let digits = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        let radix = match digits.get(..2) {
            Some("0x" | "0X") => Some(16),
            Some("0b" | "0B") => Some(2),
            Some("0o" | "0O") => Some(8),
            _ => None,
        };
        if let Some(radix) = radix {
            return self.integer(&digits[2..], radix, start);
        }
        let fraction = self
            .rest()
            .strip_prefix('.')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if fraction {
            self.at += 1;
            self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        }
        let exponent =
            self.text[start..self.at].ends_with(['e', 'E']) && self.rest().starts_with(['+', '-']);
        if exponent {
            self.at += 1;
            self.take_while(|c| c.is_ascii_digit());
        }
        let written = &self.text[start..self.at];
        if fraction || written.contains(['e', 'E']) {
            return self.float(written, start);
        }
        self.integer(written, 10, start)
    }

    fn integer(&self, digits: &str, radix: u32, start: usize) -> Result<Token, Fault> {
        let plain: String = digits.chars().filter(|c| *c != '_').collect();
        i128::from_str_radix(&plain, radix)
            .map(Token::Int)
            .map_err(|_| {
                Fault::new(
                    format!("invalid number `{}`", &self.text[start..self.at]),
                    start..self.at,
                )
            })
    }

    fn float(&self, written: &str, start: usize) -> Result<Token, Fault> {
        let plain: String = written.chars().filter(|c| *c != '_').collect();
        match plain.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Token::Float(value)),
            _ => Err(Fault::new(
                format!("invalid number `{written}`"),
                start..self.at,
            )),
        }
    }

    fn raw_text(&mut self) -> Result<Token, Fault> {
        let start = self.at;
        let inside = &self.rest()[1..];
        let Some(end) = inside.find('\'') else {
            return Err(unterminated(start, self.text.len()));
        };
        self.at += end + 2;
        Ok(Token::Text(inside[..end].to_owned()))
    }

    fn escaped_text(&mut self) -> Result<Token, Fault> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            text.push_str(self.take_while(|c| c != '"' && c != '\\'));
            if self.rest().starts_with('"') {
                self.at += 1;
                return Ok(Token::Text(text));
            }
            if self.rest().is_empty() {
                return Err(unterminated(start, self.text.len()));
            }
            text.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 1;
        let Some(kind) = self.rest().chars().next() else {
            return Err(unterminated(start, self.text.len()));
        };
        self.at += kind.len_utf8();
        let simple = match kind {
            'a' => '\u{7}',
            'b' => '\u{8}',
            't' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            'e' => '\u{1b}',
            '"' | '\'' | '\\' => kind,
            '0'..='7' => return self.coded(start, start + 1, 3, 8),
            'u' => return self.coded(start, self.at, 4, 16),
            _ => {
                return Err(Fault::new(
                    format!("unknown escape `\\{kind}`"),
                    start..self.at,
                ));
            }
        };
        Ok(simple)
    }

    /// Reads a numeric escape sequence that starts at `start`. The escape sequence has at most
    /// `most` digits, which start at `from`.
    fn coded(&mut self, start: usize, from: usize, most: usize, radix: u32) -> Result<char, Fault> {
        let digits: String = self.text[from..]
            .chars()
            .take_while(|c| c.is_digit(radix))
            .take(most)
            .collect();
        self.at = from + digits.len();
        let complete = radix == 8 || digits.len() == most;
        u32::from_str_radix(&digits, radix)
            .ok()
            .filter(|_| complete)
            .and_then(char::from_u32)
            .ok_or_else(|| {
                Fault::new(
                    "this escape does not denote a valid character",
                    start..self.at,
                )
            })
    }
}

fn unterminated(start: usize, end: usize) -> Fault {
    Fault::new("unterminated string", start..end)
}
