//! Changes of traces that somebody else chooses: a fuzzer that keeps what reached something new.
//!
//! What can be decoded is changed in its choices, elements and numbers; what cannot, up to the
//! fault, and in its bytes. The same trace and dice give the same, whatever was changed before.

mod choices;
mod stocked;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use super::{Dice, Stock, damage, dictionary, edges, faulty, fresh, graft, steps};
use crate::fault::{Site, sites};
use crate::{Generator, Options};
use stocked::Stocked;

/// What has been done to a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// Other choices than those that make the trace: valid again.
    Choices,
    /// Elements of it, or of another, put in, taken out or replaced.
    Elements,
    /// Numbers at the ends of what their fields hold.
    Numbers,
    /// One rule broken, all else consistent.
    Fault,
    /// Bytes changed, words of the format among them.
    Bytes,
    /// A trace of chance in place of it.
    Fresh,
    /// Nothing: there is no room for a change.
    Nothing,
}

impl Way {
    /// The word for it.
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

/// A trace that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// How.
    pub way: Way,
}

/// Changes that are tried before bytes alone are changed.
const MOST_TRIES: usize = 4;

/// Traces that a changer remembers as decoded: fuzzers change the same one many times.
const REMEMBERED: usize = 4;

/// Traces of more bytes are rarely decoded: a fuzzer gains more from many inputs than from the
/// best ones.
const LARGE: usize = 8 * 1024;

/// Of large traces one in so many is decoded.
const LARGE_IS_DECODED: u64 = 8;

/// A trace that is made to take elements from has at most so many bytes.
const DONOR: u64 = 600;

/// Changes traces that are given, for one thread.
#[derive(Debug)]
pub struct Changer {
    generator: Generator,
    sites: Vec<Site>,
    words: Vec<Vec<u8>>,
    known: VecDeque<Arc<Stocked>>,
}

impl Changer {
    /// For traces of the format of `generator`.
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

    /// The generator of the format.
    pub fn generator(&self) -> &Generator {
        &self.generator
    }

    /// Another trace near `bytes`, of `most` bytes at most.
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

    /// A trace of parts of two, of `most` bytes at most.
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
        // The start of one and the end of the other.
        let cut = dice.index(bytes.len() + 1).unwrap_or_default().min(most);
        let from = dice.index(other.len() + 1).unwrap_or_default();
        let rest = other[from..].iter().take(most - cut);
        let bytes = bytes[..cut].iter().chain(rest).copied().collect();
        let way = Way::Bytes;
        Changed { bytes, way }
    }

    /// Elements of a trace of chance in this one, or its own in other places.
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

/// What is done to a trace. One that ends in a fault is changed before it, and its bytes are
/// changed more often: the fault is to move.
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

/// A trace of chance of about so many bytes.
fn sized(generator: &Generator, bytes: u64, dice: &mut Dice) -> Option<Stock> {
    let options = Options {
        bytes,
        elements: 1 + dice.below(8),
        fill: true,
        steps: steps(bytes),
        ..Options::default()
    };
    super::stock_of(generator, options, dice)
}
