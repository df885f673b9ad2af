//! The schema of a whole description.

use std::sync::Arc;

use super::{
    BitOrder, Encoding, EndianChoice, EnumId, Enumeration, FaultMap, FlagSet, JsonSchema, Layout,
    Record, Register, Rule, RuleId, RuleRef, Table, Type, TypeId,
};
use crate::expression::Expr;
use tracegauge_plan::source::{SourceSpan, Sources};

/// A checked description.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The source files of the description.
    pub sources: Sources,
    /// The name of the format and the defaults of its types.
    pub meta: Meta,
    /// The type that describes the whole file.
    pub root: TypeId,
    /// All types.
    pub types: Vec<Type>,
    /// All enumerations.
    pub enums: Vec<Enumeration>,
    /// All flag sets.
    pub flags: Vec<FlagSet>,
    /// All rules.
    pub rules: Arc<[Rule]>,
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
    /// The rules for faults anywhere in the file, including the named faults of shared parts.
    pub faults: FaultMap,
    /// The dialects. If a description declares no dialects, there is a single dialect, which has
    /// the id of the format and sets no parameters.
    pub dialects: Vec<Dialect>,
    /// Limits on depth, size and values.
    pub limits: Vec<Limit>,
    /// Sentences of the specification that no file can test.
    pub untestable: Vec<Untestable>,
}

impl Schema {
    /// Returns the rule with this index.
    pub fn rule(&self, id: RuleId) -> Option<&Rule> {
        self.rules.get(id.index())
    }

    /// Returns the enumeration that `path` refers to in the scope of a type: the one in the type
    /// itself, or in the nearest type around it that has one.
    pub fn enumeration(&self, path: &[String], scope: TypeId) -> Option<EnumId> {
        let wanted = path.join("::");
        let type_at = |id: TypeId| self.types.get(id.index());
        let named = |name: &str| {
            let mut enums = self.enums.iter();
            enums.position(|known| known.name == name).map(EnumId::from)
        };
        let outward = std::iter::successors(Some(scope), |at| type_at(*at)?.nested_in);
        let mut outward = outward.filter_map(type_at);
        let inside = outward.find_map(|holder| named(&format!("{}::{wanted}", holder.name)));
        let root = type_at(self.root).map_or("", |root| &root.name);
        inside.or_else(|| named(&wanted)).or_else(|| {
            let inside_root = wanted.strip_prefix(root)?.strip_prefix("::")?;
            named(inside_root)
        })
    }
}

/// The id, title and file extensions of a format, and the defaults of its types.
#[derive(Clone, Debug)]
pub struct Meta {
    /// The id of the format, such as `tlv-v1`.
    pub id: String,
    /// The title of the format.
    pub title: Option<String>,
    /// The name that all versions of the format share. Defaults to the id without its version.
    pub family: String,
    /// The file extensions, without the dot.
    pub file_extensions: Vec<String>,
    /// The name of the specification.
    pub document: Option<String>,
    /// The default byte order.
    pub endian: Option<EndianChoice>,
    /// The rule that states the byte order.
    pub endian_rule: Option<RuleId>,
    /// The default bit order.
    pub bit_endian: BitOrder,
    /// The default encoding of strings.
    pub encoding: Option<Encoding>,
}

/// A dialect of a format, which sets the parameters of the root type.
#[derive(Clone, Debug)]
pub struct Dialect {
    /// The id of the dialect, such as `tlv-v1@strict`.
    pub id: String,
    /// The parameters and their values, which are constants.
    pub bindings: Vec<(String, Expr)>,
    /// The content that identifies a file of this dialect.
    pub detect: Detect,
    /// Whether this dialect is assumed if the content of a file does not identify a dialect.
    pub default: bool,
    /// The location of the dialect's declaration.
    pub span: SourceSpan,
}

/// The content that identifies a file of a dialect.
#[derive(Clone, Debug, Default)]
pub struct Detect {
    /// Byte strings and the offsets where they must occur.
    pub bytes: Vec<(u64, Vec<u8>)>,
    /// A field that must equal the parameter with the same name, as in `{field: header.version}`.
    pub field: Option<(String, Expr)>,
}

impl Detect {
    /// Returns whether there are no criteria.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.field.is_none()
    }
}

/// A limit on a depth, a size or a value.
#[derive(Clone, Debug)]
pub struct Limit {
    /// The element that the limit applies to.
    pub of: LimitSubject,
    /// The property that the limit applies to: the depth, the size or the value.
    pub kind: LimitKind,
    /// The greatest depth, size or value that a reader must accept.
    pub promised: Option<u64>,
    /// The depth, size or value at which the reference decoder stops.
    pub enforced: Option<u64>,
    /// The rule broken or exercised by a depth, size or value above `promised`.
    pub rule: Option<RuleRef>,
    /// The location of the limit in the description.
    pub span: SourceSpan,
}

/// The element that a limit applies to.
#[derive(Clone, Debug)]
pub enum LimitSubject {
    /// The whole file.
    File,
    /// Every element of a particular type.
    Type(TypeId),
    /// A field of a type, such as `record.length`.
    Path(Expr),
    /// The value of a register.
    Register(super::RegisterId),
}

/// The property that a limit applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// How many levels deep a type is nested inside itself.
    Depth,
    /// The size in bytes.
    Size,
    /// The numeric value.
    Value,
}

/// A sentence of the specification that no file can test.
#[derive(Clone, Debug)]
pub struct Untestable {
    /// The section of the specification.
    pub section: String,
    /// The text of the sentence.
    pub says: String,
    /// The reason why no file can test the sentence.
    pub why: String,
}
