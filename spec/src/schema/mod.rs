//! The schema: a checked description, in which names are resolved to ids and every element records
//! its location in the source.
//!
//! Expressions still contain names, because the meaning of `_parent.size`, for example, depends on
//! where a type is used. The checker has verified that every use resolves to a value of a suitable
//! type. Lowering then resolves the names separately for each use.

mod constraint;
mod field;
mod format;
mod ids;
mod layout;
mod meaning;
mod record;
mod rule;
mod state;
mod type_ref;

pub use constraint::{Constraint, ConstraintKind, FaultKind, FaultMap, Obedience, RuleRef};
pub use field::{
    Align, Arrange, AtLeast, Bridge, Carry, CarryMode, Check, Elements, Field, FieldRole,
    FieldSource, Generation, Instance, LayoutUse, ListAs, Plain, Position, Refs, Repeat, Size,
    Terminator, Unique,
};
pub use format::{Detect, Dialect, Limit, LimitKind, LimitSubject, Meta, Schema, Untestable};
pub use ids::{EnumId, FlagsId, JsonId, LayoutId, RecordId, RegisterId, RuleId, TableId, TypeId};
pub use layout::{
    CodeCount, CodeLabel, CodeLayout, Layout, LayoutCode, LayoutEntry, LayoutOptional, LayoutText,
    Located, LocatedFrom,
};
pub use meaning::{Epoch, JsonKind, JsonMember, JsonSchema, Meaning};
pub use record::{Member, MemberValue, Record, RecordOrder};
pub use rule::{Continuation, FaultClass, Level, ReaderDuty, Rule};
pub use state::{
    Again, Clear, ClearTarget, Column, Define, InitialRow, Keeps, Kind, Register, RegisterType,
    Remove, RowComparison, Set, SetTarget, Table, TableKey,
};
pub use type_ref::{
    BitOrder, Encoding, Endian, EndianChoice, EnumMember, Enumeration, FlagBit, FlagSet, Param,
    ParamType, Scalar, ScalarKind, SwitchCase, Type, TypeBody, TypeRef, VariableKind,
};
