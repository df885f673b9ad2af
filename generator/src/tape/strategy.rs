//! A `proptest` strategy for tapes.

use proptest::prelude::{Strategy, any};

use super::Tape;

/// Returns a strategy for tapes of up to `most` bytes. Shrinking removes ranges and decreases
/// bytes, both of which lead to smaller traces.
pub fn tapes(most: usize) -> impl Strategy<Value = Tape> {
    proptest::collection::vec(any::<u8>(), 0..=most).prop_map(Tape::new)
}
