//! The order of the cases and the names that a reader sees instead of the names of the cases. The
//! order and the names reveal nothing about the corpus, because they are derived from a seed that
//! the reader does not know.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::str::FromStr;

use tracegauge_corpus::case::Case;

/// The number of bits of a seed that a JSON number represents exactly.
const BITS: u32 = 53;
/// The number of hexadecimal digits in a name.
const DIGITS: usize = 12;

/// The seed for the order of the cases and for the names that a reader sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seed(u64);

impl Seed {
    /// Returns a seed that cannot be predicted.
    pub fn random() -> Self {
        Self(RandomState::new().build_hasher().finish() >> (u64::BITS - BITS))
    }

    /// Creates a seed from a number. Returns `None` if a JSON number cannot represent the seed
    /// exactly.
    pub fn new(number: u64) -> Option<Self> {
        (number < 1 << BITS).then_some(Self(number))
    }

    /// Returns a different seed, which gives the cases a different order and different names.
    pub(crate) fn other(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// Returns the seed as a number.
    pub fn number(self) -> u64 {
        self.0
    }

    /// Returns the name that a reader sees instead of the name of a case.
    pub(crate) fn name(self, case: &Case) -> String {
        format!("c-{}", &self.hash("name", case).to_hex()[..DIGITS])
    }

    /// Sorts the indices of `cases` into the order that a reader sees.
    pub(crate) fn arrange(self, indices: &mut [usize], cases: &[&Case]) {
        indices.sort_by_cached_key(|index| {
            cases
                .get(*index)
                .map(|case| *self.hash("order", case).as_bytes())
        });
    }

    fn hash(self, purpose: &str, case: &Case) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0.to_le_bytes());
        hasher.update(purpose.as_bytes());
        hasher.update(b"\0");
        hasher.update(case.id.as_bytes());
        hasher.finalize()
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The error for a string that is not a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedError;

impl fmt::Display for SeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a number below {}", 1_u64 << BITS)
    }
}

impl std::error::Error for SeedError {}

impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        text.parse().ok().and_then(Self::new).ok_or(SeedError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_numbers_that_json_represents() {
        assert_eq!("7".parse(), Ok(Seed(7)));
        let least = 1_u64 << 53;
        assert_eq!((least - 1).to_string().parse(), Ok(Seed(least - 1)));
        assert_eq!(least.to_string().parse::<Seed>(), Err(SeedError));
        assert_eq!("x".parse::<Seed>(), Err(SeedError));
        assert!((0..100).all(|_| Seed::new(Seed::random().number()).is_some()));
        assert_ne!(Seed::random(), Seed::random());
    }
}
