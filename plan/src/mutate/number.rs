//! Bugs in reading numbers: wrong width, sign, byte order or encoding.

use super::Collector;
use super::words::{Operator, operators};
use crate::terms::{BitOrder, Endian, VariableKind};
use crate::{CarryPlan, Code, Integer, Kind, OpId, Plan, flags};

/// The operators for numbers.
pub(super) const OPERATORS: &[Operator] = &operators! {
    "other-width" => "reads the number with a width of {} bits",
    "other-sign" => "reads a signed number as unsigned, or vice versa",
    "other-byte-order" => "reads the number in the opposite byte order",
    "words-not-swapped" => "does not swap the words that make up the number",
    "cut" => "truncates the value to {} bits",
    "other-code" => "decodes a variable-length number as {}",
    "one-byte-only" => "reads only one byte of a variable-length number",
    "float-as-integer" => "reads a float as an integer",
    "bits-shifted" => "extracts the wrong bits",
    "bits-counted" => "extracts one bit too many or too few",
};

/// The operator of mutants that read a number in the wrong byte order.
const OTHER_BYTE_ORDER: &str = "other-byte-order";

/// The widths, in bits, that readers commonly truncate numbers to.
const CUTS: [u8; 3] = [8, 16, 32];

pub(super) fn mutate(out: &mut Collector<'_>) {
    for id in out.ops() {
        match out.plan.op(id).kind.clone() {
            Kind::Integer(integer) => {
                integers(out, id, integer);
                cut(out, id, u32::from(integer.width) * 8);
            }
            Kind::Float { width, endian } => floats(out, id, width, endian),
            Kind::Variable(kind, bits) => {
                variables(out, id, kind, bits);
                cut(out, id, u32::from(bits));
            }
            Kind::BitRun { width, order } if width > 1 => {
                let order = match order {
                    BitOrder::Little => BitOrder::Big,
                    BitOrder::Big => BitOrder::Little,
                };
                set(out, OTHER_BYTE_ORDER, id, "", Kind::BitRun { width, order });
            }
            Kind::Bits { shift, width } => bits(out, id, shift, width),
            Kind::Guid(endian) => {
                set(out, OTHER_BYTE_ORDER, id, "", Kind::Guid(other(endian)));
            }
            _ => {}
        }
    }
}

/// Adds a mutant that replaces the kind of an operation.
pub(super) fn set(
    out: &mut Collector<'_>,
    operator: &'static str,
    id: OpId,
    detail: impl std::fmt::Display,
    kind: Kind,
) {
    let change = move |plan: &mut Plan| plan.ops[id.index()].kind = kind.clone();
    match operator {
        OTHER_BYTE_ORDER => {
            let rule = out.plan.rule_of_byte_order();
            out.under(rule, |out| out.add(operator, id, detail, change));
        }
        _ => out.add(operator, id, detail, change),
    }
}

fn other(endian: Endian) -> Endian {
    match endian {
        Endian::Little => Endian::Big,
        Endian::Big => Endian::Little,
    }
}

/// Returns whether the required behavior of a reader depends on the value of an operation.
fn is_read(out: &Collector<'_>, id: OpId) -> bool {
    let plan = out.plan;
    let op = plan.op(id);
    let tested = op.flags & flags::CHECKS != 0
        && plan.tests_of(id).iter().any(|check| {
            plan.matters(check.rule) || matches!(check.kind, crate::CheckKind::InEnum(_))
        });
    // A slot can also be read by something other than an expression. The value is excluded only if
    // expressions read the slot but have no effect.
    let in_vain = plan.codes.contains(&Code::Slot(op.slot)) && !out.live.has_slot(op.slot);
    let slot = op.flags & flags::SLOT != 0 && !in_vain;
    let refs = plan.info(id).refs.map(|refs| &plan.refs[refs]);
    let named = refs.is_some_and(|refs| {
        let row = refs.row_slot.is_some_and(|slot| out.live.has_slot(slot));
        row || plan.rejects(refs.dangling)
    });
    let asked = named || op.flags & flags::CARRY != 0;
    slot || tested || asked || super::meaning::is_shown(out, id)
}

/// Returns, for each operation, whether the required behavior of a reader depends on its value.
pub fn values_read(plan: &Plan) -> Vec<bool> {
    let out = Collector::new(plan);
    out.ops().map(|id| is_read(&out, id)).collect()
}

/// Returns, for each operation whose value appears in a conditional record, the structure that
/// produces the record. The entry is `None` for an operation whose value does not appear in any
/// conditional record, and for a value that the record's own condition reads.
pub fn shown_under(plan: &Plan) -> Vec<Option<OpId>> {
    let out = Collector::new(plan);
    let under = |id: OpId| {
        let mut around = std::iter::successors(Some(id), |at| plan.info(*at).parent);
        let whole = around.find(|at| plan.info(*at).record.is_some())?;
        let record = plan.info(whole).record?;
        let condition = plan.records[record].condition?;
        // A constant condition is false: the record is never reported, so it shows nothing.
        let constant = matches!(plan.codes[condition.index()], Code::Bool(_));
        let asked = super::live::reads(plan, condition, plan.op(id).slot);
        let shown = super::meaning::is_shown(&out, id);
        (shown && !constant && !asked).then_some(whole)
    };
    out.ops().map(under).collect()
}

fn integers(out: &mut Collector<'_>, id: OpId, integer: Integer) {
    if integer.word == 0 {
        for width in [integer.width / 2, integer.width * 2] {
            if (1..=8).contains(&width) {
                let bits = u32::from(width) * 8;
                let kind = Kind::Integer(Integer { width, ..integer });
                set(out, "other-width", id, bits, kind);
            }
        }
    }
    if !is_read(out, id) {
        return;
    }
    if integer.word != 0 {
        let kind = Kind::Integer(Integer { word: 0, ..integer });
        set(out, "words-not-swapped", id, "", kind);
    }
    // If all allowed values are the same whether they are read as signed or unsigned, the mutant
    // behaves like the correct reader.
    let half = 1_i128 << (u32::from(integer.width) * 8 - 1);
    let same = out.allowed.get(&id).is_some_and(|allowed| {
        // If a signed number must not be negative, reading it as unsigned affects only values below
        // the minimum.
        let low = allowed.low.is_some_and(|low| low >= 0) || !integer.signed;
        let free = integer.signed && allowed.free_below;
        low && (free || allowed.high.is_some_and(|high| high < half))
    });
    if !same {
        let signed = !integer.signed;
        let kind = Kind::Integer(Integer { signed, ..integer });
        set(out, "other-sign", id, "", kind);
    }
    if integer.width > 1 {
        let endian = other(integer.endian);
        let kind = Kind::Integer(Integer { endian, ..integer });
        set(out, OTHER_BYTE_ORDER, id, "", kind);
    }
}

fn floats(out: &mut Collector<'_>, id: OpId, width: u8, endian: Endian) {
    let kind = Kind::Float {
        width,
        endian: other(endian),
    };
    set(out, OTHER_BYTE_ORDER, id, "", kind);
    let width = 12 - width;
    let kind = Kind::Float { width, endian };
    set(out, "other-width", id, u32::from(width) * 8, kind);
    let as_integer = Kind::Integer(Integer {
        width: 12 - width,
        signed: false,
        endian,
        word: 0,
    });
    set(out, "float-as-integer", id, "", as_integer);
}

fn variables(out: &mut Collector<'_>, id: OpId, kind: VariableKind, bits: u8) {
    for (other, word) in [
        (VariableKind::Unsigned, "unsigned"),
        (VariableKind::Signed, "signed"),
        (VariableKind::ZigZag, "zigzag"),
    ] {
        // Unsigned and zigzag numbers occupy the same bytes, so confusing them matters only if the
        // value is used.
        let alike = kind != VariableKind::Signed && other != VariableKind::Signed;
        if other != kind && (!alike || is_read(out, id)) {
            set(out, "other-code", id, word, Kind::Variable(other, bits));
        }
    }
    for other in [16, 32, 64] {
        if other != bits {
            set(out, "other-width", id, other, Kind::Variable(kind, other));
        }
    }
    let whole = Kind::Integer(Integer {
        width: 1,
        signed: false,
        endian: Endian::Little,
        word: 0,
    });
    set(out, "one-byte-only", id, "", whole);
}

fn bits(out: &mut Collector<'_>, id: OpId, shift: u8, width: u8) {
    let run = out.plan.info(id).parent.map(|run| &out.plan.op(run).kind);
    let Some(Kind::BitRun { width: bytes, .. }) = run else {
        return;
    };
    let room = bytes * 8;
    let others = [
        ("bits-shifted", shift.wrapping_add(1), width),
        ("bits-shifted", shift.wrapping_sub(1), width),
        ("bits-counted", shift, width + 1),
        ("bits-counted", shift, width - 1),
    ];
    for (operator, shift, width) in others {
        if width > 0 && shift < room && width <= room && shift + width <= room {
            let detail = format!("{shift}+{width}");
            set(out, operator, id, detail, Kind::Bits { shift, width });
        }
    }
}

/// Adds mutants that truncate the value to fewer bits than it has in the file.
fn cut(out: &mut Collector<'_>, id: OpId, bits: u32) {
    if !is_read(out, id) {
        return;
    }
    // If readers may either accept or reject values above the allowed range, truncation matters
    // only for values in the range.
    let free = out.allowed.get(&id).filter(|allowed| allowed.free_above);
    let most = free.and_then(|allowed| allowed.high).unwrap_or(i128::MAX);
    for cut in CUTS {
        if u32::from(cut) < bits && most >> cut > 0 {
            out.add("cut", id, cut, move |plan: &mut Plan| cut_to(plan, id, cut));
        }
    }
}

fn cut_to(plan: &mut Plan, id: OpId, bits: u8) {
    let known = plan.infos[id.index()].carry;
    if let Some(carry) = known {
        plan.carries[carry].wraps = Some(bits);
        return;
    }
    let carry = plan.carries.push(CarryPlan {
        add: false,
        then: None,
        wraps: Some(bits),
        overflow: None,
        greatest: i128::from(u64::MAX),
        register: None,
        moves: true,
        previous: None,
    });
    plan.infos[id.index()].carry = Some(carry);
    plan.ops[id.index()].flags |= flags::CARRY;
}
