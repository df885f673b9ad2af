//! A fuzz target that decodes arbitrary bytes as traces of all formats.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(failure) = tracegauge_fuzz::decode(data) {
        panic!("{failure}");
    }
});
