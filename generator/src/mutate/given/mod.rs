//! Mutates traces that a coverage-guided fuzzer selects.
//!
//! If a trace can be decoded, its choices, elements and numbers are mutated. Otherwise, the
//! decodable part before the fault and the raw bytes are mutated. The same trace and random numbers
//! always yield the same mutation, whatever was mutated before.

mod choices;
mod stocked;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use super::{Dice, Stock, damage, dictionary, edges, faulty, fresh, graft, steps};
use crate::fault::{Site, sites};
use crate::{Generator, Options};
use stocked::Stocked;

/// The kind of mutation applied to a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// Some of the random choices behind the trace were changed, so the result is valid.
    Choices,
    /// Elements of this trace or of another trace were inserted, removed or replaced.
    Elements,
    /// Numbers were set to the limits of their fields or close to these limits.
    Numbers,
    /// One rule was violated. The rest of the trace is consistent.
    Fault,
    /// Raw bytes were changed, for example replaced with words of the format's dictionary.
    Bytes,
    /// The trace was replaced by a random one.
    Fresh,
    /// The size limit is zero, so the result is empty.
    Nothing,
}

impl Way {
    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Choices => "choices",
            Self::Elements => "elements",
            Self::Numbers => "numbers",
            Self::Fault => "fault",
            Self::Bytes => "bytes",
            Self::Fresh => "fresh",
            Self::Nothing => "nothing",
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A mutated trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The bytes of the trace.
    pub bytes: Vec<u8>,
    /// The kind of mutation.
    pub way: Way,
}

/// The number of structured mutations tried before raw bytes are changed.
const MOST_TRIES: usize = 4;

/// The number of decoded traces that a changer caches, because fuzzers mutate the same trace many
/// times.
const REMEMBERED: usize = 4;

/// The size in bytes above which traces are rarely decoded. A fuzzer gains more from many inputs
/// than from a few that are well structured.
const LARGE: usize = 8 * 1024;

/// Sets how often large traces are decoded: one in `LARGE_IS_DECODED` on average.
const LARGE_IS_DECODED: u64 = 8;

/// The maximum size in bytes of a trace that is generated as a source of elements.
const DONOR: u64 = 600;

/// Mutates the traces that a fuzzer passes to it. Each thread needs its own changer.
#[derive(Debug)]
pub struct Changer {
    generator: Generator,
    sites: Vec<Site>,
    words: Vec<Vec<u8>>,
    known: VecDeque<Arc<Stocked>>,
}

impl Changer {
    /// Creates a changer for the format of `generator`.
    pub fn new(generator: Generator) -> Self {
        let plan = Arc::clone(generator.plan());
        let words = dictionary(&plan).into_iter().map(|word| word.bytes);
        Self {
            generator,
            sites: sites(&plan),
            words: words.collect(),
            known: VecDeque::new(),
        }
    }

    /// Returns the generator of the format.
    pub fn generator(&self) -> &Generator {
        &self.generator
    }

    /// Mutates `bytes` into a trace of at most `most` bytes.
    pub fn change(&mut self, bytes: &[u8], most: usize, dice: &mut Dice) -> Changed {
        if most == 0 {
            return Changed::nothing(&bytes[..0]);
        }
        if bytes.len() > LARGE && !dice.one_in(LARGE_IS_DECODED) {
            return self.bytes_changed(bytes, most, dice);
        }
        let stocked = self.stocked(bytes);
        for _ in 0..MOST_TRIES {
            let way = pick(&stocked, dice);
            let made = match way {
                Way::Choices => stocked.varied(&self.generator, most, dice),
                Way::Elements => self.elements(&stocked.stock, most, dice),
                Way::Numbers => edges::edged(self.generator.plan(), &stocked.stock, dice),
                Way::Fault => self.fault(&stocked.stock, dice),
                Way::Fresh => self.fresh(most, dice),
                Way::Bytes | Way::Nothing => break,
            };
            if let Some(made) = made
                && made.len() <= most
                && made != bytes
            {
                return Changed { bytes: made, way };
            }
        }
        self.bytes_changed(bytes, most, dice)
    }

    /// Combines parts of two traces into a trace of at most `most` bytes.
    pub fn cross(&mut self, bytes: &[u8], other: &[u8], most: usize, dice: &mut Dice) -> Changed {
        if bytes.len().max(other.len()) <= LARGE {
            let (stocked, donor) = (self.stocked(bytes), self.stocked(other));
            for _ in 0..MOST_TRIES {
                let plan = self.generator.plan();
                let made = if dice.one_in(3) {
                    stocked.joined(&donor, &self.generator, most, dice)
                } else {
                    graft::graft(plan, &stocked.stock, &donor.stock, dice)
                };
                if let Some(bytes) = made.filter(|made| made.len() <= most) {
                    let way = Way::Elements;
                    return Changed { bytes, way };
                }
            }
        }
        // Fall back to joining the start of one trace and the end of the other.
        let cut = dice.index(bytes.len() + 1).unwrap_or_default().min(most);
        let from = dice.index(other.len() + 1).unwrap_or_default();
        let rest = other[from..].iter().take(most - cut);
        let bytes = bytes[..cut].iter().chain(rest).copied().collect();
        let way = Way::Bytes;
        Changed { bytes, way }
    }

    /// Inserts elements of a random trace, or duplicates, replaces or removes the trace's own
    /// elements.
    fn elements(&self, stock: &Stock, most: usize, dice: &mut Dice) -> Option<Vec<u8>> {
        let room = u64::try_from(most).unwrap_or(u64::MAX).min(DONOR);
        let donor = sized(&self.generator, 1 + dice.below(room), dice)?;
        graft::graft(self.generator.plan(), stock, &donor, dice)
    }

    fn fault(&self, stock: &Stock, dice: &mut Dice) -> Option<Vec<u8>> {
        let plan = self.generator.plan();
        faulty::single(plan, stock, &self.sites, dice).map(|(_, bytes)| bytes)
    }

    fn fresh(&self, most: usize, dice: &mut Dice) -> Option<Vec<u8>> {
        let stock = match u64::try_from(most) {
            Ok(most) if most < DONOR => sized(&self.generator, most / 2, dice),
            _ => fresh(&self.generator, dice),
        };
        stock.map(|stock| stock.bytes)
    }

    fn bytes_changed(&self, bytes: &[u8], most: usize, dice: &mut Dice) -> Changed {
        let mut changed = bytes.to_vec();
        damage(&mut changed, &self.words, dice);
        changed.truncate(most);
        let way = Way::Bytes;
        Changed {
            bytes: changed,
            way,
        }
    }

    fn stocked(&mut self, bytes: &[u8]) -> Arc<Stocked> {
        let mut known = self.known.iter();
        if let Some(place) = known.position(|known| known.stock.bytes == bytes) {
            return Arc::clone(&self.known[place]);
        }
        let stocked = Arc::new(Stocked::of(self.generator.plan(), bytes));
        if self.known.len() >= REMEMBERED {
            self.known.pop_front();
        }
        self.known.push_back(Arc::clone(&stocked));
        stocked
    }
}

impl Changed {
    fn nothing(bytes: &[u8]) -> Self {
        let way = Way::Nothing;
        Self {
            bytes: bytes.to_vec(),
            way,
        }
    }
}

/// Chooses the kind of mutation. If a trace ends with a fault, the part before the fault is
/// mutated. Raw bytes are then changed more often, so that the fault moves.
fn pick(stocked: &Stocked, dice: &mut Dice) -> Way {
    let ways: &[(u64, Way)] = match (stocked.taken, stocked.stock.tree.nodes.len()) {
        (true, _) => &[
            (35, Way::Choices),
            (25, Way::Elements),
            (10, Way::Numbers),
            (10, Way::Fault),
            (14, Way::Bytes),
            (6, Way::Fresh),
        ],
        (false, 0..8) => &[(60, Way::Fresh), (40, Way::Bytes)],
        (false, _) => &[
            (35, Way::Elements),
            (15, Way::Numbers),
            (10, Way::Fault),
            (32, Way::Bytes),
            (8, Way::Fresh),
        ],
    };
    let mut chosen = dice.below(ways.iter().map(|(weight, _)| weight).sum());
    for (weight, way) in ways {
        match chosen.checked_sub(*weight) {
            Some(left) => chosen = left,
            None => return *way,
        }
    }
    Way::Bytes
}

/// Generates a random trace of about `bytes` bytes.
fn sized(generator: &Generator, bytes: u64, dice: &mut Dice) -> Option<Stock> {
    let options = Options {
        elements: 1 + dice.below(8),
        fill: true,
        steps: steps(bytes),
        ..Options::about(bytes)
    };
    super::stock_of(generator, options, dice)
}
