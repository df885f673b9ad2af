//! The interface between fuzzers and mutations, and its implementation for traces of a format.

use tracegauge_corpus::repair::repaired;
use tracegauge_generator::Generator;
use tracegauge_generator::mutate::{Changed, Changer, Dice, Way};

use crate::choice::{ChoiceError, Settings};
use crate::shortening::Shortening;

/// Mutates the inputs of a fuzzer. `dice` is the only source of randomness.
pub trait Mutator {
    /// Returns a mutated copy of `input`, of at most `most` bytes.
    fn change(&mut self, input: &[u8], most: usize, dice: &mut Dice) -> Vec<u8>;

    /// Returns a combination of parts of both inputs, of at most `most` bytes.
    fn cross(&mut self, input: &[u8], other: &[u8], most: usize, dice: &mut Dice) -> Vec<u8>;

    /// Returns a short name for the last mutation.
    fn described(&self) -> &str;

    /// Returns a repaired input to run instead of `input`, or `None` to run `input` itself.
    fn repaired(&mut self, input: &[u8]) -> Option<Vec<u8>>;

    /// Starts a search for shorter inputs, which the fuzzer tries one after the other.
    fn shortening(&self, input: &[u8]) -> Option<Shortening>;
}

/// The maximum length of a trace that is repaired. Repairing longer traces takes too long.
const LONGEST_REPAIRED: usize = 1024;

/// Mutates traces of one format.
#[derive(Debug)]
pub struct TraceMutator {
    changer: Changer,
    last: Way,
    repair: bool,
}

impl TraceMutator {
    /// Creates a mutator for the format selected by `settings`.
    ///
    /// # Errors
    /// Returns an error if the settings select no format or if the format cannot be loaded.
    pub fn new(settings: &Settings) -> Result<Self, ChoiceError> {
        Ok(Self {
            changer: Changer::new(Generator::new(settings.plan()?)),
            last: Way::Nothing,
            repair: settings.repair,
        })
    }

    fn keep(&mut self, changed: Changed) -> Vec<u8> {
        self.last = changed.way;
        changed.bytes
    }
}

impl Mutator for TraceMutator {
    fn change(&mut self, input: &[u8], most: usize, dice: &mut Dice) -> Vec<u8> {
        let changed = self.changer.change(input, most, dice);
        self.keep(changed)
    }

    fn cross(&mut self, input: &[u8], other: &[u8], most: usize, dice: &mut Dice) -> Vec<u8> {
        let changed = self.changer.cross(input, other, most, dice);
        self.keep(changed)
    }

    fn described(&self) -> &str {
        self.last.name()
    }

    fn repaired(&mut self, input: &[u8]) -> Option<Vec<u8>> {
        if !self.repair || input.len() > LONGEST_REPAIRED {
            return None;
        }
        repaired(self.changer.generator().plan(), input)
    }

    fn shortening(&self, input: &[u8]) -> Option<Shortening> {
        Shortening::begin(self.changer.generator().clone(), input.to_vec())
    }
}
