//! Mutated traces of every format, made smaller.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(failure) = tracegauge_fuzz::minimized(data) {
        panic!("{failure}");
    }
});
