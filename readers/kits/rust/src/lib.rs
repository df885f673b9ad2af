//! The tracegauge reader protocol. With this crate, an adapter is a single function.
//!
//! ```no_run
//! use tracegauge_kit::{Adapter, Rejection, Reporter, json, value};
//!
//! fn read(bytes: &[u8], reporter: &mut Reporter) -> Result<(), Rejection> {
//!     let text = std::str::from_utf8(bytes)?; // any error of the reader rejects the trace
//!     reporter.record(&json!({"record": "line", "length": value::unsigned(text.len() as u64)}));
//!     Ok(())
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     Adapter::new("my-reader", "1.4.0").run(read)
//! }
//! ```
//!
//! If the last argument is a path, the program reads that file (`once` mode). Without arguments, it
//! answers requests on standard input (`serve` mode).
//!
//! A panic in the reader is never caught. The process ends while it works on the case that caused
//! the panic, so that the harness observes the crash.

#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod adapter;
mod rejection;
mod reporter;
pub mod value;

pub use adapter::{Adapter, Read, Reports};
pub use rejection::{Class, Rejection};
pub use reporter::Reporter;
pub use serde_json::{Value, json};
