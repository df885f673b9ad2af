//! Mutated traces of every format.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err((format, broken)) = tracegauge_fuzz::mutated(data) {
        panic!("{format}: {broken}");
    }
});
