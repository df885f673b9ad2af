//! The bundled formats that all targets use, with seed traces and a dictionary.

use std::sync::{Arc, OnceLock};

use tracegauge_generator::mutate::{dictionary, dictionary_text};
use tracegauge_generator::{Generator, Options};
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

/// The options for generated traces. The traces are small, so that a fuzzer can run many of them.
pub(crate) const SMALL: Options = Options {
    bytes: 2000,
    elements: 64,
    fill: false,
    odd: false,
    mended: false,
    longest: u64::MAX,
    steps: u64::MAX,
    most: u64::MAX,
    choices: 1 << 20,
};

/// Returns a generator for every dialect of every bundled format, ordered by name.
pub fn generators() -> &'static [Generator] {
    static GENERATORS: OnceLock<Vec<Generator>> = OnceLock::new();
    GENERATORS.get_or_init(|| {
        let mut found = Vec::new();
        for format in bundled::list() {
            let Some(schema) = format.load().schema else {
                continue;
            };
            let schema = Arc::new(schema);
            for dialect in &schema.dialects {
                if let Ok(plan) = lower(&schema, &dialect.id) {
                    found.push(Generator::new(Arc::new(plan)));
                }
            }
        }
        found.sort_by(|left, right| left.plan().format.cmp(&right.plan().format));
        found
    })
}

/// Selects a generator by the first byte of an input. Returns the generator and the rest of the
/// input.
pub(crate) fn chosen(data: &[u8]) -> Option<(&'static Generator, &[u8])> {
    let (which, rest) = data.split_first()?;
    let generators = generators();
    let which = usize::from(*which).checked_rem(generators.len())?;
    Some((generators.get(which)?, rest))
}

/// Generates up to `each` small traces of each dialect, as initial inputs for fuzz targets. The
/// first byte of an input selects the dialect, and the trace follows.
pub fn traces(each: u64) -> Vec<(String, Vec<u8>)> {
    let mut traces = Vec::new();
    for (which, generator) in (0_u8..).zip(generators()) {
        let made = (0..each).filter_map(|seed| generator.from_seed(seed, SMALL).ok());
        traces.extend((0_u64..).zip(made).map(|(number, made)| {
            let name = format!("{}-{number}", generator.plan().format.replace('@', "-"));
            (name, [&[which][..], &made.bytes].concat())
        }));
    }
    traces
}

/// Returns the combined dictionary of all formats in libFuzzer's syntax.
pub fn words() -> String {
    let plans = generators().iter().map(Generator::plan);
    let mut words: Vec<_> = plans.flat_map(|plan| dictionary(plan)).collect();
    words.sort_by(|left, right| left.bytes.cmp(&right.bytes));
    words.dedup_by(|left, right| left.bytes == right.bytes);
    dictionary_text(&words)
}
