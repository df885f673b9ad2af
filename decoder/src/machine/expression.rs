//! Evaluates expressions.

use tracegauge_plan::operator::{BinaryOperator, UnaryOperator};
use tracegauge_plan::terms::{ColumnId, TableId};
use tracegauge_plan::{CheckKind, Code, CodeId, RowSource};

use super::Machine;
use super::bytes::hex;
use crate::input::Input;
use crate::state::Cell;
use crate::text;
use crate::value::Value;
use crate::visitor::Visitor;

/// The index in [`Value::Picked`] that stands for an empty selection of nodes. No actual selection
/// has this index.
const NOTHING_PICKED: u32 = u32::MAX;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Evaluates an expression. `this` is the value of `_` in the expression.
    #[inline(always)]
    pub(crate) fn evaluate(&mut self, code: CodeId, this: Value) -> Value {
        match &self.plan.codes[code.index()] {
            Code::Slot(slot) => self.slots[slot.index()],
            Code::Int(value) => Value::Int(*value),
            Code::Register(register) => {
                self.state.registers[*register].map_or(Value::Absent, Value::Int)
            }
            Code::Column(source, column) => {
                let place = self.row_place(*source, this);
                self.cell_value(column.table, place, column.column)
            }
            _ => self.evaluate_other(code, this),
        }
    }

    #[inline(never)]
    fn evaluate_other(&mut self, code: CodeId, this: Value) -> Value {
        let plan = self.plan;
        match &plan.codes[code.index()] {
            Code::Int(value) => Value::Int(*value),
            Code::Float(value) => Value::Float(*value),
            Code::Bool(value) => Value::Bool(*value),
            Code::Text(constant) => Value::Constant(*constant),
            Code::Absent => Value::Absent,
            Code::NoElements => Value::Picked(NOTHING_PICKED),
            Code::This => this,
            Code::Slot(slot) => self.slots[slot.index()],
            Code::Register(register) => {
                self.state.registers[*register].map_or(Value::Absent, Value::Int)
            }
            Code::Column(source, column) => {
                let place = self.row_place(*source, this);
                self.cell_value(column.table, place, column.column)
            }
            Code::HasRow(source) => Value::Bool(self.row_place(*source, this).is_some()),
            Code::Row(source) => self
                .row_place(*source, this)
                .map_or(Value::Absent, Value::Row),
            Code::RowKind(table, row) => Value::Int(self.kind_of_row(*table, *row, this)),
            Code::Between(start, end) => {
                let ends = (self.slots[start.index()], self.slots[end.index()]);
                match ends {
                    (Value::Int(start), Value::Int(end)) => Value::Int(end - start),
                    // A field that is not present has no bytes.
                    _ => Value::Int(0),
                }
            }
            Code::Length(inner) => self.evaluate(*inner, this),
            Code::Index(level) => {
                let at = self.trail.len().checked_sub(1 + *level as usize);
                let number = at.and_then(|at| self.trail.get(at)).copied();
                number.map_or(Value::Absent, |number| Value::Int(i128::from(number)))
            }
            Code::Stream(stream, part) => self.of_stream(*stream, *part),
            Code::OfText(part, inner, encoding) => {
                let value = self.evaluate(*inner, this);
                match self.text_of(value) {
                    Some(bytes) => {
                        text::part(bytes, *part, *encoding).map_or(Value::Absent, |found| found)
                    }
                    None => Value::Absent,
                }
            }
            Code::Unary(operator, operand) => unary(*operator, self.evaluate(*operand, this)),
            Code::Binary(operator, left, right) => self.binary(*operator, *left, *right, this),
            Code::Conditional(condition, then, otherwise) => {
                let taken = if self.evaluate(*condition, this).truth() {
                    *then
                } else {
                    *otherwise
                };
                self.evaluate(taken, this)
            }
            Code::Else(first, second) => match self.evaluate(*first, this) {
                Value::Absent => self.evaluate(*second, this),
                value => value,
            },
            Code::IsPresent(inner) => {
                Value::Bool(!matches!(self.evaluate(*inner, this), Value::Absent))
            }
            Code::Extreme {
                greatest,
                left,
                right,
            } => {
                let values = (self.evaluate(*left, this), self.evaluate(*right, this));
                match (values.0.integer(), values.1.integer()) {
                    (Some(a), Some(b)) => Value::Int(if *greatest { a.max(b) } else { a.min(b) }),
                    (Some(only), None) | (None, Some(only)) => Value::Int(only),
                    (None, None) => Value::Absent,
                }
            }
            Code::HasBits(inner, mask) => match self.evaluate(*inner, this).integer() {
                Some(value) => Value::Bool(value & i128::from(*mask) != 0),
                None => Value::Absent,
            },
            Code::IsDecimal(inner) => {
                let value = self.evaluate(*inner, this);
                let decimal = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
                Value::Bool(self.text_of(value).is_some_and(decimal))
            }
            Code::IsDate(parts) => {
                let mut numbers = [0; 8];
                for (number, part) in numbers.iter_mut().zip(parts.iter()) {
                    *number = self.evaluate(*part, this).integer().unwrap_or(-1);
                }
                Value::Bool(crate::text::is_date(&numbers))
            }
            Code::ContainsByte(inner, byte) => {
                let value = self.evaluate(*inner, this);
                Value::Bool(self.text_of(value).is_some_and(|text| text.contains(byte)))
            }
        }
    }

    /// Returns whether an expression is true.
    #[inline]
    pub(crate) fn truth(&mut self, code: CodeId) -> bool {
        if let Code::Slot(slot) = &self.plan.codes[code.index()] {
            return self.slots[slot.index()].truth();
        }
        if let Code::Column(source, column) = &self.plan.codes[code.index()] {
            let place = self.row_place(*source, Value::Absent);
            let row = place.and_then(|place| self.state.tables[column.table].row(place));
            return match row.and_then(|row| row.cells.get(column.column.index())) {
                None | Some(Cell::Absent) => false,
                Some(Cell::Bool(value)) => *value,
                Some(Cell::Int(value)) => *value != 0,
                Some(_) => true,
            };
        }
        self.evaluate(code, Value::Absent).truth()
    }

    /// Returns the index of a row in its table.
    #[inline(always)]
    pub(crate) fn row_place(&mut self, source: RowSource, this: Value) -> Option<u32> {
        match source {
            RowSource::Slot(slot) => match self.slots[slot.index()] {
                Value::Row(place) => Some(place),
                _ => None,
            },
            RowSource::Lookup { table, key } => {
                let key = self.evaluate(key, this).integer()?;
                let key = u64::try_from(key).ok()?;
                self.state.tables[table].find(key)
            }
            RowSource::Register(register) => {
                let key = self.state.registers[register]?;
                u32::try_from(key).ok()
            }
        }
    }

    #[inline]
    pub(super) fn cell_value(&self, table: TableId, place: Option<u32>, column: ColumnId) -> Value {
        let Some(place) = place else {
            return Value::Absent;
        };
        let Some(row) = self.state.tables[table].row(place) else {
            return Value::Absent;
        };
        match row.cells.get(column.index()) {
            None | Some(Cell::Absent) => Value::Absent,
            Some(Cell::Int(value)) => Value::Int(*value),
            Some(Cell::Bool(value)) => Value::Bool(*value),
            Some(Cell::Float(value)) => Value::Float(*value),
            Some(Cell::Bytes(_) | Cell::Tree(_)) => Value::Cell {
                table,
                row: place,
                column,
            },
        }
    }

    /// Returns the bytes of a text or bytes value.
    pub(crate) fn text_of(&self, value: Value) -> Option<&[u8]> {
        match value {
            Value::Bytes { start, length } => Some(self.input.bytes(start, start + length)),
            Value::Aside(number) => self.aside.get(number as usize).map(Vec::as_slice),
            Value::Constant(constant) => Some(&self.plan.constants[constant]),
            Value::Cell { table, row, column } => {
                match &self.state.tables[table].row(row)?.cells[column.index()] {
                    Cell::Bytes(bytes) => Some(bytes),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: CodeId,
        right: CodeId,
        this: Value,
    ) -> Value {
        use BinaryOperator as B;
        let a = self.evaluate(left, this);
        match operator {
            B::And if !a.truth() => return Value::Bool(false),
            B::Or if a.truth() => return Value::Bool(true),
            B::And | B::Or => return Value::Bool(self.evaluate(right, this).truth()),
            _ => {}
        }
        let b = self.evaluate(right, this);
        match operator {
            B::Equal => return Value::Bool(self.equal(a, b)),
            B::NotEqual => return Value::Bool(!self.equal(a, b)),
            _ => {}
        }
        let result = self.operate(operator, a, b);
        if result == Value::Absent && is_beyond(operator, a, b) {
            self.beyond = true;
        }
        result
    }

    /// Evaluates an expression whose value appears in a record or is used as a size or count.
    /// Returns `None` if the result is an integer of more than 128 bits.
    pub(crate) fn within(&mut self, code: CodeId) -> Option<Value> {
        self.beyond = false;
        let value = self.evaluate(code, Value::Absent);
        (value != Value::Absent || !self.beyond).then_some(value)
    }

    /// Applies an operator that needs both operands.
    fn operate(&self, operator: BinaryOperator, a: Value, b: Value) -> Value {
        match (a.integer(), b.integer()) {
            (Some(a), Some(b)) => integers(operator, a, b),
            _ => match (a.float(), b.float()) {
                (Some(a), Some(b)) => floats(operator, a, b),
                _ => match (self.text_of(a), self.text_of(b)) {
                    (Some(a), Some(b)) => texts(operator, a, b),
                    _ => Value::Absent,
                },
            },
        }
    }

    /// Returns whether two values are equal.
    pub(crate) fn equal(&self, a: Value, b: Value) -> bool {
        if let (Some(a), Some(b)) = (a.integer(), b.integer()) {
            return a == b;
        }
        match (a, b) {
            (Value::Absent, Value::Absent) => true,
            (Value::Float(_), _) | (_, Value::Float(_)) => {
                a.float().is_some_and(|a| b.float() == Some(a))
            }
            _ => match (self.text_of(a), self.text_of(b)) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            },
        }
    }

    /// Returns whether a value satisfies a test.
    #[inline]
    pub(crate) fn holds_check(&mut self, check: &CheckKind, value: Value) -> bool {
        match check {
            CheckKind::Equal(code) => {
                let wanted = self.evaluate(*code, value);
                self.equal(value, wanted)
            }
            CheckKind::Min(code) => match (value, self.evaluate(*code, value)) {
                (Value::Int(value), Value::Int(bound)) => value >= bound,
                (_, bound) => self.ordered(value, BinaryOperator::GreaterOrEqual, bound),
            },
            CheckKind::Max(code) => match (value, self.evaluate(*code, value)) {
                (Value::Int(value), Value::Int(bound)) => value <= bound,
                (_, bound) => self.ordered(value, BinaryOperator::LessOrEqual, bound),
            },
            CheckKind::AnyOf(codes) => codes.iter().any(|code| {
                let wanted = self.evaluate(*code, value);
                self.equal(value, wanted)
            }),
            CheckKind::InEnum(_) | CheckKind::Json(_) | CheckKind::Signature(_) => true,
            CheckKind::InFlags(set) => {
                let bits = &self.plan.flag_sets[*set].bits;
                let known = bits
                    .iter()
                    .fold(0, |known, (_, mask)| known | i128::from(*mask));
                value.integer().is_none_or(|value| value & !known == 0)
            }
            CheckKind::NotEmpty => match value {
                Value::Int(count) => count != 0,
                other => self.text_of(other).is_none_or(|text| !text.is_empty()),
            },
            CheckKind::Holds(code) => {
                let around = std::mem::replace(&mut self.testing, true);
                let holds = self.evaluate(*code, value).truth();
                self.testing = around;
                holds
            }
        }
    }

    /// Compares a value with a bound. If the bound has no value, every value satisfies it.
    fn ordered(&self, value: Value, operator: BinaryOperator, bound: Value) -> bool {
        self.operate(operator, value, bound) != Value::Bool(false)
    }

    /// Formats a value for messages.
    pub(crate) fn shown_value(&self, value: Value) -> String {
        match value {
            Value::Absent => "no value".to_owned(),
            Value::Int(value) => value.to_string(),
            Value::Bool(value) => value.to_string(),
            Value::Float(value) => value.to_string(),
            Value::Node(_) | Value::Picked(_) | Value::Row(_) | Value::Shown(_) => {
                "a part".to_owned()
            }
            other => match self.text_of(other).map(std::str::from_utf8) {
                Some(Ok(text)) => format!("{:?}", text.chars().take(40).collect::<String>()),
                _ => hex(self.text_of(other).unwrap_or_default()),
            },
        }
    }
}

fn unary(operator: UnaryOperator, operand: Value) -> Value {
    match (operator, operand) {
        (UnaryOperator::Not, value) => Value::Bool(!value.truth()),
        (UnaryOperator::Negate, Value::Int(value)) => {
            value.checked_neg().map_or(Value::Absent, Value::Int)
        }
        (UnaryOperator::Negate, Value::Float(value)) => Value::Float(-value),
        (UnaryOperator::Invert, Value::Int(value)) => Value::Int(!value),
        _ => Value::Absent,
    }
}

/// Given the operands of an operation that has no result, returns whether the result would exceed
/// 128 bits.
#[cold]
fn is_beyond(operator: BinaryOperator, a: Value, b: Value) -> bool {
    use BinaryOperator as B;
    let Some((_, b)) = a.integer().zip(b.integer()) else {
        return false;
    };
    match operator {
        B::Add | B::Subtract | B::Multiply => true,
        B::ShiftLeft => b >= 0,
        _ => false,
    }
}

/// Applies an operator to integers. Returns [`Value::Absent`] for a division by zero or a result of
/// more than 128 bits.
fn integers(operator: BinaryOperator, a: i128, b: i128) -> Value {
    match operator.compare(&a, &b) {
        Some(truth) => Value::Bool(truth),
        None => operator.calculate(a, b).map_or(Value::Absent, Value::Int),
    }
}

fn floats(operator: BinaryOperator, a: f64, b: f64) -> Value {
    match operator.compare(&a, &b) {
        Some(truth) => Value::Bool(truth),
        None => operator
            .calculate_floats(a, b)
            .map_or(Value::Absent, Value::Float),
    }
}

/// Compares strings by their bytes.
fn texts(operator: BinaryOperator, a: &[u8], b: &[u8]) -> Value {
    operator.compare(a, b).map_or(Value::Absent, Value::Bool)
}
