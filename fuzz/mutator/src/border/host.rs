//! Functions of the process that loads the library.

use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;

/// The type of libFuzzer's own mutator. The function takes the data, its size and the maximum size,
/// and returns the new size.
type Mutate = unsafe extern "C" fn(*mut u8, usize, usize) -> usize;

const MUTATE: &CStr = c"LLVMFuzzerMutate";

/// Returns libFuzzer's own mutator if the program exports it. libFuzzer's mutator inserts words
/// passed with `-dict` and values that the program recently compared.
pub(super) fn mutate() -> Option<Mutate> {
    static FOUND: OnceLock<Option<Mutate>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let found: *mut c_void = shown(MUTATE);
        // SAFETY: a program that defines this name implements libFuzzer's interface, in which the
        // function has this type. A null pointer is a valid `Option` of a function and means
        // `None`.
        unsafe { std::mem::transmute::<*mut c_void, Option<Mutate>>(found) }
    })
}

#[cfg(not(miri))]
fn shown(name: &CStr) -> *mut c_void {
    // SAFETY: `name` ends with a zero byte, and `RTLD_DEFAULT` is a handle that does not have to be
    // opened.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}

/// Returns a null pointer, because Miri does not support dynamic symbols.
#[cfg(miri)]
fn shown(_name: &CStr) -> *mut c_void {
    std::ptr::null_mut()
}

/// Ends the process without running exit handlers. A fuzzer's exit handler would report a crash.
pub(super) fn leave(status: c_int) -> ! {
    // SAFETY: `_exit` may be called in any state of the process.
    unsafe { libc::_exit(status) }
}
