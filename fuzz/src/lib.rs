//! What the fuzz targets check, over every bundled format that can be run.
//!
//! The first byte of an input says which dialect is meant, so that one corpus serves all. The
//! laws themselves are plain functions of the generator, which its own tests call too.

use std::sync::{Arc, OnceLock};

use arbitrary::{Arbitrary, Unstructured};
use tracegauge_generator::laws::{Broken, check_decode, check_tape};
use tracegauge_generator::mutate::{InputNumber, Supply, dictionary, dictionary_text};
use tracegauge_generator::tape::Tape;
use tracegauge_generator::{Generator, Options};
use tracegauge_spec::bundled::{self, Bundled};
use tracegauge_spec::load::{Files as _, Memory, load};
use tracegauge_spec::plan::lower;

/// Most bytes of a trace that a tape makes: small traces are many traces.
const BYTES: u64 = 2000;

/// Every dialect of every bundled format that can be run, in the order of their names.
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

/// The dialect that an input is for, and what is left of it.
fn chosen(data: &[u8]) -> Option<(&'static Generator, &[u8])> {
    let (which, rest) = data.split_first()?;
    let generators = generators();
    let which = usize::from(*which).checked_rem(generators.len())?;
    Some((generators.get(which)?, rest))
}

/// Any bytes: no panic, one verdict whatever is asked for, and work that the bytes account for.
///
/// # Errors
/// The law that does not hold, and the dialect.
pub fn decode(data: &[u8]) -> Result<(), (String, Broken)> {
    let Some((generator, bytes)) = chosen(data) else {
        return Ok(());
    };
    match check_decode(generator.plan(), bytes) {
        Ok(_) => Ok(()),
        Err(broken) => Err((generator.plan().format.clone(), broken)),
    }
}

/// Any tape: it makes a trace that is accepted and that comes back by encoding and recording.
///
/// # Errors
/// The law that does not hold, and the dialect.
pub fn tape(data: &[u8]) -> Result<(), (String, Broken)> {
    let Some((generator, bytes)) = chosen(data) else {
        return Ok(());
    };
    let Ok(tape) = Tape::arbitrary_take_rest(Unstructured::new(bytes)) else {
        return Ok(());
    };
    let options = Options {
        bytes: BYTES,
        elements: 64,
        ..Options::default()
    };
    match check_tape(generator, &tape, options) {
        Ok(_) => Ok(()),
        Err(broken) => Err((generator.plan().format.clone(), broken)),
    }
}

/// Numbers of inputs: what a supply makes of each is decoded as any other bytes are.
///
/// # Errors
/// The law that does not hold, and the dialect.
pub fn mutated(data: &[u8]) -> Result<(), (String, Broken)> {
    let Some((generator, bytes)) = chosen(data) else {
        return Ok(());
    };
    let mut source = Unstructured::new(bytes);
    let (Ok(seed), Ok(number)) = (source.arbitrary::<u16>(), source.arbitrary::<u16>()) else {
        return Ok(());
    };
    let supply = Supply::new(generator.clone(), u64::from(seed));
    let input = supply.maker().make(InputNumber(u64::from(number)));
    let plan = generator.plan();
    let checked = check_decode(plan, &input.bytes).map(|_| ());
    checked.map_err(|broken| (plan.format.clone(), broken))
}

/// Any text as a description: it has mistakes or a plan, and never a panic.
pub fn description(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let files = Memory::new().with("any.yaml", text);
    let Some(schema) = load(&files, "any.yaml").schema else {
        return;
    };
    let schema = Arc::new(schema);
    for dialect in &schema.dialects {
        // What cannot be lowered yet says so.
        let _ = lower(&schema, &dialect.id);
    }
}

/// Traces to start from: some of each dialect, as inputs of [`decode`].
pub fn seeds(each: u64) -> Vec<(String, Vec<u8>)> {
    let options = Options {
        bytes: BYTES,
        elements: 64,
        ..Options::default()
    };
    let mut seeds = Vec::new();
    for (which, generator) in (0_u8..).zip(generators()) {
        let made = (0..each).filter_map(|seed| generator.from_seed(seed, options).ok());
        seeds.extend((0_u64..).zip(made).map(|(number, made)| {
            let name = format!("{}-{number}", generator.plan().format.replace('@', "-"));
            (name, [&[which][..], &made.bytes].concat())
        }));
    }
    seeds
}

/// The bundled descriptions, as inputs of [`description`]; one that has parts has mistakes alone.
pub fn descriptions() -> Vec<(String, Vec<u8>)> {
    let texts = bundled::list().iter().filter_map(|format| {
        let text = Bundled.read(format.path).ok()?;
        Some((format.id.clone(), text.into_bytes()))
    });
    texts.collect()
}

/// The words of all formats, as libFuzzer reads them.
pub fn words() -> String {
    let plans = generators().iter().map(Generator::plan);
    let mut words: Vec<_> = plans.flat_map(|plan| dictionary(plan)).collect();
    words.sort_by(|left, right| left.bytes.cmp(&right.bytes));
    words.dedup_by(|left, right| left.bytes == right.bytes);
    dictionary_text(&words)
}

#[cfg(test)]
mod tests {
    use super::{decode, description, descriptions, generators, mutated, seeds, tape, words};

    #[test]
    fn mutated_traces_break_no_law() {
        for dialect in 0..u8::try_from(generators().len()).unwrap() {
            for number in 0..60 {
                mutated(&[dialect, 1, 0, number, 0])
                    .unwrap_or_else(|(format, broken)| panic!("{format}, {number}: {broken}"));
            }
        }
    }

    #[test]
    fn damaged_descriptions_have_mistakes_and_no_more() {
        for (_, text) in descriptions() {
            description(&text);
            let text = String::from_utf8(text).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            for left_out in (0..lines.len()).step_by(37) {
                let mut damaged = lines.clone();
                damaged.remove(left_out);
                description(damaged.join("\n").as_bytes());
            }
        }
    }

    #[test]
    fn there_are_words() {
        assert!(words().lines().count() > 50);
    }

    #[test]
    fn there_is_something_to_fuzz() {
        assert!(!generators().is_empty());
        assert!(seeds(3).len() >= generators().len());
    }

    #[test]
    fn the_laws_hold_over_the_seeds() {
        for (name, seed) in seeds(8) {
            decode(&seed).unwrap_or_else(|(format, broken)| panic!("{name}, {format}: {broken}"));
            tape(&seed).unwrap_or_else(|(format, broken)| panic!("{name}, {format}: {broken}"));
        }
    }

    #[test]
    fn damaged_seeds_break_no_law() {
        for (name, seed) in seeds(2) {
            for at in 0..seed.len().min(200) {
                let mut damaged = seed.clone();
                damaged[at] ^= 0x81;
                decode(&damaged).unwrap_or_else(|(_, broken)| panic!("{name}, {at}: {broken}"));
                decode(&seed[..at]).unwrap_or_else(|(_, broken)| panic!("{name}, {at}: {broken}"));
            }
        }
    }
}
