//! `tracegauge reader`: an adapter to start from, a check of one, and the reference decoder as
//! a reader.

mod doctor;
mod init;
mod serve;

use super::{Exit, Voice};

/// Readers and the protocol that they speak
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// What to do with readers.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Command {
    /// Write an adapter for a reader of yours
    Init(init::Args),
    /// Explain what is wrong with an adapter
    Doctor(doctor::Args),
    /// Let the reference decoder answer requests of the reader protocol on standard input
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
