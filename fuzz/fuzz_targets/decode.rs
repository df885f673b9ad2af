//! A fuzz target that decodes arbitrary bytes as a trace of every format.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(failure) = tracegauge_fuzz::decode(data) {
        panic!("{failure}");
    }
});
