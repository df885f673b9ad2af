//! Evaluates expressions over a decoded trace: bounds of tests, conditions, and keys.
//!
//! While reading, the decoder stores the values that expressions need in slots. This module looks
//! such values up in the tree instead, so that the code that plants a fault does not share bugs
//! with the decoder, which later has to find the fault. An expression whose value cannot be
//! determined from the tree evaluates to `None`, and no fault that depends on it is planted.

use tracegauge_decoder::tree::{NodeId, Payload};
use tracegauge_decoder::verdict::Span;
use tracegauge_decoder::{Value as Found, text};
use tracegauge_plan::evaluate::{self, Domain, TextProperty};
use tracegauge_plan::operator::{BinaryOperator, UnaryOperator};
use tracegauge_plan::terms::{EnumId, FlagsId, TableId};
use tracegauge_plan::{
    CheckKind, Code, CodeId, ColumnRef, Kind, OpId, Pick, Plan, RowSource, Slot,
};

use super::slots::Holder;
use super::twin::Twin;
pub(super) use super::value::Value;

/// Hypothetical changes to the trace.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Assumed<'m> {
    /// Fields and their hypothetical values.
    pub values: &'m [(NodeId, i128)],
    /// The new positions of all nodes.
    pub spans: Option<&'m [Option<Span>]>,
    /// Lists and their hypothetical element counts.
    pub counts: &'m [(NodeId, i128)],
    /// Text fields and their hypothetical contents.
    pub texts: &'m [(NodeId, Vec<u8>)],
}

/// The point in the trace where an expression is evaluated. The expression can use everything that
/// was read before that point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment<'m> {
    /// The node that provides the context for the expression.
    pub node: NodeId,
    /// The first node that has not been read yet at this point.
    pub time: NodeId,
    /// The hypothetical changes.
    pub assumed: Assumed<'m>,
}

impl<'m> Moment<'m> {
    /// Returns the point where `node` has just been read and its contents are known.
    pub(super) fn after(twin: &Twin<'_>, node: NodeId) -> Self {
        Self {
            node,
            time: twin.node(node).end,
            assumed: Assumed::default(),
        }
    }

    /// Returns the point just before `node` is read.
    pub(super) fn before(node: NodeId) -> Self {
        Self {
            node,
            time: node,
            assumed: Assumed::default(),
        }
    }

    /// Returns the same point under hypothetical changes to the trace.
    pub(super) fn assuming(self, assumed: Assumed<'m>) -> Self {
        Self { assumed, ..self }
    }

    fn value(&self, node: NodeId) -> Option<i128> {
        let mut known = self.assumed.values.iter();
        known
            .find(|(other, _)| *other == node)
            .map(|(_, value)| *value)
    }

    fn text(&self, node: NodeId) -> Option<Value> {
        let mut known = self.assumed.texts.iter();
        let (_, text) = known.find(|(other, _)| *other == node)?;
        Some(Value::Bytes(text.clone()))
    }

    /// Returns the number of elements of a list.
    fn count(&self, twin: &Twin<'_>, list: NodeId) -> i128 {
        let mut known = self.assumed.counts.iter();
        let known = known.find(|(other, _)| *other == list);
        known.map_or_else(
            || i128::try_from(twin.tree.count(list)).unwrap_or_default(),
            |(_, count)| *count,
        )
    }

    /// Returns the position of a node, or `None` if the node has been removed.
    fn span(&self, twin: &Twin<'_>, node: NodeId) -> Option<Span> {
        match self.assumed.spans {
            Some(spans) => spans.get(node as usize).copied().flatten(),
            None => Some(twin.node(node).span),
        }
    }
}

/// The maximum nesting depth of expressions. Descriptions need far less.
const GREATEST_DEPTH: u32 = 64;

impl Twin<'_> {
    /// Evaluates an expression. `this` is the value of `_` in the expression.
    pub(super) fn evaluate(&self, code: CodeId, at: Moment<'_>, this: &Value) -> Option<Value> {
        Evaluation::new(self, at, this).evaluate(code)
    }

    /// Evaluates an optional condition, which holds if it is `None`.
    pub(super) fn holds(&self, condition: Option<CodeId>, at: Moment<'_>) -> Option<bool> {
        match condition {
            None => Some(true),
            Some(code) => Some(self.evaluate(code, at, &Value::Absent)?.truth()),
        }
    }

    /// Returns whether a table has a predefined row with the key `key`.
    pub(super) fn is_before_file(&self, table: TableId, key: i128) -> bool {
        let mut rows = self.plan.tables[table].initial.iter();
        rows.any(|row| i128::from(row.key) == key)
    }

    /// Returns the value of a slot.
    fn slot(&self, slot: Slot, at: Moment<'_>, this: &Value) -> Option<Value> {
        let node = |op: OpId| {
            let within = self.holder_of(at.node, op)?;
            self.last_of(op, within, at.time)
        };
        let own = self.node(at.node).op;
        let holders = self.slots.holders(self.plan, slot, own);
        let holder = *holders.first()?;
        Some(match holder {
            // A test of a value finds the value under test in its own slot.
            Holder::Value(op) if op == own && *this != Value::Absent => this.clone(),
            Holder::Value(op) => match node(op) {
                None => Value::Absent,
                Some(node) => match (at.value(node), at.text(node)) {
                    (Some(value), _) => Value::Int(value),
                    (None, Some(text)) => text,
                    (None, None) => self.value(node),
                },
            },
            Holder::Start(op) | Holder::End(op) => match node(op) {
                None => Value::Absent,
                Some(node) => {
                    let span = at.span(self, node)?;
                    let is_start = matches!(holder, Holder::Start(_));
                    Value::Int(i128::from(if is_start { span.start } else { span.end }))
                }
            },
            Holder::Fold(op, number) => match node(op) {
                None => Value::Absent,
                Some(list) => return self.folded(list, number, at),
            },
            Holder::Previous(list, number) => return self.previous(list, number, at),
            Holder::Length(op) => {
                node(op).map_or(Value::Absent, |node| Value::Int(at.count(self, node)))
            }
            Holder::Row(op) => match node(op) {
                None => Value::Absent,
                Some(node) => {
                    let refs = self.info(node).refs?;
                    let table = self.plan.refs[refs].table;
                    let key = self.integer(node)?;
                    match self.history().row(table, key, at.time) {
                        None if self.is_before_file(table, key) => return None,
                        row => row.map_or(Value::Absent, Value::Row),
                    }
                }
            },
        })
    }

    /// Evaluates a fold over a list: a query such as the minimum of a value, or the number of
    /// elements that satisfy a condition.
    fn folded(&self, list: NodeId, number: usize, at: Moment<'_>) -> Option<Value> {
        let fold = self.repeat(list)?.folds.get(number)?;
        let mut answers = Vec::new();
        for element in self.tree.children(list) {
            let at = Moment::after(self, element).assuming(at.assumed);
            if self.holds(fold.when, at)? {
                answers.push(self.evaluate(fold.value, at, &self.value(element))?);
            }
        }
        let numbers = answers.iter().filter_map(Value::integer);
        let number = match fold.pick {
            Pick::Least => numbers.min(),
            Pick::Greatest => numbers.max(),
            Pick::Count => i128::try_from(answers.len()).ok(),
            Pick::Last => return Some(answers.pop().unwrap_or(Value::Absent)),
            Pick::First(_) | Pick::All(_) => return None,
        };
        Some(number.map_or(Value::Absent, Value::Int))
    }

    /// Returns the value of a node.
    pub(super) fn value(&self, node: NodeId) -> Value {
        if let Some(value) = self.integer(node) {
            return Value::Int(value);
        }
        match (self.node(node).payload, &self.op(node).kind) {
            (Payload::Bits(bits), Kind::Float { width: 4, .. }) => Value::Float(f64::from(
                f32::from_bits(u32::try_from(bits).unwrap_or_default()),
            )),
            (Payload::Bits(bits), _) => Value::Float(f64::from_bits(bits)),
            (Payload::Bytes { .. }, _) => {
                Value::Bytes(self.tree.bytes(node).unwrap_or_default().to_vec())
            }
            _ => Value::Node(node),
        }
    }

    /// Evaluates an expression in the element before the one that contains `at`.
    fn previous(&self, list: OpId, number: usize, at: Moment<'_>) -> Option<Value> {
        let is_of_list = |at: &NodeId| {
            let around = self.parent(*at);
            around.is_some_and(|around| self.node(around).op == list)
        };
        let element = self.outward(at.node).find(is_of_list)?;
        let list = self.parent(element)?;
        let previous = self.repeat(list)?.previous.get(number)?;
        let before = self.number(element).checked_sub(1);
        match before.and_then(|before| {
            let mut elements = self.tree.children(list);
            elements.nth(usize::try_from(before).ok()?)
        }) {
            Some(before) => {
                let after = Moment::after(self, before);
                self.evaluate(previous.value, after, &Value::Absent)
            }
            None => self.evaluate(previous.initial, Moment::before(list), &Value::Absent),
        }
    }

    fn index(&self, level: u32, node: NodeId) -> Option<Value> {
        let element = self
            .outward(node)
            .filter(|at| {
                self.parent(*at).is_some_and(|parent| {
                    matches!(self.op(parent).kind, Kind::Repeat(_) | Kind::Layout(_))
                })
            })
            .nth(level as usize)?;
        Some(Value::Int(i128::from(self.number(element))))
    }

    /// Returns the node that defines a row, or `Some(None)` if there is no row.
    pub(super) fn row_of(
        &self,
        source: RowSource,
        at: Moment<'_>,
        this: &Value,
    ) -> Option<Option<NodeId>> {
        Evaluation::new(self, at, this).row(source)
    }

    /// Returns whether a test holds for `value`, or `None` if the result cannot be determined.
    pub(super) fn check_holds(
        &self,
        kind: &CheckKind,
        at: Moment<'_>,
        value: &Value,
    ) -> Option<bool> {
        let found = Some(value.clone());
        evaluate::holds(&mut Evaluation::new(self, at, value), kind, &found)
    }
}

/// An evaluation of expressions at a point in the trace. `None` is a value that cannot be determined.
struct Evaluation<'e, 't> {
    twin: &'e Twin<'t>,
    at: Moment<'e>,
    /// The value of `_` in the expressions.
    this: &'e Value,
    /// The number of expressions around the current one.
    depth: u32,
}

impl<'e, 't> Evaluation<'e, 't> {
    fn new(twin: &'e Twin<'t>, at: Moment<'e>, this: &'e Value) -> Self {
        Self {
            twin,
            at,
            this,
            depth: 0,
        }
    }

    fn column(&self, source: RowSource, column: ColumnRef) -> Option<Value> {
        let twin = self.twin;
        let Some(row) = self.row(source)? else {
            return Some(Value::Absent);
        };
        if let Some(set) = twin.history().column(twin, row, column, self.at.time) {
            return set;
        }
        let code = *twin.define_of(row)?.columns.get(column.column)?;
        let mut within = Evaluation {
            depth: self.depth + 1,
            ..Evaluation::new(twin, Moment::after(twin, row), &Value::Absent)
        };
        within.evaluate(code)
    }

    fn row(&self, source: RowSource) -> Option<Option<NodeId>> {
        let twin = self.twin;
        match source {
            RowSource::Slot(slot) => match twin.slot(slot, self.at, self.this)? {
                Value::Row(row) => Some(Some(row)),
                Value::Absent => Some(None),
                _ => None,
            },
            RowSource::Lookup { table, key } => {
                let mut key_of = Evaluation {
                    depth: self.depth + 1,
                    ..Evaluation::new(twin, self.at, self.this)
                };
                let Some(key) = key_of.evaluate(key)?.integer() else {
                    return Some(None);
                };
                match twin.history().row(table, key, self.at.time) {
                    // The row is predefined and therefore not in the tree.
                    None if twin.is_before_file(table, key) => None,
                    found => Some(found),
                }
            }
            RowSource::Register(_) => None,
        }
    }
}

impl<'t> Domain<'t> for Evaluation<'_, 't> {
    type Value = Option<Value>;

    fn plan(&self) -> &'t Plan {
        self.twin.plan
    }

    fn evaluate(&mut self, code: CodeId) -> Option<Value> {
        if self.depth > GREATEST_DEPTH {
            return None;
        }
        self.depth += 1;
        let value = evaluate::evaluate(self, code);
        self.depth -= 1;
        value
    }

    fn leaf(&mut self, code: &'t Code) -> Option<Value> {
        let Self { twin, at, this, .. } = *self;
        Some(match code {
            Code::Int(value) => Value::Int(*value),
            Code::Float(value) => Value::Float(*value),
            Code::Bool(value) => Value::of_truth(*value),
            Code::Text(constant) => Value::Bytes(twin.plan.constants[*constant].clone()),
            Code::Absent => Value::Absent,
            Code::This => this.clone(),
            Code::Slot(slot) => return twin.slot(*slot, at, this),
            Code::Register(register) => return twin.history().register(twin, *register, at.time),
            Code::Column(source, column) => return self.column(*source, *column),
            Code::HasRow(source) => Value::of_truth(self.row(*source)?.is_some()),
            Code::Between(start, end) => {
                let ends = (twin.slot(*start, at, this)?, twin.slot(*end, at, this)?);
                match ends {
                    (Value::Int(start), Value::Int(end)) => Value::Int(end - start),
                    _ => Value::Int(0),
                }
            }
            Code::Index(level) => return twin.index(*level, at.node),
            // Expressions that depend on bytes that have not been read yet.
            _ => return None,
        })
    }

    fn truth(&self, value: &Option<Value>) -> Option<bool> {
        value.as_ref().map(Value::truth)
    }

    fn is_present(&self, value: &Option<Value>) -> Option<bool> {
        value.as_ref().map(|value| *value != Value::Absent)
    }

    fn condition(&self, truth: Option<bool>) -> Option<Value> {
        truth.map(Value::of_truth)
    }

    fn either(&self, _: Option<Value>, _: Option<Value>) -> Option<Value> {
        None
    }

    fn unary(&mut self, operator: UnaryOperator, operand: Option<Value>) -> Option<Value> {
        Some(Value::of(operand?.scalar().unary(operator)))
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: Option<Value>,
        right: Option<Value>,
    ) -> Option<Value> {
        let (left, right) = (left?, right?);
        Some(Value::of(left.scalar().binary(operator, right.scalar())))
    }

    fn extreme(&self, greatest: bool, left: Option<Value>, right: Option<Value>) -> Option<Value> {
        let (left, right) = (left?, right?);
        Some(Value::of(left.scalar().extreme(greatest, right.scalar())))
    }

    fn has_bits(&self, value: Option<Value>, mask: u64) -> Option<Value> {
        Some(Value::of(value?.scalar().has_bits(mask)))
    }

    fn of_text(&self, property: TextProperty, value: Option<Value>) -> Option<Value> {
        let value = value?;
        let text = match &value {
            Value::Bytes(text) => Some(text),
            _ => None,
        };
        Some(match property {
            TextProperty::Part(part, encoding) => {
                match text.and_then(|text| text::part(text, part, encoding)) {
                    Some(Found::Int(value)) => Value::Int(value),
                    Some(Found::Bool(value)) => Value::of_truth(value),
                    _ => Value::Absent,
                }
            }
            TextProperty::Contains(byte) => {
                Value::of_truth(text.is_some_and(|text| text.contains(&byte)))
            }
            TextProperty::IsDecimal => return None,
        })
    }

    fn is_date(&self, parts: [Option<Value>; 8]) -> Option<Value> {
        let mut numbers = [0; 8];
        for (number, part) in numbers.iter_mut().zip(parts) {
            *number = part?.integer().unwrap_or(-1);
        }
        Some(Value::of_truth(text::is_date(&numbers)))
    }

    fn is_member(&self, enumeration: EnumId, value: &Option<Value>) -> Option<bool> {
        let Some(number) = value.as_ref()?.integer() else {
            return Some(true);
        };
        let mut members = self.twin.plan.enums[enumeration].members.iter();
        Some(members.any(|member| member.value == number && member.broken.is_none()))
    }

    fn is_known(&self, flags: FlagsId, value: &Option<Value>) -> Option<bool> {
        let known = self.twin.plan.flag_sets[flags].mask();
        let value = value.as_ref()?.integer();
        Some(value.is_none_or(|value| value & !known == 0))
    }

    fn is_filled(&self, value: &Option<Value>) -> Option<bool> {
        Some(match value.as_ref()? {
            Value::Int(count) => *count != 0,
            Value::Bytes(text) => !text.is_empty(),
            _ => true,
        })
    }
}
