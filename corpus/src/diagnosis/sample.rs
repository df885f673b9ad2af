//! Draws samples of mutants. The samples depend only on the format and the mutants, so that results
//! of different versions can be compared. Mutants are *independent* if they change different parts
//! of the plan, so that they can be combined in one reader.

use tracegauge_plan::mutate::Mutant;

/// The number of attempts to find one group of independent mutants.
const ATTEMPTS: usize = 200;

/// Returns `count` groups of `size` mutants each. The mutants of a group are chosen from `among`
/// and are independent of each other. Returns fewer groups if there are not enough independent
/// mutants.
pub(super) fn groups(
    mutants: &[Mutant],
    among: &[usize],
    (size, count): (usize, usize),
    seed: &str,
) -> Vec<Vec<usize>> {
    if among.is_empty() {
        return Vec::new();
    }
    let mut dice = Dice::new(&format!("{seed} {size}"));
    let groups = (0..count).filter_map(|_| {
        let mut group: Vec<usize> = Vec::new();
        for _ in 0..ATTEMPTS {
            if group.len() == size {
                break;
            }
            let one = among[dice.below(among.len())];
            let is_new = group
                .iter()
                .all(|other| *other != one && mutants[*other].is_independent_of(&mutants[one]));
            if is_new {
                group.push(one);
            }
        }
        (group.len() == size).then_some(group)
    });
    groups.collect()
}

/// A source of random numbers that are derived from a seed.
struct Dice(blake3::OutputReader);

impl Dice {
    fn new(seed: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(seed.as_bytes());
        Self(hasher.finalize_xof())
    }

    /// Returns a random number below `limit`, which must not be 0.
    fn below(&mut self, limit: usize) -> usize {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        let number = u64::from_le_bytes(bytes) % limit as u64;
        usize::try_from(number).unwrap_or_default()
    }
}
