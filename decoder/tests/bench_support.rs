//! Tests that the benchmark uses the trace on which the published decoding rates were measured.

#![allow(clippy::unwrap_used)]

#[path = "../benches/support/peers.rs"]
mod peers;
#[path = "../benches/support/recipe.rs"]
mod recipe;

use crate::nettrace;
use nettrace::by_hand::{Asked, read};
use nettrace::traces::{Payloads, trace};
use recipe::recipe;
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

#[test]
fn the_recipe_makes_the_file_that_the_real_writer_made() {
    let real = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../corpus/real/dial9-v1/encoder_mixed_200.trc"
    );
    assert!(recipe(200) == std::fs::read(real).unwrap());
}

#[test]
fn the_recipe_makes_the_long_traces_too() {
    for (events, length, hash) in [
        // encoder_mixed_20000.trc: SHA-256 156362c65cdeaf3f…
        (
            20_000,
            1_013_247,
            "789852e2270f2bea6133fd6ab1aac48323718472dcaf92cfc84477e8f42a114c",
        ),
        // The trace on which the published decoding rates were measured: SHA-256 ba0f5f9e3e4e943b…
        (
            2_100_000,
            106_287_199,
            "cad494647de6a6a4af97474abd66d283887c737a38961788acf6955b24f80bed",
        ),
    ] {
        let bytes = recipe(events);
        assert_eq!(bytes.len(), length);
        assert_eq!(blake3::hash(&bytes).to_hex().as_str(), hash, "{events}");
    }
}

#[test]
fn the_peers_count_every_event() {
    let bytes = recipe(20_000);
    assert_eq!(peers::for_each_event(&bytes).unwrap(), 20_000);
    assert_eq!(peers::next_frame(&bytes).unwrap(), 20_000);
}

#[test]
fn a_peer_says_what_stopped_it() {
    let bytes = recipe(20);
    assert!(matches!(
        peers::for_each_event(&bytes[..bytes.len() - 1]),
        Err(peers::Stopped::Decode(_))
    ));
    assert!(matches!(
        peers::next_frame(b"no trace"),
        Err(peers::Stopped::NotATrace)
    ));
}

#[test]
fn made_traces_are_right_and_read_by_hand_to_their_last_event() {
    let format = bundled::find("nettrace-v6")[0];
    let schema = std::sync::Arc::new(format.load().schema.unwrap());
    let plan = lower(&schema, "nettrace-v6").unwrap();
    for payloads in [
        Payloads::None,
        Payloads::Fixed,
        Payloads::Texts,
        Payloads::Nested,
    ] {
        let bytes = trace(payloads, 3_000);
        assert!(bytes == trace(payloads, 3_000));
        let (verdict, records) = tracegauge_decoder::decode(&plan, &bytes);
        assert_eq!(
            verdict.judgement,
            tracegauge_decoder::Judgement::Accepted,
            "{payloads:?}"
        );
        let events = records.iter().filter(|record| record.kind == "event");
        assert_eq!(events.count(), 3_000, "{payloads:?}");
        for asked in [Asked::Headers, Asked::Payloads, Asked::Checked] {
            assert_eq!(read(&bytes, asked), Some(3_000), "{payloads:?} {asked:?}");
            assert_eq!(read(&bytes[..bytes.len() - 5], asked), None);
        }
    }
}
