//! Minimizes a trace while preserving a property of it.
//!
//! If readers may accept the trace, the minimizer generates it again from ever smaller tapes, which
//! contain the random choices behind the trace. References and computed fields are therefore
//! correct in every candidate. The minimizer also removes parts of the trace's tree and decreases
//! values, which is the only way to minimize a malformed trace, because it has no tape. Computed
//! fields are updated, except for fields that were wrong from the start. The search ends when no
//! single step leads to a smaller trace that still has the property.

mod plain;
mod tape;
mod tree;

use std::collections::HashSet;
use std::rc::Rc;

use crate::Generator;
use tree::Read;

/// The result of minimizing a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimized {
    /// The smallest trace found.
    pub bytes: Vec<u8>,
    /// The number of candidates tried.
    pub tries: u64,
    /// Whether no single step leads to a smaller trace. `false` if the time ran out first.
    pub settled: bool,
}

/// Searches for the smallest trace similar to `bytes` that `shows` accepts by returning true.
/// `shows` returns `None` when time has run out.
pub fn minimize(
    generator: &Generator,
    bytes: &[u8],
    shows: &mut dyn FnMut(&[u8]) -> Option<bool>,
) -> Minimized {
    let mut search = Search::new(generator, bytes, shows);
    // Remove the bytes after a fault first: they may be most of the trace, and every candidate
    // would carry them along.
    tree::without_rest(&mut search);
    loop {
        let before = search.best.len();
        let found = search.best.clone();
        // Remove whole elements first, many at once. Little of a long trace then remains for the
        // small steps. Working on the tree also updates the count stored before a list, which a
        // shorter tape does not.
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

/// Like [`minimize`], searches for a shorter trace similar to `bytes` that `shows` accepts by
/// returning true, but removes only whole elements and the bytes after a fault. This search needs
/// only a few candidates, all of which are shorter than `bytes`.
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

/// Searches for a plainer trace similar to `bytes`. Removes list elements, removes field
/// descriptions together with the values that they describe, and replaces unusual values with
/// values that typical writers use. `improves` returns whether a candidate is better than all
/// previous candidates, or `None` to end the search. `improves` must accept only finitely many
/// candidates in a row, because a plainer trace may be longer.
pub fn plainer(
    generator: &Generator,
    bytes: &[u8],
    improves: &mut dyn FnMut(&[u8]) -> Option<bool>,
) -> Minimized {
    let mut search = Search::new(generator, bytes, improves);
    search.may_grow = true;
    loop {
        let found = search.best.clone();
        tree::without_elements(&mut search);
        plain::values(&mut search);
        tree::without_described(&mut search);
        if search.over || search.best == found {
            break;
        }
    }
    search.done()
}

/// The state of the search.
struct Search<'s> {
    generator: &'s Generator,
    /// The smallest trace found that has the property.
    best: Vec<u8>,
    /// The tree of the smallest trace found, computed on first use.
    read: Option<Rc<Read>>,
    /// Whether a candidate may be longer than the smallest trace found so far.
    may_grow: bool,
    shows: &'s mut dyn FnMut(&[u8]) -> Option<bool>,
    tried: HashSet<Vec<u8>>,
    tries: u64,
    /// Whether the time has run out.
    over: bool,
}

/// The maximum size of a trace that the search remembers after trying it. Remembering a larger
/// trace would cost more than trying it twice.
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
            read: None,
            may_grow: false,
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

    /// Returns the best trace with its tree.
    fn read(&mut self) -> Rc<Read> {
        if let Some(read) = &self.read {
            return Rc::clone(read);
        }
        let read = Rc::new(Read::of(self));
        self.read = Some(Rc::clone(&read));
        read
    }

    /// Replaces the best trace with `candidate` if the candidate has the property and is smaller
    /// or, if `may_grow` is set, different. Returns whether the best trace was replaced.
    fn offer(&mut self, candidate: Vec<u8>) -> bool {
        let is_possible = match self.may_grow {
            true => candidate != self.best,
            false => is_less(&candidate, &self.best),
        };
        if self.over || !is_possible {
            return false;
        }
        if candidate.len() <= REMEMBERED && !self.tried.insert(candidate.clone()) {
            return false;
        }
        self.tries += 1;
        match (self.shows)(&candidate) {
            Some(true) => {
                self.best = candidate;
                self.read = None;
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

/// Returns whether `candidate` is shorter, or has the same length and is lexicographically smaller.
/// Under this order, a minimal trace always exists.
fn is_less(candidate: &[u8], best: &[u8]) -> bool {
    (candidate.len(), candidate) < (best.len(), best)
}

/// Returns the numbers to try in place of `number`: zero, and then numbers that approach `number`
/// in ever smaller steps, as in a binary search. The search therefore does not count down one by
/// one.
fn lesser_numbers(number: i128) -> Vec<i128> {
    let steps = std::iter::successors(Some(number), |step| Some(step / 2));
    let steps = steps.take_while(|step| *step != 0);
    steps.map(|step| number - step).collect()
}

/// Tries to remove ranges of items, large ranges first. There are `count` items. `leave` tries to
/// remove the items from one index up to another and returns whether it succeeded.
fn leave_out(count: usize, mut leave: impl FnMut(usize, usize) -> bool) {
    let mut left = count;
    let mut part = count;
    while part > 0 {
        // Start at the end, because later items depend on earlier ones.
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
