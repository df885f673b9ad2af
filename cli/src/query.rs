//! `tracegauge query`: evaluates expressions of the description language over a trace.

use std::path::PathBuf;

use tracegauge_decoder::decode_tree;
use tracegauge_plan::source::{SourceSpan, Sources};
use tracegauge_query::evaluate::{Evaluator, Scope};
use tracegauge_spec::diagnostic::{Colour, render};
use tracegauge_spec::expression::{Origin, parse};
use tracegauge_spec::yaml::{Scalar, Style};

use super::format::FormatArgs;
use super::input::{self, How};
use super::{Exit, OutputOptions, verdict};
use crate::input::RawArgs;

/// Evaluate expressions over a trace and print one JSON value per line
///
/// Expressions refer to fields by their names in the description, starting at the root of the
/// trace. A field after the first violation, or a field that an element does not contain, counts as
/// absent. Put `--` before an expression that starts with a minus sign. The whole trace is held in
/// memory, so its size is limited to 1 GiB, and its fields to 1 GiB + 64 × the size of the trace.
/// Exit status: 0 every expression has a value; 1 the trace is rejected; 2 usage error, a file
/// cannot be read, or an expression has no value; 3 the command could not be completed.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge query trace.bin frames.size 'frames[0].tag'\n  tracegauge query trace.bin 'frames.map(_sizeof)'\n  tracegauge query trace.bin -- '-frames.size'"
)]
pub struct Args {
    /// The format
    #[command(flatten)]
    pub format: FormatArgs,
    /// Whether compressed traces are decompressed
    #[command(flatten)]
    pub compressed: RawArgs,
    /// Trace to query; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Expressions to evaluate
    #[arg(required = true, value_name = "EXPR")]
    pub expressions: Vec<String>,
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
    let (found, tree) = decode_tree(&plan, &bytes);
    if let Some(excess) = tree.excess {
        return super::unreadable(&args.file, &excess.into());
    }
    let schema = match args.format.schema(&plan) {
        Ok(schema) => schema,
        Err(error) => return super::usage(&error.to_string()),
    };
    let evaluator = Evaluator::new(&plan, &schema, &tree);
    let mut exit = Exit::Ok;
    for text in &args.expressions {
        let expr = match parsed(text) {
            Ok(expr) => expr,
            Err(message) => {
                crate::remark!("{}", message.trim_end());
                exit = exit.worse(Exit::Usage);
                continue;
            }
        };
        let answer = evaluator.evaluate(&expr, Scope::of(0));
        let answer = answer.and_then(|found| evaluator.known(&expr).map(|()| found));
        match answer {
            Ok(value) => super::say!("{}", evaluator.json(&value)),
            Err(error) => exit = exit.worse(super::usage(&format!("{text}: {error}"))),
        }
    }
    if !found.tolerable() || found.too_deep {
        crate::remark!("{}", verdict::line(&plan, &args.file, &found));
    }
    exit.worse(verdict::exit(&found))
}

/// Parses an expression from the command line.
///
/// # Errors
/// Returns a rendered message if the expression has a syntax error.
pub fn parsed(text: &str) -> Result<tracegauge_spec::expression::Expr, String> {
    let mut sources = Sources::default();
    let source = sources.add("expression", text);
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let span = SourceSpan {
        source,
        start: 0,
        end,
    };
    let scalar = Scalar {
        value: text.to_owned(),
        style: Style::Plain,
    };
    parse(text, &Origin::new(&scalar, span, text))
        .map_err(|diagnostic| render(&diagnostic, &sources, Colour::Plain))
}
