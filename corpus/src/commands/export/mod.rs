//! `tracegauge corpus export`

mod files;
mod python;
mod shape;

use std::io::Write;
use std::path::PathBuf;

use super::{CommandError, Scope, Status, counted, report};
use crate::progress::Messages;
use crate::sidecar;
use crate::writable;
use files::Exported;
pub use shape::Shape;

/// Write cases as plain files, or as tests that need no harness
///
/// Each case that runs becomes a file with a `.json` beside it that says what a reader is to
/// do. As pytest, go or junit5, a test for each comes with them, which the reader's own tests can
/// run with nothing of ours installed: you fill in the function that calls your reader.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge corpus export --format dial9-v1 --out cases\n  tracegauge corpus export --format dial9-v1 --as pytest --out conformance"
)]
pub struct Args {
    /// Which formats and corpus
    #[command(flatten)]
    pub scope: Scope,
    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// In which shape
    #[arg(long = "as", value_enum, default_value_t, value_name = "SHAPE")]
    pub shape: Shape,
}

pub(super) fn execute(
    args: &Args,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Status, CommandError> {
    writable::folder(&args.out).map_err(|error| CommandError::File(args.out.clone(), error))?;
    let suite = args.scope.suite(messages)?;
    report(&suite.problems, messages)?;
    let exported = match args.shape {
        Shape::Files => Exported::write(&suite, &args.out, sidecar::text)?,
        Shape::Pytest | Shape::Go | Shape::Junit5 => {
            Exported::write(&suite, &args.out.join("cases"), sidecar::text_with_numbers)?
        }
    };
    for kept in shape::write(args.shape, &args.out, &exported)? {
        writeln!(messages, "note: {} is yours and is kept", kept.display())?;
    }
    let count = exported.cases().len();
    writeln!(
        out,
        "{}: {}",
        args.out.display(),
        counted(count, "case", "cases")
    )?;
    Ok(match (count, suite.problems.is_empty()) {
        (0, _) => Status::Nothing,
        (_, false) => Status::Finding,
        (_, true) => Status::Ok,
    })
}
