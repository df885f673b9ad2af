//! Parses fields whose values depend on earlier values (`carry`), references to rows, and meanings
//! of values.

use super::context::Context;
use super::keys::Keys;
use super::names::POISON;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expr;
use crate::schema::{Carry, CarryMode, Epoch, JsonId, Meaning, Refs, RegisterId, TableId};
use crate::yaml::Node;

impl<'n> Context<'n> {
    /// Parses `carry` and the keys that may only be used with it.
    pub(super) fn carry(&mut self, keys: &mut Keys<'n>) -> Option<Carry> {
        let mode = keys.entry("carry");
        let then = keys.entry("then");
        let wraps = keys.entry("wraps");
        let overflow = keys.entry("overflow");
        let from = keys.entry("carry-from");
        let wire = keys.entry("wire");
        let Some(entry) = mode else {
            for entry in [then, wraps, overflow, from, wire].into_iter().flatten() {
                self.conflict(
                    entry,
                    "this key requires `carry`, which the field does not have",
                );
            }
            return None;
        };
        let modes = [("replace", CarryMode::Replace), ("add", CarryMode::Add)];
        let mode = self.word(&entry.value, &modes);
        let carry = Carry {
            mode: mode.unwrap_or(CarryMode::Replace),
            then: then.map(|entry| self.expression(&entry.value)),
            wraps: wraps.and_then(|entry| self.number(&entry.value)),
            overflow: overflow.map(|entry| self.rule(&entry.value)),
            from: from.map(|entry| self.register_id(&entry.value)),
            wire: wire.and_then(|entry| self.scalar(&entry.value)),
            span: entry.key_span,
        };
        mode.map(|_| carry)
    }

    /// Parses a mapping from paths to values: `{path: EXPR, …}`.
    pub(super) fn assignments(&mut self, node: &'n Node) -> Vec<(String, Expr)> {
        let Some(mut keys) = Keys::of(node, "the assignments to fields", self) else {
            return Vec::new();
        };
        let entries = keys.others().into_iter();
        entries
            .map(|entry| (entry.key.clone(), self.expression(&entry.value)))
            .collect()
    }

    /// Parses the name of a register. Reports an error if no register has this name.
    pub(super) fn register_id(&mut self, node: &Node) -> RegisterId {
        let Some(name) = self.text(node, "the name of a register") else {
            return RegisterId(POISON);
        };
        let name = name.strip_prefix("state.").unwrap_or(name);
        if let Some(id) = self.names.registers.get(name) {
            return id;
        }
        let known = self.names.registers.all();
        let names = known.iter().map(String::as_str);
        self.unknown(Code::UnknownRegister, node.span, "register", name, names);
        RegisterId(POISON)
    }

    /// Parses the name of a table. Reports an error if no table has this name.
    pub(super) fn table_id(&mut self, node: &Node) -> TableId {
        let Some(name) = self.text(node, "the name of a table") else {
            return TableId(POISON);
        };
        if let Some(id) = self.names.tables.get(name) {
            return id;
        }
        let known = self.names.tables.all();
        let names = known.iter().map(String::as_str);
        self.unknown(Code::UnknownTable, node.span, "table", name, names);
        TableId(POISON)
    }

    /// Parses `refs: table` with the keys that belong to it, or `refs: {table, …}`.
    pub(super) fn refs(&mut self, keys: &mut Keys<'n>) -> Option<Refs> {
        let refs = keys.entry("refs");
        let beside = [
            keys.entry("dangling"),
            keys.entry("later"),
            keys.entry("none"),
        ];
        let Some(entry) = refs else {
            for entry in beside.into_iter().flatten() {
                self.conflict(entry, "this requires `refs`");
            }
            return None;
        };
        let node = &entry.value;
        let [dangling, later, none] = beside.map(|entry| entry.map(|entry| &entry.value));
        let mut refs = Refs {
            table: TableId(POISON),
            condition: None,
            none: none.map(|node| self.expression(node)),
            dangling: dangling.map(|node| self.rule(node)),
            later: later.map(|node| self.rule(node)),
            span: node.span,
        };
        if node.as_mapping().is_none() {
            refs.table = self.table_id(node);
            return Some(refs);
        }
        let mut inner = Keys::of(node, "`refs`", self)?;
        if let Some(node) = inner.need("table", self) {
            refs.table = self.table_id(node);
        }
        refs.condition = self.condition(&mut inner);
        refs.none = inner
            .take("none")
            .map(|node| self.expression(node))
            .or(refs.none);
        refs.dangling = self.rule_at(&mut inner, "dangling").or(refs.dangling);
        refs.later = self.rule_at(&mut inner, "later").or(refs.later);
        inner.finish(self);
        Some(refs)
    }

    /// Parses `as`, which specifies the meaning of a value.
    pub(super) fn meaning(&mut self, node: &'n Node) -> Option<Meaning> {
        if node.as_mapping().is_some() {
            return self.meaning_with(node);
        }
        let name = self.text(node, "a meaning")?;
        match name {
            "bool" => Some(Meaning::Bool),
            "date_time" => Some(Meaning::DateTime),
            "code_unit" => Some(Meaning::CodeUnit),
            "map" => Some(Meaning::Map),
            "filetime" => Some(Meaning::Time {
                unit_nanoseconds: 100,
                epoch: Epoch::YEAR_1601,
            }),
            _ => {
                let known = ["bool", "date_time", "code_unit", "map", "filetime"];
                let help = super::suggest::did_you_mean(name, known).unwrap_or_else(|| {
                    "expected `bool`, `date_time`, `code_unit`, `map`, `filetime`, or a mapping \
                     with `time`, `pair`, `json` or `signature`"
                        .to_owned()
                });
                self.bad_value(node, format!("unknown meaning `{name}`"), Some(help));
                None
            }
        }
    }

    fn meaning_with(&mut self, node: &'n Node) -> Option<Meaning> {
        let mut keys = Keys::of(node, "a meaning", self)?;
        let (time, epoch) = (keys.take("time"), keys.take("epoch"));
        let (pair, json) = (keys.take("pair"), keys.take("json"));
        let signature = keys.take("signature");
        let rule = self.rule_beside(&mut keys);
        keys.finish(self);
        if let Some(time) = time {
            return self.time(time, epoch);
        }
        if let Some(pair) = pair {
            return self.pair(pair);
        }
        if let Some(json) = json {
            let any = json.as_text() == Some("any");
            let schema = (!any).then(|| self.json_id(json));
            return Some(Meaning::Json { schema, rule });
        }
        if let Some(signature) = signature {
            return Some(Meaning::Signature(self.layout_id(signature)));
        }
        let message = "`as` requires one of `time`, `pair`, `json` or `signature`";
        self.push(Diagnostic::error(Code::MissingKey, node.span, message));
        None
    }

    fn time(&mut self, time: &Node, epoch: Option<&Node>) -> Option<Meaning> {
        let text = self.text(time, "a unit of time")?;
        let digits = text
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len());
        let (count, unit) = text.split_at(digits);
        let unit: Option<u64> = match unit {
            "ns" => Some(1),
            "us" => Some(1_000),
            "ms" => Some(1_000_000),
            "s" => Some(1_000_000_000),
            _ => None,
        };
        let count = if count.is_empty() {
            Some(1)
        } else {
            count.parse::<u64>().ok()
        };
        let nanoseconds = count
            .zip(unit)
            .and_then(|(count, unit)| count.checked_mul(unit));
        let Some(unit_nanoseconds) = nanoseconds.filter(|n| *n > 0) else {
            let help = "expected a number followed by `ns`, `us`, `ms` or `s`, as in `100ns`";
            self.bad_value(
                time,
                format!("invalid unit of time `{text}`"),
                Some(help.to_owned()),
            );
            return None;
        };
        let epoch = match epoch {
            None => Epoch::YEAR_1970,
            Some(node) => self.epoch(node)?,
        };
        Some(Meaning::Time {
            unit_nanoseconds,
            epoch,
        })
    }

    fn epoch(&mut self, node: &Node) -> Option<Epoch> {
        let date = self.text(node, "a date")?;
        let day = date.strip_suffix("T00:00:00Z").unwrap_or(date);
        let epoch = Epoch::parse(day);
        if epoch.is_none() {
            let help = "expected a date from `0001-01-01` to `9999-12-31`";
            self.bad_value(
                node,
                format!("invalid epoch `{date}`"),
                Some(help.to_owned()),
            );
        }
        epoch
    }

    fn pair(&mut self, node: &Node) -> Option<Meaning> {
        let nodes = self.sequence(node, "two fields");
        let [key, value] = nodes else {
            self.error(
                Code::WrongShape,
                node.span,
                "a pair requires two fields: `[key, value]`",
            );
            return None;
        };
        Some(Meaning::Pair {
            key: self.text(key, "the name of a field")?.to_owned(),
            value: self.text(value, "the name of a field")?.to_owned(),
        })
    }

    fn json_id(&mut self, node: &Node) -> JsonId {
        let Some(name) = self.text(node, "`any` or the name of a schema under `json`") else {
            return JsonId(POISON);
        };
        if let Some(id) = self.names.json.get(name) {
            return id;
        }
        let known = self.names.json.all();
        let names = known.iter().map(String::as_str).chain(["any"]);
        self.unknown(Code::UnknownJson, node.span, "JSON schema", name, names);
        JsonId(POISON)
    }
}
