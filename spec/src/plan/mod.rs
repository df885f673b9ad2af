//! The plan: a schema lowered for execution, for one dialect.
//!
//! A plan is a flat array of operations in the order of the wire, each followed by the
//! operations inside it, so that the array is code and tree at once: the children of
//! operation `i` start at `i + 1`, and the next sibling of a child is at its `end`. The
//! index of an operation is its stable id, by which decoder, encoder, generator, coverage
//! and fault operators speak of the same element. Types are specialised by use: names are
//! slots, conditions on dialects are folded, each operation knows which rule each fault
//! breaks where it stands.

mod about;
mod check;
mod code;
mod dates;
mod describe;
mod fields;
mod inside;
mod known;
mod lower;
pub mod mutate;
mod nested;
mod operation;
mod parts;
mod paths;
mod raises;
mod ranges;
mod readings;
mod steps;
mod surroundings;
mod unsure;

pub use check::{CheckKind, CheckPlan};
pub use code::{Code, CodeId, ColumnRef, RowSource, StreamPart, StreamRef, TextPart};
pub use describe::describe;
pub use inside::{
    ByteSet, Constant, InitialPlan, JsonMemberPlan, JsonPlan, JsonShape, KindMatch, KindPlan,
    SampleRow, SignaturePlan, TextCode, TextPlan,
};
pub use lower::{LowerError, lower};
pub use nested::{CodeExtent, DescribedCode, DescribesPlan, LocatedPlan, NestedForm, NestedPlan};
pub use operation::{
    Count, Derived, Ending, Extent, Info, Integer, Kind, Measure, Op, OpId, Presentation, Slot,
    flags,
};
pub use parts::{
    AgainPlan, BridgePlan, CarryPlan, CheckId, ClearPlan, ColumnPlan, DefinePlan, EffectsPlan,
    EnumPlan, EnumVariant, FaultRules, FlagsPlan, FoldPlan, HintPlan, LayoutCodePlan, LayoutPlan,
    LayoutSource, LocationPlan, MemberPlan, MemberSource, OncePlan, Pick, PreviousPlan, RecordPlan,
    RefsPlan, RegisterPlan, RemovePlan, RepeatPlan, RulePlan, SetPlan, SetTargetPlan, SwitchPlan,
    TablePlan, UniquePlan,
};

pub use paths::Paths;
pub use ranges::Allowed;
pub use steps::{
    Counted, Elements, Leaf, ListShow, Nests, Programs, Show, Step, StepRange, Tests, TextSize,
    Units, When, each_code,
};
pub use surroundings::Around;
pub use unsure::Unsure;

use std::collections::HashMap;
use std::sync::Arc;

use crate::schema::Schema;

/// A name of the description, interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub u32);

/// A schema lowered for one dialect.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The dialect's id, `tlv-v1` say.
    pub format: String,
    /// The schema that it was lowered from.
    pub schema: Arc<Schema>,
    /// Operations; the root is the first.
    pub ops: Vec<Op>,
    /// What is wanted of an operation off the hot path, by the same index.
    pub infos: Vec<Info>,
    /// Compiled expressions.
    pub codes: Vec<Code>,
    /// Conditions that must hold, as the description has them.
    pub conditions: HashMap<CodeId, String>,
    /// Constant texts and bytes.
    pub constants: Vec<Vec<u8>>,
    /// Interned names.
    pub names: Vec<String>,
    /// Tests.
    pub checks: Vec<CheckPlan>,
    /// Which rule each fault breaks.
    pub faults: Vec<FaultRules>,
    /// Switches.
    pub switches: Vec<SwitchPlan>,
    /// Repetitions.
    pub repeats: Vec<RepeatPlan>,
    /// Carried fields.
    pub carries: Vec<CarryPlan>,
    /// References to rows.
    pub refs: Vec<RefsPlan>,
    /// What structures do when they end.
    pub effects: Vec<EffectsPlan>,
    /// Kinds of records, one for each use of a type that is one.
    pub records: Vec<RecordPlan>,
    /// Tables.
    pub tables: Vec<TablePlan>,
    /// Registers.
    pub registers: Vec<RegisterPlan>,
    /// Layout sets, one for each use.
    pub layouts: Vec<LayoutPlan>,
    /// Type codes that hold others.
    pub nested: Vec<NestedPlan>,
    /// Structures that describe types.
    pub describes: Vec<DescribesPlan>,
    /// Texts of JSON.
    pub json: Vec<JsonPlan>,
    /// How descriptions stand in texts.
    pub texts: Vec<TextPlan>,
    /// Texts in which rows describe fields.
    pub signatures: Vec<SignaturePlan>,
    /// Enumerations with the members of this dialect.
    pub enums: Vec<EnumPlan>,
    /// Flag sets.
    pub flag_sets: Vec<FlagsPlan>,
    /// Rules with the duty that a reader of this dialect has.
    pub rules: Vec<RulePlan>,
    /// Where instances stand.
    pub locations: Vec<LocationPlan>,
    /// The whole file must be at hand: something in it is found from its end or by a position.
    pub whole: bool,
    /// Number of slots.
    pub slots: u32,
    /// Programs of operations, by the same index.
    pub programs: Vec<Programs>,
    /// The steps of all programs.
    pub steps: Vec<Step>,
    /// The lists that they read.
    pub lists: Vec<Elements>,
}

impl Plan {
    /// The operation of `id`.
    pub fn op(&self, id: OpId) -> &Op {
        &self.ops[id.index()]
    }

    /// What is known of the operation of `id`.
    pub fn info(&self, id: OpId) -> &Info {
        &self.infos[id.index()]
    }

    /// The tests that the operation of `id` makes of its value.
    #[inline]
    pub fn tests_of(&self, id: OpId) -> &[CheckPlan] {
        let (first, count) = self.ops[id.index()].checks;
        let first = first.0 as usize;
        let tests = self.checks.get(first..first + usize::from(count));
        tests.unwrap_or_default()
    }

    /// The operations directly inside `id`.
    pub fn children(&self, id: OpId) -> Children<'_> {
        Children {
            ops: &self.ops,
            next: id.0 + 1,
            end: self.ops[id.index()].end,
        }
    }

    /// The text of a name.
    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id.0 as usize).map_or("", String::as_str)
    }

    /// What the files of the format are called after the point; `bin` where nobody says.
    pub fn file_extension(&self) -> &str {
        let known = self.schema.meta.file_extensions.first();
        known.map_or("bin", String::as_str)
    }

    /// The rule called `id`, by position.
    pub fn rule_named(&self, id: &str) -> Option<usize> {
        self.rules.iter().position(|rule| rule.id == id)
    }
}

/// The operations directly inside one.
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
