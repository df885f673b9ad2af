use super::{Choices, Player, Random, Recorder};

/// A source of choices of any kind. The emitter of whole traces uses this single type, because each
/// instantiation of the emitter is expensive to compile.
#[derive(Clone, Debug)]
pub enum Drawn<'t> {
    /// Choices from a tape.
    Played(Player<'t>),
    /// Choices from a seed.
    Random(Random),
    /// Choices that are determined by the tree being encoded.
    Followed(Recorder),
}

impl Drawn<'_> {
    /// Returns the recorder if a tree is being encoded, or an empty recorder otherwise.
    pub fn recorded(self) -> Recorder {
        match self {
            Self::Followed(recorder) => recorder,
            Self::Played(_) | Self::Random(_) => Recorder::default(),
        }
    }

    /// Returns whether the tree required a number that was out of bounds.
    pub fn is_out_of_bounds(&self) -> bool {
        matches!(self, Self::Followed(recorder) if recorder.out_of_bounds)
    }
}

impl Choices for Drawn<'_> {
    #[inline]
    fn choose(&mut self, greatest: u64, wanted: Option<u64>) -> u64 {
        match self {
            Self::Played(player) => player.choose(greatest, wanted),
            Self::Random(random) => random.choose(greatest, wanted),
            Self::Followed(recorder) => recorder.choose(greatest, wanted),
        }
    }

    fn position(&self) -> usize {
        match self {
            Self::Played(player) => player.position(),
            Self::Random(random) => random.position(),
            Self::Followed(recorder) => recorder.position(),
        }
    }

    fn left(&self) -> Option<u64> {
        match self {
            Self::Played(player) => player.left(),
            Self::Random(random) => random.left(),
            Self::Followed(recorder) => recorder.left(),
        }
    }
}
