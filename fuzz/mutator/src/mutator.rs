//! What the border asks for, and what traces of a format make of it.

use tracegauge_corpus::repair::repaired;
use tracegauge_generator::Generator;
use tracegauge_generator::mutate::{Changed, Changer, Dice, Way};

use crate::choice::{ChoiceError, Settings};
use crate::shortening::Shortening;

/// Changes inputs of a fuzzer. What `dice` give is all that chance has in it.
pub trait Mutator {
    /// An input near `input`, of `most` bytes at most.
    fn change(&mut self, input: &[u8], most: usize, dice: &mut Dice) -> Vec<u8>;

    /// An input of parts of two, of `most` bytes at most.
    fn cross(&mut self, input: &[u8], other: &[u8], most: usize, dice: &mut Dice) -> Vec<u8>;

    /// What the last change was, in a word.
    fn described(&self) -> &str;

    /// What is to be run in place of `input`; nothing where that is `input` itself.
    fn repaired(&mut self, input: &[u8]) -> Option<Vec<u8>>;

    /// Shorter inputs, to be tried one after the other.
    fn shortening(&self, input: &[u8]) -> Option<Shortening>;
}

/// Longer traces are not repaired: what is tried for that takes too long.
const LONGEST_REPAIRED: usize = 1024;

/// Changes traces of one format.
#[derive(Debug)]
pub struct TraceMutator {
    changer: Changer,
    last: Way,
    repair: bool,
}

impl TraceMutator {
    /// For the format that `settings` name.
    ///
    /// # Errors
    /// They name none, or it cannot be had.
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
