//! A fuzz target that generates traces of all formats from arbitrary tapes.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(failure) = tracegauge_fuzz::tape(data) {
        panic!("{failure}");
    }
});
