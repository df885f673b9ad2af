//! Implements `tracegauge corpus export`.

mod example;
mod expectation;
mod files;
mod java;
mod python;
mod shape;
mod support;

use std::io::Write;
use std::path::PathBuf;

use super::{CommandError, Exit, Scope, counted, report};
use expectation::Subject;
use files::Exported;
pub use shape::Shape;
use tracegauge_corpus::progress::Messages;
use tracegauge_corpus::writable;

/// Write cases as plain files, or as tests that run without tracegauge
///
/// Each active or disputed case is written to a file, with a `.json` file next to it that describes
/// the expected result. With --as, the command also writes tests; you only implement the function
/// that calls your reader. The tests run in your reader's own project and give the same results as
/// `run` or, if the environment variable TRACEGAUGE_STRICT is set to 1, as `run --strict`.
/// Exporting again updates the files of an earlier export and does not overwrite files that you
/// wrote. Exit status: 0 exported; 1 a case could not be generated; 2 usage error, or a file cannot be
/// read or written; 3 the command could not be completed; 4 there are no cases.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge corpus export --format dial9-v1 --out cases\n  tracegauge corpus export --format dial9-v1 --as pytest --out conformance"
)]
pub struct Args {
    /// The formats and the corpus
    #[command(flatten)]
    pub scope: Scope,
    /// Folder to write to
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Form of the export: plain files, or tests for a test framework
    #[arg(long = "as", value_enum, default_value_t, value_name = "SHAPE")]
    pub shape: Shape,
}

pub(super) fn execute(
    args: &Args,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Exit, CommandError> {
    writable::folder(&args.out).map_err(|error| CommandError::File(args.out.clone(), error))?;
    support::check(args.shape, &args.out)?;
    let suite = args.scope.suite(messages)?;
    let errors = report(&suite.problems, args.scope.spec.is_some(), messages)?;
    let exported = match args.shape {
        Shape::Files => Exported::write(&suite, &args.out, Subject::sidecar)?,
        Shape::Pytest | Shape::Go | Shape::Junit5 => {
            Exported::write(&suite, &args.out.join("cases"), Subject::expectation)?
        }
    };
    for note in support::write(args.shape, &args.out, &exported)? {
        writeln!(messages, "note: {note}")?;
    }
    let count = exported.cases().len();
    writeln!(
        out,
        "exported {} to {}",
        counted(count, "case", "cases"),
        args.out.display()
    )?;
    Ok(match (count, errors) {
        (0, _) => Exit::Nothing,
        (_, 0) => Exit::Ok,
        (_, _) => Exit::Finding,
    })
}
