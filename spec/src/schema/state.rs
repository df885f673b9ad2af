//! Registers and tables, and the effects of types on them.

use super::{Keeps, Obedience, RegisterId, RuleRef, Scalar, TableId, TypeId};
use crate::expression::Expr;
use tracegauge_plan::source::SourceSpan;

/// A register, a named variable of the decoder's state.
#[derive(Clone, Debug)]
pub struct Register {
    /// The name of the register.
    pub name: String,
    /// The type of the register's value.
    pub kind: RegisterType,
    /// The value before the file is read, or `None` if the register is initially empty.
    pub initial: Option<Expr>,
    /// The rules that the initial value exercises if it is read before the register is set.
    pub obeys: Vec<Obedience>,
    /// The location of the register's declaration.
    pub span: SourceSpan,
}

/// The type of the value of a register.
#[derive(Clone, Debug)]
pub enum RegisterType {
    /// A number with a declared width.
    Scalar(Scalar),
    /// An integer of any size.
    Int,
    /// A reference to a row of a table. The register may be empty.
    Row(TableId),
}

/// A table of rows that the file defines.
#[derive(Clone, Debug)]
pub struct Table {
    /// The name of the table.
    pub name: String,
    /// The key that identifies a row.
    pub key: TableKey,
    /// The type whose elements are rows.
    pub row: TypeId,
    /// Additional columns that later elements change.
    pub columns: Vec<Column>,
    /// Predefined rows, which exist before any of the file is read.
    pub initial: Vec<InitialRow>,
    /// The kinds of rows, each of which selects a type for the data that a row describes.
    pub kinds: Vec<Kind>,
    /// Rows that typical writers define, as a hint for random generation.
    pub samples: Vec<Vec<(String, Expr)>>,
    /// The maximum number of rows that typical writers define, as a hint for random generation.
    pub usual: Option<u64>,
    /// The condition on the dialect under which the table exists.
    pub condition: Option<Expr>,
    /// The location of the table's declaration.
    pub span: SourceSpan,
}

/// The key that identifies a row.
#[derive(Clone, Debug)]
pub enum TableKey {
    /// A number.
    Scalar(Scalar),
    /// The position of the row's element in the file.
    Offset,
}

/// A column of a row that later elements change.
#[derive(Clone, Debug)]
pub struct Column {
    /// The name of the column.
    pub name: String,
    /// The type of the column's values.
    pub scalar: Scalar,
    /// The value at the time the row is defined.
    pub initial: Expr,
    /// The location of the column's declaration.
    pub span: SourceSpan,
}

/// A predefined row, which exists before any of the file is read. If the file also defines the row,
/// fields that are not listed here may have any value.
#[derive(Clone, Debug)]
pub struct InitialRow {
    /// The fields of the row and their values.
    pub fields: Vec<(String, Expr)>,
    /// How to handle a definition of the row in the file.
    pub again: Option<Again>,
    /// The location of the predefined row in the description.
    pub span: SourceSpan,
}

/// A kind of row, which is recognized by the values of its fields and selects a type of the
/// description for the data that the row describes.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The name of the row kind.
    pub name: String,
    /// The field paths and values that identify a row of this kind.
    pub matches: Vec<(String, Expr)>,
    /// The type of the elements whose fields a row of this kind describes.
    pub target: TypeId,
    /// Whether readers use elements of this kind only internally and do not report them.
    pub reader_only: bool,
    /// The rule broken by a row that describes fields other than those of `target`.
    pub signature: Option<RuleRef>,
    /// The location of the row kind in the description.
    pub span: SourceSpan,
}

/// A definition of table rows by a type or by the elements of a list.
#[derive(Clone, Debug)]
pub struct Define {
    /// The table that receives the rows.
    pub table: TableId,
    /// An expression over the fields of the row that yields the key. `None` if keys are positions
    /// or if `first_key` is set.
    pub key: Option<Expr>,
    /// The key of the first element of the list. Each following element has the next higher key.
    pub first_key: Option<Expr>,
    /// The field that serves as the row, or `None` if the whole element is the row.
    pub row: Option<Expr>,
    /// The condition under which a row is defined.
    pub condition: Option<Expr>,
    /// How to handle a key that is already defined.
    pub again: Option<Again>,
    /// Fields that must be unique among the rows, each with the rule broken by a duplicate.
    pub unique: Vec<(Expr, RuleRef)>,
    /// The location of the row definition in the description.
    pub span: SourceSpan,
}

/// How to handle a row whose key is already defined.
#[derive(Clone, Debug)]
pub struct Again {
    /// The properties used to compare the rows.
    pub compare: RowComparison,
    /// Fields and a rule. If two rows differ but are equal in these fields, they break this rule
    /// instead of `other`.
    pub alike: Option<(Vec<String>, RuleRef)>,
    /// The rule broken or exercised by a second row that equals the first.
    pub same: Option<RuleRef>,
    /// The rule broken or exercised by a second row that differs from the first.
    pub other: Option<RuleRef>,
    /// The row that remains in the table.
    pub keeps: Keeps,
    /// The location of `again` in the description.
    pub span: SourceSpan,
}

/// The properties used to compare two rows.
#[derive(Clone, Debug)]
pub enum RowComparison {
    /// The bytes of the rows.
    Bytes,
    /// The values of these fields.
    Fields(Vec<String>),
}

/// A row that is removed from a table when an element of the type ends (`removes`).
#[derive(Clone, Debug)]
pub struct Remove {
    /// The table that contains the row.
    pub table: TableId,
    /// The key of the row.
    pub key: Expr,
    /// The rule broken by an unknown key.
    pub dangling: Option<RuleRef>,
    /// The rule that requires the row to be removed. Removing the row exercises this rule.
    pub rule: Option<RuleRef>,
    /// The location of the `removes` entry in the description.
    pub span: SourceSpan,
}

/// A table, or the whole state, that is cleared when an element of the type ends (`clears`).
#[derive(Clone, Debug)]
pub struct Clear {
    /// The table to clear, or all tables and registers.
    pub target: ClearTarget,
    /// The condition under which the state is cleared.
    pub condition: Option<Expr>,
    /// The rule that requires the state to be cleared. Clearing the state exercises this rule.
    pub rule: Option<RuleRef>,
    /// The location of the `clears` entry in the description.
    pub span: SourceSpan,
}

/// The state to clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClearTarget {
    /// Every table and register; all of them return to their initial state.
    All,
    /// A single table.
    Table(TableId),
}

/// A value that is assigned to a register or column when an element of the type ends (`sets`).
#[derive(Clone, Debug)]
pub struct Set {
    /// The register or column to set.
    pub target: SetTarget,
    /// The new value.
    pub value: Expr,
    /// The condition under which the value is set.
    pub condition: Option<Expr>,
    /// The location of the `sets` entry in the description.
    pub span: SourceSpan,
}

/// The target of an assignment.
#[derive(Clone, Debug)]
pub enum SetTarget {
    /// A register.
    Register(RegisterId),
    /// A column of a row, written as `table.get(key).column`.
    Column {
        /// The table that contains the row.
        table: TableId,
        /// The key of the row.
        key: Expr,
        /// The index into the table's columns.
        column: usize,
    },
}
