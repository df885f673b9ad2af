//! The tracegauge reader protocol. With this module, an adapter is a single function. The module
//! has no dependencies.
//!
//! If the last argument is a path, the program reads that file (once mode). Without arguments, it
//! answers requests on standard input (serve mode). A panic counts as a crash: it ends the process,
//! so that the harness detects it.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::ExitCode;

/// The function that an adapter provides. It reads the bytes of a trace, passes the records to the
/// reporter and returns the reader's verdict.
pub type Read = fn(&[u8], &mut Reporter) -> Result<(), Rejection>;

/// The reason why a reader did not accept a trace.
pub struct Rejection {
    status: u8,
    closing: Record,
}

impl Rejection {
    /// Creates a rejection of a faulty trace, with the reason in the reader's own words.
    pub fn new(why: impl Into<String>) -> Self {
        let closing = Record::line("end", "reject").with("why", why.into());
        Self {
            status: 65,
            closing,
        }
    }

    /// Creates a rejection because the reader does not support a feature. It does not mean that the
    /// trace is faulty.
    pub fn unsupported(feature: impl Into<String>) -> Self {
        let closing = Record::line("end", "unsupported").with("feature", feature.into());
        Self {
            status: 69,
            closing,
        }
    }

    /// Adds the class (`malformed`, `incomplete` or `unsupported`), if the reader reports it.
    pub fn class(mut self, class: &str) -> Self {
        self.closing = self.closing.with("class", class);
        self
    }

    /// Adds the byte offset of the fault, if the reader reports it.
    pub fn offset(mut self, offset: u64) -> Self {
        self.closing = self.closing.with("offset", offset);
        self
    }
}

/// A record, built member by member.
pub struct Record(Vec<(String, Value)>);

impl Record {
    /// Creates a record of this kind.
    pub fn new(kind: &str) -> Self {
        Self::line("record", kind)
    }

    fn line(name: &str, value: &str) -> Self {
        Self(Vec::new()).with(name, value)
    }

    /// Adds a member.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.push((name.to_owned(), value.into()));
        self
    }
}

/// A value of a record.
pub enum Value {
    /// Null, for absent values.
    Null,
    /// A Boolean value.
    Bool(bool),
    /// An integer.
    Integer(i128),
    /// A float.
    Float(f64),
    /// A 32-bit float.
    Float32(f32),
    /// Well-formed text. `Value::text` accepts any bytes.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list. Maps, and fields that the trace itself defines, must be lists of `Value::pair`.
    List(Vec<Value>),
    /// A structure.
    Object(Vec<(String, Value)>),
    /// JSON embedded in the trace, as the raw text of one value.
    Json(String),
}

impl Value {
    /// Converts text that the reader returns as bytes. Text that is not well-formed stays bytes.
    pub fn text(raw: &[u8]) -> Self {
        match std::str::from_utf8(raw) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Bytes(raw.to_vec()),
        }
    }

    /// Creates a pair of a name and a value.
    pub fn pair(name: impl Into<Value>, value: impl Into<Value>) -> Self {
        Self::List(vec![name.into(), value.into()])
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Integer(value) => {
                let _ = write!(out, "{value}");
            }
            Self::Float(value) if value.is_nan() => out.push_str("\"NaN\""),
            Self::Float(value) if *value == f64::INFINITY => out.push_str("\"Infinity\""),
            Self::Float(value) if *value == f64::NEG_INFINITY => out.push_str("\"-Infinity\""),
            Self::Float(value) => {
                let _ = write!(out, "{value:e}");
            }
            Self::Float32(value) if value.is_finite() => {
                let _ = write!(out, "{value:e}");
            }
            Self::Float32(value) => Self::Float(f64::from(*value)).write(out),
            // Line ends can occur only between tokens, so they can be replaced by spaces.
            Self::Json(text) => out.push_str(&text.replace(['\n', '\r'], " ")),
            Self::Text(text) => write_text(text, out),
            Self::Bytes(bytes) => {
                out.push_str("{\"hex\":\"");
                for byte in bytes {
                    let _ = write!(out, "{byte:02x}");
                }
                out.push_str("\"}");
            }
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => write_members(members, out),
        }
    }
}

fn write_members(members: &[(String, Value)], out: &mut String) {
    out.push('{');
    for (index, (name, value)) in members.iter().enumerate() {
        out.push_str(if index > 0 { "," } else { "" });
        write_text(name, out);
        out.push(':');
        value.write(out);
    }
    out.push('}');
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

macro_rules! integers {
    ($($kind:ty)*) => {$(
        impl From<$kind> for Value {
            fn from(value: $kind) -> Self {
                Self::Integer(value.into())
            }
        }
    )*};
}
integers!(u8 u16 u32 u64 i8 i16 i32 i64 i128);

impl From<u128> for Value {
    /// Converts an integer that is too large for an `i128` to its decimal digits, which the protocol
    /// accepts in place of the number.
    fn from(value: u128) -> Self {
        i128::try_from(value).map_or_else(|_| Self::Text(value.to_string()), Self::Integer)
    }
}

impl From<isize> for Value {
    fn from(value: isize) -> Self {
        Self::Integer(value as i128)
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Self::Integer(value as i128)
    }
}

impl From<f32> for Value {
    fn from(value: f32) -> Self {
        Self::Float32(value)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

macro_rules! texts {
    ($($kind:ty)*) => {$(
        impl From<$kind> for Value {
            fn from(value: $kind) -> Self {
                Self::Text(value.to_string())
            }
        }
    )*};
}
texts!(&String Cow<'_, str> Box<str> char);

macro_rules! bytes {
    ($($kind:ty)*) => {$(
        impl From<$kind> for Value {
            fn from(value: $kind) -> Self {
                Self::Bytes(value.to_vec())
            }
        }
    )*};
}
bytes!(&[u8] Vec<u8> &Vec<u8> Cow<'_, [u8]> Box<[u8]>);

impl From<()> for Value {
    fn from((): ()) -> Self {
        Self::Null
    }
}

impl<const N: usize> From<[u8; N]> for Value {
    fn from(value: [u8; N]) -> Self {
        Self::Bytes(value.to_vec())
    }
}

impl<const N: usize> From<&[u8; N]> for Value {
    fn from(value: &[u8; N]) -> Self {
        Self::Bytes(value.to_vec())
    }
}

/// Collects any values into a list. `Value::from` converts a vector of the usual types to a list,
/// except for a `Vec<u8>`, which it converts to bytes.
impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

macro_rules! lists {
    ($($item:ty)*) => {$(
        impl From<Vec<$item>> for Value {
            fn from(value: Vec<$item>) -> Self {
                value.into_iter().collect()
            }
        }
    )*};
}
lists!(Value bool u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 String &str Vec<u8>);

/// Writes the records of one case in the order in which the reader reports them.
pub struct Reporter {
    /// The tracegauge name of the case's format.
    pub format: String,
    text: String,
    out: io::Stdout,
    failed: Option<io::Error>,
}

impl Reporter {
    fn new(format: String) -> Self {
        Self {
            format,
            text: String::new(),
            out: io::stdout(),
            failed: None,
        }
    }

    /// Reports one record.
    pub fn record(&mut self, record: Record) {
        write_members(&record.0, &mut self.text);
        self.text.push('\n');
        if self.text.len() > 1 << 16 {
            self.write_out();
        }
    }

    fn write_out(&mut self) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(self.text.as_bytes()).err();
        }
        self.text.clear();
    }

    /// Writes the closing line of an answer and flushes the output.
    fn close(&mut self, closing: Record) -> io::Result<()> {
        self.record(closing);
        self.write_out();
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }
}

/// Runs the adapter.
pub fn run(name: &str, version: &str, read: Read) -> ExitCode {
    let done = match std::env::args_os().skip(1).last() {
        Some(word) if word == "--help" || word == "-h" => {
            println!("usage: {name} [TRACE]; without TRACE, answers requests on standard input");
            Ok(0)
        }
        Some(file) => {
            let format = std::env::var("TRACEGAUGE_FORMAT").unwrap_or_default();
            case(&file, format, read)
        }
        None => serve(name, version, read),
    };
    match done {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            eprintln!("{name}: {error}");
            // EX_IOERR, which is not an answer in the protocol.
            ExitCode::from(74)
        }
    }
}

fn serve(name: &str, version: &str, read: Read) -> io::Result<u8> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let text = |member: &str| find_text(&line, member);
        if let Some(file) = text("file") {
            case(
                &OsString::from(file),
                text("format").unwrap_or_default(),
                read,
            )?;
        } else if line.contains("\"hello\"") {
            let hello = Record(vec![("tracegauge".to_owned(), Value::Integer(1))]);
            let hello = hello.with("name", name).with("version", version);
            Reporter::new(String::new()).close(hello.with("reports", "records"))?;
        } else if !line.trim().is_empty() {
            return Err(io::Error::other(format!("not a request: {line}")));
        }
    }
    Ok(0)
}

/// Reads one case and writes its closing line. Returns the exit status for `once` mode.
fn case(file: &OsStr, format: String, read: Read) -> io::Result<u8> {
    let unreadable = |error: io::Error| {
        let file = file.to_string_lossy();
        io::Error::new(error.kind(), format!("cannot read {file}: {error}"))
    };
    let data = std::fs::read(Path::new(file)).map_err(unreadable)?;
    let mut reporter = Reporter::new(format);
    let (status, closing) = match read(&data, &mut reporter) {
        Ok(()) => (0, Record::line("end", "accept")),
        Err(rejection) => (rejection.status, rejection.closing),
    };
    reporter.close(closing).map(|()| status)
}

/// Returns the string value of a member of a request.
fn find_text(line: &str, member: &str) -> Option<String> {
    let mut chars = line.chars().peekable();
    let mut name = None;
    while let Some(c) = chars.next() {
        match (c, &name) {
            ('"', None) => name = Some(read_text(&mut chars)?),
            ('"', Some(found)) => {
                let is_meant = found == member;
                let value = read_text(&mut chars)?;
                if is_meant {
                    return Some(value);
                }
                name = None;
            }
            (',', _) => name = None,
            _ => {}
        }
    }
    None
}

/// Parses a text after its opening quote.
fn read_text(chars: &mut impl Iterator<Item = char>) -> Option<String> {
    let mut units: Vec<u16> = Vec::new();
    let mut buffer = [0; 2];
    loop {
        let c = match chars.next()? {
            '"' => return String::from_utf16(&units).ok(),
            '\\' => match chars.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'u' => {
                    let digits: String = chars.by_ref().take(4).collect();
                    units.push(u16::from_str_radix(&digits, 16).ok()?);
                    continue;
                }
                other => other,
            },
            c => c,
        };
        units.extend_from_slice(c.encode_utf16(&mut buffer));
    }
}
