//! Tapes for `proptest`.

use proptest::prelude::{Strategy, any};

use super::Tape;

/// Tapes of up to `most` bytes. Shrinking drops parts and makes bytes smaller, which makes
/// smaller traces.
pub fn tapes(most: usize) -> impl Strategy<Value = Tape> {
    proptest::collection::vec(any::<u8>(), 0..=most).prop_map(Tape::new)
}
