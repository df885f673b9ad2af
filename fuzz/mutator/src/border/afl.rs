//! The functions that AFL++ calls. The opaque pointer that AFL++ passes to these functions is a
//! boxed [`Handle`].
//!
//! Pointers returned to AFL++ (`out_buf`, descriptions) point to memory owned by the handle and are
//! valid until the next call.

use std::ffi::{CString, c_char, c_int, c_uint, c_void};

use tracegauge_generator::mutate::Dice;

use super::{from_environment, guarded, memory};
use crate::mutator::Mutator;
use crate::shortening::{MOST_STEPS, Shortening};

/// The reciprocal of the probability that a mutation uses parts of the second input.
const ONE_IS_CROSSED: u64 = 4;

/// The state that the library retains between calls from AFL++.
pub struct Handle {
    mutator: Box<dyn Mutator>,
    seed: u64,
    calls: u64,
    out: Vec<u8>,
    described: CString,
    shortening: Option<Shortening>,
}

impl Handle {
    /// Creates a handle for `mutator` and returns a pointer to it. [`afl_custom_deinit`] must be
    /// called to free the handle.
    pub(super) fn given_away(mutator: Box<dyn Mutator>, seed: u64) -> *mut c_void {
        let handle = Self {
            mutator,
            seed,
            calls: 0,
            out: Vec::new(),
            described: CString::default(),
            shortening: None,
        };
        Box::into_raw(Box::new(handle)).cast()
    }

    /// Converts a pointer received from AFL++ to the handle that it points to.
    ///
    /// # Safety
    /// `data` must be null or a pointer from [`Self::given_away`] that has not been freed. Nothing
    /// else may use the handle during the lifetime of the result.
    unsafe fn from_raw<'a>(data: *mut c_void) -> Option<&'a mut Self> {
        // SAFETY: guaranteed by the caller.
        unsafe { data.cast::<Self>().as_mut() }
    }

    fn change(&mut self, input: &[u8], other: &[u8], most: usize) -> Vec<u8> {
        self.calls += 1;
        let mut dice = Dice::new(self.seed, self.calls);
        if !other.is_empty() && dice.one_in(ONE_IS_CROSSED) {
            self.mutator.cross(input, other, most, &mut dice)
        } else {
            self.mutator.change(input, most, &mut dice)
        }
    }

    /// Passes the result of `work` to AFL++. If `work` returns nothing or panics, the `size` bytes
    /// at `input` are passed instead.
    ///
    /// # Safety
    /// `out` must be null or writable.
    unsafe fn hand_out(
        &mut self,
        (input, size): (*mut u8, usize),
        out: *mut *mut u8,
        work: impl FnOnce(&mut Self) -> Option<Vec<u8>>,
    ) -> usize {
        let made = guarded(None, || work(self)).filter(|made| !made.is_empty());
        let (bytes, size) = match made {
            Some(made) => {
                self.out = made;
                (self.out.as_mut_ptr(), self.out.len())
            }
            None => (input, size),
        };
        if out.is_null() {
            return 0;
        }
        // SAFETY: guaranteed by the caller.
        unsafe { out.write(bytes) };
        size
    }
}

/// Initializes the library for the format specified by environment variables.
#[unsafe(no_mangle)]
pub extern "C" fn afl_custom_init(_afl: *mut c_void, seed: c_uint) -> *mut c_void {
    guarded(std::ptr::null_mut(), || {
        Handle::given_away(Box::new(from_environment()), u64::from(seed))
    })
}

/// Creates a mutated copy of the input at `buf`, of at most `max_size` bytes.
///
/// # Safety
/// `data` must be a pointer returned by [`afl_custom_init`]. `buf_size` bytes must be readable at
/// `buf`, and `add_buf_size` bytes at `add_buf`. `out_buf` must be writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_fuzz(
    data: *mut c_void,
    buf: *mut u8,
    buf_size: usize,
    out_buf: *mut *mut u8,
    add_buf: *const u8,
    add_buf_size: usize,
    max_size: usize,
) -> usize {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { Handle::from_raw(data) }) else {
        return 0;
    };
    let given = (buf, buf_size.min(max_size));
    // SAFETY: guaranteed by the caller.
    let (input, other) = unsafe {
        (
            memory::bytes(buf, buf_size),
            memory::bytes(add_buf, add_buf_size),
        )
    };
    let change = |handle: &mut Handle| Some(handle.change(input, other, max_size));
    // SAFETY: guaranteed by the caller.
    unsafe { handle.hand_out(given, out_buf, change) }
}

/// Returns the input to run instead of the input at `buf`. Both inputs are the same unless
/// `TRACEGAUGE_REPAIR` is set.
///
/// # Safety
/// The requirements are the same as for [`afl_custom_fuzz`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_post_process(
    data: *mut c_void,
    buf: *mut u8,
    buf_size: usize,
    out_buf: *mut *mut u8,
) -> usize {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { Handle::from_raw(data) }) else {
        return 0;
    };
    // SAFETY: guaranteed by the caller.
    let input = unsafe { memory::bytes(buf, buf_size) };
    let repair = |handle: &mut Handle| handle.mutator.repaired(input);
    // SAFETY: guaranteed by the caller.
    unsafe { handle.hand_out((buf, buf_size), out_buf, repair) }
}

/// Starts a search for shorter inputs. Returns the maximum number of candidates.
///
/// # Safety
/// The requirements are the same as for [`afl_custom_fuzz`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_init_trim(
    data: *mut c_void,
    buf: *mut u8,
    buf_size: usize,
) -> c_int {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { Handle::from_raw(data) }) else {
        return 0;
    };
    // SAFETY: guaranteed by the caller.
    let input = unsafe { memory::bytes(buf, buf_size) };
    handle.shortening = guarded(None, || handle.mutator.shortening(input));
    handle.shortening.as_ref().map_or(0, |_| steps(MOST_STEPS))
}

/// Returns the next shorter candidate.
///
/// # Safety
/// The requirements are the same as for [`afl_custom_fuzz`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_trim(data: *mut c_void, out_buf: *mut *mut u8) -> usize {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { Handle::from_raw(data) }) else {
        return 0;
    };
    let next = |handle: &mut Handle| Some(handle.shortening.as_ref()?.offered().to_vec());
    // SAFETY: guaranteed by the caller.
    unsafe { handle.hand_out((std::ptr::null_mut(), 0), out_buf, next) }
}

/// Records whether the shorter input behaved like the original. Returns the number of the next
/// candidate.
///
/// # Safety
/// The requirements are the same as for [`afl_custom_fuzz`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_post_trim(data: *mut c_void, success: u8) -> c_int {
    // SAFETY: guaranteed by the caller.
    let handle = unsafe { Handle::from_raw(data) };
    let shortening = handle.and_then(|handle| handle.shortening.as_mut());
    shortening.map_or(steps(MOST_STEPS), |shortening| {
        steps(shortening.answer(success != 0))
    })
}

/// Returns a description of the last mutation for AFL++ to use in a file name. The description is
/// at most `max_description_len` bytes long.
///
/// # Safety
/// The requirements are the same as for [`afl_custom_fuzz`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_describe(
    data: *mut c_void,
    max_description_len: usize,
) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    let Some(handle) = (unsafe { Handle::from_raw(data) }) else {
        return std::ptr::null();
    };
    let mut description = format!("tracegauge-{}", handle.mutator.described());
    description.truncate(max_description_len);
    handle.described = CString::new(description).unwrap_or_default();
    handle.described.as_ptr()
}

/// Frees the handle.
///
/// # Safety
/// `data` must be null or a pointer returned by [`afl_custom_init`], and must not be used
/// afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_deinit(data: *mut c_void) {
    if !data.is_null() {
        // SAFETY: the handle was created as a box, and it is freed only once.
        let handle = unsafe { Box::from_raw(data.cast::<Handle>()) };
        guarded((), || drop(handle));
    }
}

fn steps(count: u32) -> c_int {
    c_int::try_from(count).unwrap_or(c_int::MAX)
}
