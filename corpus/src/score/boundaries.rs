//! Measures the coverage of boundary values of fields. Some readers truncate large numbers or
//! misinterpret the highest bit as a sign.

use std::collections::BTreeSet;

use tracegauge_decoder::tree::{Node, NodeId, Payload, Tree};
use tracegauge_plan::mutate::{shown_under, values_read};
use tracegauge_plan::terms::{ReaderDuty, RuleId, VariableKind};
use tracegauge_plan::{CheckKind, Code, CodeId, Derived, Kind, Measure, OpId, Plan, Scale};

use super::Obligation;

/// A boundary value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Boundary {
    /// The smallest allowed value.
    Least,
    /// The greatest allowed value.
    Greatest,
    /// A negative value.
    Negative,
    /// A value that does not fit in this many bits.
    MoreThan(u8),
    /// A string that starts with a byte order mark.
    Mark,
    /// A string with two adjacent zero bytes that belong to different code units.
    Across,
}

impl Boundary {
    /// A value with bit 15 or a higher bit set. In an unsigned 16-bit number, bit 15 is not a sign
    /// bit.
    pub(crate) const SIGN: Self = Self::MoreThan(SIGN);

    /// Describes the boundary in words.
    pub fn name(self) -> String {
        match self {
            Self::Least => "least".to_owned(),
            Self::Greatest => "greatest".to_owned(),
            Self::Negative => "below zero".to_owned(),
            Self::MoreThan(bits) => format!("over {bits} bits"),
            Self::Mark => "byte order mark".to_owned(),
            Self::Across => "zeros across units".to_owned(),
        }
    }
}

/// Bit widths that readers may truncate numbers to.
const CUTS: [u8; 3] = [8, 16, 32];

/// The number of payload bits in each byte of a variable-length integer.
const GROUP: u8 = 7;

/// A length counts as large if it does not fit in this many bits. A higher limit would require
/// files of many kilobytes.
const MOST_MEASURED: u8 = 8;

/// The index of the highest bit in a 16-bit number. A reader that decodes an unsigned number as
/// signed takes this bit for the sign.
const SIGN: u8 = 15;

/// The maximum number of elements or bytes of contents whose size or count reaches its limit.
pub(crate) const LONGEST_LIMITED: i128 = 1 << 12;

/// A file offset counts as large if it does not fit in this many bits.
const FAR: u8 = 16;

/// Returns true if a field contains the size of other contents in bytes or code units. Returns
/// false for an element count, because a list with as many elements as the boundary requires may
/// not be possible.
fn is_measured(plan: &Plan, op: OpId) -> bool {
    let of_elements = Some(Measure::Count);
    let measure = plan.info(op).derived.as_ref().map(|derived| match derived {
        Derived::Measured { measure, .. } => Some(*measure),
        Derived::Computed(_) => None,
    });
    measure.is_some_and(|measure| measure != of_elements) && measured(plan, op).is_some()
}

/// If `op` is a derived number that stores the size or count of another operation, returns that
/// operation, with the scale in which it is stored.
pub(crate) fn measured(plan: &Plan, op: OpId) -> Option<(OpId, Scale)> {
    match plan.info(op).derived.as_ref()? {
        Derived::Measured { of, scale, .. } => Some((*of, *scale)),
        Derived::Computed(code) => {
            let Code::OfText(_, text, _) = plan.codes[code.index()] else {
                return None;
            };
            let Code::Slot(slot) = plan.codes[text.index()] else {
                return None;
            };
            Some((plan.field_beside(slot, op)?, Scale::SAME))
        }
    }
}

/// Returns true if a derived number is the offset of the start or end of another part of the file.
fn is_place(plan: &Plan, derived: &Derived) -> bool {
    let Derived::Computed(code) = derived else {
        return false;
    };
    let Code::Slot(slot) = plan.codes[code.index()] else {
        return false;
    };
    let mut infos = plan.infos.iter();
    infos.any(|info| {
        info.span_slots
            .is_some_and(|(start, end)| slot == start || slot == end)
    })
}

/// Returns the boundaries of every field whose value is read.
pub(super) fn boundaries(plan: &Plan) -> Vec<Obligation> {
    let mut found = Vec::new();
    let ranges = Values::new(plan);
    for (at, is_read) in values_read(plan).into_iter().enumerate() {
        let op = OpId::from(at);
        if is_read && let Some(range) = ranges.of(op) {
            let wanted = wanted(plan, op, range).into_iter();
            found.extend(wanted.map(|boundary| Obligation::Value(op, boundary)));
        } else if is_passed_over(plan, op) && ranges.of(op).is_some() {
            // All bits are set in the greatest value, so it exercises whichever bits a reader
            // wrongly tests.
            found.push(Obligation::Value(op, Boundary::Greatest));
        }
    }
    found
}

/// Returns true if readers must ignore a number regardless of its value.
fn is_passed_over(plan: &Plan, op: OpId) -> bool {
    let info = plan.info(op);
    let rules = info.obeys.iter().map(|(rule, _)| *rule);
    let mut duties = rules.map(|rule| plan.rules[rule].duty);
    info.ignore && duties.all(|duty| duty == ReaderDuty::Accept)
}

/// Returns the members of all enumerations used by fields whose values are read.
pub(super) fn members(plan: &Plan) -> Vec<Obligation> {
    let mut found = BTreeSet::new();
    for (at, is_read) in values_read(plan).into_iter().enumerate() {
        let Some(set) = plan.infos[at].presentation.enumeration.filter(|_| is_read) else {
            continue;
        };
        let op = OpId::from(at);
        let members = plan.enums[set].members.iter().zip(0..);
        let possible = members
            .filter(|(member, _)| member.broken.is_none() && permits(plan, op, member.value));
        found.extend(possible.map(|(_, number)| Obligation::Member(set, number)));
    }
    found.into_iter().collect()
}

/// Returns true unless an unconditional test requires the field to have a different value.
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
    // References to rows are treated like lengths, because larger boundaries would need too many
    // rows.
    if info.derived.is_some() || info.refs.is_some() {
        let sign = match plan.op(op).kind {
            Kind::Integer(integer) if integer.width == 2 && !integer.signed => Some(SIGN),
            _ => None,
        };
        let measured = sign.filter(|_| is_measured(plan, op));
        let far = Some(FAR).filter(|_| {
            info.derived
                .as_ref()
                .is_some_and(|code| is_place(plan, code))
        });
        let bits = [Some(MOST_MEASURED), measured, far].into_iter().flatten();
        wanted.extend(bits.filter(needs).map(Boundary::MoreThan));
        if is_limited(plan, op) {
            wanted.insert(Boundary::Greatest);
        }
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
    // If a value depends on others, the ends of its range may be unreachable.
    if info.carry.is_none() && info.hints.moving.is_none() {
        wanted.extend([Boundary::Least, Boundary::Greatest]);
    }
    wanted
}

/// Returns true if tests limit the size or count of other contents, and contents that reach the limit
/// are small enough for a case. If the limit is stored in the trace, it may have any value. Values
/// whose types the trace describes are excluded, because their sizes depend on each other.
fn is_limited(plan: &Plan, op: OpId) -> bool {
    let Some((_, scale)) = measured(plan, op) else {
        return false;
    };
    let mut around = std::iter::successors(plan.info(op).parent, |op| plan.info(*op).parent);
    if around.any(|op| matches!(plan.op(op).kind, Kind::Layout(_) | Kind::Nested(_))) {
        return false;
    }
    plan.tests_of(op).iter().any(|test| {
        let CheckKind::Max(limit) = test.kind else {
            return false;
        };
        let is_small = match plan.codes[limit.index()] {
            Code::Int(limit) => scale
                .measure(limit)
                .is_some_and(|amount| amount <= LONGEST_LIMITED),
            _ => true,
        };
        is_small && test.condition.is_none() && binds(plan, test.rule)
    })
}

/// Returns the boundary that contents reach whose size or count `op` stores, if `test` sets their
/// maximum.
pub(super) fn limit(plan: &Plan, op: OpId, test: u32) -> Option<Obligation> {
    let test = plan.checks.get(test as usize)?;
    let is_maximum = matches!(test.kind, CheckKind::Max(_)) && measured(plan, op).is_some();
    is_maximum.then_some(Obligation::Value(op, Boundary::Greatest))
}

/// Returns the range that a number's encoding can represent or, for a carried value (one that
/// readers compute from an earlier value), the range of the computed value.
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
    let carry = &plan.carries[carry];
    let wraps = carry.wraps.map_or(i128::MAX, |bits| (1 << bits) - 1);
    Some((0, carry.greatest.min(wraps)))
}

/// The records reported for a trace, each identified by its kind and its end offset in the trace.
pub(super) type Reported = BTreeSet<(String, u64)>;

/// Collects the boundaries that values in a trace reach.
pub(super) fn met(
    plan: &Plan,
    tree: &Tree,
    values: &Values,
    reported: &Reported,
    met: &mut BTreeSet<Obligation>,
) {
    let mut unreported: Vec<(OpId, NodeId)> = Vec::new();
    for (at, node) in (0..).zip(&tree.nodes) {
        unreported.retain(|(_, end)| at < *end);
        let record = plan.info(node.op).record;
        let record = record.map(|record| &plan.records[record]);
        if let Some(record) = record.filter(|record| record.condition.is_some()) {
            let kind = |end: u64| (record.kind.clone(), end);
            let mut found = reported.range(kind(node.span.start)..=kind(node.span.end));
            if found.next().is_none() {
                unreported.push((node.op, node.end));
            }
        }
        let Payload::Bits(bits) = node.payload else {
            continue;
        };
        member(plan, values, node, bits, met);
        // Values of a record that is not reported do not count, because the reported records do not
        // contain them.
        let under = values.under[node.op.index()];
        if under.is_none_or(|under| unreported.iter().all(|(op, _)| *op != under)) {
            boundary(values, node, bits, met);
        }
    }
}

fn member(plan: &Plan, values: &Values, node: &Node, bits: u64, met: &mut BTreeSet<Obligation>) {
    if let Some(set) = plan.info(node.op).presentation.enumeration {
        let signed = values.of(node.op).is_some_and(|(low, _)| low < 0);
        let value = number(bits, signed);
        let members = plan.enums[set].members.iter().zip(0..);
        let named = members.filter(|(member, _)| member.value == value);
        met.extend(named.map(|(_, number)| Obligation::Member(set, number)));
    }
}

fn boundary(values: &Values, node: &Node, bits: u64, met: &mut BTreeSet<Obligation>) {
    let Some((low, high)) = values.of(node.op) else {
        return;
    };
    let value = number(bits, low < 0);
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
    for bits in CUTS.into_iter().chain([SIGN]).chain(groups) {
        if value >> bits > 0 {
            put(Boundary::MoreThan(bits));
        }
    }
}

fn number(bits: u64, signed: bool) -> i128 {
    match signed {
        true => i128::from(bits.cast_signed()),
        false => i128::from(bits),
    }
}

fn binds(plan: &Plan, rule: Option<RuleId>) -> bool {
    rule.is_none_or(|rule| plan.rules[rule].duty != ReaderDuty::Accept)
}

/// The range of each field, and the record that reports the field's value.
#[derive(Debug)]
pub(crate) struct Values {
    ranges: Vec<Option<(i128, i128)>>,
    under: Vec<Option<OpId>>,
}

impl Values {
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
        Self {
            ranges: ops.map(range).collect(),
            under: shown_under(plan),
        }
    }

    /// Returns true if a field has a value at the given boundary.
    pub(super) fn is_at(&self, node: &Node, boundary: Boundary) -> bool {
        let (Payload::Bits(bits), Some((low, high))) = (node.payload, self.of(node.op)) else {
            return false;
        };
        let value = number(bits, low < 0);
        match boundary {
            Boundary::Least => value == low,
            Boundary::Greatest => value == high,
            Boundary::Negative => value < 0,
            Boundary::MoreThan(bits) => value >> bits > 0,
            Boundary::Mark | Boundary::Across => false,
        }
    }

    pub(crate) fn of(&self, op: OpId) -> Option<(i128, i128)> {
        self.ranges.get(op.index()).copied().flatten()
    }
}
