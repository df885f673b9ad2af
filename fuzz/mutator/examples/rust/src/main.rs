//! The crate `dial9-trace-format` as a fuzz target.

#![no_main]

use dial9_trace_format::decoder::Decoder;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(mut decoder) = Decoder::new(data) {
        // What it says of a malformed trace is its own affair here.
        let _ = decoder.for_each_event(|event| {
            std::hint::black_box((event.name, event.fields));
        });
    }
});
