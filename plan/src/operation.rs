//! Operations, the instructions of a plan.

use super::{
    CarryId, CheckId, CodeId, ConstantId, DescribesId, EffectsId, FaultTableId, LayoutUseId,
    LocationId, NameId, NestedId, RecordUseId, RefsId, RepeatId, SwitchId,
};
use crate::arena::id;
use crate::scale::Scale;
use crate::source::SourceSpan;
use crate::terms::{BitOrder, Encoding, Endian, EnumId, FlagsId, Meaning, RuleId, VariableKind};

id!(/** The index of an operation, which is also its stable id. */ OpId);

id! {
    /// A storage location for a value that expressions may read. A plan has a single set of slots,
    /// so a recursive call saves the slots of the structure that it re-enters.
    Slot
}

impl Slot {
    /// The value that indicates the absence of a slot.
    pub const NONE: Self = Self(u32::MAX);
}

/// Properties that an operation has besides its kind, stored as bits of [`Op::flags`].
pub mod flags {
    /// The operation has a condition.
    pub const GUARD: u32 = 1;
    /// The value is stored in a slot.
    pub const SLOT: u32 = 1 << 1;
    /// The value is tested.
    pub const CHECKS: u32 = 1 << 2;
    /// The value is a reference to a row.
    pub const REFS: u32 = 1 << 3;
    /// The value is computed from an earlier value (`carry`).
    pub const CARRY: u32 = 1 << 4;
    /// The start and end positions are stored in slots.
    pub const SPAN: u32 = 1 << 5;
    /// The value appears in every record that contains the enclosing structure.
    pub const VISIBLE: u32 = 1 << 6;
    /// The operation and everything inside it are stored as a tree, for a record or a table row.
    pub const CAPTURE: u32 = 1 << 7;
    /// The structure has effects, tests or a record to process when it ends.
    pub const ENDING: u32 = 1 << 8;
    /// If a fault occurs inside the operation, its value and the rest of the enclosing sized part
    /// are absent.
    pub const OPTIONAL_REST: u32 = 1 << 9;
    /// The operation exercises at least one rule.
    pub const OBEYS: u32 = 1 << 10;
    /// The operation exercises a rule that can change the verdict or exclude record members from
    /// comparison.
    pub const SHOWS: u32 = 1 << 11;
    /// The value or tree is stored only for records.
    pub const RECORD_ONLY: u32 = 1 << 12;
    /// Ending the structure changes no state and runs no tests, but may complete a record.
    pub const QUIET: u32 = 1 << 16;
    /// The tests and effects at the end of the structure use only numbers, not the bytes that were
    /// read.
    pub const LIGHT: u32 = 1 << 17;
    /// The member can be added to its record while it is read, or the structure is a record whose
    /// members can be added in this way.
    pub const DIRECT: u32 = 1 << 13;
    /// The operation has a program for the fast path.
    pub const FUSED: u32 = 1 << 14;
    /// The operation starts a program for the fast path that also covers the siblings after it.
    pub const RUN: u32 = 1 << 15;
    /// The structure describes a type with a type code that may contain other types.
    pub const DESCRIBES: u32 = 1 << 18;
    /// The flags that require further work once the value has been read.
    pub const SLOW: u32 = CHECKS | REFS | CARRY | SPAN;
}

/// One operation of a plan.
#[derive(Clone, Debug)]
pub struct Op {
    /// The kind of work that the operation does.
    pub kind: Kind,
    /// The index just past the operations inside this operation.
    pub end: u32,
    /// Further properties, as bits from [`flags`].
    pub flags: u32,
    /// The condition under which the operation runs, or [`CodeId::NONE`].
    pub guard: CodeId,
    /// The slot that receives the value, or [`Slot::NONE`].
    pub slot: Slot,
    /// The tests of the value: the first test and the number of tests.
    pub checks: (CheckId, u16),
    /// The table that maps each kind of fault to the rule that it breaks here.
    pub faults: FaultTableId,
}

/// The encoding of an integer that occupies a whole number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// The number of bytes, from 1 to 8.
    pub width: u8,
    /// Whether the integer is a signed two's complement number.
    pub signed: bool,
    /// The byte order.
    pub endian: Endian,
    /// The size of a word in bytes if the words are ordered differently from the bytes within each
    /// word, otherwise 0.
    pub word: u8,
}

/// How a string or byte string can end before all available bytes have been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The code unit that terminates the value, or `None` if the value ends only at padding.
    pub terminator: Option<u8>,
    /// The encoding of the string, or `None` for a byte string.
    pub encoding: Option<Encoding>,
    /// Whether a missing terminator is a fault.
    pub required: bool,
    /// Whether reading the value consumes the terminator instead of leaving it for the next field.
    pub consume: bool,
    /// Whether the terminator is part of the value.
    pub include: bool,
    /// The code unit that pads the value to the end of the enclosing part and is not part of the
    /// value.
    pub pad: Option<u8>,
}

impl Ending {
    /// Returns the size of a code unit in bytes.
    pub fn unit(&self) -> u64 {
        match self.encoding {
            Some(Encoding::Utf16Le | Encoding::Utf16Be) => 2,
            _ => 1,
        }
    }

    /// Encodes a code unit as bytes.
    pub fn written(&self, unit: u8) -> Vec<u8> {
        match self.encoding {
            Some(Encoding::Utf16Le) => vec![unit, 0],
            Some(Encoding::Utf16Be) => vec![0, unit],
            _ => vec![unit],
        }
    }
}

/// The size of a value in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A constant number of bytes.
    Fixed(u64),
    /// The number of bytes that the expression yields.
    Computed(CodeId),
    /// All remaining bytes of the enclosing part or file.
    ToEnd,
}

/// The number of elements in a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// All elements up to the end of the enclosing part or file.
    ToEnd,
    /// The number of elements that the expression yields.
    Computed(CodeId),
    /// All elements up to and including the first that satisfies an expression.
    Until(CodeId),
}

/// The kind of work that an operation does.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Runs the inner operations in order.
    Structure,
    /// Runs an enclosing structure again, because its type contains itself.
    Call(OpId),
    /// Reads an integer that occupies a whole number of bytes.
    Integer(Integer),
    /// Reads an IEEE 754 floating-point number.
    Float {
        /// The number of bytes: 4 or 8.
        width: u8,
        /// The byte order.
        endian: Endian,
    },
    /// Reads a variable-length integer with at most this many bits.
    Variable(VariableKind, u8),
    /// Reads a run of bit fields, which together fill whole bytes, as a single integer. The inner
    /// operations are the fields.
    BitRun {
        /// The number of bytes, from 1 to 8.
        width: u8,
        /// Whether the first field occupies the most or the least significant bits.
        order: BitOrder,
    },
    /// Extracts one bit field from the enclosing [`Kind::BitRun`].
    Bits {
        /// The distance of the field from the least significant bit.
        shift: u8,
        /// The number of bits.
        width: u8,
    },
    /// Reads a GUID.
    Guid(Endian),
    /// Reads a byte string.
    Bytes(Extent),
    /// Reads bytes that must equal a constant.
    Contents(ConstantId),
    /// Reads text in an encoding.
    Text(Extent, Encoding),
    /// Reads text or bytes up to a terminator or up to the padding of the enclosing part.
    Terminated(Ending),
    /// Reads the inner operation at another position.
    At(LocationId),
    /// Reads nothing and stores the value of an expression in the slot.
    Bind(CodeId),
    /// Limits the inner operation to a part with this number of bytes.
    Sized(Extent),
    /// Repeats the inner operation.
    Repeat(RepeatId),
    /// Selects one of the inner operations.
    Switch(SwitchId),
    /// Reads values whose type codes come from the file. The inner operations read the values of
    /// each type code.
    Layout(LayoutUseId),
    /// Reads a value of a type code that contains other values. The index refers to the plan's
    /// nested type codes. If an element count precedes the elements, the inner operation reads the
    /// count.
    Nested(NestedId),
    /// Reads nothing and only runs its tests.
    Check,
    /// Reads padding bytes up to the next multiple of `to` bytes.
    Align {
        /// The multiple, in bytes.
        to: u64,
        /// Whether the multiple is relative to the start of the file instead of the start of the
        /// enclosing part.
        from_file: bool,
        /// The required value of each padding byte, or `None` if any value is allowed.
        fill: Option<u8>,
    },
}

impl Kind {
    /// Returns whether the operation reads an integer that may be negative.
    pub fn is_signed(&self) -> bool {
        match self {
            Self::Integer(integer) => integer.signed,
            Self::Variable(kind, _) => *kind != VariableKind::Unsigned,
            _ => false,
        }
    }

    /// Returns the minimum and maximum number that the operation can read, or `None` if it does not
    /// read an integer.
    pub fn range(&self) -> Option<(i128, i128)> {
        let (bits, signed) = match self {
            Self::Integer(integer) => (u32::from(integer.width) * 8, integer.signed),
            Self::Variable(kind, bits) => (u32::from(*bits), *kind != VariableKind::Unsigned),
            Self::Bits { width, .. } => (u32::from(*width), false),
            _ => return None,
        };
        Some(match signed {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        })
    }
}

/// How the value of an operation is presented to people.
#[derive(Clone, Debug, Default)]
pub struct Presentation {
    /// The meaning declared in the description.
    pub meaning: Option<Meaning>,
    /// The enumeration.
    pub enumeration: Option<EnumId>,
    /// The flag set.
    pub flags: Option<FlagsId>,
    /// An expression whose result replaces the value in records, such as a lookup with the value as
    /// the key.
    pub shows: Option<CodeId>,
    /// Whether the structure is represented by one of its fields.
    pub transparent: bool,
    /// Whether a field decides that the structure is null (see [`Info::null`]).
    pub nullable: bool,
    /// Whether the fields of this part are presented as fields of the enclosing structure.
    pub embedded: bool,
}

/// How a writer computes the value of a field, if the writer does not choose the value.
#[derive(Clone, Debug, PartialEq)]
pub enum Derived {
    /// The size or count of a later operation.
    Measured {
        /// The measured operation.
        of: OpId,
        /// The measured property.
        measure: Measure,
        /// How the size or count is stored.
        scale: Scale,
    },
    /// The value of an expression, computed once everything that it reads is known.
    Computed(CodeId),
}

/// A measurable property of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The size in bytes.
    Size,
    /// The number of elements.
    Count,
}

/// The details of an operation that are not needed on the hot path.
#[derive(Clone, Debug)]
pub struct Info {
    /// The name used in paths, or `None` for a field that represents the enclosing structure.
    pub name: Option<NameId>,
    /// The name in the description, which is set even if paths omit it.
    pub label: Option<NameId>,
    /// The enclosing operation, or `None` for the root.
    pub parent: Option<OpId>,
    /// The name of the type, if the operation is a use of a named type.
    pub type_name: Option<NameId>,
    /// The location of the operation's definition in the description.
    pub span: SourceSpan,
    /// How the value is presented.
    pub presentation: Presentation,
    /// How a writer computes the value, if the writer does not choose it.
    pub derived: Option<Derived>,
    /// The structure that must end before a derived value is known, or `None` for the enclosing
    /// structure.
    pub derived_at: Option<OpId>,
    /// The values that a recursive call makes available to its caller, each given by an expression
    /// that is evaluated at the end of the called structure, and a slot of the caller.
    pub exports: Vec<(CodeId, Slot)>,
    /// The reference that the field contains, if any.
    pub refs: Option<RefsId>,
    /// How the value is computed from an earlier value, if it is.
    pub carry: Option<CarryId>,
    /// The effects of the end of the structure, if any.
    pub effects: Option<EffectsId>,
    /// The record that the structure is reported as, if any.
    pub record: Option<RecordUseId>,
    /// The slots that receive the start and end positions.
    pub span_slots: Option<(Slot, Slot)>,
    /// The rules that the operation exercises, each with its condition, if any.
    pub obeys: Vec<(RuleId, Option<CodeId>)>,
    /// Whether readers ignore the contents, so that writers may write any bytes.
    pub ignore: bool,
    /// The slots that are reset before each element of a repetition.
    pub resets: Vec<Slot>,
    /// The slots that a call of this structure saves.
    pub saves: Vec<Slot>,
    /// The limits on how deeply the structure may nest in itself: the depth that every reader must
    /// accept, the depth at which the decoder stops, and the rule broken by deeper nesting.
    pub depth: Option<(u64, u64, Option<RuleId>)>,
    /// The value that marks the enclosing structure as null, so that the rest of it is omitted.
    pub null: Option<i128>,
    /// Hints for random generation.
    pub hints: super::HintPlan,
    /// The layout set whose type codes this field contains, if any.
    pub code_of: Option<crate::terms::LayoutId>,
    /// The types that the structure describes, if any.
    pub describes: Option<DescribesId>,
    /// The minimum number of bytes that the operation can occupy.
    pub least: u64,
}
