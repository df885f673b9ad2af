//! The tracegauge adapter for @NAME@. You only have to implement `read`. The module `tracegauge`
//! implements the protocol.

// This adapter does not use the whole module yet.
#[allow(dead_code)]
mod tracegauge;

use tracegauge::{Rejection, Reporter};

/// Reads one trace. `reporter.format` is the name of its format.
fn read(data: &[u8], reporter: &mut Reporter) -> Result<(), Rejection> {
    // Call your reader here and report each record. `tracegauge spec docs ID` lists the names of
    // records and members:
    //
    //     for event in my_reader::parse(data).map_err(|e| Rejection::new(e.to_string()))? {
    //         reporter.record(tracegauge::Record::new("event").with("name", event.name));
    //     }
    //
    // Return Ok if your reader accepts the trace, and an error with its message if it rejects it.
    let _ = (data, reporter);
    Err(Rejection::new("this adapter does not call a reader yet: call yours in src/main.rs"))
}

fn main() -> std::process::ExitCode {
    tracegauge::run("@NAME@", env!("CARGO_PKG_VERSION"), read)
}
