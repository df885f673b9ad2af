//! What libFuzzer calls.

use std::ffi::c_uint;
use std::sync::{Mutex, OnceLock, PoisonError};

use tracegauge_generator::mutate::Dice;

use super::{from_environment, guarded, host, memory};
use crate::mutator::{Mutator, TraceMutator};

/// So often libFuzzer's own changes come, where they can be had.
const ONE_IS_OF_THE_HOST: u64 = 3;

/// The mutator of this process.
fn mutator<T>(work: impl FnOnce(&mut dyn Mutator) -> T) -> T {
    static MUTATOR: OnceLock<Mutex<TraceMutator>> = OnceLock::new();
    let mutator = MUTATOR.get_or_init(|| Mutex::new(from_environment()));
    // What a panic has left is whole: it is what has been decoded, and nothing half done.
    work(&mut *mutator.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Changes `size` bytes at `data` in place, to at most `max_size`, and returns how many there
/// are.
///
/// # Safety
/// As libFuzzer calls it: there are `max_size` bytes at `data`, and `size` of them are set.
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
        // SAFETY: libFuzzer's own, called with what libFuzzer has given.
        return unsafe { mutate(data, size, max_size) };
    }
    let change = |input: &[u8]| mutator(|by| by.change(input, max_size, &mut dice));
    // SAFETY: as the caller says.
    unsafe { rewritten(data, size, max_size, change) }
}

/// Puts a trace of parts of two into `max_out_size` bytes at `out`, and returns its size.
///
/// # Safety
/// As libFuzzer calls it: `size1` and `size2` bytes can be read at `data1` and `data2`, and
/// `max_out_size` bytes can be written at `out`, which is elsewhere.
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
    // SAFETY: as the caller says.
    let (input, other) = unsafe { (memory::bytes(data1, size1), memory::bytes(data2, size2)) };
    let mut dice = Dice::new(u64::from(seed), 1);
    let crossed = guarded(None, || {
        mutator(|by| Some(by.cross(input, other, max_out_size, &mut dice)))
    });
    // SAFETY: as the caller says.
    unsafe { memory::put(out, max_out_size, crossed.as_deref().unwrap_or(input)) }
}

/// Puts what `change` makes of an input in its place, and returns its size; where it panics, the
/// input stays.
///
/// # Safety
/// `data` is null or has room for `most` bytes, of which `size` are set.
pub(super) unsafe fn rewritten(
    data: *mut u8,
    size: usize,
    most: usize,
    change: impl FnOnce(&[u8]) -> Vec<u8>,
) -> usize {
    let size = size.min(most);
    let made = guarded(None, || {
        // SAFETY: set, as the caller says, and written only once this is done.
        let input = unsafe { memory::bytes(data, size) };
        Some(change(input))
    });
    match made {
        // SAFETY: there is room, and what was made is memory of ours.
        Some(made) => unsafe { memory::put(data, most, &made) },
        None => size,
    }
}
