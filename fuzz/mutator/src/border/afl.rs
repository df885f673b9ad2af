//! What AFL++ calls. The handle that it passes around is a [`Handle`] in a box.
//!
//! What is handed out (`out_buf`, descriptions) is memory of the handle, good until the next call.

use std::ffi::{CString, c_char, c_int, c_uint, c_void};

use tracegauge_generator::mutate::Dice;

use super::{from_environment, guarded, memory};
use crate::mutator::Mutator;
use crate::shortening::{MOST_STEPS, Shortening};

/// So often a change takes parts of the second input.
const ONE_IS_CROSSED: u64 = 4;

/// What AFL++ holds of the library.
pub struct Handle {
    mutator: Box<dyn Mutator>,
    seed: u64,
    calls: u64,
    out: Vec<u8>,
    described: CString,
    shortening: Option<Shortening>,
}

impl Handle {
    /// A handle on `mutator`, to be given back by [`afl_custom_deinit`].
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

    /// The handle that AFL++ passes back.
    ///
    /// # Safety
    /// `data` is null, or from [`Self::given_away`], not yet given back, and used by nobody else
    /// as long as this is.
    unsafe fn from_raw<'a>(data: *mut c_void) -> Option<&'a mut Self> {
        // SAFETY: as the caller says.
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

    /// Hands out what `work` makes. Where it makes nothing, or panics, that is the input, the
    /// `size` bytes at `input`.
    ///
    /// # Safety
    /// `out` is null or can be written.
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
        // SAFETY: as the caller says.
        unsafe { out.write(bytes) };
        size
    }
}

/// Makes the library ready, for the format that the environment names.
#[unsafe(no_mangle)]
pub extern "C" fn afl_custom_init(_afl: *mut c_void, seed: c_uint) -> *mut c_void {
    guarded(std::ptr::null_mut(), || {
        Handle::given_away(Box::new(from_environment()), u64::from(seed))
    })
}

/// Another input near that at `buf`, of `max_size` bytes at most.
///
/// # Safety
/// `data` is from [`afl_custom_init`]; `buf_size` bytes can be read at `buf`, `add_buf_size` at
/// `add_buf`; `out_buf` can be written.
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
    // SAFETY: as the caller says.
    let Some(handle) = (unsafe { Handle::from_raw(data) }) else {
        return 0;
    };
    let given = (buf, buf_size.min(max_size));
    // SAFETY: as the caller says.
    let (input, other) = unsafe {
        (
            memory::bytes(buf, buf_size),
            memory::bytes(add_buf, add_buf_size),
        )
    };
    let change = |handle: &mut Handle| Some(handle.change(input, other, max_size));
    // SAFETY: as the caller says.
    unsafe { handle.hand_out(given, out_buf, change) }
}

/// What is run in place of the input at `buf`: itself, unless `TRACEGAUGE_REPAIR` is set.
///
/// # Safety
/// As for [`afl_custom_fuzz`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_post_process(
    data: *mut c_void,
    buf: *mut u8,
    buf_size: usize,
    out_buf: *mut *mut u8,
) -> usize {
    // SAFETY: as the caller says.
    let Some(handle) = (unsafe { Handle::from_raw(data) }) else {
        return 0;
    };
    // SAFETY: as the caller says.
    let input = unsafe { memory::bytes(buf, buf_size) };
    let repair = |handle: &mut Handle| handle.mutator.repaired(input);
    // SAFETY: as the caller says.
    unsafe { handle.hand_out((buf, buf_size), out_buf, repair) }
}

/// Begins to look for shorter inputs; how many are tried at most.
///
/// # Safety
/// As for [`afl_custom_fuzz`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_init_trim(
    data: *mut c_void,
    buf: *mut u8,
    buf_size: usize,
) -> c_int {
    // SAFETY: as the caller says.
    let Some(handle) = (unsafe { Handle::from_raw(data) }) else {
        return 0;
    };
    // SAFETY: as the caller says.
    let input = unsafe { memory::bytes(buf, buf_size) };
    handle.shortening = guarded(None, || handle.mutator.shortening(input));
    handle.shortening.as_ref().map_or(0, |_| steps(MOST_STEPS))
}

/// The next shorter input.
///
/// # Safety
/// As for [`afl_custom_fuzz`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_trim(data: *mut c_void, out_buf: *mut *mut u8) -> usize {
    // SAFETY: as the caller says.
    let Some(handle) = (unsafe { Handle::from_raw(data) }) else {
        return 0;
    };
    let next = |handle: &mut Handle| Some(handle.shortening.as_ref()?.offered().to_vec());
    // SAFETY: as the caller says.
    unsafe { handle.hand_out((std::ptr::null_mut(), 0), out_buf, next) }
}

/// Whether the shorter input did the same; the number of the next one.
///
/// # Safety
/// As for [`afl_custom_fuzz`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_post_trim(data: *mut c_void, success: u8) -> c_int {
    // SAFETY: as the caller says.
    let handle = unsafe { Handle::from_raw(data) };
    let shortening = handle.and_then(|handle| handle.shortening.as_mut());
    shortening.map_or(steps(MOST_STEPS), |shortening| {
        steps(shortening.answer(success != 0))
    })
}

/// What the last change was, for the name of a file: at most so many bytes.
///
/// # Safety
/// As for [`afl_custom_fuzz`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_describe(
    data: *mut c_void,
    max_description_len: usize,
) -> *const c_char {
    // SAFETY: as the caller says.
    let Some(handle) = (unsafe { Handle::from_raw(data) }) else {
        return std::ptr::null();
    };
    let mut description = format!("tracegauge-{}", handle.mutator.described());
    description.truncate(max_description_len);
    handle.described = CString::new(description).unwrap_or_default();
    handle.described.as_ptr()
}

/// Gives the handle back.
///
/// # Safety
/// `data` is from [`afl_custom_init`] and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_deinit(data: *mut c_void) {
    if !data.is_null() {
        // SAFETY: boxed when it was given away, and given back once.
        let handle = unsafe { Box::from_raw(data.cast::<Handle>()) };
        guarded((), || drop(handle));
    }
}

fn steps(count: u32) -> c_int {
    c_int::try_from(count).unwrap_or(c_int::MAX)
}
