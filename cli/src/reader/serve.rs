//! `tracegauge reader serve`: runs the reference decoder as a reader.

use std::fs::{self, File};
use std::io::{self, BufRead, BufWriter, Write};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;
use tracegauge_corpus::expected::fault_start;
use tracegauge_corpus::formats::Formats;
use tracegauge_decoder::report::{LineWriter, RecordView};
use tracegauge_decoder::{
    Findings, Judgement, Observed, Observer, StreamFindings, Verdict, judge, judge_stream, observe,
    observe_stream,
};
use tracegauge_plan::Plan;
use tracegauge_plan::terms::{FaultClass, ReaderDuty};

use crate::{Exit, incomplete};

/// Run the reference decoder as a reader that answers protocol requests on standard input
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Example:\n  echo '{\"tracegauge\":1,\"hello\":true}' | tracegauge reader serve"
)]
pub struct Args {
    /// Description to use instead of a bundled one
    #[arg(long, value_name = "FILE")]
    pub spec: Option<String>,
}

/// Runs the command.
pub(super) fn execute(args: &Args) -> Exit {
    let mut server = Server {
        spec: args.spec.clone(),
        plans: Vec::new(),
    };
    let input = io::stdin().lock();
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    for line in input.split(b'\n') {
        let answered = line.and_then(|line| {
            server.answer(&line, &mut out)?;
            out.flush()
        });
        match answered {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Exit::Ok,
            Err(error) => {
                return incomplete(&format!("cannot read requests or write answers: {error}"));
            }
        }
    }
    Exit::Ok
}

/// A request of the protocol.
#[derive(Deserialize)]
struct Request {
    #[serde(default)]
    hello: bool,
    #[serde(default)]
    tracegauge: Option<u64>,
    #[serde(default)]
    format: String,
    #[serde(default)]
    file: String,
}

/// The server, with the plans that requests have used so far.
struct Server {
    spec: Option<String>,
    plans: Vec<Arc<Plan>>,
}

impl Server {
    fn answer(&mut self, line: &[u8], out: &mut impl Write) -> io::Result<()> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        let request: Request = match serde_json::from_slice(line) {
            Ok(request) => request,
            Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
        };
        if request.hello {
            if request.tracegauge != Some(1) {
                let message = "unsupported protocol version; this reader speaks version 1";
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            let version = env!("CARGO_PKG_VERSION");
            let name = "tracegauge reference decoder";
            let greeting =
                json!({"tracegauge": 1, "name": name, "version": version, "reports": "records"});
            return writeln!(out, "{greeting}");
        }
        let Some(plan) = self.plan(&request.format) else {
            return writeln!(
                out,
                "{}",
                json!({"end": "unsupported", "feature": request.format})
            );
        };
        let trace = Trace::open(&request.file)?;
        let mut lines = Lines::new(&plan, &trace, out);
        let observed = trace.observe(&plan, &mut lines)?;
        // The rest of the trace could not be read, so there is no verdict.
        if let Some(error) = observed.failure {
            return Err(error);
        }
        let verdict = observed.verdict;
        let out = lines.finish(&verdict)?;
        writeln!(out, "{}", closing(&plan, &verdict))
    }

    fn plan(&mut self, format: &str) -> Option<Arc<Plan>> {
        if let Some(plan) = self.plans.iter().find(|plan| plan.format == format) {
            return Some(Arc::clone(plan));
        }
        let found = match &self.spec {
            Some(path) => Formats::from_file(path),
            None => Formats::bundled(&[format.to_owned()]),
        };
        self.plans.extend_from_slice(found.ok()?.plans());
        self.plans
            .iter()
            .find(|plan| plan.format == format)
            .cloned()
    }
}

/// The maximum size in bytes of a trace that is held in memory, which is faster than reading it piece
/// by piece.
const WHOLE: u64 = 16 << 20;

/// The trace of a request.
enum Trace {
    /// The bytes of the trace.
    Bytes(Vec<u8>),
    /// The path of a large trace, which is read piece by piece.
    File(String),
}

impl Trace {
    fn open(path: &str) -> io::Result<Self> {
        Ok(match fs::metadata(path)?.len() > WHOLE {
            true => Self::File(path.to_owned()),
            false => Self::Bytes(fs::read(path)?),
        })
    }

    /// Reads the trace and passes its records to `observer`.
    fn observe(&self, plan: &Plan, observer: &mut dyn Observer) -> io::Result<Observed> {
        Ok(match self {
            Self::Bytes(bytes) => observe(plan, bytes, Findings::Records, observer),
            Self::File(path) => {
                let mut file = File::open(path)?;
                observe_stream(plan, &mut file, StreamFindings::Records, observer)
            }
        })
    }

    fn judge(&self, plan: &Plan) -> io::Result<Verdict> {
        match self {
            Self::Bytes(bytes) => Ok(judge(plan, bytes)),
            Self::File(path) => {
                let (verdict, failure) = judge_stream(plan, &mut File::open(path)?);
                failure.map_or(Ok(verdict), Err)
            }
        }
    }
}

/// Returns the closing line for a verdict.
fn closing(plan: &Plan, verdict: &Verdict) -> serde_json::Value {
    let Judgement::Rejected(violation) = &verdict.judgement else {
        return json!({"end": "accept"});
    };
    let rule = violation.rule.map(|rule| &plan.rules[rule]);
    let class = match rule.map(|rule| rule.class) {
        Some(FaultClass::Incomplete) => "incomplete",
        Some(FaultClass::Unsupported) => "unsupported",
        Some(FaultClass::Malformed) | None => "malformed",
    };
    let id = rule.map_or("", |rule| &rule.id);
    let why = format!("{id} at {}: {}", violation.path, violation.message);
    debug_assert!(rule.is_none_or(|rule| rule.duty == ReaderDuty::Reject));
    json!({"end": "reject", "why": why, "class": class, "offset": violation.span.start})
}

/// The maximum total size in bytes of the lines that are held back.
const HELD: usize = 1 << 20;

/// Writes the lines of all records or, if the trace is rejected, of the records that end at or
/// before the violation. Lines are held back until the verdict is known. If they reach [`HELD`]
/// bytes, a separate pass determines the verdict first.
struct Lines<'a, W> {
    plan: &'a Plan,
    trace: &'a Trace,
    out: &'a mut W,
    writer: LineWriter,
    /// The lines that have not been written yet.
    text: Vec<u8>,
    /// For each record in `text`, the offset of its end in the trace, and the offset of the end of
    /// its line in `text`.
    ends: Vec<(u64, usize)>,
    /// Records that end after this offset in the trace are not written. `None` until the verdict is
    /// known.
    until: Option<u64>,
    failure: Option<io::Error>,
}

impl<'a, W: Write> Lines<'a, W> {
    fn new(plan: &'a Plan, trace: &'a Trace, out: &'a mut W) -> Self {
        Self {
            plan,
            trace,
            out,
            writer: LineWriter::default(),
            text: Vec::new(),
            ends: Vec::new(),
            until: None,
            failure: None,
        }
    }

    /// Writes the lines that are still held back, and returns the output.
    fn finish(mut self, verdict: &Verdict) -> io::Result<&'a mut W> {
        self.write_held(verdict);
        match self.failure {
            Some(error) => Err(error),
            None => Ok(self.out),
        }
    }

    /// Writes the lines that are held back, up to the last record that ends at or before the
    /// violation.
    fn write_held(&mut self, verdict: &Verdict) {
        let until = fault_start(self.plan, verdict).unwrap_or(u64::MAX);
        let owed = self.ends.iter().take_while(|(end, _)| *end <= until);
        let owed = owed.last().map_or(0, |(_, line)| *line);
        self.until = Some(until);
        let text = std::mem::take(&mut self.text);
        self.pass_on(&text[..owed]);
        self.text = text;
        let whole = self.ends.last().map_or(0, |(_, line)| *line);
        self.text.drain(..whole);
        self.ends.clear();
    }

    /// Determines the verdict in a separate pass, so that no more lines need to be held back.
    fn judge_first(&mut self) {
        match self.trace.judge(self.plan) {
            Ok(verdict) => self.write_held(&verdict),
            Err(error) => {
                self.failure.get_or_insert(error);
                self.until = Some(0);
                self.text.clear();
                self.ends.clear();
            }
        }
    }

    fn pass_on(&mut self, text: &[u8]) {
        if self.failure.is_none() {
            self.failure = self.out.write_all(text).err();
        }
    }
}

impl<W: Write> Observer for Lines<'_, W> {
    fn beyond(&self) -> bool {
        true
    }

    fn record(&mut self, record: &RecordView<'_>) {
        if self.until.is_some_and(|until| record.end > until) {
            return;
        }
        let mut text = std::mem::take(&mut self.text);
        let mut writer = std::mem::take(&mut self.writer);
        writer.write(record, &mut text, &mut |part| {
            if self.until.is_none() && part.len() >= HELD {
                std::mem::swap(&mut self.text, part);
                self.judge_first();
                std::mem::swap(&mut self.text, part);
            }
            if let Some(until) = self.until {
                if record.end <= until {
                    self.pass_on(part);
                }
                part.clear();
            }
        });
        self.writer = writer;
        text.push(b'\n');
        self.text = text;
        match self.until {
            None => self.ends.push((record.end, self.text.len())),
            Some(until) => {
                let text = std::mem::take(&mut self.text);
                if record.end <= until {
                    self.pass_on(&text);
                }
                self.text = text;
                self.text.clear();
            }
        }
        if self.until.is_none() && self.text.len() >= HELD {
            self.judge_first();
        }
    }
}
