//! `tracegauge reader`: creates adapters, checks them, and runs the reference decoder as a reader.

mod doctor;
mod init;
mod serve;

use super::{Exit, Voice};

/// Create and check adapters, and run the reference decoder as a reader
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The subcommand
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands of `tracegauge reader`.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Command {
    /// Create an adapter for your reader
    Init(init::Args),
    /// Diagnose an adapter
    Doctor(doctor::Args),
    /// Run the reference decoder as a reader that answers protocol requests on standard input
    Serve(serve::Args),
}

/// Runs the command.
pub fn execute(args: &Args, voice: Voice) -> Exit {
    match &args.command {
        Command::Init(args) => init::execute(args),
        Command::Doctor(args) => doctor::execute(args, voice),
        Command::Serve(args) => serve::execute(args),
    }
}
