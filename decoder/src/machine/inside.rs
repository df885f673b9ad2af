//! Tests the contents of text fields (JSON and field descriptions), and determines the kinds of
//! table rows. A *kind* is a special type that the description declares for rows with certain
//! contents. Elements that use a row of this kind are read with this type.

use std::collections::HashSet;

use tracegauge_plan::terms::{ColumnId, RuleId, TableId};
use tracegauge_plan::{
    AgainPlan, CheckKind, DefinePlan, JsonPlan, JsonShape, OpId, RowKindId, RowSource,
    SignaturePlan,
};

use super::effects::same_cell;
use super::{Flow, Machine};
use crate::input::Input;
use crate::json::{self, Json};
use crate::state::{Cell, TextItem, compile_layout, compile_text, items};
use crate::text;
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::Visitor;

/// The rule that a JSON value breaks, with a message.
type Broken = (Option<RuleId>, String);

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Tests the contents of a text field. Returns `false` if a test of this kind does not concern
    /// the contents of text.
    pub(super) fn inside_text(
        &mut self,
        id: OpId,
        kind: &CheckKind,
        start: u64,
        value: Value,
    ) -> Flow<bool> {
        let plan = self.plan;
        match kind {
            CheckKind::Json(json) => self.json(id, &plan.json[*json], start, value)?,
            CheckKind::Signature(index) => {
                self.signature(id, &plan.signatures[*index], start, value)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    #[cold]
    fn json(&mut self, id: OpId, plan: &'p JsonPlan, start: u64, value: Value) -> Flow {
        let Some(bytes) = self.text_of(value) else {
            return Ok(());
        };
        // Text that is not well-formed is reported by another test, and cannot be parsed.
        let Some(text) = text::decode(bytes, plan.encoding) else {
            return Ok(());
        };
        let span = Span {
            start,
            end: self.position,
        };
        let parsed = match json::parse(&text) {
            Ok(parsed) => parsed,
            Err(at) => {
                return self.breach(
                    id,
                    plan.rule,
                    span,
                    format_args!("invalid JSON at byte {at} of the text"),
                );
            }
        };
        if parsed.depth > JsonPlan::DEPTH && plan.depth.is_some() {
            let depth = parsed.depth;
            self.breach(
                id,
                plan.depth,
                span,
                format_args!("the JSON is nested {depth} levels deep"),
            )?;
        }
        let mut broken = Vec::new();
        if let Some(shape) = &plan.shape {
            shaped(shape, &parsed.value, "the JSON value", &mut broken);
        }
        for (rule, message) in broken {
            if rule.is_some() {
                self.breach(id, rule, span, format_args!("{message}"))?;
            }
        }
        Ok(())
    }

    #[cold]
    fn signature(&mut self, id: OpId, plan: &'p SignaturePlan, start: u64, value: Value) -> Flow {
        let Some(text) = self.text_of(value).map(<[u8]>::to_vec) else {
            return Ok(());
        };
        let described = &self.plan.texts[plan.text];
        let mut names: HashSet<&[u8]> = HashSet::new();
        let found = items(described, &text);
        for item in &found {
            let span = |part: &std::ops::Range<usize>| Span {
                start: start + part.start as u64,
                end: start + part.end as u64,
            };
            if item.name.is_empty() {
                self.breach(
                    id,
                    plan.missing,
                    span(&item.whole),
                    format_args!("the field description has no name"),
                )?;
                continue;
            }
            self.described_name(id, plan, start, item)?;
            let shown = || String::from_utf8_lossy(&text[item.name.clone()]).into_owned();
            if plan.unique.is_some() && !names.insert(&text[item.name.clone()]) {
                self.breach(
                    id,
                    plan.unique,
                    span(&item.name),
                    format_args!("another field is also named `{}`", shown()),
                )?;
            }
            if plan.rest.is_some() && !item.rest.is_empty() {
                self.breach(
                    id,
                    plan.rest,
                    span(&item.rest),
                    format_args!("unexpected text after the name `{}`", shown()),
                )?;
            }
            if plan.blanks.is_some()
                && let Some(blank) = &item.blank
            {
                self.breach(
                    id,
                    plan.blanks,
                    span(blank),
                    format_args!("unexpected spaces in the description of `{}`", shown()),
                )?;
            }
            self.described_codes(id, plan, item, span(&item.code))?;
        }
        Ok(())
    }

    fn described_name(
        &mut self,
        id: OpId,
        plan: &'p SignaturePlan,
        start: u64,
        item: &TextItem,
    ) -> Flow {
        let name = Value::Bytes {
            start: start + item.name.start as u64,
            length: item.name.len() as u64,
        };
        for check in &plan.names {
            let unwanted = check
                .condition
                .is_some_and(|condition| !self.evaluate(condition, name).truth());
            if unwanted || self.holds_check(&check.kind, name) {
                continue;
            }
            let span = Span {
                start: start + item.name.start as u64,
                end: start + item.name.end as u64,
            };
            let shown = self.shown_value(name);
            self.breach(
                id,
                check.rule,
                span,
                format_args!("the field name {shown} is not allowed"),
            )?;
        }
        Ok(())
    }

    fn described_codes(
        &mut self,
        id: OpId,
        plan: &'p SignaturePlan,
        item: &TextItem,
        span: Span,
    ) -> Flow {
        if !item.known {
            return self.breach(id, plan.code, span, format_args!("an undeclared type code"));
        }
        let described = &self.plan.texts[plan.text];
        for pair in item.codes.windows(2) {
            let holds = described.code(pair[0]).map_or(&[][..], |code| &code.holds);
            if holds.is_empty() || holds.contains(&pair[1]) {
                continue;
            }
            let rule = plan.holds.iter().find(|(code, _)| *code == pair[0]);
            let rule = rule.and_then(|(_, rule)| *rule);
            self.breach(
                id,
                rule,
                span,
                format_args!(
                    "a type code contains another type code that is not allowed inside it"
                ),
            )?;
        }
        Ok(())
    }

    /// Returns the index of a row's kind among the kinds of its table, or −1 if the row has no
    /// kind.
    pub(super) fn kind_of_row(&mut self, table: TableId, row: RowSource, this: Value) -> i128 {
        let place = self.row_place(row, this);
        let row = place.and_then(|place| self.state.tables[table].row(place));
        row.and_then(|row| row.kind)
            .map_or(-1, |kind| i128::from(kind.0))
    }

    /// Determines the kind of a row that is being defined. If the row matches a kind but describes
    /// other fields than the kind's type has, it gets no kind, because elements that use the row
    /// could not be read with that type.
    pub(super) fn kind_defined(
        &mut self,
        id: OpId,
        define: &'p DefinePlan,
        cells: &[Cell],
        start: u64,
    ) -> Flow<Option<RowKindId>> {
        let plan = self.plan;
        let mut matches = define.kinds.iter();
        let Some(found) = matches.find(|kind| self.truth(kind.when)) else {
            return Ok(None);
        };
        let kind = &plan.tables[define.table].kinds[found.kind];
        let Some((column, layout)) = kind.described else {
            return Ok(Some(found.kind));
        };
        let described = match cells.get(column.index()) {
            Some(Cell::Tree(list)) => compile_layout(plan, layout, list, &mut |_| None),
            Some(Cell::Bytes(text)) => compile_text(plan, layout, text),
            _ => compile_text(plan, layout, &[]),
        };
        let codes = &plan.layouts[layout].codes;
        let fits = kind.codes.as_ref().is_some_and(|wanted| {
            let own = described.own();
            let mut pairs = wanted.iter().zip(own);
            wanted.len() == own.len()
                && pairs.all(|(wanted, field)| {
                    let code = codes.get(field.code as usize).map(|code| code.code);
                    // The type of a kind has no presence fields.
                    !field.optional && code.is_some_and(|code| wanted.contains(&code))
                })
        });
        if fits {
            return Ok(Some(found.kind));
        }
        let span = Span {
            start,
            end: self.position,
        };
        if kind.signature.is_some() {
            self.breach(
                id,
                kind.signature,
                span,
                format_args!(
                    "the fields that this table row describes differ from those required for the \
                     kind `{}`",
                    kind.name
                ),
            )?;
        }
        Ok(None)
    }

    /// Returns how a second definition of a row is handled. If a predefined row has its own
    /// settings for a second definition, these settings take precedence.
    pub(super) fn again_of(
        &self,
        table: TableId,
        place: u32,
        again: &'p AgainPlan,
    ) -> &'p AgainPlan {
        let row = self.state.tables[table].row(place);
        let initial = row.and_then(|row| row.initial);
        let own = initial.and_then(|number| {
            let initial = &self.plan.tables[table].initial;
            initial.get(number as usize)?.again.as_ref()
        });
        own.unwrap_or(again)
    }

    /// Clears registers that refer to rows that no longer exist.
    pub(super) fn forget_rows(&mut self, table: TableId, place: Option<u32>) {
        for (register, plan) in self.plan.registers.entries() {
            let held = plan.table.is_some_and(|held| held == table);
            let is_place = |place| self.memory.register(register) == Some(i128::from(place));
            if held && place.is_none_or(is_place) {
                self.memory.set_register(register, None);
            }
        }
    }

    /// Returns whether another, predefined row has the same value in a column as the row that is
    /// being defined.
    pub(super) fn before_file(
        &self,
        table: TableId,
        key: u64,
        column: Option<ColumnId>,
        cells: &[Cell],
    ) -> bool {
        column.is_some_and(|column| {
            let cell = cells.get(column.index());
            let table = &self.state.tables[table];
            table.begins_with(column, key, |known| same_cell(Some(known), cell))
        })
    }
}

/// Collects the rules that a JSON value breaks. The description bounds the depth of the recursion.
fn shaped(shape: &JsonShape, value: &Json, name: &str, broken: &mut Vec<Broken>) {
    if !shape.kinds.is_empty() && !shape.kinds.contains(&value.kind()) {
        broken.push((shape.rule, format!("{name} has the wrong type")));
        return;
    }
    if !shape.one_of.is_empty() {
        let one = match value {
            Json::Text(Some(text)) => shape.one_of.contains(text),
            _ => false,
        };
        if !one {
            broken.push((
                shape.one_of_rule,
                format!("{name} is not one of {}", shape.one_of.join(", ")),
            ));
        }
    }
    let Json::Object(members) = value else {
        return;
    };
    for known in &shape.members {
        // If several members have the same name, the last one is used.
        let found = members
            .iter()
            .rev()
            .find(|(name, _)| name.as_deref() == Some(known.name.as_str()));
        match found {
            Some((_, value)) => shaped(&known.shape, value, &known.name, broken),
            None if known.needed => {
                broken.push((
                    known.shape.rule,
                    format!("the member `{}` is missing", known.name),
                ));
            }
            None => {}
        }
    }
    let known = |name: &Option<String>| {
        let mut known = shape.members.iter();
        known.any(|known| name.as_deref() == Some(known.name.as_str()))
    };
    for (other, _) in members.iter().filter(|(name, _)| !known(name)) {
        let other = other.as_deref().unwrap_or("?");
        broken.push((shape.others, format!("unexpected member `{other}`")));
    }
}
