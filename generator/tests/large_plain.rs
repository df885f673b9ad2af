//! Tests that plain traces may be large: a writer that defines everything that it refers to does not
//! run out of keys.

use std::sync::Arc;

use tracegauge_generator::plain::Allowed;
use tracegauge_generator::{Generator, Options, Target};
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

/// The size of the traces in bytes.
const SIZE: u64 = 200_000;

#[test]
fn plain_traces_of_any_size_are_generated() {
    let options = Options {
        bytes: SIZE,
        fill: true,
        ..Options::default()
    };
    for format in bundled::list() {
        let schema = Arc::new(format.load().schema.expect("the description is valid"));
        for dialect in format.ids() {
            let plan = lower(&schema, dialect).expect("the plan is complete");
            let generator = Generator::new(Arc::new(plan));
            for seed in 1..4 {
                let made = generator.plain(seed, options, &Target::default(), Allowed::default());
                let made = made.unwrap_or_else(|error| panic!("{dialect} {seed}: {error}"));
                let size = made.bytes.len() as u64;
                assert!(size >= SIZE / 2, "{dialect} {seed}: {size} bytes");
            }
        }
    }
}
