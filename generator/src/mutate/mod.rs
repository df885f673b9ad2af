//! An endless supply of inputs for a reader: valid traces, traces with faults, and random mutations
//! of traces.
//!
//! Every input has a number. The bytes of an input depend only on its number and on the seed of the
//! supply, not on the inputs that were made before. An input can therefore be reproduced from its
//! number alone, and any number of workers can divide the numbers among themselves. The number also
//! determines the [`InputKind`] of the input, so a schedule can prefer some kinds without changing
//! which input a number stands for.

mod dice;
mod dictionary;
mod edges;
mod faulty;
mod given;
mod graft;
mod kind;
mod raw;

use std::collections::VecDeque;
use std::sync::Arc;

use tracegauge_decoder::tree::Tree;
use tracegauge_decoder::{Judgement, decode_tree, judge_small};
use tracegauge_plan::Plan;
use tracegauge_plan::mutate::{Mutant, mutants};

use crate::fault::{Site, sites};
use crate::tape::Tape;
use crate::{Generator, Options};

pub use dice::Dice;
pub use dictionary::{Word, dictionary, dictionary_text};
pub use given::{Changed, Changer, Way};
pub use kind::{InputKind, InputNumber};
pub use raw::damage;

/// The number of consecutive inputs of a kind that are made from the same valid trace (their
/// *twin*). Sharing a twin saves time, because generating a trace costs more than mutating it.
pub const SHARED: u64 = 16;

/// The number of consecutive inputs that are generated from one mutant of the description.
const OF_ONE_MUTANT: u64 = 64;

/// The number of valid traces that a maker caches.
const REMEMBERED: usize = 4;

/// The limit on steps for generating a trace, not counting the steps allowed for its bytes. The
/// limit stops lists that would never end because the description was mutated.
const MOST_STEPS: u64 = 1 << 16;

/// The number of steps allowed for each requested byte of a trace.
const STEPS_OF_A_BYTE: u64 = 16;

/// The number of seeds tried before giving up on a random trace.
const MOST_TRIES: u64 = 4;

/// Returns the limit on steps for a trace of `bytes` bytes.
fn steps(bytes: u64) -> u64 {
    MOST_STEPS + STEPS_OF_A_BYTE * bytes
}

/// The source of inputs: a prepared plan, the sites where faults can be planted, mutants,
/// dictionary words, and a seed.
#[derive(Debug)]
pub struct Supply {
    generator: Generator,
    seed: u64,
    samples: Vec<Arc<Stock>>,
    sites: Vec<Site>,
    mutants: Vec<Mutant>,
    words: Vec<Vec<u8>>,
}

/// An input for a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The bytes of the input.
    pub bytes: Vec<u8>,
    /// The fault planted in the valid trace, if there is exactly one.
    pub fault: Option<Site>,
    /// A short description of how the input was made.
    pub made: String,
}

/// A valid trace that inputs are made from.
#[derive(Clone, Debug)]
pub struct Stock {
    /// The bytes of the trace.
    pub bytes: Vec<u8>,
    /// The tree of the trace.
    pub tree: Tree,
}

impl Supply {
    /// Creates a supply of inputs for the format of `generator`. The inputs depend on `seed`.
    pub fn new(generator: Generator, seed: u64) -> Self {
        let plan = Arc::clone(generator.plan());
        Self {
            generator,
            seed,
            samples: Vec::new(),
            sites: sites(&plan),
            mutants: mutants(&plan),
            words: dictionary(&plan)
                .into_iter()
                .map(|word| word.bytes)
                .collect(),
        }
    }

    /// Adds sample traces. About half of the valid traces that inputs are made from are then
    /// samples instead of random traces. Real traces are useful samples because they contain
    /// combinations that random choices rarely produce. Samples that some reader may reject are
    /// ignored.
    #[must_use]
    pub fn with_samples(mut self, traces: &[Vec<u8>]) -> Self {
        let accepted = traces.iter().filter_map(|bytes| {
            let (verdict, tree) = decode_tree(self.plan(), bytes);
            let bytes = bytes.clone();
            (verdict.judgement == Judgement::Accepted).then(|| Arc::new(Stock { bytes, tree }))
        });
        self.samples = accepted.collect();
        self
    }

    /// Returns the seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the generator of the format.
    pub fn generator(&self) -> &Generator {
        &self.generator
    }

    /// Creates a maker of inputs. Each thread needs its own maker.
    pub fn maker(&self) -> Maker<'_> {
        Maker {
            supply: self,
            stock: VecDeque::new(),
            mutated: None,
        }
    }

    fn plan(&self) -> &Plan {
        self.generator.plan()
    }
}

/// Makes inputs, and caches the data that several inputs share.
#[derive(Debug)]
pub struct Maker<'s> {
    supply: &'s Supply,
    stock: VecDeque<(u64, Arc<Stock>)>,
    mutated: Option<(usize, Generator)>,
}

impl Maker<'_> {
    /// Makes the input with this number.
    pub fn make(&mut self, number: InputNumber) -> Input {
        let mut dice = Dice::new(self.supply.seed, number.0);
        match number.kind() {
            InputKind::Valid => self.valid(number, &mut dice),
            InputKind::SingleFault => self.faulty(number, 1, &mut dice),
            InputKind::SeveralFaults => {
                let faults = 2 + dice.below(2);
                self.faulty(number, faults, &mut dice)
            }
            InputKind::Spliced => self.spliced(number, &mut dice),
            InputKind::Damaged => self.damaged(number, &mut dice),
            InputKind::OfMutant => self.of_mutant(number, &mut dice),
        }
    }

    /// Returns the valid trace that the input with this number is made from.
    pub fn twin(&mut self, number: InputNumber) -> Arc<Stock> {
        self.stock(number, 0)
    }

    fn valid(&mut self, number: InputNumber, dice: &mut Dice) -> Input {
        // Small variations of a known trace reach situations that random choices alone do not
        // reach.
        if dice.one_in(4) {
            let twin = self.twin(number);
            if let Some(bytes) = self.varied(&twin, dice) {
                return Input::new(
                    bytes,
                    "a valid trace, generated by varying the random choices that \
                     produced another trace",
                );
            }
        }
        Input::new(self.random(dice).bytes, "a valid trace")
    }

    /// Returns a variation of `twin`: the trace that results when a few of the random choices
    /// behind `twin` are changed.
    fn varied(&self, twin: &Stock, dice: &mut Dice) -> Option<Vec<u8>> {
        let generator = &self.supply.generator;
        let mut tape = generator.record(&twin.tree).ok()?;
        for _ in 0..1 + dice.below(4) {
            let length = tape.bytes.len() as u64;
            let at = usize::try_from(dice.below(length.max(1))).ok()?;
            if let Some(byte) = tape.bytes.get_mut(at) {
                *byte = dice.byte();
            }
        }
        let bytes = 4 * twin.bytes.len() as u64 + 64;
        let made = remade(generator, tape.bytes, bytes, u64::MAX)?;
        // A changed tape counts as recorded, so the trace may contain values that only lenient
        // readers accept. A trace that not even lenient readers accept is discarded.
        let verdict = judge_small(generator.plan(), &made)?;
        verdict.tolerable().then_some(made)
    }

    fn faulty(&mut self, number: InputNumber, faults: u64, dice: &mut Dice) -> Input {
        let twin = self.twin(number);
        let plan = self.supply.plan();
        let Some((site, bytes)) = faulty::single(plan, &twin, &self.supply.sites, dice) else {
            return self.damaged(number, dice);
        };
        let mut made = format!(
            "a valid trace changed by the fault `{}`",
            site.operator.name()
        );
        let mut bytes = bytes;
        for _ in 1..faults {
            // The tree covers everything before the first fault, so another fault can be planted
            // there.
            let (_, tree) = decode_tree(plan, &bytes);
            let stock = Stock { bytes, tree };
            match faulty::single(plan, &stock, &self.supply.sites, dice) {
                Some((site, more)) => {
                    made.push_str(&format!(", then by the fault `{}`", site.operator.name()));
                    bytes = more;
                }
                None => {
                    bytes = stock.bytes;
                    made.push_str(", then damaged");
                    damage(&mut bytes, &self.supply.words, dice);
                }
            }
        }
        Input {
            bytes,
            fault: (faults == 1).then_some(site),
            made,
        }
    }

    fn spliced(&mut self, number: InputNumber, dice: &mut Dice) -> Input {
        if dice.one_in(3) {
            let twin = self.twin(number);
            if let Some(bytes) = edges::edged(self.supply.plan(), &twin, dice) {
                return Input::new(
                    bytes,
                    "a valid trace with numbers at the limits of their range",
                );
            }
        }
        let (twin, donor) = (self.stock(number, 0), self.stock(number, 1));
        match graft::graft(self.supply.plan(), &twin, &donor, dice) {
            Some(bytes) => Input::new(bytes, "a combination of elements from two valid traces"),
            None => self.damaged(number, dice),
        }
    }

    fn damaged(&mut self, number: InputNumber, dice: &mut Dice) -> Input {
        let mut bytes = self.twin(number).bytes.clone();
        damage(&mut bytes, &self.supply.words, dice);
        Input::new(bytes, "a damaged copy of a valid trace")
    }

    fn of_mutant(&mut self, number: InputNumber, dice: &mut Dice) -> Input {
        let mutants = &self.supply.mutants;
        let mut choice = Dice::new(
            self.supply.seed,
            (number.count() / OF_ONE_MUTANT) ^ (u64::MAX >> 1),
        );
        let Some(which) = choice.index(mutants.len()) else {
            return self.damaged(number, dice);
        };
        let known = self.mutated.take().filter(|(known, _)| *known == which);
        let generator = match known {
            Some((_, generator)) => generator,
            None => Generator::new(Arc::new(mutants[which].of(self.supply.plan()))),
        };
        let made = fresh(&generator, dice);
        self.mutated = Some((which, generator));
        let Some(made) = made else {
            return self.damaged(number, dice);
        };
        Input::new(
            made.bytes,
            &format!(
                "a trace of a changed description: {}",
                mutants[which].name()
            ),
        )
    }

    /// Returns a random trace, or an empty trace if several seeds in a row fail.
    fn random(&self, dice: &mut Dice) -> Stock {
        let mut tries = (0..MOST_TRIES).filter_map(|_| fresh(&self.supply.generator, dice));
        tries.next().unwrap_or_else(|| Stock {
            bytes: Vec::new(),
            tree: decode_tree(self.supply.plan(), &[]).1,
        })
    }

    /// Returns a valid trace that the inputs of the same kind with numbers close to `number` share:
    /// their twin if `which` is 0, or the donor of elements for the twin if `which` is 1.
    fn stock(&mut self, number: InputNumber, which: u64) -> Arc<Stock> {
        let kind = InputKind::ALL.len() as u64;
        let shared = (number.count() / SHARED * kind + number.0 % kind) * 2 + which;
        if let Some((_, known)) = self.stock.iter().find(|(known, _)| *known == shared) {
            return Arc::clone(known);
        }
        let mut dice = Dice::new(!self.supply.seed, shared);
        let sample = if dice.one_in(2) {
            dice.pick(&self.supply.samples).cloned()
        } else {
            None
        };
        let made = sample.unwrap_or_else(|| Arc::new(self.random(&mut dice)));
        if self.stock.len() >= REMEMBERED {
            self.stock.pop_front();
        }
        self.stock.push_back((shared, Arc::clone(&made)));
        made
    }
}

impl Input {
    fn new(bytes: Vec<u8>, made: &str) -> Self {
        Self {
            bytes,
            fault: None,
            made: made.to_owned(),
        }
    }
}

/// The number of choices after which a random trace is given up. Many mutants describe traces that
/// cannot be generated, whatever is chosen.
const MOST_CHOICES: usize = 1 << 14;

/// Generates a random trace of a random size. Returns `None` if the trace does not end or is
/// invalid.
fn fresh(generator: &Generator, dice: &mut Dice) -> Option<Stock> {
    let bytes = dice.size();
    let options = Options {
        elements: 1 + dice.below(40),
        fill: dice.one_in(2),
        steps: steps(bytes),
        choices: MOST_CHOICES,
        ..Options::about(bytes)
    };
    stock_of(generator, options, dice)
}

/// Generates a random trace with the given options.
fn stock_of(generator: &Generator, options: Options, dice: &mut Dice) -> Option<Stock> {
    let made = generator.from_seed(dice.any(), options).ok()?;
    Some(Stock {
        bytes: made.bytes,
        tree: made.tree,
    })
}

/// Generates a trace from changed choices. The trace has about `bytes` bytes, and no string or list
/// in it is longer than `longest`.
fn remade(generator: &Generator, choices: Vec<u8>, bytes: u64, longest: u64) -> Option<Vec<u8>> {
    let options = Options {
        elements: 64,
        longest,
        steps: steps(bytes),
        ..Options::about(bytes)
    };
    let tape = Tape {
        recorded: true,
        bytes: choices,
        spans: Vec::new(),
    };
    let made = generator.generate(&tape, options).ok()?;
    Some(made.bytes)
}
