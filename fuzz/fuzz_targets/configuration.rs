//! A fuzz target that parses arbitrary text as a baseline and as a reader file.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    tracegauge_fuzz::configuration(data);
});
