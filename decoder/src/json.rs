//! A parser for JSON embedded in traces.
//!
//! JSON in a trace may be nested so deeply that a recursive parser would overflow the stack, so
//! this parser does not recurse. The parser discards the contents of lists and objects that are
//! nested too deeply. The parser accepts all valid numbers and escapes, including those that few
//! programs can represent.

use tracegauge_plan::JsonPlan;
use tracegauge_plan::terms::JsonKind;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`.
    Nothing,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written in the source.
    Number(Box<str>),
    /// A string, or `None` if it contains an unpaired surrogate.
    Text(Option<String>),
    /// A list.
    List(Vec<Json>),
    /// An object. Several members may have the same name.
    Object(Vec<(Option<String>, Json)>),
    /// A list or object nested so deeply that its contents were discarded.
    Deep(JsonKind),
}

impl Json {
    /// Returns the kind of the value.
    pub fn kind(&self) -> JsonKind {
        match self {
            Self::Nothing => JsonKind::Nothing,
            Self::Bool(_) => JsonKind::Bool,
            Self::Number(_) => JsonKind::Number,
            Self::Text(_) => JsonKind::Text,
            Self::List(_) => JsonKind::List,
            Self::Object(_) => JsonKind::Object,
            Self::Deep(kind) => *kind,
        }
    }

    /// Converts the value to a `serde_json` value. Returns `None` if `serde_json` cannot represent
    /// the value.
    fn to_value(&self) -> Option<serde_json::Value> {
        use serde_json::Value as V;
        Some(match self {
            Self::Nothing => V::Null,
            Self::Bool(value) => V::Bool(*value),
            Self::Number(text) => V::Number(number(text)?),
            Self::Text(text) => V::String(text.clone()?),
            Self::List(items) => {
                let items: Option<Vec<V>> = items.iter().map(Self::to_value).collect();
                V::Array(items?)
            }
            Self::Object(members) => {
                let mut object = serde_json::Map::new();
                for (name, value) in members {
                    // If several members have the same name, the last one is used.
                    object.insert(name.clone()?, value.to_value()?);
                }
                V::Object(object)
            }
            Self::Deep(_) => return None,
        })
    }
}

/// Converts a number. A number with a fraction or exponent, or one that does not fit in an `i64`,
/// becomes the nearest double.
fn number(text: &str) -> Option<serde_json::Number> {
    if let Ok(whole) = text.parse::<i64>()
        && text != "-0"
    {
        return Some(whole.into());
    }
    serde_json::Number::from_f64(text.parse().ok()?)
}

/// Parsed JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The value.
    pub value: Json,
    /// The depth of the most deeply nested list or object.
    pub depth: usize,
}

/// Parses JSON into a `serde_json` value. Returns `None` if `serde_json` cannot represent the
/// value.
pub fn value(text: &str) -> Option<serde_json::Value> {
    parse(text).ok()?.value.to_value()
}

/// Parses JSON.
///
/// # Errors
/// If the text is not JSON, returns the index of the first invalid byte.
pub fn parse(text: &str) -> Result<Parsed, usize> {
    let mut parser = Parser {
        text: text.as_bytes(),
        at: 0,
        depth: 0,
    };
    let value = parser.value()?;
    parser.blanks();
    if parser.at < parser.text.len() {
        return Err(parser.at);
    }
    Ok(Parsed {
        value,
        depth: parser.depth,
    })
}

/// A list or object that is being parsed.
enum Open {
    List(Vec<Json>),
    Object(Vec<(Option<String>, Json)>, Option<String>),
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn value(&mut self) -> Result<Json, usize> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            self.blanks();
            let mut done = match self.peek() {
                Some(b'[') => {
                    self.at += 1;
                    self.opened(open.len());
                    open.push(Open::List(Vec::new()));
                    self.blanks();
                    if self.peek() != Some(b']') {
                        continue;
                    }
                    self.at += 1;
                    closed(&mut open)
                }
                Some(b'{') => {
                    self.at += 1;
                    self.opened(open.len());
                    self.blanks();
                    if self.peek() == Some(b'}') {
                        self.at += 1;
                        open.push(Open::Object(Vec::new(), None));
                        closed(&mut open)
                    } else {
                        let name = self.name()?;
                        open.push(Open::Object(Vec::new(), name));
                        continue;
                    }
                }
                _ => self.scalar()?,
            };
            // Completing a value may also complete the lists and objects around it.
            loop {
                let Some(around) = open.last_mut() else {
                    return Ok(done);
                };
                self.blanks();
                let next = self.peek();
                let (end, goes_on) = match around {
                    Open::List(items) => {
                        items.push(done);
                        (b']', None)
                    }
                    Open::Object(members, name) => {
                        members.push((name.take(), done));
                        (b'}', Some(()))
                    }
                };
                match next {
                    Some(b',') => {
                        self.at += 1;
                        if goes_on.is_some() {
                            self.blanks();
                            let next_name = self.name()?;
                            if let Some(Open::Object(_, name)) = open.last_mut() {
                                *name = next_name;
                            }
                        }
                        break;
                    }
                    Some(byte) if byte == end => {
                        self.at += 1;
                        done = closed(&mut open);
                    }
                    _ => return Err(self.at),
                }
            }
        }
    }

    fn opened(&mut self, around: usize) {
        self.depth = self.depth.max(around + 1);
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Parses a member's name and the colon after it.
    fn name(&mut self) -> Result<Option<String>, usize> {
        let name = self.text()?;
        self.blanks();
        self.byte(b':')?;
        Ok(name)
    }

    fn byte(&mut self, wanted: u8) -> Result<(), usize> {
        match self.peek() {
            Some(byte) if byte == wanted => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.at),
        }
    }

    fn scalar(&mut self) -> Result<Json, usize> {
        match self.peek() {
            Some(b'"') => self.text().map(Json::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                let words: [(&[u8], Json); 3] = [
                    (b"null", Json::Nothing),
                    (b"true", Json::Bool(true)),
                    (b"false", Json::Bool(false)),
                ];
                let here = &self.text[self.at..];
                let found = words.into_iter().find(|(word, _)| here.starts_with(word));
                let (word, value) = found.ok_or(self.at)?;
                self.at += word.len();
                Ok(value)
            }
        }
    }

    fn number(&mut self) -> Result<Json, usize> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = String::from_utf8_lossy(&self.text[start..self.at]);
        Ok(Json::Number(text.into()))
    }

    fn digits(&mut self) -> Result<(), usize> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(start) }
    }

    /// Parses a string in quotes. Returns `None` if the string contains an unpaired surrogate.
    fn text(&mut self) -> Result<Option<String>, usize> {
        self.byte(b'"')?;
        let mut units: Vec<u16> = Vec::new();
        loop {
            let plain = self.at;
            while self
                .peek()
                .is_some_and(|b| b >= 0x20 && b != b'"' && b != b'\\')
            {
                self.at += 1;
            }
            let text = std::str::from_utf8(&self.text[plain..self.at]).map_err(|_| plain)?;
            units.extend(text.encode_utf16());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(String::from_utf16(&units).ok());
                }
                Some(b'\\') => {
                    self.at += 1;
                    units.push(self.escape()?);
                }
                _ => return Err(self.at),
            }
        }
    }

    fn escape(&mut self) -> Result<u16, usize> {
        let byte = self.peek().ok_or(self.at)?;
        let unit = match byte {
            b'"' | b'\\' | b'/' => u16::from(byte),
            b'b' => 8,
            b'f' => 12,
            b'n' => 10,
            b'r' => 13,
            b't' => 9,
            b'u' => {
                let digits = self.text.get(self.at + 1..self.at + 5).ok_or(self.at)?;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err(self.at);
                }
                self.at += 4;
                let digits = std::str::from_utf8(digits).map_err(|_| self.at)?;
                u16::from_str_radix(digits, 16).map_err(|_| self.at)?
            }
            _ => return Err(self.at),
        };
        self.at += 1;
        Ok(unit)
    }
}

/// Closes the innermost open list or object.
fn closed(open: &mut Vec<Open>) -> Json {
    let deep = open.len() > JsonPlan::DEPTH;
    match open.pop() {
        Some(Open::List(_)) if deep => Json::Deep(JsonKind::List),
        Some(Open::Object(..)) if deep => Json::Deep(JsonKind::Object),
        Some(Open::List(items)) => Json::List(items),
        Some(Open::Object(members, _)) => Json::Object(members),
        None => Json::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_json_and_what_is_not() {
        for text in [
            "null",
            " true ",
            "-0",
            "1e999",
            "[]",
            "[ ]",
            "{}",
            "{ }",
            "[1,[2,{}],\"x\"]",
            r#"{"a":1,"a":{"b":[]}}"#,
            r#""\ud800""#,
            r#""\ud834\udd1e\n""#,
        ] {
            assert!(parse(text).is_ok(), "{text}");
        }
        for (text, at) in [
            ("", 0),
            ("nul", 0),
            ("01", 1),
            ("1.", 2),
            ("[1,]", 3),
            ("[1 2]", 3),
            ("{\"a\"}", 4),
            ("{a:1}", 1),
            ("{\"a\":1,}", 7),
            ("\"\u{1}\"", 1),
            ("\"\\x\"", 2),
            ("\"\\u12g4\"", 2),
            ("NaN", 0),
            ("[", 1),
            ("]", 0),
            ("[}", 1),
            ("1 2", 2),
            ("'x'", 0),
            ("{\"a\":", 5),
        ] {
            assert_eq!(parse(text), Err(at), "{text}");
        }
    }

    #[test]
    fn depth_needs_no_stack() {
        let deep = "[".repeat(30_000) + &"]".repeat(30_000);
        assert_eq!(parse(&deep).map(|parsed| parsed.depth), Ok(30_000));
        assert_eq!(value(&deep), None);
        assert_eq!(parse(&"[".repeat(30_000)), Err(30_000));
    }

    #[test]
    fn what_others_cannot_hold_has_no_value() {
        assert_eq!(
            value(r#"{"a":[1.5,"x"]}"#),
            Some(serde_json::json!({"a": [1.5, "x"]}))
        );
        assert_eq!(value(r#""\ud800""#), None);
        assert_eq!(value("1e999"), None);
    }
}
