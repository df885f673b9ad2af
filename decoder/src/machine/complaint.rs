//! Builds messages about invalid values. A message contains the actual and the expected value.

use tracegauge_plan::operator::{BinaryOperator as B, UnaryOperator};
use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{CheckKind, Code, CodeId, StreamPart};

use super::Machine;
use crate::input::Input;
use crate::value::Value;
use crate::visitor::Visitor;

/// The maximum number of expected values that a message lists.
const LISTED: usize = 20;

/// Returns the message for a value that needs more bytes than are left.
pub(super) fn shortage(expected: u64, left: u64) -> String {
    let bytes = if expected == 1 { "byte" } else { "bytes" };
    match left {
        0 => format!("expected {expected} {bytes}, but none is left"),
        1 => format!("expected {expected} {bytes}, but only 1 is left"),
        _ => format!("expected {expected} {bytes}, but only {left} are left"),
    }
}

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Returns the message for a test that `value` fails. Returns an empty string if the failure
    /// does not make readers reject the trace and the visitor does not receive messages about
    /// tolerated deviations, because formatting unused messages would be expensive in a trace with
    /// many deviations.
    #[cold]
    pub(crate) fn complaint(
        &mut self,
        rule: Option<RuleId>,
        check: &CheckKind,
        value: Value,
    ) -> String {
        let rejects = rule.is_none_or(|rule| self.plan.rules[rule].duty == ReaderDuty::Reject);
        let noted = V::NOTES && rule.is_some_and(|rule| self.visitor.wants(rule));
        if !rejects && !noted {
            return String::new();
        }
        let around = std::mem::replace(&mut self.testing, true);
        let message = match check {
            CheckKind::Holds(code) => self.unmet(*code, *code, value),
            other => self.unlike(other, value),
        };
        self.testing = around;
        message
    }

    /// Returns a message with the actual and the expected value for a comparison that fails.
    fn unlike(&mut self, check: &CheckKind, value: Value) -> String {
        let magic = self.magic(check);
        let found = match (&magic, value) {
            (Some(_), Value::Int(found)) if found >= 0 => format!("{found:#x}"),
            _ => self.shown_value(value),
        };
        let expected = match check {
            CheckKind::Equal(code) if magic.is_none() => self.shown(*code, value),
            CheckKind::Equal(_) => format!("{:#x}", magic.unwrap_or_default()),
            CheckKind::Min(code) => format!("at least {}", self.shown(*code, value)),
            CheckKind::Max(code) => format!("at most {}", self.shown(*code, value)),
            CheckKind::AnyOf(codes) => {
                let values = codes.iter().take(LISTED);
                let values: Vec<String> = values.map(|code| self.shown(*code, value)).collect();
                format!("one of {}", values.join(", "))
            }
            CheckKind::InEnum(_) => "a declared member".to_owned(),
            CheckKind::Json(_) => "JSON".to_owned(),
            CheckKind::Signature(_) => "valid field descriptions".to_owned(),
            CheckKind::InFlags(_) => "only declared bits".to_owned(),
            CheckKind::NotEmpty => "a non-empty value".to_owned(),
            CheckKind::Holds(code) => return format!("{found}: {}", self.condition(*code)),
        };
        format!("{found}, expected {expected}")
    }

    /// Returns the expected value if the only valid value is a large constant. Such magic numbers
    /// are shown in hexadecimal, because people recognize them by their bytes.
    fn magic(&self, check: &CheckKind) -> Option<i128> {
        let CheckKind::Equal(code) = check else {
            return None;
        };
        match self.plan.codes[code.index()] {
            Code::Int(number) if number > i128::from(u16::MAX) => Some(number),
            _ => None,
        }
    }

    /// Returns the message for a condition that does not hold. For a conjunction, the message is
    /// about the first operand that does not hold. `whole` is the complete condition in the
    /// description.
    fn unmet(&mut self, whole: CodeId, code: CodeId, value: Value) -> String {
        match &self.plan.codes[code.index()] {
            Code::Binary(B::And, left, right) => {
                let first = self.evaluate(*left, value).truth();
                self.unmet(whole, if first { *right } else { *left }, value)
            }
            Code::Binary(operator, left, right) => match wanted(*operator) {
                // The value of arithmetic on the field would look like the value of the field.
                Some(_) if value != Value::Absent && self.is_arithmetic(*left) => {
                    self.untrue(whole, value)
                }
                Some(wanted) => {
                    let (left, right) = (self.shown(*left, value), self.shown(*right, value));
                    format!("{left}, expected {wanted}{right}")
                }
                None => self.untrue(whole, value),
            },
            Code::Unary(UnaryOperator::Not, inner) => match &self.plan.codes[inner.index()] {
                Code::Unary(UnaryOperator::Not, inner) => self.unmet(whole, *inner, value),
                Code::Binary(operator, left, right) if opposite(*operator).is_some() => {
                    let wanted = opposite(*operator).and_then(wanted).unwrap_or_default();
                    let (left, right) = (self.shown(*left, value), self.shown(*right, value));
                    format!("{left}, expected {wanted}{right}")
                }
                _ => self.untrue(whole, value),
            },
            Code::IsDate(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.shown(*part, value)).collect();
                format!("{}, expected a date and time", parts.join(" "))
            }
            Code::IsPresent(_) => "the value is missing".to_owned(),
            Code::Stream(_, StreamPart::AtEnd) => {
                "unexpected bytes before the end of the data".to_owned()
            }
            _ => self.untrue(whole, value),
        }
    }

    /// Returns the message for a rule that the trace exercises. If the condition of the rule is a
    /// comparison, the message contains the compared values.
    #[cold]
    pub(super) fn met(&mut self, code: Option<CodeId>, value: Value) -> String {
        let code = code.map(|code| &self.plan.codes[code.index()]);
        if let Some(Code::Binary(operator, left, right)) = code
            && let Some(words) = wanted(*operator)
        {
            let (left, right) = (self.shown(*left, value), self.shown(*right, value));
            return match operator {
                B::Equal => left,
                B::NotEqual => format!("{left}, not {right}"),
                _ => format!("{left}, {words}{right}"),
            };
        }
        match value {
            Value::Absent => "the rule applies here".to_owned(),
            value => self.shown_value(value),
        }
    }

    fn is_arithmetic(&self, code: CodeId) -> bool {
        let code = &self.plan.codes[code.index()];
        matches!(code, Code::Unary(..) | Code::Binary(..))
    }

    /// Returns a general message for a condition that does not hold.
    fn untrue(&self, code: CodeId, value: Value) -> String {
        let words = self.condition(code);
        match value {
            Value::Absent => words,
            value => format!("{}: {words}", self.shown_value(value)),
        }
    }

    /// Returns a message that quotes a condition from the description and says that the condition
    /// does not hold.
    fn condition(&self, code: CodeId) -> String {
        match self.plan.conditions.get(&code) {
            Some(condition) => format!("the condition `{condition}` does not hold"),
            None => "a condition in the description does not hold".to_owned(),
        }
    }

    fn shown(&mut self, code: CodeId, this: Value) -> String {
        let value = self.evaluate(code, this);
        self.shown_value(value)
    }
}

/// Returns the words that precede the expected value in the message for a failed comparison.
fn wanted(operator: B) -> Option<&'static str> {
    Some(match operator {
        B::Equal => "",
        B::NotEqual => "anything but ",
        B::Less => "less than ",
        B::LessOrEqual => "at most ",
        B::Greater => "more than ",
        B::GreaterOrEqual => "at least ",
        _ => return None,
    })
}

/// Returns the negation of a comparison operator. Returns `None` for other operators.
fn opposite(operator: B) -> Option<B> {
    Some(match operator {
        B::Equal => B::NotEqual,
        B::NotEqual => B::Equal,
        B::Less => B::GreaterOrEqual,
        B::LessOrEqual => B::Greater,
        B::Greater => B::LessOrEqual,
        B::GreaterOrEqual => B::Less,
        _ => return None,
    })
}
