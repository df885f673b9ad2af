//! Locks whose holders may have panicked: what they hold is whole all the same.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a mutex holds.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
