//! Values at the ends of what fields may have: where readers are known to cut numbers, and to
//! take a sign for a digit.

use std::collections::BTreeSet;

use tracegauge_decoder::tree::{Payload, Tree};
use tracegauge_spec::plan::mutate::values_read;
use tracegauge_spec::plan::{CheckKind, Code, CodeId, Kind, OpId, Plan};
use tracegauge_spec::schema::{ReaderDuty, VariableKind};

use super::Obligation;

/// A value that a field has somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Boundary {
    /// The least that it may have.
    Least,
    /// The greatest that it may have.
    Greatest,
    /// One below zero.
    Negative,
    /// One that needs more than so many bits.
    MoreThan(u8),
}

impl Boundary {
    /// It in words.
    pub fn name(self) -> String {
        match self {
            Self::Least => "least".to_owned(),
            Self::Greatest => "greatest".to_owned(),
            Self::Negative => "below zero".to_owned(),
            Self::MoreThan(bits) => format!("over {bits} bits"),
        }
    }
}

/// Widths to which readers cut numbers.
const CUTS: [u8; 3] = [8, 16, 32];

/// Bits in each byte of a variable-length integer.
const GROUP: u8 = 7;

/// Bits of a number that says how much there is; more would need files of many kilobytes.
const MOST_MEASURED: u8 = 8;

/// The boundaries of every field of which something is read.
pub(super) fn boundaries(plan: &Plan) -> Vec<Obligation> {
    let mut found = Vec::new();
    let ranges = Ranges::new(plan);
    for (at, is_read) in values_read(plan).into_iter().enumerate() {
        let op = OpId(u32::try_from(at).unwrap_or(u32::MAX));
        if is_read && let Some(range) = ranges.of(op) {
            let wanted = wanted(plan, op, range).into_iter();
            found.extend(wanted.map(|boundary| Obligation::Value(op, boundary)));
        }
    }
    found
}

/// The members of every enumeration of which a field is read.
pub(super) fn members(plan: &Plan) -> Vec<Obligation> {
    let mut found = BTreeSet::new();
    for (at, is_read) in values_read(plan).into_iter().enumerate() {
        let Some(set) = plan.infos[at].presentation.enumeration.filter(|_| is_read) else {
            continue;
        };
        let op = OpId(u32::try_from(at).unwrap_or(u32::MAX));
        let members = plan.enums[set as usize].members.iter().zip(0..);
        let possible = members
            .filter(|(member, _)| member.broken.is_none() && permits(plan, op, member.value));
        found.extend(possible.map(|(_, number)| Obligation::Member(set, number)));
    }
    found.into_iter().collect()
}

/// No test says that the field has another value.
fn permits(plan: &Plan, op: OpId, value: i128) -> bool {
    let is = |code: &CodeId| match plan.codes[code.index()] {
        Code::Int(number) => number == value,
        _ => true,
    };
    let mut tests = plan.tests_of(op).iter();
    tests.all(|check| {
        check.condition.is_some()
            || !binds(plan, check.rule)
            || match &check.kind {
                CheckKind::Equal(code) => is(code),
                CheckKind::AnyOf(codes) => codes.iter().any(is),
                _ => true,
            }
    })
}

fn wanted(plan: &Plan, op: OpId, (low, high): (i128, i128)) -> BTreeSet<Boundary> {
    let info = plan.info(op);
    let needs = |bits: &u8| high >> *bits > 0;
    let mut wanted = BTreeSet::new();
    // So many rows are not defined either.
    if info.derived.is_some() || info.refs.is_some() {
        let bits = [MOST_MEASURED].into_iter().filter(|bits| needs(bits));
        wanted.extend(bits.map(Boundary::MoreThan));
        return wanted;
    }
    if low < 0 {
        wanted.insert(Boundary::Negative);
    }
    let steps = match plan.op(op).kind {
        Kind::Variable(..) => (1..10).map(|groups| groups * GROUP).collect(),
        _ => CUTS.to_vec(),
    };
    let steps = steps.into_iter().filter(needs);
    wanted.extend(steps.map(Boundary::MoreThan));
    // Where a value follows from others its ends may be out of reach.
    if info.carry.is_none() && info.hints.moving.is_none() {
        wanted.extend([Boundary::Least, Boundary::Greatest]);
    }
    wanted
}

/// What a number can be on the wire, or after what it is carried from.
fn whole(plan: &Plan, op: OpId) -> Option<(i128, i128)> {
    let of = |bits: u32, signed: bool| match signed {
        true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        false => (0, (1_i128 << bits) - 1),
    };
    let whole = match plan.op(op).kind {
        Kind::Integer(integer) => of(u32::from(integer.width) * 8, integer.signed),
        Kind::Variable(kind, bits) => of(u32::from(bits), kind != VariableKind::Unsigned),
        Kind::Bits { width, .. } => of(u32::from(width), false),
        _ => return None,
    };
    let Some(carry) = plan.info(op).carry else {
        return Some(whole);
    };
    let carry = &plan.carries[carry as usize];
    let wraps = carry.wraps.map_or(i128::MAX, |bits| (1 << bits) - 1);
    Some((0, carry.greatest.min(wraps)))
}

/// The boundaries that the values of a trace are at.
pub(super) fn met(plan: &Plan, tree: &Tree, ranges: &Ranges, met: &mut BTreeSet<Obligation>) {
    for node in &tree.nodes {
        let Payload::Bits(bits) = node.payload else {
            continue;
        };
        let set = plan.info(node.op).presentation.enumeration;
        if let Some(set) = set {
            let signed = ranges.of(node.op).is_some_and(|(low, _)| low < 0);
            let value = match signed {
                true => i128::from(bits.cast_signed()),
                false => i128::from(bits),
            };
            let members = plan.enums[set as usize].members.iter().zip(0..);
            let named = members.filter(|(member, _)| member.value == value);
            met.extend(named.map(|(_, number)| Obligation::Member(set, number)));
        }
        let Some((low, high)) = ranges.of(node.op) else {
            continue;
        };
        let value = match low < 0 {
            true => i128::from(bits.cast_signed()),
            false => i128::from(bits),
        };
        let mut put = |boundary| {
            met.insert(Obligation::Value(node.op, boundary));
        };
        if value < 0 {
            put(Boundary::Negative);
        }
        if value == low {
            put(Boundary::Least);
        }
        if value == high {
            put(Boundary::Greatest);
        }
        let groups = (1..10).map(|groups| groups * GROUP);
        for bits in CUTS.into_iter().chain(groups) {
            if value >> bits > 0 {
                put(Boundary::MoreThan(bits));
            }
        }
    }
}

fn binds(plan: &Plan, rule: Option<u32>) -> bool {
    rule.is_none_or(|rule| plan.rules[rule as usize].duty != ReaderDuty::Accept)
}

/// What each field may have.
pub(crate) struct Ranges(Vec<Option<(i128, i128)>>);

impl Ranges {
    pub(crate) fn new(plan: &Plan) -> Self {
        let allowed = plan.ranges();
        let ops = (0..u32::MAX).map(OpId).take(plan.ops.len());
        let range = |op: OpId| {
            let (low, high) = whole(plan, op)?;
            let allowed = allowed.get(&op).filter(|_| plan.info(op).carry.is_none());
            let Some(allowed) = allowed else {
                return Some((low, high));
            };
            let low = allowed.low.map_or(low, |least| least.max(low));
            let high = allowed.high.map_or(high, |greatest| greatest.min(high));
            (low < high).then_some((low, high))
        };
        let ranges = ops.map(range).collect();
        Self(ranges)
    }

    pub(crate) fn of(&self, op: OpId) -> Option<(i128, i128)> {
        self.0.get(op.index()).copied().flatten()
    }
}
