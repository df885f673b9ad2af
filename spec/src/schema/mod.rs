//! The schema: a checked description, in which names are resolved to ids and every element records
//! its location in the source.
//!
//! Expressions still contain names, because the meaning of `_parent.size`, for example, depends on
//! where a type is used. The checker has verified that every use resolves to a value of a suitable
//! type. Lowering then resolves the names separately for each use.

mod constraint;
mod field;
mod format;
mod json;
mod layout;
mod record;
mod state;
mod type_ref;

pub use constraint::{Constraint, ConstraintKind, FaultMap, Obedience};
pub use field::{
    Align, Arrange, AtLeast, Carry, CarryMode, Check, Elements, Field, FieldRole, FieldSource,
    Generation, Instance, LayoutUse, ListAs, Plain, Position, Refs, Repeat, Size, Terminator,
    Unique,
};
pub use format::{Detect, Dialect, Limit, LimitKind, LimitSubject, Meta, Schema, Untestable};
pub use json::{JsonMember, JsonSchema};
pub use layout::{
    CodeCount, CodeLabel, CodeLayout, Layout, LayoutCode, LayoutEntry, LayoutOptional, LayoutText,
    Located,
};
pub use record::{Member, MemberValue, Record, RecordOrder};
pub use state::{
    Again, Clear, ClearTarget, Column, Define, InitialRow, Kind, Register, RegisterType, Remove,
    RowComparison, Set, SetTarget, Table, TableKey,
};
pub use type_ref::{
    EndianChoice, EnumMember, Enumeration, FlagBit, FlagSet, Param, ParamType, SwitchCase, Type,
    TypeBody, TypeRef,
};

pub use tracegauge_plan::terms::{
    BitOrder, ColumnId, Continuation, Encoding, Endian, EnumId, Epoch, FaultClass, FaultKind,
    FlagsId, JsonId, JsonKind, Keeps, LayoutId, Level, LocatedFrom, Meaning, ReaderDuty, RecordId,
    RegisterId, Rule, RuleId, RuleRef, Scalar, ScalarKind, TableId, TypeId, VariableKind,
};
