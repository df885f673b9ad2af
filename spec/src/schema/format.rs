//! A whole description.

use super::{
    BitOrder, Encoding, EndianChoice, Enumeration, FaultMap, FlagSet, JsonSchema, Layout, Record,
    Register, Rule, RuleId, RuleRef, Table, Type, TypeId,
};
use crate::expression::Expr;
use crate::source::{SourceSpan, Sources};

/// A checked description.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The files that it was read from.
    pub sources: Sources,
    /// What it is called and the defaults of its types.
    pub meta: Meta,
    /// The type of the whole file.
    pub root: TypeId,
    /// All types.
    pub types: Vec<Type>,
    /// All enumerations.
    pub enums: Vec<Enumeration>,
    /// All flag sets.
    pub flags: Vec<FlagSet>,
    /// All rules.
    pub rules: Vec<Rule>,
    /// All registers.
    pub registers: Vec<Register>,
    /// All tables.
    pub tables: Vec<Table>,
    /// All layout sets.
    pub layouts: Vec<Layout>,
    /// All kinds of records.
    pub records: Vec<Record>,
    /// All schemas for JSON.
    pub json: Vec<JsonSchema>,
    /// Faults of the whole file; own kinds of shared parts too.
    pub faults: FaultMap,
    /// Dialects; a description without has one, named by its id, that binds nothing.
    pub dialects: Vec<Dialect>,
    /// Limits.
    pub limits: Vec<Limit>,
    /// Sentences that no file can show.
    pub untestable: Vec<Untestable>,
}

impl Schema {
    /// The rule of `id`.
    pub fn rule(&self, id: RuleId) -> Option<&Rule> {
        self.rules.get(id.index())
    }

    /// The rule called `name`.
    pub fn rule_named(&self, name: &str) -> Option<RuleId> {
        self.rules
            .iter()
            .position(|rule| rule.id == name)
            .map(RuleId::from)
    }
}

/// What a description is called, and its defaults.
#[derive(Clone, Debug)]
pub struct Meta {
    /// Its id, `tlv-v1` say.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
    /// The family that a family name selects; the id up to its version where not given.
    pub family: String,
    /// File extensions, without the dot.
    pub file_extensions: Vec<String>,
    /// The format document.
    pub document: Option<String>,
    /// Default byte order.
    pub endian: Option<EndianChoice>,
    /// Default bit order.
    pub bit_endian: BitOrder,
    /// Default encoding.
    pub encoding: Option<Encoding>,
}

/// A binding of the root's parameters.
#[derive(Clone, Debug)]
pub struct Dialect {
    /// `tlv-v1@strict`.
    pub id: String,
    /// Parameters and their values, which are constants.
    pub bindings: Vec<(String, Expr)>,
    /// How content tells it.
    pub detect: Detect,
    /// Used where nothing tells dialects apart.
    pub default: bool,
    /// Where it is declared.
    pub span: SourceSpan,
}

/// How content tells a dialect.
#[derive(Clone, Debug, Default)]
pub struct Detect {
    /// Bytes at offsets.
    pub bytes: Vec<(u64, Vec<u8>)>,
    /// A field that equals the parameter of the same name: `{field: header.version}`.
    pub field: Option<(String, Expr)>,
}

impl Detect {
    /// Whether content tells nothing.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.field.is_none()
    }
}

/// A limit.
#[derive(Clone, Debug)]
pub struct Limit {
    /// What is limited.
    pub of: LimitSubject,
    /// Which measure of it.
    pub kind: LimitKind,
    /// Up to there a reader must accept.
    pub promised: Option<u64>,
    /// There the reference decoder stops.
    pub enforced: Option<u64>,
    /// The rule between the two.
    pub rule: Option<RuleRef>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// What is limited.
#[derive(Clone, Debug)]
pub enum LimitSubject {
    /// The whole file.
    File,
    /// A type.
    Type(TypeId),
    /// A field of a type, `record.length`.
    Path(Expr),
    /// A register.
    Register(super::RegisterId),
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// How deep it nests in itself.
    Depth,
    /// Its size in bytes.
    Size,
    /// Its value.
    Value,
}

/// A sentence that no file can show.
#[derive(Clone, Debug)]
pub struct Untestable {
    /// Section of the format document.
    pub section: String,
    /// The sentence.
    pub says: String,
    /// Why.
    pub why: String,
}
