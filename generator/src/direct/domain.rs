//! The values that a field may have, from its tests and from what is live.

use tracegauge_decoder::{Input, Machine, Refused, Value};
use tracegauge_spec::plan::{CheckKind, CodeId, Kind, OpId, Plan};
use tracegauge_spec::schema::VariableKind;

use super::index::strict;
use super::{Directed, Director};
use crate::tape::Choices;

/// The values that a field may have.
#[derive(Clone, Debug)]
pub struct Domain {
    /// Least.
    pub low: i128,
    /// Greatest.
    pub high: i128,
    /// Only these, each with a weight; none: the whole range.
    pub only: Option<Vec<(i128, u64)>>,
    /// Not these.
    pub not: Vec<i128>,
    /// Only these bits.
    pub mask: Option<u64>,
    /// Values to prefer.
    pub liked: Vec<i128>,
    /// A part of the range to prefer.
    pub usual: Option<(i128, i128)>,
}

impl Domain {
    /// There is no value.
    pub fn is_empty(&self) -> bool {
        self.low > self.high || self.only.as_ref().is_some_and(Vec::is_empty)
    }

    /// The value is one of them.
    pub fn contains(&self, value: i128) -> bool {
        let listed = self.only.as_ref();
        let bits = |mask: u64| value & !i128::from(mask) == 0;
        !self.not.contains(&value)
            && self.mask.is_none_or(bits)
            && (self.low..=self.high).contains(&value)
            && listed.is_none_or(|only| only.iter().any(|(known, _)| *known == value))
    }
}

/// Every value that a kind of number can have on the wire.
pub fn wire_range(kind: &Kind) -> (i128, i128) {
    match kind {
        Kind::Integer(integer) => {
            let bits = u32::from(integer.width) * 8;
            if integer.signed {
                (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
            } else {
                (0, (1_i128 << bits) - 1)
            }
        }
        Kind::Variable(VariableKind::Unsigned, bits) => (0, (1_i128 << bits) - 1),
        Kind::Variable(_, bits) => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        Kind::Bits { width, .. } => (0, (1_i128 << width) - 1),
        Kind::Float { width, .. } => (0, (1_i128 << (u32::from(*width) * 8)) - 1),
        _ => (0, 0),
    }
}

/// The values that field `op` may have here so that every reader accepts it.
pub fn domain<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> Domain {
    let plan = machine.plan();
    let (low, high) = wire_range(&plan.op(op).kind);
    let mut domain = Domain {
        low,
        high,
        only: None,
        not: Vec::new(),
        mask: None,
        liked: Vec::new(),
        usual: None,
    };
    let hints = &plan.info(op).hints;
    domain.usual = hints.range;
    domain.liked.extend_from_slice(&hints.integers);
    tests(machine, op, &mut domain);
    constructed(machine, op, &mut domain);
    if plan.info(op).carry.is_some() {
        carried(machine, op, &mut domain);
    }
    feasible(machine, op, &mut domain);
    weigh(plan, op, &mut domain);
    domain
}

/// Tests whose breach some reader rejects bound the values; tolerated ones only say what is
/// usual.
fn tests<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut Domain,
) {
    let plan = machine.plan();
    if matches!(plan.op(op).kind, Kind::Float { .. }) {
        // Chosen by its bits, and made to fit afterwards.
        return;
    }
    let (first, count) = plan.op(op).checks;
    for check in &plan.checks[first.0 as usize..first.0 as usize + usize::from(count)] {
        let unwanted = check
            .condition
            .is_some_and(|condition| !machine.value(condition, Value::Absent).truth());
        if unwanted {
            continue;
        }
        let mut integer = |code: &CodeId| machine.value(*code, Value::Absent).integer();
        let binding = strict(plan, check.rule);
        match &check.kind {
            CheckKind::Equal(code) => {
                if let Some(value) = integer(code) {
                    if binding {
                        domain.only = Some(vec![(value, 1)]);
                    } else {
                        domain.liked.push(value);
                    }
                }
            }
            CheckKind::Min(code) => {
                if let (true, Some(value)) = (binding, integer(code)) {
                    domain.low = domain.low.max(value);
                }
            }
            CheckKind::Max(code) => {
                if let (true, Some(value)) = (binding, integer(code)) {
                    domain.high = domain.high.min(value);
                }
            }
            CheckKind::AnyOf(codes) => {
                let values: Vec<i128> = codes.iter().filter_map(integer).collect();
                if binding {
                    let values = values.into_iter().map(|value| (value, 1));
                    restrict(domain, values.collect());
                } else {
                    domain.liked.extend(values);
                }
            }
            CheckKind::InEnum(set) => {
                let members = &plan.enums[*set as usize].members;
                let declared = members.iter().filter(|member| member.broken.is_none());
                let values = declared.map(|member| (member.value, 1)).collect();
                if binding {
                    restrict(domain, values);
                } else {
                    domain.liked.extend(values.iter().map(|(value, _)| *value));
                }
            }
            CheckKind::InFlags(set) => {
                let bits = &plan.flag_sets[*set as usize].bits;
                let known = bits
                    .iter()
                    .fold(0, |known, (_, mask)| known | i128::from(*mask));
                if binding {
                    domain.high = domain.high.min(known);
                    let gaps = known & (known + 1) != 0;
                    domain.mask = u64::try_from(known).ok().filter(|_| gaps);
                }
            }
            CheckKind::NotEmpty | CheckKind::Holds(_) => {}
        }
    }
}

/// The value that the description makes: the only one where a test cannot be solved.
fn constructed<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut Domain,
) {
    let plan = machine.plan();
    let Some(code) = plan.info(op).hints.construct else {
        return;
    };
    let Some(value) = machine.value(code, Value::Absent).integer() else {
        return;
    };
    let (first, count) = plan.op(op).checks;
    let checks = &plan.checks[first.0 as usize..first.0 as usize + usize::from(count)];
    let unsolved = checks
        .iter()
        .any(|check| matches!(check.kind, CheckKind::Holds(_)) && strict(plan, check.rule));
    if unsolved {
        restrict(domain, vec![(value, 1)]);
    } else {
        domain.liked.push(value);
    }
}

fn restrict(domain: &mut Domain, values: Vec<(i128, u64)>) {
    match &mut domain.only {
        Some(only) => only.retain(|(value, _)| values.iter().any(|(known, _)| known == value)),
        none => *none = Some(values),
    }
}

/// What can be added without leaving the range of the sum.
fn carried<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut Domain,
) {
    let plan = machine.plan();
    let Some(carry) = plan
        .info(op)
        .carry
        .map(|index| &plan.carries[index as usize])
    else {
        return;
    };
    if !carry.add || carry.wraps.is_some() || !strict(plan, carry.overflow) {
        return;
    }
    let base = match (carry.register, carry.previous) {
        (Some(register), _) => machine.state().registers[register as usize].unwrap_or(0),
        (None, Some(slot)) => machine.slot(slot).integer().unwrap_or(0),
        (None, None) => 0,
    };
    domain.high = domain.high.min(carry.greatest - base);
}

/// One in so many references to a row that need not be there is to none.
const DANGLING: u64 = 15;

/// The key of a row that is live; an unknown one only where no reader minds. `Ok(None)`: the
/// field names no row here, and any value will do.
pub fn reference<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    wanted: Option<i128>,
) -> Result<Option<i128>, Refused> {
    let plan = machine.plan();
    let Some(refs) = plan.info(op).refs.map(|index| &plan.refs[index as usize]) else {
        return Ok(None);
    };
    let unwanted = refs
        .condition
        .is_some_and(|condition| !machine.value(condition, Value::Absent).truth());
    if unwanted || plan.info(op).carry.is_some() {
        return Ok(None);
    }
    let none = refs
        .none
        .and_then(|none| machine.value(none, Value::Absent).integer());
    let table = &machine.state().tables[refs.table as usize];
    let (places, live) = (table.places() as u64, !table.is_empty());
    let place = wanted.map(|key| {
        let row = u64::try_from(key).ok().and_then(|key| table.find(key));
        row.map(u64::from).or((Some(key) == none).then_some(places))
    });
    let tolerated =
        !strict(plan, refs.dangling) && refs.later.is_none_or(|later| !strict(plan, Some(later)));
    let director = machine.visitor_mut();
    if tolerated || director.options.odd {
        let dangles = place.map(|place| if place.is_none() { DANGLING } else { 0 });
        if director.choices.choose(DANGLING, dangles) == DANGLING {
            return Ok(None);
        }
    }
    let total = if live { places } else { 0 } + u64::from(none.is_some());
    if total == 0 {
        let why = "no row is live that it could name";
        return if tolerated {
            Ok(None)
        } else {
            Err(director.refuse(op, why))
        };
    }
    let first = if live { 0 } else { places };
    let wanted = place.flatten().map(|place| place - first);
    let chosen = first + director.choices.choose(total - 1, wanted);
    let chosen = usize::try_from(chosen).unwrap_or_default();
    let table = &machine.state().tables[refs.table as usize];
    Ok(match none {
        Some(none) if chosen as u64 >= places => Some(none),
        _ => table.row_from(chosen).map(|row| i128::from(row.key)),
    })
}

/// A field that decides what follows must not decide for what is impossible here.
fn feasible<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut Domain,
) {
    let plan = machine.plan();
    let index = std::sync::Arc::clone(&machine.visitor().index);
    let Some(switches) = index.decides.get(&plan.op(op).slot) else {
        return;
    };
    let possible = |arm: OpId| {
        index.needs.get(&arm).is_none_or(|tables| {
            tables
                .iter()
                .all(|table| !machine.state().tables[*table as usize].is_empty())
        })
    };
    for switch in switches {
        let Kind::Switch(number) = plan.op(*switch).kind else {
            continue;
        };
        let described = &plan.switches[number as usize];
        let labels = |wanted: bool| {
            let arms = described.arms.iter();
            arms.filter(move |(_, arm)| possible(*arm) == wanted)
                .flat_map(|(labels, _)| labels.iter().copied())
        };
        let others = described.default.is_none_or(possible);
        match &mut domain.only {
            Some(only) => only.retain(|(value, _)| {
                let labelled = described.arms.iter().any(|(l, _)| l.contains(value));
                if labelled {
                    labels(true).any(|label| label == *value)
                } else {
                    others
                }
            }),
            None if others => domain.not.extend(labels(false)),
            None => restrict(domain, labels(true).map(|label| (label, 1)).collect()),
        }
    }
}

/// The description's weights.
fn weigh(plan: &Plan, op: OpId, domain: &mut Domain) {
    let weights = &plan.info(op).hints.weights;
    match &mut domain.only {
        Some(only) => {
            for (value, weight) in only {
                let hint = weights.iter().find(|(known, _)| known == value);
                *weight = hint.map_or(1, |(_, hint)| u64::from(*hint).max(1));
            }
        }
        None => domain.liked.extend(weights.iter().map(|(value, _)| *value)),
    }
}

impl<C: Choices, const TREE: bool> Director<'_, C, TREE> {
    /// A key that no live row has, starting from `key`.
    pub(super) fn free_key<I: Input>(
        machine: &Machine<'_, I, Self>,
        table: u32,
        key: u64,
        greatest: u64,
    ) -> Option<u64> {
        let table = &machine.state().tables[table as usize];
        let mut key = key;
        for _ in 0..=table.len() {
            if table.find(key).is_none() {
                return Some(key);
            }
            key = if key >= greatest { 0 } else { key + 1 };
        }
        None
    }
}
