//! Operations.

use super::{CheckId, CodeId, NameId};
use crate::schema::{BitOrder, Encoding, Endian, Meaning, VariableKind};
use crate::source::SourceSpan;

/// The index of an operation, its stable id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpId(pub u32);

impl OpId {
    /// As a position in the plan's arrays.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a value is kept while it may be read by an expression. There is one set of slots;
/// a call saves those of the routine that it enters again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u32);

impl Slot {
    /// No slot.
    pub const NONE: Self = Self(u32::MAX);

    /// As a position in the set of slots.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an operation has besides its kind; bits of [`Op::flags`].
pub mod flags {
    /// It has a condition.
    pub const GUARD: u32 = 1;
    /// Its value goes into a slot.
    pub const SLOT: u32 = 1 << 1;
    /// Its value is tested.
    pub const CHECKS: u32 = 1 << 2;
    /// It names a row.
    pub const REFS: u32 = 1 << 3;
    /// Its value follows from an earlier one.
    pub const CARRY: u32 = 1 << 4;
    /// Its start and end go into slots.
    pub const SPAN: u32 = 1 << 5;
    /// It is shown in records when it is inside something that is.
    pub const VISIBLE: u32 = 1 << 6;
    /// It and what is inside is kept as a tree, for a record or a row.
    pub const CAPTURE: u32 = 1 << 7;
    /// It has effects, tests or a record when it ends.
    pub const ENDING: u32 = 1 << 8;
    /// A fault inside leaves it and what follows in its sized part absent.
    pub const OPTIONAL_REST: u32 = 1 << 9;
    /// It has a rule that it shows.
    pub const OBEYS: u32 = 1 << 10;
    /// A rule that it shows makes a difference to the verdict.
    pub const SHOWS: u32 = 1 << 11;
    /// What is kept of it is for records only.
    pub const RECORD_ONLY: u32 = 1 << 12;
    /// It changes nothing when it ends; at most it is a record.
    pub const QUIET: u32 = 1 << 16;
    /// What it does when it ends needs numbers only, not the bytes that were read.
    pub const LIGHT: u32 = 1 << 17;
    /// It is shown in its record as it is read; or it is such a record.
    pub const DIRECT: u32 = 1 << 13;
    /// There is a program for it.
    pub const FUSED: u32 = 1 << 14;
    /// There is a program for it and siblings after it.
    pub const RUN: u32 = 1 << 15;
    /// It describes a type by a code that may hold others.
    pub const DESCRIBES: u32 = 1 << 18;
    /// Any of these has to be looked at when the value is there.
    pub const SLOW: u32 = CHECKS | REFS | CARRY | SPAN;
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Op {
    /// What it does.
    pub kind: Kind,
    /// Index after the operations inside it.
    pub end: u32,
    /// What else it has.
    pub flags: u32,
    /// Read only where this holds.
    pub guard: CodeId,
    /// Where its value goes.
    pub slot: Slot,
    /// Its tests: first and number.
    pub checks: (CheckId, u16),
    /// Which rule each fault breaks here: index into the plan's faults.
    pub faults: u32,
}

/// An integer of whole bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// Bytes, 1 to 8.
    pub width: u8,
    /// Two's complement.
    pub signed: bool,
    /// Byte order.
    pub endian: Endian,
    /// Bytes of each word, where the words stand in the other order than the bytes in them;
    /// else 0.
    pub word: u8,
}

/// How the value of a text or of bytes ends before the bytes that may hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The code unit that ends it; none where only padding does.
    pub terminator: Option<u8>,
    /// Text in this encoding; else bytes.
    pub encoding: Option<Encoding>,
    /// The terminator must be there.
    pub required: bool,
    /// The terminator is read, and does not stay for what follows.
    pub consume: bool,
    /// The terminator belongs to the value.
    pub include: bool,
    /// The code unit that fills up the part around, which is no part of the value.
    pub pad: Option<u8>,
}

impl Ending {
    /// Bytes of a code unit.
    pub fn unit(&self) -> u64 {
        match self.encoding {
            Some(Encoding::Utf16Le | Encoding::Utf16Be) => 2,
            _ => 1,
        }
    }

    /// A code unit as it stands on the wire.
    pub fn written(&self, unit: u8) -> Vec<u8> {
        match self.encoding {
            Some(Encoding::Utf16Le) => vec![unit, 0],
            Some(Encoding::Utf16Be) => vec![0, unit],
            _ => vec![unit],
        }
    }
}

/// How many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Always as many.
    Fixed(u64),
    /// As many as an expression says.
    Computed(CodeId),
    /// All that are left.
    ToEnd,
}

/// How many elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Up to the end of the part or file.
    ToEnd,
    /// As many as an expression says.
    Computed(CodeId),
    /// Up to the first for which an expression holds.
    Until(CodeId),
}

/// What an operation does.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The operations inside, one after the other.
    Structure,
    /// Runs a structure that is around it again: the type holds itself.
    Call(OpId),
    /// An integer of whole bytes.
    Integer(Integer),
    /// IEEE 754.
    Float {
        /// 4 or 8 bytes.
        width: u8,
        /// Byte order.
        endian: Endian,
    },
    /// A variable-length integer of at most so many bits.
    Variable(VariableKind, u8),
    /// Bit fields that fill whole bytes, read as one integer; the fields are inside.
    BitRun {
        /// Bytes, 1 to 8.
        width: u8,
        /// Which end the first field is at.
        order: BitOrder,
    },
    /// One bit field of the run around it.
    Bits {
        /// Distance from the least significant bit.
        shift: u8,
        /// Bits.
        width: u8,
    },
    /// A GUID.
    Guid(Endian),
    /// Bytes.
    Bytes(Extent),
    /// Bytes that must be these: index into the constants.
    Contents(u32),
    /// Text.
    Text(Extent, Encoding),
    /// Text or bytes up to a terminator or up to what fills the part around.
    Terminated(Ending),
    /// The operation inside stands elsewhere: index into the plan's locations.
    At(u32),
    /// Reads nothing: the value of an expression goes into the slot.
    Bind(CodeId),
    /// The operation inside has so many bytes and no more.
    Sized(Extent),
    /// The operation inside, again and again: index into the plan's repeats.
    Repeat(u32),
    /// One of the operations inside: index into the plan's switches.
    Switch(u32),
    /// Values by type codes that the file gives: index into the plan's layouts. What reads
    /// the value of each code is inside.
    Layout(u32),
    /// A value of a type code that holds others: index into the plan's nested codes. What
    /// reads a number before the values is inside.
    Nested(u32),
    /// Reads nothing; only its tests.
    Check,
    /// Bytes up to a multiple.
    Align {
        /// The multiple.
        to: u64,
        /// From the start of the file, else of the part.
        from_file: bool,
        /// What each byte must be.
        fill: Option<u8>,
    },
}

/// What an operation's value means to people.
#[derive(Clone, Debug, Default)]
pub struct Presentation {
    /// The meaning that the description gives.
    pub meaning: Option<Meaning>,
    /// Index into the plan's enumerations.
    pub enumeration: Option<u32>,
    /// Index into the plan's flag sets.
    pub flags: Option<u32>,
    /// Shown by this expression instead: a look-up by the value, say.
    pub shows: Option<CodeId>,
    /// A structure that stands for one of its fields.
    pub transparent: bool,
    /// A part whose fields are shown as those of the structure around it.
    pub embedded: bool,
}

/// How a writer finds the value of a field that it does not choose.
#[derive(Clone, Debug, PartialEq)]
pub enum Derived {
    /// `factor * measure + add` of an operation that follows.
    Measured {
        /// What is measured.
        of: OpId,
        /// How.
        measure: Measure,
        /// Factor.
        factor: i128,
        /// Added.
        add: i128,
    },
    /// An expression, once all that it reads is known.
    Computed(CodeId),
}

/// What is measured of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Its bytes.
    Size,
    /// Its elements.
    Count,
}

/// What is wanted of an operation off the hot path.
#[derive(Clone, Debug)]
pub struct Info {
    /// Its name in paths; none for what stands for its structure.
    pub name: Option<NameId>,
    /// The name that it has in the description, even where paths leave it out.
    pub label: Option<NameId>,
    /// The operation around it; none for the root.
    pub parent: Option<OpId>,
    /// The type that it is a use of.
    pub type_name: Option<NameId>,
    /// Where it is described.
    pub span: SourceSpan,
    /// What its value means.
    pub presentation: Presentation,
    /// How a writer finds its value.
    pub derived: Option<Derived>,
    /// The structure at whose end that is known, where it is not the one that it is in.
    pub derived_at: Option<OpId>,
    /// What a call of a structure leaves: the slot inside it and the one outside.
    pub exports: Vec<(Slot, Slot)>,
    /// Index into the plan's refs.
    pub refs: Option<u32>,
    /// Index into the plan's carries.
    pub carry: Option<u32>,
    /// Index into the plan's effects.
    pub effects: Option<u32>,
    /// Index into the plan's records.
    pub record: Option<u32>,
    /// Slots for start and end.
    pub span_slots: Option<(Slot, Slot)>,
    /// Rules that it shows: rule and condition.
    pub obeys: Vec<(u32, Option<CodeId>)>,
    /// Any bytes are right.
    pub ignore: bool,
    /// Slots to clear before each element of a repetition.
    pub resets: Vec<Slot>,
    /// Slots that a call of this structure saves.
    pub saves: Vec<Slot>,
    /// How deep it may nest in itself: up to there a reader must accept, there the decoder
    /// stops, and the rule that deeper nesting breaks.
    pub depth: Option<(u64, u64, Option<u32>)>,
    /// The value that means that what follows in its structure is null and left out.
    pub null: Option<i128>,
    /// Hints for random generation.
    pub hints: super::HintPlan,
    /// Holds a type code of this layout.
    pub code_of: Option<crate::schema::LayoutId>,
    /// Index into the plan's structures that describe types.
    pub describes: Option<u32>,
    /// The least number of bytes that it can take.
    pub least: u64,
}
