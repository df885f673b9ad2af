use crate::tape::{Choices, Random};

/// Chance, from a seed and a number: the same on every platform and for ever.
#[derive(Clone, Debug)]
pub struct Dice(Random);

impl Dice {
    /// For the thing of this number among those of `seed`.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut first = Random::new(seed);
        Self(Random::new(first.choose(u64::MAX, None) ^ number))
    }

    /// Any number.
    pub fn any(&mut self) -> u64 {
        self.0.choose(u64::MAX, None)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0.choose(bound.saturating_sub(1), None)
    }

    /// Any byte.
    pub fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).unwrap_or_default()
    }

    /// Once in so many times.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// The place of one of so many things; nothing where there are none.
    pub fn index(&mut self, count: usize) -> Option<usize> {
        if count == 0 {
            return None;
        }
        usize::try_from(self.below(count as u64)).ok()
    }

    /// One of these.
    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> Option<&'t T> {
        things.get(self.index(things.len())?)
    }

    /// How long a trace is to be: most are short, for a reader is asked about more of them then,
    /// and some are not, for some mistakes show in long ones alone. One in 64 of the longest made
    /// up half of all bytes, and so of the time.
    pub fn size(&mut self) -> u64 {
        match self.below(256) {
            0..32 => 0,
            32..160 => 16 + self.below(200),
            160..240 => 200 + self.below(800),
            240..255 => 1000 + self.below(4000),
            _ => 5000 + self.below(66_000),
        }
    }
}
