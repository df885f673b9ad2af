//! The two modes of the protocol, implemented around a single reading function.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, BufRead};
use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{Rejection, Reporter};

/// The major version of the protocol that this kit implements.
const PROTOCOL: u64 = 1;

/// The function that an adapter provides. It reads the bytes of a trace, passes the records to the
/// reporter and returns the reader's verdict.
pub type Read = fn(&[u8], &mut Reporter) -> Result<(), Rejection>;

/// The amount of information that a reader reports about a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reports {
    /// The verdict only.
    Verdict,
    /// The decoded records in addition to the verdict.
    Records,
}

/// A reader that implements the protocol.
#[derive(Clone, Copy, Debug)]
pub struct Adapter {
    name: &'static str,
    version: &'static str,
    reports: Reports,
}

/// An error that prevents the program from continuing. The cause is the setup, not a trace.
enum Stop {
    Unreadable(String, io::Error),
    NotARequest(String, &'static str),
    Io(io::Error),
}

impl Adapter {
    /// Creates an adapter that reports records.
    pub fn new(name: &'static str, version: &'static str) -> Self {
        Self {
            name,
            version,
            reports: Reports::Records,
        }
    }

    /// Sets how much the reader reports.
    #[must_use]
    pub fn reports(mut self, reports: Reports) -> Self {
        self.reports = reports;
        self
    }

    /// Runs the adapter on the file named by the last argument, or prints its usage if that argument
    /// is `--help`. Without arguments, answers requests on standard input until the input ends.
    pub fn run(self, read: Read) -> ExitCode {
        let file = std::env::args_os().skip(1).last();
        let done = match file {
            Some(word) if word == "--help" || word == "-h" => {
                println!(
                    "usage: {} [TRACE]; without TRACE, answers requests on standard input",
                    self.name
                );
                Ok(ExitCode::SUCCESS)
            }
            Some(file) => once(&file, read),
            None => self.serve(read),
        };
        done.unwrap_or_else(|stop| {
            eprintln!("{}: {stop}", self.name);
            stop.status()
        })
    }

    fn serve(self, read: Read) -> Result<ExitCode, Stop> {
        let mut reporter = Reporter::new();
        for line in io::stdin().lock().lines() {
            let line = line?;
            let request: Value = serde_json::from_str(&line)
                .map_err(|_| Stop::NotARequest(line.clone(), "the request is not JSON"))?;
            if request.get("tracegauge").is_some() {
                self.greet(&line, &request, &mut reporter)?;
            } else {
                let Some(file) = request["file"].as_str() else {
                    return Err(Stop::NotARequest(line, "the request has no `file`"));
                };
                reporter.set_format(request["format"].as_str().unwrap_or_default());
                case(Path::new(file), read, &mut reporter)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn greet(self, line: &str, hello: &Value, reporter: &mut Reporter) -> Result<(), Stop> {
        if hello["tracegauge"] != json!(PROTOCOL) {
            return Err(Stop::NotARequest(
                line.to_owned(),
                "unsupported protocol version",
            ));
        }
        let reports = match self.reports {
            Reports::Verdict => "verdict",
            Reports::Records => "records",
        };
        reporter.close(&json!({
            "tracegauge": PROTOCOL,
            "name": self.name,
            "version": self.version,
            "reports": reports,
        }))?;
        Ok(())
    }
}

fn once(file: &OsString, read: Read) -> Result<ExitCode, Stop> {
    let mut reporter = Reporter::new();
    reporter.set_format(&std::env::var("TRACEGAUGE_FORMAT").unwrap_or_default());
    case(Path::new(file), read, &mut reporter).map(ExitCode::from)
}

/// Reads one case and writes its closing line. Returns the exit status for `once` mode.
fn case(file: &Path, read: Read, reporter: &mut Reporter) -> Result<u8, Stop> {
    let bytes =
        std::fs::read(file).map_err(|error| Stop::Unreadable(file.display().to_string(), error))?;
    match read(&bytes, reporter) {
        Ok(()) => {
            reporter.close(&json!({"end": "accept"}))?;
            Ok(0)
        }
        Err(rejection) => {
            reporter.close(&rejection.closing())?;
            Ok(rejection.status())
        }
    }
}

impl Stop {
    /// Returns `EX_NOINPUT`, `EX_PROTOCOL` or `EX_IOERR`. None of these exit statuses is a verdict
    /// on the trace.
    fn status(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Unreadable(..) => 66,
            Self::NotARequest(..) => 76,
            Self::Io(_) => 74,
        })
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(file, error) => write!(f, "cannot read {file}: {error}"),
            Self::NotARequest(line, why) => write!(f, "{why}: {line}"),
            Self::Io(error) => write!(f, "{error}"),
        }
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
