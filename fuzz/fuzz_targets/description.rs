//! A fuzz target that loads arbitrary text as a description.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    tracegauge_fuzz::description(data);
});
