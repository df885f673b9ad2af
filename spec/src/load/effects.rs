//! Parses the effects of types on tables and registers.

use super::context::Context;
use super::keys::Keys;
use super::names::POISON;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::schema::{
    Again, Clear, ClearTarget, Define, Keeps, RegisterId, Remove, RowComparison, RuleRef, Set,
    SetTarget, TableId,
};
use crate::yaml::{Entry, Node, NodeKind};

impl<'n> Context<'n> {
    /// Parses `defines`, which adds rows to a table.
    pub(super) fn define(&mut self, node: &'n Node) -> Option<Define> {
        let mut keys = Keys::of(node, "`defines`", self)?;
        let table = keys.need("table", self).map(|node| self.table_id(node));
        let (key, first) = (keys.entry("key"), keys.entry("first-key"));
        if let (Some(_), Some(first)) = (key, first) {
            self.conflict(first, "`key` and `first-key` cannot be combined");
        }
        let define = Define {
            table: table.unwrap_or(TableId(POISON)),
            key: key.map(|entry| self.expression(&entry.value)),
            first_key: first.map(|entry| self.expression(&entry.value)),
            row: keys.take("row").map(|node| self.expression(node)),
            condition: self.condition(&mut keys),
            again: keys.take("again").and_then(|node| self.again(node)),
            unique: keys
                .take("unique")
                .map(|node| self.unique_rows(node))
                .unwrap_or_default(),
            span: node.span,
        };
        keys.finish(self);
        Some(define)
    }

    fn unique_rows(&mut self, node: &'n Node) -> Vec<(Expr, RuleRef)> {
        let unique = self.unique(node);
        let mut found = Vec::new();
        for unique in unique {
            match unique.rule {
                Some(rule) => found.push((unique.by, rule)),
                None => self.error(Code::MissingKey, unique.span, "`unique` requires a `rule`"),
            }
        }
        found
    }

    /// Parses `again`, which specifies what happens if the key of a row is already defined. The
    /// short form of `again` is a rule, and the long form is a mapping.
    pub(super) fn again(&mut self, node: &'n Node) -> Option<Again> {
        let long = node
            .as_mapping()
            .is_some_and(|mapping| mapping.get("fault").is_none());
        if !long {
            let rule = self.rule(node);
            return Some(Again {
                compare: RowComparison::Bytes,
                alike: None,
                same: Some(rule.clone()),
                other: Some(rule),
                keeps: Keeps::First,
                span: node.span,
            });
        }
        let mut keys = Keys::of(node, "`again`", self)?;
        let compare = keys.take("compare").map(|node| self.comparison(node));
        let keeps = keys
            .take("keeps")
            .and_then(|node| self.word(node, &[("first", Keeps::First), ("last", Keeps::Last)]));
        let alike = keys.take("alike").and_then(|node| self.alike(node));
        let again = Again {
            compare: compare.unwrap_or(RowComparison::Bytes),
            alike,
            same: self.rule_at(&mut keys, "same"),
            other: self.rule_at(&mut keys, "other"),
            keeps: keeps.unwrap_or(Keeps::First),
            span: node.span,
        };
        keys.finish(self);
        Some(again)
    }

    /// Parses `alike: {compare: […], rule}`: the rule for two rows with the same key that differ
    /// but have equal values in the compared fields.
    fn alike(&mut self, node: &'n Node) -> Option<(Vec<String>, RuleRef)> {
        let mut keys = Keys::of(node, "`alike`", self)?;
        let fields = keys.need("compare", self);
        let fields = fields.map(|node| self.sequence(node, "fields"));
        let rule = keys.need("rule", self).map(|node| self.rule(node));
        keys.finish(self);
        let names = fields.unwrap_or_default().iter();
        let names = names.filter_map(|node| self.text(node, "the name of a field"));
        Some((names.map(str::to_owned).collect(), rule?))
    }

    fn comparison(&mut self, node: &Node) -> RowComparison {
        if let NodeKind::Sequence(nodes) = &node.kind {
            let names = nodes.iter();
            let names = names.filter_map(|node| self.text(node, "the name of a field"));
            return RowComparison::Fields(names.map(str::to_owned).collect());
        }
        self.word(node, &[("bytes", ())]);
        RowComparison::Bytes
    }

    /// Parses `removes`, which removes a row from a table.
    pub(super) fn remove(&mut self, node: &'n Node) -> Option<Remove> {
        let mut keys = Keys::of(node, "`removes`", self)?;
        let table = keys.need("table", self).map(|node| self.table_id(node));
        let key = keys.need("key", self).map(|node| self.expression(node));
        let dangling = self.rule_at(&mut keys, "dangling");
        let rule = self.rule_beside(&mut keys);
        keys.finish(self);
        Some(Remove {
            table: table?,
            key: key?,
            dangling,
            rule,
            span: node.span,
        })
    }

    /// Parses `clears`, which is `all` or a list of tables.
    pub(super) fn clears(&mut self, node: &'n Node) -> Vec<Clear> {
        if node.as_text() == Some("all") {
            return vec![Clear {
                target: ClearTarget::All,
                condition: None,
                rule: None,
                span: node.span,
            }];
        }
        let nodes = self.one_or_more(node).into_iter();
        nodes.filter_map(|node| self.clear(node)).collect()
    }

    fn clear(&mut self, node: &'n Node) -> Option<Clear> {
        let span = node.span;
        if node.as_mapping().is_none() {
            return Some(Clear {
                target: ClearTarget::Table(self.table_id(node)),
                condition: None,
                rule: None,
                span,
            });
        }
        let mut keys = Keys::of(node, "an entry of `clears`", self)?;
        let table = keys.need("table", self).map(|node| self.table_id(node));
        let condition = self.condition(&mut keys);
        let rule = self.rule_beside(&mut keys);
        keys.finish(self);
        Some(Clear {
            target: ClearTarget::Table(table?),
            condition,
            rule,
            span,
        })
    }

    /// Parses `sets: {target: EXPR or {to, if}}`, which assigns values to registers and columns.
    pub(super) fn sets(&mut self, node: &'n Node) -> Vec<Set> {
        let Some(mut keys) = Keys::of(node, "`sets`", self) else {
            return Vec::new();
        };
        let entries = keys.others().into_iter();
        entries.filter_map(|entry| self.set(entry)).collect()
    }

    fn set(&mut self, entry: &'n Entry) -> Option<Set> {
        let target = self.set_target(entry)?;
        let (value, condition) = if entry.value.as_mapping().is_some() {
            let mut keys = Keys::of(&entry.value, "an entry of `sets`", self)?;
            let value = keys.need("to", self).map(|node| self.expression(node));
            let condition = self.condition(&mut keys);
            keys.finish(self);
            (value?, condition)
        } else {
            (self.expression(&entry.value), None)
        };
        Some(Set {
            target,
            value,
            condition,
            span: entry.key_span,
        })
    }

    /// Parses the target of an assignment in `sets`, which is a register or a column of a row.
    fn set_target(&mut self, entry: &Entry) -> Option<SetTarget> {
        let target = self.key_expression(entry);
        match &target.kind {
            ExprKind::Name(name) if name.is_empty() => None,
            ExprKind::Name(name) => Some(SetTarget::Register(self.register_named(name, entry))),
            ExprKind::Member { base, name } => match &base.kind {
                ExprKind::Name(state) if state == "state" => {
                    Some(SetTarget::Register(self.register_named(name, entry)))
                }
                ExprKind::Method {
                    base,
                    name: method,
                    arguments,
                } if method == "get" => self.column_target(base, arguments, name, entry),
                _ => self.no_target(entry),
            },
            _ => self.no_target(entry),
        }
    }

    fn register_named(&mut self, name: &str, entry: &Entry) -> RegisterId {
        if let Some(id) = self.names.registers.get(name) {
            return id;
        }
        let known = self.names.registers.all();
        let names = known.iter().map(String::as_str);
        self.unknown(
            Code::UnknownRegister,
            entry.key_span,
            "register",
            name,
            names,
        );
        RegisterId(POISON)
    }

    fn column_target(
        &mut self,
        table: &Expr,
        arguments: &[Expr],
        column: &str,
        entry: &Entry,
    ) -> Option<SetTarget> {
        let (ExprKind::Name(table), [key]) = (&table.kind, arguments) else {
            return self.no_target(entry);
        };
        let Some(id) = self.names.tables.get(table) else {
            let known = self.names.tables.all();
            let names = known.iter().map(String::as_str);
            self.unknown(Code::UnknownTable, entry.key_span, "table", table, names);
            return None;
        };
        let columns = self
            .names
            .columns
            .get(id.index())
            .cloned()
            .unwrap_or_default();
        let Some(index) = columns.iter().position(|name| name == column) else {
            let names = columns.iter().map(String::as_str);
            let what = format!("column of the table `{table}`");
            self.unknown(Code::UnknownRegister, entry.key_span, &what, column, names);
            return None;
        };
        Some(SetTarget::Column {
            table: id,
            key: key.clone(),
            column: index,
        })
    }

    fn no_target(&mut self, entry: &Entry) -> Option<SetTarget> {
        let message = format!("cannot set `{}`", entry.key);
        self.push(
            Diagnostic::error(Code::BadValue, entry.key_span, message)
                .help("only a register or a column of a row (`table.get(key).column`) can be set"),
        );
        None
    }
}
