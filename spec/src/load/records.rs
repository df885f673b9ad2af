//! Parses kinds of records, and schemas for JSON in traces.

use hashbrown::HashMap;

use super::context::Context;
use super::keys::Keys;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expr;
use crate::schema::{
    JsonKind, JsonMember, JsonSchema, Member, MemberValue, Obedience, Record, RecordOrder, TypeId,
};
use crate::yaml::{Entry, Node};
use tracegauge_plan::source::SourceSpan;

/// The maximum length of a chain of record kinds that extend one another.
const MOST_LEVELS: usize = 8;

/// An entry of `records` without its inherited members.
struct Written {
    name: String,
    from: Vec<TypeId>,
    condition: Option<Expr>,
    optional: bool,
    is_abstract: bool,
    extends: Option<(String, SourceSpan)>,
    order: Option<RecordOrder>,
    members: Vec<Member>,
    obeys: Vec<Obedience>,
    span: SourceSpan,
}

impl<'n> Context<'n> {
    /// Parses the entries of `records` and adds the members that they inherit.
    pub(super) fn records(&mut self, entries: &[&'n Entry]) -> Vec<Record> {
        let written: Vec<Written> = entries
            .iter()
            .filter_map(|entry| self.record(entry))
            .collect();
        let mut records = Vec::new();
        for record in written.iter().filter(|record| !record.is_abstract) {
            let (order, members) = self.inherited(record, &written);
            records.push(Record {
                name: record.name.clone(),
                from: record.from.clone(),
                condition: record.condition.clone(),
                optional: record.optional,
                order,
                members,
                obeys: record.obeys.clone(),
                span: record.span,
            });
        }
        records
    }

    fn record(&mut self, entry: &'n Entry) -> Option<Written> {
        let mut keys = Keys::of(&entry.value, "a kind of record", self)?;
        let is_abstract = self.flag(&mut keys, "abstract");
        let from = keys.take("from").map(|node| {
            let nodes = self.one_or_more(node).into_iter();
            nodes
                .map(|node| self.type_named_by(node))
                .collect::<Vec<_>>()
        });
        if from.is_none() && !is_abstract {
            let message = "a kind of record requires `from`, the type that is reported";
            self.error(Code::MissingKey, entry.key_span, message);
        }
        let extends = keys.take("extends").and_then(|node| {
            let name = self.text(node, "the name of a kind of record")?;
            Some((name.to_owned(), node.span))
        });
        let members = keys.take("members").map(|node| self.members(node));
        self.docs(&mut keys);
        let record = Written {
            name: entry.key.clone(),
            from: from.unwrap_or_default(),
            condition: self.condition(&mut keys),
            optional: self.flag(&mut keys, "optional"),
            is_abstract,
            extends,
            order: keys.take("order").and_then(|node| self.order(node)),
            members: members.unwrap_or_default(),
            obeys: self.obeys(&mut keys),
            span: entry.key_span,
        };
        keys.finish(self);
        Some(record)
    }

    fn order(&mut self, node: &'n Node) -> Option<RecordOrder> {
        let mut order = RecordOrder::default();
        if node.as_mapping().is_none() {
            self.word(node, &[("file", ())])?;
            return Some(order);
        }
        let mut keys = Keys::of(node, "`order`", self)?;
        if let Some(node) = keys.need("file", self)
            && self.boolean(node) == Some(false)
        {
            let message = "records in file order are always accepted, so `file` cannot be false";
            self.bad_value(node, message, None);
        }
        if let Some(mut also) = keys
            .take("also")
            .and_then(|node| Keys::of(node, "`also`", self))
        {
            order.also_by = also
                .need("by", self)
                .map(|node| self.texts(node))
                .unwrap_or_default();
            order.ties = also.take("ties").map(|node| self.expression(node));
            let stable = also.entry("stable");
            if let (Some(_), Some(stable)) = (&order.ties, stable) {
                self.conflict(stable, "`stable` and `ties` cannot be combined");
            }
            if let Some(stable) = stable {
                self.boolean(&stable.value);
            }
            also.finish(self);
        }
        keys.finish(self);
        Some(order)
    }

    fn members(&mut self, node: &'n Node) -> Vec<Member> {
        let Some(mut keys) = Keys::of(node, "`members`", self) else {
            return Vec::new();
        };
        let mut members = Vec::new();
        for entry in keys.others() {
            let value = if entry.value.as_mapping().is_some() {
                MemberValue::Object(self.members(&entry.value))
            } else {
                MemberValue::Expression(self.expression(&entry.value))
            };
            members.push(Member {
                name: entry.key.clone(),
                value,
                span: entry.key_span,
            });
        }
        members
    }

    /// Collects the members of a record: first those that it inherits, starting from the last
    /// record kind in its `extends` chain, then its own.
    fn inherited(&mut self, record: &Written, all: &[Written]) -> (RecordOrder, Vec<Member>) {
        let mut chain = vec![record];
        while let Some((name, span)) = chain.last().and_then(|last| last.extends.clone()) {
            let Some(base) = all.iter().find(|base| base.name == name) else {
                let names = all.iter().map(|record| record.name.as_str());
                self.unknown(Code::UnknownRecord, span, "kind of record", &name, names);
                break;
            };
            if chain.len() > MOST_LEVELS {
                let message = format!(
                    "`{}` extends itself, or its chain of `extends` is too long",
                    record.name
                );
                self.error(Code::ConflictingKeys, span, message);
                break;
            }
            chain.push(base);
        }
        let order = chain.iter().find_map(|record| record.order.clone());
        let mut members: Vec<Member> = Vec::new();
        let mut seen: HashMap<&str, SourceSpan> = HashMap::new();
        for member in chain.iter().rev().flat_map(|record| &record.members) {
            match seen.get(member.name.as_str()) {
                // A cycle of `extends`, which has been reported already, makes a member conflict
                // with itself.
                Some(first) if *first != member.span => {
                    let message = format!("the member `{}` is defined twice", member.name);
                    let diagnostic = Diagnostic::error(Code::DuplicateName, member.span, message)
                        .also(*first, "first defined here");
                    self.push(diagnostic);
                }
                Some(_) => {}
                None => {
                    seen.insert(&member.name, member.span);
                    members.push(member.clone());
                }
            }
        }
        (order.unwrap_or_default(), members)
    }

    /// Parses an entry of `json`.
    pub(super) fn json_schema(&mut self, entry: &'n Entry) -> JsonSchema {
        self.json_value(&entry.key, &entry.value, entry.key_span).0
    }

    /// Parses a schema. Also returns whether the member that the schema describes is required.
    fn json_value(&mut self, name: &str, node: &'n Node, span: SourceSpan) -> (JsonSchema, bool) {
        let mut schema = JsonSchema {
            name: name.to_owned(),
            kinds: Vec::new(),
            one_of: Vec::new(),
            one_of_rule: None,
            members: Vec::new(),
            rule: None,
            other_members: None,
            span,
        };
        let Some(mut keys) = Keys::of(node, "a JSON schema", self) else {
            return (schema, false);
        };
        let kinds = [
            ("object", JsonKind::Object),
            ("list", JsonKind::List),
            ("text", JsonKind::Text),
            ("number", JsonKind::Number),
            ("bool", JsonKind::Bool),
            ("nothing", JsonKind::Nothing),
        ];
        if let Some(node) = keys.take("kind") {
            let nodes = self.one_or_more(node).into_iter();
            schema.kinds = nodes.filter_map(|node| self.word(node, &kinds)).collect();
        }
        if let Some(node) = keys.take("one-of") {
            self.one_of(node, &mut schema);
        }
        schema.rule = self.rule_beside(&mut keys);
        schema.other_members = self.rule_at(&mut keys, "other-members");
        let needed = self.flag(&mut keys, "need");
        let members = keys.take("members");
        keys.finish(self);
        let members = members.and_then(|node| Keys::of(node, "`members`", self));
        for entry in members
            .map(|mut members| members.others())
            .unwrap_or_default()
        {
            let (value, needed) = self.json_value(&entry.key, &entry.value, entry.key_span);
            schema.members.push(JsonMember {
                name: entry.key.clone(),
                needed,
                value,
            });
        }
        (schema, needed)
    }

    /// Parses `one-of: [strings]` or `one-of: {any-of: [strings], rule}`.
    fn one_of(&mut self, node: &'n Node, schema: &mut JsonSchema) {
        if node.as_mapping().is_none() {
            schema.one_of = self.texts(node);
            return;
        }
        let Some(mut keys) = Keys::of(node, "`one-of`", self) else {
            return;
        };
        let any = keys.need("any-of", self);
        schema.one_of = any.map(|node| self.texts(node)).unwrap_or_default();
        schema.one_of_rule = self.rule_beside(&mut keys);
        keys.finish(self);
    }
}
