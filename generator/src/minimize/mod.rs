//! The smallest trace that still shows something.
//!
//! What is made smaller are choices: elements, counts, kinds, values. A trace that readers may
//! take is made again from ever smaller tapes, so that references and everything that follows
//! from something else are right in each trace that is tried. A malformed one has no tape: parts
//! of its tree are taken out or get lesser values, and what follows from them follows, but for
//! what claims something wrong already. It ends where no single step leads to a smaller trace
//! that shows it.

mod tape;
mod tree;

use std::collections::HashSet;

use crate::Generator;

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimized {
    /// The least trace that was found.
    pub bytes: Vec<u8>,
    /// How many traces were tried.
    pub tries: u64,
    /// No single step leads to a smaller one; else its time was over.
    pub settled: bool,
}

/// Looks for the smallest trace near `bytes` that `shows` it: whether a trace does, or nothing
/// when the time is over.
pub fn minimize(
    generator: &Generator,
    bytes: &[u8],
    shows: &mut dyn FnMut(&[u8]) -> Option<bool>,
) -> Minimized {
    let mut search = Search::new(generator, bytes, shows);
    // What stands after a fault may be most of it, and each try would carry it along.
    tree::without_rest(&mut search);
    loop {
        let before = search.best.len();
        let found = search.best.clone();
        // Whole elements first, many at once: of a long trace little is left for the small steps,
        // and a list whose count stands before it gets shorter only where that follows.
        tree::without_elements(&mut search);
        tape::shrink(&mut search);
        tree::shrink(&mut search);
        if search.over || search.best == found {
            break;
        }
        debug_assert!(search.best.len() <= before);
    }
    search.done()
}

/// A shorter trace near `bytes` that `shows` it, as [`minimize`] looks for one, but only without
/// whole elements and without what stands after a fault: few tries, all of them shorter.
pub fn shorten(
    generator: &Generator,
    bytes: &[u8],
    shows: &mut dyn FnMut(&[u8]) -> Option<bool>,
) -> Minimized {
    let mut search = Search::new(generator, bytes, shows);
    tree::without_elements(&mut search);
    tree::without_rest(&mut search);
    search.done()
}

/// The search as it stands.
struct Search<'s> {
    generator: &'s Generator,
    /// The least trace that shows it.
    best: Vec<u8>,
    shows: &'s mut dyn FnMut(&[u8]) -> Option<bool>,
    tried: HashSet<Vec<u8>>,
    tries: u64,
    /// The time is over.
    over: bool,
}

/// Traces larger than this are not remembered: they cost more than a second try.
const REMEMBERED: usize = 1 << 16;

impl<'s> Search<'s> {
    fn new(
        generator: &'s Generator,
        bytes: &[u8],
        shows: &'s mut dyn FnMut(&[u8]) -> Option<bool>,
    ) -> Self {
        Self {
            generator,
            best: bytes.to_vec(),
            shows,
            tried: HashSet::new(),
            tries: 0,
            over: false,
        }
    }

    fn done(self) -> Minimized {
        Minimized {
            bytes: self.best,
            tries: self.tries,
            settled: !self.over,
        }
    }

    /// Takes `candidate` for the best where it is less and shows it.
    fn offer(&mut self, candidate: Vec<u8>) -> bool {
        if self.over || !is_less(&candidate, &self.best) {
            return false;
        }
        if candidate.len() <= REMEMBERED && !self.tried.insert(candidate.clone()) {
            return false;
        }
        self.tries += 1;
        match (self.shows)(&candidate) {
            Some(true) => {
                self.best = candidate;
                true
            }
            Some(false) => false,
            None => {
                self.over = true;
                false
            }
        }
    }
}

/// Shorter, or as long and first in the order of its bytes: there is always a least.
fn is_less(candidate: &[u8], best: &[u8]) -> bool {
    (candidate.len(), candidate) < (best.len(), best)
}

/// Numbers nearer to zero, from zero on in ever smaller steps: where larger steps lead nowhere and
/// the smallest does, the next one leads nowhere either, so that no search takes step after step.
fn lesser_numbers(number: i128) -> Vec<i128> {
    let steps = std::iter::successors(Some(number), |step| Some(step / 2));
    let steps = steps.take_while(|step| *step != 0);
    steps.map(|step| number - step).collect()
}

/// Tries to leave out parts of so many things, the large parts first. `leave` tries to leave out
/// those from one to another, and says whether that worked.
fn leave_out(count: usize, mut leave: impl FnMut(usize, usize) -> bool) {
    let mut left = count;
    let mut part = count;
    while part > 0 {
        // From the end: what comes later depends on what came before.
        let mut end = left;
        while end > 0 {
            let start = end.saturating_sub(part);
            if leave(start, end) {
                left -= end - start;
            }
            end = start;
        }
        part /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_is_left_and_nothing_else() {
        for kept in [vec![], vec![0], vec![3, 4], vec![0, 50, 99], vec![99]] {
            let mut things: Vec<usize> = (0..100).collect();
            leave_out(100, |start, end| {
                let matters = things[start..end].iter().any(|thing| kept.contains(thing));
                if !matters {
                    things.drain(start..end);
                }
                !matters
            });
            assert_eq!(things, kept);
        }
    }

    #[test]
    fn numbers_are_approached_from_zero() {
        assert_eq!(lesser_numbers(0), []);
        assert_eq!(lesser_numbers(1), [0]);
        assert_eq!(lesser_numbers(9), [0, 5, 7, 8]);
        assert_eq!(lesser_numbers(-9), [0, -5, -7, -8]);
    }

    #[test]
    fn shorter_is_less() {
        assert!(is_less(b"z", b"aa"));
        assert!(is_less(b"ab", b"ac"));
        assert!(!is_less(b"ab", b"ab"));
    }
}
