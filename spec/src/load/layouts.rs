//! Parses layout sets, which define how the values of each type code are read.

use super::context::{Context, parse_integer, poison};
use super::keys::Keys;
use super::type_name::scalar_named;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expr;
use crate::schema::{
    CodeCount, CodeLabel, CodeLayout, Layout, LayoutCode, LayoutEntry, LayoutOptional, Located,
    LocatedFrom, ScalarKind, TypeRef,
};
use crate::yaml::{Entry, Node};

impl<'n> Context<'n> {
    /// Parses an entry of `layouts`.
    pub(super) fn layout(&mut self, entry: &'n Entry) -> Layout {
        self.check_name(&entry.key, entry.key_span);
        let mut layout = Layout {
            name: entry.key.clone(),
            entry: LayoutEntry {
                name: None,
                described: None,
            },
            code: None,
            optional: None,
            text: None,
            unknown: None,
            faults: Default::default(),
            codes: Vec::new(),
            span: entry.key_span,
        };
        let Some(mut keys) = Keys::of(&entry.value, "a layout set", self) else {
            return layout;
        };
        if let Some(node) = keys.take("entry") {
            layout.entry = self.layout_entry(node);
        }
        layout.code = keys.take("code").map(|node| self.expression(node));
        layout.optional = keys
            .take("optional")
            .and_then(|node| self.layout_optional(node));
        layout.text = keys.take("text").and_then(|node| self.layout_text(node));
        layout.unknown = self.rule_at(&mut keys, "unknown");
        self.faults_into(&mut keys, &mut layout.faults);
        self.docs(&mut keys);
        let codes = keys.need("codes", self);
        keys.finish(self);
        let codes = codes.and_then(|node| Keys::of(node, "`codes`", self));
        for entry in codes.map(|mut codes| codes.others()).unwrap_or_default() {
            if let Some(code) = self.layout_code(entry) {
                layout.codes.push(code);
            }
        }
        layout
    }

    fn layout_entry(&mut self, node: &'n Node) -> LayoutEntry {
        let mut found = LayoutEntry {
            name: None,
            described: None,
        };
        if let Some(mut keys) = Keys::of(node, "`entry`", self) {
            found.name = keys.take("name").map(|node| self.expression(node));
            found.described = keys.take("type").map(|node| self.expression(node));
            keys.finish(self);
        }
        found
    }

    fn layout_optional(&mut self, node: &'n Node) -> Option<LayoutOptional> {
        let mut keys = Keys::of(node, "`optional`", self)?;
        let condition = self.condition(&mut keys);
        let when = keys.take("when").map(|node| self.expression(node));
        let presence = keys
            .need("presence", self)
            .and_then(|node| self.field(node));
        keys.finish(self);
        Some(LayoutOptional {
            condition,
            when,
            presence: Box::new(presence?),
        })
    }

    fn layout_code(&mut self, entry: &'n Entry) -> Option<LayoutCode> {
        let mut keys = Keys::of(&entry.value, "a type code", self)?;
        let label = self.code_label(entry, &mut keys);
        let name = keys.take("name").and_then(|node| self.prose(node));
        let condition = self.condition(&mut keys);
        self.docs(&mut keys);
        let mut code = LayoutCode {
            label,
            name: name.unwrap_or_else(|| entry.key.clone()),
            layout: CodeLayout::Fields(poison(entry.key_span)),
            condition,
            rule: None,
            of_any: Vec::new(),
            of_rule: None,
            of_fixed_size: false,
            none_count: None,
            obeys: Vec::new(),
            faults: Default::default(),
            span: entry.key_span,
        };
        let container = ["count", "at", "fields", "of"]
            .iter()
            .any(|key| keys.has(key));
        if container {
            code.layout = self.container(&mut keys, &mut code)?;
            code.rule = self.rule_beside(&mut keys);
            code.obeys = self.obeys(&mut keys);
            code.faults = self.faults(&mut keys);
        } else {
            // A value that contains no other values is described like a field, including its rules
            // and faults.
            let source = self.field_source(&mut keys, "type");
            code.layout = CodeLayout::Plain(Box::new(source));
        }
        keys.finish(self);
        Some(code)
    }

    fn code_label(&mut self, entry: &'n Entry, keys: &mut Keys<'n>) -> CodeLabel {
        let also = keys.entry("also");
        if let Some(number) = parse_integer(&entry.key) {
            if let Some(also) = also {
                self.conflict(
                    also,
                    "`also` lists other forms of a text code, but this code is a number",
                );
            }
            return CodeLabel::Number(number);
        }
        let nodes = also.map(|also| self.sequence(&also.value, "codes"));
        let nodes = nodes.unwrap_or_default().iter();
        CodeLabel::Text {
            text: entry.key.clone(),
            also: nodes
                .filter_map(|node| self.text(node, "a code").map(str::to_owned))
                .collect(),
        }
    }

    /// Parses a type code whose values contain other values.
    fn container(&mut self, keys: &mut Keys<'n>, code: &mut LayoutCode) -> Option<CodeLayout> {
        let (fields, count, at) = (keys.entry("fields"), keys.entry("count"), keys.entry("at"));
        let of = keys
            .take("of")
            .and_then(|node| self.element_type(node, code));
        if let Some(node) = keys.take("of-must-be") {
            let fixed = self.word(node, &[("fixed_size", true)]);
            code.of_fixed_size = fixed.unwrap_or(false);
        }
        if let Some(mut none) = keys
            .take("none")
            .and_then(|node| Keys::of(node, "`none`", self))
        {
            code.none_count = none.need("count", self).map(|node| self.expression(node));
            none.finish(self);
        }
        match (fields, count, at) {
            (Some(fields), None, None) => Some(CodeLayout::Fields(self.expression(&fields.value))),
            (None, Some(count), None) => {
                let count = self.code_count(&count.value);
                Some(CodeLayout::List { count, of })
            }
            (None, None, Some(at)) => {
                let at = self.located(&at.value)?;
                let Some(of) = of else {
                    let message = "elements stored elsewhere require `of`, the path to their type";
                    self.error(Code::MissingKey, keys.span(), message);
                    return None;
                };
                Some(CodeLayout::Located { at, of })
            }
            (None, None, None) => {
                self.push(
                    Diagnostic::error(Code::MissingKey, keys.span(), "a list requires a length")
                        .help(
                            "set `count` to the type of a count that precedes the elements, or \
                            to the path of a count in the field description",
                        ),
                );
                None
            }
            _ => {
                let message = "a type code takes only one of `fields`, `count` and `at`";
                self.error(Code::ConflictingKeys, keys.span(), message);
                None
            }
        }
    }

    /// Parses the element type of a container, which is `of: path` or `of: {any-of, rule}`.
    fn element_type(&mut self, node: &'n Node, code: &mut LayoutCode) -> Option<Expr> {
        if node.as_mapping().is_none() {
            return Some(self.expression(node));
        }
        let mut keys = Keys::of(node, "`of`", self)?;
        let any = keys.need("any-of", self);
        code.of_rule = self.rule_beside(&mut keys);
        keys.finish(self);
        let nodes = any
            .map(|node| self.sequence(node, "codes"))
            .unwrap_or_default();
        let labels = nodes.iter().filter_map(|node| {
            let text = self.text(node, "a code")?;
            Some(match parse_integer(text) {
                Some(number) => CodeLabel::Number(number),
                None => CodeLabel::Text {
                    text: text.to_owned(),
                    also: Vec::new(),
                },
            })
        });
        code.of_any = labels.collect();
        None
    }

    /// Parses the type of a count, or the path of a count in the field description.
    fn code_count(&mut self, node: &'n Node) -> CodeCount {
        let name = node.as_text().unwrap_or_default();
        let is_type =
            scalar_named(name).is_some() || self.names.find_type(name, self.scope).is_some();
        if is_type {
            CodeCount::Read(self.type_of(node, &mut false))
        } else {
            CodeCount::Described(self.expression(node))
        }
    }

    fn located(&mut self, node: &'n Node) -> Option<Located> {
        let mut keys = Keys::of(node, "`at`", self)?;
        let word = keys
            .need("word", self)
            .map(|node| (self.type_of(node, &mut false), node));
        let bits = match &word {
            Some((TypeRef::Scalar(scalar), node)) => match scalar.kind {
                ScalarKind::Unsigned(bytes) => Some(bytes * 8),
                _ => {
                    self.bad_value(node, "`word` must be the type of an unsigned number", None);
                    None
                }
            },
            Some((_, node)) => {
                self.bad_value(node, "`word` must be the type of an unsigned number", None);
                None
            }
            None => None,
        };
        let offset = keys
            .need("offset", self)
            .and_then(|node| self.bit_range(node, bits?));
        let size_node = keys.need("size", self);
        let size = size_node.and_then(|node| self.bit_range(node, bits?));
        if let (Some(node), Some(offset), Some(size)) = (size_node, offset, size)
            && overlap(offset, size)
        {
            let help = "use one end of the word for the offset and the other end for the size";
            let message = "these bits overlap the bits of the offset";
            self.bad_value(node, message, Some(help.to_owned()));
        }
        let places = [
            ("end_of_field", LocatedFrom::EndOfField),
            ("start_of_layout", LocatedFrom::StartOfLayout),
        ];
        let from = keys
            .need("from", self)
            .and_then(|node| self.word(node, &places));
        let multiple = self.rule_at(&mut keys, "multiple");
        let obeys = self.obeys(&mut keys);
        keys.finish(self);
        Some(Located {
            word: word?.0,
            offset: offset?,
            size: size?,
            from: from?,
            multiple,
            obeys,
        })
    }

    /// Parses `low 16` or `high 16` of a word with `bits` bits, and returns the shift and the
    /// width.
    fn bit_range(&mut self, node: &Node, bits: u8) -> Option<(u8, u8)> {
        let text = self.text(node, "`low N` or `high N`")?;
        let (end, width) = text.split_once(' ').unwrap_or((text, ""));
        let width = width.trim().parse::<u8>().ok();
        let width = width.filter(|width| (1..=bits).contains(width));
        match (end, width) {
            ("low", Some(width)) => Some((0, width)),
            ("high", Some(width)) => Some((bits - width, width)),
            _ => {
                let message = format!("invalid range of bits `{text}`");
                let help = "count bits from one end, as in `low 16` or `high 16`";
                self.bad_value(node, message, Some(help.to_owned()));
                None
            }
        }
    }
}

/// Returns `true` if two ranges of bits, each a shift and a width, overlap.
fn overlap(a: (u8, u8), b: (u8, u8)) -> bool {
    a.0 < b.0 + b.1 && b.0 < a.0 + a.1
}
