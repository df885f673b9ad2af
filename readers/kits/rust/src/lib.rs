//! The tracegauge reader protocol, so that an adapter is one function.
//!
//! ```no_run
//! use tracegauge_kit::{Adapter, Rejection, Reporter, json, value};
//!
//! fn read(bytes: &[u8], reporter: &mut Reporter) -> Result<(), Rejection> {
//!     let text = std::str::from_utf8(bytes)?; // any error of the reader is its "no"
//!     reporter.record(&json!({"record": "line", "length": value::unsigned(text.len() as u64)}));
//!     Ok(())
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     Adapter::new("my-reader", "1.4.0").run(read)
//! }
//! ```
//!
//! With a path as its last argument the program reads that file (*once*), without one
//! it answers requests on standard input (*serve*).
//!
//! A panic of the reader is never caught: the process dies on the case that it was on,
//! which is what the harness must see.

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
