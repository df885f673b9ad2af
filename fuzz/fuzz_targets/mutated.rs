//! A fuzz target that decodes mutated traces of all formats.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(failure) = tracegauge_fuzz::mutated(data) {
        panic!("{failure}");
    }
});
