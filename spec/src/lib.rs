//! The description language of tracegauge. This crate loads YAML files, converts them to a checked
//! [`schema::Schema`], and lowers the schema to an executable plan.

pub mod bundled;
mod check;
pub mod diagnostic;
pub mod expression;
pub mod load;
pub mod lower;
pub mod page;
pub mod schema;
pub mod yaml;
