//! Records: what a reader is expected to report.

use super::{Obedience, TypeId};
use crate::expression::Expr;
use crate::source::SourceSpan;

/// A kind of record.
#[derive(Clone, Debug)]
pub struct Record {
    /// Name of the kind.
    pub name: String,
    /// The types whose elements are such records.
    pub from: Vec<TypeId>,
    /// Only where this holds.
    pub condition: Option<Expr>,
    /// A reader need not report this kind.
    pub optional: bool,
    /// Orders that a reader may keep.
    pub order: RecordOrder,
    /// Members, those of `extends` first.
    pub members: Vec<Member>,
    /// Rules that a record shows.
    pub obeys: Vec<Obedience>,
    /// Where it is defined.
    pub span: SourceSpan,
}

/// Orders of records that are right.
#[derive(Clone, Debug, Default)]
pub struct RecordOrder {
    /// Members to sort by, besides the order of the file.
    pub also_by: Vec<String>,
    /// Equal keys keep the file's order only within equal values of this expression;
    /// `None`: always (`stable`).
    pub ties: Option<Expr>,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Member {
    /// Name.
    pub name: String,
    /// What it shows.
    pub value: MemberValue,
    /// Where it stands.
    pub span: SourceSpan,
}

/// What a member shows.
#[derive(Clone, Debug)]
pub enum MemberValue {
    /// An expression over the type's fields.
    Expression(Expr),
    /// An object of members.
    Object(Vec<Member>),
}
