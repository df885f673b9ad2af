//! Tests that the examples of the language reference can be generated, decoded and encoded.

use crate::examples;
use crate::support;
use examples::{Example, examples};
use tracegauge_generator::laws::{check_made, check_tape};
use tracegauge_generator::tape::Tape;
use tracegauge_generator::{Generator, Options};
use tracegauge_spec::load::load;

/// Generates, decodes and encodes traces of each dialect of an example.
fn run(example: &Example) -> Result<(), String> {
    let schema = support::schema(load(&example.files(), &example.path()));
    let options = Options {
        bytes: 500,
        ..Options::default()
    };
    for dialect in &schema.dialects {
        let generator = Generator::new(support::plan(&schema, &dialect.id)?);
        check_tape(&generator, &Tape::default(), options)
            .map_err(|broken| format!("{}, the empty tape: {broken}", dialect.id))?;
        for seed in 0..30 {
            let made = generator.from_seed(seed, options);
            let made = made.map_err(|error| format!("{}, seed {seed}: {error}", dialect.id))?;
            check_made(&generator, &made)
                .map_err(|broken| format!("{}, seed {seed}: {broken}", dialect.id))?;
        }
    }
    Ok(())
}

#[test]
fn every_example_makes_traces_that_come_back() {
    let examples = examples();
    let mut failed = String::new();
    let mut seen = 0;
    for example in &examples {
        seen += 1;
        if let Err(error) = run(example) {
            failed += &format!("{}: {error}\n", example.page);
        }
    }
    assert!(failed.is_empty(), "{failed}");
    assert!(seen >= 15, "{seen} examples");
}
