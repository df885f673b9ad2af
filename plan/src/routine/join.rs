//! Joins instructions that often follow each other, so that fewer instructions run.

use super::{Addition, Instruction};
use crate::Plan;
use crate::formula::{Action, Layout, NumberId};
use crate::operator::BinaryOperator;
use crate::terms::VariableKind;

/// Joins the instructions of one source.
pub(super) fn join(plan: &Plan, instructions: Vec<Instruction>) -> Vec<Instruction> {
    // The number of instructions after a condition must stay the same.
    let is_conditional = |instruction: &Instruction| matches!(instruction, Instruction::Unless(..));
    if instructions.iter().any(is_conditional) {
        return instructions;
    }
    let joiner = Joiner {
        layout: Layout::of(plan),
        constants: &plan.numbers,
    };
    let count = instructions.len();
    let mut joined: Vec<Instruction> = Vec::new();
    for (index, instruction) in instructions.into_iter().enumerate() {
        let Some(mut next) = joiner.alone(instruction) else {
            continue;
        };
        let is_last = index + 1 == count;
        while let Some(both) = joined
            .last()
            .and_then(|before| joiner.pair(*before, next, is_last))
        {
            joined.pop();
            next = both;
        }
        joined.push(next);
    }
    joined
}

struct Joiner<'p> {
    layout: Layout,
    constants: &'p [i64],
}

impl Joiner<'_> {
    /// Returns a faster form of an instruction, or `None` if it always passes.
    fn alone(&self, instruction: Instruction) -> Option<Instruction> {
        let Instruction::Greatest(place, bound) = instruction else {
            return Some(instruction);
        };
        match self.layout.constant_at(bound, self.constants) {
            Some(i64::MAX) => None,
            Some(limit @ 0..) => Some(Instruction::Limit(place, limit)),
            _ => Some(instruction),
        }
    }

    /// Returns the instruction that has the same effect as two instructions, if there is one.
    /// `is_last` says whether no instruction follows them.
    fn pair(&self, first: Instruction, second: Instruction, is_last: bool) -> Option<Instruction> {
        use Instruction as I;
        let is_this = |place: NumberId| place == self.layout.this();
        Some(match (first, second) {
            (I::Note(noted), I::Variable(kind, bits, place)) if noted == place => {
                I::Replace(kind, bits, place)
            }
            (I::Variable(VariableKind::Unsigned, bits, read), I::Sum(sum))
                if is_this(read) && self.adds_only_as_wire(read, &sum) =>
            {
                I::Advance(bits, sum)
            }
            (I::Operate(operation), I::False(place)) if operation.result == place => {
                match operation.action {
                    Action::Binary(BinaryOperator::Equal, one, other) => I::Differ(one, other),
                    _ => return None,
                }
            }
            // The number was copied only for this test, which can use the original.
            (I::Copy(to, from), I::Differ(one, other))
                if is_last && is_this(to) && is_this(one) && !is_this(other) =>
            {
                I::Differ(from, other)
            }
            (I::Maximum(result, one, other), I::Copy(to, from))
                if is_last && self.is_intermediate(result, from) =>
            {
                I::Maximum(to, one, other)
            }
            (I::Minimum(result, one, other), I::Copy(to, from))
                if is_last && self.is_intermediate(result, from) =>
            {
                I::Minimum(to, one, other)
            }
            (I::Choose(result, condition, then, otherwise), I::Copy(to, from))
                if is_last && self.is_intermediate(result, from) =>
            {
                I::Select(to, condition, then, otherwise)
            }
            _ => return None,
        })
    }

    /// Returns whether a sum uses the number at a place once, as the number that was read.
    fn adds_only_as_wire(&self, read: NumberId, sum: &Addition) -> bool {
        sum.wire == read && sum.base != read && sum.then != read
    }

    /// Returns whether the result of an operation is copied and not used otherwise.
    fn is_intermediate(&self, result: NumberId, copied: NumberId) -> bool {
        let is_stored = self.layout.is_variable(result) || self.layout.is_constant(result);
        result == copied && !is_stored && result != self.layout.this()
    }
}
