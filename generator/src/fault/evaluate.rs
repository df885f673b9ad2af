//! Evaluates expressions over a decoded trace: bounds of tests, conditions, and keys.
//!
//! While reading, the decoder stores the values that expressions need in slots. This module looks
//! such values up in the tree instead, so that the code that plants a fault does not share bugs
//! with the decoder, which later has to find the fault. An expression whose value cannot be
//! determined from the tree evaluates to `None`, and no fault that depends on it is planted.

use tracegauge_decoder::tree::{NodeId, Payload};
use tracegauge_decoder::verdict::Span;
use tracegauge_plan::operator::{BinaryOperator, UnaryOperator};
use tracegauge_plan::terms::{FlagsId, TableId};
use tracegauge_plan::{CheckKind, Code, CodeId, Kind, OpId, Pick, RowSource, Slot};

use super::slots::Holder;
use super::twin::Twin;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Absent,
    Int(i128),
    Float(f64),
    Bytes(Vec<u8>),
    /// A part of the trace, represented by its node.
    Node(NodeId),
    /// A row, represented by the node that defines it.
    Row(NodeId),
}

impl Value {
    pub(super) fn integer(&self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn truth(&self) -> bool {
        !matches!(self, Self::Absent | Self::Int(0))
    }
}

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
        self.evaluate_at(code, at, this, 0)
    }

    /// Evaluates an optional condition, which holds if it is `None`.
    pub(super) fn holds(&self, condition: Option<CodeId>, at: Moment<'_>) -> Option<bool> {
        match condition {
            None => Some(true),
            Some(code) => Some(self.evaluate(code, at, &Value::Absent)?.truth()),
        }
    }

    fn evaluate_at(&self, code: CodeId, at: Moment<'_>, this: &Value, depth: u32) -> Option<Value> {
        if depth > GREATEST_DEPTH {
            return None;
        }
        let eval = |code: CodeId| self.evaluate_at(code, at, this, depth + 1);
        let plan = self.plan;
        Some(match &plan.codes[code.index()] {
            Code::Int(value) => Value::Int(*value),
            Code::Float(value) => Value::Float(*value),
            Code::Bool(value) => Value::Int(i128::from(*value)),
            Code::Text(constant) => Value::Bytes(plan.constants[*constant].clone()),
            Code::Absent => Value::Absent,
            Code::This => this.clone(),
            Code::Slot(slot) => return self.slot(*slot, at, this),
            Code::Register(register) => return self.history().register(self, *register, at.time),
            Code::Column(source, column) => match self.row_of(*source, at, this, depth)? {
                Some(row) => {
                    if let Some(set) = self.history().column(self, row, *column, at.time) {
                        return set;
                    }
                    let define = self.define_of(row)?;
                    let code = *define.columns.get(column.column)?;
                    return self.evaluate_at(
                        code,
                        Moment::after(self, row),
                        &Value::Absent,
                        depth + 1,
                    );
                }
                None => Value::Absent,
            },
            Code::HasRow(source) => {
                Value::Int(i128::from(self.row_of(*source, at, this, depth)?.is_some()))
            }
            Code::Between(start, end) => {
                match (self.slot(*start, at, this)?, self.slot(*end, at, this)?) {
                    (Value::Int(start), Value::Int(end)) => Value::Int(end - start),
                    _ => Value::Int(0),
                }
            }
            Code::Length(inner) => return eval(*inner),
            Code::Index(level) => return self.index(*level, at.node),
            Code::Unary(operator, operand) => unary(*operator, &eval(*operand)?),
            Code::Binary(operator, left, right) => {
                use BinaryOperator as B;
                let left = eval(*left)?;
                match operator {
                    B::And if !left.truth() => return Some(Value::Int(0)),
                    B::Or if left.truth() => return Some(Value::Int(1)),
                    _ => {}
                }
                binary(*operator, &left, &eval(*right)?)
            }
            Code::Conditional(condition, then, otherwise) => {
                let taken = if eval(*condition)?.truth() {
                    then
                } else {
                    otherwise
                };
                return eval(*taken);
            }
            Code::Else(first, second) => match eval(*first)? {
                Value::Absent => return eval(*second),
                value => value,
            },
            Code::IsPresent(inner) => Value::Int(i128::from(eval(*inner)? != Value::Absent)),
            Code::Extreme {
                greatest,
                left,
                right,
            } => match (eval(*left)?.integer(), eval(*right)?.integer()) {
                (Some(a), Some(b)) => Value::Int(if *greatest { a.max(b) } else { a.min(b) }),
                (Some(only), None) | (None, Some(only)) => Value::Int(only),
                (None, None) => Value::Absent,
            },
            Code::HasBits(inner, mask) => match eval(*inner)?.integer() {
                Some(value) => Value::Int(i128::from(value & i128::from(*mask) != 0)),
                None => Value::Absent,
            },
            Code::ContainsByte(inner, byte) => match eval(*inner)? {
                Value::Bytes(text) => Value::Int(i128::from(text.contains(byte))),
                _ => Value::Int(0),
            },
            Code::OfText(part, inner, encoding) => match eval(*inner)? {
                Value::Bytes(text) => {
                    use tracegauge_decoder::{Value as Found, text};
                    match text::part(&text, *part, *encoding) {
                        Some(Found::Int(value)) => Value::Int(value),
                        Some(Found::Bool(value)) => Value::Int(i128::from(value)),
                        _ => Value::Absent,
                    }
                }
                _ => Value::Absent,
            },
            // Expressions that depend on bytes not read yet, and future additions to the language.
            _ => return None,
        })
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
        depth: u32,
    ) -> Option<Option<NodeId>> {
        match source {
            RowSource::Slot(slot) => match self.slot(slot, at, this)? {
                Value::Row(row) => Some(Some(row)),
                Value::Absent => Some(None),
                _ => None,
            },
            RowSource::Lookup { table, key } => {
                let Some(key) = self.evaluate_at(key, at, this, depth + 1)?.integer() else {
                    return Some(None);
                };
                match self.history().row(table, key, at.time) {
                    // The row is predefined and therefore not in the tree.
                    None if self.is_before_file(table, key) => None,
                    found => Some(found),
                }
            }
            RowSource::Register(_) => None,
        }
    }

    /// Returns whether a test holds for `value`, or `None` if the result cannot be determined.
    pub(super) fn check_holds(
        &self,
        kind: &CheckKind,
        at: Moment<'_>,
        value: &Value,
    ) -> Option<bool> {
        let bound = |code: &CodeId| self.evaluate(*code, at, value);
        Some(match kind {
            CheckKind::Equal(code) => same(value, &bound(code)?),
            CheckKind::Min(code) => ordered(value, &bound(code)?, |a, b| a >= b),
            CheckKind::Max(code) => ordered(value, &bound(code)?, |a, b| a <= b),
            CheckKind::AnyOf(codes) => {
                let mut unknown = false;
                for code in codes {
                    match bound(code) {
                        Some(wanted) if same(value, &wanted) => return Some(true),
                        Some(_) => {}
                        None => unknown = true,
                    }
                }
                if unknown {
                    return None;
                }
                false
            }
            CheckKind::InEnum(index) => {
                let Some(number) = value.integer() else {
                    return Some(true);
                };
                self.plan.enums[*index]
                    .members
                    .iter()
                    .any(|member| member.value == number && member.broken.is_none())
            }
            CheckKind::InFlags(set) => {
                let known = known_bits(self.plan, *set);
                value.integer().is_none_or(|value| value & !known == 0)
            }
            CheckKind::NotEmpty => match value {
                Value::Int(count) => *count != 0,
                Value::Bytes(text) => !text.is_empty(),
                _ => true,
            },
            CheckKind::Holds(code) => bound(code)?.truth(),
            #[allow(unreachable_patterns)]
            _ => return None,
        })
    }
}

/// Returns the named bits of a flag set.
pub(super) fn known_bits(plan: &tracegauge_plan::Plan, set: FlagsId) -> i128 {
    plan.flag_sets[set]
        .bits
        .iter()
        .fold(0, |known, (_, mask)| known | i128::from(*mask))
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a == b,
        _ => a == b,
    }
}

fn ordered(value: &Value, bound: &Value, holds: impl Fn(i128, i128) -> bool) -> bool {
    match (value.integer(), bound.integer()) {
        (Some(value), Some(bound)) => holds(value, bound),
        _ => true,
    }
}

fn unary(operator: UnaryOperator, operand: &Value) -> Value {
    match (operator, operand) {
        (UnaryOperator::Not, value) => Value::Int(i128::from(!value.truth())),
        (UnaryOperator::Negate, Value::Int(value)) => {
            value.checked_neg().map_or(Value::Absent, Value::Int)
        }
        (UnaryOperator::Negate, Value::Float(value)) => Value::Float(-value),
        (UnaryOperator::Invert, Value::Int(value)) => Value::Int(!value),
        _ => Value::Absent,
    }
}

fn binary(operator: BinaryOperator, left: &Value, right: &Value) -> Value {
    use BinaryOperator as B;
    let truth = |value: bool| Value::Int(i128::from(value));
    match operator {
        B::Equal => return truth(same(left, right)),
        B::NotEqual => return truth(!same(left, right)),
        B::And | B::Or => return truth(right.truth()),
        _ => {}
    }
    let (Some(a), Some(b)) = (left.integer(), right.integer()) else {
        return Value::Absent;
    };
    match operator.compare(&a, &b) {
        Some(holds) => truth(holds),
        None => operator.calculate(a, b).map_or(Value::Absent, Value::Int),
    }
}
