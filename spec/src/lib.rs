//! The description language of tracegauge: YAML to a checked [`schema::Schema`] to an
//! executable plan.

pub mod expression;
pub mod plan;
pub mod schema;
pub mod source;
