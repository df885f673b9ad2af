//! `tracegauge spec`: checks and shows descriptions of formats.

mod pages;
mod sarif;
mod uses;

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracegauge_plan::describe;
use tracegauge_results::file;
use tracegauge_spec::bundled;
use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Disk, FileError, Files as _, Loaded, load};
use tracegauge_spec::lower::lower;

use self::uses::Use;
use super::format::{self, FormatArgs};
use super::{Exit, OutputOptions};

/// Check and show descriptions of formats
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The subcommand
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands of `tracegauge spec`.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Command {
    /// Report mistakes in descriptions, and what each description can be used for
    ///
    /// Each mistake is shown with its location and a suggestion. If a description contains no
    /// mistakes, the command then tries it out in three ways: it builds a decoder for every dialect
    /// (`decode`), generates valid and malformed traces (`generate`), and generates the cases for a
    /// run (`run`). Each trial is limited to 5 s and 500 MB. The command reports which of these
    /// uses the description supports and, for every use that it does not support, why not. If no
    /// files are given, the command checks the bundled descriptions. Exit status: 0 no mistakes; 1
    /// mistakes, or a description does not support a use required with --for; 2 a file cannot be
    /// read; 3 the trial of a use required with --for did not end within its limits.
    #[command(
        after_help = "Examples:\n  tracegauge spec check my-format/format.yaml\n  tracegauge spec check my-format/format.yaml --for decode --for run\n  tracegauge spec check my-format/format.yaml --sarif mistakes.sarif"
    )]
    Check {
        /// Description files
        files: Vec<String>,
        /// Require every description to support this use, one of those below; may be repeated
        #[arg(long = "for", value_name = "USE", requires = "files")]
        uses: Vec<uses::Use>,
        /// Write the mistakes to FILE as SARIF, for code scanning
        #[arg(long, value_name = "FILE")]
        sarif: Option<PathBuf>,
        /// Options that control the amount and the color of the output
        #[command(flatten)]
        output_options: OutputOptions,
    },
    /// Try a use of a description within limits, for `check`
    #[command(hide = true)]
    Trial {
        /// Use to try
        #[arg(long = "for", value_name = "USE")]
        wanted: uses::Use,
        /// Description file
        file: String,
    },
    /// List the bundled formats with their dialects and number of rules
    #[command(after_help = "Example:\n  tracegauge spec list")]
    List,
    /// Print the reference page of a format or dialect: its structures, type codes, tables, records
    /// and rules
    #[command(
        after_help = "Examples:\n  tracegauge spec docs FORMAT\n  tracegauge spec docs my-format/format.yaml"
    )]
    Docs {
        /// Bundled format or dialect, or description file
        #[arg(value_name = "FORMAT|FILE")]
        description: String,
    },
    /// Print a page with the questions that a format's specification leaves open, for the
    /// maintainers of the specification
    ///
    /// For each question that the specification leaves open or answers inconsistently, the page
    /// shows the answer given by the description, how readers behave, and a wording that would
    /// settle the question.
    #[command(
        after_help = "Examples:\n  tracegauge spec ledger FORMAT\n  tracegauge run --reader my-reader.yaml --json result.json\n  tracegauge spec ledger FORMAT --results result.json"
    )]
    Ledger {
        /// Bundled format, or description file
        #[arg(value_name = "FORMAT|FILE")]
        description: String,
        /// Result file written by `run --json`; the page shows the behavior of its readers; may be
        /// repeated
        #[arg(long, value_name = "FILE")]
        results: Vec<String>,
    },
    /// Print the plan of a format, which is the executable form of its description
    #[command(
        mut_arg("format", |arg| arg.help(format::REQUIRED)),
        after_help = "Examples:\n  tracegauge spec plan FORMAT\n  tracegauge spec plan --spec my-format/format.yaml"
    )]
    Plan {
        /// Bundled format, same as --format
        #[arg(value_name = "FORMAT", conflicts_with = "format")]
        name: Option<String>,
        /// The format
        #[command(flatten)]
        format: FormatArgs,
    },
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    match &args.command {
        Command::Check {
            files,
            uses,
            sarif,
            output_options,
        } => check(files, uses, sarif.as_deref(), *output_options),
        Command::Trial { wanted, file } => uses::try_out(*wanted, file),
        Command::List => list(),
        Command::Docs { description } => pages::docs(description),
        Command::Ledger {
            description,
            results,
        } => pages::ledger(description, results),
        Command::Plan { name, format } => plan(name.as_ref(), format),
    }
}

fn plan(name: Option<&String>, format: &FormatArgs) -> Exit {
    let mut format = format.clone();
    format.format = format.format.or_else(|| name.cloned());
    match format.plan() {
        Ok(plan) => {
            super::tell!("{}", describe(&plan));
            Exit::Ok
        }
        Err(error) => super::usage(&error.to_string()),
    }
}

fn check(
    files: &[String],
    wanted: &[Use],
    sarif: Option<&Path>,
    output_options: OutputOptions,
) -> Exit {
    if let Some(Err(error)) = sarif.map(file::check) {
        return super::usage(&error.to_string());
    }
    let colour = match output_options.color {
        super::ColorChoice::Always => Colour::Ansi,
        super::ColorChoice::Never => Colour::Plain,
        super::ColorChoice::Auto if std::io::stdout().is_terminal() => Colour::Ansi,
        super::ColorChoice::Auto => Colour::Plain,
    };
    let mut exit = Exit::Ok;
    let mut findings = Vec::new();
    let mut look = |loaded: &Loaded, name: &str| {
        exit = exit.worse(checked(loaded, name, colour, output_options.quiet));
        findings.extend(sarif::findings(loaded));
    };
    let disk = Disk::default();
    let (mut unreadable, mut usable) = (Exit::Ok, Exit::Ok);
    for file in files {
        match readable(Path::new(file)) {
            Ok(()) => {
                let loaded = load(&disk, file);
                look(&loaded, file);
                let sound = loaded.schema.filter(|_| loaded.diagnostics.errors() == 0);
                if let Some(schema) = sound.filter(|_| !output_options.quiet || !wanted.is_empty())
                {
                    let found = uses::uses(&Arc::new(schema), file);
                    usable = usable.worse(uses::tell(&found, file, wanted, output_options.quiet));
                }
            }
            Err(error) => {
                unreadable = super::unreadable(Path::new(file), &error);
                if !bundled::find(file).is_empty() {
                    crate::remark!(
                        "note: `tracegauge spec check` without files checks the bundled descriptions"
                    );
                }
            }
        }
    }
    if files.is_empty() {
        for format in bundled::list() {
            look(&format.load(), &format.id);
        }
    }
    match sarif.map(|path| sarif::write(&findings, path)) {
        Some(Err(error)) => super::incomplete(&error.to_string()),
        _ => exit.worse(usable).worse(unreadable),
    }
}

/// Checks whether a file can be read, so that an unreadable file is not reported as a mistake in
/// its description.
fn readable(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    // Opening a pipe would wait for a writer.
    if path.metadata()?.is_file() {
        File::open(path)?;
    }
    match Disk::default().read(&path.to_string_lossy()) {
        Err(error @ FileError::NotText(_)) => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            error.to_string(),
        )),
        _ => Ok(()),
    }
}

fn counted(number: usize, what: &str) -> String {
    let many = if number == 1 { "" } else { "s" };
    format!("{number} {what}{many}")
}

fn checked(loaded: &Loaded, name: &str, colour: Colour, quiet: bool) -> Exit {
    super::tell!("{}", loaded.diagnostics.render(&loaded.sources, colour));
    let errors = loaded.diagnostics.errors();
    let warnings = loaded.diagnostics.len() - errors;
    let warnings = counted(warnings, "warning");
    match &loaded.schema {
        Some(schema) if errors == 0 => {
            if !quiet {
                let types = counted(schema.types.len(), "type");
                let rules = counted(schema.rules.len(), "rule");
                super::say!("{name}: valid: {types}, {rules}, {warnings}");
            }
        }
        _ => super::say!("{name}: {}, {warnings}", counted(errors, "mistake")),
    }
    if errors > 0 || loaded.schema.is_none() {
        Exit::Finding
    } else {
        Exit::Ok
    }
}

fn list() -> Exit {
    for format in bundled::list() {
        super::say!("{}  {}", format.id, format.title);
        let Some(schema) = format.load().schema.map(Arc::new) else {
            continue;
        };
        super::say!(
            "  {} rules, {} types",
            schema.rules.len(),
            schema.types.len()
        );
        for dialect in format.ids() {
            let state = match lower(&schema, dialect) {
                Ok(plan) => format!("{} operations", plan.ops.len()),
                Err(reasons) => format!(
                    "traces of this dialect cannot be decoded yet ({} reasons)",
                    reasons.len()
                ),
            };
            super::say!("  {dialect}: {state}");
        }
    }
    Exit::Ok
}
