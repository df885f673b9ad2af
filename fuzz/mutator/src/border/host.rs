//! What the process gives that the library is in.

use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;

/// libFuzzer's own mutator: data, size, most bytes; the new size.
type Mutate = unsafe extern "C" fn(*mut u8, usize, usize) -> usize;

const MUTATE: &CStr = c"LLVMFuzzerMutate";

/// libFuzzer's own mutator, where the program shows it: it knows what the program has compared
/// lately, and the words of `-dict`.
pub(super) fn mutate() -> Option<Mutate> {
    static FOUND: OnceLock<Option<Mutate>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let found: *mut c_void = shown(MUTATE);
        // SAFETY: who defines this name defines libFuzzer's interface, which has this type; an
        // `Option` of a function has the null pointer for none.
        unsafe { std::mem::transmute::<*mut c_void, Option<Mutate>>(found) }
    })
}

#[cfg(not(miri))]
fn shown(name: &CStr) -> *mut c_void {
    // SAFETY: `name` ends with a zero byte, and the handle is one that needs no opening.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}

/// Miri has no dynamic symbols.
#[cfg(miri)]
fn shown(_name: &CStr) -> *mut c_void {
    std::ptr::null_mut()
}

/// Ends the process without what a fuzzer does at its end: it would call that a crash.
pub(super) fn leave(status: c_int) -> ! {
    // SAFETY: ends the process, whatever its state.
    unsafe { libc::_exit(status) }
}
