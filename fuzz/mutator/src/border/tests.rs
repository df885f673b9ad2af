//! Tests the C interface with a mutator that needs no description. The functions must access only
//! the memory that their safety requirements allow. Miri runs these tests too.

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use tracegauge_generator::mutate::Dice;

use super::afl::{
    Handle, afl_custom_deinit, afl_custom_describe, afl_custom_fuzz, afl_custom_init_trim,
    afl_custom_post_process, afl_custom_post_trim, afl_custom_trim,
};
use super::libfuzzer::rewritten;
use super::memory;
use crate::mutator::Mutator;
use crate::shortening::{MOST_STEPS, Shortening};

/// A mutator that reverses its input. The mutator also appends the original if the input begins
/// with `d`, and panics if the input begins with `!`.
struct Simple;

impl Mutator for Simple {
    fn change(&mut self, input: &[u8], most: usize, _: &mut Dice) -> Vec<u8> {
        assert_ne!(input.first(), Some(&b'!'), "the input requests a panic");
        let mut made: Vec<u8> = input.iter().rev().copied().collect();
        if input.first() == Some(&b'd') {
            made.extend_from_slice(input);
        }
        made.truncate(most);
        made
    }

    fn cross(&mut self, input: &[u8], other: &[u8], most: usize, _: &mut Dice) -> Vec<u8> {
        let mut made = [input, b"+", other].concat();
        made.truncate(most);
        made
    }

    fn described(&self) -> &str {
        "turned\0around"
    }

    fn repaired(&mut self, input: &[u8]) -> Option<Vec<u8>> {
        (input == b"broken").then(|| b"mended!".to_vec())
    }

    fn shortening(&self, input: &[u8]) -> Option<Shortening> {
        let mut best = input.to_vec();
        Shortening::of(move |shows| {
            while let Some(shorter) = best.len().checked_sub(1) {
                match shows(&best[..shorter]) {
                    Some(true) => best.truncate(shorter),
                    Some(false) | None => return,
                }
            }
        })
    }
}

/// A handle that is freed when it is dropped.
struct Held(*mut c_void);

impl Held {
    fn new() -> Self {
        Self(Handle::given_away(Box::new(Simple), 7))
    }

    fn fuzz(&self, input: &mut [u8], other: &[u8], most: usize) -> Vec<u8> {
        let mut out = null_mut();
        let (data, size) = (input.as_mut_ptr(), input.len());
        let (added, more) = (other.as_ptr(), other.len());
        // SAFETY: the arguments describe existing memory.
        unsafe {
            let made = afl_custom_fuzz(self.0, data, size, &raw mut out, added, more, most);
            memory::bytes(out, made).to_vec()
        }
    }

    fn post_process(&self, input: &mut [u8]) -> Vec<u8> {
        let mut out = null_mut();
        let (data, size) = (input.as_mut_ptr(), input.len());
        // SAFETY: the arguments describe existing memory.
        unsafe {
            let made = afl_custom_post_process(self.0, data, size, &raw mut out);
            memory::bytes(out, made).to_vec()
        }
    }

    fn trim(&self) -> Vec<u8> {
        let mut out = null_mut();
        // SAFETY: the arguments describe existing memory.
        unsafe {
            let made = afl_custom_trim(self.0, &raw mut out);
            memory::bytes(out, made).to_vec()
        }
    }

    fn init_trim(&self, input: &mut [u8]) -> i32 {
        // SAFETY: the arguments describe existing memory.
        unsafe { afl_custom_init_trim(self.0, input.as_mut_ptr(), input.len()) }
    }

    fn post_trim(&self, success: u8) -> i32 {
        // SAFETY: the handle has not been freed.
        unsafe { afl_custom_post_trim(self.0, success) }
    }

    fn described(&self, most: usize) -> String {
        // SAFETY: the handle has not been freed, and the returned text ends with a zero byte.
        let text = unsafe { CStr::from_ptr(afl_custom_describe(self.0, most)) };
        text.to_str().unwrap().to_owned()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: the handle is freed only once.
        unsafe { afl_custom_deinit(self.0) }
    }
}

/// Mutates `input` in a buffer of `most` bytes, and returns the result.
fn in_place(input: &[u8], most: usize, change: impl FnOnce(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut buffer = input.to_vec();
    buffer.resize(most, b'.');
    // SAFETY: the buffer has `most` bytes.
    let size = unsafe { rewritten(buffer.as_mut_ptr(), input.len(), most, change) };
    buffer.truncate(size);
    buffer
}

fn turned(input: &[u8]) -> Vec<u8> {
    Simple.change(input, usize::MAX, &mut Dice::new(0, 0))
}

#[test]
fn an_input_is_changed_in_its_place() {
    assert_eq!(in_place(b"abc", 3, turned), b"cba");
    assert_eq!(in_place(b"dab", 10, turned), b"baddab");
    assert_eq!(in_place(b"", 10, turned), b"");
}

#[test]
fn nothing_is_written_past_the_room() {
    assert_eq!(in_place(b"dab", 4, turned), b"badd");
    assert_eq!(in_place(b"dab", 3, turned), b"bad");
}

#[test]
fn null_and_sizes_that_cannot_be_are_no_bytes() {
    // SAFETY: null is allowed, and invalid sizes are not read.
    unsafe {
        assert_eq!(memory::bytes(null(), 5), b"");
        assert_eq!(memory::bytes([1_u8].as_ptr(), usize::MAX), b"");
        assert_eq!(memory::put(null_mut(), 5, b"abc"), 0);
        assert_eq!(rewritten(null_mut(), 0, 0, turned), 0);
    }
}

#[test]
fn a_panic_leaves_the_input_as_it_was() {
    assert_eq!(in_place(b"!bc", 8, turned), b"!bc");
    let held = Held::new();
    assert_eq!(held.fuzz(&mut b"!bc".to_vec(), b"", 8), b"!bc");
    assert_eq!(held.fuzz(&mut b"abc".to_vec(), b"", 8), b"cba");
}

#[test]
fn afl_gets_other_inputs_within_the_room() {
    let held = Held::new();
    assert_eq!(held.fuzz(&mut b"abc".to_vec(), b"", 8), b"cba");
    assert_eq!(held.fuzz(&mut b"dab".to_vec(), b"", 5), b"badda");
    // An empty result is not allowed, so the given input is used, truncated to the limit.
    assert_eq!(held.fuzz(&mut b"abc".to_vec(), b"", 0), b"");
}

#[test]
fn a_second_input_is_taken_from_time_to_time_and_always_at_the_same() {
    let kinds = || {
        let held = Held::new();
        let calls = (0..40).map(|_| held.fuzz(&mut b"ab".to_vec(), b"cd", 8));
        calls.collect::<Vec<_>>()
    };
    let first = kinds();
    assert_eq!(first, kinds());
    let crossed = first.iter().filter(|made| *made == b"ab+cd").count();
    assert!((3..25).contains(&crossed), "{crossed}");
    assert!(first.iter().any(|made| made == b"ba"));
}

#[test]
fn what_needs_no_repair_is_handed_back_itself() {
    let held = Held::new();
    assert_eq!(held.post_process(&mut b"broken".to_vec()), b"mended!");
    let mut whole = b"whole".to_vec();
    let (data, mut out) = (whole.as_mut_ptr(), null_mut());
    // SAFETY: the arguments describe existing memory.
    let size = unsafe { afl_custom_post_process(held.0, data, 5, &raw mut out) };
    assert_eq!((out, size), (data, 5));
}

#[test]
fn shorter_inputs_come_until_none_will_do() {
    let held = Held::new();
    assert_eq!(held.init_trim(&mut b"abcd".to_vec()), 200);
    assert_eq!(held.trim(), b"abc");
    // A second request returns the same candidate.
    assert_eq!(held.trim(), b"abc");
    assert_eq!(held.post_trim(1), 1);
    assert_eq!(held.trim(), b"ab");
    assert_eq!(held.post_trim(0), 200);
    assert_eq!(held.post_trim(0), 200);
}

#[test]
fn what_cannot_be_shorter_has_no_steps_and_a_search_may_be_left() {
    let held = Held::new();
    assert_eq!(held.init_trim(&mut []), 0);
    // An empty candidate is never offered.
    assert_eq!(held.init_trim(&mut b"x".to_vec()), 0);
    assert_eq!(held.trim(), b"");
    assert_eq!(held.init_trim(&mut b"abcd".to_vec()), 200);
    assert_eq!(held.init_trim(&mut b"ef".to_vec()), 200);
    assert_eq!(held.trim(), b"e");
}

#[test]
fn a_search_without_end_is_ended() {
    let mut search = Shortening::of(|shows| while shows(b"x").is_some() {}).unwrap();
    let steps = (1..).find(|_| search.answer(false) == MOST_STEPS);
    assert_eq!(steps, Some(MOST_STEPS));
}

#[test]
fn descriptions_have_no_zeros_and_fit() {
    let held = Held::new();
    // A description that contains a zero byte cannot be returned.
    assert_eq!(held.described(100), "");
    assert_eq!(held.described(17), "tracegauge-turned");
    assert_eq!(held.described(0), "");
}

#[test]
fn a_library_that_is_not_ready_changes_nothing() {
    let none = std::mem::ManuallyDrop::new(Held(null_mut()));
    assert_eq!(none.fuzz(&mut b"abc".to_vec(), b"", 8), b"");
    assert_eq!(none.post_process(&mut b"abc".to_vec()), b"");
    assert_eq!(none.init_trim(&mut b"abc".to_vec()), 0);
    assert_eq!(none.post_trim(1), 200);
    // SAFETY: null is allowed.
    unsafe {
        assert!(afl_custom_describe(null_mut(), 8).is_null());
        afl_custom_deinit(null_mut());
    }
}
