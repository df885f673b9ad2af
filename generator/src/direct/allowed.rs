//! Derives the possible values of a field from its tests and from the state of the machine.

use std::borrow::Cow;

use tracegauge_decoder::{Input, Value};
use tracegauge_plan::{CheckKind, CheckPlan, Code, CodeId, Kind, OpId, Plan};

use super::domain::{Domain, restrict, wire_range};
use super::index::Index;
use super::reference::own_condition;
use super::severity::{Severity, firm, stays_empty, strict};
use super::stored::whole_range;
use super::{Directed, MOST_ROWS, PLAIN_ROWS, carried, lists, lookahead, solve};
use crate::tape::Choices;

/// Returns the values that `op` may have at the current position so that every reader accepts the
/// trace. For a carried field, these are the values that readers compute, not the numbers stored in
/// the trace.
pub fn domain<'i, I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    index: &'i Index,
    op: OpId,
) -> Cow<'i, Domain> {
    if let Some(Some(fixed)) = index.fixed.get(op.index()) {
        return Cow::Borrowed(fixed);
    }
    let plan = machine.plan();
    let (low, high) = whole_range(machine, op);
    let mut domain = described(plan, index, op, (low, high));
    if let Some((from, to)) = plan.info(op).hints.moving {
        let mut end = |code| machine.value(code, Value::Absent).integer();
        domain.usual = end(from).zip(end(to));
        domain.clock = domain.usual.is_some() && !machine.visitor().options.odd;
    }
    tests(machine, op, Severity::Hard, &mut domain);
    if let Some(refers) = own_condition(plan, op) {
        // A value that refers to a row is chosen elsewhere.
        solve::avoid(plan, op, refers, &mut domain, &mut |code| {
            machine.value(code, Value::Absent).integer()
        });
    }
    lookahead::narrow(machine, op, &mut domain);
    lists::arranged(machine, op, &mut domain);
    let checks = plan.tests_of(op);
    if checks
        .iter()
        .any(|check| firm(plan, check.rule) == Severity::Soft)
    {
        let mut wished = domain.clone();
        tests(machine, op, Severity::Soft, &mut wished);
        if !wished.is_empty() {
            domain = wished;
        }
    }
    if index.ascending.contains(&op) && !machine.visitor().options.odd {
        // Small steps leave room for the values that follow.
        let step = (domain.high.saturating_sub(domain.low) / STEPS).clamp(1, LARGEST_STEP);
        domain.usual = Some((domain.low, domain.low.saturating_add(step)));
        domain.clock = true;
    }
    constructed(machine, op, &mut domain);
    carried_on(machine, op, &mut domain);
    feasible(machine, op, &mut domain);
    finished(plan, op, &mut domain);
    Cow::Owned(domain)
}

/// The number of steps that an ascending sequence of values has room for at any time.
const STEPS: i128 = 1024;

/// The largest step of an ascending sequence of values.
const LARGEST_STEP: i128 = 20_000;

/// Returns, for each operation, its domain if the domain is the same in every context.
pub fn all_fixed(plan: &Plan, index: &Index) -> Vec<Option<Domain>> {
    let ids = (0..plan.ops.len()).map(OpId::from);
    ids.map(|id| fixed(plan, index, id)).collect()
}

/// Returns the domain of `op` if it is the same in every context.
fn fixed(plan: &Plan, index: &Index, op: OpId) -> Option<Domain> {
    let numeric = matches!(
        plan.op(op).kind,
        Kind::Integer(_) | Kind::Variable(..) | Kind::Float { .. } | Kind::Bits { .. }
    );
    let slot = &plan.op(op).slot;
    let depends = plan.info(op).carry.is_some()
        || plan.info(op).hints.moving.is_some()
        || plan.info(op).hints.construct.is_some()
        || own_condition(plan, op).is_some()
        || index.decides.contains_key(slot)
        || index.defining.contains_key(slot)
        || index.guards.contains_key(slot)
        || index.lookahead.bounds(*slot)
        || is_arranged(plan, op);
    if !numeric || depends {
        return None;
    }
    let mut domain = described(plan, index, op, wire_range(&plan.op(op).kind));
    let constant = |code: CodeId| match plan.codes[code.index()] {
        Code::Int(value) => Some(value),
        Code::Bool(value) => Some(i128::from(value)),
        _ => None,
    };
    let is_float = matches!(plan.op(op).kind, Kind::Float { .. });
    let tested = if is_float { &[][..] } else { plan.tests_of(op) };
    for wanted in [Severity::Hard, Severity::Soft] {
        for check in tested {
            let all_constant = check.condition.is_none()
                && match &check.kind {
                    CheckKind::Equal(code) | CheckKind::Min(code) | CheckKind::Max(code) => {
                        constant(*code).is_some()
                    }
                    CheckKind::AnyOf(codes) => codes.iter().all(|code| constant(*code).is_some()),
                    CheckKind::Holds(_) => false,
                    _ => true,
                };
            if !all_constant {
                return None;
            }
            test(plan, op, check, wanted, &mut domain, &mut |code| {
                constant(code)
            });
        }
    }
    finished(plan, op, &mut domain);
    Some(domain)
}

/// Returns whether `op` is inside a list that restricts the positions of its elements.
fn is_arranged(plan: &Plan, op: OpId) -> bool {
    let mut at = Some(op);
    while let Some(op) = at {
        if let Kind::Repeat(repeat) = plan.op(op).kind
            && plan.repeats[repeat].is_arranged()
        {
            return true;
        }
        at = plan.info(op).parent;
    }
    false
}

/// Returns the domain that follows from the kind of number and the hints in the description.
fn described(plan: &Plan, index: &Index, op: OpId, (low, high): (i128, i128)) -> Domain {
    let hints = &plan.info(op).hints;
    let date = index.dates.get(&op).copied().unwrap_or((low, high));
    let mut liked = hints.integers.clone();
    // A description without rules does not say that other values are wrong, but they lead nowhere.
    if plan.rules.is_empty() {
        liked.extend(named(plan, index, op));
    }
    Domain {
        liked,
        usual: hints.range,
        ..Domain::range(low.max(date.0), high.min(date.1))
    }
}

/// The maximum number of values of a field that are preferred because they have a name.
const MOST_NAMED: usize = 64;

/// Returns the members of a field's enumeration, and the values that select a case of a switch.
fn named(plan: &Plan, index: &Index, op: OpId) -> Vec<i128> {
    let members = plan.info(op).presentation.enumeration;
    let members = members.into_iter().flat_map(|set| &plan.enums[set].members);
    let switches = index.decides.get(&plan.op(op).slot).into_iter().flatten();
    let arms = switches.flat_map(|switch| match plan.op(*switch).kind {
        Kind::Switch(number) => plan.switches[number].arms.as_slice(),
        _ => &[],
    });
    let labels = arms.filter_map(|(labels, _)| labels.first().copied());
    let members = members.map(|member| member.value);
    members.chain(labels).take(MOST_NAMED).collect()
}

/// Applies the weights, and removes excluded values from the domain.
fn finished(plan: &Plan, op: OpId, domain: &mut Domain) {
    if stays_empty(plan, op) {
        restrict(domain, vec![(0, 1)]);
    }
    weigh(plan, op, domain);
    if let Some(only) = &mut domain.only {
        let not = &domain.not;
        only.retain(|(value, _)| !not.contains(value));
    }
}

/// Applies the tests of a field, in two passes that `wanted` selects. In the pass for
/// [`Severity::Hard`], a test restricts the values if some reader rejects a value that fails the
/// test; otherwise, the test only marks values as preferred. The pass for [`Severity::Soft`]
/// restricts the values to those that pass the remaining tests, which a conforming writer must
/// satisfy even though every reader tolerates a failure.
fn tests<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    wanted: Severity,
    domain: &mut Domain,
) {
    let plan = machine.plan();
    if matches!(plan.op(op).kind, Kind::Float { .. }) {
        // Floats are chosen by their bits and adjusted afterwards.
        return;
    }
    let slot = plan.op(op).slot;
    let (own, others): (Vec<_>, Vec<_>) = plan.tests_of(op).iter().partition(|check| {
        let condition = check.condition;
        condition.is_some_and(|condition| solve::mentions(plan, condition, slot))
    });
    for check in others {
        let unwanted = check
            .condition
            .is_some_and(|condition| !machine.value(condition, Value::Absent).truth());
        if !unwanted {
            test(plan, op, check, wanted, domain, &mut |code| {
                machine.value(code, Value::Absent).integer()
            });
        }
    }
    // If the condition of a test depends on the value itself, the value either passes the test or
    // makes the condition false.
    for check in own {
        let (mut passes, mut exempt) = (domain.clone(), domain.clone());
        let mut integer = |code| machine.value(code, Value::Absent).integer();
        test(plan, op, check, wanted, &mut passes, &mut integer);
        if let Some(condition) = check.condition {
            solve::avoid(plan, op, condition, &mut exempt, &mut integer);
        }
        *domain = one_of(machine, passes, exempt);
    }
    either(machine, op, domain);
}

/// Chooses which operand holds of each alternative that a domain must satisfy.
pub(super) fn either<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut Domain,
) {
    let plan = machine.plan();
    while let Some((left, right)) = domain.either.pop() {
        let (mut first, mut second) = (domain.clone(), domain.clone());
        let mut integer = |code| machine.value(code, Value::Absent).integer();
        solve::satisfy(plan, op, left, &mut first, &mut integer);
        solve::satisfy(plan, op, right, &mut second, &mut integer);
        *domain = one_of(machine, first, second);
    }
}

/// Returns one of two domains that contains a value, if there is one.
fn one_of<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    first: Domain,
    second: Domain,
) -> Domain {
    if first.is_empty() || second.is_empty() {
        return if first.is_empty() { second } else { first };
    }
    let emitter = machine.visitor_mut();
    match emitter.options.odd || emitter.choices.choose(1, None) == 0 {
        true => first,
        false => second,
    }
}

fn test(
    plan: &Plan,
    op: OpId,
    check: &CheckPlan,
    wanted: Severity,
    domain: &mut Domain,
    integer: &mut dyn FnMut(CodeId) -> Option<i128>,
) {
    let firm = firm(plan, check.rule);
    if (firm == Severity::Soft) != (wanted == Severity::Soft) {
        return;
    }
    let binding = firm == wanted;
    match &check.kind {
        CheckKind::Equal(code) => {
            if let Some(value) = integer(*code) {
                if binding {
                    domain.only = Some(vec![(value, 1)]);
                } else {
                    domain.liked.push(value);
                }
            }
        }
        CheckKind::Min(code) => {
            if let (true, Some(value)) = (binding, integer(*code)) {
                domain.low = domain.low.max(value);
            }
        }
        CheckKind::Max(code) => {
            if let (true, Some(value)) = (binding, integer(*code)) {
                domain.high = domain.high.min(value);
            }
        }
        CheckKind::AnyOf(codes) => {
            let values: Vec<i128> = codes.iter().filter_map(|code| integer(*code)).collect();
            if binding {
                let values = values.into_iter().map(|value| (value, 1));
                restrict(domain, values.collect());
            } else {
                domain.liked.extend(values);
            }
        }
        CheckKind::InEnum(set) => {
            let members = &plan.enums[*set].members;
            let declared = members.iter().filter(|member| member.broken.is_none());
            let values: Vec<(i128, u64)> = declared.map(|member| (member.value, 1)).collect();
            if binding {
                restrict(domain, values);
            } else {
                domain.liked.extend(values.iter().map(|(value, _)| *value));
            }
        }
        CheckKind::InFlags(set) => {
            let known = plan.flag_sets[*set].mask();
            if binding {
                domain.high = domain.high.min(known);
                let gaps = known & (known + 1) != 0;
                domain.mask = u64::try_from(known).ok().filter(|_| gaps);
            }
        }
        CheckKind::Holds(code) if binding => solve::satisfy(plan, op, *code, domain, integer),
        CheckKind::NotEmpty
        | CheckKind::Holds(_)
        | CheckKind::Json(_)
        | CheckKind::Signature(_) => {}
    }
}

/// Adds the value that the description computes for the field. If the generator cannot solve a test
/// of the field, the computed value becomes the only value.
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
    let unsolved = plan
        .tests_of(op)
        .iter()
        .any(|check| matches!(check.kind, CheckKind::Holds(_)) && strict(plan, check.rule));
    if unsolved {
        restrict(domain, vec![(value, 1)]);
    } else {
        domain.liked.push(value);
    }
}

/// Excludes zero from the domain of a field that indicates whether carried fields are omitted, if
/// one of the carried fields must be present. A carried field must be present if its row no longer
/// exists, its value is not allowed, or its size has changed.
fn carried_on<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut Domain,
) {
    let plan = machine.plan();
    let index = machine.visitor().index;
    let Some(carried) = index.guards.get(&plan.op(op).slot) else {
        return;
    };
    for field in carried {
        if !domain.contains(0) {
            return;
        }
        if !carries_over(machine, *field) {
            domain.not.push(0);
        }
    }
}

/// Returns whether a carried field may be omitted at the current position.
fn carries_over<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    field: OpId,
) -> bool {
    let plan = machine.plan();
    let Some(carry) = plan.info(field).carry else {
        return true;
    };
    let carry = &plan.carries[carry];
    let base = carry.previous.map(|slot| machine.slot(slot));
    let base = base.and_then(Value::integer).unwrap_or(0);
    let then = carry.then.map_or(0, |then| {
        machine.value(then, Value::Absent).integer().unwrap_or(0)
    });
    let mut value = base.saturating_add(then);
    if let Some(bits) = carry.wraps {
        value &= (1_i128 << bits) - 1;
    }
    if let Some(refs) = plan.info(field).refs {
        let refs = &plan.refs[refs];
        let none = refs.none.map(|none| machine.value(none, Value::Absent));
        let none = none.and_then(Value::integer) == Some(value);
        let key = u64::try_from(value).ok();
        let table = &machine.state().tables[refs.table];
        let live = key.is_some_and(|key| table.find(key).is_some());
        if strict(plan, refs.dangling) && !none && !live {
            return false;
        }
    }
    let computed = machine.visitor().index.written.contains_key(&field);
    if computed && !carried::same_size(machine, field, value) {
        return false;
    }
    let (low, high) = whole_range(machine, field);
    let mut allowed = Domain::range(low.min(value), high.max(value));
    tests(machine, field, Severity::Hard, &mut allowed);
    allowed.contains(value)
}

/// Applies the weights that the description assigns to values.
fn weigh(plan: &Plan, op: OpId, domain: &mut Domain) {
    let weights = &plan.info(op).hints.weights;
    match &mut domain.only {
        Some(only) => {
            for (value, weight) in only {
                let hint = weights.iter().find(|(known, _)| known == value);
                *weight = hint.map_or(1, |(_, hint)| u64::from(*hint).max(1));
            }
        }
        None => {
            // Repeat each value according to its weight, with a limit to save memory.
            let times = |weight: u32| usize::try_from(weight.clamp(1, 32)).unwrap_or(1);
            let weighted = weights
                .iter()
                .flat_map(|(value, weight)| std::iter::repeat_n(*value, times(*weight)));
            domain.liked.extend(weighted);
        }
    }
}

/// Returns whether a switch is inside a list that does not contain the field `op`. Elements of the list
/// may define the rows that an arm of the switch needs.
fn is_in_later_list(plan: &Plan, op: OpId, switch: OpId) -> bool {
    let around = std::iter::successors(plan.info(switch).parent, |at| plan.info(*at).parent);
    let holds_both = |at: &OpId| *at <= op && op.0 < plan.op(*at).end;
    around
        .take_while(|at| !holds_both(at))
        .any(|at| matches!(plan.op(at).kind, Kind::Repeat(_)))
}

/// Excludes values that would select an alternative that cannot be written at the current position.
fn feasible<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut Domain,
) {
    let plan = machine.plan();
    let index = machine.visitor().index;
    if let Some((value, table)) = index.defining.get(&plan.op(op).slot)
        && machine.state().tables[*table].len() as u64 >= MOST_ROWS
        && !machine.visitor().options.odd
    {
        // Limit the number of rows in endless traces.
        domain.not.push(*value);
    }
    let Some(switches) = index.decides.get(&plan.op(op).slot) else {
        return;
    };
    let is_plain = machine.visitor().is_plain(op);
    let is_full = |arm: OpId| {
        let tables = index.grows.get(&arm).into_iter().flatten();
        tables
            .into_iter()
            .any(|table| machine.state().tables[*table].len() >= PLAIN_ROWS)
    };
    for switch in switches {
        let Kind::Switch(number) = plan.op(*switch).kind else {
            continue;
        };
        if is_in_later_list(plan, op, *switch) {
            continue;
        }
        let described = &plan.switches[number];
        let arms = described.arms.iter().map(|(_, arm)| *arm);
        let mut arms = arms.chain(described.default);
        let avoids_full =
            is_plain && arms.any(|arm| lists::possible(machine, arm) && !is_full(arm));
        let possible = |arm: OpId| lists::possible(machine, arm) && !(avoids_full && is_full(arm));
        let labels = |wanted: bool| {
            let arms = described.arms.iter();
            arms.filter(move |(_, arm)| possible(*arm) == wanted)
                .flat_map(|(labels, _)| labels.iter().copied())
        };
        let others = described.default.is_none_or(possible);
        match &mut domain.only {
            Some(only) => only.retain(|(value, _)| {
                let arms = described.arms.iter();
                let mut selected = arms.filter(|(labels, _)| labels.contains(value)).peekable();
                if selected.peek().is_some() {
                    selected.any(|(_, arm)| possible(*arm))
                } else {
                    others
                }
            }),
            None if others => domain.not.extend(labels(false)),
            None => restrict(domain, labels(true).map(|label| (label, 1)).collect()),
        }
    }
}
