//! Where an adapter puts what its reader read.

use std::io::{self, BufWriter, Stdout, Write};

use serde_json::Value;

/// EX_IOERR of sysexits.h.
const CANNOT_WRITE: i32 = 74;

/// Takes the records of one case, in the order in which the reader reports them.
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

    /// The format that the case is in, by its name in tracegauge; empty if not told.
    pub fn format(&self) -> &str {
        &self.format
    }

    pub(crate) fn set_format(&mut self, format: &str) {
        self.format.clear();
        self.format.push_str(format);
    }

    /// Reports one record: an object with a `record` member that names its kind.
    pub fn record(&mut self, record: &Value) {
        if let Err(error) = self.line(record) {
            // Nobody listens any more. Many readers call back without a way to stop
            // them, so this is the place to stop.
            eprintln!("cannot write a record: {error}");
            std::process::exit(CANNOT_WRITE);
        }
    }

    /// Ends a case; only now must everything have left the process.
    pub(crate) fn close(&mut self, closing: &Value) -> io::Result<()> {
        self.line(closing)?;
        self.out.flush()
    }

    fn line(&mut self, value: &Value) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, value)?;
        self.out.write_all(b"\n")
    }
}
