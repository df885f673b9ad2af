//! `tracegauge corpus export`

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{CommandError, Scope, Status, counted, report};
use crate::case::Case;
use crate::progress::Messages;
use crate::sidecar::sidecar;
use crate::suite::Suite;

/// Write cases as plain files
///
/// Each case that runs becomes a file with a `.json` beside it that says what a reader is to
/// do.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "Example:\n  tracegauge corpus export --format dial9-v1 --out cases")]
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

/// The shape of exported cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Shape {
    /// Plain files.
    #[default]
    Files,
}

pub(super) fn execute(
    args: &Args,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Status, CommandError> {
    let suite = args.scope.suite(messages)?;
    report(&suite.problems, messages)?;
    let Shape::Files = args.shape;
    let mut names: HashMap<String, &str> = HashMap::new();
    let cases = suite.cases.iter().filter(|case| case.state.runs());
    for case in cases {
        let name = file_name(&suite, case);
        if let Some(other) = names.insert(name.to_ascii_lowercase(), &case.id) {
            return Err(CommandError::SameFile(other.to_owned(), case.id.clone()));
        }
        write_case(&args.out, &name, case)?;
    }
    writeln!(
        out,
        "{}: {}",
        args.out.display(),
        counted(names.len(), "case", "cases")
    )?;
    Ok(match (names.len(), suite.problems.is_empty()) {
        (0, _) => Status::Nothing,
        (_, false) => Status::Finding,
        (_, true) => Status::Ok,
    })
}

fn write_case(folder: &Path, name: &str, case: &Case) -> Result<(), CommandError> {
    let path = folder.join(name);
    let mut beside = path.clone().into_os_string();
    beside.push(".json");
    let json = format!("{:#}\n", sidecar(case));
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(&path, &case.bytes))
        .and_then(|()| fs::write(beside, json))
        .map_err(|error| CommandError::File(path, error))
}

/// The case's identity as a path that every file system takes, with the extension that the
/// format's files have.
fn file_name(suite: &Suite, case: &Case) -> String {
    let plan = suite.formats.plan(&case.format);
    let extension = plan
        .and_then(|plan| plan.schema.meta.file_extensions.first())
        .map_or("bin", String::as_str);
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '@');
    let name: String = case
        .id
        .chars()
        .map(|c| match c {
            '[' | '(' => '.',
            ']' | ')' => '_',
            c if safe(c) => c,
            _ => '_',
        })
        .collect();
    format!("{name}.{extension}")
}
