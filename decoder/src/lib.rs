//! The reference decoder: a plan and bytes in; records, a verdict and spans out.

pub mod record;
