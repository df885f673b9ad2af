//! A minimal adapter for a "format" of UTF-8 lines. The kit's tests run it.
//!
//! A line `unsupported` or `panic` triggers the kit's handling of these cases.

#![allow(clippy::panic)]

use std::process::ExitCode;

use tracegauge_kit::{Adapter, Rejection, Reporter, json, value};

fn read(bytes: &[u8], reporter: &mut Reporter) -> Result<(), Rejection> {
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let text = std::str::from_utf8(line)?;
        match text.trim_end() {
            "unsupported" => return Err(Rejection::unsupported("lines that say so")),
            "panic" => panic!("asked to"),
            text => reporter.record(&json!({
                "record": "line",
                "format": reporter.format(),
                "text": text,
                "bytes": value::bytes(line),
            })),
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    Adapter::new("lines", "1.0.0").run(read)
}
