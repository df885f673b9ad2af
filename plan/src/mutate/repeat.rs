//! Bugs in lists: elements are counted incorrectly, tests of the whole list are missing, or values
//! remain from an earlier element.

use super::Collector;
use super::live::readers;
use super::roots::{Stored, fold_is_read};
use super::words::{Operator, operators};
use crate::terms::RuleId;
use crate::{Count, FoldPlan, Kind, OpId, Pick, Plan, RepeatId, RepeatPlan, Slot, flags};

/// The operators for lists.
pub(super) const OPERATORS: &[Operator] = &operators! {
    "list-to-the-end" => "reads elements to the end of the data instead of counting them",
    "least-number-not-tested" => "accepts a list with too few elements",
    "least-number-one-more" => "rejects a list with the minimum number of elements",
    "least-number-one-less" => "accepts a list with one element too few",
    "may-come-again" => "accepts the repetition of an element that may occur only once",
    "keys-not-compared" => "accepts two elements with the same key",
    "exception-forgotten" => "rejects duplicate keys where they are allowed",
    "stays-over-elements" =>
        "reuses the value of the previous element for an element without a value",
    "element-before-forgotten" => "does not remember the previous element",
    "any-element-asked" => "considers all elements of the list instead of only the matching ones",
    "other-element-asked" => "uses the wrong element of the list",
    "element-not-asked" => "does not search the list for the required element",
};

pub(super) fn mutate(out: &mut Collector<'_>) {
    for id in out.ops() {
        if let Kind::Repeat(repeat) = out.plan.op(id).kind {
            list(out, id, repeat);
            folds(out, id, repeat);
        }
        for (number, slot) in out.plan.info(id).resets.iter().enumerate() {
            // If every element writes the slot, it never contains the value of an earlier element.
            let missing = out.ops().any(|op| {
                let op = out.plan.op(op);
                op.slot == *slot && op.flags & flags::GUARD != 0
            });
            if !missing || !read_outside(out, id, *slot) {
                continue;
            }
            out.add("stays-over-elements", id, number, move |plan: &mut Plan| {
                plan.infos[id.index()].resets.remove(number);
            });
        }
    }
}

/// Returns whether the slot of a field in a switch arm is read outside that arm. Operations inside
/// the arm never see the value of an earlier element.
fn read_outside(out: &Collector<'_>, list: OpId, slot: Slot) -> bool {
    let inside = (list.0 + 1..out.plan.op(list).end).map(OpId);
    let mut written = inside.filter(|op| {
        let op = out.plan.op(*op);
        op.slot == slot && op.flags & flags::SLOT != 0
    });
    let readers = readers(out.plan, &out.live, slot);
    written.any(|field| {
        let mut at = field;
        while let Some(around) = out.plan.info(at).parent.filter(|_| at != list) {
            if matches!(out.plan.op(around).kind, Kind::Switch(_) | Kind::Layout(_)) {
                let end = out.plan.op(at).end.max(at.0 + 1);
                return readers.iter().any(|op| !(at.0..end).contains(&op.0));
            }
            at = around;
        }
        false
    })
}

/// Adds a mutant that changes a list.
fn change(
    out: &mut Collector<'_>,
    operator: &'static str,
    id: OpId,
    detail: impl std::fmt::Display,
    change: impl Fn(&mut RepeatPlan) + Send + Sync + 'static,
) {
    let Kind::Repeat(repeat) = out.plan.op(id).kind else {
        return;
    };
    out.add(operator, id, detail, move |plan: &mut Plan| {
        change(&mut plan.repeats[repeat]);
    });
}

fn list(out: &mut Collector<'_>, id: OpId, repeat: RepeatId) {
    let known = out.plan.repeats[repeat].clone();
    if known.count != Count::ToEnd {
        change(out, "list-to-the-end", id, "", |list| {
            list.count = Count::ToEnd;
        });
    }
    if let Some((least, rule)) = known.at_least.filter(|(_, rule)| out.plan.rejects(*rule)) {
        out.under(rule, |out| least_number(out, id, (least, rule)));
    }
    for (number, once) in known.once.iter().enumerate() {
        if !out.plan.rejects(once.rule) {
            continue;
        }
        out.under(once.rule, |out| {
            change(out, "may-come-again", id, number, move |list| {
                list.once.remove(number);
            });
        });
    }
    for (number, unique) in known.unique.iter().enumerate() {
        if !out.plan.rejects(unique.rule) {
            continue;
        }
        out.under(unique.rule, |out| {
            change(out, "keys-not-compared", id, number, move |list| {
                list.unique.remove(number);
            });
            for except in 0..unique.except.len() {
                change(out, "exception-forgotten", id, except, move |list| {
                    list.unique[number].except.remove(except);
                });
            }
        });
    }
    for number in 0..known.carried.len() {
        out.add("carry-not-reset", id, number, move |plan: &mut Plan| {
            plan.repeats[repeat].carried.remove(number);
        });
    }
    for (number, previous) in known.previous.iter().enumerate() {
        if !out.live.has_slot(previous.slot) {
            continue;
        }
        change(out, "element-before-forgotten", id, number, move |list| {
            list.previous[number].value = list.previous[number].initial;
        });
    }
}

/// Adds mutants with bugs in the check of the minimum number of elements.
fn least_number(out: &mut Collector<'_>, id: OpId, (least, rule): (u64, Option<RuleId>)) {
    change(out, "least-number-not-tested", id, "", |list| {
        list.at_least = None;
    });
    change(out, "least-number-one-more", id, "", move |list| {
        list.at_least = Some((least + 1, rule));
    });
    if least > 1 {
        change(out, "least-number-one-less", id, "", move |list| {
            list.at_least = Some((least - 1, rule));
        });
    }
}

fn folds(out: &mut Collector<'_>, id: OpId, repeat: RepeatId) {
    let known = out.plan.repeats[repeat].folds.clone();
    for (number, fold) in known.into_iter().enumerate() {
        if !fold_is_read(&fold, &out.live) {
            continue;
        }
        out.serving(Stored::Slot(fold.slot), |out| {
            of_fold(out, (id, repeat), number, &fold)
        });
    }
}

/// Adds mutants with bugs in a query over a list.
fn of_fold(
    out: &mut Collector<'_>,
    (id, repeat): (OpId, RepeatId),
    number: usize,
    fold: &FoldPlan,
) {
    if fold.when.is_some() {
        change(out, "any-element-asked", id, number, move |list| {
            list.folds[number].when = None;
        });
    }
    let other = match fold.pick {
        Pick::First(_) => Some(Pick::Last),
        Pick::Least => Some(Pick::Greatest),
        Pick::Greatest => Some(Pick::Least),
        Pick::Last | Pick::Count | Pick::All(_) => None,
    };
    if let Some(other) = other {
        change(out, "other-element-asked", id, number, move |list| {
            list.folds[number].pick = other;
        });
    }
    if fold.pick == Pick::Last {
        out.add("other-element-asked", id, number, move |plan: &mut Plan| {
            let seen = plan.new_slot();
            plan.repeats[repeat].folds[number].pick = Pick::First(seen);
        });
    }
    change(out, "element-not-asked", id, number, move |list| {
        list.folds.remove(number);
    });
}
