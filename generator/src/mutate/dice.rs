use crate::tape::{Choices, Random};

/// A source of random numbers, which are determined by a seed and an item number and are identical
/// on every platform and in every release.
#[derive(Clone, Debug)]
pub struct Dice(Random);

impl Dice {
    /// Creates the source of random numbers for item `number` of `seed`.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut first = Random::new(seed);
        Self(Random::new(first.choose(u64::MAX, None) ^ number))
    }

    /// Returns a random number.
    pub fn any(&mut self) -> u64 {
        self.0.choose(u64::MAX, None)
    }

    /// Returns a number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0.choose(bound.saturating_sub(1), None)
    }

    /// Returns a random byte.
    pub fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).unwrap_or_default()
    }

    /// Returns `true` once in `times` calls on average.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// Returns a random index below `count`, or `None` if `count` is 0.
    pub fn index(&mut self, count: usize) -> Option<usize> {
        if count == 0 {
            return None;
        }
        usize::try_from(self.below(count as u64)).ok()
    }

    /// Returns a random item, or `None` if there are none.
    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> Option<&'t T> {
        things.get(self.index(things.len())?)
    }

    /// Returns a random size for a trace. Most traces are short, so that a reader can be tested
    /// with many traces, but some bugs occur only in long traces. The largest sizes are rare: if
    /// they occurred as often as once in 64 traces, they would account for half of all bytes, and
    /// thus for half of the time.
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
