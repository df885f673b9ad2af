//! Parses the keys of a file that do not belong to a type, such as `meta`, dialects and limits.

use super::context::{Context, parse_integer, poison};
use super::keys::Keys;
use super::types::Defaults;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::schema::{BitOrder, Detect, Dialect, Limit, LimitKind, LimitSubject, Meta, Param};
use crate::yaml::{Entry, Node};

/// The maximum number of dialects of a description.
const MOST_DIALECTS: usize = 64;

/// The maximum length of a name that becomes part of file names.
const LONGEST_NAME: usize = 100;

/// The help message for a name that cannot become part of file names.
const FILE_NAME: &str = "this text becomes part of file names; use letters, digits, `.`, `_`, \
     `+`, `-` and `@`, and begin with a letter or a digit";

/// Returns the reason why a name cannot become part of file names, or `None` if it can.
fn unfit(name: &str) -> Option<&'static str> {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '+' | '-' | '@');
    if name.len() > LONGEST_NAME {
        Some("is longer than 100 bytes")
    } else if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) || name.contains("..") {
        Some("cannot be part of a file name")
    } else if !name.chars().all(is_inside) {
        Some("contains a character that is not allowed in file names")
    } else {
        None
    }
}

impl<'n> Context<'n> {
    /// Parses `meta` and the defaults that it sets for the root type. Unlike a description, a part
    /// needs no id.
    pub(super) fn meta(&mut self, node: Option<&'n Node>, is_part: bool) -> (Meta, Defaults) {
        let mut meta = Meta {
            id: String::new(),
            title: None,
            family: String::new(),
            file_extensions: Vec::new(),
            document: None,
            endian: None,
            endian_rule: None,
            bit_endian: BitOrder::Big,
            encoding: None,
        };
        let keys = node.and_then(|node| Keys::of(node, "`meta`", self));
        let Some(mut keys) = keys else {
            return (meta, Defaults::default());
        };
        let id = if is_part {
            keys.take("id")
        } else {
            keys.need("id", self)
        };
        let id = id.and_then(|node| self.file_name(node, "an id"));
        meta.id = id.unwrap_or_default();
        meta.title = keys.take("title").and_then(|node| self.prose(node));
        let extensions = keys.take("file-extension");
        let extensions = extensions.map(|node| self.one_or_more(node));
        let extensions = extensions.into_iter().flatten();
        meta.file_extensions = extensions
            .filter_map(|node| self.file_name(node, "a file extension"))
            .collect();
        let family = keys.take("family");
        let family = family.and_then(|node| self.file_name(node, "a family"));
        meta.family = family.unwrap_or_else(|| family_of(&meta.id).to_owned());
        let defaults = self.defaults(&mut keys);
        meta.endian = defaults.endian.clone();
        meta.endian_rule = keys.take("endian-rule").and_then(|node| {
            let name = self.text(node, "the id of a rule")?;
            Some(self.rule_named(name, node.span))
        });
        meta.bit_endian = defaults.bit_endian.unwrap_or(BitOrder::Big);
        meta.encoding = defaults.encoding;
        // These keys are part of Kaitai Struct. Except for `imports`, which the loader has already
        // followed, they have no effect.
        for key in [
            "application",
            "license",
            "xref",
            "tags",
            "ks-version",
            "ks-debug",
            "ks-opaque-types",
            "imports",
        ] {
            keys.take(key);
        }
        keys.finish(self);
        (meta, defaults)
    }

    /// Parses a name that becomes part of file names.
    fn file_name(&mut self, node: &'n Node, what: &str) -> Option<String> {
        let name = self.text(node, what)?;
        if let Some(why) = unfit(name) {
            self.bad_value(node, format!("{what} {why}"), Some(FILE_NAME.to_owned()));
            return None;
        }
        Some(name.to_owned())
    }

    /// Checks that the name of `entry` can become part of file names.
    pub(super) fn check_file_name(&mut self, entry: &Entry, what: &str) {
        if let Some(why) = unfit(&entry.key) {
            let diagnostic =
                Diagnostic::error(Code::BadValue, entry.key_span, format!("{what} {why}"));
            self.push(diagnostic.help(FILE_NAME));
        }
    }

    /// Checks the form of `parts`, `imports` and `requires`. The loader has already used these
    /// keys: `parts` and `imports` to find the files, and `requires` to declare names.
    pub(super) fn joining_keys(&mut self, keys: &mut Keys<'n>) {
        for key in ["parts", "imports"] {
            if let Some(node) = keys.take(key) {
                for node in self.sequence(node, "paths") {
                    self.text(node, "a path");
                }
            }
        }
        let requires = keys.take("requires");
        if let Some(mut requires) = requires.and_then(|node| Keys::of(node, "`requires`", self)) {
            for key in ["types", "faults"] {
                if let Some(node) = requires.take(key) {
                    for node in self.sequence(node, "names") {
                        self.declared_name(node);
                    }
                }
            }
            requires.finish(self);
        }
    }

    /// Parses `dialects`.
    pub(super) fn dialects(
        &mut self,
        node: Option<&'n Node>,
        params: &[Param],
        meta: &Meta,
        at: tracegauge_plan::source::SourceSpan,
    ) -> Vec<Dialect> {
        let keys = node.and_then(|node| Keys::of(node, "`dialects`", self));
        let entries = keys.map(|mut keys| keys.others()).unwrap_or_default();
        if let Some(entry) = entries.get(MOST_DIALECTS) {
            let message = format!("the format has more than {MOST_DIALECTS} dialects");
            self.error(Code::TooLarge, entry.key_span, message);
        }
        let dialects: Vec<Dialect> = entries
            .iter()
            .take(MOST_DIALECTS)
            .filter_map(|entry| self.dialect(entry, params))
            .collect();
        self.check_defaults(&dialects);
        if !dialects.is_empty() || node.is_some() {
            return dialects;
        }
        vec![Dialect {
            id: meta.id.clone(),
            bindings: Vec::new(),
            detect: Detect::default(),
            default: true,
            span: at,
        }]
    }

    fn check_defaults(&mut self, dialects: &[Dialect]) {
        let mut defaults = dialects.iter().filter(|dialect| dialect.default);
        if let (Some(first), Some(second)) = (defaults.next(), defaults.next()) {
            self.push(
                Diagnostic::error(
                    Code::ConflictingKeys,
                    second.span,
                    "the format has more than one default dialect",
                )
                .also(first.span, "the first default dialect"),
            );
        }
    }

    fn dialect(&mut self, entry: &'n Entry, params: &[Param]) -> Option<Dialect> {
        self.check_file_name(entry, "the name of a dialect");
        let mut keys = Keys::of(&entry.value, "a dialect", self)?;
        let mut dialect = Dialect {
            id: entry.key.clone(),
            bindings: Vec::new(),
            default: self.flag(&mut keys, "default"),
            detect: keys
                .take("detect")
                .map(|node| self.detect(node))
                .unwrap_or_default(),
            span: entry.key_span,
        };
        for binding in keys.others() {
            let value = self.expression(&binding.value);
            if !params.iter().any(|param| param.name == binding.key) {
                let names = params.iter().map(|param| param.name.as_str());
                let (key, span) = (&binding.key, binding.key_span);
                self.unknown(Code::UnknownParameter, span, "parameter", key, names);
                continue;
            }
            if !is_constant(&value) {
                let message = "the value of a parameter must be constant";
                self.error(Code::BadValue, binding.value.span, message);
            }
            dialect.bindings.push((binding.key.clone(), value));
        }
        for param in params {
            if !dialect.bindings.iter().any(|(name, _)| *name == param.name) {
                let message = format!(
                    "the dialect `{}` does not set the parameter `{}`",
                    dialect.id, param.name
                );
                let diagnostic = Diagnostic::error(Code::MissingKey, entry.key_span, message)
                    .also(param.span, "the parameter is declared here");
                self.push(diagnostic);
            }
        }
        keys.finish(self);
        Some(dialect)
    }

    fn detect(&mut self, node: &'n Node) -> Detect {
        let mut detect = Detect::default();
        let Some(mut keys) = Keys::of(node, "`detect`", self) else {
            return detect;
        };
        if let Some(node) = keys.take("bytes") {
            detect.bytes = self.detected_bytes(node);
        }
        if let Some(node) = keys.take("field") {
            let path = self.expression(node);
            let name = match &path.kind {
                ExprKind::Name(name) | ExprKind::Member { name, .. } => Some(name.clone()),
                _ => None,
            };
            match name {
                Some(name) => detect.field = Some((name, path)),
                None => self.bad_value(node, "expected the path of a field", None),
            }
        }
        keys.finish(self);
        detect
    }

    /// Parses the bytes that identify a dialect: bytes at the beginning of a file, or at the
    /// offsets given as keys.
    fn detected_bytes(&mut self, node: &'n Node) -> Vec<(u64, Vec<u8>)> {
        if node.as_mapping().is_none() {
            let bytes = self.contents(node);
            return bytes.map(|bytes| (0, bytes)).into_iter().collect();
        }
        let Some(mut keys) = Keys::of(node, "`bytes`", self) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for entry in keys.others() {
            let offset = parse_integer(&entry.key).and_then(|n| u64::try_from(n).ok());
            let Some(offset) = offset else {
                let message = format!("invalid offset `{}`", entry.key);
                self.error(Code::BadValue, entry.key_span, message);
                continue;
            };
            if let Some(bytes) = self.contents(&entry.value) {
                found.push((offset, bytes));
            }
        }
        found
    }

    /// Parses the entries of `limits`.
    pub(super) fn limits(&mut self, node: &'n Node) -> Vec<Limit> {
        let nodes = self.sequence(node, "limits").iter();
        nodes.flat_map(|node| self.limit(node)).collect()
    }

    fn limit(&mut self, node: &'n Node) -> Vec<Limit> {
        let Some(mut keys) = Keys::of(node, "a limit", self) else {
            return Vec::new();
        };
        let of = keys
            .need("of", self)
            .and_then(|node| self.limit_subject(node));
        let mut measures = Vec::new();
        for (key, kind) in [
            ("depth", LimitKind::Depth),
            ("size", LimitKind::Size),
            ("value", LimitKind::Value),
        ] {
            if let Some(node) = keys.take(key) {
                let (promised, enforced) = self.limit_value(node);
                measures.push((kind, promised, enforced));
            }
        }
        let rule = self.rule_beside(&mut keys);
        if measures.is_empty() {
            self.push(
                Diagnostic::error(Code::MissingKey, node.span, "a limit requires a measure")
                    .help("add `depth`, `size` or `value`"),
            );
        }
        keys.finish(self);
        let Some(of) = of else { return Vec::new() };
        let measures = measures.into_iter();
        measures
            .map(|(kind, promised, enforced)| Limit {
                of: of.clone(),
                kind,
                promised,
                enforced,
                rule: rule.clone(),
                span: node.span,
            })
            .collect()
    }

    fn limit_value(&mut self, node: &'n Node) -> (Option<u64>, Option<u64>) {
        if node.as_mapping().is_none() {
            let value = self.number(node);
            return (value, value);
        }
        let Some(mut keys) = Keys::of(node, "the value of a limit", self) else {
            return (None, None);
        };
        let promised = keys.take("promised").and_then(|node| self.number(node));
        let enforced = keys.take("enforced").and_then(|node| self.number(node));
        keys.finish(self);
        (promised, enforced)
    }

    fn limit_subject(&mut self, node: &'n Node) -> Option<LimitSubject> {
        let name = self.text(node, "a type, a path, a register or `file`")?;
        if name == "file" {
            return Some(LimitSubject::File);
        }
        let register = name.strip_prefix("state.").unwrap_or(name);
        if let Some(id) = self.names.registers.get(register) {
            return Some(LimitSubject::Register(id));
        }
        if let Some(id) = self.names.find_type(name, self.scope) {
            return Some(LimitSubject::Type(id));
        }
        if name.contains('.') {
            return Some(LimitSubject::Path(self.expression(node)));
        }
        self.type_id(name, node.span);
        None
    }

    /// Reports that `meta` is missing and returns a placeholder.
    pub(super) fn missing_meta(&mut self, node: &Node) -> Meta {
        self.push(
            Diagnostic::error(
                Code::MissingKey,
                tracegauge_plan::source::SourceSpan {
                    end: node.span.start,
                    ..node.span
                },
                "a description requires `meta` with an `id`",
            )
            .help("`meta: { id: my-format-v1 }`"),
        );
        self.meta(None, true).0
    }
}

/// Returns `true` for a literal, with or without a sign, and for a member of an enumeration.
fn is_constant(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_) | ExprKind::Text(_) => true,
        ExprKind::EnumMember { .. } => true,
        ExprKind::Unary { operand, .. } => is_constant(operand),
        other => *other == poison(value.span).kind,
    }
}

/// Returns the id without its version: `name` for `name-v6`.
fn family_of(id: &str) -> &str {
    match id.rsplit_once("-v") {
        Some((family, version))
            if !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit()) =>
        {
            family
        }
        _ => id,
    }
}
