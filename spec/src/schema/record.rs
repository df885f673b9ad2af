//! Records, which readers are expected to report.

use super::{Obedience, TypeId};
use crate::expression::Expr;
use tracegauge_plan::source::SourceSpan;

/// A kind of record.
#[derive(Clone, Debug)]
pub struct Record {
    /// The name of the record kind.
    pub name: String,
    /// The types whose elements are reported as records of this kind.
    pub from: Vec<TypeId>,
    /// The condition under which an element is reported as a record.
    pub condition: Option<Expr>,
    /// Whether readers may omit records of this kind.
    pub optional: bool,
    /// The orders in which a reader may report records.
    pub order: RecordOrder,
    /// The members, starting with those inherited through `extends`.
    pub members: Vec<Member>,
    /// The rules that a record exercises.
    pub obeys: Vec<Obedience>,
    /// The location of the record kind's definition.
    pub span: SourceSpan,
}

/// The orders in which a reader may report records. File order is always correct.
#[derive(Clone, Debug, Default)]
pub struct RecordOrder {
    /// The members that the alternative order sorts records by.
    pub also_by: Vec<String>,
    /// An expression that restricts the alternative order: records that are equal in `also_by` must
    /// stay in file order if the expression has the same value for them. `None` means that records
    /// that are equal in `also_by` always stay in file order (`stable`).
    pub ties: Option<Expr>,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Member {
    /// The name of the member.
    pub name: String,
    /// The value of the member.
    pub value: MemberValue,
    /// The location of the member in the description.
    pub span: SourceSpan,
}

/// The value of a record member.
#[derive(Clone, Debug)]
pub enum MemberValue {
    /// The value of an expression over the fields of the type.
    Expression(Expr),
    /// An object with members.
    Object(Vec<Member>),
}
