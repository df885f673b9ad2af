//! A fuzz target that generates traces of every format from any tape.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(failure) = tracegauge_fuzz::tape(data) {
        panic!("{failure}");
    }
});
