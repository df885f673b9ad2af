//! Tests that the decoder finds faults where they were planted.

#![allow(clippy::unwrap_used)]

mod support;

mod aligned;
mod bundled;
mod dialects;
mod generated;
mod order;
mod parts;
mod ruled_out;
mod splice;
