//! What is wrong with a value, in words: what was found, and what is expected.

use tracegauge_spec::expression::{BinaryOperator as B, UnaryOperator};
use tracegauge_spec::plan::{CheckKind, Code, CodeId, StreamPart};
use tracegauge_spec::schema::ReaderDuty;

use super::Machine;
use crate::input::Input;
use crate::value::Value;
use crate::visitor::Visitor;

/// More values than these are not listed.
const LISTED: usize = 20;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// What a test that `value` fails has found and expects. Nothing where nobody would see it:
    /// a trace can depart at every element.
    #[cold]
    pub(crate) fn complaint(
        &mut self,
        rule: Option<u32>,
        check: &CheckKind,
        value: Value,
    ) -> String {
        let rejects =
            rule.is_none_or(|rule| self.plan.rules[rule as usize].duty == ReaderDuty::Reject);
        if !rejects && !V::NOTES {
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

    /// A value that is not as it is compared.
    fn unlike(&mut self, check: &CheckKind, value: Value) -> String {
        let magic = self.magic(check);
        let found = match (&magic, value) {
            (Some(_), Value::Int(found)) if found >= 0 => format!("{found:#x}"),
            _ => self.shown_value(value),
        };
        let expected = match check {
            CheckKind::Equal(code) if magic.is_none() => {
                format!("{} is expected", self.shown(*code, value))
            }
            CheckKind::Equal(_) => format!("{:#x} is expected", magic.unwrap_or_default()),
            CheckKind::Min(code) => format!("at least {} is expected", self.shown(*code, value)),
            CheckKind::Max(code) => format!("at most {} is expected", self.shown(*code, value)),
            CheckKind::AnyOf(codes) => {
                let values = codes.iter().take(LISTED);
                let values: Vec<String> = values.map(|code| self.shown(*code, value)).collect();
                format!("one of {} is expected", values.join(", "))
            }
            CheckKind::InEnum(_) => "a declared member is expected".to_owned(),
            CheckKind::Json(_) => "JSON is expected".to_owned(),
            CheckKind::Signature(_) => "described fields are expected".to_owned(),
            CheckKind::InFlags(_) => "no other bits are declared".to_owned(),
            CheckKind::NotEmpty => "something is expected".to_owned(),
            CheckKind::Holds(code) => self.condition(*code),
        };
        format!("{found}, where {expected}")
    }

    /// The one great number that a field can be, a magic: people know it by its bytes.
    fn magic(&self, check: &CheckKind) -> Option<i128> {
        let CheckKind::Equal(code) = check else {
            return None;
        };
        match self.plan.codes[code.index()] {
            Code::Int(number) if number > i128::from(u16::MAX) => Some(number),
            _ => None,
        }
    }

    /// A condition that does not hold: of several, the first that does not. `whole` is the one that
    /// the description has.
    fn unmet(&mut self, whole: CodeId, code: CodeId, value: Value) -> String {
        match &self.plan.codes[code.index()] {
            Code::Binary(B::And, left, right) => {
                let first = self.evaluate(*left, value).truth();
                self.unmet(whole, if first { *right } else { *left }, value)
            }
            Code::Binary(operator, left, right) => match wanted(*operator) {
                Some(wanted) => {
                    let (left, right) = (self.shown(*left, value), self.shown(*right, value));
                    format!("{left}, where {wanted}{right} is expected")
                }
                None => self.untrue(whole, value),
            },
            Code::Unary(UnaryOperator::Not, inner) => match &self.plan.codes[inner.index()] {
                Code::Unary(UnaryOperator::Not, inner) => self.unmet(whole, *inner, value),
                Code::Binary(operator, left, right) if opposite(*operator).is_some() => {
                    let wanted = opposite(*operator).and_then(wanted).unwrap_or_default();
                    let (left, right) = (self.shown(*left, value), self.shown(*right, value));
                    format!("{left}, where {wanted}{right} is expected")
                }
                _ => self.untrue(whole, value),
            },
            Code::IsDate(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.shown(*part, value)).collect();
                format!("{}, where a date and time are expected", parts.join(" "))
            }
            Code::IsPresent(_) => "no value, where one is expected".to_owned(),
            Code::Stream(_, StreamPart::AtEnd) => {
                "bytes are left, where the end is expected".to_owned()
            }
            _ => self.untrue(whole, value),
        }
    }

    /// What shows a rule: where that is a comparison, what is compared.
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
            Value::Absent => "it is so here".to_owned(),
            value => self.shown_value(value),
        }
    }

    /// A condition of which there is no more to say than what it is about.
    fn untrue(&self, code: CodeId, value: Value) -> String {
        let words = self.condition(code);
        match value {
            Value::Absent => words,
            value => format!("{}, for which {words}", self.shown_value(value)),
        }
    }

    /// That a condition does not hold, as the description has it.
    fn condition(&self, code: CodeId) -> String {
        match self.plan.conditions.get(&code) {
            Some(condition) => format!("the condition `{condition}` does not hold"),
            None => "a condition of the description does not hold".to_owned(),
        }
    }

    fn shown(&mut self, code: CodeId, this: Value) -> String {
        let value = self.evaluate(code, this);
        self.shown_value(value)
    }
}

/// What a comparison asks for, before the value that it compares with.
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

/// The comparison that holds where another does not.
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
