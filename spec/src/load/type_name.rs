//! Parses field types: numbers, strings, named types, and switches.

use super::context::Context;
use super::keys::Keys;
use super::names::POISON;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{self, Expr};
use crate::schema::{
    BitOrder, Encoding, Endian, Scalar, ScalarKind, SwitchCase, TypeId, TypeRef, VariableKind,
};
use crate::yaml::{Entry, Node, Scalar as YamlScalar};
use tracegauge_plan::source::SourceSpan;

/// The result of parsing `type:`.
pub(super) struct ReadAs {
    pub(super) target: TypeRef,
    /// Whether the type is `strz`, a zero-terminated string.
    pub(super) zero_ends: bool,
}

/// Encodings with the names that descriptions use for them.
const ENCODINGS: [(&str, Encoding); 12] = [
    ("ASCII", Encoding::Ascii),
    ("US-ASCII", Encoding::Ascii),
    ("UTF-8", Encoding::Utf8),
    ("UTF8", Encoding::Utf8),
    ("CESU-8", Encoding::Cesu8),
    ("UTF-16LE", Encoding::Utf16Le),
    ("UTF16LE", Encoding::Utf16Le),
    ("UTF-16BE", Encoding::Utf16Be),
    ("UTF16BE", Encoding::Utf16Be),
    ("ISO-8859-1", Encoding::Latin1),
    ("ISO8859-1", Encoding::Latin1),
    ("LATIN1", Encoding::Latin1),
];

/// Returns the numeric type with this name, for example `u4le`.
pub(super) fn scalar_named(name: &str) -> Option<Scalar> {
    let plain = |kind, endian| Scalar {
        kind,
        endian,
        words: None,
    };
    match name {
        "uleb128" => {
            return Some(plain(
                ScalarKind::Variable(VariableKind::Unsigned, 64),
                None,
            ));
        }
        "sleb128" => return Some(plain(ScalarKind::Variable(VariableKind::Signed, 64), None)),
        "zigzag" => return Some(plain(ScalarKind::Variable(VariableKind::ZigZag, 64), None)),
        "guidle" => return Some(plain(ScalarKind::Guid(Endian::Little), None)),
        "guidbe" => return Some(plain(ScalarKind::Guid(Endian::Big), None)),
        _ => {}
    }
    let (stem, endian) = match (name.strip_suffix("le"), name.strip_suffix("be")) {
        (Some(stem), _) => (stem, Some(Endian::Little)),
        (_, Some(stem)) => (stem, Some(Endian::Big)),
        _ => (name, None),
    };
    let digits = stem
        .get(1..)
        .filter(|digits| !digits.starts_with(['0', '+']))?;
    let width: u8 = digits.parse().ok()?;
    let whole_bytes = (1..=8).contains(&width) && (width > 1 || endian.is_none());
    match stem.as_bytes().first()? {
        b'u' if whole_bytes => Some(plain(ScalarKind::Unsigned(width), endian)),
        b's' if whole_bytes => Some(plain(ScalarKind::Signed(width), endian)),
        b'f' if matches!(width, 4 | 8) => Some(plain(ScalarKind::Float(width), endian)),
        b'b' if (1..=64).contains(&width) => {
            let order = endian.map(|endian| match endian {
                Endian::Little => BitOrder::Little,
                Endian::Big => BitOrder::Big,
            });
            Some(plain(ScalarKind::Bits(width, order), None))
        }
        _ => None,
    }
}

/// Returns `true` if there is a numeric type with this name.
pub(crate) fn is_scalar(name: &str) -> bool {
    scalar_named(name).is_some()
}

impl<'n> Context<'n> {
    /// Parses the value of `type:`, which is a name or a switch, and the keys `bits` and `words`
    /// next to it.
    pub(super) fn read_as(&mut self, node: &'n Node, keys: &mut Keys<'n>) -> ReadAs {
        let mut zero_ends = false;
        let mut target = self.type_of(node, &mut zero_ends);
        self.number_options(keys, &mut target);
        ReadAs { target, zero_ends }
    }

    /// Parses the name of a type or a switch of the form `{switch-on, cases}`.
    pub(super) fn type_of(&mut self, node: &'n Node, zero_ends: &mut bool) -> TypeRef {
        if node.as_mapping().is_some() {
            return self.switch(node, zero_ends);
        }
        match node.as_scalar() {
            Some(scalar) if !node.is_null() => self.type_named(scalar, node.span, zero_ends),
            _ => {
                self.shape(node, "the name of a type, or a mapping with `switch-on`");
                unknown_type(node.span)
            }
        }
    }

    fn type_named(
        &mut self,
        scalar: &YamlScalar,
        span: SourceSpan,
        zero_ends: &mut bool,
    ) -> TypeRef {
        let name = scalar.value.as_str();
        // A root type gets its name from `meta` or from the path of an import. Such a name hides no
        // built-in type.
        let own = self.names.find_type(name, self.scope).is_some_and(|id| {
            let known = self.names.known.get(id.index());
            known.is_some_and(|known| known.parent.is_some())
        });
        match name {
            "str" if !own => return TypeRef::Text,
            "strz" if !own => {
                *zero_ends = true;
                return TypeRef::Text;
            }
            _ => {}
        }
        // A type of the description takes precedence over a numeric type with the same name.
        if let Some(number) = scalar_named(name).filter(|_| !own) {
            return TypeRef::Scalar(number);
        }
        let origin = self.origin(scalar, span);
        let parsed = match expression::parse_type_name(name, &origin) {
            Ok(parsed) => parsed,
            Err(diagnostic) => {
                self.push(*diagnostic);
                return unknown_type(span);
            }
        };
        let id = self.type_id(&parsed.name, span);
        self.check_arguments(id, &parsed.arguments, span);
        TypeRef::Named {
            id,
            arguments: parsed.arguments,
            span,
        }
    }

    /// Looks up the type called `name`. Reports an error if no type has this name.
    pub(super) fn type_id(&mut self, name: &str, span: SourceSpan) -> TypeId {
        if let Some(id) = self.names.find_type(name, self.scope) {
            return id;
        }
        let mut known = self.names.visible(&self.names.types, self.scope);
        known.extend(
            [
                "u1", "u2", "u4", "u8", "s1", "s2", "s4", "s8", "f4", "f8", "str", "strz",
                "uleb128", "sleb128", "zigzag", "guidle", "guidbe",
            ]
            .map(str::to_owned),
        );
        let names = known.iter().map(String::as_str);
        self.unknown(Code::UnknownType, span, "type", name, names);
        TypeId(POISON)
    }

    fn check_arguments(&mut self, id: TypeId, arguments: &[Expr], span: SourceSpan) {
        let Some(known) = self.names.known.get(id.index()) else {
            return;
        };
        if known.open || known.params == arguments.len() {
            return;
        }
        let message = format!(
            "wrong number of arguments for `{}`: expected {}, found {}",
            known.name,
            known.params,
            arguments.len()
        );
        let declared = known.span;
        self.push(
            Diagnostic::error(Code::WrongArguments, span, message)
                .also(declared, "the type is defined here"),
        );
    }

    fn switch(&mut self, node: &'n Node, zero_ends: &mut bool) -> TypeRef {
        let Some(mut keys) = Keys::of(node, "a switch", self) else {
            return unknown_type(node.span);
        };
        let on = keys.need("switch-on", self).map(|on| self.expression(on));
        let cases = keys.need("cases", self);
        let rule = self.rule_beside(&mut keys);
        keys.finish(self);
        let cases = cases
            .and_then(|cases| Keys::of(cases, "the cases of a switch", self))
            .map(|mut cases| cases.others())
            .unwrap_or_default();
        let cases = cases
            .into_iter()
            .map(|entry| self.switch_case(entry, zero_ends))
            .collect();
        match on {
            Some(on) => TypeRef::Switch {
                on,
                cases,
                rule,
                span: node.span,
            },
            None => unknown_type(node.span),
        }
    }

    fn switch_case(&mut self, entry: &'n Entry, zero_ends: &mut bool) -> SwitchCase {
        let label = self.label(entry);
        let mut condition = None;
        let is_conditional = entry
            .value
            .as_mapping()
            .is_some_and(|mapping| mapping.get("switch-on").is_none());
        let target = if is_conditional {
            let mut target = unknown_type(entry.value.span);
            if let Some(mut keys) = Keys::of(&entry.value, "an arm of a switch", self) {
                condition = self.condition(&mut keys);
                if let Some(node) = keys.need("type", self) {
                    target = self.type_of(node, zero_ends);
                }
                keys.finish(self);
            }
            target
        } else {
            self.type_of(&entry.value, zero_ends)
        };
        SwitchCase {
            label,
            target,
            condition,
            span: entry.key_span,
        }
    }

    /// Parses the label of a case. Returns `None` for `_`.
    pub(super) fn label(&mut self, entry: &Entry) -> Option<Expr> {
        if entry.key == "_" {
            return None;
        }
        Some(self.key_expression(entry))
    }

    /// Parses a key of a mapping as an expression.
    pub(super) fn key_expression(&mut self, entry: &Entry) -> Expr {
        let scalar = YamlScalar {
            value: entry.key.clone(),
            style: entry.key_style,
        };
        self.expression_text(&scalar, entry.key_span)
    }

    /// Parses `bits` and `words`, which modify the encoding of the number type in the same mapping.
    fn number_options(&mut self, keys: &mut Keys<'n>, target: &mut TypeRef) {
        if let Some(entry) = keys.entry("bits") {
            let bits = self.word(&entry.value, &[("32", 32), ("64", 64)]);
            match (target_variable(target), bits) {
                (Some(width), Some(bits)) => *width = bits,
                (None, _) => self.conflict(
                    entry,
                    "`bits` applies only to `uleb128`, `sleb128` and `zigzag`",
                ),
                _ => {}
            }
        }
        if let Some(entry) = keys.entry("words") {
            let words = self.words(&entry.value);
            match target {
                TypeRef::Scalar(scalar) => scalar.words = words,
                _ => self.conflict(entry, "`words` applies only to numbers of fixed width"),
            }
        }
    }

    /// Reports an error for a key that cannot be used together with the other keys of the mapping.
    pub(super) fn conflict(&mut self, entry: &Entry, message: &str) {
        self.error(Code::ConflictingKeys, entry.key_span, message);
    }

    fn words(&mut self, node: &'n Node) -> Option<(u8, bool)> {
        let mut keys = Keys::of(node, "`words`", self)?;
        let size = keys.need("size", self);
        let first = keys.need("first", self);
        let size = size.and_then(|node| self.number::<u8>(node));
        let first = first.and_then(|node| self.word(node, &[("low", true), ("high", false)]));
        keys.finish(self);
        Some((size?, first?))
    }

    /// Parses the name of a number type in a place where no other type is allowed.
    pub(super) fn scalar(&mut self, node: &Node) -> Option<Scalar> {
        let name = self.text(node, "the name of a numeric type")?;
        let found = scalar_named(name);
        if found.is_none() {
            self.bad_value(
                node,
                format!("`{name}` is not a numeric type"),
                Some(
                    "numeric types are `u4`, `s8`, `f8`, `b24le`, `uleb128` and similar".to_owned(),
                ),
            );
        }
        found
    }

    /// Parses the name of an encoding.
    pub(super) fn encoding(&mut self, node: &Node) -> Option<Encoding> {
        let name = self.text(node, "the name of an encoding")?;
        let upper = name.to_ascii_uppercase().replace('_', "-");
        if let Some((_, encoding)) = ENCODINGS.iter().find(|(known, _)| *known == upper) {
            return Some(*encoding);
        }
        self.bad_value(
            node,
            format!("unknown encoding `{name}`"),
            Some(
                "known encodings are `ASCII`, `UTF-8`, `CESU-8`, `UTF-16LE`, `UTF-16BE` and \
                 `ISO-8859-1`"
                    .to_owned(),
            ),
        );
        None
    }
}

fn target_variable(target: &mut TypeRef) -> Option<&mut u8> {
    match target {
        TypeRef::Scalar(Scalar {
            kind: ScalarKind::Variable(_, width),
            ..
        }) => Some(width),
        _ => None,
    }
}

/// Returns the placeholder for a type that could not be found.
pub(super) fn unknown_type(span: SourceSpan) -> TypeRef {
    TypeRef::Named {
        id: TypeId(POISON),
        arguments: Vec::new(),
        span,
    }
}
