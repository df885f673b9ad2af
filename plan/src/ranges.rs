//! Computes the range of values that a field's tests allow, from the description alone.

use std::collections::HashMap;

use super::{CheckKind, Code, CodeId, OpId, Plan};
use crate::terms::{ReaderDuty, RuleId};

/// The range of values that a field may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// The minimum value.
    pub low: Option<i128>,
    /// The maximum value.
    pub high: Option<i128>,
    /// Whether readers may either accept or reject values below the minimum.
    pub free_below: bool,
    /// Whether readers may either accept or reject values above the maximum.
    pub free_above: bool,
}

impl Plan {
    /// Returns the allowed range of every field that is limited by a test or is part of a date.
    /// Tests are ignored if readers must tolerate their failure.
    pub fn ranges(&self) -> HashMap<OpId, Allowed> {
        let mut found = HashMap::new();
        for op in (0..u32::MAX).map(OpId).take(self.ops.len()) {
            let allowed = of(self, op);
            if allowed.low.is_some() || allowed.high.is_some() {
                found.insert(op, allowed);
            }
        }
        for (wanted, free) in [(ReaderDuty::Reject, false), (ReaderDuty::Either, true)] {
            let dates = self.dates(|rule| duty(self, rule) == wanted).into_iter();
            found.extend(dates.map(|(op, (low, high))| {
                let allowed = Allowed {
                    low: Some(low),
                    high: Some(high),
                    free_below: free,
                    free_above: free,
                };
                (op, allowed)
            }));
        }
        found
    }
}

fn duty(plan: &Plan, rule: Option<RuleId>) -> ReaderDuty {
    rule.map_or(ReaderDuty::Reject, |rule| plan.rules[rule].duty)
}

fn of(plan: &Plan, op: OpId) -> Allowed {
    let number = |code: &CodeId| match plan.codes[code.index()] {
        Code::Int(value) => Some(value),
        Code::Bool(value) => Some(i128::from(value)),
        _ => None,
    };
    let mut all = Allowed {
        low: None,
        high: None,
        free_below: false,
        free_above: false,
    };
    for check in plan.tests_of(op) {
        let duty = duty(plan, check.rule);
        let binds = matches!(duty, ReaderDuty::Reject | ReaderDuty::Either);
        if !binds || check.condition.is_some() {
            continue;
        }
        let values: Option<Vec<i128>> = match &check.kind {
            CheckKind::Equal(code) => number(code).map(|value| vec![value]),
            CheckKind::AnyOf(codes) => codes.iter().map(number).collect(),
            CheckKind::InEnum(set) => {
                let members = plan.enums[*set].members.iter();
                let members = members.filter(|member| member.broken.is_none());
                Some(members.map(|member| member.value).collect())
            }
            _ => None,
        };
        let values = values.unwrap_or_default();
        let (low, high) = match &check.kind {
            CheckKind::Min(code) => (number(code), None),
            CheckKind::Max(code) => (None, number(code)),
            _ => (values.iter().min().copied(), values.iter().max().copied()),
        };
        if let Some(low) = low.filter(|low| all.low.is_none_or(|known| *low >= known)) {
            all.low = Some(low);
            all.free_below = duty == ReaderDuty::Either;
        }
        if let Some(high) = high.filter(|high| all.high.is_none_or(|known| *high <= known)) {
            all.high = Some(high);
            all.free_above = duty == ReaderDuty::Either;
        }
    }
    all
}
