//! What traces are made for where chance has not given it: type codes beside each other and
//! inside each other, in the layouts that traces themselves define; values at the ends of what
//! fields may have.

use std::collections::BTreeSet;

use tracegauge_generator::{Aim, AimedLength, AimedNumber};
use tracegauge_spec::plan::{CodeExtent, Count, Derived, Kind, LayoutCodePlan, OpId, Plan};

use crate::score::{Boundary, Obligation, Ranges};

/// How many traces are made that hold much.
const TIMES_LARGE: usize = 6;

/// Aims for what is missed: several for each, and others in each round.
pub(super) fn toward(plan: &Plan, missed: &[Obligation], round: usize) -> Vec<Aim> {
    let mut aims: BTreeSet<(Vec<i128>, bool)> = BTreeSet::new();
    for obligation in missed {
        let pairs: Vec<(OpId, OpId)> = match *obligation {
            Obligation::Edge(from, to) | Obligation::Inside(from, to) => vec![(from, to)],
            Obligation::Code(op) => vec![(op, op)],
            _ => Vec::new(),
        };
        for (from, to) in pairs {
            aims.extend(pair(plan, from, to, round));
        }
    }
    let aim = |(codes, may_be_empty)| Aim {
        codes,
        may_be_empty,
        ..Aim::default()
    };
    let aims = aims.into_iter().map(aim);
    let aims = aims.chain(members(plan, missed, round));
    aims.chain(values(plan, missed)).collect()
}

/// Aims for members of enumerations: in each of the fields that may have them, in turn.
fn members(plan: &Plan, missed: &[Obligation], round: usize) -> Vec<Aim> {
    let wanted = missed.iter().filter_map(|obligation| match obligation {
        Obligation::Member(set, member) => Some((*set, *member)),
        _ => None,
    });
    let aims = wanted.filter_map(|(set, member)| {
        let fields = plan.infos.iter().zip(0..);
        let fields = fields.filter(|(info, _)| info.presentation.enumeration == Some(set));
        let fields: Vec<OpId> = fields.map(|(_, op)| OpId(op)).collect();
        let op = *fields.get(round % fields.len().max(1))?;
        let value = plan.enums[set as usize].members[member as usize].value;
        Some(Aim {
            numbers: vec![AimedNumber {
                op,
                low: value,
                high: value,
            }],
            ..Aim::default()
        })
    });
    aims.collect()
}

/// Aims for values.
fn values(plan: &Plan, missed: &[Obligation]) -> Vec<Aim> {
    let wanted = missed.iter().filter_map(|obligation| match obligation {
        Obligation::Value(op, boundary) => Some((*op, *boundary)),
        _ => None,
    });
    let wanted: Vec<(OpId, Boundary)> = wanted.collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let ranges = Ranges::new(plan);
    let aims = wanted.into_iter().filter_map(|(op, boundary)| {
        let (low, high) = ranges.of(op)?;
        let (low, high) = match boundary {
            Boundary::Least => (low, low),
            Boundary::Greatest => (high, high),
            Boundary::Negative => (low, -1),
            Boundary::MoreThan(bits) => (1 << bits, high),
        };
        Some(match &plan.info(op).derived {
            Some(Derived::Measured {
                of, factor, add, ..
            }) => {
                let amount = (low - add + factor - 1) / (*factor).max(1);
                longer(plan, *of, u64::try_from(amount).ok()?)
            }
            _ => Aim {
                numbers: vec![AimedNumber { op, low, high }],
                ..Aim::default()
            },
        })
    });
    aims.collect()
}

/// Something is so long, or what is inside it that goes up to its end.
fn longer(plan: &Plan, of: OpId, least: u64) -> Aim {
    let inside = (of.0..plan.op(of).end.max(of.0 + 1)).map(OpId);
    let grows = inside.filter(|op| {
        *op == of
            || match plan.op(*op).kind {
                Kind::Repeat(repeat) => plan.repeats[repeat as usize].count == Count::ToEnd,
                _ => false,
            }
    });
    Aim {
        lengths: grows.map(|op| AimedLength { op, least }).collect(),
        ..Aim::default()
    }
}

/// Lists of a described number of elements with more bytes than 16 bits can count.
pub(super) fn large(plan: &Plan) -> Vec<Aim> {
    let mut aims = Vec::new();
    for describes in &plan.describes {
        let plain = describes.codes.iter();
        let mut plain = plain.filter(|code| !code.holds && code.extent == CodeExtent::Fixed);
        let plain = plain.next().map(|code| code.code);
        for holder in describes.codes.iter().filter(|code| code.holds) {
            let aim = Aim {
                codes: std::iter::once(holder.code).chain(plain).collect(),
                large: true,
                ..Aim::default()
            };
            aims.extend(std::iter::repeat_n(aim, TIMES_LARGE));
        }
    }
    aims
}

/// Orders of type codes in which a trace may have one operation right after another.
fn pair(plan: &Plan, from: OpId, to: OpId, round: usize) -> Vec<(Vec<i128>, bool)> {
    let (first, second) = match (Place::of(plan, from), Place::of(plan, to)) {
        (Some(first), Some(second)) => (first, second),
        (Some(place), None) | (None, Some(place)) => return vec![(place.sequence(round), false)],
        (None, None) => return Vec::new(),
    };
    let (before, after) = (first.sequence(round), second.sequence(round));
    let mut found = vec![([before.clone(), after.clone()].concat(), false)];
    if holds(plan, first.code) {
        // What the first holds comes between them, and may be nothing.
        let plain = |code: &&LayoutCodePlan| !holds(plan, code) && code.units.is_none();
        let between = first.layout.iter().find(plain).unwrap_or(second.code);
        let spaced = [before, vec![between.code], after].concat();
        found.push((spaced, round.is_multiple_of(2)));
    }
    found
}

/// Where an operation belongs among the values of layouts.
struct Place<'p> {
    /// The innermost layout.
    layout: &'p [LayoutCodePlan],
    /// The code of the value there.
    code: &'p LayoutCodePlan,
    /// Codes of the values around it, from the outside in, and its own.
    around: Vec<i128>,
    /// It is a list of code units, shown as one text: codes of what may hold them.
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

    /// The codes that a trace describes to have the value.
    fn sequence(&self, round: usize) -> Vec<i128> {
        let Some(holders) = &self.as_text else {
            return self.around.clone();
        };
        let holder = holders.get(round % holders.len().max(1)).copied();
        holder.into_iter().chain([self.code.code]).collect()
    }
}

/// Values of the code hold others.
fn holds(plan: &Plan, code: &LayoutCodePlan) -> bool {
    matches!(plan.op(code.op).kind, Kind::Nested(_))
}
