//! Utilities for the tests of trees as text: generators for all formats, and functions that print
//! traces.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use tracegauge_decoder::{StreamFindings, observe_stream};
use tracegauge_generator::Generator;
use tracegauge_plan::Plan;
use tracegauge_query::json::Printer;
use tracegauge_query::walk::Walk;
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

/// Returns generators for the dialects in the corpus. The descriptions of other dialects may not be
/// correct yet.
pub fn generators() -> Vec<Generator> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut generators = Vec::new();
    for format in bundled::list() {
        let schema = Arc::new(format.load().schema.unwrap());
        for dialect in format.ids() {
            let manifest = root.join(format!("../corpus/manifest/{dialect}.yaml"));
            if manifest.is_file() {
                let plan = lower(&schema, dialect).unwrap();
                generators.push(Generator::new(Arc::new(plan)));
            }
        }
    }
    generators
}

pub fn printed(plan: &Plan, bytes: &[u8]) -> String {
    let mut out = Vec::new();
    let mut walk = Walk::new(plan, Printer::new(&mut out));
    observe_stream(plan, &mut &*bytes, StreamFindings::Parts, &mut walk);
    walk.finish().unwrap().finish(plan).unwrap();
    String::from_utf8(out).unwrap()
}
