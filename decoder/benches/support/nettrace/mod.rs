//! NetTrace 6: generated traces, and a reader written by hand for comparison.

pub mod by_hand;
pub mod traces;
