//! `tracegauge encode`: from an edited tree back to a trace.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use tracegauge_generator::{GenerateError, Generator};

use super::format::FormatArgs;
use super::tree::json;
use super::{Exit, verdict};

/// Write the trace of a tree, the way back from `inspect --json`
///
/// Sizes and counts follow from what is there, unless told not to. The tree of a rejected trace
/// ends at its fault, so that it has to be completed first. Exit status: 0 written; 1 the tree is
/// not that of a valid trace; 2 wrong usage or a file that cannot be read; 3 the trace cannot be
/// written.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Example:\n  tracegauge inspect trace.bin --json > trace.json\n  tracegauge encode trace.json --out copy.bin\n  tracegauge encode trace.json --as-is --out wrong-count.bin"
)]
pub struct Args {
    /// Which format, where the file does not say
    #[command(flatten)]
    pub format: FormatArgs,
    /// The tree
    #[arg(value_name = "FILE.json")]
    pub file: PathBuf,
    /// Sizes, counts and other computed fields keep the values of the tree, right or wrong
    #[arg(long)]
    pub as_is: bool,
    /// The trace to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let text = match fs::read(&args.file) {
        Ok(text) => text,
        Err(error) => return super::unreadable(&args.file, &error),
    };
    let head = match json::head(&text) {
        Ok(head) => head,
        Err(error) => return super::usage(&format!("{}: {error}", super::named(&args.file))),
    };
    if let (Some(named), Some(of)) = (&args.format.format, &head.format)
        && named != of
    {
        let name = super::named(&args.file);
        return super::usage(&format!("{name}: it is a tree of {of} and not of {named}"));
    }
    let mut format = args.format.clone();
    if format.format.is_none() {
        format.format.clone_from(&head.format);
    }
    let plan = match format.plan() {
        Ok(plan) => plan,
        Err(error) => return super::usage(&error.to_string()),
    };
    let tree = match json::read(&plan, &head, &text) {
        Ok(tree) => tree,
        Err(error) => return super::usage(&format!("{}: {error}", super::named(&args.file))),
    };
    let generator = Generator::new(Arc::clone(&plan));
    let made = if args.as_is {
        generator.encode_as_is(&tree)
    } else {
        generator.encode_mended(&tree).map(|made| made.bytes)
    };
    match made {
        Ok(bytes) => match fs::write(&args.out, &bytes) {
            Ok(()) => Exit::Ok,
            Err(error) => super::incomplete(&format!("{}: {error}", super::named(&args.out))),
        },
        Err(GenerateError::Invalid(found)) => {
            eprintln!("{}", verdict::line(&plan, &args.file, &found));
            Exit::Finding
        }
        Err(error) => {
            eprintln!("error: {}: {error}", super::named(&args.file));
            Exit::Finding
        }
    }
}
