//! Traces: bytes, tapes and mutated ones through the decoder, the generator and the minimiser.

use std::fmt;

use arbitrary::{Arbitrary, Unstructured};
use tracegauge_decoder::judge;
use tracegauge_generator::laws::{Broken, check_decode, check_tape};
use tracegauge_generator::minimize::minimize;
use tracegauge_generator::mutate::{Input, InputNumber, Supply};
use tracegauge_generator::tape::Tape;
use tracegauge_spec::plan::Plan;

use crate::formats::{SMALL, chosen};

/// What does not hold.
#[derive(Debug)]
pub enum Failure {
    /// A law, and the dialect.
    Law(String, Box<Broken>),
    /// The smallest trace is larger than that which it was made from, or does not show the same.
    Minimized(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Law(format, broken) => write!(f, "{format}: {broken}"),
            Self::Minimized(format) => write!(f, "{format}: what was made smaller is another"),
        }
    }
}

impl std::error::Error for Failure {}

fn of<T>(plan: &Plan, checked: Result<T, Broken>) -> Result<T, Failure> {
    checked.map_err(|broken| Failure::Law(plan.format.clone(), Box::new(broken)))
}

/// Any bytes: no panic, one verdict whatever is asked for, and work that the bytes account for.
///
/// # Errors
/// The law that does not hold.
pub fn decode(data: &[u8]) -> Result<(), Failure> {
    let Some((generator, bytes)) = chosen(data) else {
        return Ok(());
    };
    let plan = generator.plan();
    of(plan, check_decode(plan, bytes)).map(|_| ())
}

/// Any tape: it makes a trace that is accepted and that comes back by encoding and recording.
///
/// # Errors
/// The law that does not hold.
pub fn tape(data: &[u8]) -> Result<(), Failure> {
    let Some((generator, bytes)) = chosen(data) else {
        return Ok(());
    };
    let Ok(tape) = Tape::arbitrary_take_rest(Unstructured::new(bytes)) else {
        return Ok(());
    };
    of(generator.plan(), check_tape(generator, &tape, SMALL)).map(|_| ())
}

/// A seed and a number: what a supply makes of them.
fn supplied(data: &[u8]) -> Option<(Supply, Input)> {
    let (generator, bytes) = chosen(data)?;
    let mut source = Unstructured::new(bytes);
    let seed: u16 = source.arbitrary().ok()?;
    let number: u16 = source.arbitrary().ok()?;
    let supply = Supply::new(generator.clone(), u64::from(seed));
    let input = supply.maker().make(InputNumber(u64::from(number)));
    Some((supply, input))
}

/// Numbers of inputs: what a supply makes of each is decoded as any other bytes are.
///
/// # Errors
/// The law that does not hold.
pub fn mutated(data: &[u8]) -> Result<(), Failure> {
    let Some((supply, input)) = supplied(data) else {
        return Ok(());
    };
    let plan = supply.generator().plan();
    of(plan, check_decode(plan, &input.bytes)).map(|_| ())
}

/// Traces that are tried for a smaller one.
const MOST_TRIES: u64 = 60;

/// Numbers of inputs: the smallest trace that is judged as what a supply makes of one is no
/// larger, and judged so.
///
/// # Errors
/// It is not.
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
