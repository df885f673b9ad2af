//! Bugs in tests: a test is missing, applies too often, or has a bound that is off by one.

use super::Collector;
use super::words::{Operator, operators};
use crate::terms::EnumId;
use crate::{
    CheckKind, CheckPlan, Code, EffectsId, Kind, OpId, Plan, RepeatId, SignatureId, flags,
};

/// The operators for checks.
pub(super) const OPERATORS: &[Operator] = &operators! {
    "not-tested" / "" => "does not check the value",
    "not-tested" => "accepts a violation of a rule ({})",
    "tested-always" / "" => "checks the value even where the check does not apply",
    "tested-always" => "enforces a rule even where the rule does not apply ({})",
    "bound-one-more" => "compares a value with a bound that is one too large ({})",
    "bound-one-less" => "compares a value with a bound that is one too small ({})",
    "value-forgotten" => "rejects one of the allowed values ({})",
};

/// The location of a test in a plan.
#[derive(Clone, Copy, Debug)]
enum Site {
    /// A test of a value.
    Value(usize),
    /// A test at the end of a structure.
    End(EffectsId, usize),
    /// A test of the first element of a list.
    First(RepeatId, usize),
    /// A test of the last element of a list.
    Last(RepeatId, usize),
    /// A test of a name in text that describes fields.
    Name(SignatureId, usize),
}

impl Site {
    fn get(self, plan: &Plan) -> &CheckPlan {
        match self {
            Self::Value(number) => &plan.checks[number],
            Self::End(effects, number) => &plan.effects[effects].checks[number],
            Self::First(repeat, number) => &plan.repeats[repeat].first[number],
            Self::Last(repeat, number) => &plan.repeats[repeat].last[number],
            Self::Name(signature, number) => &plan.signatures[signature].names[number],
        }
    }

    fn get_mut(self, plan: &mut Plan) -> &mut CheckPlan {
        match self {
            Self::Value(number) => &mut plan.checks[number],
            Self::End(effects, number) => &mut plan.effects[effects].checks[number],
            Self::First(repeat, number) => &mut plan.repeats[repeat].first[number],
            Self::Last(repeat, number) => &mut plan.repeats[repeat].last[number],
            Self::Name(signature, number) => &mut plan.signatures[signature].names[number],
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Value(_) => "",
            Self::End(..) => "end ",
            Self::First(..) => "first ",
            Self::Last(..) => "last ",
            Self::Name(..) => "name ",
        }
    }
}

pub(super) fn mutate(out: &mut Collector<'_>) {
    for id in out.ops() {
        let mut rules = Vec::new();
        for site in sites(out.plan, id) {
            let rule = site.get(out.plan).rule;
            let number = 1 + rules.iter().filter(|known| **known == rule).count();
            rules.push(rule);
            out.under(rule, |out| one(out, id, (site, number)));
        }
    }
}

/// Returns the locations of the tests that an operation runs.
fn sites(plan: &Plan, id: OpId) -> Vec<Site> {
    let (op, info) = (plan.op(id), plan.info(id));
    let mut sites = Vec::new();
    if op.flags & flags::CHECKS != 0 {
        let first = op.checks.0.index();
        let numbers = first..first + usize::from(op.checks.1);
        sites.extend(numbers.map(Site::Value));
    }
    if let Some(effects) = info.effects {
        let count = plan.effects[effects].checks.len();
        sites.extend((0..count).map(|number| Site::End(effects, number)));
    }
    if let Kind::Repeat(repeat) = op.kind {
        let list = &plan.repeats[repeat];
        sites.extend((0..list.first.len()).map(|number| Site::First(repeat, number)));
        sites.extend((0..list.last.len()).map(|number| Site::Last(repeat, number)));
    }
    let texts: Vec<SignatureId> = sites
        .iter()
        .filter_map(|site| match site.get(plan).kind {
            CheckKind::Signature(signature) => Some(signature),
            _ => None,
        })
        .collect();
    for signature in texts {
        let count = plan.signatures[signature].names.len();
        sites.extend((0..count).map(|number| Site::Name(signature, number)));
    }
    sites
}

/// Adds the mutants of a test. `number` counts the tests of the operation that have the same rule.
fn one(out: &mut Collector<'_>, id: OpId, (site, number): (Site, usize)) {
    let check = site.get(out.plan).clone();
    // Constant bytes are compared with the data even without a test, so removing their test has no
    // effect.
    let constant = matches!(out.plan.op(id).kind, Kind::Contents(_));
    let rule = check.rule.and_then(|rule| out.plan.rules.get(rule));
    let rule = rule.map_or("", |rule| rule.id.as_str());
    let detail = format!("{}{rule}", site.word());
    let whole = match number {
        1 => detail.clone(),
        _ => format!("{detail} {number}"),
    };
    if out.plan.accepts(check.rule) {
        out.add("tolerance-refused", id, &whole, move |plan: &mut Plan| {
            let strict = plan.strict_rule();
            site.get_mut(plan).rule = Some(strict);
        });
    }
    let broken = |set: EnumId| {
        let mut members = out.plan.enums[set].members.iter();
        members.any(|member| {
            member
                .broken
                .is_some_and(|rule| out.plan.matters(Some(rule)))
        })
    };
    let members = matches!(check.kind, CheckKind::InEnum(set) if broken(set));
    let inside = matches!(check.kind, CheckKind::Json(_) | CheckKind::Signature(_));
    if !out.plan.matters(check.rule) && !members && !inside {
        return;
    }
    if !constant {
        out.add("not-tested", id, &whole, move |plan: &mut Plan| {
            let never = plan.new_code(Code::Bool(false));
            site.get_mut(plan).condition = Some(never);
        });
    }
    if check.condition.is_some() {
        out.add("tested-always", id, &whole, move |plan: &mut Plan| {
            site.get_mut(plan).condition = None;
        });
    }
    match check.kind {
        CheckKind::Min(bound) | CheckKind::Max(bound) => {
            let least = matches!(check.kind, CheckKind::Min(_));
            let word = if least { "least" } else { "greatest" };
            for (operator, step) in [("bound-one-more", 1), ("bound-one-less", -1)] {
                let detail = format!("{word} {detail}");
                out.add(operator, id, detail, move |plan: &mut Plan| {
                    plan.shift(bound, step);
                });
            }
        }
        CheckKind::AnyOf(values) if values.len() > 1 => {
            for number in 0..values.len() {
                let shown = match &out.plan.codes[values[number].index()] {
                    Code::Int(value) => value.to_string(),
                    _ => format!("#{number}"),
                };
                out.add("value-forgotten", id, shown, move |plan: &mut Plan| {
                    if let CheckKind::AnyOf(values) = &mut site.get_mut(plan).kind {
                        values.remove(number);
                    }
                });
            }
        }
        _ => {}
    }
}

impl Plan {
    /// Adds `step` to the value of an expression.
    pub(super) fn shift(&mut self, code: crate::CodeId, step: i128) {
        let old = self.codes[code.index()].clone();
        if let Code::Int(value) = old {
            self.codes[code.index()] = Code::Int(value.saturating_add(step));
            return;
        }
        let old = self.new_code(old);
        let step = self.new_code(Code::Int(step));
        let add = crate::operator::BinaryOperator::Add;
        self.codes[code.index()] = Code::Binary(add, old, step);
    }
}
