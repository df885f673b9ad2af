//! The generator: malformed traces with a single fault, made from valid ones.

pub mod fault;
