//! Registers, tables, and what types do to them.

use super::{Obedience, RegisterId, RuleRef, Scalar, TableId, TypeId};
use crate::expression::Expr;
use crate::source::SourceSpan;

/// A register of the reader's state.
#[derive(Clone, Debug)]
pub struct Register {
    /// Name.
    pub name: String,
    /// What it holds.
    pub kind: RegisterType,
    /// Its value before the file; `None`: no value.
    pub initial: Option<Expr>,
    /// Rules that its initial value shows, when it is read before anything sets it.
    pub obeys: Vec<Obedience>,
    /// Where it is declared.
    pub span: SourceSpan,
}

/// What a register holds.
#[derive(Clone, Debug)]
pub enum RegisterType {
    /// A number of declared width.
    Scalar(Scalar),
    /// An exact integer.
    Int,
    /// A row of a table, or none.
    Row(TableId),
}

/// Rows that the file defines.
#[derive(Clone, Debug)]
pub struct Table {
    /// Name.
    pub name: String,
    /// What identifies a row.
    pub key: TableKey,
    /// The type whose elements are rows.
    pub row: TypeId,
    /// Values of a row that later elements change.
    pub columns: Vec<Column>,
    /// Rows before the file starts.
    pub initial: Vec<InitialRow>,
    /// Rows to which the format gives a meaning.
    pub kinds: Vec<Kind>,
    /// Rows that writers are known to define: hints for random generation.
    pub samples: Vec<Vec<(String, Expr)>>,
    /// How many rows there usually are at most: a hint for random generation.
    pub usual: Option<u64>,
    /// The table exists only in the dialects for which this holds.
    pub condition: Option<Expr>,
    /// Where it is declared.
    pub span: SourceSpan,
}

/// What identifies a row.
#[derive(Clone, Debug)]
pub enum TableKey {
    /// A number.
    Scalar(Scalar),
    /// The position of the row's element in the file.
    Offset,
}

/// A value of a row that later elements change.
#[derive(Clone, Debug)]
pub struct Column {
    /// Name.
    pub name: String,
    /// What it holds.
    pub scalar: Scalar,
    /// Its value when the row is defined.
    pub initial: Expr,
    /// Where it is declared.
    pub span: SourceSpan,
}

/// A row before the file starts. Fields left out are free where the file repeats the row.
#[derive(Clone, Debug)]
pub struct InitialRow {
    /// Fields and their values.
    pub fields: Vec<(String, Expr)>,
    /// What a repetition means.
    pub again: Option<Again>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// A meaning that the format gives to rows that match.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Name.
    pub name: String,
    /// Fields (paths) and the values that they must have.
    pub matches: Vec<(String, Expr)>,
    /// The type of elements of such a row.
    pub target: TypeId,
    /// A reader does not report elements of this kind.
    pub reader_only: bool,
    /// The rule that other fields than the type's break.
    pub signature: Option<RuleRef>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// A type (or the elements of a list) defines rows.
#[derive(Clone, Debug)]
pub struct Define {
    /// The table.
    pub table: TableId,
    /// The key: an expression over the fields; `None` for offset keys and with `first_key`.
    pub key: Option<Expr>,
    /// Keys are this and the following numbers, one for each element of the list.
    pub first_key: Option<Expr>,
    /// The part that is the row; `None`: the whole.
    pub row: Option<Expr>,
    /// Only where this holds.
    pub condition: Option<Expr>,
    /// What a known key means.
    pub again: Option<Again>,
    /// Fields in which rows differ, each with its rule.
    pub unique: Vec<(Expr, RuleRef)>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// What it means when a key is defined again.
#[derive(Clone, Debug)]
pub struct Again {
    /// What is compared.
    pub compare: RowComparison,
    /// Rows that differ and are equal in these fields break this rule instead of `other`.
    pub alike: Option<(Vec<String>, RuleRef)>,
    /// The rule that an equal row shows or breaks.
    pub same: Option<RuleRef>,
    /// The rule that a different row shows or breaks.
    pub other: Option<RuleRef>,
    /// Which row counts from then on.
    pub keeps: Keeps,
    /// Where it stands.
    pub span: SourceSpan,
}

/// What makes two rows equal.
#[derive(Clone, Debug)]
pub enum RowComparison {
    /// Their bytes.
    Bytes,
    /// These fields.
    Fields(Vec<String>),
}

/// Which of two rows with one key counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// The first.
    First,
    /// The last.
    Last,
}

/// A type removes a row.
#[derive(Clone, Debug)]
pub struct Remove {
    /// The table.
    pub table: TableId,
    /// The key.
    pub key: Expr,
    /// The rule that an unknown key breaks.
    pub dangling: Option<RuleRef>,
    /// The rule that says the row is gone.
    pub rule: Option<RuleRef>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// A type clears a table.
#[derive(Clone, Debug)]
pub struct Clear {
    /// What is cleared.
    pub target: ClearTarget,
    /// Only where this holds.
    pub condition: Option<Expr>,
    /// The rule that says so.
    pub rule: Option<RuleRef>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// What is cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClearTarget {
    /// Every table and register, as at the start of the file.
    All,
    /// One table.
    Table(TableId),
}

/// A type sets a register or a column.
#[derive(Clone, Debug)]
pub struct Set {
    /// What is set.
    pub target: SetTarget,
    /// To what.
    pub value: Expr,
    /// Only where this holds.
    pub condition: Option<Expr>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// What is set.
#[derive(Clone, Debug)]
pub enum SetTarget {
    /// A register.
    Register(RegisterId),
    /// A column of a row: `table.get(key).column`.
    Column {
        /// The table.
        table: TableId,
        /// The row's key.
        key: Expr,
        /// Index into the table's columns.
        column: usize,
    },
}
