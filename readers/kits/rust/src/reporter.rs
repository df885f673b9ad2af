//! Writes the records and closing lines of an adapter.

use std::io::{self, BufWriter, Stdout, Write};

use serde_json::Value;

/// The exit status EX_IOERR of `sysexits.h`.
const CANNOT_WRITE: i32 = 74;

/// Writes the records of one case in the order in which the reader reports them.
pub struct Reporter {
    out: BufWriter<Stdout>,
    format: String,
}

impl Reporter {
    pub(crate) fn new() -> Self {
        Self {
            out: BufWriter::with_capacity(1 << 16, io::stdout()),
            format: String::new(),
        }
    }

    /// Returns the tracegauge name of the case's format, or an empty string if it is unknown.
    pub fn format(&self) -> &str {
        &self.format
    }

    pub(crate) fn set_format(&mut self, format: &str) {
        self.format.clear();
        self.format.push_str(format);
    }

    /// Reports one record, which must be an object with a `record` member that names its kind.
    pub fn record(&mut self, record: &Value) {
        if let Err(error) = self.line(record) {
            // Nobody reads the output anymore. Many readers report records through callbacks that
            // cannot stop the reader, so the process exits here.
            eprintln!("cannot write a record: {error}");
            std::process::exit(CANNOT_WRITE);
        }
    }

    /// Writes the closing line of a case and flushes the output. Records do not need to be flushed
    /// earlier.
    pub(crate) fn close(&mut self, closing: &Value) -> io::Result<()> {
        self.line(closing)?;
        self.out.flush()
    }

    fn line(&mut self, value: &Value) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, value)?;
        self.out.write_all(b"\n")
    }
}
