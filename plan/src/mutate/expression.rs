//! Mutants with bugs in expressions, such as a wrong operator or a value that is off by one.

use std::collections::{HashMap, HashSet};

use super::Collector;
use super::roots::{Role, Root, roots};
use super::words::{Operator, operators};
use crate::operator::{BinaryOperator, UnaryOperator};
use crate::{Code, CodeId, OpId, Plan, TextPart};

/// The operators for expressions.
pub(super) const OPERATORS: &[Operator] = &operators! {
    "one-more" => "computes a value that is one too large ({})",
    "one-less" => "computes a value that is one too small ({})",
    "number-one-more" => "uses a number that is one too large ({})",
    "number-one-less" => "uses a number that is one too small ({})",
    "truth-turned" => "swaps true and false ({})",
    "sign-forgotten" => "omits a sign in a computation ({})",
    "inversion-forgotten" => "does not invert the bits in a computation ({})",
    "not-forgotten" => "omits a `not` in a condition ({})",
    "part-forgotten" => "checks only one half of a condition ({})",
    "cases-swapped" => "swaps the two branches of a condition ({})",
    "case-forgotten" => "always takes the same branch of a condition ({})",
    "default-forgotten" => "does not use the default for a missing value ({})",
    "default-always" => "always uses the default for a missing value ({})",
    "presence-not-asked" => "does not test whether a value is present ({})",
    "row-not-asked" => "does not test whether a row exists ({})",
    "other-extreme" => "uses the minimum instead of the maximum, or vice versa ({})",
    "other-number-ignored" => "ignores one of two numbers instead of comparing them ({})",
    "operand-forgotten" => "omits a part of a computation ({})",
    "value-confused" => "uses the wrong one of several values ({})",
    "other-member-asked" => "compares a value with the wrong member of an enumeration ({})",
    "other-bit" => "tests the wrong bit ({})",
    "other-measure" => "measures text in the wrong units ({})",
    "other-byte" => "searches for the wrong byte ({})",
    "not-asked" => "does not check the syntax of text ({})",
    "other-operator" => "uses the wrong operator ({})",
    "comparison-turned" => "inverts a comparison ({})",
    "comparison-one-off" => "is off by one in a comparison ({})",
    "bound-for-value" => "takes a value for a minimum or maximum in a comparison ({})",
    "or-for-and" => "requires one condition instead of both ({})",
    "and-for-or" => "requires both conditions instead of one ({})",
};

/// The maximum number of values that each value is confused with.
const CONFUSED: usize = 4;

/// The maximum number of members that each member of an enumeration is confused with.
const MEMBERS: usize = 8;

pub(super) fn mutate(out: &mut Collector<'_>) {
    let roots = roots(out.plan, &out.live);
    let users = users(out.plan, &roots);
    let values = values(out.plan, &roots);
    let mut done = HashSet::new();
    for root in &roots {
        let is_required = is_required_value(out.plan, root);
        let add = |out: &mut Collector<'_>| {
            of_root(out, root, &users, &mut done);
            if is_required || out.about.computes {
                confused(out, root, &users, &values);
            }
        };
        match root.stored {
            Some(value) => out.serving(value, add),
            None if is_required => out.computing(root.rule, add),
            None => out.under(root.rule, add),
        }
    }
}

/// Returns whether a test with a rule compares a value with the expression for equality.
fn is_required_value(plan: &Plan, root: &Root) -> bool {
    let code = &plan.codes[root.code.index()];
    let is_equality = match root.role {
        Role::Value => true,
        Role::Test => matches!(code, Code::Binary(BinaryOperator::Equal, ..)),
        _ => false,
    };
    is_equality && root.rule.is_some()
}

/// Adds the mutants of one expression. `done` contains the nodes that already have mutants.
fn of_root(
    out: &mut Collector<'_>,
    root: &Root,
    users: &HashMap<CodeId, Vec<OpId>>,
    done: &mut HashSet<CodeId>,
) {
    if matches!(role_step(out.plan, root), Step::Either) {
        for (operator, step) in [("one-more", 1), ("one-less", -1)] {
            let code = root.code;
            let touches = users[&code].clone();
            out.add_touching(
                operator,
                root.op,
                touches,
                &root.word,
                move |plan: &mut Plan| {
                    plan.shift(code, step);
                },
            );
        }
    }
    let mut order = Vec::new();
    below(out.plan, root.code, &mut order);
    for (number, code) in order.into_iter().enumerate() {
        if done.insert(code) {
            node(out, root, code, number, &users[&code]);
        }
    }
}

/// How a mutant can change the value of a whole expression by one.
enum Step {
    /// The value can be increased or decreased.
    Either,
    /// The value is left alone, because it is not a number or because another operator already
    /// changes it.
    Not,
}

fn role_step(plan: &Plan, root: &Root) -> Step {
    let code = &plan.codes[root.code.index()];
    let number = match root.role {
        Role::Number | Role::Key => true,
        // Constants and fields are excluded, because other operators change them.
        Role::Value | Role::Shown => matches!(
            code,
            Code::Binary(
                BinaryOperator::Add
                    | BinaryOperator::Subtract
                    | BinaryOperator::Multiply
                    | BinaryOperator::Divide
                    | BinaryOperator::Remainder
                    | BinaryOperator::ShiftLeft
                    | BinaryOperator::ShiftRight
                    | BinaryOperator::BitAnd
                    | BinaryOperator::BitOr,
                ..
            ) | Code::Index(_)
                | Code::Extreme { .. }
                | Code::Between(..)
        ),
        Role::Condition | Role::Test | Role::Choice => false,
    };
    match number && !matches!(code, Code::Int(_)) {
        true => Step::Either,
        false => Step::Not,
    }
}

/// Returns the operations that use each expression, directly or as part of another expression.
fn users(plan: &Plan, roots: &[Root]) -> HashMap<CodeId, Vec<OpId>> {
    let mut users: HashMap<CodeId, Vec<OpId>> = HashMap::new();
    for root in roots {
        let mut order = Vec::new();
        below(plan, root.code, &mut order);
        for code in order {
            let known = users.entry(code).or_default();
            if !known.contains(&root.op) {
                known.push(root.op);
            }
        }
    }
    users
}

/// The values that the expressions of each operation read, without duplicates.
type Values = HashMap<OpId, Vec<Code>>;

fn values(plan: &Plan, roots: &[Root]) -> Values {
    let mut values = Values::new();
    for root in roots {
        let known = values.entry(root.op).or_default();
        for code in plan.expressions_in(root.code) {
            if is_value(code) && !known.contains(code) {
                known.push(code.clone());
            }
        }
    }
    values
}

fn is_value(code: &Code) -> bool {
    matches!(code, Code::Slot(_) | Code::Register(_) | Code::Column(..))
}

/// Adds mutants that read another value of the same operation than the one that a required value is
/// computed from.
fn confused(
    out: &mut Collector<'_>,
    root: &Root,
    users: &HashMap<CodeId, Vec<OpId>>,
    values: &Values,
) {
    let mut order = Vec::new();
    below(out.plan, root.code, &mut order);
    for (number, code) in order.into_iter().enumerate() {
        let known = &out.plan.codes[code.index()];
        let others = values.get(&root.op).into_iter().flatten();
        let others = others.filter(|other| is_value(known) && *other != known);
        for (other, value) in others.take(CONFUSED).enumerate() {
            let detail = format!("{} #{number} {other}", root.word);
            let value = value.clone();
            out.add_touching(
                "value-confused",
                root.op,
                users[&code].clone(),
                detail,
                move |plan: &mut Plan| plan.codes[code.index()] = value.clone(),
            );
        }
    }
}

/// Collects an expression and all nested expressions, outer expressions first.
fn below(plan: &Plan, code: CodeId, order: &mut Vec<CodeId>) {
    order.push(code);
    for inner in plan.codes[code.index()].operands() {
        below(plan, inner, order);
    }
}

type Changes = Vec<(
    &'static str,
    String,
    Box<dyn Fn(&mut Plan) -> Code + Send + Sync>,
)>;

/// Adds the mutants of one expression node.
fn node(out: &mut Collector<'_>, root: &Root, code: CodeId, number: usize, touches: &[OpId]) {
    let known = out.plan.codes[code.index()].clone();
    let place = match number {
        0 => root.word.clone(),
        number => format!("{} #{number}", root.word),
    };
    let role = match is_required_value(out.plan, root) {
        true => Role::Value,
        false => root.role,
    };
    for (operator, detail, change) in changes(out.plan, &known, role) {
        let detail = match detail.as_str() {
            "" => place.clone(),
            detail => format!("{place} {detail}"),
        };
        let touches = touches.to_vec();
        out.add_touching(
            operator,
            root.op,
            touches,
            detail,
            move |plan: &mut Plan| {
                let changed = change(plan);
                plan.codes[code.index()] = changed;
            },
        );
    }
}

fn changes(plan: &Plan, known: &Code, role: Role) -> Changes {
    let mut changes: Changes = Vec::new();
    let mut put = |operator, detail: &str, code: Code| {
        changes.push((
            operator,
            detail.to_owned(),
            Box::new(move |_: &mut Plan| code.clone()),
        ));
    };
    match known {
        Code::Int(value) if role != Role::Test || *value != 0 => {
            put("number-one-more", "", Code::Int(value.saturating_add(1)));
            put("number-one-less", "", Code::Int(value.saturating_sub(1)));
        }
        Code::Bool(value) => put("truth-turned", "", Code::Bool(!value)),
        Code::Unary(operator, code) => {
            let what = match operator {
                UnaryOperator::Negate => "sign-forgotten",
                UnaryOperator::Invert => "inversion-forgotten",
                UnaryOperator::Not => "not-forgotten",
            };
            put(what, "", plan.codes[code.index()].clone());
        }
        Code::Binary(operator, one, other) => {
            for (what, operator) in operators(*operator) {
                let detail = match operator {
                    BinaryOperator::GreaterOrEqual if *what == "bound-for-value" => "minimum",
                    BinaryOperator::LessOrEqual if *what == "bound-for-value" => "maximum",
                    _ => "",
                };
                put(what, detail, Code::Binary(*operator, *one, *other));
            }
            for (detail, kept, omitted) in [("first", other, one), ("second", one, other)] {
                if is_omissible(plan, *operator, detail, *omitted) {
                    put(
                        "operand-forgotten",
                        detail,
                        plan.codes[kept.index()].clone(),
                    );
                }
            }
            if matches!(operator, BinaryOperator::And | BinaryOperator::Or) {
                put("part-forgotten", "first", plan.codes[other.index()].clone());
                put("part-forgotten", "second", plan.codes[one.index()].clone());
            }
        }
        Code::Conditional(condition, one, other) => {
            put(
                "cases-swapped",
                "",
                Code::Conditional(*condition, *other, *one),
            );
            put("case-forgotten", "first", plan.codes[other.index()].clone());
            put("case-forgotten", "second", plan.codes[one.index()].clone());
        }
        Code::Else(one, other) => {
            put("default-forgotten", "", plan.codes[one.index()].clone());
            put("default-always", "", plan.codes[other.index()].clone());
        }
        Code::IsPresent(_) => {
            put("presence-not-asked", "there", Code::Bool(true));
            put("presence-not-asked", "not there", Code::Bool(false));
        }
        Code::HasRow(_) => {
            put("row-not-asked", "there", Code::Bool(true));
            put("row-not-asked", "not there", Code::Bool(false));
        }
        Code::Extreme {
            greatest,
            left,
            right,
        } => {
            put(
                "other-extreme",
                "",
                Code::Extreme {
                    greatest: !greatest,
                    left: *left,
                    right: *right,
                },
            );
            for (detail, kept) in [("first", right), ("second", left)] {
                put(
                    "other-number-ignored",
                    detail,
                    plan.codes[kept.index()].clone(),
                );
            }
        }
        Code::HasBits(code, mask) => {
            for other in [mask << 1, mask >> 1] {
                if other != 0 {
                    put(
                        "other-bit",
                        &format!("{other:#x}"),
                        Code::HasBits(*code, other),
                    );
                }
            }
        }
        Code::OfText(part, code, encoding) => {
            let part = match part {
                TextPart::Length => Some(TextPart::Size),
                TextPart::Size | TextPart::Units16 => Some(TextPart::Length),
                TextPart::Number(10) => Some(TextPart::Number(16)),
                TextPart::Number(_) => Some(TextPart::Number(10)),
                TextPart::IsDecimal => None,
            };
            if let Some(part) = part {
                put("other-measure", "", Code::OfText(part, *code, *encoding));
            }
        }
        Code::ContainsByte(code, byte) => {
            put("other-byte", "", Code::ContainsByte(*code, byte ^ 1));
        }
        Code::IsDecimal(_) | Code::IsDate(_) => put("not-asked", "", Code::Bool(true)),
        _ => {}
    }
    changes.extend(other_members(plan, known));
    changes
}

/// Returns the comparisons with the other members of an enumeration, if `known` compares a field with
/// one of its members.
fn other_members(plan: &Plan, known: &Code) -> Changes {
    let Code::Binary(BinaryOperator::Equal, left, right) = *known else {
        return Vec::new();
    };
    let (code, right_value) = (&plan.codes[left.index()], &plan.codes[right.index()]);
    let (Code::Slot(slot), Code::Int(own)) = (code, right_value) else {
        return Vec::new();
    };
    let origin = plan.origins.get(slot.index()).copied().flatten();
    let Some(set) = origin.and_then(|op| plan.info(op).presentation.enumeration) else {
        return Vec::new();
    };
    let members = plan.enums[set].members.iter();
    let others = members.filter(|member| member.value != *own && member.broken.is_none());
    let others = others.take(MEMBERS).map(|member| {
        let value = member.value;
        let compared = move |plan: &mut Plan| {
            let member = plan.new_code(Code::Int(value));
            Code::Binary(BinaryOperator::Equal, left, member)
        };
        let compared: Box<dyn Fn(&mut Plan) -> Code + Send + Sync> = Box::new(compared);
        ("other-member-asked", member.name.clone(), compared)
    });
    others.collect()
}

/// Returns whether a reader could omit an operand of an operator: the second one, or either one of
/// a sum. Another operator of mutants already changes a constant by one.
fn is_omissible(plan: &Plan, operator: BinaryOperator, which: &str, operand: CodeId) -> bool {
    use BinaryOperator::{Add, Divide, Multiply, Remainder, ShiftLeft, ShiftRight, Subtract};
    let is_second = which == "second";
    match operator {
        Add => !matches!(plan.codes[operand.index()], Code::Int(0 | 1)),
        Subtract => is_second && !matches!(plan.codes[operand.index()], Code::Int(0 | 1)),
        Multiply | Divide | Remainder | ShiftLeft | ShiftRight => is_second,
        _ => false,
    }
}

/// Returns the operators that a reader could use by mistake instead of the given operator.
fn operators(operator: BinaryOperator) -> &'static [(&'static str, BinaryOperator)] {
    use BinaryOperator::{
        Add, And, BitAnd, BitOr, BitXor, Divide, Equal, Greater, GreaterOrEqual, Less, LessOrEqual,
        Multiply, NotEqual, Or, Remainder, ShiftLeft, ShiftRight, Subtract,
    };
    match operator {
        Add => &[("other-operator", Subtract)],
        Subtract => &[("other-operator", Add)],
        Multiply => &[("other-operator", Add)],
        Divide => &[("other-operator", Multiply)],
        Remainder => &[("other-operator", Divide)],
        ShiftLeft => &[("other-operator", ShiftRight)],
        ShiftRight => &[("other-operator", ShiftLeft)],
        BitAnd => &[("other-operator", BitOr)],
        BitOr | BitXor => &[("other-operator", BitAnd)],
        Equal => &[
            ("comparison-turned", NotEqual),
            ("bound-for-value", GreaterOrEqual),
            ("bound-for-value", LessOrEqual),
        ],
        NotEqual => &[("comparison-turned", Equal)],
        Less => &[
            ("comparison-one-off", LessOrEqual),
            ("comparison-turned", GreaterOrEqual),
        ],
        LessOrEqual => &[("comparison-one-off", Less), ("comparison-turned", Greater)],
        Greater => &[
            ("comparison-one-off", GreaterOrEqual),
            ("comparison-turned", LessOrEqual),
        ],
        GreaterOrEqual => &[("comparison-one-off", Greater), ("comparison-turned", Less)],
        And => &[("or-for-and", Or)],
        Or => &[("and-for-or", And)],
    }
}
