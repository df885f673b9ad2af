//! The benchmark's trace is the one that the figures in the reports were measured on.

#![allow(clippy::unwrap_used)]

#[path = "../benches/support/peers.rs"]
mod peers;
#[path = "../benches/support/recipe.rs"]
mod recipe;

use recipe::recipe;

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
        // The trace of the measured rates: SHA-256 ba0f5f9e3e4e943b…
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
