//! Bugs in values that are computed from earlier values (`carry`): the earlier value is lost, the
//! number is added instead of replacing the earlier value, or the value does not wrap around.

use super::Collector;
use super::words::{Operator, operators};
use crate::{CarryId, CarryPlan, Kind, OpId, Plan, flags};

/// The operators for values that are computed from earlier values.
pub(super) const OPERATORS: &[Operator] = &operators! {
    "carry-forgotten" => "does not combine the number with the previous value",
    "carry-replaces" => "uses the number itself instead of adding it to the previous value",
    "carry-adds" => "adds the number to the previous value instead of replacing it",
    "step-forgotten" => "omits an amount that must be added to the value",
    "wrap-forgotten" => "does not wrap the sum around at the end of its range",
    "wraps-early" => "wraps the sum around at {} bits",
    "overflow-taken" => "accepts a sum that exceeds the maximum",
    "greatest-one-less" => "rejects the maximum",
    "carry-stays" => "does not update the value to which the next number is added",
    "register-forgotten" => "does not store the value to which later numbers are added",
    "carry-not-reset" => "does not reset the running value at the start of each list",
};

pub(super) fn mutate(out: &mut Collector<'_>) {
    for id in out.ops() {
        if let Some(carry) = out.plan.info(id).carry {
            let rule = out.plan.carries[carry].overflow;
            out.under(rule, |out| carried(out, id, carry));
        }
    }
}

fn carried(out: &mut Collector<'_>, id: OpId, carry: CarryId) {
    let known = out.plan.carries[carry].clone();
    let change = |out: &mut Collector<'_>,
                  operator: &'static str,
                  detail: &str,
                  change: Box<dyn Fn(&mut CarryPlan) + Send + Sync>| {
        out.add(operator, id, detail, move |plan: &mut Plan| {
            change(&mut plan.carries[carry]);
        });
    };
    out.add("carry-forgotten", id, "", move |plan: &mut Plan| {
        plan.ops[id.index()].flags &= !flags::CARRY;
    });
    let number = matches!(
        out.plan.op(id).kind,
        Kind::Integer(_) | Kind::Variable(..) | Kind::Bits { .. }
    );
    // The remaining mutants concern arithmetic.
    if !number {
        return;
    }
    let operator = match known.add {
        true => "carry-replaces",
        false => "carry-adds",
    };
    let add = !known.add;
    change(out, operator, "", Box::new(move |carry| carry.add = add));
    if known.then.is_some() {
        let forget = |carry: &mut CarryPlan| carry.then = None;
        change(out, "step-forgotten", "", Box::new(forget));
    }
    if known.wraps.is_some() {
        let forget = |carry: &mut CarryPlan| carry.wraps = None;
        change(out, "wrap-forgotten", "", Box::new(forget));
    } else {
        if known.overflow.is_some() && out.plan.rejects(known.overflow) {
            out.add("overflow-taken", id, "", move |plan: &mut Plan| {
                let rule = plan.tolerant_rule();
                plan.carries[carry].overflow = Some(rule);
            });
        }
        if out.plan.rejects(known.overflow) {
            let less = |carry: &mut CarryPlan| carry.greatest -= 1;
            change(out, "greatest-one-less", "", Box::new(less));
        }
    }
    for bits in [8, 16, 32, 64] {
        let wire = known.wraps.map_or(128, u32::from);
        let greatest = 128 - known.greatest.leading_zeros();
        if bits < wire.min(greatest) {
            let bits = u8::try_from(bits).unwrap_or(64);
            let wrap = move |carry: &mut CarryPlan| carry.wraps = Some(bits);
            change(out, "wraps-early", &bits.to_string(), Box::new(wrap));
        }
    }
    if known.register.is_some() {
        let stay = |carry: &mut CarryPlan| carry.moves = false;
        change(out, "carry-stays", "", Box::new(stay));
    }
    if known.register.is_some() && known.previous.is_some() {
        let forget = |carry: &mut CarryPlan| carry.register = None;
        change(out, "register-forgotten", "", Box::new(forget));
    }
}
