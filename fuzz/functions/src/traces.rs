//! Fuzz targets that pass bytes, tapes (sequences of random choices) and mutated traces to the
//! decoder, generator and minimizer.

use std::fmt;

use arbitrary::{Arbitrary, Unstructured};
use tracegauge_decoder::judge;
use tracegauge_generator::laws::{Broken, check_decode, check_tape};
use tracegauge_generator::minimize::minimize;
use tracegauge_generator::mutate::{Input, InputNumber, Supply};
use tracegauge_generator::tape::Tape;
use tracegauge_plan::Plan;

use crate::formats::{SMALL, chosen};

/// A violated property.
#[derive(Debug)]
pub enum Failure {
    /// A law that relates decoding, generating, encoding and recording is violated. The string is
    /// the name of the dialect.
    Law(String, Box<Broken>),
    /// The minimized trace is larger than the original or has a different verdict.
    Minimized(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Law(format, broken) => write!(f, "{format}: {broken}"),
            Self::Minimized(format) => write!(
                f,
                "{format}: the minimized trace is larger or has another verdict"
            ),
        }
    }
}

impl std::error::Error for Failure {}

fn of<T>(plan: &Plan, checked: Result<T, Broken>) -> Result<T, Failure> {
    checked.map_err(|broken| Failure::Law(plan.format.clone(), Box::new(broken)))
}

/// Decodes arbitrary bytes. Decoding must not panic, must yield the same verdict for every kind of
/// visitor, and must do work proportional to the size of the input.
///
/// # Errors
/// Returns an error if decoding violates one of these requirements.
pub fn decode(data: &[u8]) -> Result<(), Failure> {
    let Some((generator, bytes)) = chosen(data) else {
        return Ok(());
    };
    let plan = generator.plan();
    of(plan, check_decode(plan, bytes)).map(|_| ())
}

/// Generates a trace from an arbitrary tape, which is a sequence of random choices. The trace must
/// be accepted, and both encoding its tree and recording and replaying its tape must reproduce it.
///
/// # Errors
/// Returns an error if the trace violates one of these requirements.
pub fn tape(data: &[u8]) -> Result<(), Failure> {
    let Some((generator, bytes)) = chosen(data) else {
        return Ok(());
    };
    let Ok(tape) = Tape::arbitrary_take_rest(Unstructured::new(bytes)) else {
        return Ok(());
    };
    of(generator.plan(), check_tape(generator, &tape, SMALL)).map(|_| ())
}

/// Interprets bytes as a seed and an input number, and returns the mutated input that they select.
fn supplied(data: &[u8]) -> Option<(Supply, Input)> {
    let (generator, bytes) = chosen(data)?;
    let mut source = Unstructured::new(bytes);
    let seed: u16 = source.arbitrary().ok()?;
    let number: u16 = source.arbitrary().ok()?;
    let supply = Supply::new(generator.clone(), u64::from(seed));
    let input = supply.maker().make(InputNumber(u64::from(number)));
    Some((supply, input))
}

/// Decodes a mutated input selected by arbitrary bytes. The same requirements apply as for
/// [`decode`].
///
/// # Errors
/// Returns an error if decoding violates one of these requirements.
pub fn mutated(data: &[u8]) -> Result<(), Failure> {
    let Some((supply, input)) = supplied(data) else {
        return Ok(());
    };
    let plan = supply.generator().plan();
    of(plan, check_decode(plan, &input.bytes)).map(|_| ())
}

/// The maximum number of candidate traces that minimization may try.
const MOST_TRIES: u64 = 60;

/// Minimizes a mutated input selected by arbitrary bytes. The result must not be larger than the
/// original and must have the same verdict.
///
/// # Errors
/// Returns an error if the result is larger or has a different verdict.
pub fn minimized(data: &[u8]) -> Result<(), Failure> {
    let Some((supply, input)) = supplied(data) else {
        return Ok(());
    };
    let generator = supply.generator();
    let plan = generator.plan();
    let shown = |bytes: &[u8]| {
        let verdict = judge(plan, bytes);
        let rule = verdict.violation().map(|violation| violation.rule);
        (verdict.tolerable(), rule)
    };
    let wanted = shown(&input.bytes);
    let mut tries = 0;
    let small = minimize(generator, &input.bytes, &mut |candidate| {
        tries += 1;
        (tries <= MOST_TRIES).then(|| shown(candidate) == wanted)
    });
    if small.bytes.len() <= input.bytes.len() && shown(&small.bytes) == wanted {
        Ok(())
    } else {
        Err(Failure::Minimized(plan.format.clone()))
    }
}
