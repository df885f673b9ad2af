//! The plan: the executable form of a description, for one dialect. The crate `tracegauge-spec`
//! produces plans; the decoder, the generator and everything based on them use only this crate.
//!
//! A plan is a flat array of operations in wire order. Each operation is followed by the operations
//! inside it, so the array is both code and tree: the first child of operation `i` is at `i + 1`,
//! and the next sibling of a child is at that child's `end`. The index of an operation is its
//! stable id, which the decoder, encoder, generator, coverage and fault operators use to refer to
//! the same element. Lowering specializes each type at every use: names become slots, conditions on
//! the dialect are folded to constants, and each operation records which rule is broken by each
//! kind of fault at that position.

mod about;
mod arena;
mod arithmetic;
mod check;
mod code;
pub mod codec;
mod dates;
mod describe;
mod description;
pub mod evaluate;
mod fields;
pub mod formula;
mod inside;
mod known;
pub mod mutate;
mod nested;
mod operation;
pub mod operator;
mod parts;
mod paths;
mod raises;
mod ranges;
mod readings;
pub mod routine;
mod scale;
pub mod source;
mod steps;
mod surroundings;
pub mod terms;
mod unsure;

pub use arena::{Arena, Id};
pub use check::{CheckKind, CheckPlan};
pub use code::{Code, CodeId, ColumnRef, RowSource, StreamPart, StreamRef, TextPart};
pub use describe::describe;
pub use description::{Description, DetectedField, Detection, Dialect};
pub use inside::{
    ByteSet, Constant, InitialPlan, JsonMemberPlan, JsonPlan, JsonShape, JsonUseId, KindMatch,
    KindPlan, SampleRow, SignatureId, SignaturePlan, TextCode, TextId, TextPlan,
};
pub use nested::{
    CodeExtent, DescribedCode, DescribesId, DescribesPlan, LocatedPlan, NestedForm, NestedId,
    NestedPlan,
};
pub use operation::{
    Count, Derived, Ending, Extent, Info, Integer, Kind, Measure, Op, OpId, Presentation, Slot,
    flags,
};
pub use parts::{
    AgainPlan, CarryId, CarryPlan, CheckId, ClearPlan, ColumnPlan, ConstantId, DefinePlan,
    EffectsId, EffectsPlan, EnumPlan, EnumVariant, FaultRules, FaultTableId, FlagsPlan, FoldPlan,
    HintPlan, LayoutCodePlan, LayoutPlan, LayoutSource, LayoutUseId, LocationId, LocationPlan,
    MemberPlan, MemberSource, OncePlan, Pick, PlainPlan, PreviousPlan, RecordPlan, RecordUseId,
    RefsId, RefsPlan, RegisterPlan, RemovePlan, RepeatId, RepeatPlan, RowKindId, RulePlan, SetPlan,
    SetTargetPlan, SwitchId, SwitchPlan, TablePlan, UniquePlan,
};

pub use paths::Paths;
pub use ranges::Allowed;
pub use scale::Scale;
pub use steps::{
    Assignment, Counted, Elements, ElementsId, FormPart, ImageForm, ImageId, Leaf, ListShow,
    MemberForm, Nests, NumberForm, Origin, Preferred, Programs, RecordForm, RowForm, Show, Step,
    StepRange, StepTest, StepTestKind, StepTests, StepTestsId, Sum, Target, Tests, TextSize, Units,
    When, WordId, each_code, fuse, slots_of, specialize,
};
pub use surroundings::Around;
pub use unsure::Unsure;

use std::collections::HashMap;
use std::sync::Arc;

use arena::id;
use formula::Operation;
use terms::{EnumId, FlagsId, RegisterId, RuleId, TableId};

id!(/** The id of an interned name from the description. */ NameId);

/// The executable form of a description for one dialect.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The id of the plan's dialect, such as `tlv-v1`.
    pub format: String,
    /// The parts of the description that appear in messages or distinguish dialects.
    pub description: Arc<Description>,
    /// All operations, starting with the root.
    pub ops: Vec<Op>,
    /// The details of each operation that are not needed on the hot path, with the same indexes as
    /// `ops`.
    pub infos: Vec<Info>,
    /// Compiled expressions, indexed by [`CodeId`].
    pub codes: Vec<Code>,
    /// The source text of each condition that must hold, as written in the description.
    pub conditions: HashMap<CodeId, String>,
    /// Constant strings and byte strings.
    pub constants: Arena<ConstantId, Vec<u8>>,
    /// Interned names, indexed by [`NameId`].
    pub names: Vec<String>,
    /// Tests of values, grouped by operation.
    pub checks: Vec<CheckPlan>,
    /// Tables that map each kind of fault to the rule that it breaks; operations with the same
    /// mappings share a table.
    pub faults: Arena<FaultTableId, FaultRules>,
    /// Switches.
    pub switches: Arena<SwitchId, SwitchPlan>,
    /// Repetitions.
    pub repeats: Arena<RepeatId, RepeatPlan>,
    /// Fields whose values are computed from earlier values (`carry`).
    pub carries: Arena<CarryId, CarryPlan>,
    /// References from fields to table rows.
    pub refs: Arena<RefsId, RefsPlan>,
    /// The effects of structures when they end.
    pub effects: Arena<EffectsId, EffectsPlan>,
    /// Kinds of records, one entry for each use of a type that is a record.
    pub records: Arena<RecordUseId, RecordPlan>,
    /// Tables, whose rows are defined in the file.
    pub tables: Arena<TableId, TablePlan>,
    /// Registers, the named variables of the decoder's state.
    pub registers: Arena<RegisterId, RegisterPlan>,
    /// Layout sets, which define how the values of each type code are read; one entry for each use.
    pub layouts: Arena<LayoutUseId, LayoutPlan>,
    /// Type codes whose values contain values of other types.
    pub nested: Arena<NestedId, NestedPlan>,
    /// Structures in the file that describe types.
    pub describes: Arena<DescribesId, DescribesPlan>,
    /// Requirements on text fields that contain JSON.
    pub json: Arena<JsonUseId, JsonPlan>,
    /// The syntaxes of text that describes fields.
    pub texts: Arena<TextId, TextPlan>,
    /// Fields whose text describes the fields of a row.
    pub signatures: Arena<SignatureId, SignaturePlan>,
    /// Enumerations with their members in this dialect.
    pub enums: Arena<EnumId, EnumPlan>,
    /// Sets of named flags.
    pub flag_sets: Arena<FlagsId, FlagsPlan>,
    /// Rules, each with the behavior that is required of a reader of this dialect.
    pub rules: Arena<RuleId, RulePlan>,
    /// The locations of instances, which are read at a computed position.
    pub locations: Arena<LocationId, LocationPlan>,
    /// Whether decoding needs the whole file at once, because values are read at absolute positions
    /// or relative to the end of the file.
    pub whole: bool,
    /// The number of slots. Slots store the values that expressions read.
    pub slots: u32,
    /// The operation that reads the value in each slot, if one does.
    pub origins: Vec<Option<OpId>>,
    /// The programs that replace operations on the fast path, with the same indexes as `ops`.
    pub programs: Vec<Programs>,
    /// The steps of all programs.
    pub steps: Vec<Step>,
    /// The lists that [`Step::List`] refers to.
    pub lists: Arena<ElementsId, Elements>,
    /// The operations of the formulas that steps evaluate.
    pub operations: Vec<Operation>,
    /// For each repetition, the work after each element, as instructions.
    pub after_element: Arena<RepeatId, routine::Routine>,
    /// The constants in the decoder's memory of numbers.
    pub numbers: Vec<i64>,
    /// The number of words that [`Step::ByWord`] refers to.
    pub words: u32,
    /// The tests that [`Tests::Listed`] refers to.
    pub step_tests: Arena<StepTestsId, StepTests>,
    /// How steps compute the fields whose values depend on earlier values.
    pub sums: Arena<CarryId, Sum>,
    /// The assignments at the end of structures.
    pub assignments: Arena<EffectsId, Vec<Assignment>>,
    /// How steps build the members of records.
    pub record_forms: Arena<RecordUseId, RecordForm>,
}

impl Plan {
    /// Returns the operation with this id.
    pub fn op(&self, id: OpId) -> &Op {
        &self.ops[id.index()]
    }

    /// Returns the details of the operation with this id.
    pub fn info(&self, id: OpId) -> &Info {
        &self.infos[id.index()]
    }

    /// Returns the tests of the value of the operation with this id.
    #[inline]
    pub fn tests_of(&self, id: OpId) -> &[CheckPlan] {
        let (first, count) = self.ops[id.index()].checks;
        let first = first.index();
        let tests = self.checks.get(first..first + usize::from(count));
        tests.unwrap_or_default()
    }

    /// Iterates over the operations directly inside `id`.
    pub fn children(&self, id: OpId) -> Children<'_> {
        Children {
            ops: &self.ops,
            next: id.0 + 1,
            end: self.ops[id.index()].end,
        }
    }

    /// Returns the text of an interned name.
    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id.index()).map_or("", String::as_str)
    }

    /// Returns the file extension of the format, without the dot, or `bin` if the description names
    /// none.
    pub fn file_extension(&self) -> &str {
        let known = self.description.file_extensions.first();
        known.map_or("bin", String::as_str)
    }

    /// Returns the index of the rule with this id.
    pub fn rule_named(&self, id: &str) -> Option<RuleId> {
        self.rules.position(|rule| rule.id == id)
    }
}

/// An iterator over the direct children of an operation.
pub struct Children<'p> {
    ops: &'p [Op],
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = OpId;

    fn next(&mut self) -> Option<OpId> {
        if self.next >= self.end {
            return None;
        }
        let id = OpId(self.next);
        self.next = self.ops[id.index()].end;
        Some(id)
    }
}
