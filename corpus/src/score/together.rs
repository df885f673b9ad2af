//! Decides which conditions can hold at the same time. Conditions read values from *slots*, where
//! the decoder stores the values of fields. The search tries every value of slots that contain
//! small numbers. For larger numbers, the search tries the values next to the constants in the
//! conditions.

use std::collections::BTreeMap;

use tracegauge_plan::evaluate::Domain;
use tracegauge_plan::evaluate::interval::{Interval, Intervals, Knowledge};
use tracegauge_plan::{Code, Kind, OpId, Plan, Slot, each_code, flags};

/// The maximum number of combinations to try. If there are more combinations, conditions are
/// considered compatible unless they directly contradict each other.
const MOST: usize = 1 << 16;

/// All values of a number are tried only if it has at most this many bits.
const FEW_BITS: u8 = 8;

/// Decides whether conditions can hold at the same time.
pub(super) struct Together<'p> {
    plan: &'p Plan,
    ranges: std::collections::HashMap<OpId, tracegauge_plan::Allowed>,
}

impl<'p> Together<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            ranges: plan.ranges(),
        }
    }

    /// Returns true if the condition of `op` depends on `field`.
    pub(super) fn asks(&self, op: OpId, field: OpId) -> bool {
        let slot = self.plan.op(field).slot;
        self.slots(op).contains(&slot)
    }

    /// Returns true if the conditions of the parts allow the given combination of present and
    /// absent parts.
    pub(super) fn can_be(&self, parts: &[(OpId, bool)]) -> bool {
        // For each slot, the operation whose condition depends on it.
        let asks = |op: OpId| self.slots(op).into_iter().map(move |slot| (slot, op));
        let asked: BTreeMap<Slot, OpId> = parts.iter().flat_map(|(op, _)| asks(*op)).collect();
        let named = self.constants(parts);
        let Some(domains) = asked
            .iter()
            .map(|(slot, by)| self.domain(*slot, *by, &named))
            .collect::<Option<Vec<_>>>()
        else {
            return !self.contradicts(parts);
        };
        let sizes = domains.iter().map(Vec::len);
        let number = sizes.fold(1_usize, usize::saturating_mul);
        if number > MOST {
            return !self.contradicts(parts);
        }
        (0..number).any(|mut number| {
            let mut values = BTreeMap::new();
            for (slot, domain) in asked.keys().zip(&domains) {
                values.insert(*slot, domain[number % domain.len()]);
                number /= domain.len();
            }
            parts.iter().all(|(op, wanted)| {
                let holds = self.holds(*op, &values);
                holds.is_none_or(|holds| holds == *wanted)
            })
        })
    }

    /// Returns true if the same condition would have to be both true and false, or if a part
    /// without a condition would have to be absent.
    fn contradicts(&self, parts: &[(OpId, bool)]) -> bool {
        parts.iter().enumerate().any(|(at, (one, there))| {
            let mut others = parts[at + 1..].iter();
            others.any(|(two, wanted)| {
                let guard = |op: OpId| {
                    let described = self.plan.op(op);
                    (described.flags & flags::GUARD != 0).then_some(described.guard)
                };
                match (guard(*one), guard(*two)) {
                    (Some(one), Some(two)) => one == two && there != wanted,
                    (None, _) => !there,
                    (_, None) => !wanted,
                }
            })
        })
    }

    fn slots(&self, op: OpId) -> Vec<Slot> {
        let described = self.plan.op(op);
        let mut found = Vec::new();
        if described.flags & flags::GUARD != 0 {
            each_code(self.plan, described.guard, &mut |code| {
                if let Code::Slot(slot) = code {
                    found.push(*slot);
                }
            });
        }
        found
    }

    /// Returns the constants in the conditions of the parts.
    fn constants(&self, parts: &[(OpId, bool)]) -> Vec<i128> {
        let mut found = Vec::new();
        for (op, _) in parts {
            let described = self.plan.op(*op);
            if described.flags & flags::GUARD != 0 {
                each_code(self.plan, described.guard, &mut |code| match code {
                    Code::Int(value) => found.push(*value),
                    Code::HasBits(_, mask) => found.push(i128::from(*mask)),
                    _ => {}
                });
            }
        }
        found
    }

    /// Returns the values to try for a slot. Returns `None` if the slot is not a number or is not
    /// always present. For a small number, all values are tried. For a larger number, only values
    /// that may change the result of a condition are tried.
    fn domain(&self, slot: Slot, asked_by: OpId, named: &[i128]) -> Option<Vec<i128>> {
        let op = self.plan.field_before(slot, asked_by)?;
        let described = self.plan.op(op);
        if described.flags & flags::GUARD != 0 {
            return None;
        }
        let (bits, signed) = match described.kind {
            Kind::Bits { width, .. } => (width, false),
            Kind::Integer(integer) => (integer.width * 8, integer.signed),
            _ => return None,
        };
        let (least, most) = match signed {
            false => (0, (1_i128 << bits) - 1),
            true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        };
        let allowed = self.ranges.get(&op);
        let low = allowed.and_then(|allowed| allowed.low);
        let high = allowed.and_then(|allowed| allowed.high);
        let range = low.unwrap_or(least).max(least)..=high.unwrap_or(most).min(most);
        let domain: Vec<i128> = match bits <= FEW_BITS {
            true => range.collect(),
            false => {
                let turns = named
                    .iter()
                    .flat_map(|value| [value - 1, *value, value + 1]);
                let turns = turns.chain([*range.start(), *range.end()]);
                turns.filter(|value| range.contains(value)).collect()
            }
        };
        (!domain.is_empty()).then_some(domain)
    }

    /// Returns true if a part is present. Returns `None` if its presence depends on a value that is
    /// not in `values`.
    fn holds(&self, op: OpId, values: &BTreeMap<Slot, i128>) -> Option<bool> {
        let described = self.plan.op(op);
        if described.flags & flags::GUARD == 0 {
            return Some(true);
        }
        let known = Values(values);
        let plan = self.plan;
        let holds = Intervals { plan, known }.evaluate(described.guard)?;
        holds.truth()
    }
}

/// Known values of slots.
struct Values<'v>(&'v BTreeMap<Slot, i128>);

impl Knowledge for Values<'_> {
    fn slot(&self, slot: Slot) -> Option<Interval> {
        self.0.get(&slot).copied().map(Interval::only)
    }
}
