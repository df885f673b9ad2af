//! What operations refer to.

use super::{CheckPlan, Code, CodeId, Count, NameId, OpId, Plan, Slot, StreamRef};
use crate::expression::BinaryOperator;
use crate::schema::{Continuation, FaultClass, FaultKind, Keeps, Level, ReaderDuty, Scalar};

/// The index of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CheckId(pub u32);

/// Which rule each kind of fault breaks.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FaultRules {
    /// By the order of [`FaultKind::ALL`].
    pub rules: [Option<u32>; FaultKind::ALL.len()],
}

impl FaultRules {
    /// The rule of `kind`.
    pub fn of(&self, kind: FaultKind) -> Option<u32> {
        self.rules[kind as usize]
    }
}

/// A switch.
#[derive(Clone, Debug)]
pub struct SwitchPlan {
    /// What decides.
    pub on: CodeId,
    /// Labels and arms.
    pub arms: Vec<(Vec<i128>, OpId)>,
    /// Text labels and arms: index into the constants.
    pub text_arms: Vec<(u32, OpId)>,
    /// Arms by the value, where labels are small: the arm or `u32::MAX`.
    pub dense: Vec<u32>,
    /// Labels that are known only when a trace is read, with all others in their order: they
    /// are tried before anything else.
    pub computed: Vec<(CodeId, OpId)>,
    /// The arm of `_`.
    pub default: Option<OpId>,
    /// The rule that a value without an arm breaks.
    pub rule: Option<u32>,
    /// A value without an arm is a fault even where no rule says so.
    pub required: bool,
    /// The kind of a row decides, and the row describes what stands there: by this layout.
    pub described: Option<(super::RowSource, super::ColumnRef, u32)>,
}

/// Where an instance stands.
#[derive(Clone, Debug)]
pub struct LocationPlan {
    /// Bytes from the start of the stream; none: where the sequence stands.
    pub offset: Option<CodeId>,
    /// The stream.
    pub stream: StreamRef,
    /// The field of a sequence that is here read early.
    pub same_as: Option<OpId>,
}

/// A repetition.
#[derive(Clone, Debug)]
pub struct RepeatPlan {
    /// How many elements.
    pub count: Count,
    /// Where the number of elements goes.
    pub length_slot: Option<Slot>,
    /// Least number and its rule.
    pub at_least: Option<(u64, Option<u32>)>,
    /// Tests of the first element.
    pub first: Vec<CheckPlan>,
    /// Values that occur once at most.
    pub once: Vec<OncePlan>,
    /// Tests of the last element.
    pub last: Vec<CheckPlan>,
    /// Keys in which elements differ.
    pub unique: Vec<UniquePlan>,
    /// Slots of carried fields, and what they are before the first element.
    pub carried: Vec<(Slot, CodeId)>,
    /// Rows that the elements define by their number.
    pub defines: Option<Box<DefinePlan>>,
    /// What is asked of the whole list, found while it is read.
    pub folds: Vec<FoldPlan>,
    /// Values of the element before.
    pub previous: Vec<PreviousPlan>,
}

impl RepeatPlan {
    /// Nothing is to be done between elements.
    pub fn is_plain(&self) -> bool {
        self.first.is_empty()
            && self.once.is_empty()
            && self.last.is_empty()
            && self.defines.is_none()
            && self.folds.is_empty()
            && self.previous.is_empty()
    }
}

/// A value that occurs in one element at most.
#[derive(Clone, Debug)]
pub struct OncePlan {
    /// What is compared.
    pub by: CodeId,
    /// The value.
    pub equal: CodeId,
    /// The rule that a second element breaks.
    pub rule: Option<u32>,
}

/// A question to a whole list, answered element by element, so that no list is kept for it.
#[derive(Clone, Debug)]
pub struct FoldPlan {
    /// Which elements answer it.
    pub pick: Pick,
    /// Only elements for which this holds.
    pub when: Option<CodeId>,
    /// What is asked of an element.
    pub value: CodeId,
    /// Where the answer goes.
    pub slot: Slot,
    /// The operation whose value it is, where there is one.
    pub origin: Option<OpId>,
}

/// Which elements answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The first that fits; whether there was one goes into the slot.
    First(Slot),
    /// The last that fits.
    Last,
    /// That with the least value.
    Least,
    /// That with the greatest value.
    Greatest,
    /// All that fit are counted.
    Count,
    /// All that fit, each as this part of what is kept of it.
    All(OpId),
}

/// A value of the element before.
#[derive(Clone, Debug)]
pub struct PreviousPlan {
    /// Where it goes.
    pub slot: Slot,
    /// What it is of an element.
    pub value: CodeId,
    /// What stands for it before the first element.
    pub initial: CodeId,
    /// No verdict and no record depends on it.
    pub idle: bool,
}

/// A key in which elements or rows differ.
#[derive(Clone, Debug)]
pub struct UniquePlan {
    /// The key.
    pub by: CodeId,
    /// The column with the key of a row, where rows have it as one.
    pub column: Option<u32>,
    /// Keys that may come again.
    pub except: Vec<CodeId>,
    /// The rule.
    pub rule: Option<u32>,
}

/// A carried field.
#[derive(Clone, Debug)]
pub struct CarryPlan {
    /// What is on the wire is added; else it replaces.
    pub add: bool,
    /// Added after either case.
    pub then: Option<CodeId>,
    /// The value wraps at this many bits.
    pub wraps: Option<u8>,
    /// The rule that a value out of range breaks.
    pub overflow: Option<u32>,
    /// The greatest value.
    pub greatest: i128,
    /// The register it is carried from.
    pub register: Option<u32>,
    /// The register moves on to the value.
    pub moves: bool,
    /// The slot it is carried from: that of the previous element.
    pub previous: Option<Slot>,
    /// What a writer puts in front when the value is out of reach.
    pub bridge: Option<BridgePlan>,
}

impl CarryPlan {
    /// The register that moves on to the value.
    pub fn moved(&self) -> Option<u32> {
        self.register.filter(|_| self.moves)
    }
}

/// An element that brings a value into reach.
#[derive(Clone, Debug)]
pub struct BridgePlan {
    /// The repetition whose element it is.
    pub repeat: OpId,
    /// Fields (names from the element inward) and constant values.
    pub choose: Vec<(Vec<NameId>, CodeId)>,
    /// Fields and the value that the carried field wants, or an expression over it (`This`).
    pub with: Vec<(Vec<NameId>, CodeId)>,
}

/// A reference to a row.
#[derive(Clone, Debug)]
pub struct RefsPlan {
    /// Index of the table.
    pub table: u32,
    /// Applies only where this holds.
    pub condition: Option<CodeId>,
    /// The value that names no row.
    pub none: Option<CodeId>,
    /// The rule that an unknown key breaks.
    pub dangling: Option<u32>,
    /// With it an unknown key is pending.
    pub later: Option<u32>,
    /// Where the row goes.
    pub row_slot: Option<Slot>,
}

/// What a structure does when it ends, in this order.
#[derive(Clone, Debug, Default)]
pub struct EffectsPlan {
    /// Tests of the whole, and of values that look forward: the field and its test.
    pub checks: Vec<CheckPlan>,
    /// The row that it defines.
    pub defines: Option<DefinePlan>,
    /// The row that it removes.
    pub removes: Option<RemovePlan>,
    /// Tables that it clears.
    pub clears: Vec<ClearPlan>,
    /// What it sets.
    pub sets: Vec<SetPlan>,
    /// The records inside are owed from then on.
    pub due: bool,
}

/// A row is defined.
#[derive(Clone, Debug)]
pub struct DefinePlan {
    /// Index of the table.
    pub table: u32,
    /// The key; none: the position of the element.
    pub key: Option<CodeId>,
    /// Only where this holds.
    pub condition: Option<CodeId>,
    /// Values for the table's columns, in order.
    pub columns: Vec<CodeId>,
    /// What a known key means.
    pub again: Option<AgainPlan>,
    /// Keys in which rows differ.
    pub unique: Vec<UniquePlan>,
    /// When the row is of a kind; the first that fits counts.
    pub kinds: Vec<super::KindMatch>,
    /// The structure that is the row.
    pub row: OpId,
}

impl DefinePlan {
    /// The key of the first row, where those of a list count up from it.
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

/// A key is defined again.
#[derive(Clone, Debug)]
pub struct AgainPlan {
    /// Compared by bytes; else by these columns.
    pub bytes: bool,
    /// Columns that are compared.
    pub columns: Vec<u32>,
    /// Rows that differ and are equal in these columns break this rule instead.
    pub alike: Option<(Vec<u32>, Option<u32>)>,
    /// The rule of an equal row.
    pub same: Option<u32>,
    /// The rule of a different row.
    pub other: Option<u32>,
    /// Which row counts.
    pub keeps: Keeps,
}

/// A row is removed.
#[derive(Clone, Debug)]
pub struct RemovePlan {
    /// Index of the table.
    pub table: u32,
    /// The key.
    pub key: CodeId,
    /// The rule that an unknown key breaks.
    pub dangling: Option<u32>,
    /// The rule that says that the row is gone.
    pub rule: Option<u32>,
}

/// Tables are cleared.
#[derive(Clone, Debug)]
pub struct ClearPlan {
    /// Index of the table; none: everything.
    pub table: Option<u32>,
    /// Only where this holds.
    pub condition: Option<CodeId>,
    /// The rule that says so.
    pub rule: Option<u32>,
}

/// Something is set.
#[derive(Clone, Debug)]
pub struct SetPlan {
    /// What.
    pub target: SetTargetPlan,
    /// To what.
    pub value: CodeId,
    /// Only where this holds.
    pub condition: Option<CodeId>,
}

/// What is set.
#[derive(Clone, Copy, Debug)]
pub enum SetTargetPlan {
    /// A register.
    Register(u32),
    /// A column of a row.
    Column {
        /// Index of the table.
        table: u32,
        /// The key.
        key: CodeId,
        /// Index of the column.
        column: u32,
    },
}

/// A table.
#[derive(Clone, Debug)]
pub struct TablePlan {
    /// Name.
    pub name: String,
    /// Keys are positions.
    pub by_offset: bool,
    /// Rows come in the order of their positions: none comes before what has been read.
    pub in_order: bool,
    /// Bits of a key, where it is a number of declared width.
    pub key_bits: u8,
    /// Columns that something reads.
    pub columns: Vec<ColumnPlan>,
    /// The bytes of rows are kept, since they are compared.
    pub keeps_bytes: bool,
    /// Meanings that the format gives to rows.
    pub kinds: Vec<super::KindPlan>,
    /// Rows before the file starts.
    pub initial: Vec<super::InitialPlan>,
    /// Rows that writers are known to define.
    pub samples: Vec<super::SampleRow>,
    /// How many rows writers usually define at most.
    pub usual: Option<u64>,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct ColumnPlan {
    /// Path from the row, dots between the names.
    pub path: String,
    /// The field that it shows, where rows have it as one.
    pub origin: Option<OpId>,
    /// It is a part with fields or elements, kept as a tree.
    pub is_tree: bool,
    /// Its value when the row is defined, where later elements change it.
    pub initial: Option<i128>,
}

/// A register.
#[derive(Clone, Debug)]
pub struct RegisterPlan {
    /// Name.
    pub name: String,
    /// Its value before the file.
    pub initial: Option<i128>,
    /// Greatest value that it can hold.
    pub greatest: i128,
    /// Least value that it can hold.
    pub least: i128,
    /// It holds a row of this table, by place.
    pub table: Option<u32>,
}

/// A layout set at one use.
#[derive(Clone, Debug)]
pub struct LayoutPlan {
    /// Index in the schema.
    pub layout: u32,
    /// What says which codes to read.
    pub source: LayoutSource,
    /// Names from an element to its name.
    pub name_path: Vec<NameId>,
    /// Names from an element to its type.
    pub type_path: Vec<NameId>,
    /// Names from an element to its code.
    pub code_path: Vec<NameId>,
    /// Names from an element to the field that asks for a presence byte, and the operation of it.
    pub optional: Option<(Vec<NameId>, OpId)>,
    /// The codes.
    pub codes: Vec<LayoutCodePlan>,
    /// The rule raised where an unknown code is applied.
    pub unknown: Option<u32>,
    /// Descriptions are text: index into the plan's texts.
    pub text: Option<u32>,
}

/// What says which codes a layout reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LayoutSource {
    /// The described fields in a column of a row.
    Row(super::RowSource, super::ColumnRef),
    /// One code.
    Code(CodeId),
}

/// A type code at one use.
#[derive(Clone, Debug)]
pub struct LayoutCodePlan {
    /// The code.
    pub code: i128,
    /// Its name.
    pub name: String,
    /// What reads a value.
    pub op: OpId,
    /// The number of bytes of each value, where it is always the same by itself.
    pub size: Option<u64>,
    /// What shows a list of such values as text.
    pub units: Option<OpId>,
}

/// A kind of record at one use of its type.
#[derive(Clone, Debug)]
pub struct RecordPlan {
    /// Name of the kind.
    pub kind: String,
    /// Index in the schema.
    pub record: u32,
    /// Only where this holds.
    pub condition: Option<CodeId>,
    /// Members.
    pub members: Vec<MemberPlan>,
    /// A reader need not report it.
    pub optional: bool,
    /// Rules that free members of this record alone, and when.
    pub frees: Vec<(u32, Option<CodeId>)>,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct MemberPlan {
    /// Name.
    pub name: String,
    /// What it shows.
    pub source: MemberSource,
}

/// What a member shows.
#[derive(Clone, Debug)]
pub enum MemberSource {
    /// A value, presented as this operation's where there is one.
    Value(CodeId, Option<OpId>),
    /// An object.
    Object(Vec<MemberPlan>),
}

/// An enumeration with the members of a dialect.
#[derive(Clone, Debug)]
pub struct EnumPlan {
    /// Name.
    pub name: String,
    /// Members by value.
    pub members: Vec<EnumVariant>,
    /// Values below 256 that are members, as bits.
    pub small: [u64; 4],
}

/// A member of an enumeration.
#[derive(Clone, Debug)]
pub struct EnumVariant {
    /// Value.
    pub value: i128,
    /// Name.
    pub name: String,
    /// Not a member of this dialect: the rule that the value breaks.
    pub broken: Option<u32>,
}

/// A flag set.
#[derive(Clone, Debug)]
pub struct FlagsPlan {
    /// Name.
    pub name: String,
    /// Names and masks.
    pub bits: Vec<(String, u64)>,
}

/// A rule, with the duty that a reader of the dialect has.
#[derive(Clone, Debug)]
pub struct RulePlan {
    /// Its id.
    pub id: String,
    /// What a reader does.
    pub duty: ReaderDuty,
    /// How reading goes on.
    pub continues: Vec<Continuation>,
    /// Class of the fault.
    pub class: FaultClass,
    /// How the document words it.
    pub level: Level,
    /// Record members that are not compared in a file that shows it.
    pub frees: Vec<String>,
    /// Judged only when strictness is asked for.
    pub strict: bool,
    /// Tolerated in a reader, a fault of the writer.
    pub writer_fault: bool,
    /// Right, and still what an author of a writer wants to know of.
    pub writer_habit: bool,
}

/// Hints for random generation, with constants folded.
#[derive(Clone, Debug, Default)]
pub struct HintPlan {
    /// Integers and how often they come.
    pub weights: Vec<(i128, u32)>,
    /// Integers to prefer.
    pub integers: Vec<i128>,
    /// Texts to prefer.
    pub texts: Vec<String>,
    /// A range to prefer, both ends in it.
    pub range: Option<(i128, i128)>,
    /// Makes a number where a test is one that cannot be solved; else one to prefer.
    pub construct: Option<CodeId>,
    /// A range whose ends follow from what was read before.
    pub moving: Option<(CodeId, CodeId)>,
    /// The scalar that stands on the wire, where it is not the field's own.
    pub wire: Option<Scalar>,
}
