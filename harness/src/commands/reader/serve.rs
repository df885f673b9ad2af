//! `tracegauge reader serve`: runs the reference decoder as a reader.

use std::fs;
use std::io::{self, BufRead, BufWriter, Write};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;
use tracegauge_corpus::expected::fault_start;
use tracegauge_corpus::formats::Formats;
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{Judgement, Machine, SliceInput, Verdict, Visitor};
use tracegauge_spec::plan::Plan;
use tracegauge_spec::schema::{FaultClass, ReaderDuty};

use crate::commands::{Exit, incomplete};

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
                return incomplete(&format!("the conversation was aborted: {error}"));
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
        let bytes = fs::read(&request.file)?;
        let finished = Machine::new(&plan, SliceInput::new(&bytes), Lines::default()).run();
        let lines = finished.visitor;
        let owed = match fault_start(&plan, &finished.verdict) {
            Some(start) => lines.before(start),
            None => &lines.text,
        };
        out.write_all(owed)?;
        writeln!(out, "{}", closing(&plan, &finished.verdict))
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

/// The closing line for a verdict.
fn closing(plan: &Plan, verdict: &Verdict) -> serde_json::Value {
    let Judgement::Rejected(violation) = &verdict.judgement else {
        return json!({"end": "accept"});
    };
    let rule = violation.rule.map(|rule| &plan.rules[rule as usize]);
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

/// The lines of the records, kept until it is known which of them come before the violation.
#[derive(Default)]
struct Lines {
    text: Vec<u8>,
    /// For each record, the offset of its end in the trace and the end of its line in `text`.
    ends: Vec<(u64, usize)>,
}

impl Lines {
    /// The lines of the records that end at or before the offset `start`.
    fn before(&self, start: u64) -> &[u8] {
        let whole = self.ends.iter().take_while(|(end, _)| *end <= start);
        let last = whole.last().map_or(0, |(_, line)| *line);
        &self.text[..last]
    }
}

impl Visitor for Lines {
    const RECORDS: bool = true;
    const BEYOND: bool = true;

    fn record(&mut self, record: &RecordView<'_>) {
        record.write(&mut self.text);
        self.text.push(b'\n');
        self.ends.push((record.end, self.text.len()));
    }
}
