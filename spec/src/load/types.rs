//! Parses types, their parameters and instances, enumerations and flag sets.

use hashbrown::HashMap;

use super::context::{Context, poison};
use super::declare::{DeclaredType, Named};
use super::keys::Keys;
use super::type_name::scalar_named;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expr;
use crate::schema::{
    BitOrder, Endian, EndianChoice, EnumMember, Enumeration, Field, FieldRole, FlagBit, FlagSet,
    Instance, Param, ParamType, Position, ScalarKind, Type, TypeBody,
};
use crate::yaml::{Entry, Node};

/// Defaults that `meta` sets for the scalars of a type.
#[derive(Default)]
pub(super) struct Defaults {
    pub(super) endian: Option<EndianChoice>,
    pub(super) bit_endian: Option<BitOrder>,
    pub(super) encoding: Option<crate::schema::Encoding>,
}

impl Defaults {
    /// Returns these defaults. Defaults that are not set are taken from `other`.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            endian: self.endian.or(other.endian),
            bit_endian: self.bit_endian.or(other.bit_endian),
            encoding: self.encoding.or(other.encoding),
        }
    }
}

/// Returns a type without any content.
pub(super) fn empty_type(declared: &DeclaredType<'_>, defaults: Defaults) -> Type {
    Type {
        name: declared.name.clone(),
        span: declared.span,
        nested_in: declared.nested_in,
        doc: None,
        params: Vec::new(),
        endian: defaults.endian,
        bit_endian: defaults.bit_endian,
        encoding: defaults.encoding,
        body: TypeBody::Structure(Vec::new()),
        instances: Vec::new(),
        shows: None,
        none: None,
        meaning: None,
        size_of: None,
        constraints: Vec::new(),
        faults: Default::default(),
        obeys: Vec::new(),
        defines: None,
        removes: None,
        clears: Vec::new(),
        sets: Vec::new(),
        ignore: None,
        generation: Default::default(),
        due: false,
        seekable: false,
    }
}

impl<'n> Context<'n> {
    /// Converts the type described by `keys`. If the type is the root of a file, the caller looks
    /// up the keys that do not belong to a type.
    pub(super) fn convert_type(
        &mut self,
        declared: &DeclaredType<'n>,
        defaults: Defaults,
        keys: &mut Keys<'n>,
    ) -> Type {
        let mut converted = empty_type(declared, defaults);
        converted.doc = self.docs(keys);
        if let Some(node) = keys.take("params") {
            let nodes = self.sequence(node, "parameters").iter();
            converted.params = nodes.filter_map(|node| self.param(node)).collect();
        }
        for section in ["types", "enums", "to-string"] {
            keys.take(section);
        }
        converted.body = self.body(keys);
        if let Some(node) = keys.take("instances") {
            converted.instances = self.instances(node);
        }
        converted.shows = keys.take("shows").map(|node| self.expression(node));
        converted.size_of = keys.take("sizeof").map(|node| self.expression(node));
        converted.removes = keys.take("removes").and_then(|node| self.remove(node));
        if let Some(node) = keys.take("clears") {
            converted.clears = self.clears(node);
        }
        if let Some(node) = keys.take("sets") {
            converted.sets = self.sets(node);
        }
        converted.due = self.flag(keys, "due");
        converted.seekable = self.flag(keys, "seekable");
        let alias = matches!(converted.body, TypeBody::Alias(_));
        if !alias {
            self.structure_keys(keys, &mut converted);
        }
        converted
    }

    /// Converts the keys that apply to a structure as a whole. In a named scalar (a type with
    /// `is`), these keys belong to the scalar's single field instead.
    fn structure_keys(&mut self, keys: &mut Keys<'n>, converted: &mut Type) {
        keys.take("flags");
        converted.none = keys.take("none").and_then(|node| self.none(node));
        converted.meaning = keys.take("as").and_then(|node| self.meaning(node));
        let rule = self.rule_beside(keys);
        converted.constraints = keys
            .take("valid")
            .map(|node| self.constraints(node, rule.as_ref()))
            .unwrap_or_default();
        self.faults_into(keys, &mut converted.faults);
        converted.obeys = self.obeys(keys);
        converted.defines = keys.take("defines").and_then(|node| self.define(node));
        converted.ignore = self.rule_at(keys, "ignore");
        converted.generation = self.generation(keys);
    }

    fn body(&mut self, keys: &mut Keys<'n>) -> TypeBody {
        if !keys.has("is") {
            let seq = keys.take("seq").map(|node| self.sequence_of_fields(node));
            return TypeBody::Structure(seq.unwrap_or_default());
        }
        if let Some(entry) = keys.entry("seq") {
            self.conflict(entry, "`seq` and `is` cannot be combined");
        }
        let source = self.field_source(keys, "is");
        TypeBody::Alias(Box::new(Field {
            id: None,
            span: keys.span(),
            doc: None,
            role: FieldRole::Wire(Box::new(source)),
        }))
    }

    /// Parses `none: {field: literal}`, which specifies how null is encoded.
    fn none(&mut self, node: &'n Node) -> Option<(String, Expr)> {
        let mut entries = self.assignments(node).into_iter();
        match (entries.next(), entries.next()) {
            (Some(entry), None) => Some(entry),
            (None, _) => None,
            _ => {
                self.error(
                    Code::WrongShape,
                    node.span,
                    "`none` requires exactly one field",
                );
                None
            }
        }
    }

    fn param(&mut self, node: &'n Node) -> Option<Param> {
        let mut keys = Keys::of(node, "a parameter", self)?;
        let name = keys
            .need("id", self)
            .and_then(|node| self.declared_name(node));
        let kind = keys.take("type").map(|node| self.param_type(node));
        let enumeration = keys
            .take("enum")
            .map(|node| ParamType::Enum(self.enum_id(node)));
        self.docs(&mut keys);
        keys.finish(self);
        Some(Param {
            name: name?,
            kind: enumeration.or(kind.flatten()).unwrap_or(ParamType::Bytes),
            span: node.span,
        })
    }

    fn param_type(&mut self, node: &'n Node) -> Option<ParamType> {
        let name = self.text(node, "the type of a parameter")?;
        let plain = match name {
            "int" => Some(ParamType::Int),
            "bool" | "b1" => Some(ParamType::Bool),
            "str" => Some(ParamType::Text),
            "bytes" => Some(ParamType::Bytes),
            "struct" => Some(ParamType::Structure),
            _ => scalar_named(name).map(|scalar| match scalar.kind {
                ScalarKind::Float(_) => ParamType::Float,
                _ => ParamType::Int,
            }),
        };
        if plain.is_some() {
            return plain;
        }
        if matches!(name, "io" | "any") || name.ends_with("[]") {
            self.bad_value(
                node,
                format!("parameters of type `{name}` are not supported"),
                None,
            );
            return None;
        }
        self.type_id(name, node.span);
        Some(ParamType::Structure)
    }

    fn instances(&mut self, node: &'n Node) -> Vec<Instance> {
        let Some(mut keys) = Keys::of(node, "`instances`", self) else {
            return Vec::new();
        };
        let entries = keys.others().into_iter();
        entries.filter_map(|entry| self.instance(entry)).collect()
    }

    fn instance(&mut self, entry: &'n Entry) -> Option<Instance> {
        self.check_name(&entry.key, entry.key_span);
        let mut keys = Keys::of(&entry.value, "an instance", self)?;
        let doc = self.docs(&mut keys);
        let position = if keys.has("value") {
            let value = keys.take("value").map(|node| self.expression(node));
            Position::Computed {
                value: value.unwrap_or_else(|| poison(entry.key_span)),
                condition: self.condition(&mut keys),
                enumeration: keys.take("enum").map(|node| self.enum_id(node)),
                obeys: self.obeys(&mut keys),
            }
        } else {
            let condition = self.condition(&mut keys);
            let offset = keys.take("pos").map(|node| self.expression(node));
            let io = keys.take("io").map(|node| self.expression(node));
            let same_as = keys.take("same-as").map(|node| self.expression(node));
            let mut source = self.field_source(&mut keys, "type");
            source.condition = condition;
            Position::At {
                offset,
                io,
                same_as,
                source: Box::new(source),
            }
        };
        keys.finish(self);
        Some(Instance {
            id: entry.key.clone(),
            span: entry.key_span,
            doc,
            position,
        })
    }

    /// Parses `endian`, `bit-endian` and `encoding` of a `meta`.
    pub(super) fn defaults(&mut self, keys: &mut Keys<'n>) -> Defaults {
        let bit_orders = [("le", BitOrder::Little), ("be", BitOrder::Big)];
        Defaults {
            endian: keys.take("endian").and_then(|node| self.endian(node)),
            bit_endian: keys
                .take("bit-endian")
                .and_then(|node| self.word(node, &bit_orders)),
            encoding: keys.take("encoding").and_then(|node| self.encoding(node)),
        }
    }

    /// Returns the defaults that the `meta` of a part sets for its types. Errors in `meta` are
    /// reported when the part itself is converted.
    pub(super) fn part_defaults(&mut self, meta: Option<&'n Node>) -> Defaults {
        let Some(meta) = meta.filter(|meta| meta.as_mapping().is_some()) else {
            return Defaults::default();
        };
        match Keys::of(meta, "`meta`", self) {
            Some(mut keys) => self.defaults(&mut keys),
            None => Defaults::default(),
        }
    }

    fn endian(&mut self, node: &'n Node) -> Option<EndianChoice> {
        let orders = [("le", Endian::Little), ("be", Endian::Big)];
        if node.as_mapping().is_none() {
            return self.word(node, &orders).map(EndianChoice::Fixed);
        }
        let mut keys = Keys::of(node, "a byte order", self)?;
        let on = keys
            .need("switch-on", self)
            .map(|node| self.expression(node));
        let cases = keys.need("cases", self);
        keys.finish(self);
        let mut cases = Keys::of(cases?, "the cases of a byte order", self)?;
        let cases = cases.others().into_iter();
        let cases = cases
            .filter_map(|entry| {
                let label = self.label(entry);
                self.word(&entry.value, &orders).map(|order| (label, order))
            })
            .collect();
        Some(EndianChoice::Switch { on: on?, cases })
    }

    /// Parses an enumeration.
    pub(super) fn enumeration(&mut self, named: &Named<'n>) -> Enumeration {
        self.scope = named.scope;
        let mut members: Vec<EnumMember> = Vec::new();
        let (mut values, mut names) = (HashMap::new(), HashMap::new());
        if let Some(mut keys) = Keys::of(&named.entry.value, "an enumeration", self) {
            for entry in keys.numbered() {
                let Some(member) = self.member(entry) else {
                    continue;
                };
                let same_value = values.insert(member.value, member.span);
                let same_name = names.insert(member.name.clone(), member.span);
                if let Some(earlier) = same_value.or(same_name) {
                    let message = format!(
                        "the name or value of the member `{}` is already used",
                        member.name
                    );
                    let diagnostic = Diagnostic::error(Code::DuplicateName, member.span, message)
                        .also(earlier, "first used here");
                    self.push(diagnostic);
                    continue;
                }
                members.push(member);
            }
        }
        members.sort_by_key(|member| member.value);
        Enumeration {
            name: named.name.clone(),
            members,
            span: named.entry.key_span,
        }
    }

    fn member(&mut self, entry: &'n Entry) -> Option<EnumMember> {
        let Some(value) = super::context::parse_integer(&entry.key) else {
            let message = format!("invalid number `{}`", entry.key);
            self.push(
                Diagnostic::error(Code::WrongShape, entry.key_span, message)
                    .help("write members as `number: name`"),
            );
            return None;
        };
        let mut member = EnumMember {
            value,
            name: String::new(),
            doc: None,
            condition: None,
            otherwise: None,
            span: entry.key_span,
        };
        if entry.value.as_mapping().is_none() {
            member.name = self.declared_name(&entry.value)?;
            return Some(member);
        }
        let mut keys = Keys::of(&entry.value, "a member", self)?;
        let name = keys
            .need("id", self)
            .and_then(|node| self.declared_name(node));
        member.doc = self.docs(&mut keys);
        member.condition = self.condition(&mut keys);
        let otherwise = keys.take("else");
        member.otherwise = otherwise.map(|node| self.rule(node));
        keys.finish(self);
        member.name = name?;
        Some(member)
    }

    /// Parses a flag set.
    pub(super) fn flag_set(&mut self, named: &Named<'n>) -> FlagSet {
        self.scope = named.scope;
        let mut bits: Vec<FlagBit> = Vec::new();
        if let Some(mut keys) = Keys::of(&named.entry.value, "a flag set", self) {
            for entry in keys.others() {
                self.check_name(&entry.key, entry.key_span);
                let Some(mask) = self.number::<u64>(&entry.value) else {
                    continue;
                };
                if let Some(earlier) = bits.iter().find(|bit| bit.mask & mask != 0) {
                    let message = format!(
                        "the flags `{}` and `{}` share a bit",
                        earlier.name, entry.key
                    );
                    let diagnostic =
                        Diagnostic::error(Code::DuplicateName, entry.value.span, message)
                            .also(earlier.span, "this flag already uses the bit");
                    self.push(diagnostic);
                    continue;
                }
                if mask == 0 {
                    self.bad_value(&entry.value, "a flag requires at least one bit", None);
                    continue;
                }
                bits.push(FlagBit {
                    name: entry.key.clone(),
                    mask,
                    span: entry.key_span,
                });
            }
        }
        FlagSet {
            name: named.name.clone(),
            bits,
            span: named.entry.key_span,
        }
    }
}
