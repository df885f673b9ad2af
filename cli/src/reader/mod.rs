//! `tracegauge reader`: creates adapters, checks them, and runs the reference decoder as a reader.

mod doctor;
mod init;
mod serve;

use super::{Exit, OutputOptions};

/// Create and check adapters, and run the reference decoder as a reader
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The subcommand
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands of `tracegauge reader`.
#[derive(Clone, Debug, clap::Subcommand)]
#[expect(
    missing_docs,
    reason = "clap takes the help text from the arguments of each subcommand"
)]
pub enum Command {
    Init(init::Args),
    Doctor(doctor::Args),
    Serve(serve::Args),
}

/// Runs the command.
pub fn execute(args: &Args, output_options: OutputOptions) -> Exit {
    match &args.command {
        Command::Init(args) => init::execute(args),
        Command::Doctor(args) => doctor::execute(args, output_options),
        Command::Serve(args) => serve::execute(args),
    }
}
