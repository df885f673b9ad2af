//! Identifies inputs. Some inputs are generated from the [`Supply`] and identified by their number;
//! others are derived from saved traces.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tracegauge_generator::Generator;
use tracegauge_generator::mutate::{
    Changer, Dice, Input, InputKind, InputNumber, Maker, Stock, Supply,
};

use super::coverage::Pool;

/// The minimum size limit for derived inputs in bytes. A derived input may be as long as this limit
/// or the trace from which it is derived, whichever is longer.
const ROOM: usize = 4 << 10;
/// The maximum length in bytes of traces that inputs are derived from. In the same time, many short
/// inputs reach more edges than a few long ones.
pub(super) const LONGEST: usize = 16 << 10;
/// On average, one in this many derived inputs is a crossover with another trace.
const CROSSED: u64 = 6;
/// A constant that makes the random choices for derived inputs independent of the random choices of
/// the [`Supply`].
const APART: u64 = 0x9e37_79b9_7f4a_7c15;

/// The id of an input. Together with the campaign's seed and, for derived inputs, its saved traces,
/// the id determines the bytes of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum InputId {
    /// An input generated from the [`Supply`], by its number.
    Numbered(u64),
    /// An input derived from a saved trace.
    Grown(Grown),
}

/// An input derived from a saved trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Grown {
    /// The number of the saved trace, from 1.
    pub from: u32,
    /// The number of inputs that were derived from that trace before this input.
    pub count: u64,
}

impl InputId {
    /// Returns the kind of the input, or `None` if the input is derived from a saved trace.
    pub fn kind(self) -> Option<InputKind> {
        match self {
            Self::Numbered(number) => Some(InputNumber(number).kind()),
            Self::Grown(_) => None,
        }
    }
}

impl From<InputNumber> for InputId {
    fn from(number: InputNumber) -> Self {
        Self::Numbered(number.0)
    }
}

impl fmt::Display for InputId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbered(number) => write!(f, "{number}"),
            Self::Grown(Grown { from, count }) => write!(f, "s{from}.{count}"),
        }
    }
}

impl FromStr for InputId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let grown = text.strip_prefix('s').and_then(|it| it.split_once('.'));
        Ok(match grown {
            Some((from, count)) => Self::Grown(Grown {
                from: from.parse()?,
                count: count.parse()?,
            }),
            None => Self::Numbered(text.parse()?),
        })
    }
}

/// Generates inputs, for use by one thread.
#[derive(Debug)]
pub struct InputMaker<'s> {
    seed: u64,
    maker: Maker<'s>,
    changer: Changer,
    pool: &'s Pool,
}

impl<'s> InputMaker<'s> {
    /// Creates a maker that generates inputs from `supply` and derives inputs from the traces in
    /// `pool`.
    pub fn new(supply: &'s Supply, pool: &'s Pool) -> Self {
        let plan = Arc::clone(supply.generator().plan());
        Self {
            seed: supply.seed(),
            maker: supply.maker(),
            changer: Changer::new(Generator::new(plan)),
            pool,
        }
    }

    /// Generates this input. Returns `None` if the input is derived from a trace that was never
    /// saved.
    pub fn make(&mut self, id: InputId) -> Option<Input> {
        match id {
            InputId::Numbered(number) => Some(self.maker.make(InputNumber(number))),
            InputId::Grown(grown) => self.grow(grown),
        }
    }

    /// Returns the valid trace that the input was made from, if there is one.
    pub fn twin(&mut self, id: InputId) -> Option<Arc<Stock>> {
        match id {
            InputId::Numbered(number) => Some(self.maker.twin(InputNumber(number))),
            InputId::Grown(_) => None,
        }
    }

    fn grow(&mut self, Grown { from, count }: Grown) -> Option<Input> {
        let bytes = self.pool.get(from)?;
        let most = bytes.len().clamp(ROOM, LONGEST);
        let mut dice = Dice::new(self.seed ^ APART.wrapping_mul(u64::from(from)), count);
        // Only earlier traces are used, so that traces saved later do not change this input.
        let other = u64::from(from - 1);
        let other = (other > 0 && dice.one_in(CROSSED)).then(|| dice.below(other));
        let other = other.and_then(|it| self.pool.get(u32::try_from(it + 1).ok()?));
        let (changed, how) = match other {
            Some(other) => {
                let crossed = self.changer.cross(&bytes, &other, most, &mut dice);
                (crossed, "combined with another")
            }
            None => (self.changer.change(&bytes, most, &mut dice), "changed"),
        };
        Some(Input {
            bytes: changed.bytes,
            fault: None,
            made: format!(
                "trace {from} saved for new coverage, {how}: {}",
                changed.way
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_named_by_a_number_or_what_it_grew_from() {
        let grown = InputId::Grown(Grown { from: 3, count: 17 });
        for (id, text) in [(InputId::Numbered(42), "42"), (grown, "s3.17")] {
            assert_eq!(id.to_string(), text);
            assert_eq!(text.parse(), Ok(id));
            let json = serde_json::to_string(&id).expect("JSON");
            assert_eq!(serde_json::from_str::<InputId>(&json).expect("read"), id);
        }
        for wrong in ["", "s", "s3", "s3.", "3.1", "x"] {
            assert!(wrong.parse::<InputId>().is_err(), "{wrong}");
        }
    }
}
