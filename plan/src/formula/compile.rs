//! Converts expressions to formulas.

use std::collections::HashMap;

use super::{Action, Formula, Layout, MOST, NumberId, Operation, number};
use crate::operator::UnaryOperator;
use crate::{Code, CodeId, Plan, RowSource};

/// Converts the expressions of a plan to formulas. An expression is converted only once.
#[derive(Debug)]
pub struct Compiler {
    /// The order of the memory that the formulas use.
    pub layout: Layout,
    operations: Vec<Operation>,
    constants: Vec<i64>,
    known: HashMap<CodeId, Formula>,
}

impl Compiler {
    /// Creates a compiler for the expressions of a plan.
    pub fn new(plan: &Plan) -> Self {
        Self {
            layout: Layout::of(plan),
            operations: Vec::new(),
            constants: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// Converts an expression. If formulas cannot express it, the result is always
    /// [`number::OTHER`].
    pub fn formula(&mut self, plan: &Plan, code: CodeId) -> Formula {
        if let Some(known) = self.known.get(&code) {
            return *known;
        }
        let first = self.operations.len();
        let result = match self.operand(plan, code, first) {
            Some(result) => result,
            None => {
                self.operations.truncate(first);
                self.constant(number::OTHER)
            }
        };
        let index = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
        let formula = Formula {
            code,
            first: index(first),
            end: index(self.operations.len()),
            result,
        };
        self.known.insert(code, formula);
        formula
    }

    /// Returns whether formulas can express an expression.
    pub fn is_expressible(&mut self, plan: &Plan, code: CodeId) -> bool {
        let inexpressible = self.constant(number::OTHER);
        self.formula(plan, code).result != inexpressible
    }

    /// Returns all operations and constants.
    pub fn finish(self) -> (Vec<Operation>, Vec<i64>) {
        (self.operations, self.constants)
    }

    /// Returns the place of a constant.
    pub fn constant(&mut self, constant: i64) -> NumberId {
        let known = self.constants.iter().position(|known| *known == constant);
        let index = known.unwrap_or_else(|| {
            self.constants.push(constant);
            self.constants.len() - 1
        });
        self.layout
            .constant(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Adds the operations of an expression and returns the place of its value. Returns `None` if
    /// formulas cannot express it.
    fn operand(&mut self, plan: &Plan, code: CodeId, first: usize) -> Option<NumberId> {
        let mut inner = |code: &CodeId| self.operand(plan, *code, first);
        let action = match plan.codes.get(code.index())? {
            Code::Int(integer) => return Some(self.constant(number::of(*integer))),
            Code::Bool(truth) => return Some(self.constant(number::of_truth(*truth))),
            Code::Absent => return Some(self.constant(number::ABSENT)),
            Code::This => return Some(self.layout.this()),
            Code::Slot(slot) => return Some(self.layout.slot(*slot)),
            Code::Register(register) => return Some(self.layout.register(*register)),
            Code::Column(RowSource::Slot(row), column) => Action::RowColumn(*row, *column),
            Code::Column(RowSource::Lookup { table, key }, column) if *table == column.table => {
                Action::Column(inner(key)?, *column)
            }
            Code::Index(level) => Action::Index(*level),
            Code::Length(inside) => return inner(inside),
            Code::Unary(UnaryOperator::Not, inside) => Action::Not(inner(inside)?),
            Code::Binary(operator, left, right) => {
                Action::Binary(*operator, inner(left)?, inner(right)?)
            }
            Code::Conditional(condition, then, otherwise) => {
                Action::Conditional(inner(condition)?, inner(then)?, inner(otherwise)?)
            }
            Code::Else(one, other) => Action::Else(inner(one)?, inner(other)?),
            Code::IsPresent(inside) => Action::IsPresent(inner(inside)?),
            Code::Extreme {
                greatest: true,
                left,
                right,
            } => Action::Greatest(inner(left)?, inner(right)?),
            Code::Extreme {
                greatest: false,
                left,
                right,
            } => Action::Least(inner(left)?, inner(right)?),
            Code::HasBits(inside, mask) => {
                let inside = inner(inside)?;
                // A number contains no higher bits, unless it is negative.
                let mask = i64::try_from(*mask).ok()?;
                Action::HasBits(inside, self.constant(mask))
            }
            // The value of these expressions is not a number, or depends on more than the memory.
            // Truth values count as numbers in formulas, but have no negative.
            Code::Unary(UnaryOperator::Negate | UnaryOperator::Invert, _)
            | Code::Float(_)
            | Code::Text(_)
            | Code::NoElements
            | Code::Column(..)
            | Code::HasRow(_)
            | Code::Row(_)
            | Code::RowKind(..)
            | Code::Between(..)
            | Code::Stream(..)
            | Code::OfText(..)
            | Code::ContainsByte(..)
            | Code::IsDecimal(_)
            | Code::IsDate(_) => return None,
        };
        let at = u32::try_from(self.operations.len() - first).ok()?;
        (at < MOST).then_some(())?;
        let result = self.layout.result(at);
        self.operations.push(Operation { result, action });
        Some(result)
    }
}
