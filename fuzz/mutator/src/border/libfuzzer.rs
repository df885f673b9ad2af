//! The functions that libFuzzer calls.

use std::ffi::c_uint;
use std::sync::{Mutex, OnceLock, PoisonError};

use tracegauge_generator::mutate::Dice;

use super::{from_environment, guarded, host, memory};
use crate::mutator::{Mutator, TraceMutator};

/// The reciprocal of the probability that libFuzzer's own mutator, if available, performs a
/// mutation.
const ONE_IS_OF_THE_HOST: u64 = 3;

/// Runs `work` with the mutator of this process.
fn mutator<T>(work: impl FnOnce(&mut dyn Mutator) -> T) -> T {
    static MUTATOR: OnceLock<Mutex<TraceMutator>> = OnceLock::new();
    let mutator = MUTATOR.get_or_init(|| Mutex::new(from_environment()));
    // The mutator is still valid after a panic, because it only stores completely decoded inputs.
    work(&mut *mutator.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Mutates the `size` bytes at `data` in place, to at most `max_size` bytes. Returns the new size.
///
/// # Safety
/// `max_size` bytes must be writable at `data`, and the first `size` of them must be initialized.
/// libFuzzer guarantees this.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn LLVMFuzzerCustomMutator(
    data: *mut u8,
    size: usize,
    max_size: usize,
    seed: c_uint,
) -> usize {
    let mut dice = Dice::new(u64::from(seed), 0);
    if dice.one_in(ONE_IS_OF_THE_HOST)
        && let Some(mutate) = host::mutate()
    {
        // SAFETY: this is libFuzzer's own function, called with the arguments that libFuzzer
        // passed.
        return unsafe { mutate(data, size, max_size) };
    }
    let change = |input: &[u8]| mutator(|by| by.change(input, max_size, &mut dice));
    // SAFETY: guaranteed by the caller.
    unsafe { rewritten(data, size, max_size, change) }
}

/// Combines parts of two inputs into at most `max_out_size` bytes at `out`. Returns the new size.
///
/// # Safety
/// `size1` and `size2` bytes must be readable at `data1` and `data2`, and `max_out_size` bytes must
/// be writable at `out`, which must not overlap the inputs. libFuzzer guarantees this.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn LLVMFuzzerCustomCrossOver(
    data1: *const u8,
    size1: usize,
    data2: *const u8,
    size2: usize,
    out: *mut u8,
    max_out_size: usize,
    seed: c_uint,
) -> usize {
    // SAFETY: guaranteed by the caller.
    let (input, other) = unsafe { (memory::bytes(data1, size1), memory::bytes(data2, size2)) };
    let mut dice = Dice::new(u64::from(seed), 1);
    let crossed = guarded(None, || {
        mutator(|by| Some(by.cross(input, other, max_out_size, &mut dice)))
    });
    // SAFETY: guaranteed by the caller.
    unsafe { memory::put(out, max_out_size, crossed.as_deref().unwrap_or(input)) }
}

/// Replaces an input with the result of `change`, and returns the new size. If `change` panics, the
/// input remains unchanged.
///
/// # Safety
/// `data` must be null or point to `most` writable bytes, the first `size` of which are
/// initialized.
pub(super) unsafe fn rewritten(
    data: *mut u8,
    size: usize,
    most: usize,
    change: impl FnOnce(&[u8]) -> Vec<u8>,
) -> usize {
    let size = size.min(most);
    let made = guarded(None, || {
        // SAFETY: the caller guarantees that the bytes are initialized. They are written only after
        // the slice is no longer used.
        let input = unsafe { memory::bytes(data, size) };
        Some(change(input))
    });
    match made {
        // SAFETY: there are `most` writable bytes, and `made` is separate memory.
        Some(made) => unsafe { memory::put(data, most, &made) },
        None => size,
    }
}
