use super::Choices;
use super::choices::bounded;

/// An endless sequence of choices determined by a seed, identical on every platform and in every
/// release.
///
/// The random number generator is SplitMix64, a published algorithm of a few lines. A random number
/// generator from a crate might change with a new version of the crate.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    taken: usize,
    /// The number of choices after which other choices follow, and their seed, last first.
    redraws: Vec<(usize, u64)>,
    /// The first number in `redraws`.
    next_redraw: usize,
}

impl Random {
    /// Creates choices from a seed.
    pub fn new(seed: u64) -> Self {
        // Mix the seed so that neighboring seeds yield unrelated choices.
        let mut random = Self {
            state: seed ^ 0x5851_f42d_4c95_7f2d,
            taken: 0,
            redraws: Vec::new(),
            next_redraw: usize::MAX,
        };
        random.state = random.next();
        random
    }

    /// Replaces the choices that follow after certain numbers of choices by those of other seeds.
    /// `redraws` is in ascending order.
    #[must_use]
    pub fn redrawn(mut self, redraws: &[(usize, u64)]) -> Self {
        self.redraws = redraws.iter().rev().copied().collect();
        self.next_redraw = redraws.first().map_or(usize::MAX, |(start, _)| *start);
        self
    }

    #[cold]
    fn redraw(&mut self) {
        if let Some((_, seed)) = self.redraws.pop() {
            self.state = Self::new(seed).state;
        }
        let next = self.redraws.last();
        self.next_redraw = next.map_or(usize::MAX, |(start, _)| *start);
    }

    #[inline]
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Choices for Random {
    #[inline]
    fn choose(&mut self, greatest: u64, _wanted: Option<u64>) -> u64 {
        if self.taken == self.next_redraw {
            self.redraw();
        }
        self.taken += 1;
        if greatest == 0 {
            return 0;
        }
        bounded(self.next() >> greatest.leading_zeros().min(63), greatest)
    }

    fn position(&self) -> usize {
        self.taken
    }
}
