//! Parses the items of a `seq`.

use super::context::{Context, poison};
use super::keys::Keys;
use super::type_name::ReadAs;
use crate::diagnostic::{Code, Diagnostic};
use crate::schema::{
    Align, Check, Elements, Encoding, EnumId, Field, FieldRole, FieldSource, ListAs, Repeat,
    RuleRef, ScalarKind, Size, Terminator, TypeRef,
};
use crate::yaml::{Entry, Node};

impl<'n> Context<'n> {
    /// Parses all items of a `seq`.
    pub(super) fn sequence_of_fields(&mut self, node: &'n Node) -> Vec<Field> {
        let nodes = self.sequence(node, "fields");
        let fields: Vec<Field> = nodes.iter().filter_map(|node| self.field(node)).collect();
        for (number, field) in fields.iter().enumerate() {
            let mut earlier = fields.iter().take(number);
            let id = field.id.as_ref();
            if let Some(first) = earlier.find(|earlier| id.is_some() && earlier.id.as_ref() == id) {
                let name = id.map_or("", String::as_str);
                let message = format!("the field `{name}` is defined twice");
                let diagnostic = Diagnostic::error(Code::DuplicateName, field.span, message)
                    .also(first.span, "first defined here");
                self.push(diagnostic);
            }
        }
        fields
    }

    /// Parses one item of a `seq`.
    pub(super) fn field(&mut self, node: &'n Node) -> Option<Field> {
        let mut keys = Keys::of(node, "a field", self)?;
        let id = keys.take("id").and_then(|node| self.declared_name(node));
        let doc = self.docs(&mut keys);
        let role = if keys.has("check") {
            FieldRole::Check(Box::new(self.check_item(&mut keys)))
        } else if keys.has("align") {
            FieldRole::Align(Box::new(self.align_item(&mut keys)))
        } else {
            let condition = self.condition(&mut keys);
            let mut source = self.field_source(&mut keys, "type");
            source.condition = condition;
            FieldRole::Wire(Box::new(source))
        };
        let span = keys.span();
        keys.finish(self);
        Some(Field {
            id,
            span,
            doc,
            role,
        })
    }

    /// Parses the documentation in `doc` and `doc-ref`.
    pub(super) fn docs(&mut self, keys: &mut Keys<'n>) -> Option<String> {
        keys.take("doc-ref");
        keys.take("doc").and_then(|node| self.prose(node))
    }

    fn check_item(&mut self, keys: &mut Keys<'n>) -> Check {
        let test = keys.need("check", self).map(|node| self.expression(node));
        Check {
            test: test.unwrap_or_else(|| poison(keys.span())),
            at: keys.take("at").map(|node| self.expression(node)),
            condition: self.condition(keys),
            rule: self.rule_beside(keys),
        }
    }

    fn align_item(&mut self, keys: &mut Keys<'n>) -> Align {
        let mut align = Align {
            to: 1,
            from_file: true,
            fill: None,
            condition: self.condition(keys),
            rule: self.rule_beside(keys),
            faults: self.faults(keys),
            obeys: self.obeys(keys),
        };
        let inner = keys
            .take("align")
            .and_then(|node| Keys::of(node, "`align`", self));
        if let Some(mut inner) = inner {
            if let Some(node) = inner.need("to", self) {
                align.to = self.number::<u64>(node).unwrap_or(1);
                if align.to == 0 {
                    self.bad_value(node, "`to` must not be zero", None);
                    align.to = 1;
                }
            }
            if let Some(node) = inner.take("from") {
                let from = self.word(node, &[("file", true), ("part", false)]);
                align.from_file = from.unwrap_or(true);
            }
            align.fill = inner.take("fill").and_then(|node| self.number(node));
            inner.finish(self);
        }
        align
    }

    /// Parses all keys of a field except `id`, `if` and its documentation. The type is the value of
    /// `type_key`, which is `type`, or `is` in a named scalar.
    pub(super) fn field_source(
        &mut self,
        keys: &mut Keys<'n>,
        type_key: &'static str,
    ) -> FieldSource {
        let rule = self.rule_beside(keys);
        let contents = keys.take("contents");
        let contents = contents.map(|node| self.contents(node).unwrap_or_default());
        let layout = self.layout_use(keys);
        let read_as = self.target(keys, type_key, layout.is_some());
        let size = self.size(keys);
        let terminator = self.terminator(keys, &read_as);
        let mut faults = self.faults(keys);
        let enumeration = keys.take("enum").map(|node| self.enum_id(node));
        self.default_faults(&mut faults, enumeration, rule.as_ref(), keys.span());
        let mut target = read_as.target;
        if let TypeRef::Switch { rule: own, .. } = &mut target {
            *own = own.take().or_else(|| rule.clone());
        }
        let list_as = keys.take("list-as");
        let list_as = list_as.and_then(|node| self.list_as(node, &target));
        let source = FieldSource {
            target,
            condition: None,
            size,
            terminator,
            pad_right: keys.take("pad-right").and_then(|node| self.number(node)),
            encoding: keys.take("encoding").and_then(|node| self.encoding(node)),
            contents_rule: contents.as_ref().and(rule.clone()),
            contents,
            value: keys
                .take("value")
                .map(|node| self.computed(node, rule.as_ref())),
            constraints: keys
                .take("valid")
                .map(|node| self.constraints(node, rule.as_ref()))
                .unwrap_or_default(),
            enumeration,
            flags: keys.take("flags").map(|node| self.flags_id(node)),
            meaning: keys.take("as").and_then(|node| self.meaning(node)),
            list_as,
            carry: self.carry(keys),
            refs: self.refs(keys),
            code_of: keys.take("code-of").map(|node| self.layout_id(node)),
            layout,
            optional_rest: self.optional_rest(keys),
            embed: self.flag(keys, "embed"),
            ignore: self.rule_at(keys, "ignore"),
            repeat: self.repeat(keys),
            defines: keys.take("defines").and_then(|node| self.define(node)),
            faults,
            obeys: self.obeys(keys),
            generation: self.generation(keys),
        };
        self.refuse_process(keys);
        self.check_extent(&source, keys);
        source
    }

    /// Parses a key that is `true`, `false` or missing.
    pub(super) fn flag(&mut self, keys: &mut Keys<'n>, key: &'static str) -> bool {
        let found = keys.take(key).and_then(|node| self.boolean(node));
        found.unwrap_or(false)
    }

    fn optional_rest(&mut self, keys: &mut Keys<'n>) -> bool {
        let found = keys
            .take("optional")
            .and_then(|node| self.word(node, &[("rest", true)]));
        found.unwrap_or(false)
    }

    /// Parses the `list-as` key of a code unit of type `target`. `list-as` specifies how a list of
    /// code units is presented.
    fn list_as(&mut self, node: &'n Node, target: &TypeRef) -> Option<ListAs> {
        let mut keys = Keys::of(node, "`list-as`", self)?;
        let named = keys.need("text", self);
        let text = named.and_then(|node| self.encoding(node));
        if let (Some(node), Some(text)) = (named, text) {
            let wanted = match text {
                Encoding::Utf16Le | Encoding::Utf16Be => 2,
                _ => 1,
            };
            let fits = matches!(target, TypeRef::Scalar(scalar)
                if matches!(scalar.kind, ScalarKind::Unsigned(bytes) if bytes == wanted));
            if !fits {
                let message = "the element type does not match the code units of this encoding";
                let help = format!("the code units of the encoding are `u{wanted}`");
                self.bad_value(node, message, Some(help));
            }
        }
        let rule = self.rule_beside(&mut keys);
        keys.finish(self);
        Some(ListAs { text: text?, rule })
    }

    /// Parses `repeat` and the keys that may only be used with it.
    fn repeat(&mut self, keys: &mut Keys<'n>) -> Option<Repeat> {
        #[derive(Clone, Copy)]
        enum How {
            Eos,
            Count,
            Until,
        }
        let how = keys.entry("repeat").and_then(|entry| {
            let words = [
                ("eos", How::Eos),
                ("expr", How::Count),
                ("until", How::Until),
            ];
            self.word(&entry.value, &words).map(|how| (how, entry))
        });
        let count = keys.entry("repeat-expr");
        let until = keys.entry("repeat-until");
        let at_least = keys.entry("at-least");
        let arrange = keys.entry("arrange");
        let unique = keys.entry("unique");
        let Some((how, repeat)) = how else {
            for entry in [count, until, at_least, arrange, unique]
                .into_iter()
                .flatten()
            {
                self.conflict(
                    entry,
                    "this key requires `repeat`, which the field does not have",
                );
            }
            return None;
        };
        let elements = match (how, count, until) {
            (How::Eos, ..) => Elements::ToEnd,
            (How::Count, Some(count), _) => Elements::Count(self.expression(&count.value)),
            (How::Until, _, Some(until)) => Elements::Until(self.expression(&until.value)),
            (How::Count, None, _) => {
                self.missing_beside(repeat, "`repeat: expr` requires `repeat-expr`");
                Elements::ToEnd
            }
            (How::Until, _, None) => {
                self.missing_beside(repeat, "`repeat: until` requires `repeat-until`");
                Elements::ToEnd
            }
        };
        let surplus = match how {
            How::Eos => [count, until],
            How::Count => [None, until],
            How::Until => [count, None],
        };
        for entry in surplus.into_iter().flatten() {
            self.conflict(entry, "this key does not apply to this kind of `repeat`");
        }
        Some(Repeat {
            elements,
            at_least: at_least.and_then(|entry| self.at_least(&entry.value)),
            arrange: arrange.and_then(|entry| self.arrange(&entry.value)),
            unique: unique
                .map(|entry| self.unique(&entry.value))
                .unwrap_or_default(),
        })
    }

    fn missing_beside(&mut self, entry: &Entry, message: &str) {
        self.error(Code::MissingKey, entry.key_span, message);
    }

    fn size(&mut self, keys: &mut Keys<'n>) -> Size {
        let size = keys.entry("size");
        let to_end = self.flag(keys, "size-eos");
        match size {
            Some(entry) if to_end => {
                self.conflict(entry, "`size` and `size-eos` cannot be combined");
                Size::ToEnd
            }
            Some(entry) => Size::Bytes(self.expression(&entry.value)),
            None if to_end => Size::ToEnd,
            None => Size::Natural,
        }
    }

    fn terminator(&mut self, keys: &mut Keys<'n>, read_as: &ReadAs) -> Option<Terminator> {
        let byte = keys
            .take("terminator")
            .and_then(|node| self.number::<u8>(node));
        let (consume, include) = (keys.take("consume"), keys.take("include"));
        let required = keys.take("eos-error");
        let Some(byte) = byte.or(read_as.zero_ends.then_some(0)) else {
            for key in ["consume", "include", "eos-error"] {
                if let Some(entry) = keys.entry(key) {
                    let message = format!("`{key}` requires a `terminator`");
                    self.conflict(entry, &message);
                }
            }
            return None;
        };
        let mut or = |node: Option<&'n Node>, default| {
            node.and_then(|node| self.boolean(node)).unwrap_or(default)
        };
        Some(Terminator {
            byte,
            consume: or(consume, true),
            include: or(include, false),
            required: or(required, true),
        })
    }

    /// Maps the fault for values outside a field's enumeration to the field's rule, unless `faults`
    /// maps the fault to another rule.
    fn default_faults(
        &mut self,
        faults: &mut crate::schema::FaultMap,
        enumeration: Option<EnumId>,
        rule: Option<&RuleRef>,
        span: tracegauge_plan::source::SourceSpan,
    ) {
        use crate::schema::FaultKind;
        let given = faults
            .kinds
            .iter()
            .any(|(kind, ..)| *kind == FaultKind::Enum);
        if let (Some(_), Some(rule), false) = (enumeration, rule, given) {
            faults.kinds.push((FaultKind::Enum, rule.clone(), span));
        }
    }

    fn refuse_process(&mut self, keys: &mut Keys<'n>) {
        if let Some(entry) = keys.entry("process") {
            self.bad_value(
                &entry.value,
                "`process` is not supported: describe the bytes as stored in the file",
                None,
            );
        }
    }

    /// Reports an error for a string or byte string whose end is not specified.
    fn check_extent(&mut self, source: &FieldSource, keys: &Keys<'n>) {
        let what = match source.target {
            TypeRef::Text => "text",
            TypeRef::Bytes if source.contents.is_none() && source.layout.is_none() => {
                "a field without `type`"
            }
            _ => return,
        };
        if matches!(source.size, Size::Natural) && source.terminator.is_none() {
            let message = format!("{what} requires a size or an end");
            self.push(
                Diagnostic::error(Code::MissingKey, keys.span(), message)
                    .help("add `size`, `size-eos: true` or `terminator`"),
            );
        }
    }

    /// Parses `contents`: a string, a number, or a list of these.
    pub(super) fn contents(&mut self, node: &Node) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        for node in self.one_or_more(node) {
            let Some(scalar) = node.as_scalar() else {
                self.shape(node, "a byte or a string");
                return None;
            };
            let plain = scalar.style == crate::yaml::Style::Plain;
            let number = super::context::parse_integer(&scalar.value).filter(|_| plain);
            match number.map(u8::try_from) {
                Some(Ok(byte)) => bytes.push(byte),
                Some(Err(_)) => {
                    self.bad_value(node, "a byte must be at most 255", None);
                    return None;
                }
                None if plain && scalar.value.starts_with(|c: char| c.is_ascii_digit()) => {
                    let message = format!("invalid number `{}`", scalar.value);
                    let help = "quote the value if it is text".to_owned();
                    self.bad_value(node, message, Some(help));
                    return None;
                }
                None => bytes.extend_from_slice(scalar.value.as_bytes()),
            }
        }
        Some(bytes)
    }
}
