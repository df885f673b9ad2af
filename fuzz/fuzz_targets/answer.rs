//! A fuzz target that interprets arbitrary bytes as the output of a reader.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    tracegauge_fuzz::answer(data);
});
