//! `tracegauge encode`: converts a tree back to a trace.

use std::fs::{self, File};
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracegauge_corpus::writable;
use tracegauge_generator::{GenerateError, Generator};
use tracegauge_plan::Plan;
use tracegauge_query::json;

use super::format::FormatArgs;
use super::input::STANDARD_INPUT;
use super::{Exit, verdict};

/// Convert a tree printed by `inspect --json` back to a trace
///
/// Sizes, counts and other computed fields are recomputed; all other fields keep their values from
/// the tree. If the result is not a valid trace, nothing is written. With --raw, every field keeps
/// its value from the tree, even if the value is incorrect; encoding the tree of a rejected trace
/// produces a trace that ends at the fault. Exit status: 0 written; 1 the tree does not describe a
/// valid trace; 2 usage error, the file does not contain a tree, or a value in the tree cannot be
/// encoded; 3 the trace cannot be written.
#[derive(Clone, Debug, clap::Args)]
#[command(
    mut_arg("format", |arg| arg.help(FORMAT)),
    after_help = "Examples:\n  tracegauge inspect trace.bin --json > trace.json\n  tracegauge encode trace.json --out copy.bin\n  tracegauge encode trace.json --raw --out wrong-count.bin"
)]
pub struct Args {
    /// The format, if the file does not name it
    #[command(flatten)]
    pub format: FormatArgs,
    /// Tree to encode; `-` reads standard input
    #[arg(value_name = "FILE.json")]
    pub file: PathBuf,
    /// Write every field with its value from the tree, including incorrect sizes and counts
    #[arg(long = "raw", alias = "as-is")]
    pub as_is: bool,
    /// Trace to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// The help text of `--format`.
const FORMAT: &str = "Format of the trace, as listed by `tracegauge spec list`; write FORMAT@DIALECT to select a dialect [default: the format named in the file]";

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    if let Err(error) = writable::file(&args.out) {
        return super::unwritable(&args.out, &error);
    }
    let text = match text(&args.file) {
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
        return super::usage(&format!(
            "{name}: this tree is for the format {of}, not {named}"
        ));
    }
    let mut format = args.format.clone();
    if format.format.is_none() {
        format.format.clone_from(&head.format);
    }
    let plan = match format.plan() {
        Ok(plan) => plan,
        Err(error) => return super::usage(&error.to_string()),
    };
    let edited = match json::read(&plan, &head, &text) {
        Ok(edited) => edited,
        Err(error) => return super::usage(&format!("{}: {error}", super::named(&args.file))),
    };
    let generator = Generator::new(Arc::clone(&plan));
    let made = if args.as_is {
        generator.encode_raw(&edited.tree, &edited.bases)
    } else {
        generator.encode_mended(&edited.tree).map(|made| made.bytes)
    };
    match made {
        Ok(bytes) => match write(&args.out, &bytes) {
            Ok(()) => Exit::Ok,
            Err(error) => super::incomplete(&format!("{}: {error}", super::named(&args.out))),
        },
        Err(error) => refused(args, &plan, (&head, &text), &error),
    }
}

/// Returns the contents of a file or, for `-`, of standard input.
fn text(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() != STANDARD_INPUT {
        return fs::read(path);
    }
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    Ok(text)
}

/// Prints the reason why a tree cannot be converted to a trace and, if a node is at fault, the
/// position of the node in the JSON text.
fn refused(
    args: &Args,
    plan: &Plan,
    (head, text): (&json::Head, &[u8]),
    error: &GenerateError,
) -> Exit {
    let name = super::named(&args.file);
    let fault_at = |node, fault: &str| {
        let found = json::fault_at(plan, head, text, node, fault);
        super::usage(&format!("{name}: {found}"))
    };
    match error {
        GenerateError::Unwritable(unwritable) => {
            return fault_at(unwritable.node, &unwritable.why.to_string());
        }
        GenerateError::Refused {
            field,
            why,
            node: Some(node),
            ..
        } => {
            fault_at(*node, &format!("{field}: {why}"));
        }
        GenerateError::Invalid(found) => {
            crate::remark!("{}", verdict::line(plan, &args.file, &found.verdict))
        }
        error => crate::remark!("error: {name}: {error}"),
    }
    crate::remark!("nothing was written; use --raw to write the tree even if it is not valid");
    Exit::Finding
}

/// Writes the trace to a file. If writing fails, no partial file remains.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    let written = file.write_all(bytes);
    if written.is_err() && path.is_file() {
        // Remove the partial file, so that nobody mistakes it for a trace. The write error is the
        // one to report.
        let _ = fs::remove_file(path);
    }
    written
}
