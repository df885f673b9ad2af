//! Parses the declarations of registers and tables.

use super::context::{Context, poison};
use super::keys::Keys;
use super::names::POISON;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::ExprKind;
use crate::schema::{
    Column, InitialRow, Kind, Register, RegisterType, Scalar, ScalarKind, Table, TableKey, TypeId,
};
use crate::yaml::{Entry, Node};
use tracegauge_plan::source::SourceSpan;

/// A placeholder for a number type that could not be parsed.
const UNKNOWN: Scalar = Scalar {
    kind: ScalarKind::Unsigned(8),
    endian: None,
    words: None,
};

impl<'n> Context<'n> {
    /// Parses an entry of `state`.
    pub(super) fn register(&mut self, entry: &'n Entry) -> Register {
        self.check_name(&entry.key, entry.key_span);
        let mut register = Register {
            name: entry.key.clone(),
            kind: RegisterType::Int,
            initial: None,
            obeys: Vec::new(),
            span: entry.key_span,
        };
        let Some(mut keys) = Keys::of(&entry.value, "a register", self) else {
            return register;
        };
        let (refs, number) = (keys.entry("refs"), keys.entry("type"));
        match (refs, number) {
            (Some(refs), None) => register.kind = RegisterType::Row(self.table_id(&refs.value)),
            (None, Some(number)) if number.value.as_text() == Some("int") => {}
            (None, Some(number)) => {
                let scalar = self.scalar(&number.value).unwrap_or(UNKNOWN);
                register.kind = RegisterType::Scalar(scalar);
            }
            (Some(_), Some(number)) => {
                self.conflict(
                    number,
                    "a register holds either a number (`type`) or a row (`refs`)",
                );
            }
            (None, None) => {
                self.push(
                    Diagnostic::error(
                        Code::MissingKey,
                        entry.key_span,
                        "a register requires a \
                        type",
                    )
                    .help("add `type: u4`, `type: int`, or `refs: table` for a row"),
                );
            }
        }
        register.initial = keys
            .take("initial")
            .map(|node| self.expression(node))
            .filter(|value| value.kind != ExprKind::Absent);
        register.obeys = self.obeys(&mut keys);
        self.docs(&mut keys);
        keys.finish(self);
        register
    }

    /// Parses a table from all entries that declare it.
    pub(super) fn table(&mut self, name: &str, entries: &[&'n Entry]) -> Table {
        let span = entries.first().map(|entry| entry.key_span);
        let mut table = Table {
            name: name.to_owned(),
            key: TableKey::Scalar(UNKNOWN),
            row: TypeId(POISON),
            columns: Vec::new(),
            initial: Vec::new(),
            kinds: Vec::new(),
            samples: Vec::new(),
            usual: None,
            condition: None,
            span: span.unwrap_or(SourceSpan {
                source: tracegauge_plan::source::SourceId(0),
                start: 0,
                end: 0,
            }),
        };
        let mut given: Vec<(&'static str, SourceSpan)> = Vec::new();
        for entry in entries {
            if let Some(mut keys) = Keys::of(&entry.value, "a table", self) {
                self.table_keys(&mut keys, &mut table, &mut given);
                keys.finish(self);
            }
        }
        for key in ["key", "row"] {
            if !given.iter().any(|(given, _)| *given == key) {
                let message = format!("the table `{name}` requires the key `{key}`");
                self.error(Code::MissingKey, table.span, message);
            }
        }
        table
    }

    fn table_keys(
        &mut self,
        keys: &mut Keys<'n>,
        table: &mut Table,
        given: &mut Vec<(&'static str, SourceSpan)>,
    ) {
        for key in ["key", "row", "columns", "initial", "kinds", "if", "gen"] {
            let Some(entry) = keys.entry(key) else {
                continue;
            };
            if let Some((_, first)) = given.iter().find(|(given, _)| *given == key) {
                let message = format!(
                    "the key `{key}` of the table `{}` is given twice",
                    table.name
                );
                let diagnostic = Diagnostic::error(Code::DuplicateKey, entry.key_span, message)
                    .also(*first, "first given here");
                self.push(diagnostic);
                continue;
            }
            given.push((key, entry.key_span));
            let node = &entry.value;
            match key {
                "key" => table.key = self.table_key(node),
                "row" => table.row = self.type_named_by(node),
                "columns" => table.columns = self.columns(node),
                "initial" => table.initial = self.initial_rows(node),
                "kinds" => table.kinds = self.kinds(node),
                "if" => table.condition = Some(self.expression(node)),
                _ => self.table_hints(node, table),
            }
        }
        self.docs(keys);
    }

    /// Parses the name of a type in a place where no arguments are allowed.
    pub(super) fn type_named_by(&mut self, node: &Node) -> TypeId {
        match self.text(node, "the name of a type") {
            Some(name) => self.type_id(name, node.span),
            None => TypeId(POISON),
        }
    }

    fn table_key(&mut self, node: &Node) -> TableKey {
        if node.as_text() == Some("offset") {
            return TableKey::Offset;
        }
        TableKey::Scalar(self.scalar(node).unwrap_or(UNKNOWN))
    }

    fn columns(&mut self, node: &'n Node) -> Vec<Column> {
        let Some(mut keys) = Keys::of(node, "`columns`", self) else {
            return Vec::new();
        };
        let entries = keys.others().into_iter();
        entries.map(|entry| self.column(entry)).collect()
    }

    fn column(&mut self, entry: &'n Entry) -> Column {
        self.check_name(&entry.key, entry.key_span);
        let mut column = Column {
            name: entry.key.clone(),
            scalar: UNKNOWN,
            initial: poison(entry.key_span),
            span: entry.key_span,
        };
        if let Some(mut keys) = Keys::of(&entry.value, "a column", self) {
            if let Some(node) = keys.need("type", self) {
                column.scalar = self.scalar(node).unwrap_or(UNKNOWN);
            }
            if let Some(node) = keys.need("initial", self) {
                column.initial = self.expression(node);
            }
            keys.finish(self);
        }
        column
    }

    fn initial_rows(&mut self, node: &'n Node) -> Vec<InitialRow> {
        let nodes = self.sequence(node, "rows");
        let mut rows = Vec::new();
        for node in nodes {
            let Some(mut keys) = Keys::of(node, "a row", self) else {
                continue;
            };
            let again = keys.take("again").and_then(|node| self.again(node));
            let entries = keys.others().into_iter();
            rows.push(InitialRow {
                fields: entries
                    .map(|entry| (entry.key.clone(), self.expression(&entry.value)))
                    .collect(),
                again,
                span: node.span,
            });
        }
        rows
    }

    fn kinds(&mut self, node: &'n Node) -> Vec<Kind> {
        let Some(mut keys) = Keys::of(node, "`kinds`", self) else {
            return Vec::new();
        };
        let entries = keys.others().into_iter();
        entries.filter_map(|entry| self.kind(entry)).collect()
    }

    fn kind(&mut self, entry: &'n Entry) -> Option<Kind> {
        let mut keys = Keys::of(&entry.value, "a kind of row", self)?;
        let matches = keys.need("match", self).map(|node| self.assignments(node));
        let target = keys.need("type", self).map(|node| self.type_named_by(node));
        let kind = Kind {
            name: entry.key.clone(),
            matches: matches.unwrap_or_default(),
            target: target.unwrap_or(TypeId(POISON)),
            reader_only: self.flag(&mut keys, "reader-only"),
            signature: self.rule_at(&mut keys, "signature"),
            span: entry.key_span,
        };
        keys.finish(self);
        Some(kind)
    }

    /// Parses the generator hints of a table: `gen: {rows: […], usual: …}`.
    fn table_hints(&mut self, node: &'n Node, table: &mut Table) {
        let Some(mut keys) = Keys::of(node, "`gen` of a table", self) else {
            return;
        };
        let rows = keys.take("rows");
        table.usual = keys.take("usual").and_then(|node| self.number(node));
        keys.finish(self);
        let nodes = rows.map(|rows| self.sequence(rows, "rows"));
        let nodes = nodes.unwrap_or_default().iter();
        table.samples = nodes.map(|node| self.assignments(node)).collect();
    }
}
