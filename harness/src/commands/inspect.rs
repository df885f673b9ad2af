//! `tracegauge inspect`: shows the bytes of a trace next to its fields.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use tracegauge_corpus::compressed::RawArgs;
use tracegauge_decoder::{Machine, SliceInput, Verdict, decode_tree};
use tracegauge_spec::plan::Plan;

use super::format::FormatArgs;
use super::input::{self, How};
use super::tree::{json, text};
use super::{Exit, OutputOptions, verdict};

/// Show the bytes of a trace next to its fields, as a tree, up to the first violation
///
/// The tree printed by --json can be edited and converted back to a trace with `tracegauge encode`.
/// The whole trace is kept in memory and is limited to 1 GiB. Exit status: 0 accepted; 1 rejected;
/// 2 usage error, or a file cannot be read; 3 the command could not be completed.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge inspect trace.bin\n  tracegauge inspect trace.bin --at 119\n  tracegauge inspect trace.bin --json > trace.json"
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
    /// Print the tree as JSON
    #[arg(long, conflicts_with = "at")]
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
    let (plan, bytes) = match input::whole(&args.file, how) {
        Ok(read) => read,
        Err(error) => return error.say(&args.file),
    };
    if let Some(at) = args.at
        && at >= bytes.len() as u64
    {
        let (name, size) = (super::named(&args.file), bytes.len());
        return super::usage(&format!(
            "{name}: offset {at} is past the end; the trace has {size} bytes"
        ));
    }
    let out = BufWriter::new(io::stdout().lock());
    let (found, written) = if args.json {
        as_json(&plan, &bytes, out)
    } else {
        as_text(args, &plan, &bytes, out)
    };
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Ok,
        Err(error) => super::incomplete(&format!("cannot write the tree: {error}")),
        Ok(()) => {
            crate::commands::remark!("{}", verdict::line(&plan, &args.file, &found));
            let trace = || Some(Cow::Borrowed(&*bytes));
            super::dialect::hint(&args.format, "inspect", &plan, &args.file, &found, trace)
                .inspect(|hint| crate::commands::remark!("{hint}"));
            verdict::exit(&found)
        }
    }
}

/// Prints the tree as JSON while the trace is decoded.
fn as_json(plan: &Plan, bytes: &[u8], out: impl Write) -> (Verdict, io::Result<()>) {
    let printer = json::Printer::new(plan, bytes, out);
    let finished = Machine::new(plan, SliceInput::new(bytes), printer).run();
    (finished.verdict, finished.visitor.finish(&finished.tree))
}

fn as_text(
    args: &Args,
    plan: &Plan,
    bytes: &[u8],
    mut out: impl Write,
) -> (Verdict, io::Result<()>) {
    let (found, tree) = decode_tree(plan, bytes);
    let mut printer = text::Printer {
        plan,
        tree: &tree,
        bytes,
        at: args.at,
        out: &mut out,
    };
    let written = printer.print();
    (found, written.and_then(|()| out.flush()))
}
