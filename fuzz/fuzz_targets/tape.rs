//! A fuzz target that generates traces of all formats from arbitrary tapes, which are sequences of
//! random choices.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(failure) = tracegauge_fuzz::tape(data) {
        panic!("{failure}");
    }
});
