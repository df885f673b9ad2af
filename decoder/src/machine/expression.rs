//! Evaluates expressions.

use tracegauge_plan::evaluate::{self, Domain, Scalar, TextProperty};
use tracegauge_plan::operator::{BinaryOperator, UnaryOperator};
use tracegauge_plan::terms::{ColumnId, EnumId, FlagsId, TableId};
use tracegauge_plan::{CheckKind, Code, CodeId, Plan, RowSource};

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
            Code::Slot(slot) => self.memory.slot(*slot),
            Code::Int(value) => Value::Int(*value),
            Code::Register(register) => self
                .memory
                .register(*register)
                .map_or(Value::Absent, Value::Int),
            Code::Column(source, column) => {
                let place = self.row_place(*source, this);
                self.cell_value(column.table, place, column.column)
            }
            _ => self.evaluate_other(code, this),
        }
    }

    #[inline(never)]
    fn evaluate_other(&mut self, code: CodeId, this: Value) -> Value {
        let machine = self;
        evaluate::evaluate(&mut Evaluation { machine, this }, code)
    }

    /// Returns whether an expression is true.
    #[inline]
    pub(crate) fn truth(&mut self, code: CodeId) -> bool {
        if let Code::Slot(slot) = &self.plan.codes[code.index()] {
            return self.memory.slot(*slot).truth();
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
            RowSource::Slot(slot) => match self.memory.slot(slot) {
                Value::Row(place) => Some(place),
                _ => None,
            },
            RowSource::Lookup { table, key } => {
                let key = self.evaluate(key, this).integer()?;
                let key = u64::try_from(key).ok()?;
                self.state.tables[table].find(key)
            }
            RowSource::Register(register) => {
                let key = self.memory.register(register)?;
                u32::try_from(key).ok()
            }
        }
    }

    #[inline]
    pub(crate) fn cell_value(&self, table: TableId, place: Option<u32>, column: ColumnId) -> Value {
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
            Value::Aside(number) => self.kept.aside.get(number as usize).map(Vec::as_slice),
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

    /// Evaluates an expression whose value appears in a record or is used as a size or count.
    /// Returns `None` if the result is an integer of more than 128 bits.
    pub(crate) fn within(&mut self, code: CodeId) -> Option<Value> {
        self.beyond = false;
        let value = self.evaluate(code, Value::Absent);
        (value != Value::Absent || !self.beyond).then_some(value)
    }

    /// Returns the value as the operators of expressions see it.
    #[inline(always)]
    fn scalar(&self, value: Value) -> Scalar<'_> {
        match value {
            Value::Int(value) => Scalar::Int(value),
            Value::Bool(value) => Scalar::Bool(value),
            Value::Float(value) => Scalar::Float(value),
            Value::Absent => Scalar::Absent,
            text => self.text_of(text).map_or(Scalar::Part, Scalar::Bytes),
        }
    }

    /// Returns whether two values are equal.
    pub(crate) fn equal(&self, a: Value, b: Value) -> bool {
        self.scalar(a).equals(self.scalar(b))
    }

    /// Returns whether a value satisfies a test. Tests of the structure of text are run elsewhere.
    #[inline]
    pub(crate) fn holds_check(&mut self, check: &CheckKind, value: Value) -> bool {
        // Most tests compare two integers.
        if let (Value::Int(number), CheckKind::Min(code) | CheckKind::Max(code)) = (value, check)
            && let Value::Int(bound) = self.evaluate(*code, value)
        {
            return match check {
                CheckKind::Min(_) => number >= bound,
                _ => number <= bound,
            };
        }
        let testing = self.testing || matches!(check, CheckKind::Holds(_));
        let around = std::mem::replace(&mut self.testing, testing);
        let (machine, this) = (&mut *self, value);
        let holds = evaluate::holds(&mut Evaluation { machine, this }, check, &value);
        self.testing = around;
        holds.unwrap_or(true)
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

/// An evaluation of expressions on the state of a machine.
struct Evaluation<'m, 'p, I, V> {
    machine: &'m mut Machine<'p, I, V>,
    /// The value of `_` in the expressions.
    this: Value,
}

impl<'p, I: Input, V: Visitor> Domain<'p> for Evaluation<'_, 'p, I, V> {
    type Value = Value;

    #[inline(always)]
    fn plan(&self) -> &'p Plan {
        self.machine.plan
    }

    #[inline(always)]
    fn evaluate(&mut self, code: CodeId) -> Value {
        self.machine.evaluate(code, self.this)
    }

    #[inline(always)]
    fn leaf(&mut self, code: &'p Code) -> Value {
        let Self { machine, this } = self;
        let this = *this;
        match code {
            Code::Int(value) => Value::Int(*value),
            Code::Float(value) => Value::Float(*value),
            Code::Bool(value) => Value::Bool(*value),
            Code::Text(constant) => Value::Constant(*constant),
            Code::NoElements => Value::Picked(NOTHING_PICKED),
            Code::This => this,
            Code::Slot(slot) => machine.memory.slot(*slot),
            Code::Register(register) => machine
                .memory
                .register(*register)
                .map_or(Value::Absent, Value::Int),
            Code::Column(source, column) => {
                let place = machine.row_place(*source, this);
                machine.cell_value(column.table, place, column.column)
            }
            Code::HasRow(source) => Value::Bool(machine.row_place(*source, this).is_some()),
            Code::Row(source) => machine
                .row_place(*source, this)
                .map_or(Value::Absent, Value::Row),
            Code::RowKind(table, row) => Value::Int(machine.kind_of_row(*table, *row, this)),
            Code::Between(start, end) => {
                let ends = (machine.memory.slot(*start), machine.memory.slot(*end));
                match ends {
                    (Value::Int(start), Value::Int(end)) => Value::Int(end - start),
                    // A field that is not present has no bytes.
                    _ => Value::Int(0),
                }
            }
            Code::Index(level) => {
                let at = machine
                    .enclosing
                    .trail
                    .len()
                    .checked_sub(1 + *level as usize);
                let number = at.and_then(|at| machine.enclosing.trail.get(at)).copied();
                number.map_or(Value::Absent, |number| Value::Int(i128::from(number)))
            }
            Code::Stream(stream, part) => machine.of_stream(*stream, *part),
            // All other expressions have operands.
            _ => Value::Absent,
        }
    }

    #[inline(always)]
    fn truth(&self, value: &Value) -> Option<bool> {
        Some(value.truth())
    }

    #[inline(always)]
    fn is_present(&self, value: &Value) -> Option<bool> {
        Some(!matches!(value, Value::Absent))
    }

    #[inline(always)]
    fn condition(&self, truth: Option<bool>) -> Value {
        truth.map_or(Value::Absent, Value::Bool)
    }

    /// Returns the first value. Every condition is known, so there is never a choice.
    fn either(&self, one: Value, _: Value) -> Value {
        one
    }

    #[inline]
    fn unary(&mut self, operator: UnaryOperator, operand: Value) -> Value {
        plain(self.machine.scalar(operand).unary(operator))
    }

    #[inline(always)]
    fn binary(&mut self, operator: BinaryOperator, left: Value, right: Value) -> Value {
        let machine = &mut *self.machine;
        let result = plain(machine.scalar(left).binary(operator, machine.scalar(right)));
        if result == Value::Absent && is_beyond(operator, left, right) {
            machine.beyond = true;
        }
        result
    }

    #[inline]
    fn extreme(&self, greatest: bool, left: Value, right: Value) -> Value {
        let machine = &self.machine;
        plain(
            machine
                .scalar(left)
                .extreme(greatest, machine.scalar(right)),
        )
    }

    #[inline]
    fn has_bits(&self, value: Value, mask: u64) -> Value {
        plain(self.machine.scalar(value).has_bits(mask))
    }

    fn of_text(&self, property: TextProperty, value: Value) -> Value {
        let text = self.machine.text_of(value);
        match property {
            TextProperty::Part(part, encoding) => {
                let found = text.and_then(|text| text::part(text, part, encoding));
                found.unwrap_or(Value::Absent)
            }
            TextProperty::Contains(byte) => {
                Value::Bool(text.is_some_and(|text| text.contains(&byte)))
            }
            TextProperty::IsDecimal => {
                let decimal = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
                Value::Bool(text.is_some_and(decimal))
            }
        }
    }

    fn is_date(&self, parts: [Value; 8]) -> Value {
        let numbers = parts.map(|part| part.integer().unwrap_or(-1));
        Value::Bool(text::is_date(&numbers))
    }

    /// Returns `None`, because members that break a rule are examined elsewhere.
    fn is_member(&self, _: EnumId, _: &Value) -> Option<bool> {
        None
    }

    fn is_known(&self, flags: FlagsId, value: &Value) -> Option<bool> {
        let value = value.integer()?;
        Some(value & !self.machine.plan.flag_sets[flags].mask() == 0)
    }

    fn is_filled(&self, value: &Value) -> Option<bool> {
        match value {
            Value::Int(count) => Some(*count != 0),
            other => self.machine.text_of(*other).map(|text| !text.is_empty()),
        }
    }
}

/// Converts the result of an operator.
#[inline(always)]
fn plain(scalar: Scalar<'static>) -> Value {
    match scalar {
        Scalar::Int(value) => Value::Int(value),
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::Float(value) => Value::Float(value),
        Scalar::Absent | Scalar::Bytes(_) | Scalar::Part => Value::Absent,
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
