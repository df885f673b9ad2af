//! Tests that the decoder finds faults where they were planted.

#![allow(clippy::unwrap_used)]

mod support;

mod aligned;
mod bundled;
mod dialects;
mod generated;
mod infeasible;
mod order;
mod parts;
mod splice;
mod visible;
