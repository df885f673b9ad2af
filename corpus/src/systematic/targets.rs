//! Derives targets for the generator: properties that traces must have to meet the obligations that
//! random traces have missed. Examples are boundary values of fields, and type codes that are next
//! to each other or inside each other in the layouts that traces define. A *layout* is a part of
//! the plan that reads values whose types the trace itself describes with type codes.

use std::collections::BTreeSet;

use tracegauge_generator::{Target, TargetLength, TargetNumber, TargetText};
use tracegauge_plan::operator::BinaryOperator;
use tracegauge_plan::terms::ReaderDuty;
use tracegauge_plan::{
    Code, CodeExtent, CodeId, Count, Kind, LayoutCodePlan, OpId, Plan, Slot, flags,
};

use crate::score::{Boundary, CarryStep, LONGEST_LIMITED, Obligation, Values, measured, text};

/// How often a field occurs with random values before the targeted occurrence, by round. Values
/// above zero are tried because the first occurrences of a field may have no effect.
const AFTER: [u32; 6] = [0, 1, 3, 0, 6, 12];

/// The maximum length in bytes of a trace that is generated to reach a certain size or offset.
const LONGEST: u64 = 1 << 17;

/// If the description gives a usual range for a size field, the field is limited to this value or
/// to the usual maximum, whichever is greater.
const FEW_BYTES: u64 = 1 << 12;

/// The approximate number of bytes in an element.
const ELEMENT: u64 = 8;

/// The number of sequences of element kinds that are targeted in one round.
const ROWS: usize = 48;

/// The size in bytes of a trace that targets a sequence of element kinds, in the first round.
const SHORT: u64 = 200;

/// The number of bytes by which traces that target a sequence of element kinds grow each round.
const MORE: u64 = 100;

/// A number counts as near an end of its range if it is at most this far from that end.
const NEAR: i128 = 100;

/// The number of text fields that are made long in one round, each in a separate trace.
const TEXTS: usize = 4;

/// The number of traces to generate in one round for a value that references a table row.
const TIMES_NAMED: usize = 4;

/// The number of large traces to generate for each type code whose values contain other values.
const TIMES_LARGE: usize = 6;

/// Large traces are generated in one out of this many rounds.
const LARGE_ROUNDS: usize = 6;

/// Returns targets for the missed obligations. Each obligation gets several targets, which differ
/// from round to round.
pub(super) fn toward(plan: &Plan, missed: &[Obligation], round: usize) -> Vec<Target> {
    let mut targets: BTreeSet<(Vec<i128>, bool)> = BTreeSet::new();
    for obligation in missed {
        let pairs: Vec<(OpId, OpId)> = match *obligation {
            Obligation::Edge(from, to) | Obligation::Inside(from, to) => vec![(from, to)],
            Obligation::Code(op) => vec![(op, op)],
            _ => Vec::new(),
        };
        for (from, to) in pairs {
            targets.extend(pair(plan, from, to, round));
        }
    }
    let target = |(codes, may_be_empty)| Target {
        codes,
        may_be_empty,
        ..Target::default()
    };
    let targets = targets.into_iter().map(target);
    let targets = targets.chain(members(plan, missed, round));
    let targets = targets.chain(large_shown(plan, missed, round));
    let targets = targets.chain(large(plan, missed, round));
    let targets = targets.chain(rows(plan, missed, round));
    let targets = targets.chain(values(plan, missed, round));
    let targets = targets.chain(wraps(plan, missed, round));
    targets.chain(sequences(plan, missed, round)).collect()
}

/// Returns targets for values that reference table rows, if the trace itself declares the types of
/// its values.
fn rows(plan: &Plan, missed: &[Obligation], round: usize) -> Vec<Target> {
    let wanted = missed.iter().filter_map(|obligation| match obligation {
        Obligation::Row(op, _) => Place::of(plan, *op),
        _ => None,
    });
    let targets = wanted.flat_map(|place| {
        let target = Target {
            codes: place.sequence(round),
            ..Target::default()
        };
        std::iter::repeat_n(target, TIMES_NAMED)
    });
    targets.collect()
}

/// Returns targets for sequences of element kinds, which differ from round to round.
fn sequences(plan: &Plan, missed: &[Obligation], round: usize) -> Vec<Target> {
    let after = AFTER[round % AFTER.len()];
    let rows = missed.iter().filter_map(|obligation| match *obligation {
        Obligation::Next(one, two) => Some(row(plan, &[one, two], after)),
        Obligation::Third(one, two, three) => Some(row(plan, &[one, two, three], after)),
        _ => None,
    });
    let mut rows: Vec<Vec<TargetNumber>> = rows.filter(|row| !row.is_empty()).collect();
    let first = round * ROWS % rows.len().max(1);
    rows.rotate_left(first);
    // If the last kind of a sequence ends the trace, it soon follows the other kinds only in a
    // short trace.
    let bytes = SHORT + round as u64 * MORE;
    let targets = rows.into_iter().take(ROWS).map(|numbers| Target {
        numbers,
        bytes: Some(bytes),
        ..Target::default()
    });
    targets.collect()
}

/// Returns target numbers that make consecutive elements have the kinds `arms`.
fn row(plan: &Plan, arms: &[OpId], after: u32) -> Vec<TargetNumber> {
    let tags = tags(plan, arms).unwrap_or_default().into_iter();
    let numbers = tags
        .enumerate()
        .map(|(at, (op, (low, high)))| TargetNumber {
            op,
            low,
            high,
            after: if at == 0 { after } else { 0 },
        });
    numbers.collect()
}

/// Returns a single target for several combinations. The combinations follow one another in the
/// trace.
pub(super) fn together(plan: &Plan, combinations: &[Obligation], round: usize) -> Target {
    let mut target = Target::default();
    for combination in combinations {
        match *combination {
            Obligation::Edge(from, to) => {
                let codes = pair(plan, from, to, round);
                if let Some((codes, may_be_empty)) = codes.into_iter().next() {
                    target.codes.extend(codes);
                    target.may_be_empty |= may_be_empty;
                }
            }
            Obligation::Next(one, two) => target.numbers.extend(row(plan, &[one, two], 0)),
            Obligation::Third(one, two, three) => {
                target.numbers.extend(row(plan, &[one, two, three], 0));
            }
            _ => {}
        }
    }
    target
}

/// Returns targets for carried values that wrap around: a value near the maximum, followed by a
/// small value.
fn wraps(plan: &Plan, missed: &[Obligation], round: usize) -> Vec<Target> {
    let wanted = missed.iter().filter_map(|obligation| match *obligation {
        Obligation::Carry(op, CarryStep::Wrapped) => Some(op),
        _ => None,
    });
    let targets = wanted.filter_map(|op| {
        let bits = plan.carries[plan.info(op).carry?].wraps?;
        let greatest = (1_i128 << bits) - 1;
        let after = AFTER[round % AFTER.len()];
        let number = |low, high, after| TargetNumber {
            op,
            low,
            high,
            after,
        };
        Some(Target {
            numbers: vec![number(greatest - NEAR, greatest, after), number(0, NEAR, 0)],
            ..Target::default()
        })
    });
    targets.collect()
}

/// For each of `arms`, returns the field that selects the arm and the range of values that select
/// it.
fn tags(plan: &Plan, arms: &[OpId]) -> Option<Vec<(OpId, (i128, i128))>> {
    let tag = |arm: &OpId| {
        let Kind::Switch(switch) = plan.op(plan.info(*arm).parent?).kind else {
            return None;
        };
        let switch = &plan.switches[switch];
        let Code::Slot(slot) = plan.codes[switch.on.index()] else {
            return None;
        };
        let field = plan.field_before(slot, *arm)?;
        let mut labels = switch.arms.iter();
        match labels.find(|(_, op)| op == arm) {
            Some((labels, _)) => {
                let label = *labels.first()?;
                Some((field, (label, label)))
            }
            // The default arm needs a value beyond all labels, if there is one.
            None => {
                let labels = switch.arms.iter().flat_map(|(labels, _)| labels);
                Some((field, (labels.max()? + 1, i128::from(u64::MAX))))
            }
        }
    };
    arms.iter().map(tag).collect()
}

/// Returns targets for members of enumerations. The rounds cycle through the fields whose values
/// belong to the enumeration.
fn members(plan: &Plan, missed: &[Obligation], round: usize) -> Vec<Target> {
    let wanted = missed.iter().filter_map(|obligation| match obligation {
        Obligation::Member(set, member) => Some((*set, *member)),
        _ => None,
    });
    let targets = wanted.filter_map(|(set, member)| {
        let fields = plan.infos.iter().zip(0..);
        let fields = fields.filter(|(info, _)| info.presentation.enumeration == Some(set));
        let fields: Vec<OpId> = fields.map(|(_, op)| OpId(op)).collect();
        let op = *fields.get(round % fields.len().max(1))?;
        let value = plan.enums[set].members[member as usize].value;
        Some(Target {
            numbers: vec![TargetNumber {
                op,
                low: value,
                high: value,
                after: 0,
            }],
            ..Target::default()
        })
    });
    targets.collect()
}

/// Returns targets for rules that apply only to sizes or counts above a certain value.
fn large_shown(plan: &Plan, missed: &[Obligation], round: usize) -> Vec<Target> {
    let mut targets = Vec::new();
    let fields = (0..u32::MAX).map(OpId).take(plan.ops.len());
    let wanted = fields.flat_map(|op| missed.iter().map(move |missed| (op, *missed)));
    for (op, obligation) in wanted {
        let rule = match obligation {
            Obligation::Shown(rule) => rule,
            Obligation::At(rule, at) if at == op => rule,
            _ => continue,
        };
        let Some((of, scale)) = measured(plan, op) else {
            continue;
        };
        let obeys = plan.info(op).obeys.iter();
        let mut conditions = obeys.filter(|(of_rule, _)| *of_rule == rule);
        let least = conditions.find_map(|(_, condition)| least(plan, (*condition)?));
        let least = least.and_then(|least| u64::try_from(scale.measure(least)?).ok());
        let Some(least) = least else {
            continue;
        };
        match round.is_multiple_of(2) {
            true => targets.push(longer(plan, of, least)),
            false => {
                let first = round / 2 * TEXTS;
                let tried = first..first + TEXTS;
                targets.extend(tried.map(|text| larger(plan, of, least, text)));
            }
        }
    }
    targets
}

/// Returns the smallest value that satisfies a condition that depends only on that value.
fn least(plan: &Plan, condition: CodeId) -> Option<i128> {
    let Code::Binary(operator, left, right) = plan.codes[condition.index()] else {
        return None;
    };
    match (
        operator,
        &plan.codes[left.index()],
        &plan.codes[right.index()],
    ) {
        (BinaryOperator::Equal, Code::This, Code::Int(value)) => Some(*value),
        (BinaryOperator::Greater, Code::This, Code::Int(value)) => Some(value + 1),
        _ => None,
    }
}

/// Returns the range of a field's values that are at a boundary.
fn bounds(ranges: &Values, op: OpId, boundary: Boundary) -> Option<(i128, i128)> {
    let (low, high) = ranges.of(op)?;
    Some(match boundary {
        Boundary::Least => (low, low),
        Boundary::Greatest => (high, high),
        Boundary::Negative => (low, -1),
        Boundary::MoreThan(bits) => (1 << bits, high),
        Boundary::Mark | Boundary::Across => return None,
    })
}

/// Limits on fields that control how much data follows. Testing a boundary above such a limit would
/// require a larger trace than the coverage is worth.
struct Affordable<'p> {
    plan: &'p Plan,
    sizes: Vec<Slot>,
}

impl<'p> Affordable<'p> {
    fn new(plan: &'p Plan) -> Self {
        let sizes = plan.sizes();
        Self { plan, sizes }
    }

    /// Returns the greatest field value worth testing in a case. If the description gives a usual
    /// range, the limit is lower.
    fn of(&self, op: OpId) -> i128 {
        let (info, op) = (self.plan.info(op), self.plan.op(op));
        let is_size = op.flags & flags::SLOT != 0 && self.sizes.contains(&op.slot);
        if !is_size || info.derived.is_some() {
            return i128::MAX;
        }
        match info.hints.range {
            Some((_, usual)) => usual.max(i128::from(FEW_BYTES)),
            None => i128::from(LONGEST),
        }
    }
}

/// Returns the boundaries that are not tested because the trace would be too large, each with the
/// greatest field value that is still tested.
pub(super) fn unaffordable(plan: &Plan, missed: &[Obligation]) -> Vec<(Obligation, i128)> {
    let ranges = Values::new(plan);
    let affordable = Affordable::new(plan);
    let values = missed.iter().filter_map(|obligation| {
        let Obligation::Value(op, boundary) = *obligation else {
            return None;
        };
        let (low, _) = bounds(&ranges, op, boundary)?;
        let most = affordable.of(op);
        (low > most).then_some((*obligation, most))
    });
    values.collect()
}

/// Returns targets for boundary values.
fn values(plan: &Plan, missed: &[Obligation], round: usize) -> Vec<Target> {
    let wanted = missed.iter().filter_map(|obligation| match obligation {
        Obligation::Value(op, boundary) => Some((*op, *boundary)),
        _ => None,
    });
    let wanted: Vec<(OpId, Boundary)> = wanted.collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let ranges = Values::new(plan);
    let affordable = Affordable::new(plan);
    let targets = wanted.into_iter().filter_map(|(op, boundary)| {
        if let Some(text) = text(plan.op(op), boundary) {
            let text = text.to_owned();
            return Some(Target {
                texts: vec![TargetText { op, text }],
                ..Target::default()
            });
        }
        let (low, high) = bounds(&ranges, op, boundary)?;
        let high = high.min(affordable.of(op));
        if low > high {
            return None;
        }
        Some(match (&plan.info(op).derived, measured(plan, op)) {
            (_, Some((of, scale))) => {
                let amount = scale.measure(low)?;
                let is_less = scale.value(amount).is_some_and(|value| value < low);
                let amount = amount + i128::from(is_less);
                let amount = match boundary {
                    Boundary::Greatest => amount.min(LONGEST_LIMITED),
                    _ => amount,
                };
                let amount = u64::try_from(amount).ok()?;
                match boundary == Boundary::SIGN {
                    true => larger(plan, of, amount, round),
                    false => longer(plan, of, amount),
                }
            }
            // An offset depends on the length of everything before it, so the whole trace is made
            // longer.
            (Some(_), None) => Target {
                bytes: Some(u64::try_from(low).ok()?.min(LONGEST) + 1_000),
                ..Target::default()
            },
            _ => Target {
                numbers: vec![TargetNumber {
                    op,
                    low,
                    high,
                    after: AFTER[round % AFTER.len()],
                }],
                ..Target::default()
            },
        })
    });
    targets.collect()
}

/// Returns a target that makes one string or byte array inside `of` at least `least` bytes long,
/// choosing a different one in each round. If `of` contains no string or byte array, the target
/// makes `of` itself longer.
pub(super) fn larger(plan: &Plan, of: OpId, least: u64, round: usize) -> Target {
    let inside = (of.0..plan.op(of).end.max(of.0 + 1)).map(OpId);
    let texts = inside.filter(|op| matches!(plan.op(*op).kind, Kind::Text(..) | Kind::Bytes(_)));
    let texts: Vec<OpId> = texts.collect();
    match texts.get(round % texts.len().max(1)) {
        Some(op) => Target {
            lengths: vec![TargetLength { op: *op, least }],
            ..Target::default()
        },
        None => longer(plan, of, least / ELEMENT),
    }
}

/// Returns a target that makes the operation `of`, and the lists inside it that extend to its end,
/// at least `least` elements or bytes long.
fn longer(plan: &Plan, of: OpId, least: u64) -> Target {
    let inside = (of.0..plan.op(of).end.max(of.0 + 1)).map(OpId);
    let grows = inside.filter(|op| {
        *op == of
            || match plan.op(*op).kind {
                Kind::Repeat(repeat) => plan.repeats[repeat].count == Count::ToEnd,
                _ => false,
            }
    });
    Target {
        lengths: grows.map(|op| TargetLength { op, least }).collect(),
        ..Target::default()
    }
}

/// Returns targets for lists with a byte size that does not fit in 16 bits. The targets are used in
/// the first round, and again every few rounds until every operation that can trigger a rule that
/// readers must tolerate has done so.
fn large(plan: &Plan, missed: &[Obligation], round: usize) -> Vec<Target> {
    let mut targets = Vec::new();
    let told = |obligation: &Obligation| match obligation {
        Obligation::At(rule, _) => plan.rules[*rule].duty == ReaderDuty::Accept,
        _ => false,
    };
    let is_due = round == 0 || round.is_multiple_of(LARGE_ROUNDS) && missed.iter().any(told);
    if !is_due {
        return targets;
    }
    for describes in &plan.describes {
        let plain = describes.codes.iter();
        let mut plain = plain.filter(|code| !code.holds && code.extent == CodeExtent::Fixed);
        let plain = plain.next().map(|code| code.code);
        for holder in describes.codes.iter().filter(|code| code.holds) {
            let target = Target {
                codes: std::iter::once(holder.code).chain(plain).collect(),
                large: true,
                ..Target::default()
            };
            targets.extend(std::iter::repeat_n(target, TIMES_LARGE));
        }
    }
    targets
}

/// Returns sequences of type codes that may make a reader run `to` directly after `from`, each with
/// a flag that states whether the generator may leave the containers in the sequence empty.
fn pair(plan: &Plan, from: OpId, to: OpId, round: usize) -> Vec<(Vec<i128>, bool)> {
    let (first, second) = match (Place::of(plan, from), Place::of(plan, to)) {
        (Some(first), Some(second)) => (first, second),
        (Some(place), None) | (None, Some(place)) => return vec![(place.sequence(round), false)],
        (None, None) => return Vec::new(),
    };
    let (before, after) = (first.sequence(round), second.sequence(round));
    // A list directly precedes `to` only if it has no elements, so containers may be empty.
    let may_be_empty = matches!(plan.op(from).kind, Kind::Repeat(_));
    let mut found = vec![([before.clone(), after.clone()].concat(), may_be_empty)];
    if holds(plan, first.code) {
        // The contents of the first value lie between the two operations and may be empty.
        let plain = |code: &&LayoutCodePlan| !holds(plan, code) && code.units.is_none();
        let between = first.layout.iter().find(plain).unwrap_or(second.code);
        let spaced = [before, vec![between.code], after].concat();
        found.push((spaced, round.is_multiple_of(2)));
    }
    found
}

/// The location of an operation among the values of layouts.
struct Place<'p> {
    /// The innermost layout.
    layout: &'p [LayoutCodePlan],
    /// The type code of the value.
    code: &'p LayoutCodePlan,
    /// The type codes of the enclosing values, outermost first, followed by the type code of the
    /// value itself.
    around: Vec<i128>,
    /// For a list of code units that is read as one string, the type codes that may contain it.
    as_text: Option<Vec<i128>>,
}

impl<'p> Place<'p> {
    fn of(plan: &'p Plan, op: OpId) -> Option<Self> {
        let inside = |code: &LayoutCodePlan| {
            let end = plan.op(code.op).end.max(code.op.0 + 1);
            (code.op.0..end).contains(&op.0)
        };
        let all = plan.layouts.iter().flat_map(|layout| {
            let codes = layout.codes.iter();
            codes.map(|code| (layout.codes.as_slice(), code))
        });
        let mut around: Vec<_> = all.clone().filter(|(_, code)| inside(code)).collect();
        around.sort_by_key(|(_, code)| code.op);
        let text = all.clone().find(|(_, code)| code.units == Some(op));
        let (layout, code) = text.or(around.last().copied())?;
        let holders = layout.iter().filter(|code| holds(plan, code));
        Some(Self {
            layout,
            code,
            around: around.iter().map(|(_, code)| code.code).collect(),
            as_text: text.map(|_| holders.map(|code| code.code).collect()),
        })
    }

    /// Returns the type codes that a trace must declare in order to contain the value.
    fn sequence(&self, round: usize) -> Vec<i128> {
        let Some(holders) = &self.as_text else {
            return self.around.clone();
        };
        let holder = holders.get(round % holders.len().max(1)).copied();
        holder.into_iter().chain([self.code.code]).collect()
    }
}

/// Returns true if values of the type code contain other values.
fn holds(plan: &Plan, code: &LayoutCodePlan) -> bool {
    matches!(plan.op(code.op).kind, Kind::Nested(_))
}

/// Returns true if an operation reads values whose types the trace itself declares.
pub(super) fn is_among_values(plan: &Plan, op: OpId) -> bool {
    Place::of(plan, op).is_some()
}
