//! The description language of tracegauge: YAML to a checked [`schema::Schema`] to an
//! executable plan.

pub mod bundled;
mod check;
pub mod diagnostic;
pub mod expression;
pub mod load;
pub mod page;
pub mod plan;
pub mod schema;
pub mod source;
pub mod yaml;
