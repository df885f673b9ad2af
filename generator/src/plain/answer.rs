//! Determines the plain answers for a plan (what typical writers do where the format leaves a
//! choice). The description declares the answers, or they follow from the kind of choice.

use std::collections::HashMap;

use tracegauge_plan::terms::{RuleId, VariableKind};
use tracegauge_plan::{CheckKind, Code, CodeId, Kind, OpId, PlainPlan, Plan, flags};

/// Sets the threshold for usual values: a value is usual if its weight is at least the greatest
/// weight divided by this number.
const USUAL_SHARE: u32 = 4;

/// The maximum number of bytes in a plain string.
const LONG: usize = 255;

/// The plain answer of a field: the values that typical writers write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Every value is plain, or the value is computed from other values.
    Any,
    /// A number in one of several ranges.
    Number {
        /// The plain values.
        plain: Vec<(i128, i128)>,
        /// The plain values that the generator prefers.
        preferred: Vec<(i128, i128)>,
    },
    /// Any finite float except negative zero.
    Float,
    /// A short, printable ASCII string that is not empty.
    Text,
    /// One of several strings.
    Texts(Vec<String>),
    /// No bytes, or only zeros, because readers ignore the field.
    Nothing,
}

impl Answer {
    /// Returns whether a number is plain.
    pub fn has(&self, number: i128) -> bool {
        match self {
            Self::Number { plain, .. } => plain
                .iter()
                .any(|(low, high)| (*low..=*high).contains(&number)),
            Self::Nothing => number == 0,
            Self::Any | Self::Float | Self::Text | Self::Texts(_) => true,
        }
    }
}

/// The plain answers of all fields of a plan.
#[derive(Clone, Debug)]
pub struct Answers {
    answers: Vec<Answer>,
    /// For each operation, the first operation that reads the same field of the description. If a
    /// type is used several times, several operations read each of its fields.
    first: Vec<OpId>,
    /// For each field that selects an alternative or a type code, the values that make the trace
    /// exercise a rule that plain traces do not exercise, each with that rule.
    selects: HashMap<OpId, Vec<(i128, RuleId)>>,
}

impl Answers {
    /// Determines the plain answers for `plan`.
    pub fn new(plan: &Plan) -> Self {
        let ops = || (0..u32::MAX).map(OpId).take(plan.ops.len());
        let mut uses = HashMap::new();
        let first = ops().map(|op| {
            let info = plan.info(op);
            let field = (
                info.span,
                info.label,
                std::mem::discriminant(&plan.op(op).kind),
            );
            *uses.entry(field).or_insert(op)
        });
        Self {
            first: first.collect(),
            answers: ops().map(|op| answer(plan, op)).collect(),
            selects: ops()
                .map(|op| (op, selects(plan, op)))
                .filter(|(_, selects)| !selects.is_empty())
                .collect(),
        }
    }

    /// Returns the plain answer for a field.
    pub fn of(&self, op: OpId) -> &Answer {
        self.answers.get(op.index()).unwrap_or(&Answer::Any)
    }

    /// Returns the first operation that reads the same field of the description. A type that is
    /// used in several places has several operations for each of its fields.
    pub fn field(&self, op: OpId) -> OpId {
        self.first.get(op.index()).copied().unwrap_or(op)
    }

    /// Returns the values of a field that make the trace exercise a rule that plain traces do not
    /// exercise, each with the rule.
    pub fn selects(&self, op: OpId) -> &[(i128, RuleId)] {
        self.selects.get(&op).map_or(&[], Vec::as_slice)
    }
}

/// Returns the values of a field that select an alternative or a type code if this selection always
/// exercises a rule that plain traces do not exercise.
fn selects(plan: &Plan, op: OpId) -> Vec<(i128, RuleId)> {
    let unusual = |arm: OpId| {
        let obeys = plan.info(arm).obeys.iter();
        let always = obeys.filter(|(_, condition)| condition.is_none());
        let mut rules = always.map(|(rule, _)| *rule);
        rules.find(|rule| !plan.rules[*rule].plain)
    };
    let mut found = Vec::new();
    if plan.op(op).flags & flags::SLOT != 0 {
        let slot = Code::Slot(plan.op(op).slot);
        let switches = plan.switches.iter();
        let switches = switches.filter(|switch| plan.codes[switch.on.index()] == slot);
        let arms = switches.flat_map(|switch| &switch.arms);
        for (labels, arm) in arms {
            let rule = unusual(*arm);
            found.extend(
                rule.into_iter()
                    .flat_map(|rule| labels.iter().map(move |label| (*label, rule))),
            );
        }
    }
    if let Some(layout) = plan.info(op).code_of {
        let used = plan.layouts.iter().filter(|used| used.layout == layout);
        let codes = used.flat_map(|used| &used.codes);
        found.extend(codes.filter_map(|code| Some((code.code, unusual(code.op)?))));
    }
    found
}

/// Returns whether a string is one that typical writers write: short, printable and not empty.
pub(crate) fn is_plain_text(text: &str) -> bool {
    !text.is_empty() && text.len() <= LONG && text.chars().all(is_printable)
}

/// Returns whether a character is a printable ASCII character.
pub(super) fn is_printable(character: char) -> bool {
    character.is_ascii() && !character.is_ascii_control()
}

fn answer(plan: &Plan, op: OpId) -> Answer {
    let info = plan.info(op);
    if info.ignore {
        let mut rules = info.obeys.iter().map(|(rule, _)| *rule);
        let is_plain = !info.obeys.is_empty() && rules.all(|rule| plan.rules[rule].plain);
        return if is_plain {
            Answer::Any
        } else {
            Answer::Nothing
        };
    }
    match &plan.op(op).kind {
        Kind::Text(..) => text(plan, op),
        Kind::Terminated(ending) if ending.encoding.is_some() => text(plan, op),
        Kind::Float { .. } => Answer::Float,
        Kind::Integer(_) | Kind::Variable(..) | Kind::Bits { .. } => number(plan, op),
        _ => Answer::Any,
    }
}

fn text(plan: &Plan, op: OpId) -> Answer {
    match &plan.info(op).hints.plain {
        Some(PlainPlan::Texts(texts)) => Answer::Texts(texts.clone()),
        _ => Answer::Text,
    }
}

fn number(plan: &Plan, op: OpId) -> Answer {
    let info = plan.info(op);
    let hints = &info.hints;
    match &hints.plain {
        Some(PlainPlan::Integers(values)) => return only(values.iter().copied()),
        Some(PlainPlan::Range(low, high)) => {
            return Answer::Number {
                plain: vec![(*low, *high)],
                preferred: vec![(*low, *high)],
            };
        }
        Some(PlainPlan::Moving(..)) => return Answer::Any,
        Some(PlainPlan::Texts(_)) | None => {}
    }
    let follows = info.derived.is_some() || info.refs.is_some() || info.code_of.is_some();
    let adds = info.carry.is_some_and(|carry| plan.carries[carry].add);
    let is_fixed = plan.tests_of(op).iter().any(|check| {
        matches!(check.kind, CheckKind::Equal(_) | CheckKind::AnyOf(_)) && check.condition.is_none()
    });
    if follows || adds || is_fixed || hints.moving.is_some() || hints.construct.is_some() {
        return Answer::Any;
    }
    let most = hints.weights.iter().map(|(_, weight)| *weight).max();
    let usual = |weight: u32| most.is_none_or(|most| weight >= most.div_ceil(USUAL_SHARE));
    if let Some(set) = info.presentation.enumeration {
        // All members are plain, whatever their weights: a weight states only how often a member
        // occurs.
        let members = plan.enums[set].members.iter();
        let members = members.filter(|member| member.broken.is_none());
        let values: Vec<i128> = members.map(|member| member.value).collect();
        if !values.is_empty() {
            return only(values);
        }
    }
    if let Some(labels) = labels(plan, op) {
        return only(labels);
    }
    if !hints.weights.is_empty() {
        let usual = hints.weights.iter().filter(|(_, weight)| usual(*weight));
        return only(usual.map(|(value, _)| *value));
    }
    ranged(plan, op)
}

/// Returns the labels of the switch that a field controls, unless the default alternative of the
/// switch is meant for values that readers know.
fn labels(plan: &Plan, op: OpId) -> Option<Vec<i128>> {
    if plan.op(op).flags & flags::SLOT == 0 {
        return None;
    }
    let slot = plan.op(op).slot;
    let selected = plan.switches.iter().find(|switch| {
        let default = switch.default.is_none_or(|arm| is_unknown(plan, arm));
        plan.codes[switch.on.index()] == Code::Slot(slot) && !switch.arms.is_empty() && default
    })?;
    let labels = selected.arms.iter().flat_map(|(labels, _)| labels);
    Some(labels.copied().collect())
}

/// Returns whether the default alternative of a switch is meant for values that readers do not
/// know: readers ignore its contents, or it exercises a rule that plain traces do not exercise.
fn is_unknown(plan: &Plan, arm: OpId) -> bool {
    let end = plan.op(arm).end.max(arm.0 + 1);
    let mut inside = (arm.0..end).map(|op| plan.info(OpId(op)));
    let always = |(rule, condition): &(RuleId, Option<CodeId>)| {
        condition.is_none() && !plan.rules[*rule].plain
    };
    plan.info(arm).obeys.iter().any(always) || inside.any(|info| info.ignore)
}

fn only(values: impl IntoIterator<Item = i128>) -> Answer {
    let values: Vec<(i128, i128)> = values.into_iter().map(|value| (value, value)).collect();
    Answer::Number {
        plain: values.clone(),
        preferred: values,
    }
}

/// Returns the plain answer for a number that the description restricts only by usual values, if at
/// all. Besides the usual values, plain numbers are not negative and, except in bit fields, lie in
/// the lower half of the field's range, so that they have the same value whether read as signed or
/// unsigned. Without usual values, the preferred numbers of a field with several bytes usually have
/// different values when read with another width or byte order.
fn ranged(plan: &Plan, op: OpId) -> Answer {
    let (bits, is_bit_field) = match &plan.op(op).kind {
        Kind::Integer(integer) => (u32::from(integer.width) * 8, false),
        Kind::Variable(VariableKind::Unsigned, bits) | Kind::Variable(_, bits) => {
            (u32::from(*bits), false)
        }
        Kind::Bits { width, .. } => (u32::from(*width), true),
        _ => return Answer::Any,
    };
    let (plain, preferred) = match bits {
        _ if is_bit_field => ((0, (1_i128 << bits) - 1), (0, (1_i128 << bits) - 1)),
        0..=8 => ((0, 0x7f), (1, 0x7f)),
        9..=16 => ((0, 0x7fff), (0x0102, 0x3fff)),
        17..=32 => ((0, 0x7fff_ffff), (0x0102, 0x3fff)),
        _ => ((0, (1 << 53) - 1), (0x0102, 0xf_ffff)),
    };
    let hints = &plan.info(op).hints;
    let samples = hints.integers.iter().map(|sample| (*sample, *sample));
    let mut usual: Vec<(i128, i128)> = hints.range.into_iter().chain(samples).collect();
    for (low, high) in &mut usual {
        // Zero is plain, but it does not expose a reader that never reads the field.
        if *low == 0 && *high > 0 {
            *low = 1;
        }
    }
    let all = usual.iter().copied().chain(hints.range).chain([plain]);
    Answer::Number {
        plain: all.collect(),
        preferred: if usual.is_empty() {
            vec![preferred]
        } else {
            usual
        },
    }
}
