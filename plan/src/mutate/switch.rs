//! Bugs in switches: arms are missing, swapped, or selected for the wrong values.

use super::Collector;
use super::words::{Operator, operators};
use crate::{Code, Kind, OpId, Plan, SwitchId, SwitchPlan, flags};

/// The operators for switches.
pub(super) const OPERATORS: &[Operator] = &operators! {
    "arm-lost" => "does not handle one of the values listed in the description ({})",
    "arm-also-for" => "handles the value {} as if the description listed it",
    "arms-swapped" => "confuses two of the values listed in the description ({})",
    "default-lost" => "does not handle values that the description does not list",
    "default-as-first" =>
        "handles an unlisted value like the first value listed in the description",
    "unknown-kind-as-first" =>
        "handles an unlisted value like the first value listed in the description",
    "unknown-kind-passed-over" => "skips a value that the description does not list",
};

pub(super) fn mutate(out: &mut Collector<'_>) {
    for id in out.ops() {
        if let Kind::Switch(switch) = out.plan.op(id).kind {
            arms(out, id, switch);
            let rule = out.plan.switches[switch].rule;
            out.under(rule, |out| rest(out, id, switch));
        }
    }
}

/// Adds a mutant that changes a switch.
fn change(
    out: &mut Collector<'_>,
    operator: &'static str,
    id: OpId,
    detail: impl std::fmt::Display,
    change: impl Fn(&mut SwitchPlan) + Send + Sync + 'static,
) {
    let Kind::Switch(switch) = out.plan.op(id).kind else {
        return;
    };
    out.add(operator, id, detail, move |plan: &mut Plan| {
        let switch = &mut plan.switches[switch];
        // Discard the lookup table, so that the changed arms are used.
        switch.dense = Vec::new();
        change(switch);
    });
}

fn arms(out: &mut Collector<'_>, id: OpId, switch: SwitchId) {
    let known = out.plan.switches[switch].clone();
    let allowed = decides(out.plan, &known).and_then(|field| out.plan.allowed(field));
    for (arm, (labels, op)) in known.arms.iter().enumerate() {
        out.choosing([Some(*op), None], |out| {
            for (number, label) in labels.iter().enumerate() {
                change(out, "arm-lost", id, label, move |switch| {
                    switch.arms[arm].0.remove(number);
                });
                let next = label + 1;
                let possible = allowed
                    .as_ref()
                    .is_none_or(|allowed| allowed.contains(&next));
                if *label >= 0
                    && possible
                    && !known.arms.iter().any(|(all, _)| all.contains(&(label + 1)))
                {
                    change(out, "arm-also-for", id, label + 1, move |switch| {
                        let more = switch.arms[arm].0[number] + 1;
                        switch.arms[arm].0.push(more);
                    });
                }
            }
        });
        if arm > 0 {
            let first = labels.first().copied().unwrap_or_default();
            out.choosing([Some(known.arms[arm - 1].1), Some(*op)], |out| {
                change(out, "arms-swapped", id, first, move |switch| {
                    let (one, other) = (switch.arms[arm - 1].1, switch.arms[arm].1);
                    switch.arms[arm - 1].1 = other;
                    switch.arms[arm].1 = one;
                });
            });
        }
    }
    for (arm, (_, op)) in known.text_arms.iter().enumerate() {
        let named = format!("text #{arm}");
        out.choosing([Some(*op), None], |out| {
            change(out, "arm-lost", id, &named, move |switch| {
                switch.text_arms.remove(arm);
            });
        });
        if arm > 0 {
            out.choosing([Some(known.text_arms[arm - 1].1), Some(*op)], |out| {
                change(out, "arms-swapped", id, &named, move |switch| {
                    let (one, other) = (switch.text_arms[arm - 1].1, switch.text_arms[arm].1);
                    switch.text_arms[arm - 1].1 = other;
                    switch.text_arms[arm].1 = one;
                });
            });
        }
    }
    for (arm, (_, op)) in known.computed.iter().enumerate() {
        if known.computed.len() == 1 {
            continue;
        }
        out.choosing([Some(*op), None], |out| {
            change(out, "arm-lost", id, format!("#{arm}"), move |switch| {
                switch.computed.remove(arm);
            });
        });
        if arm > 0 {
            out.choosing([Some(known.computed[arm - 1].1), Some(*op)], |out| {
                change(out, "arms-swapped", id, format!("#{arm}"), move |switch| {
                    let (one, other) = (switch.computed[arm - 1].1, switch.computed[arm].1);
                    switch.computed[arm - 1].1 = other;
                    switch.computed[arm].1 = one;
                });
            });
        }
    }
}

/// Returns the field whose value selects the arm.
fn decides(plan: &Plan, switch: &SwitchPlan) -> Option<OpId> {
    let Code::Slot(slot) = plan.codes[switch.on.index()] else {
        return None;
    };
    let written = |op: &crate::Op| op.slot == slot && op.flags & flags::SLOT != 0;
    let place = plan.ops.iter().position(written)?;
    Some(OpId::from(place))
}

/// Adds mutants that incorrectly handle a value without an arm.
fn rest(out: &mut Collector<'_>, id: OpId, switch: SwitchId) {
    let known = &out.plan.switches[switch];
    let (default, first) = (known.default, known.arms.first().map(|(_, arm)| *arm));
    let refuses = known.rule.is_some_and(|rule| out.plan.rejects(Some(rule))) || known.required;
    let known_alone = decides(out.plan, known)
        .and_then(|field| out.plan.allowed(field))
        .is_some_and(|allowed| {
            let mut allowed = allowed.iter();
            allowed.all(|value| known.arms.iter().any(|(all, _)| all.contains(value)))
        });
    if known_alone {
        return;
    }
    if default.is_some() {
        change(out, "default-lost", id, "", |switch| switch.default = None);
    }
    if default.is_some() && first.is_some() {
        change(out, "default-as-first", id, "", move |switch| {
            switch.default = first;
        });
    }
    if default.is_none() && refuses {
        change(out, "unknown-kind-passed-over", id, "", |switch| {
            switch.rule = None;
            switch.required = false;
        });
    }
    if default.is_none() && first.is_some() {
        change(out, "unknown-kind-as-first", id, "", move |switch| {
            switch.default = first;
        });
    }
}
