//! The terms that descriptions and plans share: encodings, kinds of faults, rules and meanings.

mod fault;
mod ids;
mod layout;
mod meaning;
mod number;
mod rule;
mod state;
mod text;

pub use fault::{FaultKind, RuleRef};
pub use ids::{
    ColumnId, EnumId, FlagsId, JsonId, LayoutId, RecordId, RegisterId, RuleId, TableId, TypeId,
};
pub use layout::LocatedFrom;
pub use meaning::{Epoch, JsonKind, Meaning};
pub use number::{BitOrder, Endian, Scalar, ScalarKind, VariableKind};
pub use rule::{Continuation, FaultClass, Level, ReaderDuty, Rule};
pub use state::Keeps;
pub use text::Encoding;
