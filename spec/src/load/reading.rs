//! Parses the keys that control how a field is read: with a type, with a layout described in the
//! trace, or as bytes. The module also parses references to layout sets, enumerations and flag
//! sets.

use super::context::Context;
use super::keys::Keys;
use super::names::POISON;
use super::type_name::ReadAs;
use crate::diagnostic::{Code, Diagnostic};
use crate::schema::{EnumId, FlagsId, LayoutId, LayoutUse, TypeRef};
use crate::yaml::Node;

impl<'n> Context<'n> {
    /// Parses the type of a field from `type` or `type-of-row`. A field with neither key is read as
    /// bytes.
    pub(super) fn target(
        &mut self,
        keys: &mut Keys<'n>,
        type_key: &'static str,
        has_layout: bool,
    ) -> ReadAs {
        let row = keys.entry("type-of-row");
        let otherwise = keys.entry("else");
        if let (None, Some(otherwise)) = (row, otherwise) {
            self.conflict(otherwise, "`else` requires `type-of-row`");
        }
        if let Some(row) = row {
            let row = self.expression(&row.value);
            // A layout in `else` has already been parsed by `layout_use`, as the layout of the
            // field.
            let mut zero_ends = false;
            let otherwise = otherwise
                .filter(|entry| {
                    entry
                        .value
                        .as_mapping()
                        .is_none_or(|m| m.get("layout").is_none())
                })
                .map(|entry| Box::new(self.type_of(&entry.value, &mut zero_ends)));
            let target = TypeRef::OfRow { row, otherwise };
            return ReadAs { target, zero_ends };
        }
        if let Some(entry) = keys.entry(type_key) {
            if has_layout {
                self.conflict(entry, "`type` and `layout` cannot be combined");
            }
            return self.read_as(&entry.value, keys);
        }
        for key in ["bits", "words"] {
            if let Some(entry) = keys.entry(key) {
                self.conflict(entry, "this key requires a `type`");
            }
        }
        ReadAs {
            target: TypeRef::Bytes,
            zero_ends: false,
        }
    }

    /// Parses a layout, which consists of `layout` with `from` or `code`. The keys are either among
    /// the other keys of the field or inside `else`.
    pub(super) fn layout_use(&mut self, keys: &mut Keys<'n>) -> Option<LayoutUse> {
        let own = self.layout_keys(keys);
        let otherwise = keys.entry("else").map(|entry| &entry.value);
        let inner = otherwise.filter(|node| {
            let mapping = node.as_mapping();
            mapping.is_some_and(|mapping| mapping.get("layout").is_some())
        });
        let Some(inner) = inner else { return own };
        let mut inner = Keys::of(inner, "the layout of rows without a kind", self)?;
        let found = self.layout_keys(&mut inner);
        inner.finish(self);
        own.or(found)
    }

    fn layout_keys(&mut self, keys: &mut Keys<'n>) -> Option<LayoutUse> {
        let layout = keys.entry("layout");
        let from = keys.entry("from");
        let code = keys.entry("code");
        let Some(layout) = layout else {
            for entry in [from, code].into_iter().flatten() {
                self.conflict(entry, "this requires a `layout`");
            }
            return None;
        };
        let id = self.layout_id(&layout.value);
        match (from, code) {
            (Some(from), None) => Some(LayoutUse::Fields {
                layout: id,
                from: self.expression(&from.value),
            }),
            (None, Some(code)) => Some(LayoutUse::Value {
                layout: id,
                code: self.expression(&code.value),
            }),
            (Some(_), Some(code)) => {
                self.conflict(code, "`from` and `code` cannot be combined");
                None
            }
            (None, None) => {
                self.push(
                    Diagnostic::error(
                        Code::MissingKey,
                        layout.key_span,
                        "a layout requires `from` or `code`",
                    )
                    .help(
                        "set `from:` to the list of field descriptions, or `code:` to the type \
                        code of one value",
                    ),
                );
                None
            }
        }
    }

    pub(super) fn layout_id(&mut self, node: &Node) -> LayoutId {
        let Some(name) = self.text(node, "the name of a layout set") else {
            return LayoutId(POISON);
        };
        if let Some(id) = self.names.layouts.get(name) {
            return id;
        }
        let known = self.names.layouts.all();
        let names = known.iter().map(String::as_str);
        self.unknown(Code::UnknownLayout, node.span, "layout set", name, names);
        LayoutId(POISON)
    }

    pub(super) fn enum_id(&mut self, node: &Node) -> EnumId {
        let Some(name) = self.text(node, "the name of an enumeration") else {
            return EnumId(POISON);
        };
        if let Some(id) = self.names.find_enum(name, self.scope) {
            return id;
        }
        let known = self.names.visible(&self.names.enums, self.scope);
        let names = known.iter().map(String::as_str);
        self.unknown(Code::UnknownEnum, node.span, "enumeration", name, names);
        EnumId(POISON)
    }

    pub(super) fn flags_id(&mut self, node: &Node) -> FlagsId {
        let Some(name) = self.text(node, "the name of a flag set") else {
            return FlagsId(POISON);
        };
        if let Some(id) = self.names.find_flags(name, self.scope) {
            return id;
        }
        let known = self.names.visible(&self.names.flags, self.scope);
        let names = known.iter().map(String::as_str);
        self.unknown(Code::UnknownFlags, node.span, "flag set", name, names);
        FlagsId(POISON)
    }
}
