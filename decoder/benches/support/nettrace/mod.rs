//! NetTrace 6: generated traces, and a handwritten reader for comparison.

pub mod by_hand;
pub mod traces;
