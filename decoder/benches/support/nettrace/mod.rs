//! NetTrace 6: traces to measure on, and the same bytes read by hand.

pub mod by_hand;
pub mod traces;
