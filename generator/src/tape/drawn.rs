use super::{Choices, Player, Random, Recorder};

/// Choices of any kind. A director is a large thing to compile: that of whole traces takes all of
/// these.
#[derive(Clone, Debug)]
pub enum Drawn<'t> {
    /// From a tape.
    Played(Player<'t>),
    /// From a seed.
    Random(Random),
    /// From the tree that is followed.
    Followed(Recorder),
}

impl Drawn<'_> {
    /// What was recorded of the tree that was followed; nothing where none was.
    pub fn recorded(self) -> Recorder {
        match self {
            Self::Followed(recorder) => recorder,
            Self::Played(_) | Self::Random(_) => Recorder::default(),
        }
    }

    /// A number that a tree wants was out of bounds.
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
