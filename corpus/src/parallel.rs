//! Divides work among the processors.
//!
//! Everything is divided by the same call of rayon, with a trait object. Each use of rayon's own
//! iterators adds hundreds of functions to the program, which together would make up a quarter of
//! this crate, and a call through a trait object costs nothing next to work that is worth dividing.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Returns the results of `map` for all items, in the order of the items.
pub fn map<'t, T: Sync, R: Send>(items: &'t [T], map: impl Fn(&'t T) -> R + Sync) -> Vec<R> {
    let results: Vec<Slot<R>> = items.iter().map(|_| Slot::default()).collect();
    each(items.len(), &|index| results[index].put(map(&items[index])));
    results.into_iter().filter_map(Slot::into_inner).collect()
}

/// Moves all items to `map`, and returns the results in the order of the items.
pub fn map_owned<T: Send, R: Send>(items: Vec<T>, map: impl Fn(T) -> R + Sync) -> Vec<R> {
    let slots: Vec<Slot<T>> = items.into_iter().map(Slot::new).collect();
    let results = self::map(&slots, |slot| slot.take().map(&map));
    results.into_iter().flatten().collect()
}

/// Returns the results of `map` that are not `None`, in the order of the items.
pub fn filter_map<'t, T: Sync, R: Send>(
    items: &'t [T],
    map: impl Fn(&'t T) -> Option<R> + Sync,
) -> Vec<R> {
    self::map(items, map).into_iter().flatten().collect()
}

/// Calls `run` with each number below `count`, in no particular order.
fn each(count: usize, run: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(run);
}

/// A value on its way from one thread to another. Only one thread uses a slot at a time, so none
/// ever waits for the lock.
struct Slot<T>(Mutex<Option<T>>);

impl<T> Slot<T> {
    fn new(value: T) -> Self {
        Self(Mutex::new(Some(value)))
    }

    fn put(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }

    fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn into_inner(self) -> Option<T> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    quickcheck! {
        fn results_have_the_order_of_the_items(items: Vec<u16>) -> bool {
            let half = |item: u16| item.is_multiple_of(2).then_some(item / 2);
            let halves: Vec<u16> = items.iter().filter_map(|item| half(*item)).collect();
            super::filter_map(&items, |item| half(*item)) == halves
                && super::map(&items, |item| item.to_string())
                    == items.iter().map(u16::to_string).collect::<Vec<_>>()
        }

        fn moved_items_have_results(items: Vec<String>) -> bool {
            super::map_owned(items.clone(), |item| item) == items
        }
    }
}
