//! The `tracegauge` program.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use tracegauge_cli::{
    Exit, OutputOptions, baseline, bench, bundle, check, decode, departures, encode, explain, fuzz,
    generate, incomplete, inspect, minimize, output, progress::Bar, query, reader, reference,
    report, run, spec,
};
use tracegauge_contain::launcher;
use tracegauge_corpus::progress::Messages;
use tracegauge_harness::runner::OracleReports;

/// Conformance and fuzzing tests for readers of binary trace formats
///
/// A YAML file describes each format. From this description, tracegauge derives how a reader must
/// handle each trace. Exit status of all commands: 0 success; 1 findings; 2 usage error, or a file
/// cannot be read; 3 the command could not be completed; 4 nothing was run.
#[derive(Parser)]
#[command(name = "tracegauge", version, propagate_version = true)]
#[command(
    after_help = "Start with:\n  tracegauge run                          run every bundled reader\n  tracegauge run -- ./my-reader {file}    run your reader"
)]
struct Cli {
    /// Options of all commands
    #[command(flatten)]
    output_options: OutputOptions,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    Decode(decode::Args),
    Inspect(inspect::Args),
    Check(check::Args),
    Departures(departures::Args),
    Query(query::Args),
    Generate(generate::Args),
    Encode(encode::Args),
    Minimize(minimize::Args),
    Explain(explain::Args),
    Fuzz(fuzz::Args),
    Reader(reader::Args),
    Report(report::Args),
    /// Maintain lists of known failures
    Baseline {
        /// The subcommand
        #[command(subcommand)]
        command: Baseline,
    },
    /// Build, verify, list, show, export and score the corpus
    Corpus {
        /// The subcommand
        #[command(subcommand)]
        command: tracegauge_cli::corpus::Command,
    },
    Spec(spec::Args),
    Bench(bench::Args),
    Reference(reference::Args),
}

#[derive(Subcommand)]
enum Baseline {
    Update(baseline::Args),
}

fn main() -> ExitCode {
    if let Some(exit) = launcher::become_launcher() {
        return exit;
    }
    if launcher::is_reader() {
        let why = "tracegauge cannot be used by a reader under test; if tracegauge itself is the \
                   reader, name it as the first word of `command` in the reader file";
        return incomplete(why).into();
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => return output::usage_or_help(&message).into(),
    };
    let exit: Exit = match cli.command {
        Command::Run(args) => bundle::run(&args),
        Command::Decode(args) => decode::execute(&args, cli.output_options),
        Command::Inspect(args) => inspect::execute(&args, cli.output_options),
        Command::Check(args) => check::execute(&args, cli.output_options),
        Command::Departures(args) => departures::execute(&args, cli.output_options),
        Command::Query(args) => query::execute(&args, cli.output_options),
        Command::Generate(args) => generate::execute(&args, cli.output_options),
        Command::Encode(args) => encode::execute(&args),
        Command::Explain(args) => explain::execute(&args, cli.output_options),
        Command::Minimize(args) => minimize::execute(&args, cli.output_options),
        Command::Fuzz(args) => fuzz::execute(&args, cli.output_options),
        Command::Reader(args) => reader::execute(&args, cli.output_options),
        Command::Report(args) => report::execute(&args, cli.output_options),
        Command::Baseline {
            command: Baseline::Update(args),
        } => baseline::execute(&args),
        Command::Corpus { command } => {
            let mut out = output::text();
            let bar = Bar::new(cli.output_options);
            let mut to = output::messages();
            let mut messages = Messages::new(&mut to, &bar);
            messages.is_quiet = cli.output_options.quiet;
            let status =
                tracegauge_cli::corpus::execute(&command, &OracleReports, &mut out, &mut messages);
            return status.into();
        }
        Command::Spec(args) => spec::execute(&args),
        Command::Bench(args) => bench::execute(&args, cli.output_options),
        Command::Reference(args) => reference::execute(&args, Cli::command()),
    };
    output::finish(exit).into()
}
