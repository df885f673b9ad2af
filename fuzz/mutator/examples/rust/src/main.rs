//! A fuzz target for the `dial9-trace-format` crate.

#![no_main]

use dial9_trace_format::decoder::Decoder;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(mut decoder) = Decoder::new(data) {
        // The result for a malformed trace does not matter here; only crashes do.
        let _ = decoder.for_each_event(|event| {
            std::hint::black_box((event.name, event.fields));
        });
    }
});
