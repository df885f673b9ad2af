//! Restricts the values of a field so that a predicate holds.
//!
//! `spec/src/check/solve.rs` warns about predicates that this module cannot solve.

use tracegauge_plan::operator::{BinaryOperator as B, UnaryOperator};
use tracegauge_plan::{Code, CodeId, ConstantId, OpId, Plan, Slot, each_code};

use super::domain::{Domain, restrict};

/// Restricts a domain so that a predicate holds, if the predicate compares the field, or
/// arithmetic on it, with a known value.
pub fn satisfy(
    plan: &Plan,
    op: OpId,
    code: CodeId,
    domain: &mut Domain,
    integer: &mut dyn FnMut(CodeId) -> Option<i128>,
) {
    let slot = plan.op(op).slot;
    let is_field = |code: CodeId| is_field(plan, code, slot);
    match &plan.codes[code.index()] {
        Code::Binary(B::And, left, right) => {
            satisfy(plan, op, *left, domain, integer);
            satisfy(plan, op, *right, domain, integer);
        }
        Code::Unary(UnaryOperator::Not, inner) => avoid(plan, op, *inner, domain, integer),
        Code::HasBits(value, mask) if is_field(*value) => {
            let lowest = i128::from(mask & mask.wrapping_neg());
            domain.pattern.require_bits(lowest, lowest);
        }
        _ if is_field(code) => domain.not.push(0),
        Code::Binary(B::Or, left, right) => {
            let mut values = Vec::new();
            if equals(plan, code, &is_field, integer, &mut values) {
                return restrict(domain, values.into_iter().map(|value| (value, 1)).collect());
            }
            // If one operand does not involve the field and is true, the field is unrestricted. If
            // it is false, the other operand must hold.
            for (side, other) in [(*left, *right), (*right, *left)] {
                if !mentions(plan, side, slot) {
                    if integer(side).is_none_or(|holds| holds == 0) {
                        satisfy(plan, op, other, domain, integer);
                    }
                    return;
                }
            }
            domain.either.push((*left, *right));
        }
        Code::Conditional(condition, then, otherwise) if !mentions(plan, *condition, slot) => {
            let holds = integer(*condition).is_some_and(|holds| holds != 0);
            let side = if holds { *then } else { *otherwise };
            satisfy(plan, op, side, domain, integer);
        }
        Code::Binary(operator, left, right) => {
            compare(plan, op, (*operator, *left, *right), domain, integer);
        }
        _ => {}
    }
}

/// Restricts a domain so that a condition does not hold, if the condition compares the field, or
/// arithmetic on it, with a known value.
pub fn avoid(
    plan: &Plan,
    op: OpId,
    code: CodeId,
    domain: &mut Domain,
    integer: &mut dyn FnMut(CodeId) -> Option<i128>,
) {
    let slot = plan.op(op).slot;
    match &plan.codes[code.index()] {
        Code::Unary(UnaryOperator::Not, inner) => {
            satisfy(plan, op, *inner, domain, integer);
        }
        Code::Binary(B::Or, left, right) => {
            avoid(plan, op, *left, domain, integer);
            avoid(plan, op, *right, domain, integer);
        }
        Code::Binary(B::And, left, right) => {
            let (mentions_left, mentions_right) =
                (mentions(plan, *left, slot), mentions(plan, *right, slot));
            let (about, other) = match (mentions_left, mentions_right) {
                (true, false) => (*left, Some(*right)),
                (false, true) => (*right, Some(*left)),
                (true, true) => (*left, None),
                (false, false) => return,
            };
            // The other operand may already make the condition false.
            let holds = other.is_none_or(|other| integer(other).is_none_or(|holds| holds != 0));
            if holds {
                avoid(plan, op, about, domain, integer);
            }
        }
        Code::Binary(operator, left, right) => {
            let opposite = match operator {
                B::Equal => B::NotEqual,
                B::NotEqual => B::Equal,
                B::Less => B::GreaterOrEqual,
                B::LessOrEqual => B::Greater,
                B::Greater => B::LessOrEqual,
                B::GreaterOrEqual => B::Less,
                _ => return,
            };
            compare(plan, op, (opposite, *left, *right), domain, integer);
        }
        Code::HasBits(value, mask) if is_field(plan, *value, slot) => {
            domain.pattern.require_bits(i128::from(*mask), 0);
        }
        _ if is_field(plan, code, slot) => restrict(domain, vec![(0, 1)]),
        _ => {}
    }
}

/// Restricts a domain so that a comparison holds. One side must be known, and the other must be the
/// field or arithmetic on it.
pub fn compare(
    plan: &Plan,
    op: OpId,
    (operator, left, right): (B, CodeId, CodeId),
    domain: &mut Domain,
    integer: &mut dyn FnMut(CodeId) -> Option<i128>,
) {
    let slot = plan.op(op).slot;
    let (operator, side, other) = match (mentions(plan, left, slot), mentions(plan, right, slot)) {
        (true, false) => (operator, left, right),
        (false, true) => (mirrored(operator), right, left),
        _ => return,
    };
    if let Some(bound) = integer(other) {
        let mut solver = Solver {
            plan,
            slot,
            integer,
        };
        // A comparison that cannot be solved restricts nothing.
        let _ = solver.restrict(side, (operator, bound), domain);
    }
}

/// Solves comparisons of arithmetic on a field.
struct Solver<'s> {
    plan: &'s Plan,
    /// The slot of the field.
    slot: Slot,
    /// Returns the value of an expression that does not involve the field.
    integer: &'s mut dyn FnMut(CodeId) -> Option<i128>,
}

impl Solver<'_> {
    /// Restricts the domain so that the comparison of `side` with a number holds. Undoes the
    /// operators of `side` one by one, until only the field is left. Returns `None` if this is not
    /// possible.
    fn restrict(
        &mut self,
        side: CodeId,
        (operator, bound): (B, i128),
        domain: &mut Domain,
    ) -> Option<()> {
        let (mut side, mut operator, mut bound) = (side, operator, bound);
        loop {
            if self.is_field(side) {
                compared(domain, operator, bound);
                return Some(());
            }
            match self.plan.codes[side.index()] {
                // The field is present, and so is an alternative before it only if it has a value.
                Code::Else(first, second) => {
                    side = match self.mentions(first) {
                        true => first,
                        false if (self.integer)(first).is_none() => second,
                        false => return None,
                    };
                }
                Code::Unary(UnaryOperator::Negate, inner) => {
                    (side, operator, bound) = (inner, mirrored(operator), bound.checked_neg()?);
                }
                Code::Binary(arithmetic, left, right) => {
                    let is_left = match self.mentions(left) {
                        true if self.mentions(right) => return None,
                        is_left => is_left,
                    };
                    let (inner, known) = if is_left {
                        (left, right)
                    } else {
                        (right, left)
                    };
                    let known = (self.integer)(known)?;
                    side = inner;
                    match arithmetic {
                        B::Add => bound = bound.checked_sub(known)?,
                        B::Subtract if is_left => bound = bound.checked_add(known)?,
                        B::Subtract => {
                            operator = mirrored(operator);
                            bound = known.checked_sub(bound)?;
                        }
                        B::Multiply => (operator, bound) = divided(domain, operator, bound, known)?,
                        B::ShiftLeft if is_left => {
                            let factor = B::ShiftLeft.calculate(1, known)?;
                            (operator, bound) = divided(domain, operator, bound, factor)?;
                        }
                        B::Divide | B::ShiftRight if is_left => {
                            let divisor = match arithmetic {
                                B::Divide => known,
                                _ => B::ShiftLeft.calculate(1, known)?,
                            };
                            let at_least = bound.checked_mul(divisor).filter(|_| divisor > 0)?;
                            let at_most = at_least.checked_add(divisor - 1)?;
                            match operator {
                                B::Equal => {
                                    self.restrict(inner, (B::GreaterOrEqual, at_least), domain)?;
                                    return self.restrict(inner, (B::LessOrEqual, at_most), domain);
                                }
                                B::Less | B::GreaterOrEqual => bound = at_least,
                                B::LessOrEqual | B::Greater => bound = at_most,
                                _ => return None,
                            }
                        }
                        B::Remainder if is_left && self.is_field(inner) => {
                            return remains(domain, operator, bound, known);
                        }
                        B::BitAnd if self.is_field(inner) => {
                            return masked(domain, operator, bound, known);
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
    }

    fn is_field(&self, code: CodeId) -> bool {
        is_field(self.plan, code, self.slot)
    }

    fn mentions(&self, code: CodeId) -> bool {
        mentions(self.plan, code, self.slot)
    }
}

/// Restricts a domain to the values for which a comparison holds.
fn compared(domain: &mut Domain, operator: B, bound: i128) {
    match operator {
        B::Equal => restrict(domain, vec![(bound, 1)]),
        B::NotEqual => domain.not.push(bound),
        B::Less => domain.high = domain.high.min(bound.saturating_sub(1)),
        B::LessOrEqual => domain.high = domain.high.min(bound),
        B::Greater => domain.low = domain.low.max(bound.saturating_add(1)),
        B::GreaterOrEqual => domain.low = domain.low.max(bound),
        _ => {}
    }
}

/// Given a comparison of `x * factor` with a number, returns the comparison of `x`. Returns `None` if
/// the comparison holds for every `x` or for none, in which case the domain becomes empty.
fn divided(domain: &mut Domain, operator: B, bound: i128, factor: i128) -> Option<(B, i128)> {
    let (operator, bound, factor) = match factor < 0 {
        true => (
            mirrored(operator),
            bound.checked_neg()?,
            factor.checked_neg()?,
        ),
        false => (operator, bound, factor),
    };
    let below = B::Divide.calculate(bound, factor)?;
    let is_multiple = B::Remainder.calculate(bound, factor)? == 0;
    match operator {
        B::Equal if !is_multiple => {
            restrict(domain, Vec::new());
            None
        }
        B::NotEqual if !is_multiple => None,
        // The least multiple that is not below the bound.
        B::Less | B::GreaterOrEqual => Some((operator, below + i128::from(!is_multiple))),
        _ => Some((operator, below)),
    }
}

/// Restricts a domain so that a comparison of `x % modulus` holds.
fn remains(domain: &mut Domain, operator: B, bound: i128, modulus: i128) -> Option<()> {
    let remainder = match operator {
        B::Equal => bound,
        // There is only one other remainder.
        B::NotEqual if modulus == 2 => 1 - bound,
        _ => return None,
    };
    match (0..modulus).contains(&remainder) {
        true => domain.pattern.require_remainder(modulus, remainder),
        false if modulus > 0 => restrict(domain, Vec::new()),
        false => return None,
    }
    Some(())
}

/// Restricts a domain so that a comparison of `x & mask` holds.
fn masked(domain: &mut Domain, operator: B, bound: i128, mask: i128) -> Option<()> {
    match operator {
        B::Equal if bound & !mask == 0 => domain.pattern.require_bits(mask, bound),
        B::Equal => restrict(domain, Vec::new()),
        // Any single bit is enough.
        B::NotEqual if bound == 0 && mask != 0 => {
            let lowest = mask & mask.wrapping_neg();
            domain.pattern.require_bits(lowest, lowest);
        }
        _ => return None,
    }
    Some(())
}

/// Returns whether an expression is the value under test, the value of a slot, or, if this value is
/// a string, its length.
pub fn is_field(plan: &Plan, code: CodeId, slot: Slot) -> bool {
    match &plan.codes[code.index()] {
        Code::OfText(part, text, _) if part.is_length() => is_field(plan, *text, slot),
        Code::This => true,
        Code::Slot(known) => *known == slot,
        _ => false,
    }
}

/// Returns the strings that a field must be one of for a predicate to hold, or `None` if the
/// predicate does not list any.
pub fn listed_texts(plan: &Plan, code: CodeId, slot: Slot) -> Option<Vec<ConstantId>> {
    let listed = |code: CodeId| listed_texts(plan, code, slot);
    let is_field = |code: CodeId| {
        matches!(plan.codes[code.index()], Code::This)
            || plan.codes[code.index()] == Code::Slot(slot)
    };
    let constant = |code: CodeId| match plan.codes[code.index()] {
        Code::Text(constant) => Some(vec![constant]),
        _ => None,
    };
    match plan.codes[code.index()] {
        Code::Binary(B::Equal, left, right) if is_field(left) => constant(right),
        Code::Binary(B::Equal, left, right) if is_field(right) => constant(left),
        Code::Binary(B::And, left, right) => listed(left).or_else(|| listed(right)),
        Code::Binary(B::Or, left, right) => {
            let mut all = listed(left)?;
            all.extend(listed(right)?);
            Some(all)
        }
        _ => None,
    }
}

/// Returns whether an expression reads a slot or the value under test.
pub fn mentions(plan: &Plan, code: CodeId, slot: Slot) -> bool {
    let mut found = false;
    each_code(plan, code, &mut |code| {
        found |= matches!(code, Code::This) || *code == Code::Slot(slot);
    });
    found
}

/// Returns whether an expression requires the field to equal one of several values, and collects
/// these values.
fn equals(
    plan: &Plan,
    code: CodeId,
    is_field: &dyn Fn(CodeId) -> bool,
    integer: &mut dyn FnMut(CodeId) -> Option<i128>,
    values: &mut Vec<i128>,
) -> bool {
    match plan.codes[code.index()] {
        Code::Binary(B::Or, left, right) => {
            equals(plan, left, is_field, integer, values)
                && equals(plan, right, is_field, integer, values)
        }
        Code::Binary(B::Equal, left, right) => {
            let other = match (is_field(left), is_field(right)) {
                (true, false) => right,
                (false, true) => left,
                _ => return false,
            };
            values.extend(integer(other));
            true
        }
        _ => false,
    }
}

fn mirrored(operator: B) -> B {
    match operator {
        B::Less => B::Greater,
        B::LessOrEqual => B::GreaterOrEqual,
        B::Greater => B::Less,
        B::GreaterOrEqual => B::LessOrEqual,
        same => same,
    }
}
