//! Any bytes as what a reader answers.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    tracegauge_fuzz::answer(data);
});
