//! `tracegauge inspect`: shows the bytes of a trace next to its fields.

use std::borrow::Cow;
use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use tracegauge_decoder::{Judgement, StreamFindings, Verdict, observe_stream};
use tracegauge_plan::Plan;
use tracegauge_query::path::TreePath;
use tracegauge_query::text::{self, Selection};
use tracegauge_query::{json, walk::Walk};

use super::format::FormatArgs;
use super::input::{self, How, Opened};
use super::{Exit, OutputOptions, verdict};
use crate::input::RawArgs;

/// Show the fields of a trace as a tree, with the bytes of each field, up to the first violation
///
/// The tree printed by --json can be edited and converted back to a trace with `tracegauge encode`.
/// Fields are printed while the trace is read, so a trace can have any size. Exit status: 0 accepted; 1 rejected;
/// 2 usage error, or a file cannot be read; 3 the command could not be completed.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge inspect trace.bin\n  tracegauge inspect trace.bin --at 119\n  tracegauge inspect trace.bin --path frames[0].body --depth 2\n  tracegauge inspect trace.bin --json > trace.json"
)]
pub struct Args {
    /// The format
    #[command(flatten)]
    pub format: FormatArgs,
    /// Whether compressed traces are decompressed
    #[command(flatten)]
    pub compressed: RawArgs,
    /// Show only fields that contain the byte at OFFSET (decimal, or hexadecimal with 0x)
    #[arg(long, value_name = "OFFSET", value_parser = offset)]
    pub at: Option<u64>,
    /// Show only the field at PATH and the fields inside it, for example `frames[4].body`; `[]`
    /// stands for every element of a list
    #[arg(long, value_name = "PATH")]
    pub path: Option<TreePath>,
    /// Show at most N levels of fields, counted from the root or, with --path, from the field at
    /// PATH
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Print the tree as JSON
    #[arg(long, conflicts_with_all = ["at", "path", "depth"])]
    pub json: bool,
    /// Trace to inspect; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

fn offset(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|error| error.to_string())
}

/// Runs the command.
pub fn execute(args: &Args, output_options: OutputOptions) -> Exit {
    let how = How {
        format: &args.format,
        compressed: args.compressed,
        quiet: output_options.quiet,
    };
    let opened = match Opened::new(&args.file, how) {
        Ok(opened) => opened,
        Err(error) => return error.say(&args.file),
    };
    // The size of a pipe or of compressed data is not known in advance.
    if opened.length > 0
        && let Some(refused) = past_end(args, opened.length)
    {
        return refused;
    }
    let plan = Arc::clone(&opened.plan);
    let mut bytes = opened.into_bytes();
    let out = BufWriter::new(io::stdout().lock());
    let written = if args.json {
        as_json(&plan, &mut bytes, out)
    } else {
        as_text(args, &plan, &mut bytes, out)
    };
    let ended = match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Exit::Ok,
        Err(error) => return super::incomplete(&format!("cannot write the tree: {error}")),
        Ok(ended) => ended,
    };
    if let Some(error) = ended.failure {
        return super::unreadable(&args.file, &error);
    }
    let (bytes, other) = input::other_reading(&plan, &ended.verdict, bytes);
    let found = match other {
        Some((_, accepted)) => {
            crate::remark!(
                "note: the tree ends where one interpretation of the trace fails; under another \
                 interpretation, the trace is valid"
            );
            accepted
        }
        None => ended.verdict,
    };
    crate::remark!("{}", verdict::line(&plan, &args.file, &found));
    let trace = || bytes.whole().map(Cow::Owned);
    super::dialect::hint(&args.format, "inspect", &plan, &args.file, &found, trace)
        .inspect(|hint| crate::remark!("{hint}"));
    if !ended.printed && found.judgement == Judgement::Accepted {
        if let Some(refused) = past_end(args, found.length) {
            return refused;
        }
        if args.path.is_some() {
            let name = super::named(&args.file);
            return super::usage(&format!("{name}: nothing in the trace has this --path"));
        }
    }
    verdict::exit(&found)
}

/// Reports a usage error if the offset given with `--at` is not inside the trace.
fn past_end(args: &Args, length: u64) -> Option<Exit> {
    let at = args.at.filter(|at| *at >= length)?;
    let name = super::named(&args.file);
    Some(super::usage(&format!(
        "{name}: offset {at} is past the end; the trace has {length} bytes"
    )))
}

/// The result of inspecting a trace.
struct Ended {
    verdict: Verdict,
    /// The error that prevented the file from being read to its end.
    failure: Option<io::Error>,
    /// Whether any field was printed.
    printed: bool,
}

fn as_json(plan: &Plan, bytes: &mut dyn Read, out: impl Write) -> io::Result<Ended> {
    let mut walk = Walk::new(plan, json::Printer::new(out));
    let observed = observe_stream(plan, bytes, StreamFindings::Parts, &mut walk);
    walk.finish()?.finish(plan)?;
    Ok(Ended {
        verdict: observed.verdict,
        failure: observed.failure,
        printed: true,
    })
}

fn as_text(args: &Args, plan: &Plan, bytes: &mut dyn Read, out: impl Write) -> io::Result<Ended> {
    let selection = Selection {
        at: args.at,
        path: args.path.clone(),
        depth: args.depth.map(|depth| depth as usize),
    };
    let mut walk = Walk::new(plan, text::Printer::new(selection, out));
    let observed = observe_stream(plan, bytes, StreamFindings::Parts, &mut walk);
    Ok(Ended {
        verdict: observed.verdict,
        failure: observed.failure,
        printed: walk.finish()?.finish()?,
    })
}
