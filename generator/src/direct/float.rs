//! Chooses floats that satisfy the tests of their fields.

use tracegauge_decoder::{Input, Value};
use tracegauge_plan::{CheckKind, Kind, OpId};

use super::Directed;
use super::severity::strict;
use crate::tape::Choices;

/// The number of steps that the range between two bounds is divided into.
const STEPS: u64 = 1000;

/// Returns the bits of a float that satisfies the tests of a field, derived from `bits`, which were
/// chosen without regard to these tests.
pub fn fitting<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    bits: u64,
) -> u64 {
    let plan = machine.plan();
    let Kind::Float { width, .. } = plan.op(op).kind else {
        return bits;
    };
    let (mut low, mut high) = (None::<f64>, None::<f64>);
    let mut only = Vec::new();
    for check in plan
        .tests_of(op)
        .iter()
        .filter(|check| strict(plan, check.rule))
    {
        let condition = check.condition;
        if condition.is_some_and(|condition| !machine.value(condition, Value::Absent).truth()) {
            continue;
        }
        let mut bound = |code| machine.value(code, Value::Absent).float();
        match &check.kind {
            CheckKind::Equal(code) => only = bound(*code).into_iter().collect(),
            CheckKind::AnyOf(codes) => {
                only = codes.iter().filter_map(|code| bound(*code)).collect()
            }
            CheckKind::Min(code) => low = bound(*code),
            CheckKind::Max(code) => high = bound(*code),
            _ => {}
        }
    }
    let value = float(bits, width);
    let place = |count: u64| bits % count.max(1);
    let fits = low.is_none_or(|low| value >= low) && high.is_none_or(|high| value <= high);
    let value = match (only.as_slice(), low, high) {
        ([], ..) if fits => return bits,
        ([], Some(low), Some(high)) => {
            #[expect(clippy::cast_precision_loss, reason = "a thousand steps are exact")]
            let part = place(STEPS + 1) as f64 / STEPS as f64;
            low + (high - low) * part
        }
        ([], low, high) => low.or(high).unwrap_or(value),
        (only, ..) => {
            let at = usize::try_from(place(only.len() as u64)).unwrap_or_default();
            only.get(at).copied().unwrap_or(value)
        }
    };
    of_float(value, width)
}

/// Returns the bits of a small positive float with a fraction, derived from arbitrary bits. Most of
/// the 8-byte values cannot be represented in four bytes, so they reveal a reader that rounds
/// values to four bytes.
pub fn plain(bits: u64, width: u8) -> u64 {
    const VALUES: u64 = 4096;
    #[expect(clippy::cast_precision_loss, reason = "the number is small")]
    let number = (1 + bits % VALUES) as f64;
    of_float(number / if width == 4 { 4.0 } else { 10.0 }, width)
}

fn float(bits: u64, width: u8) -> f64 {
    if width == 4 {
        f64::from(f32::from_bits(u32::try_from(bits).unwrap_or_default()))
    } else {
        f64::from_bits(bits)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the nearest float of this width is the correct result"
)]
fn of_float(value: f64, width: u8) -> u64 {
    if width == 4 {
        u64::from((value as f32).to_bits())
    } else {
        value.to_bits()
    }
}
