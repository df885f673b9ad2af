//! The parts of a plan that operations refer to, such as switches, repetitions, tables and records.

use super::{Arena, CheckPlan, Code, CodeId, Count, NameId, OpId, Plan, Slot, StreamRef, TextId};
use crate::arena::id;
use crate::formula::Formula;
use crate::operator::BinaryOperator;
use crate::terms::{
    ColumnId, Continuation, EnumId, FaultClass, FaultKind, Keeps, LayoutId, Level, ReaderDuty,
    RecordId, RegisterId, RuleId, Scalar, TableId,
};

id!(/** The index of a test in the plan's checks. */ CheckId);
id!(/** A constant string or byte string. */ ConstantId);
id!(/** A table that maps each kind of fault to the rule that it breaks. */ FaultTableId);
id!(/** A switch. */ SwitchId);
id!(/** A repetition. */ RepeatId);
id!(/** A field whose value is computed from an earlier value. */ CarryId);
id!(/** A reference from a field to a table row. */ RefsId);
id!(/** The effects of a structure when it ends. */ EffectsId);
id!(/** One use of a type that is a record. */ RecordUseId);
id!(/** A kind of row, among the kinds of its table. */ RowKindId);
id!(/** The location of an instance, which is read at a computed position. */ LocationId);

/// The rule broken by each kind of fault at an operation.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FaultRules {
    /// For each kind of fault, in the order of [`FaultKind::ALL`], the index of the rule that it
    /// breaks.
    pub rules: [Option<RuleId>; FaultKind::ALL.len()],
}

impl FaultRules {
    /// Returns the rule that a fault of this kind breaks, if any.
    pub fn of(&self, kind: FaultKind) -> Option<RuleId> {
        self.rules[kind as usize]
    }
}

/// A switch, which selects how a field is read.
#[derive(Clone, Debug)]
pub struct SwitchPlan {
    /// The expression whose value selects the arm.
    pub on: CodeId,
    /// The integer labels of each arm.
    pub arms: Vec<(Vec<i128>, OpId)>,
    /// String labels, and the arm of each.
    pub text_arms: Vec<(ConstantId, OpId)>,
    /// A lookup table from a small integer value to its switch arm, or to `u32::MAX` if the value
    /// has no arm. The table is empty unless all labels are small.
    pub dense: Vec<u32>,
    /// All labels in order, if at least one of them is known only when a trace is read. The labels
    /// in this list are tried before the tables.
    pub computed: Vec<(CodeId, OpId)>,
    /// The default arm, labeled `_` in the description.
    pub default: Option<OpId>,
    /// The rule broken by a value without an arm.
    pub rule: Option<RuleId>,
    /// Whether a value without an arm is a fault even if no rule forbids it.
    pub required: bool,
    /// The row whose kind selects the arm, the column with the field descriptions of that row, and
    /// the layout that reads the described fields. `None` if a value selects the arm.
    pub described: Option<(super::RowSource, super::ColumnRef, LayoutUseId)>,
}

/// The location of an instance, which is read at a computed position.
#[derive(Clone, Debug)]
pub struct LocationPlan {
    /// The offset in bytes from the start of the stream, or `None` to read at the current position.
    pub offset: Option<CodeId>,
    /// The stream to read from.
    pub stream: StreamRef,
    /// The field of a sequence that this instance reads before the sequence reaches it.
    pub same_as: Option<OpId>,
}

/// A repetition, which reads a list of elements.
#[derive(Clone, Debug)]
pub struct RepeatPlan {
    /// How the number of elements is determined.
    pub count: Count,
    /// The slot that receives the number of elements.
    pub length_slot: Option<Slot>,
    /// The minimum number of elements and the rule broken by fewer elements.
    pub at_least: Option<(u64, Option<RuleId>)>,
    /// Tests of the first element.
    pub first: Vec<CheckPlan>,
    /// Values that may occur in at most one element.
    pub once: Vec<OncePlan>,
    /// Tests of the last element.
    pub last: Vec<CheckPlan>,
    /// Keys that must be unique among the elements.
    pub unique: Vec<UniquePlan>,
    /// The slots of fields with `carry` and the values of these slots before the first element.
    pub carried: Vec<(Slot, CodeId)>,
    /// Slots of an enclosing list that this list uses for its own previous elements, because its
    /// elements contain the same structure. They are restored at the end of the list.
    pub restored: Vec<Slot>,
    /// How the elements define rows of a table, if they define any.
    pub defines: Option<Box<DefinePlan>>,
    /// Queries over the whole list, evaluated while the list is read.
    pub folds: Vec<FoldPlan>,
    /// Values of the previous element that expressions read.
    pub previous: Vec<PreviousPlan>,
}

impl RepeatPlan {
    /// Returns whether no work is necessary between elements.
    pub fn is_plain(&self) -> bool {
        !self.is_arranged()
            && self.defines.is_none()
            && self.folds.is_empty()
            && self.previous.is_empty()
    }

    /// Returns whether the elements are restricted by their position in the list, or a value may occur
    /// in only one of them.
    pub fn is_arranged(&self) -> bool {
        !(self.first.is_empty() && self.once.is_empty() && self.last.is_empty())
    }

    /// Returns whether the work between elements is only that of queries over the list and of values
    /// that the next element may refer to.
    pub fn has_plain_elements(&self) -> bool {
        self.once.is_empty() && self.defines.is_none() && self.unique.is_empty()
    }
}

/// A value that may occur in at most one element of a list.
#[derive(Clone, Debug)]
pub struct OncePlan {
    /// The expression whose value is compared in each element.
    pub by: CodeId,
    /// The value that may occur only once.
    pub equal: CodeId,
    /// The rule broken by a second occurrence.
    pub rule: Option<RuleId>,
}

/// A query over a whole list, computed one element at a time so that the list need not be stored.
#[derive(Clone, Debug)]
pub struct FoldPlan {
    /// How the elements are combined into a result.
    pub pick: Pick,
    /// The condition that an element must satisfy to be considered.
    pub when: Option<CodeId>,
    /// The expression to evaluate for each element that satisfies the condition.
    pub value: CodeId,
    /// The slot that receives the result.
    pub slot: Slot,
    /// The operation that reads the value, if it comes from a single operation.
    pub origin: Option<OpId>,
    /// The formula of the value, if the query only compares values.
    pub formula: Option<Formula>,
}

/// How a query combines the elements of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// Takes the first match and records in the slot whether an element matched.
    First(Slot),
    /// Takes the last match.
    Last,
    /// Takes the minimum value.
    Least,
    /// Takes the maximum value.
    Greatest,
    /// Counts the matches.
    Count,
    /// Collects the part read by this operation from each matching element.
    All(OpId),
}

/// A value of the previous element that expressions can read.
#[derive(Clone, Debug)]
pub struct PreviousPlan {
    /// The slot that receives the value.
    pub slot: Slot,
    /// The expression for the value, evaluated at the end of each element.
    pub value: CodeId,
    /// The value to use for the first element.
    pub initial: CodeId,
    /// Whether the value affects neither the verdict nor the records.
    pub idle: bool,
    /// The formula of the value.
    pub formula: Option<Formula>,
}

/// A key that must be unique among elements or rows.
#[derive(Clone, Debug)]
pub struct UniquePlan {
    /// The expression for the key.
    pub by: CodeId,
    /// The column that contains the key of a row, if the table has such a column.
    pub column: Option<ColumnId>,
    /// Keys that may occur more than once.
    pub except: Vec<CodeId>,
    /// The rule broken by a duplicate key.
    pub rule: Option<RuleId>,
}

/// A field with `carry`, whose value is computed from an earlier value.
#[derive(Clone, Debug)]
pub struct CarryPlan {
    /// Whether the number in the file is added to the earlier value instead of replacing it.
    pub add: bool,
    /// An increment that is added to the value, whether or not `add` is set.
    pub then: Option<CodeId>,
    /// The width in bits at which the value wraps around.
    pub wraps: Option<u8>,
    /// The rule broken by a value that is out of range.
    pub overflow: Option<RuleId>,
    /// The maximum value that the field can have.
    pub greatest: i128,
    /// The register that contains the earlier value.
    pub register: Option<RegisterId>,
    /// Whether the register is updated to the new value.
    pub moves: bool,
    /// The slot with the value of the previous element, if the earlier value comes from the
    /// previous element.
    pub previous: Option<Slot>,
}

impl CarryPlan {
    /// Returns the register that is updated to the new value, if any.
    pub fn moved(&self) -> Option<RegisterId> {
        self.register.filter(|_| self.moves)
    }
}

/// A reference from a field to a row of a table.
#[derive(Clone, Debug)]
pub struct RefsPlan {
    /// The index of the table.
    pub table: TableId,
    /// The condition under which the field is a reference.
    pub condition: Option<CodeId>,
    /// The value that indicates that the field refers to no row.
    pub none: Option<CodeId>,
    /// The rule broken by an unknown key.
    pub dangling: Option<RuleId>,
    /// The rule exercised when a reference precedes the definition of its row. If this rule exists,
    /// a reference with an unknown key is pending until its row is defined.
    pub later: Option<RuleId>,
    /// The slot that receives the row.
    pub row_slot: Option<Slot>,
}

/// The effects of a structure when it ends, in order of application.
#[derive(Clone, Debug, Default)]
pub struct EffectsPlan {
    /// Tests of the whole structure and of fields that refer to later values.
    pub checks: Vec<CheckPlan>,
    /// The row that the structure defines.
    pub defines: Option<DefinePlan>,
    /// The row that the structure removes.
    pub removes: Option<RemovePlan>,
    /// The tables that the structure clears.
    pub clears: Vec<ClearPlan>,
    /// The registers and columns that the structure sets.
    pub sets: Vec<SetPlan>,
    /// Whether readers must report the records inside the structure once it is complete, even if
    /// the file is truncated later.
    pub due: bool,
}

/// The definition of a row.
#[derive(Clone, Debug)]
pub struct DefinePlan {
    /// The index of the table.
    pub table: TableId,
    /// The key, or `None` to use the position of the element.
    pub key: Option<CodeId>,
    /// The condition under which the row is defined.
    pub condition: Option<CodeId>,
    /// Values for the table's columns, in order.
    pub columns: Arena<ColumnId, CodeId>,
    /// How to handle a key that is already defined.
    pub again: Option<AgainPlan>,
    /// Keys that must be unique among the rows.
    pub unique: Vec<UniquePlan>,
    /// The kinds that a row can have. The first matching kind applies.
    pub kinds: Vec<super::KindMatch>,
    /// The structure that is stored as the row.
    pub row: OpId,
}

impl DefinePlan {
    /// Returns the key of the first row if the rows have consecutive keys.
    pub fn first_key(&self, plan: &Plan) -> Option<CodeId> {
        match plan.codes[self.key?.index()] {
            Code::Binary(BinaryOperator::Add, first, number)
                if matches!(plan.codes[number.index()], Code::Index(0)) =>
            {
                Some(first)
            }
            _ => None,
        }
    }
}

/// How to handle a row whose key is already defined.
#[derive(Clone, Debug)]
pub struct AgainPlan {
    /// Whether rows are compared by their bytes instead of by `columns`.
    pub bytes: bool,
    /// The columns to compare.
    pub columns: Vec<ColumnId>,
    /// Columns and a rule. If two rows differ but are equal in these columns, they break this rule
    /// instead of `other`.
    pub alike: Option<(Vec<ColumnId>, Option<RuleId>)>,
    /// The rule broken or exercised by a second row that equals the first.
    pub same: Option<RuleId>,
    /// The rule broken or exercised by a second row that differs from the first.
    pub other: Option<RuleId>,
    /// The row that remains in the table: the first or the last.
    pub keeps: Keeps,
}

/// A row that a structure removes from a table when the structure ends.
#[derive(Clone, Debug)]
pub struct RemovePlan {
    /// The index of the table.
    pub table: TableId,
    /// The key of the row.
    pub key: CodeId,
    /// The rule broken by an unknown key.
    pub dangling: Option<RuleId>,
    /// The rule that requires the row to be removed. Removing the row exercises this rule.
    pub rule: Option<RuleId>,
}

/// A table, or the whole state, that a structure clears when it ends.
#[derive(Clone, Debug)]
pub struct ClearPlan {
    /// The index of the table, or `None` to clear everything.
    pub table: Option<TableId>,
    /// The condition under which the table is cleared.
    pub condition: Option<CodeId>,
    /// The rule that requires the state to be cleared. Clearing the table exercises this rule.
    pub rule: Option<RuleId>,
}

/// A value that a structure assigns to a register or column when it ends.
#[derive(Clone, Debug)]
pub struct SetPlan {
    /// The register or column to set.
    pub target: SetTargetPlan,
    /// The new value.
    pub value: CodeId,
    /// The condition under which the value is set.
    pub condition: Option<CodeId>,
}

/// The target of an assignment.
#[derive(Clone, Copy, Debug)]
pub enum SetTargetPlan {
    /// A register.
    Register(RegisterId),
    /// A column of a row.
    Column {
        /// The index of the table.
        table: TableId,
        /// The key of the row.
        key: CodeId,
        /// The index of the column.
        column: ColumnId,
    },
}

/// A table of rows.
#[derive(Clone, Debug)]
pub struct TablePlan {
    /// The name of the table.
    pub name: String,
    /// Whether the key of a row is the position of its element in the file.
    pub by_offset: bool,
    /// Whether rows are defined in file order, so that no row can be defined later at a position
    /// that has already been read.
    pub in_order: bool,
    /// The number of bits in a key, if keys are numbers with a declared width.
    pub key_bits: u8,
    /// The columns that expressions read.
    pub columns: Arena<ColumnId, ColumnPlan>,
    /// Whether the bytes of rows are stored, because rows are compared by their bytes.
    pub keeps_bytes: bool,
    /// The kinds of rows that have a special meaning in the format.
    pub kinds: Arena<RowKindId, super::KindPlan>,
    /// Predefined rows, which exist before any of the file is read.
    pub initial: Vec<super::InitialPlan>,
    /// Rows that typical writers define.
    pub samples: Vec<super::SampleRow>,
    /// The maximum number of rows that typical writers define.
    pub usual: Option<u64>,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct ColumnPlan {
    /// The path from the row to the field, with dots between the names.
    pub path: String,
    /// The field whose value is stored in the column, if the column stores the value of a single
    /// field.
    pub origin: Option<OpId>,
    /// Whether the column contains a structure or list, which is stored as a tree.
    pub is_tree: bool,
    /// The value at the time the row is defined, for a column that later elements change.
    pub initial: Option<i128>,
}

/// A register, a named variable of the decoder's state.
#[derive(Clone, Debug)]
pub struct RegisterPlan {
    /// The name of the register.
    pub name: String,
    /// The value before the file is read.
    pub initial: Option<i128>,
    /// The maximum value that the register can contain.
    pub greatest: i128,
    /// The minimum value that the register can contain.
    pub least: i128,
    /// The table of the row that the register refers to, if the register refers to a row.
    pub table: Option<TableId>,
}

id!(/** One use of a layout set in a plan. */ LayoutUseId);

/// One use of a layout set, which defines how the values of each type code are read.
#[derive(Clone, Debug)]
pub struct LayoutPlan {
    /// The layout set.
    pub layout: LayoutId,
    /// The source of the type codes.
    pub source: LayoutSource,
    /// The names that lead from a field description to the field's name.
    pub name_path: Vec<NameId>,
    /// The names that lead from a field description to the field's type.
    pub type_path: Vec<NameId>,
    /// The names that lead from a field description to the field's type code.
    pub code_path: Vec<NameId>,
    /// The names that lead from a field description to the flag that requests a presence byte, and
    /// the operation that reads the presence byte.
    pub optional: Option<(Vec<NameId>, OpId)>,
    /// The type codes of the layout set.
    pub codes: Vec<LayoutCodePlan>,
    /// The rule broken by a value with an unknown type code.
    pub unknown: Option<RuleId>,
    /// The syntax of the text that describes the fields, if text describes them.
    pub text: Option<TextId>,
}

/// The source of the type codes that a layout reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LayoutSource {
    /// The field descriptions in a column of a row.
    Row(super::RowSource, super::ColumnRef),
    /// A single type code, computed by an expression.
    Code(CodeId),
}

/// A type code in one use of a layout set.
#[derive(Clone, Debug)]
pub struct LayoutCodePlan {
    /// The number of the code.
    pub code: i128,
    /// The name of the code.
    pub name: String,
    /// The operation that reads a value.
    pub op: OpId,
    /// The size of each value in bytes, if it is constant.
    pub size: Option<u64>,
    /// The operation that presents a list of these values as a string.
    pub units: Option<OpId>,
}

/// A kind of record, specialized for one use of its type.
#[derive(Clone, Debug)]
pub struct RecordPlan {
    /// The name of the record kind.
    pub kind: String,
    /// The record kind in the schema.
    pub record: RecordId,
    /// The condition under which the structure is reported as a record.
    pub condition: Option<CodeId>,
    /// The members of the record.
    pub members: Vec<MemberPlan>,
    /// Whether readers may omit the record.
    pub optional: bool,
    /// The members that readers may sort records by, instead of reporting them in file order.
    pub also_by: Vec<String>,
    /// Rules that exclude members of this record from comparison, each with its condition, if any.
    pub frees: Vec<(RuleId, Option<CodeId>)>,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct MemberPlan {
    /// The name of the member.
    pub name: String,
    /// The source of the member's value.
    pub source: MemberSource,
}

/// The source of the value of a record member.
#[derive(Clone, Debug)]
pub enum MemberSource {
    /// The value of an expression. If an operation is given, the value is presented like the value
    /// of that operation.
    Value(CodeId, Option<OpId>),
    /// The value of an expression, presented as a member of an enumeration.
    Named(CodeId, EnumId),
    /// An object with members.
    Object(Vec<MemberPlan>),
}

/// An enumeration with its members in one dialect.
#[derive(Clone, Debug)]
pub struct EnumPlan {
    /// The name of the enumeration.
    pub name: String,
    /// The members, ordered by value.
    pub members: Vec<EnumVariant>,
    /// A bit set of the members with values below 256.
    pub small: [u64; 4],
}

/// A member of an enumeration.
#[derive(Clone, Debug)]
pub struct EnumVariant {
    /// The value of the member.
    pub value: i128,
    /// The name of the member.
    pub name: String,
    /// The rule broken by the value if the member does not exist in this dialect.
    pub broken: Option<RuleId>,
}

/// A set of named flags.
#[derive(Clone, Debug)]
pub struct FlagsPlan {
    /// The name of the flag set.
    pub name: String,
    /// The name and mask of each flag.
    pub bits: Vec<(String, u64)>,
}

impl FlagsPlan {
    /// Returns all bits that have a name.
    pub fn mask(&self) -> i128 {
        let masks = self.bits.iter().map(|(_, mask)| mask);
        i128::from(masks.fold(0, |known, mask| known | mask))
    }
}

/// A rule with the behavior that is required of a reader of one dialect.
#[derive(Clone, Debug)]
pub struct RulePlan {
    /// The id of the rule.
    pub id: String,
    /// The required reaction of a reader.
    pub duty: ReaderDuty,
    /// How reading may continue after a violation. The decoder uses the first continuation.
    pub continues: Vec<Continuation>,
    /// The fault class that a reader may report for a violation.
    pub class: FaultClass,
    /// The requirement level in the specification.
    pub level: Level,
    /// Record members that are not compared if the file exercises the rule.
    pub frees: Vec<String>,
    /// Whether the rule is enabled only in strict mode.
    pub strict: bool,
    /// Whether a violation is a mistake by the writer that readers tolerate.
    pub writer_fault: bool,
    /// Whether the rule describes something valid that authors of writers should nevertheless know
    /// about.
    pub writer_habit: bool,
    /// Whether typical writers write traces that exercise the rule.
    pub plain: bool,
}

/// Hints for random generation, with constants folded.
#[derive(Clone, Debug, Default)]
pub struct HintPlan {
    /// Integers and their relative weights.
    pub weights: Vec<(i128, u32)>,
    /// Preferred integers.
    pub integers: Vec<i128>,
    /// Preferred strings.
    pub texts: Vec<String>,
    /// The preferred range, inclusive at both ends.
    pub range: Option<(i128, i128)>,
    /// An expression that computes a value for a field with a test that the generator cannot solve.
    /// If the generator can solve all tests of the field, it merely prefers this value.
    pub construct: Option<CodeId>,
    /// The bounds of a preferred range that depends on values read earlier.
    pub moving: Option<(CodeId, CodeId)>,
    /// The type in the file, if it differs from the type of the field.
    pub wire: Option<Scalar>,
    /// The values that typical writers write, if the description specifies them.
    pub plain: Option<PlainPlan>,
}

/// The values that typical writers write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlainPlan {
    /// One of several integers.
    Integers(Vec<i128>),
    /// The integers from the first to the second number, inclusive.
    Range(i128, i128),
    /// The integers between two bounds that depend on values read earlier.
    Moving(CodeId, CodeId),
    /// One of several strings.
    Texts(Vec<String>),
}
