//! Shows @NAME@ to tracegauge. `read` is all that is yours; `tracegauge` speaks the protocol.

// What this adapter does not use yet is no mistake.
#[allow(dead_code)]
mod tracegauge;

use tracegauge::{Rejection, Reporter};

/// Reads one trace; `reporter.format` is the name of its format.
fn read(data: &[u8], reporter: &mut Reporter) -> Result<(), Rejection> {
    // Call your reader here, and report each record that it read by the names that
    // `tracegauge spec docs ID` lists:
    //
    //     for event in my_reader::parse(data).map_err(|e| Rejection::new(e.to_string()))? {
    //         reporter.record(tracegauge::Record::new("event").with("name", event.name));
    //     }
    //
    // Ok where it accepts the trace, and where it says no, an error in its own words.
    let _ = (data, reporter);
    Err(Rejection::new("no reader is called yet: call yours in src/main.rs"))
}

fn main() -> std::process::ExitCode {
    tracegauge::run("@NAME@", env!("CARGO_PKG_VERSION"), read)
}
